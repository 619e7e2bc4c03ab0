//! Derives every value. Objects, the output of `explain` and the documentation are all made from the tables here: a file for
//! each area, with a row for each object and a table of rules for each kind of object.

use serde_json::{Value, json};
use toolbox::rule::{Rule, Table, rule};

use self::parts::{ClusterPart, ObjectRow, some_text};
use super::inputs::{ChosenBy, ClusterInputs};

pub mod access;
pub mod apps;
pub mod control_plane;
pub mod kinds;
pub mod network;
pub mod objects;
pub mod parts;
pub mod pools;
pub mod usages;
pub mod vllm;

/// The rows of all areas. Usages follow from them.
pub const AREAS: [&[ObjectRow]; 7] =
    [control_plane::ROWS, pools::ROWS, network::ROWS, access::ROWS, apps::ROWS, objects::ROWS, vllm::ROWS];

/// What people call the areas. Usages are an area of their own.
pub const AREA_NAMES: [&str; 6] = ["network", "control plane", "pools", "access", "software", "order of deletion"];

/// The area of Usages: an index in [`AREA_NAMES`].
const DELETION: usize = 5;

/// The areas of the rows, as in [`AREAS`]: indexes in [`AREA_NAMES`].
const AREA_OF_ROWS: [usize; AREAS.len()] = [1, 2, 0, 3, 4, 4, 4];

/// The area of a composed resource. `None` when no row has such a key.
pub fn area(composite: &Value, key: &str, object: &Value) -> Option<usize> {
    if object["kind"] == kinds::USAGES.kind {
        return Some(DELETION);
    }
    let name = composite["metadata"]["name"].as_str().unwrap_or_default();
    let found = AREAS.iter().zip(AREA_OF_ROWS).find(|(rows, _)| rows.iter().any(|row| row.may_have(name, key)));
    found.map(|(_, area)| area)
}

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<ClusterInputs>] = &[
    rule("provider", "the platform's options", &["input.cluster.provider"], |i| chosen(i, ChosenBy::Options)),
    rule("provider", "the label `provider` that the composite selects", &["spec.crossplane.compositionSelector.matchLabels.provider"], |i| chosen(i, ChosenBy::Selector)),
    rule("provider", "the label `cluster` that the composite selects: `eks`, `aks` or `gke`", &["spec.crossplane.compositionSelector.matchLabels.cluster"], |i| chosen(i, ChosenBy::Service)),
    rule("provider", "the name of the Composition, after `cluster-`", &["spec.crossplane.compositionRef.name"], |i| chosen(i, ChosenBy::Composition)),
    rule("provider", "always, when nothing says another", &[], |i| chosen(i, ChosenBy::Nothing)),
    rule("clusterName", "the composite", &["metadata.name"], |i| Some(json!(i.name))),
    rule("controlPlaneStatus", "what the provider says of the control plane", &[], |i| known(&i.seen.control_plane)),
    rule("nodePoolStatus", "what the provider says of the general nodes", &[], |i| known(&i.seen.node_pool)),
    rule("gpuNodePoolStatus", "what the provider says of the nodes with GPUs", &["spec.parameters.gpu.enabled"], |i| known(&i.seen.gpu_pool)),
    rule("field1", "the range of pods, which Cilium is told", &[], |i| known(&i.seen.pod_range)),
];

fn chosen(inputs: &ClusterInputs, by: ChosenBy) -> Option<Value> {
    (inputs.chosen_by == by).then(|| inputs.provider.as_str().into())
}

fn known(text: &Option<String>) -> Option<Value> {
    text.as_deref().and_then(some_text)
}

