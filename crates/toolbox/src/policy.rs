//! Admission rules that the API server can run by itself, as ValidatingAdmissionPolicies.

use contract::catalog::{Action, Policy};
use serde_json::{Value, json};

/// A rule in the API server's expressions. The verdict of the kind's `admit` is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// What follows when it does not hold.
    pub action: Action,
    /// Whether it is held against new objects alone.
    pub only_new: bool,
    /// The rule. Variable `variables.name` is the object's name, or what its generated name starts with.
    pub holds: &'static str,
    /// What to say when it does not hold: an expression that gives the words.
    pub says: &'static str,
}

/// The name of an object that is about to be created may yet have to be generated.
const NAME: &str = "has(object.metadata.name) && object.metadata.name != '' ? object.metadata.name \
     : has(object.metadata.generateName) ? object.metadata.generateName : ''";

/// The policies of the kind `plural` of `api_version`: one for what is refused, and one for what is warned of.
pub fn policies(api_version: &str, plural: &str, rules: &[PolicyRule]) -> Vec<Policy> {
    [(Action::Deny, plural.to_owned()), (Action::Warn, format!("{plural}-advice"))]
        .into_iter()
        .filter_map(|(action, name)| {
            let rules: Vec<_> = rules.iter().filter(|rule| rule.action == action).collect();
            (!rules.is_empty()).then(|| Policy { object: policy(api_version, plural, &name, &rules), action })
        })
        .collect()
}

fn policy(api_version: &str, plural: &str, name: &str, rules: &[&PolicyRule]) -> Value {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": format!("{name}.{group}")},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {
                "matchPolicy": "Equivalent",
                "resourceRules": [{
                    "apiGroups": [group],
                    "apiVersions": [version],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": [plural],
                }],
            },
            "variables": [{"name": "name", "expression": NAME}],
            "validations": rules.iter().map(|rule| validation(rule)).collect::<Vec<_>>(),
        },
    })
}

fn validation(rule: &PolicyRule) -> Value {
    let expression =
        if rule.only_new { format!("request.operation != 'CREATE' || {}", rule.holds) } else { rule.holds.to_owned() };
    json!({"expression": expression, "messageExpression": rule.says, "reason": "Invalid"})
}
