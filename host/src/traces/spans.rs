//! Spans. Without an endpoint none is made, and all of this does nothing.

use std::sync::OnceLock;

use axum::http::{HeaderMap, StatusCode};
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{FutureExt as _, SpanKind, Status, TraceContextExt as _, Tracer as _};
use opentelemetry::{Context, KeyValue, Value};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracer;

use crate::foreign::{cut, visible};

/// What makes spans. There is none without an endpoint.
static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// The largest text in a span, in bytes. Kubernetes has no longer name.
const MAX_TEXT: usize = 253;

/// The largest `tracestate` that is taken from a request, in bytes. Each span holds it, so a client could fill the memory with
/// a longer one.
const MAX_STATE: usize = 512;

/// How a request ended: the attribute of its span. It is set at the end, because setting it twice would give two attributes.
const OUTCOME: &str = "sailplane.outcome";

/// How a request ended, in the context of its span.
#[derive(Debug, Default)]
struct KnownOutcome(OnceLock<String>);

/// The codes of gRPC for which a server is to blame.
const GRPC_ERRORS: [i32; 6] = [2, 4, 12, 13, 14, 15];

/// Makes spans from now on.
pub(super) fn start(tracer: SdkTracer) {
    // Only tests of this crate could start it twice, and there are none.
    let _ = TRACER.set(tracer);
}

/// Whether spans are made.
pub(crate) fn are_on() -> bool {
    TRACER.get().is_some()
}

/// The span of a request. When it is dropped before the request is answered, the client has gone.
#[derive(Debug)]
pub(crate) struct ServerSpan {
    context: Option<Context>,
}

