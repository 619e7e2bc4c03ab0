//! The span of a review.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use crate::traces::ServerSpan;

/// Answers a request in a span of its own. Requests come over `scheme`.
pub(super) async fn trace(State(scheme): State<&'static str>, request: Request, next: Next) -> Response {
    let span = ServerSpan::begin(request.headers(), || {
        let path = request.uri().path();
        // The last part of a longer path is a mode.
        let route = match path.rsplit_once('/') {
            Some((webhook, _)) if !webhook.is_empty() => format!("{webhook}/{{mode}}"),
            _ => path.to_owned(),
        };
        let (verb, method) = if request.method() == Method::POST { ("POST", "POST") } else { ("HTTP", "_OTHER") };
        let name = format!("{verb} {route}");
        let attributes = [
            ("http.request.method", method.to_owned()),
            ("http.route", route),
            ("url.path", path.to_owned()),
            ("url.scheme", scheme.to_owned()),
        ];
        (name, attributes)
    });
    let response = span.around(next.run(request)).await;
    span.answered_http(response.status());
    response
}
