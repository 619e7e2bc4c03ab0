//! Status conditions, as Crossplane's runtime keeps them.

use serde_json::{Value, json};

use contract::types::{self, ConditionStatus};

use crate::fields;

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

    /// Reads one as Go does, which leaves out what has the wrong type.
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
    /// What an object's status says.
    pub(super) fn of(object: &Value) -> Self {
        let items = fields::get(object, &["status", "conditions"]).and_then(Value::as_array);
        Self(items.into_iter().flatten().map(Condition::read).collect())
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
    pub(super) fn set_said(&mut self, said: &types::Condition) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn object(conditions: Value) -> Value {
        json!({ "status": { "conditions": conditions } })
    }

    #[test]
    fn a_condition_keeps_its_place_and_what_it_says() {
        let mut conditions = Conditions::of(&object(json!([
            { "type": "A", "status": "True", "reason": "R", "observedGeneration": 2 },
            { "type": "B", "status": "True", "reason": "R" },
        ])));
        let before = conditions.clone();
        conditions.set(Condition::new("A", true, "R"));
        assert_eq!(conditions, before, "an unknown generation is any");
        conditions.set(Condition::new("A", true, "R").at(3));
        conditions.set(Condition::new("C", false, "R").saying("why"));
        let spelled = json!([
            { "type": "A", "status": "True", "reason": "R", "observedGeneration": 3, "lastTransitionTime": TIME },
            { "type": "B", "status": "True", "reason": "R", "lastTransitionTime": TIME },
            { "type": "C", "status": "False", "reason": "R", "message": "why", "lastTransitionTime": TIME },
        ]);
        assert_eq!(conditions.spell(), spelled);
    }

    #[test]
    fn modules_do_not_set_what_is_crossplanes() {
        let said = |kind: &str| types::Condition {
            condition_type: kind.to_owned(),
            status: ConditionStatus::False,
            reason: "R".to_owned(),
            message: None,
            target: None,
        };
        let mut conditions = Conditions::default();
        SYSTEM.iter().for_each(|kind| conditions.set_said(&said(kind)));
        assert_eq!(conditions, Conditions::default());
        conditions.set_said(&said("Scheduled"));
        assert_ne!(conditions, Conditions::default());
    }

    #[test]
    fn what_is_no_condition_is_an_empty_one() {
        let empty = json!({ "type": "", "status": "", "reason": "", "lastTransitionTime": TIME });
        assert_eq!(Conditions::of(&object(json!([1]))).spell(), json!([empty]));
        assert_eq!(Conditions::of(&object(json!("none"))).spell(), json!([]));
    }
}
