//! Objects of provider-kubernetes, which wrap a manifest for another cluster.

use serde_json::{Value, json};

use crate::data;
use crate::data::Data;
use crate::path;
use crate::resources::OBJECT;
use crate::rule::Plan;

/// Path of the wrapped manifest.
pub const MANIFEST: &str = "spec.forProvider.manifest";

/// Path of the readiness policy.
pub const READINESS: &str = "spec.readiness";

/// Path of the switch for watching the other cluster, instead of only polling it.
pub const WATCH: &str = "spec.watch";

/// Path that appends a reference to another object.
pub const REFERENCES: &str = "spec.references[]";

/// A readiness policy: the manifest was applied. It is the provider's default.
pub const SUCCESSFUL_CREATE: Data = data!({"policy": "SuccessfulCreate"});

/// A readiness policy: the condition `Ready` of the manifest is true.
pub const DERIVE_FROM_OBJECT: Data = data!({"policy": "DeriveFromObject"});

/// A readiness policy: every condition of the manifest is true.
pub const ALL_TRUE: Data = data!({"policy": "AllTrue"});

/// The plan of an Object, to add rules to. Its manifest is embedded at [`MANIFEST`].
pub fn object() -> Plan {
    Plan::of_kind(OBJECT)
}

/// A readiness policy: a CEL expression is true. Its variable `object` is the manifest as observed on the other cluster.
pub fn cel_query(query: &str) -> Value {
    json!({"policy": "DeriveFromCelQuery", "celQuery": query})
}

/// A reference: `field` of an object in the cluster of Crossplane is copied to `to` in the manifest. `namespace` is
/// `None` for cluster-scoped kinds.
pub fn copied((api_version, kind): (&str, &str), namespace: Option<&str>, name: &str, field: &str, to: &str) -> Value {
    let mut from = json!({"apiVersion": api_version, "kind": kind, "name": name, "fieldPath": field});
    if let Some(namespace) = namespace {
        from["namespace"] = json!(namespace);
    }
    json!({"patchesFrom": from, "toFieldPath": to})
}

/// The manifest as observed on the other cluster. `None` until the provider has observed it.
pub fn observed_manifest(observed: &Value) -> Option<&Value> {
    path::get(observed, "status.atProvider.manifest").filter(|it| it.as_object().is_some_and(|it| !it.is_empty()))
}

/// Whether both Objects wrap the same manifest.
pub fn same_manifest(one: &Value, other: &Value) -> bool {
    path::get(one, MANIFEST) == path::get(other, MANIFEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::managed;
    use crate::rule::{Rule, constant, rule};

    const CLAIM: &[Rule<&str>] = &[rule("metadata.name", "the cache", &["metadata.name"], |name| Some(json!(name)))];

    #[rustfmt::skip]
    const AROUND: &[Rule<&str>] = &[
        rule("spec.providerConfigRef", "the cluster of the cache", &["spec.cluster"], |_| Some(managed::provider_config("ClusterProviderConfig", "east"))),
        rule(READINESS, "it can be written to", &[], |_| Some(cel_query("object.status.phase == 'Bound'"))),
        constant(WATCH, "it changes by itself", data!(true)),
        rule(REFERENCES, "the user's token", &["spec.token"], |name| Some(copied(("v1", "Secret"), Some("team-a"), name, "data.token", "data.token"))),
        constant("spec.managementPolicies", "it stays when its cluster goes first", managed::LEFT_BEHIND),
    ];

    #[test]
    fn an_object_wraps_a_manifest() {
        let claim = Plan::of_kind(("v1", "PersistentVolumeClaim")).and(CLAIM, &"weights");
        let plan = object().and(AROUND, &"weights").embed(MANIFEST, claim);
        let want = json!({
            "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
            "kind": "Object",
            "spec": {
                "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "east"},
                "readiness": {"policy": "DeriveFromCelQuery", "celQuery": "object.status.phase == 'Bound'"},
                "watch": true,
                "references": [{
                    "patchesFrom": {
                        "apiVersion": "v1", "kind": "Secret", "namespace": "team-a", "name": "weights", "fieldPath": "data.token",
                    },
                    "toFieldPath": "data.token",
                }],
                "managementPolicies": ["Observe", "Create", "Update"],
                "forProvider": {"manifest": {
                    "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "weights"},
                }},
            },
        });
        assert_eq!(*plan.object(), want);
        assert!(same_manifest(plan.object(), &want));
        assert!(!same_manifest(plan.object(), &json!({})));
    }

    #[test]
    fn references_to_cluster_scoped_objects() {
        let config = ("gcp.m.upbound.io/v1beta1", "ClusterProviderConfig");
        let from = json!({"apiVersion": config.0, "kind": config.1, "name": "default", "fieldPath": "spec.projectID"});
        let want = json!({"patchesFrom": from, "toFieldPath": "spec.project"});
        assert_eq!(copied(config, None, "default", "spec.projectID", "spec.project"), want);
    }

    #[test]
    fn observed_manifests() {
        let observed = |manifest: Value| json!({"status": {"atProvider": {"manifest": manifest}}});
        assert_eq!(observed_manifest(&observed(json!({"kind": "Pod"}))), Some(&json!({"kind": "Pod"})));
        assert_eq!(observed_manifest(&observed(json!({}))), None);
        assert_eq!(observed_manifest(&observed(json!(null))), None);
        assert_eq!(observed_manifest(&json!({})), None);
    }
}
