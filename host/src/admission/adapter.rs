//! The adapter: takes the bytes of a review and returns the bytes of its answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use super::judge::{Judge, Judged, Judging, Unjudged};
use super::lookups::{Answered, Lookups};
use super::metrics::Metrics;
use super::mode::{Mode, Webhook};
use super::options::Options;
use super::respond::{self, Outcome};
use super::review::Review;
use crate::engine::{Engine, Failure, Turn, processors};
use crate::foreign::{cut, visible};
use crate::serving::Threads;
use crate::traces;
use crate::wit::admit::Verdict;
use crate::wit::types::LookupAnswer;

/// The largest text about a review in a record of the log, in bytes, with the names of the object. With its other fields, a
/// record has less than 1 kB.
const MAX_LOGGED: usize = 640;
/// The size of what is looked up for a review, in bytes, from which on reviews take turns: to judge by so much takes so long that more
/// of them at once than there are processors would only make all of them slower.
const HEAVY: usize = 256 << 10;
/// The largest name in a record of the log, in bytes.
const MAX_NAME: usize = 128;

/// Answers reviews with composition modules.
#[derive(Clone)]
pub struct Adapter {
    judge: Judge,
    threads: Threads,
    metrics: Metrics,
    /// The turns of heavy reviews.
    heavy: Arc<Semaphore>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewAnswer {
    /// An AdmissionReview with a response.
    Review(Vec<u8>),
    /// The request was no review; this is the reason.
    Malformed(String),
    /// The review has no answer; this is the reason. The webhook's failure policy decides.
    Failed(String),
    /// Too many reviews of the kind's module ran until the deadline.
    Overloaded,
}

/// How a review is to be answered.
#[derive(Clone, Copy, Debug)]
pub struct ReviewCall {
    /// The webhook that is called.
    pub webhook: Webhook,
    /// What happens when something is wrong.
    pub mode: Mode,
    /// The time until which the answer must be ready.
    pub deadline: Instant,
}

/// A review and its verdict.
struct JudgedReview {
    review: Review,
    /// `None` when no module judges the operation.
    judged: Option<Result<Judged, Unjudged>>,
}

/// A review whose first lookups are answered.
struct BegunReview {
    review: Review,
    judging: Judging,
}

/// How far a review has come.
enum Progress {
    Done(Box<JudgedReview>),
    /// It waits for its turn.
    Heavy(Box<BegunReview>),
}

impl Adapter {
    /// Judges with the modules of `engine` and the default options, without lookups.
    pub fn new(engine: Engine) -> Self {
        Self::with(Judge { engine, options: Options::default(), lookups: None }, Metrics::default())
    }

    pub(super) fn with(judge: Judge, metrics: Metrics) -> Self {
        let threads = Threads::new(judge.engine.clock());
        Self { judge, threads, metrics, heavy: Arc::new(Semaphore::new(processors())) }
    }

    /// The number of reviews at once, of all modules together.
    pub(super) fn calls(&self) -> usize {
        self.judge.engine.calls()
    }

    /// Answers a review. Lookups are answered from the caches only.
    pub fn answer(&self, call: ReviewCall, bytes: &[u8]) -> ReviewAnswer {
        let begun = Instant::now();
        let judged = Review::read(bytes).map(|review| match self.begin(call, review) {
            Progress::Done(judged) => *judged,
            Progress::Heavy(begun) => self.go_on(call, *begun),
        });
        self.finish(call, judged, begun)
    }

