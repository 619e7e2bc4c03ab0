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

/// A judgement under way.
#[derive(Debug)]
pub(super) struct Judging {
    request: Request,
    verdict: Verdict,
    /// The denials before anything was looked up.
    without_lookups: Vec<Problem>,
    /// The lookups whose answers are in the request.
    answered: Vec<Lookup>,
    /// What the module asked for last.
    asked: Vec<Lookup>,
    /// How often it was given answers.
    rounds: usize,
    /// Whether the module has not seen the last answers yet.
    unseen: bool,
}

impl Judging {
    /// Answers what the module has asked for. `false` when it has all of it, and when it has asked too often.
    pub(super) fn look_up(&mut self, answer: impl Fn(&Lookup) -> Option<LookupAnswer>) -> bool {
        if self.rounds == ROUNDS || self.verdict.lookups == self.asked {
            return false; // answers may be megabytes
        }
        self.asked.clone_from(&self.verdict.lookups);
        let (asked, answers): (Vec<_>, Vec<_>) =
            self.asked.iter().filter_map(|lookup| Some((lookup.clone(), answer(lookup)?))).unzip();
        if asked == self.answered {
            return false;
        }
        (self.answered, self.request.lookups) = (asked, answers);
        self.rounds += 1;
        self.unseen = true;
        true
    }

    /// The size of the answers, in bytes.
    pub(super) fn looked_up(&self) -> usize {
        let objects = self.request.lookups.iter().flat_map(|answer| &answer.objects);
        objects.map(|object| object.object.len()).sum()
    }

    fn end(self, expects_lookups: bool) -> Judged {
        let Self { mut verdict, without_lookups, answered, request, .. } = self;
        if !expects_lookups {
            verdict.unjudged.clear(); // without lookups, nobody expects these judgements
        }
        let refused_by_lookups = verdict.denials.iter().any(|denial| !without_lookups.contains(denial));
        let answered = answered.into_iter().zip(request.lookups).map(|(lookup, answer)| Answered { lookup, answer });
        Judged { verdict, answered: answered.collect(), refused_by_lookups }
    }
}

impl Judge {
    /// Judges until `deadline`. `answer` answers lookups.
    pub(super) fn judge_by(
        &self,
        kind: &KindRef,
        operation: Operation,
        deadline: Instant,
        answer: impl Fn(&Lookup) -> Option<LookupAnswer>,
    ) -> Result<Judged, Unjudged> {
        self.go_on(kind, self.begin(kind, operation, deadline)?, deadline, answer)
    }

    /// Begins: the first verdict, by the object alone.
    pub(super) fn begin(&self, kind: &KindRef, operation: Operation, deadline: Instant) -> Result<Judging, Unjudged> {
        let input = self.options.now().map(|options| options.to_string());
        let request = Request { operation: readable(operation), input, lookups: Vec::new() };
        let verdict = self.verdict(kind, &request, &[], deadline)?;
        let without_lookups = verdict.denials.clone();
        Ok(Judging {
            request,
            verdict,
            without_lookups,
            answered: Vec::new(),
            asked: Vec::new(),
            rounds: 0,
            unseen: false,
        })
    }

    /// Goes on until the module has all that it looks up.
    pub(super) fn go_on(
        &self,
        kind: &KindRef,
        mut judging: Judging,
        deadline: Instant,
        answer: impl Fn(&Lookup) -> Option<LookupAnswer>,
    ) -> Result<Judged, Unjudged> {
        while judging.unseen || judging.look_up(&answer) {
            judging.verdict = self.verdict(kind, &judging.request, &judging.answered, deadline)?;
            judging.unseen = false;
        }
        Ok(judging.end(self.lookups.is_some()))
    }

    /// The answer by the caches.
    pub(super) fn cached(&self, lookup: &Lookup) -> Option<LookupAnswer> {
        self.lookups.as_ref()?.answer(lookup)
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
