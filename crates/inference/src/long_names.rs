//! Names of new composites that are too long for what they become.

use contract::catalog::Action::Deny;
use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::kind::AdmissionRule;
use toolbox::names::LONGEST_LABEL;
use toolbox::policy::PolicyRule;

/// The rule in CEL.
pub const POLICY: PolicyRule = PolicyRule {
    action: Deny,
    only_new: true,
    holds: "size(variables.name) <= 63",
    says: "'the name is longer than 63 characters, and Crossplane makes a label of it on everything that it composes; choose a shorter one'",
};

/// The rule in words.
pub const RULE: AdmissionRule = AdmissionRule {
    action: Deny,
    path: "metadata.name",
    meaning: "a new name that is too long for a label, so that nothing could be composed",
    beyond_policies: None,
};

/// What is wrong with the name of a new object.
pub fn judge(object: &Value) -> Option<Problem> {
    let text = |field: &str| object["metadata"][field].as_str().filter(|text| !text.is_empty());
    let name = text("name").or_else(|| text("generateName"))?;
    let message = "the name is longer than 63 characters, and Crossplane makes a label of it on everything that it composes; \
                   choose a shorter one";
    (name.chars().count() > LONGEST_LABEL).then(|| Problem::new("metadata.name", Code::Invalid, message))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names() {
        #[track_caller]
        fn check(metadata: Value, want: bool) {
            let problem = judge(&json!({"metadata": metadata}));
            assert_eq!(problem.is_some(), want);
            // The policy says the same.
            assert!(problem.is_none_or(|problem| POLICY.says == format!("'{}'", problem.message)));
        }
        check(json!({"name": "a".repeat(63)}), false);
        check(json!({"name": "a".repeat(64)}), true);
        check(json!({"name": "", "generateName": "a".repeat(64)}), true);
        check(json!({"generateName": "a-"}), false);
        check(json!({}), false);
    }
}
