//! The function: takes a request and returns a response.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use prometheus_client::registry::Registry;
use prost::Message as _;
use prost::bytes::Bytes;
use tonic::{Request, Response, Status};
use tracing::Level;

use super::counts::CallCounts;
use super::decode;
use super::encode;
use super::intake::Room;
use super::merge::Earlier;
use super::messages::{Capability, RunFunctionRequest, RunFunctionResponse};
use super::metrics::CallMetrics;
use super::refuse::Refusal;
use super::subject::Subject;
use crate::engine::{Engine, Failure};
use crate::foreign::{cut, visible};
use crate::serving::Threads;
use crate::traces;
use crate::wit::types::KindRef;

/// A composition function that answers with composition modules.
#[derive(Clone)]
pub struct Function {
    engine: Engine,
    threads: Threads,
    metrics: CallMetrics,
    /// The longest time to decode a request and to compose. The engine has a limit of its own for the latter.
    time: Duration,
}

impl Function {
    /// A function that answers with the modules of `engine`.
    pub fn new(engine: Engine) -> Self {
        let threads = Threads::new(engine.clock());
        Self { engine, threads, metrics: CallMetrics::default(), time: Duration::MAX }
    }

    /// The function, for which decoding a request counts as a part of the longest time of a call.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// The registry of its metrics.
    pub(super) fn registry(&self) -> Registry {
        self.metrics.registry(&self.engine)
    }

    /// The counts of its calls.
    pub(super) fn counts(&self) -> CallCounts {
        self.metrics.counts()
    }

    /// Answers an encoded `RunFunctionRequest` with an encoded `RunFunctionResponse` at the time `now`, in seconds since the
    /// Unix epoch. There is always a response: when composing fails, it has a fatal result and the desired state of earlier
    /// steps. Equal requests have equal responses.
    ///
    /// # Errors
    /// When `request` is not such a message.
    pub fn answer(&self, request: Bytes, now: Option<u64>) -> Result<Vec<u8>, prost::DecodeError> {
        let message = RunFunctionRequest::decode(request)?;
        let (subject, input) = (Subject::of(&message), Subject::input(&message));
        Ok(self.respond(message, &subject, input.as_ref(), now).encode_to_vec())
    }

    fn respond(
        &self,
        mut message: RunFunctionRequest,
        subject: &Subject,
        input: Option<&KindRef>,
        now: Option<u64>,
    ) -> RunFunctionResponse {
        let begun = Instant::now();
        let fallback = !decode::has(&message, Capability::RequiredResources);
        let call = CallLog::begin(subject, &message);
        let changes = decode::request(&mut message, now).and_then(|request| {
            let left = self.time.saturating_sub(begun.elapsed());
            let answer = match left {
                Duration::ZERO => Err(Failure::Deadline(left)),
                left => self.engine.compose_within(left, &subject.kind_ref(), input, &request),
            };
            let failed = |failure| match failure {
                // What is said is the whole time, and not what decoding has left of it.
                Failure::Deadline(_) if self.time < Duration::MAX => Failure::Deadline(self.time),
                failure => failure,
            };
            let response =
                answer.map_err(|failure| Refusal::failure(subject, &failed(failure)))?.map_err(Refusal::fault)?;
            self.metrics.looked_up(&self.engine, &subject.kind_ref(), &request, &response);
            encode::changes(response, fallback).map_err(|what| Refusal::broken_contract(subject, &what))
        });
        let earlier = Earlier::from(message);
        let answered = match changes {
            Ok(changes) => earlier.with(changes),
            Err(refusal) => Err(Box::new((earlier, refusal))),
        };
        let response = answered.unwrap_or_else(|refused| {
            let (earlier, refusal) = *refused;
            tracing::warn!(%subject, reason = refusal.reason, "refused: {}", refusal.logged);
            earlier.refused(refusal)
        });
        call.end(&response);
        response
    }

    /// Answers a call of a client.
    pub(super) async fn run(
        self: Arc<Self>,
        request: Request<RunFunctionRequest>,
    ) -> Result<Response<RunFunctionResponse>, Status> {
        let (_, extensions, message) = request.into_parts();
        let room = extensions.get::<Room>().cloned();
        let (subject, input) = (Subject::of(&message), Subject::input(&message));
        traces::about(&subject.api_version, &subject.kind, &subject.namespace, &subject.name);
        let call = self.metrics.call(&self.engine, &subject.kind_ref());
        let turn = self.engine.turn(&subject.kind_ref(), input.as_ref(), message.encoded_len()).await;
        let Ok(turn) = turn else {
            call.overloaded();
            return Err(Status::unavailable("too many calls wait for the module of this kind"));
        };
        let function = Arc::clone(&self);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs());
        let answer = move || {
            let response = function.respond(message, &subject, input.as_ref(), now);
            // Both end here, even when nobody waits for the answer.
            drop((turn, room));
            response
        };
        let response = self.threads.run(answer).await;
        let response = response.ok_or_else(|| Status::internal("the function panicked; its log says where"))?;
        call.answered(&response);
        Ok(Response::new(response))
    }
}

/// The largest name in a record of the log, in bytes.
const MAX_NAME: usize = 128;

/// A name of a request as logs show it.
fn shown(name: &str) -> String {
    cut(&visible(name), MAX_NAME).into_owned()
}

/// The log record of a call. It never has values of objects.
struct CallLog<'a> {
    subject: &'a Subject,
    /// Start time and size of the request. `None` when the record is not logged.
    begun: Option<(Instant, usize)>,
}

impl<'a> CallLog<'a> {
    fn begin(subject: &'a Subject, message: &RunFunctionRequest) -> Self {
        let begun = tracing::enabled!(Level::DEBUG).then(|| (Instant::now(), message.encoded_len()));
        Self { subject, begun }
    }

    fn end(self, response: &RunFunctionResponse) {
        let Some((begun, request_bytes)) = self.begun else { return };
        tracing::debug!(
            api_version = &*shown(&self.subject.api_version),
            kind = &*shown(&self.subject.kind),
            namespace = &*shown(&self.subject.namespace),
            name = &*shown(&self.subject.name),
            duration = ?begun.elapsed(),
            request_bytes,
            response_bytes = response.encoded_len(),
            desired = response.desired.as_ref().map_or(0, |desired| desired.resources.len()),
            "answered"
        );
    }
}
