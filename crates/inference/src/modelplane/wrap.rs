//! The Objects of provider-kubernetes, which wrap manifests for workload clusters.

use serde_json::Value;
use toolbox::builders::{managed, remote};
use toolbox::rule::{Plan, Rule, Table, rule};

/// A query about the readiness of workloads: the condition `Available` is true.
pub const AVAILABLE: &str = "has(object.status.conditions) && object.status.conditions.exists(c, c.type == \"Available\" && c.status == \"True\")";

/// An Object around a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrapping<'a> {
    /// The provider configuration of the workload cluster, as the status of the cluster names it.
    pub provider_config: &'a str,
    /// When the Object is ready.
    pub ready: WrappedReady,
}

/// When an Object is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrappedReady {
    /// The manifest was applied.
    Applied,
    /// The condition `Ready` of the observed manifest is true.
    Derived,
    /// A query about the observed manifest is true.
    Query(&'static str),
    /// The provider decides: the Object has no policy.
    Unstated,
}

impl<'a> Wrapping<'a> {
    /// The rules of an Object on the cluster that `spec.clusterName` names.
    pub const ON_NAMED: &'a [Rule<Self>] = &Self::rules(&["spec.clusterName"]);
    /// The rules of an Object on each cluster that `spec.clusterSelector` selects.
    pub const ON_SELECTED: &'a [Rule<Self>] = &Self::rules(&["spec.clusterSelector.matchLabels"]);

    const fn rules(causes: &'static [&'static str]) -> [Rule<Self>; 2] {
        [
            rule("spec.providerConfigRef", "the cluster's provider configuration, from its status", causes, |it| {
                Some(managed::provider_config("ClusterProviderConfig", it.provider_config))
            }),
            rule(remote::READINESS, "workloads are ready when they serve, other objects when they exist", &[], |it| {
                match it.ready {
                    WrappedReady::Applied => Some(remote::SUCCESSFUL_CREATE.to_value()),
                    WrappedReady::Derived => Some(remote::DERIVE_FROM_OBJECT.to_value()),
                    WrappedReady::Query(query) => Some(remote::cel_query(query)),
                    WrappedReady::Unstated => None,
                }
            }),
        ]
    }

    /// The plan of the Object, without name and namespace: Crossplane sets both.
    pub fn around(&self, rules: &[Rule<Self>], manifest: Plan) -> Plan {
        remote::object().and(rules, self).embed(remote::MANIFEST, manifest)
    }
}

/// The table of Objects, for documentation.
pub fn table(rules: &[Rule<Wrapping<'_>>]) -> Table {
    Table::of("Object", rules)
}

/// Whether the provider has observed the manifest of an observed Object on the workload cluster.
pub fn is_observed_remotely(object: &Value) -> bool {
    remote::observed_manifest(object).is_some()
}

/// The status of the manifest on the workload cluster.
pub fn remote_status(object: &Value) -> Option<&Value> {
    remote::observed_manifest(object)?.get("status")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects() {
        #[track_caller]
        fn check(ready: WrappedReady, readiness: Option<Value>) {
            let manifest = Plan::of_kind(("v1", "ConfigMap"));
            let plan =
                Wrapping { provider_config: "eu-cluster-kubeconfig-1ab2c", ready }.around(Wrapping::ON_NAMED, manifest);
            let mut want = json!({
                "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
                "kind": "Object",
                "spec": {
                    "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "eu-cluster-kubeconfig-1ab2c"},
                    "forProvider": {"manifest": {"apiVersion": "v1", "kind": "ConfigMap"}},
                },
            });
            if let Some(readiness) = readiness {
                want["spec"]["readiness"] = readiness;
            }
            assert_eq!(*plan.object(), want);
        }
        check(WrappedReady::Unstated, None);
        check(WrappedReady::Applied, Some(json!({"policy": "SuccessfulCreate"})));
        check(WrappedReady::Derived, Some(json!({"policy": "DeriveFromObject"})));
        check(WrappedReady::Query(AVAILABLE), Some(json!({"policy": "DeriveFromCelQuery", "celQuery": AVAILABLE})));
    }

    #[test]
    fn what_the_provider_has_observed() {
        #[track_caller]
        fn check(status: Value, observed: bool, remote: Option<Value>) {
            let object = json!({"status": status});
            assert_eq!(
                (is_observed_remotely(&object), remote_status(&object)),
                (observed, remote.as_ref()),
                "{object}"
            );
        }
        check(json!(null), false, None);
        check(json!({"atProvider": {}}), false, None);
        check(json!({"atProvider": {"manifest": {}}}), false, None);
        check(json!({"atProvider": {"manifest": {"kind": "Job"}}}), true, None);
        let status = json!({"phase": "Bound"});
        check(json!({"atProvider": {"manifest": {"status": status}}}), true, Some(status));
    }
}
