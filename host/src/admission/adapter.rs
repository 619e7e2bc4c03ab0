//! The adapter itself: the bytes of a review in, the bytes of its answer out.

use std::time::{Duration, Instant};

use super::judge::{Judge, Judged, Unjudged};
use super::lookups::Lookups;
use super::metrics::{Labels, Metrics};
use super::mode::{Door, Mode};
use super::options::Options;
use super::respond::{self, Outcome};
use super::review::Review;
use crate::engine::{Engine, Failure};
use crate::serving::Threads;
use crate::wit::types::LookupAnswer;

/// Answers reviews with composition modules.
#[derive(Clone)]
pub struct Adapter {
    judge: Judge,
    threads: Threads,
    metrics: Metrics,
}

/// What is sent back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An AdmissionReview with a response.
    Review(Vec<u8>),
    /// It was no review, for the reason given.
    Malformed(String),
    /// No answer came of it, for the reason given. The webhook's failure policy decides.
    Failed(String),
}

/// What a review asks for, and until when.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// What is done.
    pub door: Door,
    /// What follows from the verdict.
    pub mode: Mode,
    /// When the answer has to be there.
    pub deadline: Instant,
}

/// A review on its way.
struct Step {
    review: Review,
    /// Nothing when the operation is none of a module's business.
    judged: Option<Result<Judged, Unjudged>>,
}

impl Adapter {
    /// Judges every object by itself, with the modules of `engine` and the options' defaults.
    pub fn new(engine: Engine) -> Self {
        Self::with(Judge { engine, options: Options::default(), lookups: None }, Metrics::default())
    }

    pub(super) fn with(judge: Judge, metrics: Metrics) -> Self {
        Self { judge, threads: Threads::default(), metrics }
    }

    /// Answers a review, by what is known already.
    pub fn answer(&self, call: Call, bytes: &[u8]) -> Answer {
        let begun = Instant::now();
        let step = self.begin(call, bytes);
        self.end(call, step, begun)
    }

    /// Answers a review. A refusal that rests on what was looked up is made sure of first: a cache may be a moment
    /// behind, and what an object refers to is often made just before it.
    pub(super) async fn review(&self, call: Call, bytes: Vec<u8>) -> Answer {
        let begun = Instant::now();
        let adapter = self.clone();
        let step = self.threads.run(move || adapter.begin(call, &bytes)).await;
        let Some(step) = step else { return panicked() };
        let known = match self.doubts(call, &step) {
            Some((lookups, judged)) => {
                let left = call.deadline.saturating_duration_since(Instant::now());
                Some(tokio::time::timeout(left / 2, lookups.read(&judged.answered)).await.unwrap_or_default())
            }
            None => None,
        };
        let adapter = self.clone();
        let end = move || {
            let step = step.map(|step| match known {
                Some(answers) => adapter.again(call, step, &answers),
                None => step,
            });
            adapter.end(call, step, begun)
        };
        self.threads.run(end).await.unwrap_or_else(panicked)
    }

    fn begin(&self, call: Call, bytes: &[u8]) -> Result<Step, String> {
        let review = Review::read(bytes)?;
        let judged = review.operation.clone().map(|operation| self.judge.judge(&review.kind, operation, call.deadline));
        Ok(Step { review, judged })
    }

    /// The verdict that should be made sure of, and where.
    fn doubts<'a>(&'a self, call: Call, step: &'a Result<Step, String>) -> Option<(&'a Lookups, &'a Judged)> {
        let lookups = self.judge.lookups.as_ref()?;
        match step {
            Ok(Step { judged: Some(Ok(judged)), .. }) if call.door == Door::Validate => {
                judged.refused_by_lookups.then_some((lookups, judged))
            }
            _ => None,
        }
    }

    /// Judges once more, by `answers` alone.
    fn again(&self, call: Call, mut step: Step, answers: &[LookupAnswer]) -> Step {
        step.judged = step.review.operation.clone().map(|operation| {
            let answer = |name: &str| answers.iter().find(|answer| answer.name == name).cloned();
            self.judge.judge_by(&step.review.kind, operation, call.deadline, |lookup| answer(&lookup.name))
        });
        step
    }

    fn end(&self, call: Call, step: Result<Step, String>, begun: Instant) -> Answer {
        let Call { door, mode, .. } = call;
        let Step { review, judged } = match step {
            Ok(step) => step,
            Err(what) => {
                tracing::warn!(door = door.as_str(), "malformed: {what}");
                self.count(call, None, "malformed", begun.elapsed());
                return Answer::Malformed(what);
            }
        };
        let (answer, outcome) = match judged {
            None => (Answer::Review(respond::untouched(&review)), Outcome::Allowed),
            Some(Ok(Judged { verdict, .. })) => {
                let (bytes, outcome) = respond::judged(&review, door, mode, &verdict);
                (Answer::Review(bytes), outcome)
            }
            Some(Err(Unjudged::Undecided(why))) => {
                let (bytes, outcome) = respond::undecided(&review, door, mode, why);
                (Answer::Review(bytes), outcome)
            }
            Some(Err(Unjudged::Failed(failure))) => {
                let why = spell(&failure);
                (Answer::Failed(why.clone()), Outcome::Failed(why))
            }
        };
        let took = begun.elapsed();
        tell(call, &review, &outcome, took);
        self.count(call, Some(&review), outcome.as_str(), took);
        answer
    }

    fn count(&self, Call { door, mode, .. }: Call, review: Option<&Review>, outcome: &str, took: Duration) {
        // Whoever sends reviews must not be able to make up labels.
        let kind = review.map_or("", |review| {
            let served = self.judge.engine.catalog().any(|entry| entry.kind == review.kind);
            if served { &review.kind.kind } else { "other" }
        });
        let labels: Labels<5> = [
            ("kind", kind.to_owned()),
            ("operation", review.map_or_else(String::new, |review| review.verb.clone())),
            ("door", door.as_str().to_owned()),
            ("mode", mode.as_str().to_owned()),
            ("outcome", outcome.to_owned()),
        ];
        self.metrics.reviewed(labels, door.as_str(), took);
    }
}

/// What the log says: who and why, never what is in the object.
fn tell(Call { door, mode, .. }: Call, review: &Review, outcome: &Outcome, took: Duration) {
    let Review { uid, kind, namespace, name, verb, .. } = review;
    let (door, mode, kind, outcome_name) = (door.as_str(), mode.as_str(), &kind.kind, outcome.as_str());
    match outcome {
        Outcome::Allowed => {
            tracing::debug!(door, mode, uid, kind, namespace, name, operation = verb, ?took, "{outcome_name}");
        }
        Outcome::Denied(why) | Outcome::Tolerated(why) => {
            tracing::info!(door, mode, uid, kind, namespace, name, operation = verb, ?took, "{outcome_name}: {why}");
        }
        Outcome::Undecided(why) | Outcome::Failed(why) => {
            tracing::warn!(door, mode, uid, kind, namespace, name, operation = verb, ?took, "{outcome_name}: {why}");
        }
    }
}

fn spell(failure: &Failure) -> String {
    match failure {
        Failure::Deadline(_) => "the module did not answer within the time that a review may take".to_owned(),
        failure => failure.to_string(),
    }
}

fn panicked() -> Answer {
    Answer::Failed("the adapter panicked; its log says where".to_owned())
}
