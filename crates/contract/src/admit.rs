//! What an admission verdict is asked and what it answers (`wit/admit.wit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::types::{ObservedObject, Problem, Selector};

/// Everything a verdict may depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct AdmitRequest {
    /// What is about to happen.
    pub operation: Operation,
    /// The platform's options.
    pub input: Option<Value>,
    /// LookupAnswers to lookups; one that was asked and has no answer is unknowable.
    pub lookups: LookupAnswers,
}

/// What lookups found, by name.
pub type LookupAnswers = BTreeMap<String, Vec<ObservedObject>>;

/// What is about to happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A new object.
    Create(Value),
    /// A stored object changes.
    Update {
        /// The object as stored.
        old: Value,
        /// The object as it would be stored.
        new: Value,
    },
    /// A stored object goes away.
    Delete(Value),
}

impl Operation {
    /// The object the operation is about, as it would be afterwards where there is an afterwards.
    pub fn object(&self) -> &Value {
        match self {
            Self::Create(object) | Self::Delete(object) | Self::Update { new: object, .. } => object,
        }
    }
}

/// What is thought of an operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Why it is refused; allowed when empty.
    pub denials: Vec<Problem>,
    /// What may still work but should be looked at.
    pub warnings: Vec<String>,
    /// What could not be judged, because the answer to a lookup is missing.
    pub unjudged: Vec<String>,
    /// Values to write for the person to see.
    pub defaults: Vec<DefaultValue>,
    /// What the verdict needs to know, in full on every call.
    pub lookups: BTreeMap<String, Selector>,
}

/// A value that is written into the object for the person to see.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultValue {
    /// Where (RFC 6901).
    pub pointer: String,
    /// What.
    pub value: Value,
    /// The rule that gave it.
    pub because: String,
}
