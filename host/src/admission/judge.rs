//! Judges objects with a module, and answers the module's lookups.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::lookups::{Answered, Lookups};
use super::options::Options;
use crate::engine::{Engine, Failure};
use crate::wit::admit::{Operation, Request, Verdict};
use crate::wit::types::{Fault, FaultCause, KindRef, Lookup, LookupAnswer, Problem};

/// Rounds of lookups. After them the last verdict counts, even when the module asks for other lookups.
const ROUNDS: usize = 5;

/// Why there is no verdict.
#[derive(Debug)]
pub(super) enum Unjudged {
    /// The module cannot judge the object, and it is not the object's fault; these are the reasons.
    Undecided(Vec<Problem>),
    /// The call failed.
    Failed(Failure),
}

/// Judges objects.
#[derive(Clone)]
pub(super) struct Judge {
    pub(super) engine: Engine,
    pub(super) options: Options,
    /// `None` when objects are judged without lookups.
    pub(super) lookups: Option<Lookups>,
}

/// A verdict, and the lookups that it depends on.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// The lookups with an answer.
    pub(super) answered: Vec<Answered>,
    /// Whether the answers caused a denial.
    pub(super) refused_by_lookups: bool,
}

impl Judge {
    /// Judges until `deadline`. The caches answer lookups.
    pub(super) fn judge(&self, kind: &KindRef, operation: Operation, deadline: Instant) -> Result<Judged, Unjudged> {
        self.judge_by(kind, operation, deadline, |lookup| self.lookups.as_ref()?.answer(lookup))
    }

    /// Judges until `deadline`. `answer` answers lookups.
    pub(super) fn judge_by(
        &self,
        kind: &KindRef,
        operation: Operation,
        deadline: Instant,
        answer: impl Fn(&Lookup) -> Option<LookupAnswer>,
    ) -> Result<Judged, Unjudged> {
        let input = self.options.now().map(|options| options.to_string());
        let mut request = Request { operation: readable(operation), input, lookups: Vec::new() };
        let mut verdict = self.verdict(kind, &request, &[], deadline)?;
        let without_lookups = verdict.denials.clone();
        let mut answered: Vec<Lookup> = Vec::new();
        for _ in 0..ROUNDS {
            let (asked, answers): (Vec<_>, Vec<_>) =
                verdict.lookups.iter().filter_map(|lookup| Some((lookup.clone(), answer(lookup)?))).unzip();
            if asked == answered {
                break;
            }
            (answered, request.lookups) = (asked, answers);
            verdict = self.verdict(kind, &request, &answered, deadline)?;
        }
        if self.lookups.is_none() {
            verdict.unjudged.clear(); // without lookups, nobody expects these judgements
        }
        let refused_by_lookups = verdict.denials.iter().any(|denial| !without_lookups.contains(denial));
        let answered = answered.into_iter().zip(request.lookups).map(|(lookup, answer)| Answered { lookup, answer });
        Ok(Judged { verdict, answered: answered.collect(), refused_by_lookups })
    }

    /// The module's verdict, after these lookups. When the object is to blame that there is none, it is a refusal.
    fn verdict(
        &self,
        kind: &KindRef,
        request: &Request,
        answered: &[Lookup],
        deadline: Instant,
    ) -> Result<Verdict, Unjudged> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return Err(Unjudged::Failed(Failure::Deadline(left)));
        }
        match self.engine.admit_within(left, kind, request).map_err(Unjudged::Failed)? {
            Ok(verdict) => Ok(verdict),
            Err(fault) if is_of_the_object(&fault, request) => Ok(refusal(fault, answered)),
            Err(fault) => Err(Unjudged::Undecided(fault.problems)),
        }
    }
}

/// The operation to judge. What replaces an object that cannot be read is judged like a new object: nothing can be compared.
fn readable(operation: Operation) -> Operation {
    match operation {
        Operation::Update(update) if serde_json::from_str::<Value>(&update.old).is_err() => {
            Operation::Create(update.new)
        }
        operation => operation,
    }
}

/// Whether the reason for a fault is the object that is about to be stored. Such an object is refused: nobody gets past the
/// rules with an object that cannot be read. The platform's options and other objects are not its author's. What is stored
/// already can always be deleted.
fn is_of_the_object(fault: &Fault, request: &Request) -> bool {
    let is_stored_anew = !matches!(request.operation, Operation::Delete(_));
    is_stored_anew
        && match fault.cause {
            FaultCause::Composite | FaultCause::Budget => true,
            // A text that does not parse may be one that was looked up.
            FaultCause::Request => request.lookups.is_empty(),
            _ => false,
        }
}

/// The refusal for a fault. It depends on these lookups.
fn refusal(fault: Fault, lookups: &[Lookup]) -> Verdict {
    Verdict {
        denials: fault.problems,
        warnings: Vec::new(),
        unjudged: Vec::new(),
        defaults: Vec::new(),
        lookups: lookups.to_vec(),
    }
}
