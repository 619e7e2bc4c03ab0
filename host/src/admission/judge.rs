//! Judges objects with a module, and answers the module's lookups.

use std::time::{Duration, Instant};

use super::lookups::{Answered, Lookups};
use super::options::Options;
use crate::engine::{Engine, Failure};
use crate::problem::line_with_help;
use crate::wit::admit::{Operation, Request, Verdict};
use crate::wit::types::{Fault, KindRef, Lookup, LookupAnswer};

/// Rounds of lookups. After them the last verdict counts, even when the module asks for other lookups.
const ROUNDS: usize = 5;

/// Why there is no verdict.
#[derive(Debug)]
pub(super) enum Unjudged {
    /// The module cannot judge the object; this is the reason.
    Undecided(String),
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
        let mut request = Request { operation, input, lookups: Vec::new() };
        let mut verdict = self.call(kind, &request, deadline)?;
        let without_lookups = verdict.denials.clone();
        let mut answered: Vec<Lookup> = Vec::new();
        for _ in 0..ROUNDS {
            let (asked, answers): (Vec<_>, Vec<_>) =
                verdict.lookups.iter().filter_map(|lookup| Some((lookup.clone(), answer(lookup)?))).unzip();
            if asked == answered {
                break;
            }
            (answered, request.lookups) = (asked, answers);
            verdict = self.call(kind, &request, deadline)?;
        }
        if self.lookups.is_none() {
            verdict.unjudged.clear(); // without lookups, nobody expects these judgements
        }
        let refused_by_lookups = verdict.denials.iter().any(|denial| !without_lookups.contains(denial));
        let answered = answered.into_iter().zip(request.lookups).map(|(lookup, answer)| Answered { lookup, answer });
        Ok(Judged { verdict, answered: answered.collect(), refused_by_lookups })
    }

    fn call(&self, kind: &KindRef, request: &Request, deadline: Instant) -> Result<Verdict, Unjudged> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return Err(Unjudged::Failed(Failure::Deadline(left)));
        }
        let answer = self.engine.admit_within(left, kind, request).map_err(Unjudged::Failed)?;
        answer.map_err(|fault| Unjudged::Undecided(spell(&fault)))
    }
}

fn spell(fault: &Fault) -> String {
    let problems: Vec<_> = fault.problems.iter().map(line_with_help).collect();
    problems.join("; ")
}
