//! ValidatingAdmissionPolicies, which an API server evaluates without a webhook. Their bindings follow the same
//! namespace label as the webhooks.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::admission::{LEFT_OUT, MODE_LABEL};
use crate::foreign::visible;
use crate::wit::catalog::{Action, Entry, Policy, Scope};

/// The policies of a kind and their bindings. Comments before them name the rules that policies cannot state.
pub(super) fn print(entry: &Entry) -> Result<String> {
    let mut text = format!("# {} ({})\n", entry.kind.kind, entry.kind.api_version);
    for rule in &entry.admission.beyond_policies {
        writeln!(text, "# not covered: {}", visible(rule))?;
    }
    for Policy { object, action } in &entry.admission.policies {
        let policy: Value = serde_json::from_str(object).context("a module has a policy that is no JSON")?;
        let name = policy["metadata"]["name"].as_str().context("a module has a policy without a name")?.to_owned();
        write!(text, "---\n{}", yaml::to_string(&policy))?;
        for binding in bindings(&name, *action, entry.scope) {
            write!(text, "---\n{}", yaml::to_string(&binding))?;
        }
    }
    Ok(text)
}

/// A binding for each mode. It selects namespaces by their label. Cluster-scoped objects have no namespace, so they
/// have one binding.
fn bindings(policy: &str, action: Action, scope: Scope) -> Vec<Value> {
    let label = |operator: &str, values: &[&str]| json!({"key": MODE_LABEL, "operator": operator, "values": values});
    let rows = match (action, scope) {
        (Action::Deny, Scope::Namespaced) => vec![
            ("enforce", "Deny", Some(label("NotIn", &["warn", "audit"]))),
            ("warn", "Warn", Some(label("In", &["warn"]))),
            ("audit", "Audit", Some(label("In", &["audit"]))),
        ],
        (Action::Deny, Scope::Cluster) => vec![("enforce", "Deny", None)],
        (Action::Warn, Scope::Namespaced) => vec![("warn", "Warn", Some(label("NotIn", &["audit"])))],
        (Action::Warn, Scope::Cluster) => vec![("warn", "Warn", None)],
    };
    let binding = |(mode, action, label): (&str, &str, Option<Value>)| {
        let mut spec = json!({"policyName": policy, "validationActions": [action]});
        if let Some(label) = label {
            let others = json!({"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": LEFT_OUT});
            spec["matchResources"] = json!({"namespaceSelector": {"matchExpressions": [others, label]}});
        }
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": format!("{policy}-{mode}")},
            "spec": spec,
        })
    };
    rows.into_iter().map(binding).collect()
}