    /// Answers a review. When lookups caused a refusal, the lookups are read again from the API server first: a cache
    /// may be a moment behind, and people often create an object just before the object that refers to it.
    pub(super) async fn review(&self, call: ReviewCall, bytes: Vec<u8>) -> ReviewAnswer {
        let begun = Instant::now();
        let length = bytes.len();
        let Some(review) = self.threads.run(move || Review::read(&bytes)).await else { return panicked() };
        if let Ok(Review { kind, namespace, name, .. }) = &review {
            traces::about(&kind.api_version, &kind.kind, namespace, name);
        }
        let _turn = match &review {
            Ok(review) => {
                match timeout_at(call.deadline.into(), self.judge.engine.turn(&review.kind, None, length)).await {
                    Ok(Ok(turn)) => turn,
                    _ => return ReviewAnswer::Overloaded,
                }
            }
            Err(_) => Turn::default(),
        };
        let adapter = self.clone();
        let begun_with = move || review.map(|review| adapter.begin(call, review));
        let mut judged = match self.threads.run(begun_with).await {
            Some(Ok(Progress::Done(judged))) => Ok(*judged),
            Some(Ok(Progress::Heavy(judging))) => {
                let Ok(Ok(_heavy)) = timeout_at(call.deadline.into(), self.heavy.acquire()).await else {
                    return ReviewAnswer::Overloaded;
                };
                let adapter = self.clone();
                match self.threads.run(move || adapter.go_on(call, *judging)).await {
                    Some(judged) => Ok(judged),
                    None => return panicked(),
                }
            }
            Some(Err(malformed)) => Err(malformed),
            None => return panicked(),
        };
        if let Some((lookups, doubtful)) = self.to_confirm(call, &judged) {
            let left = call.deadline.saturating_duration_since(Instant::now());
            let read = tokio::time::timeout(left / 2, lookups.read(&doubtful.answered)).await;
            let (adapter, answers) = (self.clone(), read.unwrap_or_default());
            let again = move || judged.map(|judged| adapter.judge_again(call, judged, &answers));
            match self.threads.run(again).await {
                Some(again) => judged = again,
                None => return panicked(),
            }
        }
        let adapter = self.clone();
        self.threads.run(move || adapter.finish(call, judged, begun)).await.unwrap_or_else(panicked)
    }

    /// Judges, unless that turns out to be heavy.
    fn begin(&self, call: ReviewCall, review: Review) -> Progress {
        let Some(operation) = review.operation.clone() else {
            return Progress::Done(Box::new(JudgedReview { review, judged: None }));
        };
        match self.judge.begin(&review.kind, operation, call.deadline) {
            Ok(mut judging) => {
                judging.look_up(|lookup| self.judge.cached(lookup));
                let begun = BegunReview { review, judging };
                if begun.judging.looked_up() >= HEAVY {
                    Progress::Heavy(Box::new(begun))
                } else {
                    Progress::Done(Box::new(self.go_on(call, begun)))
                }
            }
            Err(unjudged) => Progress::Done(Box::new(JudgedReview { review, judged: Some(Err(unjudged)) })),
        }
    }

    fn go_on(&self, call: ReviewCall, begun: BegunReview) -> JudgedReview {
        let BegunReview { review, judging } = begun;
        let judged = self.judge.go_on(&review.kind, judging, call.deadline, |lookup| self.judge.cached(lookup));
        JudgedReview { review, judged: Some(judged) }
    }

    /// The verdict whose lookups must be read again, and the lookups of the cluster.
    fn to_confirm<'a>(
        &'a self,
        call: ReviewCall,
        judged: &'a Result<JudgedReview, String>,
    ) -> Option<(&'a Lookups, &'a Judged)> {
        let lookups = self.judge.lookups.as_ref()?;
        match judged {
            Ok(JudgedReview { judged: Some(Ok(judged)), .. }) if call.webhook == Webhook::Validate => {
                judged.refused_by_lookups.then_some((lookups, judged))
            }
            _ => None,
        }
    }

    /// Judges once more, with `answers` alone.
    fn judge_again(&self, call: ReviewCall, mut judged: JudgedReview, answers: &[LookupAnswer]) -> JudgedReview {
        judged.judged = judged.review.operation.clone().map(|operation| {
            let answer = |name: &str| answers.iter().find(|answer| answer.name == name).cloned();
            self.judge.judge_by(&judged.review.kind, operation, call.deadline, |lookup| answer(&lookup.name))
        });
        judged
    }