impl ServerSpan {
    /// Begins the span of a request, in the trace of the caller when `headers` state one. `describe` gives its name and its
    /// attributes.
    pub(crate) fn begin<const N: usize>(
        headers: &HeaderMap,
        describe: impl FnOnce() -> (String, [(&'static str, String); N]),
    ) -> Self {
        let context = TRACER.get().map(|tracer| {
            let caller = TraceContextPropagator::new().extract_with_context(&Context::new(), &TraceHeaders(headers));
            let (name, attributes) = describe();
            let attributes = attributes.into_iter().map(|(key, value)| KeyValue::new(key, shown(&value)));
            let span = tracer.span_builder(name).with_kind(SpanKind::Server).with_attributes(attributes);
            let span = span.start_with_context(tracer, &caller);
            caller.with_span(span).with_value(KnownOutcome::default())
        });
        Self { context }
    }

    /// Runs a future, whose spans are in this one.
    pub(crate) async fn around<F: Future>(&self, future: F) -> F::Output {
        match &self.context {
            Some(context) => future.with_context(context.clone()).await,
            None => future.await,
        }
    }

    /// The request is answered, with a code of gRPC.
    pub(crate) fn answered_grpc(mut self, code: i32) {
        let status = Value::I64(code.into());
        self.end("rpc.grpc.status_code", status, GRPC_ERRORS.contains(&code).then(|| code.to_string()));
    }

    /// The request is answered, with a status of HTTP.
    pub(crate) fn answered_http(mut self, status: StatusCode) {
        let code = Value::I64(status.as_u16().into());
        self.end("http.response.status_code", code, status.is_server_error().then(|| status.as_str().to_owned()));
    }

    fn end(&mut self, key: &'static str, status: Value, error: Option<String>) {
        let Some(context) = self.context.take() else { return };
        let span = context.span();
        span.set_attribute(KeyValue::new(key, status));
        if let Some(outcome) = context.get().and_then(|KnownOutcome(outcome)| outcome.get()) {
            span.set_attribute(KeyValue::new(OUTCOME, outcome.clone()));
        }
        if let Some(error) = error {
            fail(&context, error);
        }
        span.end();
    }
}

impl Drop for ServerSpan {
    fn drop(&mut self) {
        if let Some(context) = &self.context {
            context.span().set_attribute(KeyValue::new(OUTCOME, "given up"));
            context.span().end();
        }
    }
}

/// The span of a call of a module, in that of a request.
#[derive(Debug)]
pub(crate) struct ModuleSpan {
    context: Option<Context>,
}

impl ModuleSpan {
    /// Begins the span of a call of a door. Outside of a request there is none.
    pub(crate) fn begin(module: &str, door: &'static str) -> Self {
        let context = TRACER.get().zip(current()).map(|(tracer, request)| {
            let span = tracer.span_builder(door).with_attributes([KeyValue::new("sailplane.module", shown(module))]);
            let span = span.start_with_context(tracer, &request);
            request.with_span(span)
        });
        Self { context }
    }

    /// The module gave no answer.
    pub(crate) fn failed(&self, why: &'static str) {
        if let Some(context) = &self.context {
            fail(context, why.to_owned());
        }
    }
}

impl Drop for ModuleSpan {
    fn drop(&mut self) {
        if let Some(context) = &self.context {
            context.span().end();
        }
    }
}

/// A computation for another thread, whose spans are in the span that is current here.
pub(crate) fn carried<T>(compute: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let context = current();
    move || {
        let _current = context.map(Context::attach);
        compute()
    }
}

/// Names the object that the current request is about: API version, kind, namespace and name.
pub(crate) fn about(api_version: &str, kind: &str, namespace: &str, name: &str) {
    note(&[
        ("sailplane.object.api_version", api_version),
        ("sailplane.object.kind", kind),
        ("sailplane.object.namespace", namespace),
        ("sailplane.object.name", name),
    ]);
}

/// Says how the current request ended. When it failed, `error` says why, in a word.
pub(crate) fn ended(outcome: &str, error: Option<&str>) {
    let Some(context) = current() else { return };
    if let Some(KnownOutcome(known)) = context.get() {
        let _ = known.set(shown(outcome)); // what was said first counts
    }
    if let Some(error) = error {
        fail(&context, shown(error));
    }
}

/// Sets attributes of the current request. Empty ones are left out.
pub(crate) fn note(attributes: &[(&'static str, &str)]) {
    let Some(context) = current() else { return };
    let attributes = attributes.iter().filter(|(_, value)| !value.is_empty());
    context.span().set_attributes(attributes.map(|(key, value)| KeyValue::new(*key, shown(value))));
}

/// The context of this thread, when it has a span.
fn current() -> Option<Context> {
    TRACER.get().map(|_| Context::current()).filter(Context::has_active_span)
}

fn fail(context: &Context, why: String) {
    let span = context.span();
    span.set_status(Status::error(why.clone()));
    span.set_attribute(KeyValue::new("error.type", why));
}

fn shown(text: &str) -> String {
    cut(&visible(text), MAX_TEXT).into_owned()
}

/// The headers in which a caller states its trace.
struct TraceHeaders<'a>(&'a HeaderMap);

impl Extractor for TraceHeaders<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let value = self.0.get(key)?.to_str().ok()?;
        (key != "tracestate" || value.len() <= MAX_STATE).then_some(value)
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_trace_is_bounded() {
        let headers = |state: usize| -> HeaderMap {
            let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned();
            let state = format!("a={}", "b".repeat(state - 2));
            [("traceparent", parent), ("tracestate", state)]
                .into_iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect()
        };
        for (length, taken) in [(100, 100), (MAX_STATE + 1, 0)] {
            let headers = headers(length);
            let caller = TraceContextPropagator::new().extract_with_context(&Context::new(), &TraceHeaders(&headers));
            let span = caller.span();
            assert!(span.span_context().is_valid(), "{length}");
            assert_eq!(span.span_context().trace_state().header().len(), taken);
        }
    }

    #[test]
    fn without_an_endpoint_there_is_no_span() {
        let span = ServerSpan::begin(&HeaderMap::new(), || -> (String, [_; 0]) { panic!("not asked for") });
        assert!(span.context.is_none() && ModuleSpan::begin("a", "compose").context.is_none() && !are_on());
    }
}
