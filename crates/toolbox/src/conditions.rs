//! Conditions of composites, and conditions of observed objects.
//!
//! A kind has a table of all conditions that it can set, with a [`ConditionRow`] for each reason. The documentation is
//! generated from it. A kind sets each of its condition types on each composite, so that programs can wait for one and
//! branch on its reason.

use contract::compose::ComposeRequest;
use contract::types::{Condition, ConditionStatus, Outcome, Severity};
use serde_json::Value;

/// A condition with one of its reasons: a row in the table of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionRow {
    /// Type in PascalCase. Never `Ready` or `Synced`, which Crossplane sets.
    pub condition_type: &'static str,
    /// Its status.
    pub status: ConditionStatus,
    /// Its reason, in PascalCase.
    pub reason: &'static str,
    /// What it means, for people: lower case, no final period.
    pub meaning: &'static str,
    /// Whether somebody should look at it.
    pub warning: bool,
}

/// A row for a condition that needs no attention.
pub const fn note(
    condition_type: &'static str,
    status: ConditionStatus,
    reason: &'static str,
    meaning: &'static str,
) -> ConditionRow {
    ConditionRow { condition_type, status, reason, meaning, warning: false }
}

/// A row for a condition that somebody should look at.
pub const fn warning(
    condition_type: &'static str,
    status: ConditionStatus,
    reason: &'static str,
    meaning: &'static str,
) -> ConditionRow {
    ConditionRow { condition_type, status, reason, meaning, warning: true }
}

impl ConditionRow {
    /// The condition of one composite, with a message unless `message` is empty.
    pub fn report(&self, message: impl Into<String>) -> Reported {
        let condition = Condition {
            condition_type: self.condition_type.to_owned(),
            status: self.status,
            reason: self.reason.to_owned(),
            message: Some(message.into()).filter(|message| !message.is_empty()),
            target: None,
        };
        Reported { condition, warning: self.warning }
    }
}

/// A condition of one composite.
#[derive(Clone, Debug, PartialEq)]
pub struct Reported {
    /// The condition.
    pub condition: Condition,
    /// Whether somebody should look at it.
    pub warning: bool,
}

impl Reported {
    /// Its message, if it is a warning.
    pub fn warning(&self) -> Option<&str> {
        self.condition.message.as_deref().filter(|_| self.warning)
    }
}

/// The warnings among `conditions` that the observed composite does not have yet, as results.
///
/// A caller that does not apply conditions would get the same warnings in each call. It gets them only when `changes` is
/// true: when something else has changed.
pub fn new_warnings(request: &ComposeRequest, conditions: &[Reported], changes: bool) -> Vec<Outcome> {
    let keeps_conditions = request.capabilities.is_none_or(|capabilities| capabilities.conditions);
    let is_new = |reported: &&Reported| match request.composite() {
        Ok(composite) if keeps_conditions => is_new(composite, &reported.condition),
        _ => changes,
    };
    let result =
        |reported: &Reported| Some(outcome(Severity::Warning, &reported.condition.reason, reported.warning()?));
    conditions.iter().filter(is_new).filter_map(result).collect()
}

/// A result with a reason.
pub fn outcome(severity: Severity, reason: &str, message: impl Into<String>) -> Outcome {
    Outcome { severity, message: message.into(), reason: Some(reason.to_owned()), target: None }
}

/// A condition of an observed object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedCondition<'v> {
    /// Its type.
    pub condition_type: &'v str,
    /// Its status. Unknown unless it is exactly `True` or `False`.
    pub status: ConditionStatus,
    /// Why, for programs. Empty when it has no reason.
    pub reason: &'v str,
    /// Why, for people. Empty when it has no message.
    pub message: &'v str,
}

/// The conditions of an observed object, in its order.
pub fn all(object: &Value) -> impl Iterator<Item = ObservedCondition<'_>> {
    let conditions = object["status"]["conditions"].as_array();
    conditions.into_iter().flatten().map(|condition| {
        let text = |key: &str| condition[key].as_str().unwrap_or_default();
        let status = match text("status") {
            "True" => ConditionStatus::True,
            "False" => ConditionStatus::False,
            _ => ConditionStatus::Unknown,
        };
        ObservedCondition { condition_type: text("type"), status, reason: text("reason"), message: text("message") }
    })
}

/// The first condition of that type, if the object has one.
pub fn find<'v>(object: &'v Value, condition_type: &str) -> Option<ObservedCondition<'v>> {
    all(object).find(|condition| condition.condition_type == condition_type)
}

/// Whether the object has a condition of that type with status `True`.
pub fn holds(object: &Value, condition_type: &str) -> bool {
    find(object, condition_type).is_some_and(|found| found.status == ConditionStatus::True)
}

/// Whether `condition` differs from the condition of its type that the observed composite has.
pub fn is_new(composite: &Value, condition: &Condition) -> bool {
    find(composite, &condition.condition_type).is_none_or(|found| {
        found.status != condition.status
            || found.reason != condition.reason
            || found.message != condition.message.as_deref().unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn new_conditions() {
        let composite = json!({"status": {"conditions": [
            {"type": "Ready", "status": "True", "reason": "Available"},
            {"type": "Fits", "status": "False", "reason": "TooLarge", "message": "by 2 GB"},
        ]}});
        let check = |want, condition_type, status, reason, message| {
            let condition = note(condition_type, status, reason, "").report(message).condition;
            assert_eq!(is_new(&composite, &condition), want, "{condition:?}");
        };
        check(false, "Fits", ConditionStatus::False, "TooLarge", "by 2 GB");
        check(true, "Fits", ConditionStatus::False, "TooLarge", "by 3 GB");
        check(true, "Fits", ConditionStatus::False, "Unknown", "by 2 GB");
        check(true, "Fits", ConditionStatus::True, "TooLarge", "by 2 GB");
        check(true, "Other", ConditionStatus::True, "TooLarge", "by 2 GB");
        check(false, "Ready", ConditionStatus::True, "Available", "");
    }

    #[test]
    fn conditions_that_hold() {
        let object = json!({"status": {"conditions": [{"type": "Ready", "status": "True"}, {"type": "Synced", "status": "False"}]}});
        assert!(holds(&object, "Ready"));
        assert!(!holds(&object, "Synced"));
        assert!(!holds(&object, "Other"));
        assert!(!holds(&json!({"status": "odd"}), "Ready"));
        assert!(!holds(&json!(null), "Ready"));
    }

    #[test]
    fn observed_conditions() {
        let object = json!({"status": {"conditions": [
            {"type": "Ready", "status": "False", "reason": "Creating", "message": "the node group starts"},
            {"type": "Odd", "status": "true"},
            {"type": "Ready", "status": "True"},
            "no condition",
        ]}});
        let all: Vec<_> = all(&object).map(|it| (it.condition_type, it.status, it.reason, it.message)).collect();
        let want = [
            ("Ready", ConditionStatus::False, "Creating", "the node group starts"),
            ("Odd", ConditionStatus::Unknown, "", ""),
            ("Ready", ConditionStatus::True, "", ""),
            ("", ConditionStatus::Unknown, "", ""),
        ];
        assert_eq!(all, want);
        assert_eq!(find(&object, "Ready").map(|found| found.reason), Some("Creating"));
        assert_eq!(find(&object, "Synced"), None);
    }
}
