//! Objects of provider-kubernetes: a manifest on another cluster.

use serde_json::{Value, json};

use crate::data;
use crate::data::Data;
use crate::names::OBJECT;
use crate::path;
use crate::rule::Plan;

/// Path of the object that is wrapped.
pub const MANIFEST: &str = "spec.forProvider.manifest";

/// Path that says when the Object counts as ready.
pub const READINESS: &str = "spec.readiness";

/// Path of whether changes on the other cluster are watched, not only polled for.
pub const WATCH: &str = "spec.watch";

/// Path that appends a reference to another object.
pub const REFERENCES: &str = "spec.references[]";

/// A readiness: the manifest was applied. It is the provider's default too.
pub const SUCCESSFUL_CREATE: Data = data!({"policy": "SuccessfulCreate"});

/// A readiness: the manifest has a condition `Ready` that holds.
pub const DERIVE_FROM_OBJECT: Data = data!({"policy": "DeriveFromObject"});

/// A readiness: every condition of the manifest holds.
pub const ALL_TRUE: Data = data!({"policy": "AllTrue"});

/// The start of an Object; its manifest is embedded at [`MANIFEST`].
pub fn object() -> Plan {
    Plan::of_kind(OBJECT)
}

/// A readiness: a CEL expression holds, whose variable `object` is the manifest as it is on the other cluster.
pub fn cel_query(query: &str) -> Value {
    json!({"policy": "DeriveFromCelQuery", "celQuery": query})
}

/// A reference: `field` of an object on this side is copied to `to` in the manifest. What has no namespace is named
/// without one.
pub fn copied((api_version, kind): (&str, &str), namespace: Option<&str>, name: &str, field: &str, to: &str) -> Value {
    let mut from = json!({"apiVersion": api_version, "kind": kind, "name": name, "fieldPath": field});
    if let Some(namespace) = namespace {
        from["namespace"] = json!(namespace);
    }
    json!({"patchesFrom": from, "toFieldPath": to})
}

/// The manifest as it is on the other cluster, once the provider has seen it there.
pub fn there(observed: &Value) -> Option<&Value> {
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
    fn what_has_no_namespace_is_named_without_one() {
        let config = ("gcp.m.upbound.io/v1beta1", "ClusterProviderConfig");
        let from = json!({"apiVersion": config.0, "kind": config.1, "name": "default", "fieldPath": "spec.projectID"});
        let want = json!({"patchesFrom": from, "toFieldPath": "spec.project"});
        assert_eq!(copied(config, None, "default", "spec.projectID", "spec.project"), want);
    }

    #[test]
    fn what_is_on_the_other_cluster() {
        let observed = |manifest: Value| json!({"status": {"atProvider": {"manifest": manifest}}});
        assert_eq!(there(&observed(json!({"kind": "Pod"}))), Some(&json!({"kind": "Pod"})));
        assert_eq!(there(&observed(json!({}))), None);
        assert_eq!(there(&observed(json!(null))), None);
        assert_eq!(there(&json!({})), None);
    }
}
