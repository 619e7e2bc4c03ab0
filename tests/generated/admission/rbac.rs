//! What the webhooks may read and write.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use toolbox::kind::Kind;

use super::common::{MAKER, NAME, NAMESPACE, SECRET, cluster_metadata, metadata};

const GROUP: &str = "rbac.authorization.k8s.io";

/// The ServiceAccount, with the rights to read what `admit` looks up.
pub(super) fn reader(kinds: &[Kind]) -> Vec<Value> {
    let mut role = role("ClusterRole", cluster_metadata(NAME));
    role["rules"] = reader_rules(kinds).into();
    vec![service_account(NAME), role, binding("ClusterRole", cluster_metadata(NAME))]
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

/// The ServiceAccount of the Job that makes the certificate, with its rights. A right to create cannot be restricted to a
/// name. At its end the Job deletes both bindings, so that nobody holds these rights any longer.
pub(super) fn maker() -> Vec<Value> {
    let mut own = role("Role", metadata(MAKER));
    own["rules"] = json!([
        {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]},
        {"apiGroups": [""], "resources": ["secrets"], "resourceNames": [SECRET], "verbs": ["get", "update"]},
        {"apiGroups": [GROUP], "resources": ["rolebindings"], "resourceNames": [MAKER], "verbs": ["delete"]},
    ]);
    let mut configurations = role("ClusterRole", cluster_metadata(MAKER));
    configurations["rules"] = json!([
        {
            "apiGroups": ["admissionregistration.k8s.io"],
            "resources": ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
            "resourceNames": [NAME],
            "verbs": ["get", "patch"],
        },
        {"apiGroups": [GROUP], "resources": ["clusterrolebindings"], "resourceNames": [MAKER], "verbs": ["delete"]},
    ]);
    vec![
        service_account(MAKER),
        own,
        binding("Role", metadata(MAKER)),
        configurations,
        binding("ClusterRole", cluster_metadata(MAKER)),
    ]
}

fn service_account(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(name)})
}

fn role(kind: &str, metadata: Value) -> Value {
    json!({"apiVersion": format!("{GROUP}/v1"), "kind": kind, "metadata": metadata})
}

/// Binds the role of a name to the ServiceAccount of the same name.
fn binding(kind: &str, metadata: Value) -> Value {
    let reference = json!({"apiGroup": GROUP, "kind": kind, "name": metadata["name"]});
    let subject = json!({"kind": "ServiceAccount", "name": metadata["name"], "namespace": NAMESPACE});
    let mut binding = role(&format!("{kind}Binding"), metadata);
    binding["roleRef"] = reference;
    binding["subjects"] = json!([subject]);
    binding
}
