//! Counts calls, as functions in Go do: the names, labels and descriptions are those of their SDK.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
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
const UNKNOWN: &str = CODES[2];

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
}

impl Default for CallCounts {
    /// Counts of no calls. There is a zero for everything that can be counted.
    fn default() -> Self {
        let family = Counters::default;
        let counts = Self { started: family(), handled: family(), received: family(), sent: family() };
        for (kind, service, name) in METHODS {
            for (metric, family) in [(STARTED, &counts.started), (RECEIVED, &counts.received), (SENT, &counts.sent)] {
                family.get_or_create(&metric.labelled([kind, service, name])).inc_by(0);
            }
            for code in CODES {
                counts.handled.get_or_create(&HANDLED.labelled([kind, service, name, code])).inc_by(0);
            }
        }
        counts
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

    fn begin(&self, method: Method) -> CountedCall {
        let (kind, service, name) = method;
        self.started.get_or_create(&STARTED.labelled([kind, service, name])).inc();
        self.received.get_or_create(&RECEIVED.labelled([kind, service, name])).inc();
        CountedCall { counts: self.clone(), method, open: true }
    }
}

/// Counts a call.
pub(super) async fn count(State(counts): State<CallCounts>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let called = |(_, service, name): &Method| {
        path.strip_prefix('/').and_then(|path| path.strip_prefix(service)?.strip_prefix('/')) == Some(*name)
    };
    let Some(method) = METHODS.into_iter().find(|method| method.0 == UNARY && called(method)) else {
        return next.run(request).await;
    };
    let mut call = counts.begin(method);
    let response = next.run(request).await;
    at_end(response, move |code| call.end(code))
}

/// A call that is being answered. When it is dropped before it ends, the client has gone.
struct CountedCall {
    counts: CallCounts,
    method: Method,
    /// Whether its end is still to be counted.
    open: bool,
}

impl CountedCall {
    fn end(&mut self, code: Code) {
        if !std::mem::take(&mut self.open) {
            return;
        }
        let (kind, service, name) = self.method;
        let code_name = usize::try_from(i32::from(code)).ok().and_then(|code| CODES.get(code)).unwrap_or(&UNKNOWN);
        self.counts.handled.get_or_create(&HANDLED.labelled([kind, service, name, code_name])).inc();
        if code == Code::Ok {
            self.counts.sent.get_or_create(&SENT.labelled([kind, service, name])).inc();
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
        let mut answered = counts.begin(METHODS[0]);
        answered.end(Code::Ok);
        drop(answered);
        drop(counts.begin(METHODS[0]));
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
