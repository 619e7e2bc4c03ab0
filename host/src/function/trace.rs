//! The span of a call.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;

use super::ending::at_end;
use super::messages::{RUN_FUNCTION, SERVICE};
use crate::traces::ServerSpan;

/// Answers a call in a span of its own.
pub(super) async fn trace(request: Request, next: Next) -> Response {
    let span = ServerSpan::begin(request.headers(), || {
        let method = RUN_FUNCTION.rsplit('/').next().unwrap_or_default();
        let attributes = [("rpc.system", "grpc"), ("rpc.service", SERVICE), ("rpc.method", method)];
        (format!("{SERVICE}/{method}"), attributes.map(|(key, value)| (key, value.to_owned())))
    });
    let response = span.around(next.run(request)).await;
    at_end(response, move |code| span.answered_grpc(code.into()))
}
