//! One thing a schema finds wrong.

use serde_json::Value;

use crate::error::{FieldError, Kind};
use crate::path::{NOWHERE, Place};

/// An error and the sentence it is recognised by.
pub(crate) struct Failure {
    pub(crate) text: String,
    pub(crate) error: FieldError,
}

impl Failure {
    /// An error whose detail is the whole sentence.
    pub(crate) fn new(at: &Place<'_>, kind: Kind, value: Option<Value>, text: String) -> Self {
        let name = at.dotted();
        let name = name.strip_prefix('.').unwrap_or(&name);
        let field = if name.is_empty() { NOWHERE.to_owned() } else { name.to_owned() };
        let detail = text.clone();
        Self { text, error: FieldError { path: at.segments(), field, kind, value, detail, hint: None } }
    }

    /// `NAME in body SAYS`, of a value that is malformed or out of bounds.
    pub(crate) fn says(at: &Place<'_>, value: Option<Value>, says: &str) -> Self {
        Self::new(at, Kind::Invalid, value.or_else(empty), format!("{} in body {says}", at.dotted()))
    }

    /// What several schemas together find is said of the whole object.
    pub(crate) fn composite(at: &Place<'_>, text: String) -> Self {
        let mut failure = Self::new(at, Kind::Invalid, empty(), text);
        NOWHERE.clone_into(&mut failure.error.field);
        failure
    }
}

/// What the API server shows when an error has no value.
fn empty() -> Option<Value> {
    Some(Value::String(String::new()))
}
