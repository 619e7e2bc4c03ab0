//! Managed resources of cloud providers, and the fields that all managed resources have.

use serde_json::{Value, json};

use crate::data;
use crate::data::Data;
use crate::path;

/// Path of the fields that the provider keeps up to date. Tables about a cloud resource start here.
pub const FOR_PROVIDER: &str = "spec.forProvider";

/// Path of the fields that the provider only uses to create the resource.
pub const INIT_PROVIDER: &str = "spec.initProvider";

/// Path of the reference to the ProviderConfig.
pub const PROVIDER_CONFIG: &str = "spec.providerConfigRef";

/// Path of the management policies: what the provider may do.
pub const MANAGEMENT_POLICIES: &str = "spec.managementPolicies";

/// Path of the reference to the Secret for connection details.
pub const CONNECTION_SECRET: &str = "spec.writeConnectionSecretToRef";

/// Path of the external name: the name of the resource at the provider.
pub const EXTERNAL_NAME: &str = "metadata.annotations[crossplane.io/external-name]";

/// Management policies: the provider observes the external resource, and does not change it.
pub const OBSERVED: Data = data!(["Observe"]);

/// Management policies: the external resource stays when the managed resource is deleted.
pub const LEFT_BEHIND: Data = data!(["Observe", "Create", "Update"]);

/// Management policies: everything except `LateInitialize`. The provider then does not copy observed values into
/// `forProvider`, so an autoscaler may own a field that [`INIT_PROVIDER`] has set.
pub const NOT_INITIALIZED_LATE: Data = data!(["Observe", "Create", "Update", "Delete"]);

/// A reference to a ProviderConfig.
pub fn provider_config(kind: &str, name: &str) -> Value {
    json!({"kind": kind, "name": name})
}

/// A reference by name, where the field decides the kind: e.g. a Secret in the same namespace, or the network of a subnet.
pub fn named(name: &str) -> Value {
    json!({"name": name})
}

/// The external name of an observed resource. `None` until it has one.
pub fn external_name(observed: &Value) -> Option<&str> {
    path::get(observed, EXTERNAL_NAME)?.as_str().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::selectors;
    use crate::rule::{Plan, Rule, constant, rule};

    struct NodePool {
        name: &'static str,
        nodes: u8,
    }

    #[rustfmt::skip]
    const GROUP: &[Rule<NodePool>] = &[
        rule(EXTERNAL_NAME, "the pool", &["spec.pools[].name"], |pool| Some(json!(pool.name))),
        constant(MANAGEMENT_POLICIES, "the autoscaler owns the size", NOT_INITIALIZED_LATE),
        rule("spec.initProvider.scalingConfig.desiredSize", "the size to begin with", &["spec.pools[].nodes"], |pool| Some(json!(pool.nodes))),
        rule(PROVIDER_CONFIG, "the platform's", &[], |_| Some(provider_config("ClusterProviderConfig", "default"))),
        rule(CONNECTION_SECRET, "the pool", &["spec.pools[].name"], |pool| Some(named(pool.name))),
    ];

    #[rustfmt::skip]
    const FOR_GROUP: &[Rule<NodePool>] = &[
        constant("region", "always", data!("us-east-1")),
        rule("nodeRoleArnSelector", "the role of nodes", &[], |_| Some(selectors::same_composite(&[("role", "node")]))),
    ];

    #[test]
    fn a_managed_resource() {
        let pool = NodePool { name: "h100", nodes: 2 };
        let plan = Plan::of_kind(("eks.aws.m.upbound.io/v1beta1", "NodeGroup"));
        let plan = plan.and(GROUP, &pool).at(FOR_PROVIDER, FOR_GROUP, &pool);
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
