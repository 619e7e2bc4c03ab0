//! The results of checks.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::error::{FieldError, Kind, WHOLE};
use crate::path::{NOWHERE, Place};

/// The most errors of an object. Further ones are not counted.
const MOST: usize = 100_000;

/// The errors of a check, and how much matched.
#[derive(Default)]
pub(super) struct Report {
    /// `None` while there is no error, as in most checks, so that a report is small.
    found: Option<Box<Found>>,
    pub(super) matches: u64,
}

/// Errors.
#[derive(Default)]
struct Found {
    failures: Vec<Failure>,
    /// The sentences of the errors. Each is reported only once.
    sentences: BTreeSet<String>,
}

impl Report {
    /// A check that found nothing wrong.
    pub(super) const MATCH: Self = Self { found: None, matches: 1 };

    pub(super) fn add(&mut self, failure: Failure) {
        let found = self.found.get_or_insert_default();
        if found.failures.len() >= WHOLE {
            self.count(failure.error.kind);
        } else if found.sentences.insert(failure.sentence.clone()) {
            found.failures.push(failure);
        }
    }

    /// Adds an error after [`WHOLE`] others.
    pub(super) fn count(&mut self, kind: Kind) {
        let found = self.found.get_or_insert_default();
        if found.failures.len() < MOST {
            found.failures.push(Failure { sentence: String::new(), error: FieldError::brief(kind) });
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.matches += other.matches;
        other.into_failures().for_each(|failure| self.add(failure));
    }

    pub(super) fn into_failures(self) -> impl Iterator<Item = Failure> {
        self.found.into_iter().flat_map(|found| found.failures)
    }

    /// Forgets the errors.
    pub(super) fn clear(&mut self) {
        self.found = None;
    }

    pub(super) fn is_valid(&self) -> bool {
        self.found.is_none()
    }
}

/// An error, and the sentence that identifies it.
pub(super) struct Failure {
    pub(super) sentence: String,
    pub(super) error: FieldError,
}

impl Failure {
    /// An error whose detail is the whole sentence.
    pub(super) fn new(at: &Place<'_>, kind: Kind, value: Option<Value>, sentence: String) -> Self {
        let name = at.dotted();
        let name = name.strip_prefix('.').unwrap_or(&name);
        let field = if name.is_empty() { NOWHERE.to_owned() } else { name.to_owned() };
        let detail = sentence.clone();
        Self { sentence, error: FieldError { path: at.segments(), field, kind, value, detail, hint: None } }
    }

    /// The error `NAME in body SAYS` for a value that is malformed or out of range.
    pub(super) fn says(at: &Place<'_>, value: Option<Value>, says: &str) -> Self {
        Self::new(at, Kind::Invalid, value.or_else(empty), format!("{} in body {says}", at.dotted()))
    }

    /// An error of `anyOf`, `oneOf`, `allOf` or `not`, which is reported for the whole object.
    pub(super) fn composite(at: &Place<'_>, sentence: String) -> Self {
        let mut failure = Self::new(at, Kind::Invalid, empty(), sentence);
        NOWHERE.clone_into(&mut failure.error.field);
        failure
    }
}

/// The value that the API server shows when an error has none.
fn empty() -> Option<Value> {
    Some(Value::String(String::new()))
}
