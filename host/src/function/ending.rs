//! How calls end: with a code of gRPC, in the headers of an answer or after its body.

use axum::body::Body;
use axum::http::HeaderMap;
use axum::response::Response;
use http_body_util::BodyExt as _;
use tonic::{Code, Status};

/// The response. When it has been sent, `end` gets its code; when it cannot be sent, `end` is dropped.
pub(super) fn at_end(response: Response, end: impl FnOnce(Code) + Send + 'static) -> Response {
    // A refusal has its code in the headers, an answer at the end of its body.
    if let Some(code) = code(response.headers()) {
        end(code);
        return response;
    }
    let mut end = Some(end);
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            if let Some(trailers) = frame.trailers_ref()
                && let Some(end) = end.take()
            {
                end(code(trailers).unwrap_or(Code::Unknown));
            }
            frame
        }))
    })
}

fn code(headers: &HeaderMap) -> Option<Code> {
    Status::from_header_map(headers).map(|status| status.code())
}
