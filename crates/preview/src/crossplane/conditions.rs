//! Status conditions, as crossplane-runtime handles them.

use serde_json::{Value, json};

use contract::types::{self, ConditionStatus};

use crate::fields;

/// The time in every condition. It is constant, so that a preview does not depend on the time. `crossplane render` prints
/// the same time.
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
    /// A condition with status `True` or `False`, and a reason.
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
    pub(super) fn with_message(self, message: impl Into<String>) -> Self {
        Self { message: message.into(), ..self }
    }

    /// The same condition with an observed generation.
    pub(super) fn at(self, observed_generation: i64) -> Self {
        Self { observed_generation, ..self }
    }

    /// Reads a condition as Go does: fields of the wrong type are ignored.
    fn read(value: &Value) -> Self {
        let text = |key| fields::text(value, &[key]).to_owned();
        Self {
            kind: text("type"),
            status: text("status"),
            reason: text("reason"),
            message: text("message"),
            observed_generation: value.get("observedGeneration").and_then(Value::as_i64).unwrap_or_default(),
        }
    }

    fn to_value(&self) -> Value {
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

    /// Whether it is equal to `other`. An unknown generation is equal to every generation.
    fn is_same(&self, other: &Self) -> bool {
        let known = self.observed_generation != 0 && other.observed_generation != 0;
        *self
            == Self {
                observed_generation: if known { other.observed_generation } else { self.observed_generation },
                ..other.clone()
            }
    }
}

/// The conditions of an object, in the order in which they were set first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conditions(Vec<Condition>);

impl Conditions {
    /// The conditions in the status of an object.
    pub(super) fn of(object: &Value) -> Self {
        let items = fields::get(object, &["status", "conditions"]).and_then(Value::as_array);
        Self(items.into_iter().flatten().map(Condition::read).collect())
    }

    /// Sets a condition. An existing condition keeps its position, and is not changed if it is equal.
    pub(super) fn set(&mut self, new: Condition) {
        let mut known = false;
        for condition in self.0.iter_mut().filter(|condition| condition.kind == new.kind) {
            known = true;
            if !condition.is_same(&new) {
                *condition = new.clone();
            }
        }
        if !known {
            self.0.push(new);
        }
    }

    /// Sets a condition from a module, except for types that only Crossplane may set.
    pub(super) fn set_reported(&mut self, reported: &types::Condition) {
        if !SYSTEM.contains(&reported.condition_type.as_str()) {
            self.set(Condition {
                kind: reported.condition_type.clone(),
                status: reported.status.as_str().to_owned(),
                reason: reported.reason.clone(),
                message: reported.message.clone().unwrap_or_default(),
                observed_generation: 0,
            });
        }
    }

    /// The conditions for a status.
    pub(super) fn to_value(&self) -> Value {
        self.0.iter().map(Condition::to_value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(conditions: Value) -> Value {
        json!({ "status": { "conditions": conditions } })
    }

    #[test]
    fn equal_conditions_stay_and_changed_ones_keep_their_position() {
        let mut conditions = Conditions::of(&object(json!([
            { "type": "A", "status": "True", "reason": "R", "observedGeneration": 2 },
            { "type": "B", "status": "True", "reason": "R" },
        ])));
        let before = conditions.clone();
        conditions.set(Condition::new("A", true, "R"));
        assert_eq!(conditions, before, "an unknown generation is equal to every generation");
        conditions.set(Condition::new("A", true, "R").at(3));
        conditions.set(Condition::new("C", false, "R").with_message("why"));
        let want = json!([
            { "type": "A", "status": "True", "reason": "R", "observedGeneration": 3, "lastTransitionTime": TIME },
            { "type": "B", "status": "True", "reason": "R", "lastTransitionTime": TIME },
            { "type": "C", "status": "False", "reason": "R", "message": "why", "lastTransitionTime": TIME },
        ]);
        assert_eq!(conditions.to_value(), want);
    }

    #[test]
    fn modules_cannot_set_conditions_of_crossplane() {
        let reported = |kind: &str| types::Condition {
            condition_type: kind.to_owned(),
            status: ConditionStatus::False,
            reason: "R".to_owned(),
            message: None,
            target: None,
        };
        let mut conditions = Conditions::default();
        SYSTEM.iter().for_each(|kind| conditions.set_reported(&reported(kind)));
        assert_eq!(conditions, Conditions::default());
        conditions.set_reported(&reported("Scheduled"));
        assert_ne!(conditions, Conditions::default());
    }

    #[test]
    fn invalid_conditions_become_empty() {
        let empty = json!({ "type": "", "status": "", "reason": "", "lastTransitionTime": TIME });
        assert_eq!(Conditions::of(&object(json!([1]))).to_value(), json!([empty]));
        assert_eq!(Conditions::of(&object(json!("none"))).to_value(), json!([]));
    }
}
