//! Counts calls, as functions in Go do: the names, labels and descriptions are those of their SDK.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::registry::Registry;
use tonic::Code;

use super::ending::at_end;
use super::messages::SERVICE;
use crate::metrics::{Counters, Metric};

const HEALTH: &str = "grpc.health.v1.Health";

/// A method: its type, its service and its name.
type Method = (&'static str, &'static str, &'static str);

/// The methods. Only those of the first type are counted.
const METHODS: [Method; 5] = [
    (UNARY, SERVICE, "RunFunction"),
    (UNARY, HEALTH, "Check"),
    ("server_stream", HEALTH, "Watch"),
    ("bidi_stream", "grpc.reflection.v1.ServerReflection", "ServerReflectionInfo"),
    ("bidi_stream", "grpc.reflection.v1alpha.ServerReflection", "ServerReflectionInfo"),
];
const UNARY: &str = "unary";

/// The names of the codes, by number.
const CODES: [&str; 17] = [
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
];
/// The number of the code for all others.
const UNKNOWN: usize = 2;

const METHOD: &[&str] = &["grpc_type", "grpc_service", "grpc_method"];
pub(super) const STARTED: Metric =
    Metric::counter("grpc_server_started", METHOD, "Total number of RPCs started on the server");
pub(super) const HANDLED: Metric = Metric::counter(
    "grpc_server_handled",
    &["grpc_type", "grpc_service", "grpc_method", "grpc_code"],
    "Total number of RPCs completed on the server, regardless of success or failure",
);
pub(super) const RECEIVED: Metric =
    Metric::counter("grpc_server_msg_received", METHOD, "Total number of RPC stream messages received on the server");
pub(super) const SENT: Metric =
    Metric::counter("grpc_server_msg_sent", METHOD, "Total number of gRPC stream messages sent by the server");

/// How many calls there were.
#[derive(Clone, Debug)]
pub(super) struct CallCounts {
    started: Counters,
    handled: Counters,
    received: Counters,
    sent: Counters,
    /// The methods that are counted.
    counted: Arc<[MethodCounts]>,
}

/// The counters of a method. They are looked up once, and not for each call.
#[derive(Debug)]
struct MethodCounts {
    service: &'static str,
    name: &'static str,
    started: Counter,
    received: Counter,
    sent: Counter,
    /// By the number of the code.
    handled: [Counter; CODES.len()],
}

impl Default for CallCounts {
    /// Counts of no calls. There is a zero for everything that can be counted.
    fn default() -> Self {
        let [started, handled, received, sent] = [(); 4].map(|()| Counters::default());
        let methods = METHODS.map(|(kind, service, name)| {
            let of =
                |metric: Metric, family: &Counters| family.get_or_create_owned(&metric.labelled([kind, service, name]));
            let handled = CODES.map(|code| handled.get_or_create_owned(&HANDLED.labelled([kind, service, name, code])));
            let (started, received, sent) = (of(STARTED, &started), of(RECEIVED, &received), of(SENT, &sent));
            (kind == UNARY).then_some(MethodCounts { service, name, started, received, sent, handled })
        });
        Self { started, handled, received, sent, counted: methods.into_iter().flatten().collect() }
    }
}

impl CallCounts {
    /// Registers the metrics.
    pub(super) fn register(&self, registry: &mut Registry) {
        STARTED.register(registry, self.started.clone());
        HANDLED.register(registry, self.handled.clone());
        RECEIVED.register(registry, self.received.clone());
        SENT.register(registry, self.sent.clone());
    }

    /// Begins a call, if it is one that is counted.
    fn begin(&self, path: &str) -> Option<CountedCall> {
        let (service, name) = path.strip_prefix('/')?.split_once('/')?;
        let method = self.counted.iter().position(|method| method.service == service && method.name == name)?;
        let call = CountedCall { methods: Arc::clone(&self.counted), method, open: true };
        call.counts().started.inc();
        call.counts().received.inc();
        Some(call)
    }
}

/// Counts a call.
pub(super) async fn count(State(counts): State<CallCounts>, request: Request, next: Next) -> Response {
    let Some(mut call) = counts.begin(request.uri().path()) else { return next.run(request).await };
    let response = next.run(request).await;
    at_end(response, move |code| call.end(code))
}

/// A call that is being answered. When it is dropped before it ends, the client has gone.
struct CountedCall {
    methods: Arc<[MethodCounts]>,
    method: usize,
    /// Whether its end is still to be counted.
    open: bool,
}

impl CountedCall {
    fn counts(&self) -> &MethodCounts {
        &self.methods[self.method]
    }

    fn end(&mut self, code: Code) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let counts = self.counts();
        let number = usize::try_from(i32::from(code)).unwrap_or(UNKNOWN);
        counts.handled.get(number).unwrap_or(&counts.handled[UNKNOWN]).inc();
        if code == Code::Ok {
            counts.sent.inc();
        }
    }
}

impl Drop for CountedCall {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::text;

    #[test]
    fn a_call_is_counted_once() {
        let counts = CallCounts::default();
        let path = format!("/{SERVICE}/RunFunction");
        let mut answered = counts.begin(&path).unwrap();
        answered.end(Code::Ok);
        drop(answered);
        drop(counts.begin(&path));
        assert!(counts.begin("/grpc.health.v1.Health/Watch").is_none(), "it has no end");
        let mut registry = Registry::default();
        counts.register(&mut registry);
        let text = text(&registry);
        let labels = format!("{{grpc_type=\"unary\",grpc_service=\"{SERVICE}\",grpc_method=\"RunFunction\"");
        for series in [
            format!("grpc_server_started_total{labels}}} 2\n"),
            format!("grpc_server_msg_received_total{labels}}} 2\n"),
            format!("grpc_server_msg_sent_total{labels}}} 1\n"),
            format!("grpc_server_handled_total{labels},grpc_code=\"OK\"}} 1\n"),
            format!("grpc_server_handled_total{labels},grpc_code=\"Canceled\"}} 1\n"),
            format!("grpc_server_handled_total{labels},grpc_code=\"Internal\"}} 0\n"),
            "# HELP grpc_server_started Total number of RPCs started on the server.\n".to_owned(),
        ] {
            assert!(text.contains(&series), "no {series} in\n{text}");
        }
    }
}
