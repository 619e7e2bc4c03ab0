//! The adapter: takes the bytes of a review and returns the bytes of its answer.

use std::time::{Duration, Instant};

use super::judge::{Judge, Judged, Unjudged};
use super::lookups::Lookups;
use super::metrics::{Labels, Metrics};
use super::mode::{Mode, Webhook};
use super::options::Options;
use super::respond::{self, Outcome};
use super::review::Review;
use crate::engine::{Engine, Failure};
use crate::foreign::{cut, visible};
use crate::serving::Threads;
use crate::wit::types::LookupAnswer;

/// The largest text about a review in a record of the log, in bytes, with the names of the object. With its other fields, a
/// record has less than 1 kB.
const MAX_LOGGED: usize = 640;
/// The largest name in a record of the log, in bytes.
const MAX_NAME: usize = 128;

/// Answers reviews with composition modules.
#[derive(Clone)]
pub struct Adapter {
    judge: Judge,
    threads: Threads,
    metrics: Metrics,
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

impl Adapter {
    /// Judges with the modules of `engine` and the default options, without lookups.
    pub fn new(engine: Engine) -> Self {
        Self::with(Judge { engine, options: Options::default(), lookups: None }, Metrics::default())
    }

    pub(super) fn with(judge: Judge, metrics: Metrics) -> Self {
        Self { judge, threads: Threads::default(), metrics }
    }

    /// Answers a review. Lookups are answered from the caches only.
    pub fn answer(&self, call: ReviewCall, bytes: &[u8]) -> ReviewAnswer {
        let begun = Instant::now();
        let judged = self.judge(call, bytes);
        self.finish(call, judged, begun)
    }

    /// Answers a review. When lookups caused a refusal, the lookups are read again from the API server first: a cache
    /// may be a moment behind, and people often create an object just before the object that refers to it.
    pub(super) async fn review(&self, call: ReviewCall, bytes: Vec<u8>) -> ReviewAnswer {
        let begun = Instant::now();
        let adapter = self.clone();
        let judged = self.threads.run(move || adapter.judge(call, &bytes)).await;
        let Some(mut judged) = judged else { return panicked() };
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

    fn judge(&self, call: ReviewCall, bytes: &[u8]) -> Result<JudgedReview, String> {
        let review = Review::read(bytes)?;
        let judged = review.operation.clone().map(|operation| self.judge.judge(&review.kind, operation, call.deadline));
        Ok(JudgedReview { review, judged })
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
                tracing::warn!(webhook = webhook.as_str(), "malformed: {}", cut(&visible(&what), MAX_LOGGED));
                self.count(call, None, "malformed", begun.elapsed());
                return ReviewAnswer::Malformed(what);
            }
        };
        let (answer, outcome) = match judged {
            None => (ReviewAnswer::Review(respond::untouched(&review)), Outcome::Allowed),
            Some(Ok(Judged { verdict, .. })) => {
                let (bytes, outcome) = respond::judged(&review, webhook, mode, &verdict);
                (ReviewAnswer::Review(bytes), outcome)
            }
            Some(Err(Unjudged::Undecided(why))) => {
                let (bytes, outcome) = respond::undecided(&review, webhook, mode, why);
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
        // A sender must not be able to create new label values.
        let kind = review.map_or("", |review| {
            let served = self.judge.engine.catalog().any(|entry| entry.kind == review.kind);
            if served { &review.kind.kind } else { "other" }
        });
        let labels: Labels<5> = [
            ("kind", kind.to_owned()),
            ("operation", review.map_or_else(String::new, |review| review.verb.clone())),
            ("webhook", webhook.as_str().to_owned()),
            ("mode", mode.as_str().to_owned()),
            ("outcome", outcome.to_owned()),
        ];
        self.metrics.reviewed(labels, webhook.as_str(), took);
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
