//! The HTTP server: bounds what comes in, and hands reviews to the adapter.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http_body_util::LengthLimitError;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use super::adapter::{Adapter, Answer, Call};
use super::args::Limits;
use super::metrics::Metrics;
use super::mode::{Door, Mode};
use super::timeout::stated;

/// What every request needs.
#[derive(Clone)]
struct Server {
    adapter: Adapter,
    metrics: Metrics,
    mode: Mode,
    longest: Duration,
    largest: usize,
    turns: Arc<Semaphore>,
}

/// The paths of the webhooks. Where a path states no mode, `mode` counts.
pub(super) fn router(adapter: Adapter, metrics: Metrics, mode: Mode, limits: &Limits) -> Router {
    let server = Server {
        adapter,
        metrics,
        mode,
        longest: limits.timeout(),
        largest: usize::from(limits.max_body) << 20,
        turns: Arc::new(Semaphore::new(limits.max_reviews.into())),
    };
    [Door::Validate, Door::Mutate]
        .into_iter()
        .fold(Router::new(), |router, door| {
            let path = format!("/{}", door.as_str());
            let by_default = move |State(server): State<Server>, query: RawQuery, headers: HeaderMap, body: Body| {
                let mode = server.mode;
                async move { server.serve(door, mode, query, &headers, body).await }
            };
            let stated = move |State(server): State<Server>,
                               Path(mode): Path<String>,
                               query: RawQuery,
                               headers: HeaderMap,
                               body: Body| async move {
                match Mode::named(&mode) {
                    Some(mode) => server.serve(door, mode, query, &headers, body).await,
                    None => refuse(StatusCode::NOT_FOUND, format!("no mode `{mode}`; known are enforce, warn, audit")),
                }
            };
            router.route(&path, post(by_default)).route(&format!("{path}/{{mode}}"), post(stated))
        })
        .with_state(server)
}

impl Server {
    async fn serve(
        &self,
        door: Door,
        mode: Mode,
        RawQuery(query): RawQuery,
        headers: &HeaderMap,
        body: Body,
    ) -> Response {
        let time = self.longest.min(stated(query.as_deref()).unwrap_or(Duration::MAX));
        let deadline = Instant::now() + time;
        let _under_way = UnderWay::new(&self.metrics);
        let bytes = match self.read(headers, body, deadline).await {
            Ok(bytes) => bytes,
            Err(refused) => return refused,
        };
        let Ok(Ok(_turn)) = timeout_at(deadline.into(), self.turns.acquire()).await else {
            self.metrics.overloaded.inc();
            let what = format!("no turn within {} s: too many reviews at once", time.as_secs_f64());
            return refuse(StatusCode::TOO_MANY_REQUESTS, what);
        };
        match self.adapter.review(Call { door, mode, deadline }, bytes).await {
            Answer::Review(bytes) => ([(CONTENT_TYPE, "application/json")], bytes).into_response(),
            Answer::Malformed(what) => refuse(StatusCode::BAD_REQUEST, what),
            Answer::Failed(what) => refuse(StatusCode::INTERNAL_SERVER_ERROR, what),
        }
    }

    /// All of a body that is not too large.
    async fn read(&self, headers: &HeaderMap, body: Body, deadline: Instant) -> Result<Vec<u8>, Response> {
        let too_large = || {
            let what = format!("the review has more than {} bytes", self.largest);
            refuse(StatusCode::PAYLOAD_TOO_LARGE, what)
        };
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > self.largest) {
            return Err(too_large());
        }
        match timeout_at(deadline.into(), to_bytes(body, self.largest)).await {
            Ok(Ok(bytes)) => Ok(bytes.into()),
            Ok(Err(error)) if is_length_limit(&error) => Err(too_large()),
            Ok(Err(_)) => Err(refuse(StatusCode::BAD_REQUEST, "the review broke off".to_owned())),
            Err(_) => Err(refuse(StatusCode::REQUEST_TIMEOUT, "the review did not arrive in time".to_owned())),
        }
    }
}

/// A plain answer: an API server shows its first line to people.
fn refuse(status: StatusCode, what: String) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], what + "\n").into_response()
}

fn is_length_limit(error: &axum::Error) -> bool {
    error.source().is_some_and(|source| source.is::<LengthLimitError>())
}

/// Counts a review for as long as it lasts, however it ends.
struct UnderWay<'a>(&'a Metrics);

impl<'a> UnderWay<'a> {
    fn new(metrics: &'a Metrics) -> Self {
        metrics.in_flight.inc();
        Self(metrics)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.in_flight.dec();
    }
}
