//! Managed resources of the providers of clouds, and what all objects that a provider acts on have alike.

use serde_json::{Value, json};

use crate::data;
use crate::data::Data;
use crate::path;

/// Path of what is asked of the provider; tables about it are settled there.
pub const FOR_PROVIDER: &str = "spec.forProvider";

/// Path of what is asked of the provider when the resource is made, and never again.
pub const INIT_PROVIDER: &str = "spec.initProvider";

/// Path of the configuration that the provider acts with.
pub const PROVIDER_CONFIG: &str = "spec.providerConfigRef";

/// Path of what the provider may do.
pub const MANAGEMENT_POLICIES: &str = "spec.managementPolicies";

/// Path of the secret that the provider writes connection details to.
pub const CONNECTION_SECRET: &str = "spec.writeConnectionSecretToRef";

/// Path of the name that the resource has at the provider.
pub const EXTERNAL_NAME: &str = "metadata.annotations[crossplane.io/external-name]";

/// Management policies: the provider looks, and changes nothing.
pub const OBSERVED: Data = data!(["Observe"]);

/// Management policies: what is outside stays when the resource is deleted.
pub const LEFT_BEHIND: Data = data!(["Observe", "Create", "Update"]);

/// Management policies: everything but writing what the provider chose into `forProvider`, so that something else,
/// such as an autoscaler, may own a field that [`INIT_PROVIDER`] has set.
pub const NOT_INITIALIZED_LATE: Data = data!(["Observe", "Create", "Update", "Delete"]);

/// A reference to a provider's configuration.
pub fn provider_config(kind: &str, name: &str) -> Value {
    json!({"kind": kind, "name": name})
}

/// A reference to an object whose kind is known: a secret in the same namespace, a network of a subnet.
pub fn named(name: &str) -> Value {
    json!({"name": name})
}

/// The name that an observed resource has at the provider, once it has one.
pub fn external_name(observed: &Value) -> Option<&str> {
    path::get(observed, EXTERNAL_NAME)?.as_str().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::selectors;
    use crate::rule::{Plan, Rule, constant, rule};

    struct Pool {
        name: &'static str,
        nodes: u8,
    }

    #[rustfmt::skip]
    const GROUP: &[Rule<Pool>] = &[
        rule(EXTERNAL_NAME, "the pool", &["spec.pools[].name"], |pool| Some(json!(pool.name))),
        constant(MANAGEMENT_POLICIES, "the autoscaler owns the size", NOT_INITIALIZED_LATE),
        rule("spec.initProvider.scalingConfig.desiredSize", "the size to begin with", &["spec.pools[].nodes"], |pool| Some(json!(pool.nodes))),
        rule(PROVIDER_CONFIG, "the platform's", &[], |_| Some(provider_config("ClusterProviderConfig", "default"))),
        rule(CONNECTION_SECRET, "the pool", &["spec.pools[].name"], |pool| Some(named(pool.name))),
    ];

    #[rustfmt::skip]
    const ASKED: &[Rule<Pool>] = &[
        constant("region", "always", data!("us-east-1")),
        rule("nodeRoleArnSelector", "the role of nodes", &[], |_| Some(selectors::controlled(&[("role", "node")]))),
    ];

    #[test]
    fn a_managed_resource() {
        let pool = Pool { name: "h100", nodes: 2 };
        let plan = Plan::of_kind(("eks.aws.m.upbound.io/v1beta1", "NodeGroup"));
        let plan = plan.and(GROUP, &pool).at(FOR_PROVIDER, ASKED, &pool);
        let want = json!({
            "apiVersion": "eks.aws.m.upbound.io/v1beta1",
            "kind": "NodeGroup",
            "metadata": {"annotations": {"crossplane.io/external-name": "h100"}},
            "spec": {
                "managementPolicies": ["Observe", "Create", "Update", "Delete"],
                "initProvider": {"scalingConfig": {"desiredSize": 2}},
                "providerConfigRef": {"kind": "ClusterProviderConfig", "name": "default"},
                "writeConnectionSecretToRef": {"name": "h100"},
                "forProvider": {
                    "region": "us-east-1",
                    "nodeRoleArnSelector": {"matchControllerRef": true, "matchLabels": {"role": "node"}},
                },
            },
        });
        assert_eq!(*plan.object(), want);
        assert_eq!(external_name(plan.object()), Some("h100"));
        assert_eq!(external_name(&json!({})), None);
    }
}
