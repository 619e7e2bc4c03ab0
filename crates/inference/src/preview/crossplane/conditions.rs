//! Status conditions, as Crossplane's runtime keeps them.

use serde_json::{Value, json};

use crate::compose::{self, ConditionStatus};
use crate::preview::fields;

/// The time that stands in every condition: what a preview says does not depend on when it is asked.
/// It is the time that `crossplane render` prints.
pub(super) const TIME: &str = "2024-01-01T00:00:00Z";

/// Conditions that only Crossplane sets.
const SYSTEM: &[&str] = &["Ready", "Synced", "Healthy", "UpToDate", "Responsive"];

/// A condition, without its time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    kind: String,
    status: String,
    reason: String,
    message: String,
    observed_generation: i64,
}

impl Condition {
    /// A condition that is true, or false, for a reason.
    pub(super) fn new(kind: &str, holds: bool, reason: &str) -> Self {
        let status = if holds { ConditionStatus::True } else { ConditionStatus::False };
        Self {
            kind: kind.to_owned(),
            status: status.as_str().to_owned(),
            reason: reason.to_owned(),
            message: String::new(),
            observed_generation: 0,
        }
    }

    /// The same condition with a message.
    pub(super) fn saying(self, message: impl Into<String>) -> Self {
        Self { message: message.into(), ..self }
    }

    /// The same condition, observed at a generation of its object.
    pub(super) fn at(self, observed_generation: i64) -> Self {
        Self { observed_generation, ..self }
    }

    fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| match value.get(key) {
            None | Some(Value::Null) => Some(String::new()),
            Some(value) => value.as_str().map(str::to_owned),
        };
        value.is_object().then_some(())?;
        Some(Self {
            kind: text("type")?,
            status: text("status")?,
            reason: text("reason")?,
            message: text("message")?,
            observed_generation: match value.get("observedGeneration") {
                None | Some(Value::Null) => 0,
                Some(value) => value.as_i64()?,
            },
        })
    }

    fn spell(&self) -> Value {
        let mut value = json!({
            "type": self.kind,
            "status": self.status,
            "reason": self.reason,
            "lastTransitionTime": TIME,
        });
        if !self.message.is_empty() {
            fields::set(&mut value, &["message"], Value::from(self.message.as_str()));
        }
        if self.observed_generation != 0 {
            fields::set(&mut value, &["observedGeneration"], Value::from(self.observed_generation));
        }
        value
    }

    /// Whether it says nothing that `other` does not; an unknown generation is any.
    fn says(&self, other: &Self) -> bool {
        let known = self.observed_generation != 0 && other.observed_generation != 0;
        *self
            == Self {
                observed_generation: if known { other.observed_generation } else { self.observed_generation },
                ..other.clone()
            }
    }
}

/// The conditions of an object, in the order in which they came to be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conditions(Vec<Condition>);

impl Conditions {
    /// What an object's status says; nothing when it cannot be read.
    pub(super) fn of(object: &Value) -> Self {
        let items = fields::get(object, &["status", "conditions"]).and_then(Value::as_array);
        Self(items.and_then(|items| items.iter().map(Condition::read).collect()).unwrap_or_default())
    }

    /// Sets one. It keeps its place, and stays as it is when it already says the same.
    pub(super) fn set(&mut self, new: Condition) {
        let mut known = false;
        for condition in self.0.iter_mut().filter(|condition| condition.kind == new.kind) {
            known = true;
            if !condition.says(&new) {
                *condition = new.clone();
            }
        }
        if !known {
            self.0.push(new);
        }
    }

    /// Sets what a module said, except for what only Crossplane may say.
    pub(super) fn set_said(&mut self, said: &compose::Condition) {
        if !SYSTEM.contains(&said.condition_type.as_str()) {
            self.set(Condition {
                kind: said.condition_type.clone(),
                status: said.status.as_str().to_owned(),
                reason: said.reason.clone(),
                message: said.message.clone().unwrap_or_default(),
                observed_generation: 0,
            });
        }
    }

    /// As they stand in a status.
    pub(super) fn spell(&self) -> Value {
        self.0.iter().map(Condition::spell).collect()
    }
}