    fn finish(&self, call: ReviewCall, judged: Result<JudgedReview, String>, begun: Instant) -> ReviewAnswer {
        let ReviewCall { webhook, mode, .. } = call;
        let JudgedReview { review, judged } = match judged {
            Ok(judged) => judged,
            Err(what) => {
                tracing::warn!(webhook = webhook.as_str(), "malformed: no review that can be read");
                self.count(call, None, "malformed", begun.elapsed());
                return ReviewAnswer::Malformed(what);
            }
        };
        let (answer, outcome) = match judged {
            None => (ReviewAnswer::Review(respond::untouched(&review)), Outcome::Allowed),
            Some(Ok(Judged { verdict, answered, .. })) => {
                if webhook == Webhook::Validate {
                    self.count_verdict(&review, &verdict, &answered);
                }
                let (bytes, outcome) = respond::judged(&review, webhook, mode, &verdict);
                (ReviewAnswer::Review(bytes), outcome)
            }
            Some(Err(Unjudged::Undecided(problems))) => {
                let (bytes, outcome) = respond::undecided(&review, webhook, mode, &problems);
                (ReviewAnswer::Review(bytes), outcome)
            }
            Some(Err(Unjudged::Failed(failure))) => {
                let why = spell(&failure);
                (ReviewAnswer::Failed(why.clone()), Outcome::Failed(why))
            }
        };
        let took = begun.elapsed();
        log(call, &review, &outcome, took);
        self.count(call, Some(&review), outcome.as_str(), took);
        answer
    }

    fn count(
        &self,
        ReviewCall { webhook, mode, .. }: ReviewCall,
        review: Option<&Review>,
        outcome: &str,
        took: Duration,
    ) {
        let kind = review.map_or("", |review| self.label(review));
        let operation = review.map_or("", |review| &review.verb);
        let (webhook, mode) = (webhook.as_str(), mode.as_str());
        self.metrics.reviewed([kind, operation, webhook, mode, outcome], took);
        traces::note(&[("sailplane.webhook", webhook), ("sailplane.mode", mode), ("sailplane.operation", operation)]);
        traces::ended(outcome, None);
    }

    fn count_verdict(&self, review: &Review, verdict: &Verdict, answered: &[Answered]) {
        let kind = self.label(review);
        for denial in &verdict.denials {
            self.metrics.denied(kind, respond::cause_type(denial.code));
        }
        for lookup in &verdict.lookups {
            self.metrics.looked_up(kind, answered.iter().any(|answered| answered.lookup == *lookup));
        }
    }

    /// The label of a kind: one of those that modules serve, or `other`. A sender cannot make new labels.
    fn label<'a>(&self, review: &'a Review) -> &'a str {
        let served = self.judge.engine.catalog().any(|entry| entry.kind == review.kind);
        if served { &review.kind.kind } else { "other" }
    }
}

/// Logs the outcome: which object, and why. Never what the object holds.
fn log(ReviewCall { webhook, mode, .. }: ReviewCall, review: &Review, outcome: &Outcome, took: Duration) {
    let (webhook, mode, outcome_name) = (webhook.as_str(), mode.as_str(), outcome.as_str());
    let names = [&review.uid, &review.kind.kind, &review.namespace, &review.name, &review.verb];
    let [uid, kind, namespace, name, operation] = names.map(|text| cut(&visible(text), MAX_NAME).into_owned());
    let shown = |why: &str| {
        let left = MAX_LOGGED.saturating_sub(uid.len() + kind.len() + namespace.len() + name.len());
        cut(&visible(why), left).into_owned()
    };
    match outcome {
        Outcome::Allowed => {
            tracing::debug!(webhook, mode, uid, kind, namespace, name, operation, ?took, "{outcome_name}");
        }
        Outcome::Denied(why) | Outcome::Tolerated(why) => {
            let why = shown(why);
            tracing::info!(webhook, mode, uid, kind, namespace, name, operation, ?took, "{outcome_name}: {why}");
        }
        Outcome::Undecided(why) | Outcome::Failed(why) => {
            let why = shown(why);
            tracing::warn!(webhook, mode, uid, kind, namespace, name, operation, ?took, "{outcome_name}: {why}");
        }
    }
}

fn spell(failure: &Failure) -> String {
    match failure {
        Failure::Deadline(_) => "the module did not answer within the time that a review may take".to_owned(),
        failure => failure.to_string(),
    }
}

fn panicked() -> ReviewAnswer {
    ReviewAnswer::Failed("the adapter panicked; its log says where".to_owned())
}
