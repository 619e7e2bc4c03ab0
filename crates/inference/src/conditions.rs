//! Conditions: what they are made of, and what of them is new.

use serde_json::Value;

use crate::compose::{Condition, ConditionStatus, Outcome, Severity};
use crate::object::Resource;

/// A condition of the composite.
pub fn condition(condition_type: &str, status: ConditionStatus, reason: &str, message: impl Into<String>) -> Condition {
    Condition {
        condition_type: condition_type.to_owned(),
        status,
        reason: reason.to_owned(),
        message: Some(message.into()).filter(|message| !message.is_empty()),
        target: None,
    }
}

/// A result that says what a condition says.
pub fn outcome(severity: Severity, reason: &str, message: impl Into<String>) -> Outcome {
    Outcome { severity, message: message.into(), reason: Some(reason.to_owned()), target: None }
}

/// Whether the object has a condition of that type with status `True`.
pub fn holds(object: &Value, condition_type: &str) -> bool {
    find(object, condition_type).is_some_and(|found| found["status"] == "True")
}

/// Whether `condition` says anything that the observed composite does not say already.
pub fn is_news(composite: &Resource, condition: &Condition) -> bool {
    find(&composite.object, &condition.condition_type).is_none_or(|found| {
        let text = |key: &str| found[key].as_str().unwrap_or_default();
        text("status") != condition.status.as_str()
            || text("reason") != condition.reason
            || text("message") != condition.message.as_deref().unwrap_or_default()
    })
}

fn find<'v>(object: &'v Value, condition_type: &str) -> Option<&'v Value> {
    object["status"]["conditions"].as_array()?.iter().find(|condition| condition["type"] == condition_type)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_news() {
        let observed = json!({"status": {"conditions": [
            {"type": "Ready", "status": "True", "reason": "Available"},
            {"type": "Fits", "status": "False", "reason": "TooLarge", "message": "by 2 GB"},
        ]}});
        let composite = Resource { object: observed, ..Resource::default() };
        let check = |want, condition_type, status, reason, message| {
            let condition = condition(condition_type, status, reason, message);
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
}
