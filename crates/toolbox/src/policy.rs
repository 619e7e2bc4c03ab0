//! ValidatingAdmissionPolicies: the admission rules that an API server can evaluate by itself.

use contract::catalog::{Action, Policy};
use serde_json::{Value, json};

/// An admission rule in CEL. The function `admit` of the kind gives the same verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// What happens when an object violates it.
    pub action: Action,
    /// Whether it applies only when an object is created.
    pub only_new: bool,
    /// The rule. `variables.name` is the name of the object, or its `generateName`.
    pub holds: &'static str,
    /// A CEL expression that gives the message for a violation.
    pub says: &'static str,
}

/// A rule that refuses every object which violates it.
pub const fn deny(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Action::Deny, only_new: false, holds, says }
}

/// The expression of `variables.name`: when an object is created, the API server may not have generated its name yet.
pub const NAME: &str = "has(object.metadata.name) && object.metadata.name != '' ? object.metadata.name \
     : has(object.metadata.generateName) ? object.metadata.generateName : ''";

/// The policies of a kind: one for the rules that refuse an object, and one for those that warn. Both have the `variables`, names with
/// expressions, after that for the name.
pub fn policies(api_version: &str, plural: &str, variables: &[(&str, &str)], rules: &[PolicyRule]) -> Vec<Policy> {
    [(Action::Deny, plural.to_owned()), (Action::Warn, format!("{plural}-advice"))]
        .into_iter()
        .filter_map(|(action, name)| {
            let rules: Vec<_> = rules.iter().filter(|rule| rule.action == action).collect();
            (!rules.is_empty())
                .then(|| Policy { object: policy(api_version, plural, &name, variables, &rules), action })
        })
        .collect()
}

fn policy(api_version: &str, plural: &str, name: &str, variables: &[(&str, &str)], rules: &[&PolicyRule]) -> Value {
    let variable = |(name, expression): &(&str, &str)| json!({"name": name, "expression": expression});
    let variables: Vec<Value> = [("name", NAME)].iter().chain(variables).map(variable).collect();
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
            "variables": variables,
            "validations": rules.iter().map(|rule| validation(rule)).collect::<Vec<_>>(),
        },
    })
}

fn validation(rule: &PolicyRule) -> Value {
    let expression =
        if rule.only_new { format!("request.operation != 'CREATE' || {}", rule.holds) } else { rule.holds.to_owned() };
    json!({"expression": expression, "messageExpression": rule.says, "reason": "Invalid"})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_variables_of_policies() {
        let warns = PolicyRule { action: Action::Warn, only_new: true, holds: "false", says: "'b'" };
        let rules = [deny("variables.size > 1", "'a'"), warns];
        let made = policies("a.example.org/v1", "pools", &[("size", "size(variables.name)")], &rules);
        let [denying, warning] = made.as_slice() else { panic!("{made:?}") };
        assert_eq!((denying.action, warning.action), (Action::Deny, Action::Warn));
        assert_eq!(denying.object["metadata"]["name"], "pools.a.example.org");
        assert_eq!(warning.object["metadata"]["name"], "pools-advice.a.example.org");
        for policy in &made {
            // A variable can only use those before it.
            let variables = policy.object["spec"]["variables"].as_array().map(Vec::as_slice).unwrap_or_default();
            assert_eq!(variables.iter().map(|it| &it["name"]).collect::<Vec<_>>(), ["name", "size"]);
        }
        let expression = |policy: &Policy| policy.object["spec"]["validations"][0]["expression"].clone();
        assert_eq!(expression(denying), "variables.size > 1");
        assert_eq!(expression(warning), "request.operation != 'CREATE' || false");
    }
}
