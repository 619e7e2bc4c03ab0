//! What the webhooks may read and write.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use toolbox::kind::Kind;

use super::common::{NAME, NAMESPACE, SECRET, cluster_metadata, metadata};

const GROUP: &str = "rbac.authorization.k8s.io";

/// The ServiceAccount, with the rights to read what `admit` looks up.
pub(super) fn reader(kinds: &[Kind]) -> Vec<Value> {
    let mut role = role("ClusterRole", cluster_metadata(NAME));
    role["rules"] = reader_rules(kinds).into();
    vec![
        json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(NAME)}),
        role,
        binding("ClusterRole", cluster_metadata(NAME)),
    ]
}

/// The rights to read what `admit` looks up.
pub(crate) fn reader_rules(kinds: &[Kind]) -> Vec<Value> {
    let mut plurals: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for read in kinds.iter().flat_map(|kind| kind.admission.reads) {
        plurals.entry(read.group()).or_default().insert(read.plural);
    }
    let rule =
        |(group, plurals)| json!({"apiGroups": [group], "resources": plurals, "verbs": ["get", "list", "watch"]});
    plurals.into_iter().map(rule).collect()
}

/// The further rights for `--self-signed`. A right to create cannot be restricted to a name.
pub(super) fn self_signed() -> Vec<Value> {
    let name = format!("{NAME}-self-signed");
    let mut own = role("Role", metadata(&name));
    own["rules"] = json!([
        {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]},
        {"apiGroups": [""], "resources": ["secrets"], "resourceNames": [SECRET], "verbs": ["get", "update"]},
    ]);
    let mut configurations = role("ClusterRole", cluster_metadata(&name));
    configurations["rules"] = json!([{
        "apiGroups": ["admissionregistration.k8s.io"],
        "resources": ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
        "resourceNames": [NAME],
        "verbs": ["get", "patch"],
    }]);
    vec![own, binding("Role", metadata(&name)), configurations, binding("ClusterRole", cluster_metadata(&name))]
}

fn role(kind: &str, metadata: Value) -> Value {
    json!({"apiVersion": format!("{GROUP}/v1"), "kind": kind, "metadata": metadata})
}

/// Binds the role of the same name to the ServiceAccount.
fn binding(kind: &str, metadata: Value) -> Value {
    let reference = json!({"apiGroup": GROUP, "kind": kind, "name": metadata["name"]});
    let mut binding = role(&format!("{kind}Binding"), metadata);
    binding["roleRef"] = reference;
    binding["subjects"] = json!([{"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}]);
    binding
}
