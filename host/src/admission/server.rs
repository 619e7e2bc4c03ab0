//! The HTTP server: limits the requests, and passes reviews to the adapter.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use super::adapter::{Adapter, ReviewAnswer, ReviewCall};
use super::args::AdmissionArgs;
use super::metrics::Metrics;
use super::mode::{Mode, Webhook};
use super::timeout::stated;
use super::trace::trace;
use crate::foreign::{cut, visible};
use crate::serving::{Budget, Held, Reading, Unread};
use crate::traces;

/// The largest answer in plain text, in bytes.
const MAX_LINE: usize = 4 << 10;

/// The state that all requests share.
#[derive(Clone)]
struct Server {
    adapter: Adapter,
    metrics: Metrics,
    mode: Mode,
    max_time: Duration,
    max_body: usize,
    /// The longest time for a body to come.
    patience: Duration,
    /// The bytes of all bodies together.
    budget: Budget,
    /// A permit for each review that may be held at once, of all modules together.
    turns: Arc<Semaphore>,
}

/// The paths of the webhooks. For a path without a mode, the mode is that of `args`.
pub(super) fn router(adapter: Adapter, metrics: Metrics, args: &AdmissionArgs) -> Router {
    let server = Server {
        turns: Arc::new(Semaphore::new(adapter.calls())),
        adapter,
        metrics,
        mode: args.mode,
        max_time: args.limits.timeout(),
        max_body: args.max_bytes(),
        patience: args.clients.patience(),
        budget: args.budget(),
    };
    let mut router = Router::new();
    for webhook in [Webhook::Validate, Webhook::Mutate] {
        let path = format!("/{}", webhook.as_str());
        let default_mode = move |State(server): State<Server>, query: RawQuery, headers: HeaderMap, body: Body| {
            let mode = server.mode;
            async move { server.serve(webhook, mode, query, &headers, body).await }
        };
        let mode_in_path = move |State(server): State<Server>,
                                 Path(mode): Path<String>,
                                 query: RawQuery,
                                 headers: HeaderMap,
                                 body: Body| async move {
            match Mode::named(&mode) {
                Some(mode) => server.serve(webhook, mode, query, &headers, body).await,
                None => refuse(StatusCode::NOT_FOUND, format!("no mode `{mode}`; known are enforce, warn, audit")),
            }
        };
        router = router.route(&path, post(default_mode)).route(&format!("{path}/{{mode}}"), post(mode_in_path));
    }
    let router = router.with_state(server);
    if !traces::are_on() {
        return router;
    }
    let scheme = if args.certificates.insecure { "http" } else { "https" };
    router.route_layer(from_fn_with_state(scheme, trace))
}

impl Server {
    async fn serve(
        &self,
        webhook: Webhook,
        mode: Mode,
        RawQuery(query): RawQuery,
        headers: &HeaderMap,
        body: Body,
    ) -> Response {
        let time = self.max_time.min(stated(query.as_deref()).unwrap_or(Duration::MAX));
        let deadline = Instant::now() + time;
        let _in_flight = InFlight::new(&self.metrics);
        let (bytes, _room) = match self.read(headers, body, deadline).await {
            Ok(read) => read,
            Err(refused) => return refused,
        };
        let answer = match timeout_at(deadline.into(), self.turns.acquire()).await {
            Ok(Ok(_turn)) => self.adapter.review(ReviewCall { webhook, mode, deadline }, bytes).await,
            _ => ReviewAnswer::Overloaded,
        };
        match answer {
            ReviewAnswer::Review(bytes) => ([(CONTENT_TYPE, "application/json")], bytes).into_response(),
            ReviewAnswer::Malformed(what) => refuse(StatusCode::BAD_REQUEST, what),
            ReviewAnswer::Failed(what) => refuse(StatusCode::INTERNAL_SERVER_ERROR, what),
            ReviewAnswer::Overloaded => {
                self.metrics.overloaded.inc();
                traces::ended("overloaded", None);
                let what = format!("no turn within {} s: too many reviews at once", time.as_secs_f64());
                refuse(StatusCode::TOO_MANY_REQUESTS, what)
            }
        }
    }

    /// Reads a body, up to the largest size, and takes the room that it needs until it is answered.
    async fn read(&self, headers: &HeaderMap, body: Body, deadline: Instant) -> Result<(Vec<u8>, Held), Response> {
        let too_large = || {
            let what = format!("the review has more than {} bytes", self.max_body);
            refuse(StatusCode::PAYLOAD_TOO_LARGE, what)
        };
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > self.max_body) {
            return Err(too_large());
        }
        let mut reading = Reading::new(body, length, &self.budget, deadline.min(Instant::now() + self.patience));
        while reading.more().await.map_err(|unread| self.refused(unread))? {
            if reading.length() > self.max_body {
                return Err(too_large());
            }
        }
        let (pieces, held) = reading.into_parts();
        Ok((pieces.concat(), held))
    }

    fn refused(&self, unread: Unread) -> Response {
        match unread {
            Unread::Full => {
                self.metrics.overloaded.inc();
                traces::ended("overloaded", None);
                refuse(StatusCode::TOO_MANY_REQUESTS, "too many large reviews at once".to_owned())
            }
            Unread::Late => refuse(StatusCode::REQUEST_TIMEOUT, "the review did not arrive in time".to_owned()),
            Unread::Broken => refuse(StatusCode::BAD_REQUEST, "the review broke off".to_owned()),
        }
    }
}

/// An answer in plain text. An API server shows its first line to people.
fn refuse(status: StatusCode, what: String) -> Response {
    let line = format!("{}\n", cut(&visible(&what), MAX_LINE));
    let mut response = (status, [(CONTENT_TYPE, "text/plain; charset=utf-8")], line).into_response();
    if status == StatusCode::TOO_MANY_REQUESTS {
        // In seconds. An API server then asks again, within the time that it has.
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// Counts a review as in flight until it is dropped.
struct InFlight<'a>(&'a Metrics);

impl<'a> InFlight<'a> {
    fn new(metrics: &'a Metrics) -> Self {
        metrics.in_flight.inc();
        Self(metrics)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.dec();
    }
}