/// A table with its subject, and the word for what it is about one of.
type Listed = (&'static str, &'static str, &'static [Rule<ClusterPart>]);

/// The tables in the order of the documentation.
#[rustfmt::skip]
const TABLES: &[Listed] = &[
    ("every object", "", parts::NAMED),
    ("every object in a cloud", "", parts::IN_CLOUD),
    ("every object of EC2 and EKS", "", network::IN_REGION),
    ("every object on the new cluster", "", parts::ON_CLUSTER),
    ("objects that are left behind", "", parts::LEFT_BEHIND),
    ("objects with the kubeconfig", "", parts::KUBECONFIG),
    ("EKS Cluster", "", control_plane::EKS),
    ("objects of the control plane on EKS", "", control_plane::OF_CLUSTER),
    ("Addon", "add-on", control_plane::ADDON),
    ("PodIdentityAssociation", "", control_plane::POD_IDENTITY),
    ("ResourceGroup and control plane on Azure and Google Cloud", "", control_plane::LOCATED),
    ("ResourceGroup, initially", "", control_plane::NOTHING),
    ("KubernetesCluster", "", control_plane::AKS),
    ("KubernetesCluster, general nodes", "", pools::DEFAULT_POOL),
    ("GKE Cluster", "", control_plane::GKE),
    ("every NodeGroup", "", pools::NODE_GROUP),
    ("general NodeGroup", "", pools::GENERAL_GROUP),
    ("NodeGroup with GPUs", "", pools::GPU_GROUP),
    ("KubernetesClusterNodePool", "", pools::AKS_GPU_POOL),
    ("every NodePool", "", pools::GKE_POOL),
    ("general NodePool", "", pools::GENERAL_POOL),
    ("NodePool with GPUs", "", pools::GKE_GPU_POOL),
    ("VPC", "", network::VPC),
    ("objects in the VPC", "", network::IN_VPC),
    ("objects of the RouteTable", "", network::OF_ROUTE_TABLE),
    ("SecurityGroup", "", network::SECURITY_GROUP),
    ("SecurityGroupRule", "", network::SECURITY_GROUP_RULE),
    ("Route", "", network::ROUTE),
    ("RouteTableAssociation", "zone", network::OF_SUBNET),
    ("Subnet, metadata", "zone", network::PUBLIC),
    ("Subnet", "zone", network::SUBNET),
    ("Role, metadata", "role", network::ROLE_LABEL),
    ("Role", "role", network::ROLE),
    ("RolePolicyAttachment", "policy", network::ATTACHMENT),
    ("ProviderConfig", "", access::WITH_KUBECONFIG),
    ("ProviderConfig of Crossplane's own cluster", "", access::HERE),
    ("Release", "release", apps::RELEASE),
    ("values of Argo CD", "", apps::ARGO_CD),
    ("values of OpenFunction", "", apps::OPENFUNCTION),
    ("values of External Secrets Operator", "", apps::EXTERNAL_SECRETS),
    ("values of GPU Operator", "", apps::GPU_OPERATOR),
    ("Cilium on Azure", "", apps::CILIUM_ON_AZURE),
    ("Cilium on Google Cloud", "", apps::CILIUM_ON_GOOGLE),
    ("Cilium", "", apps::CILIUM),
    ("values of Envoy Gateway", "", apps::ENVOY_GATEWAY),
    ("Namespace", "namespace", objects::NAMESPACE),
    ("Secret with credentials", "", objects::CREDENTIALS),
    ("Object of the Secret with credentials", "", objects::REFERENCES),
    ("ClusterSecretStore", "", objects::STORE),
    ("Object of the ClusterSecretStore", "", objects::PROJECT),
    ("ExternalSecret", "secret", objects::SECRET),
    ("Application", "", objects::APPLICATION),
    ("GatewayClass", "", objects::GATEWAY_CLASS),
    ("Gateway", "", objects::GATEWAY),
    ("PodMonitor", "", objects::POD_MONITOR),
    ("CustomResourceDefinition", "definition", vllm::DEFINITION),
    ("Namespace of the vLLM operator", "", vllm::NAMESPACE),
    ("ServiceAccount of the vLLM operator", "", vllm::IN_NAMESPACE),
    ("Role of the vLLM operator", "", vllm::LEADER),
    ("RoleBinding of the vLLM operator", "", vllm::LEADER_BINDING),
    ("ClusterRole of the vLLM operator", "", vllm::MANAGER),
    ("ClusterRoleBinding of the vLLM operator", "", vllm::MANAGER_BINDING),
    ("ClusterRole for its metrics", "", vllm::METRICS_AUTH),
    ("ClusterRoleBinding for its metrics", "", vllm::METRICS_BINDING),
    ("ClusterRole of readers of its metrics", "", vllm::METRICS_READER),
    ("Service of the vLLM operator", "", vllm::SERVICE),
    ("Deployment of the vLLM operator", "", vllm::DEPLOYMENT),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let parts = TABLES.iter().map(|&(subject, each, rules)| {
        let each = Some(each).filter(|word| !word.is_empty());
        Table { each, ..Table::of(subject, rules) }
    });
    parts.chain([Table::each("Usage", usages::USAGE), Table::of("status", STATUS)]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every table of a row is documented.
    #[test]
    fn every_table_is_listed() {
        let listed: Vec<_> = TABLES.iter().map(|table| table.2.as_ptr()).collect();
        for row in AREAS.iter().flat_map(|rows| rows.iter()) {
            for table in row.tables.iter().map(|table| table.1).chain(row.wraps.map(|wraps| wraps.1)) {
                let stated: Vec<_> = table.iter().map(|rule| rule.stated).collect();
                let same = |other: &Listed| other.2.iter().map(|rule| rule.stated).eq(stated.iter().copied());
                assert!(TABLES.iter().any(same), "{}: a table is not listed among {}", row.key, listed.len());
            }
        }
    }

    /// What the kind says that it composes and wraps is what its rows are of. From it come the rights.
    #[test]
    fn rows_are_of_the_stated_kinds() {
        let rows = || AREAS.iter().flat_map(|rows| rows.iter());
        let name = |kind: &contract::catalog::ApiResource| (kind.api_version, kind.kind);
        let composed: BTreeSet<_> = rows().map(|row| name(row.kind)).chain([name(&kinds::USAGES)]).collect();
        assert_eq!(composed, kinds::COMPOSED.iter().map(name).collect());
        let wrapped: BTreeSet<_> = rows().filter_map(|row| row.wraps).map(|wraps| name(wraps.0)).collect();
        assert_eq!(wrapped, kinds::WRAPPED.iter().map(name).collect());
        let namespaced = |kind: &contract::catalog::ApiResource| kind.scope == contract::catalog::Scope::Namespaced;
        assert!(kinds::COMPOSED.iter().all(namespaced), "a namespaced composite composes nothing cluster-scoped");
    }
}
