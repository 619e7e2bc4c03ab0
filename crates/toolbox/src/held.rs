//! What is held: a composed resource that is desired again as it is observed, because what decides about it is missing, or
//! cannot be read. Crossplane deletes what is not desired.

use crate::composed::Composed;
use crate::entries::object;
use crate::rule::{Plan, Rule, rule, secret};
use serde_json::Value;

/// What the API server and Crossplane write by themselves.
const OWNERS: [&str; 2] = ["crossplane.io/", "kubectl.kubernetes.io/"];

/// The rules of what is held, except for kinds whose fields are not in `spec`.
pub const HELD: &[Rule<Value>] = &[NAME, NAMESPACE, LABELS, ANNOTATIONS, rule("spec", WHY, &[], spec)];

/// The same for an object with a token in it, which explanations leave out.
pub const HELD_WITH_TOKEN: &[Rule<Value>] = &[NAME, NAMESPACE, LABELS, ANNOTATIONS, secret("spec", WHY, &[], spec)];

const WHY: &str = "held as observed, because what decides about it is missing or cannot be read";

#[rustfmt::skip]
mod metadata {
    use super::*;

    pub(super) const NAME: Rule<Value> = rule("metadata.name", "held as observed", &[], |it| it["metadata"].get("name").cloned());
    pub(super) const NAMESPACE: Rule<Value> = rule("metadata.namespace", "held as observed", &[], |it| it["metadata"].get("namespace").cloned());
    pub(super) const LABELS: Rule<Value> = rule("metadata.labels", "held as observed", &[], |it| entries(it, "labels"));
    pub(super) const ANNOTATIONS: Rule<Value> = rule("metadata.annotations", "held as observed", &[], |it| entries(it, "annotations"));
}
use metadata::*;

/// The resource as it is observed, without its status and without what others write into it.
pub fn held(key: &str, observed: &Value) -> Composed {
    held_by(HELD, key, observed)
}

/// The same by other rules.
pub fn held_by(rules: &[Rule<Value>], key: &str, observed: &Value) -> Composed {
    let text = |field: &str| observed[field].as_str().unwrap_or_default();
    Composed::new(key, Plan::of_kind((text("apiVersion"), text("kind"))).and(rules, observed))
}

/// The fields of the object. What Crossplane writes into the `spec` of a composite belongs to the controller of that composite.
fn spec(observed: &Value) -> Option<Value> {
    let mut spec = observed.get("spec")?.clone();
    spec.as_object_mut().map(|fields| fields.remove("crossplane"));
    Some(spec)
}

/// Labels or annotations that composing may have set.
fn entries(observed: &Value, field: &str) -> Option<Value> {
    let ours = |key: &str| !OWNERS.iter().any(|owner| key.starts_with(owner));
    let entries = observed["metadata"][field].as_object()?.iter().filter(|(key, _)| ours(key));
    let entries = object(entries.map(|(key, value)| (key.clone(), value.clone())));
    Some(entries).filter(|entries| !entries.is_empty()).map(Value::Object)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_held_is_as_observed() {
        let object = json!({
            "apiVersion": "modelplane.ai/v1alpha1",
            "kind": "ModelReplica",
            "metadata": {
                "name": "llama-09209", "namespace": "ml", "uid": "1", "resourceVersion": "7",
                "labels": {"crossplane.io/composite": "llama", "modelplane.ai/cluster": "east"},
                "annotations": {"crossplane.io/composition-resource-name": "replica-east-0"},
                "ownerReferences": [{"name": "llama"}],
            },
            "spec": {
                "clusterName": "east", "engines": [{"name": "main"}], "crossplane": {"resourceRefs": [{"name": "llama-1"}]},
            },
            "status": {"conditions": []},
        });
        let want = json!({
            "apiVersion": "modelplane.ai/v1alpha1",
            "kind": "ModelReplica",
            "metadata": {"name": "llama-09209", "namespace": "ml", "labels": {"modelplane.ai/cluster": "east"}},
            "spec": {"clusterName": "east", "engines": [{"name": "main"}]},
        });
        let Composed { key, plan, .. } = held("replica-east-0", &object);
        assert_eq!((key.as_str(), plan.object()), ("replica-east-0", &want));
    }
}
