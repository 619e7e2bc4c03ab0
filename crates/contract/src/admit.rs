//! Request and answer of interface `admit` (`wit/admit.wit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::types::{ObservedObject, Problem, Selector};

/// Everything a verdict may depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct AdmitRequest {
    /// What is about to happen.
    pub operation: Operation,
    /// The platform's options, as a step input has them. `None` means the defaults.
    pub input: Option<Value>,
    /// Answers to the lookups of earlier calls. A rule whose answer is missing is not judged.
    pub lookups: LookupAnswers,
}

/// The objects that lookups found, by the name of the lookup.
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
    /// A stored object is deleted.
    Delete(Deletion),
}

impl Operation {
    /// The object that the operation is about. For an update it is the new object.
    pub fn object(&self) -> &Value {
        match self {
            Self::Create(object) | Self::Update { new: object, .. } => object,
            Self::Delete(deletion) => &deletion.object,
        }
    }
}

/// The end of a stored object.
#[derive(Clone, Debug, PartialEq)]
pub struct Deletion {
    /// The object as stored.
    pub object: Value,
    /// What becomes of the objects that it owns. `None` when the deletion leaves that to Kubernetes, which takes
    /// [`PropagationPolicy::Background`] for custom resources.
    pub propagation: Option<PropagationPolicy>,
}

impl From<Value> for Deletion {
    /// A deletion that says nothing of what the object owns.
    fn from(object: Value) -> Self {
        Self { object, propagation: None }
    }
}

/// What becomes of what a deleted object owns: `propagationPolicy` of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropagationPolicy {
    /// It goes after the object.
    Background,
    /// It goes first, where it blocks the deletion of its owner.
    Foreground,
    /// It stays.
    Orphan,
}

/// The decision about an operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Why the operation is refused. Empty means that it is allowed.
    pub denials: Vec<Problem>,
    /// What may work, but should be looked at, with the field that it is about.
    pub warnings: Vec<Problem>,
    /// What could not be judged, because the answer to a lookup is missing: one line each.
    pub unjudged: Vec<String>,
    /// Defaults to write into the object.
    pub defaults: Vec<DefaultValue>,
    /// Everything that the module needs to look up, by name. Each call declares all of it again.
    pub lookups: BTreeMap<String, Selector>,
}

/// A default that is written into the object, so that people see it.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultValue {
    /// Where it is written: a JSON pointer (RFC 6901).
    pub pointer: String,
    /// The value.
    pub value: Value,
    /// The rule that gives it, in words.
    pub because: String,
}
