//! Makes fatal results of calls without an answer. Crossplane then changes nothing, so running workloads are safe.

use std::fmt;

use super::encode;
use super::messages::{Condition, FunctionResult, Severity, Target};
use super::subject::Subject;
use crate::engine::Failure;
use crate::foreign::{cut, visible};
use crate::problem::places;
use crate::wit::types::{Fault, FaultCause, Problem};

/// The largest number of problems in a message. An event's message may have one kilobyte.
const LISTED: usize = 10;

/// The largest message, in bytes. A condition of Crossplane has space for it.
const MAX_MESSAGE: usize = 16 << 10;
/// The largest text about one problem, in bytes.
const MAX_PROBLEM: usize = 2 << 10;
/// The largest text in a record of the log, in bytes. With its other fields, a record has less than 1 kB.
const MAX_LOGGED: usize = 384;
/// The largest name in a message, in bytes. Kubernetes has no longer one.
const MAX_NAME: usize = 253;

/// Why a call has no answer.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The reason for programs.
    pub(super) reason: &'static str,
    /// The message for the author of the object: one line.
    pub(super) message: String,
    /// What the log says: it has no values of the request.
    pub(super) logged: String,
    /// Conditions to set in spite of the refusal.
    pub(super) conditions: Vec<Condition>,
}

impl Refusal {
    fn new(reason: &'static str, message: impl fmt::Display, logged: &str) -> Self {
        let message = message.to_string().replace(['\n', '\r'], " ");
        Self {
            reason,
            message: cut(&visible(&message), MAX_MESSAGE).into_owned(),
            logged: cut(&visible(logged), MAX_LOGGED).into_owned(),
            conditions: Vec::new(),
        }
    }

    /// The request cannot be decoded at `place`.
    pub(super) fn request(place: &str, message: &str) -> Self {
        Self::new("InvalidRequest", format_args!("{place}: {message}"), place)
    }

    /// The module answered with a fault.
    pub(super) fn fault(fault: Fault) -> Self {
        let reason = match fault.cause {
            FaultCause::Request => "InvalidRequest",
            FaultCause::UnknownKind => "UnknownKind",
            FaultCause::Composite => "InvalidComposite",
            FaultCause::Input => "InvalidInput",
            FaultCause::State => "InvalidState",
            FaultCause::Budget => "BudgetExceeded",
        };
        let conditions = fault.conditions.into_iter().filter_map(|condition| encode::condition(condition).ok());
        let message = spell(fault.cause, &fault.problems);
        Self { conditions: conditions.collect(), ..Self::new(reason, message, &places(&fault.problems)) }
    }

    /// The call failed.
    pub(super) fn failure(subject: &Subject, failure: &Failure) -> Self {
        Self::new("ModuleFailed", format_args!("{subject}: {failure}"), &failure.to_string())
    }

    /// The module's response breaks the contract.
    pub(super) fn broken_contract(subject: &Subject, what: &str) -> Self {
        let message = format_args!("{subject}: the module's response is unusable: {what}");
        Self::new("InvalidResponse", message, "the module's response is unusable")
    }

    /// The response is larger than Crossplane accepts. `largest` has the names and sizes of its largest resources.
    pub(super) fn too_large(size: usize, limit: usize, largest: &[(&str, usize)]) -> Self {
        let largest: Vec<_> = largest.iter().map(|(name, size)| format!("`{}` {size}", cut(name, MAX_NAME))).collect();
        Self::new(
            "ResponseTooLarge",
            format_args!(
                "the response has {size} bytes, more than the {limit} that Crossplane accepts; its largest resources: {}",
                largest.join(", ")
            ),
            &format!("the response has {size} bytes"),
        )
    }

    /// The result that stops the pipeline.
    pub(super) fn result(&self) -> FunctionResult {
        FunctionResult {
            severity: Severity::Fatal.into(),
            message: self.message.clone(),
            reason: Some(self.reason.to_owned()),
            target: Some(Target::Composite.into()),
        }
    }
}

/// All problems in one line, each with its path.
fn spell(cause: FaultCause, problems: &[Problem]) -> String {
    let root = if cause == FaultCause::Input { "input" } else { "" };
    let mut lines: Vec<_> =
        problems.iter().take(LISTED).map(|problem| cut(&line(root, problem), MAX_PROBLEM).into_owned()).collect();
    match problems.len() {
        0 => lines.push("the module gave no reason".to_owned()),
        count if count > LISTED => lines.push(format!("and {} more", count - LISTED)),
        _ => {}
    }
    lines.join("; ")
}

fn line(root: &str, Problem { path, message, hint, .. }: &Problem) -> String {
    let message = hint.as_ref().map_or_else(|| message.clone(), |hint| format!("{message}; {hint}"));
    match (root, path.as_str()) {
        ("", "") => message,
        ("", path) | (path, "") => format!("{path}: {message}"),
        (root, path) if path.starts_with('[') => format!("{root}{path}: {message}"),
        (root, path) => format!("{root}.{path}: {message}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wit::types::ProblemCode;

    fn check(cause: FaultCause, problems: &[(&str, &str)], expected: &str) {
        let problem = |(path, message): &(&str, &str)| Problem {
            path: (*path).to_owned(),
            code: ProblemCode::Invalid,
            message: (*message).to_owned(),
            fix: None,
            hint: None,
        };
        let fault = Fault { cause, problems: problems.iter().map(problem).collect(), conditions: Vec::new() };
        assert_eq!(Refusal::fault(fault).message, expected);
    }

    #[test]
    fn messages() {
        check(FaultCause::Composite, &[("spec.gpu", "must be at least 1")], "spec.gpu: must be at least 1");
        check(FaultCause::Composite, &[("a", "x"), ("b", "y")], "a: x; b: y");
        check(FaultCause::Request, &[("", "no composite")], "no composite");
        check(FaultCause::Input, &[("", "not an object")], "input: not an object");
        check(FaultCause::Input, &[("hosts[0]", "empty")], "input.hosts[0]: empty");
        check(FaultCause::State, &[("a", "two\nlines")], "a: two lines");
        check(FaultCause::Budget, &[], "the module gave no reason");
        let many = vec![("a", "x"); LISTED + 2];
        check(FaultCause::Composite, &many, &format!("{}and 2 more", "a: x; ".repeat(LISTED)));
    }
}
