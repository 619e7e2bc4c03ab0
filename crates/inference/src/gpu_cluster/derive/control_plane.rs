//! The control plane in each cloud.

use serde_json::json;
use toolbox::builders::managed::{FOR_PROVIDER, INIT_PROVIDER};
use toolbox::data;
use toolbox::rule::{Rule, constant, rule};

use super::kinds::{
    ADDONS, AKS_CLUSTERS, CLUSTER_AUTHS, EKS_CLUSTERS, GKE_CLUSTERS, POD_IDENTITY_ASSOCIATIONS, RESOURCE_GROUPS,
};
use super::network::{IN_REGION, aws, pod_identity};
use super::parts::{
    ClusterPart, Each, IN_CLOUD, KUBECONFIG, NAME, ObjectRow, REGION, SAME, region, version, with_role,
};
use super::pools::DEFAULT_POOL;
use crate::clouds::Cloud;
use crate::gpu_cluster::inputs::ClusterInputs;

/// Composition resource name of the control plane on AWS.
pub const EKS_KEY: &str = "ekscluster";
/// Composition resource name of the control plane on Azure and Google Cloud.
pub const KEY: &str = "{n}-cluster";

/// The control plane, and what leads to it.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, EKS)], ..ObjectRow::of(&EKS_CLUSTERS, EKS_KEY, "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), ("", KUBECONFIG), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_CLUSTER)], ..ObjectRow::of(&CLUSTER_AUTHS, "clusterAuth", "{n}") },
    ObjectRow { exists: aws, each: Each::Of(&[("ebs", &["aws-ebs-csi-driver"])]), tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, ADDON), (FOR_PROVIDER, OF_CLUSTER)], ..ObjectRow::of(&ADDONS, "addonEbs", "{n}-{e}") },
    ObjectRow { exists: pod_identity, each: Each::Of(&[("pod-identity", &["eks-pod-identity-agent"])]), tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, ADDON), (FOR_PROVIDER, OF_CLUSTER)], ..ObjectRow::of(&ADDONS, "addonPodIdentity", "{n}-{e}") },
    ObjectRow { exists: pod_identity, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, POD_IDENTITY), (FOR_PROVIDER, OF_CLUSTER)], ..ObjectRow::of(&POD_IDENTITY_ASSOCIATIONS, "podIdentityEbs", "{n}-ebs") },
    ObjectRow { exists: azure, external: "{n}", tables: &[("", IN_CLOUD), (INIT_PROVIDER, NOTHING), (FOR_PROVIDER, LOCATED)], ..ObjectRow::of(&RESOURCE_GROUPS, "{n}-resource-group", "{n}") },
    ObjectRow { exists: azure, external: "{n}", tables: &[("", IN_CLOUD), ("", KUBECONFIG), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, AKS), ("spec.forProvider.defaultNodePool", DEFAULT_POOL)], ..ObjectRow::of(&AKS_CLUSTERS, KEY, "{n}") },
    ObjectRow { exists: google, external: "{n}", tables: &[("", IN_CLOUD), ("", KUBECONFIG), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, GKE)], ..ObjectRow::of(&GKE_CLUSTERS, KEY, "{n}") },
];

/// What belongs to the control plane on AWS.
#[rustfmt::skip]
pub const OF_CLUSTER: &[Rule<ClusterPart>] = &[
    constant("clusterNameSelector", "always: the cluster", SAME),
];

#[rustfmt::skip]
pub(super) const EKS: &[Rule<ClusterPart>] = &[
    constant("bootstrapSelfManagedAddons", "always: the network of pods is the cloud's", data!(true)),
    rule("version", "the version, else the cloud's latest", VERSION, version),
    rule("roleArnSelector", "the role of the control plane", NAME, |p| Some(with_role(p, "controlplane"))),
    constant("vpcConfig", "always: nodes reach it inside the network, and people from outside", data!({"endpointPrivateAccess": true, "endpointPublicAccess": true, "subnetIdSelector": SAME})),
];

#[rustfmt::skip]
pub(super) const ADDON: &[Rule<ClusterPart>] = &[
    rule("addonName", "what volumes need", &[], |p| Some(json!(p.text(0)))),
];

#[rustfmt::skip]
pub(super) const POD_IDENTITY: &[Rule<ClusterPart>] = &[
    constant("namespace", "always: where the EBS add-on is", data!("kube-system")),
    constant("serviceAccount", "always: that of the EBS add-on", data!("ebs-csi-controller-sa")),
    rule("roleArnSelector", "the role with rights for volumes", NAME, |p| Some(with_role(p, "ebs"))),
];

#[rustfmt::skip]
pub(super) const LOCATED: &[Rule<ClusterPart>] = &[
    rule("location", "the region, else the usual one", REGION, region),
];

/// Live resource groups have it, and it says nothing.
#[rustfmt::skip]
pub(super) const NOTHING: &[Rule<ClusterPart>] = &[
    constant("", "always: empty", data!({})),
];

#[rustfmt::skip]
pub(super) const AKS: &[Rule<ClusterPart>] = &[
    rule("resourceGroupName", "the cluster's own resource group", NAME, |p| Some(json!(p.of.name))),
    constant("dnsPrefix", "always: the cloud appends a hash", data!("dot")),
    rule("kubernetesVersion", "the version, else the cloud's latest", VERSION, version),
    constant("identity", "always: the cluster's own", data!({"type": "SystemAssigned"})),
    constant("networkProfile", "always: the network of pods is Cilium's", data!({"networkPlugin": "none"})),
];

#[rustfmt::skip]
pub(super) const GKE: &[Rule<ClusterPart>] = &[
    constant("deletionProtection", "always: who deletes the composite means it", data!(false)),
    constant("initialNodeCount", "always: the pool that the cloud makes is removed at once", data!(1)),
    constant("removeDefaultNodePool", "always: the nodes are in a pool of their own", data!(true)),
    rule("minMasterVersion", "the version, else the cloud's latest", VERSION, version),
    constant("clusterAutoscaling", "always: what the cloud adds looks after itself", data!({"autoProvisioningDefaults": {"management": {"autoRepair": true, "autoUpgrade": true}}})),
    rule("addonsConfig", "Envoy Gateway takes its place", &["spec.parameters.apps.envoyGateway.enabled"], |p| p.of.parameters.apps.envoy_gateway.enabled.then(|| json!({"httpLoadBalancing": {"disabled": true}}))),
];

/// The version of Kubernetes, as a cause.
pub const VERSION: &[&str] = &["spec.parameters.version"];

/// Whether the cluster is on Azure.
pub fn azure(of: &ClusterInputs) -> bool {
    of.provider == Cloud::Azure
}

/// Whether the cluster is on Google Cloud.
pub fn google(of: &ClusterInputs) -> bool {
    of.provider == Cloud::Google
}
