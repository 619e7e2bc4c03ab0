//! Conditions: what can be said, what is said, and what of it is new.
//!
//! A kind lists all it can say in a table of [`Statement`]s, which documentation is written from too. Every
//! composite has every condition type of its kind, so that programs can wait for one and branch on its reason.

use contract::compose::ComposeRequest;
use contract::types::{Condition, ConditionStatus, Outcome, Severity};
use serde_json::Value;

/// Something that can be said of a composite: a row of its kind's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Type of the condition that says it, in PascalCase. Never `Ready` or `Synced`.
    pub condition_type: &'static str,
    /// Whether the condition holds.
    pub status: ConditionStatus,
    /// Its reason, in PascalCase.
    pub reason: &'static str,
    /// What that means, for people: lower case, no final period.
    pub meaning: &'static str,
    /// Whether somebody should look at it.
    pub warning: bool,
}

/// A row that says all is well, or that nothing is known.
pub const fn note(
    condition_type: &'static str,
    status: ConditionStatus,
    reason: &'static str,
    meaning: &'static str,
) -> Statement {
    Statement { condition_type, status, reason, meaning, warning: false }
}

/// A row that somebody should look at.
pub const fn warning(
    condition_type: &'static str,
    status: ConditionStatus,
    reason: &'static str,
    meaning: &'static str,
) -> Statement {
    Statement { condition_type, status, reason, meaning, warning: true }
}

impl Statement {
    /// Says it of a composite, in more detail unless `message` is empty.
    pub fn say(&self, message: impl Into<String>) -> Said {
        let condition = Condition {
            condition_type: self.condition_type.to_owned(),
            status: self.status,
            reason: self.reason.to_owned(),
            message: Some(message.into()).filter(|message| !message.is_empty()),
            target: None,
        };
        Said { condition, warning: self.warning }
    }
}

/// Something that is said of a composite.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// As a condition.
    pub condition: Condition,
    /// Whether somebody should look at it.
    pub warning: bool,
}

impl Said {
    /// The words that somebody should read, if it is a warning.
    pub fn warning(&self) -> Option<&str> {
        self.condition.message.as_deref().filter(|_| self.warning)
    }
}

/// The warnings among `said` that are news to the observed composite, as results.
///
/// A caller that keeps no conditions would hear the same ones in every call: it hears them when `changes` says
/// that something else has changed.
pub fn news(request: &ComposeRequest, said: &[Said], changes: bool) -> Vec<Outcome> {
    let keeps_conditions = request.capabilities.is_none_or(|capabilities| capabilities.conditions);
    let is_news = |said: &Said| match request.composite() {
        Ok(composite) if keeps_conditions => is_news(composite, &said.condition),
        _ => changes,
    };
    let warning = |said: &Said| Some(outcome(Severity::Warning, &said.condition.reason, said.warning()?));
    said.iter().filter(|said| is_news(said)).filter_map(warning).collect()
}

/// A result with a reason.
pub fn outcome(severity: Severity, reason: &str, message: impl Into<String>) -> Outcome {
    Outcome { severity, message: message.into(), reason: Some(reason.to_owned()), target: None }
}

/// A condition that an observed object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedCondition<'v> {
    /// Its type.
    pub condition_type: &'v str,
    /// Whether it holds; unknown unless its status is exactly `True` or `False`.
    pub status: ConditionStatus,
    /// Why, for programs; empty when it does not say.
    pub reason: &'v str,
    /// Why, for people; empty when it does not say.
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

/// Whether `condition` says anything that the observed composite does not say already.
fn is_news(composite: &Value, condition: &Condition) -> bool {
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
    fn what_is_news() {
        let composite = json!({"status": {"conditions": [
            {"type": "Ready", "status": "True", "reason": "Available"},
            {"type": "Fits", "status": "False", "reason": "TooLarge", "message": "by 2 GB"},
        ]}});
        let check = |want, condition_type, status, reason, message| {
            let condition = note(condition_type, status, reason, "").say(message).condition;
            assert_eq!(is_news(&composite, &condition), want, "{condition:?}");
        };
        check(false, "Fits", ConditionStatus::False, "TooLarge", "by 2 GB");
        check(true, "Fits", ConditionStatus::False, "TooLarge", "by 3 GB");
        check(true, "Fits", ConditionStatus::False, "Unknown", "by 2 GB");
        check(true, "Fits", ConditionStatus::True, "TooLarge", "by 2 GB");
        check(true, "Other", ConditionStatus::True, "TooLarge", "by 2 GB");
        check(false, "Ready", ConditionStatus::True, "Available", "");
    }

    #[test]
    fn what_holds() {
        let object = json!({"status": {"conditions": [{"type": "Ready", "status": "True"}, {"type": "Synced", "status": "False"}]}});
        assert!(holds(&object, "Ready"));
        assert!(!holds(&object, "Synced"));
        assert!(!holds(&object, "Other"));
        assert!(!holds(&json!({"status": "odd"}), "Ready"));
        assert!(!holds(&json!(null), "Ready"));
    }

    #[test]
    fn what_is_observed() {
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
