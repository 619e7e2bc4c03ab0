//! Compares an answer of the API server with ours.

use std::collections::BTreeMap;
use std::fmt;

use cel::{Selector, Stage, device};
use schema::{FieldError, Kind};
use serde_json::Value;

use crate::objects::{List, Object};

/// What is wrong with a selector: reason and message, as in a `StatusCause`.
type Cause = (String, String);

/// The number of selectors by their verdict.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    objects: usize,
    accepted_objects: usize,
    selectors: usize,
    /// The number of refused selectors, by the sort of mistake.
    refused: BTreeMap<&'static str, usize>,
    samples: Vec<String>,
}

impl Tally {
    /// Compares what both sides report for each selector of an object, and whether the object is created.
    pub(crate) fn add(&mut self, object: &Object, status: u16, answer: &Value) {
        let mut theirs = theirs(answer);
        let mut sound = true;
        for (field, text) in object.lists.iter().flat_map(List::fields) {
            let ours = judge(text);
            sound &= ours.is_none();
            self.selectors += 1;
            if let Some((wrong, _)) = &ours {
                *self.refused.entry(wrong).or_default() += 1;
            }
            let (theirs, ours) = (theirs.remove(&field), ours.map(|(_, cause)| cause));
            if !agree(theirs.as_ref(), ours.as_ref()) {
                self.samples.push(format!("{text:?}\n    the API server: {theirs:?}\n    sailplane: {ours:?}"));
            }
        }
        self.objects += 1;
        self.accepted_objects += usize::from(status == 201);
        // Only selectors can be wrong in these objects.
        if status != if sound { 201 } else { 422 } || !theirs.is_empty() {
            self.samples.push(format!("{}: {status} {theirs:?} {}", object.path(), answer["message"]));
        }
    }

    pub(crate) fn disagreements(&self) -> usize {
        self.samples.len()
    }

    /// Some of the cases where the two sides disagree.
    pub(crate) fn samples(&self) -> impl Iterator<Item = &String> {
        const SHOWN: usize = 25;
        let step = self.samples.len().div_ceil(SHOWN).max(1);
        self.samples.iter().step_by(step)
    }

    /// The numbers that were added since `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let earlier = |wrong: &str| before.refused.get(wrong).copied().unwrap_or_default();
        Self {
            objects: self.objects - before.objects,
            accepted_objects: self.accepted_objects - before.accepted_objects,
            selectors: self.selectors - before.selectors,
            refused: self.refused.iter().map(|(wrong, count)| (*wrong, count - earlier(wrong))).collect(),
            samples: self.samples[before.samples.len()..].to_vec(),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { objects, accepted_objects, selectors, refused, samples } = self;
        let accepted = selectors - refused.values().sum::<usize>();
        write!(f, "{selectors} selectors, {accepted} of them accepted")?;
        for (wrong, count) in refused {
            write!(f, ", {count} {wrong}")?;
        }
        write!(f, "; {objects} objects, {accepted_objects} of them accepted; {} disagreements", samples.len())
    }
}

fn theirs(answer: &Value) -> BTreeMap<String, Cause> {
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    let causes = answer["details"]["causes"].as_array().into_iter().flatten();
    causes.map(|cause| (text(cause, "field"), (text(cause, "reason"), text(cause, "message")))).collect()
}

/// Whether both sides say the same. For syntax errors only the first one is compared: after it, the upstream parser
/// guesses what was meant, goes on, and reports errors that follow from its guesses.
fn agree(theirs: Option<&Cause>, ours: Option<&Cause>) -> bool {
    let (Some((reason, theirs)), Some((our_reason, ours))) = (theirs, ours) else { return theirs == ours };
    // For an empty text it prints no column, and it prints the types `list` and `map` with their parameters.
    let theirs = theirs
        .replace("<input>:1:0: Syntax", "<input>:1:1: Syntax")
        .replace("type(list(A))", "type(list(dyn))")
        .replace("type(map(A, B))", "type(map(dyn, dyn))");
    reason == our_reason
        && (theirs == *ours
            || first_of_syntax(&theirs).is_some_and(|first| {
                Some(first) == first_of_syntax(ours) || mistakes(&theirs).next() == mistakes(ours).next()
            }))
}

fn first_of_syntax(message: &str) -> Option<&str> {
    mistakes(message).find(|mistake| mistake.contains(": Syntax error: "))
}

/// Each mistake with its position, without the excerpt of the source.
fn mistakes(message: &str) -> impl Iterator<Item = &str> {
    let begin = message.rfind("compilation failed: ").unwrap_or(message.len());
    message[begin..].split("ERROR: <input>:").skip(1).filter_map(|mistake| mistake.split("\n | ").next())
}

/// The mistake that Sailplane reports for a selector: its sort, and the cause as `validateCELSelector` in
/// `k8s.io/kubernetes/pkg/apis/resource/validation` words it.
fn judge(text: &str) -> Option<(&'static str, Cause)> {
    let (wrong, kind, detail) = if text.len() > device::MOST_BYTES {
        ("too long", Kind::TooLong, format!("may not be more than {} bytes", device::MOST_BYTES))
    } else {
        match Selector::compile(text) {
            Ok(selector) if selector.worst_cost() <= device::BUDGET => return None,
            Ok(_) => ("too costly", Kind::Forbidden, "too complex, exceeds cost limit".to_owned()),
            Err(error) => match error.problems.first()?.stage {
                Stage::Syntax => ("malformed", Kind::Invalid, format!("compilation failed: {error}")),
                Stage::Check => ("ill-typed", Kind::Invalid, format!("compilation failed: {error}")),
                Stage::Result => ("not boolean", Kind::Invalid, error.to_string()),
                Stage::Plan => ("unplannable", Kind::Internal, format!("program instantiation failed: {error}")),
            },
        }
    };
    let field = String::new(); // It is not part of the message.
    let error = FieldError { path: Vec::new(), field, kind, value: Some(text.into()), detail, hint: None };
    Some((wrong, (kind.reason().to_owned(), error.message())))
}
