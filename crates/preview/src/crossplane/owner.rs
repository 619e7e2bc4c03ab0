//! The composite as the owner of composed resources.

use std::collections::BTreeMap;

use contract::preview::StepResult;
use contract::types::{KindRef, Outcome, Severity};
use serde_json::Value;

use super::names;
use crate::fields::{get, text};

/// The label with the prefix for names of composed resources. By default it is the name of the composite.
pub(super) const PREFIX: &str = "crossplane.io/composite";

/// Labels with the claim of a composite.
const CLAIM: [&str; 2] = ["crossplane.io/claim-name", "crossplane.io/claim-namespace"];

/// What composed resources contain about their composite.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) kind: KindRef,
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) uid: String,
    /// The prefix for names of its resources.
    pub(super) prefix: String,
    pub(super) claim: BTreeMap<&'static str, String>,
}

impl Owner {
    /// The owner for the composite `object`. If it has no uid, a uid is derived.
    pub(crate) fn of(object: &Value) -> Self {
        let kind = KindRef::of(object);
        let [name, namespace, uid, prefix] = [&["name"][..], &["namespace"], &["uid"], &["labels", PREFIX]]
            .map(|path| text(object, &[&["metadata"], path].concat()).to_owned());
        let uid = if uid.is_empty() { names::uid(&kind, &namespace, &name) } else { uid };
        let prefix = if prefix.is_empty() { name.clone() } else { prefix };
        let claim = CLAIM.map(|label| (label, text(object, &["metadata", "labels", label]).to_owned()));
        let claim = if claim.iter().all(|(_, value)| !value.is_empty()) { claim.into() } else { BTreeMap::new() };
        Self { kind, name, namespace, uid, prefix, claim }
    }

    /// Whether it controls `object`. `None` when nothing controls it.
    pub(crate) fn controls(&self, object: &Value) -> Option<bool> {
        controller(object).map(|reference| text(reference, &["uid"]) == self.uid)
    }
}

/// A result of Crossplane itself.
pub(super) fn own_result(severity: Severity, reason: &str, message: String) -> StepResult {
    let outcome = Outcome { severity, message, reason: Some(reason.to_owned()), target: None };
    StepResult { step: String::new(), outcome }
}

/// The owner reference of `object` to its controller.
pub(super) fn controller(object: &Value) -> Option<&Value> {
    let references = get(object, &["metadata", "ownerReferences"])?.as_array()?;
    references.iter().find(|reference| reference.get("controller") == Some(&Value::Bool(true)))
}

/// The uid of the controller of an object.
pub(crate) fn controller_uid(object: &Value) -> Option<&str> {
    controller(object).map(|reference| text(reference, &["uid"]))
}
