//! The fields of the kind.

#[cfg(feature = "generate")]
use schemars::JsonSchema;
use serde::Deserialize;

#[cfg(feature = "generate")]
pub(super) use self::status::ClusterStatus;
use crate::modelplane::platform::credentials::Credentials;

#[cfg(feature = "generate")]
mod status;

/// A GPU cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", schemars(transform = toolbox::structural::rule(
    "self.cluster.source != 'Nebius' || !has(self.nodePools) || self.nodePools.all(p, !has(p.fabric) || p.fabric.type != 'InfiniBand' || has(p.fabric.infiniband))",
    "fabric.infiniband is required when fabric.type is InfiniBand and cluster.source is Nebius.",
)))]
pub struct ClusterSpec {
    /// Where the cluster comes from.
    pub cluster: ClusterSource,

    /// Taints keep models away that do not tolerate them, as those of nodes do with pods. `NoSchedule` keeps new replicas
    /// away. `NoExecute` also moves those that run to other clusters, as before maintenance.
    #[cfg_attr(feature = "generate", schemars(transform = toolbox::structural::list_map("key effect")))]
    pub taints: Option<Vec<Taint>>,

    /// Its node pools with GPUs. Pools for other components are created too.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = toolbox::structural::list_map("name")))]
    pub node_pools: Option<Vec<NodePool>>,

    /// What admits pods on the cluster, besides Kubernetes itself.
    pub scheduler: Option<ClusterScheduler>,
}

/// What admits pods on a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub struct ClusterScheduler {
    /// `kai` and `kueue`: the cluster has it, with a queue `modelplane-<namespace>` for each namespace with deployments, and
    /// pods of new and of running replicas go through that queue. `managed-kai` and `managed-kueue` ask for its installation
    /// too. `none`, and `auto` until it is settled: nothing. An earlier version of the API wrote `KAI`, `Kueue` and `None`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["managed-kai", "kai", "managed-kueue", "kueue", "none", "auto", "KAI", "Kueue", "None"])))]
    pub scheduler_type: Option<String>,
}

/// Where a cluster comes from. The block of its source is required.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[cfg_attr(feature = "generate", schemars(
    transform = toolbox::structural::rule("self.source != 'Existing' || has(self.existing)", "spec.cluster.existing is required when spec.cluster.source is Existing."),
    transform = toolbox::structural::rule("self.source != 'GKE' || has(self.gke)", "spec.cluster.gke is required when spec.cluster.source is GKE."),
    transform = toolbox::structural::rule("self.source != 'EKS' || has(self.eks)", "spec.cluster.eks is required when spec.cluster.source is EKS."),
    transform = toolbox::structural::rule("self.source != 'AKS' || has(self.aks)", "spec.cluster.aks is required when spec.cluster.source is AKS."),
    transform = toolbox::structural::rule("self.source != 'Nebius' || has(self.nebius)", "spec.cluster.nebius is required when spec.cluster.source is Nebius."),
    transform = toolbox::structural::rule("self.source != 'Vultr' || has(self.vultr)", "spec.cluster.vultr is required when spec.cluster.source is Vultr."),
))]
pub struct ClusterSource {
    /// The cloud that creates the cluster, or `Existing`.
    #[cfg_attr(feature = "generate", schemars(
        extend("enum" = ["GKE", "EKS", "AKS", "Nebius", "Vultr", "Existing"]),
        transform = toolbox::structural::rule("self == oldSelf", "spec.cluster.source cannot change: the cluster would be deleted for another one."),
    ))]
    pub source: String,
    /// A cluster that exists. What serves models is installed on it, and nothing else.
    pub existing: Option<ExistingCluster>,
    /// A cluster in Google Kubernetes Engine.
    pub gke: Option<GkeCluster>,
    /// A cluster in Amazon EKS.
    pub eks: Option<EksCluster>,
    /// A cluster in Azure Kubernetes Service.
    pub aks: Option<AksCluster>,
    /// A cluster in Nebius Managed Kubernetes. It may be empty. The project, and with it the region, is that of the provider
    /// configuration.
    pub nebius: Option<NebiusCluster>,
    /// A cluster in Vultr Kubernetes Engine.
    pub vultr: Option<VultrCluster>,
}

/// A cluster that exists.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExistingCluster {
    /// The Secret with its kubeconfig, in the namespace `modelplane-system`.
    pub secret_ref: KubeconfigSecret,
    /// A Secret with an identity in the cloud of the cluster, in the namespace `modelplane-system`.
    pub identity_secret_ref: Option<IdentitySecret>,
    /// Settings for ModelCaches.
    pub cache: Option<ExistingCache>,
}

/// A Secret with a kubeconfig.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub struct KubeconfigSecret {
    /// Name of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub name: String,
    /// Key of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253), extend("default" = "kubeconfig")))]
    pub key: Option<String>,
}

/// A Secret with an identity in a cloud.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub struct IdentitySecret {
    /// Name of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub name: String,
    /// Key of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253), extend("default" = "private_key")))]
    pub key: Option<String>,
    /// What the identity is. It must be one of the cluster's cloud.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "generate", schemars(extend(
        "default" = "GoogleApplicationCredentials",
        "enum" = ["GoogleApplicationCredentials", "AWSWebIdentityCredentials", "NebiusServiceAccountCredentials"],
    )))]
    pub identity_type: Option<String>,
}

/// Settings for ModelCaches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExistingCache {
    /// A StorageClass of the cluster with `ReadWriteMany`. Without it there are no caches on the cluster.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub storage_class_name: Option<String>,
}

/// A cluster in Google Kubernetes Engine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GkeCluster {
    /// Region, e.g. `us-central1`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub region: String,
    /// Project in Google Cloud. Without it, that of the credentials.
    #[cfg_attr(feature = "generate", schemars(length(min = 6, max = 30)))]
    pub project: Option<String>,
    /// Version of Kubernetes.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "1.35")))]
    pub kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Google Cloud.
    pub credentials: Option<Credentials>,
}

/// A cluster in Amazon EKS.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EksCluster {
    /// Region, e.g. `us-west-2`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub region: String,
    /// Version of Kubernetes.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "1.36")))]
    pub kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for AWS.
    pub credentials: Option<Credentials>,
}

/// A cluster in Azure Kubernetes Service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AksCluster {
    /// Region, e.g. `westeurope`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub location: String,
    /// Version of Kubernetes.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "1.34")))]
    pub kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Azure.
    pub credentials: Option<Credentials>,
}

/// A cluster in Nebius Managed Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NebiusCluster {
    /// Version of Kubernetes.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "1.34")))]
    pub kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Nebius.
    pub credentials: Option<Credentials>,
}

/// A cluster in Vultr Kubernetes Engine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VultrCluster {
    /// Region, e.g. `ewr`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub region: String,
    /// Version of Kubernetes, as Vultr writes it, with the suffix.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "v1.36.1+3")))]
    pub kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Vultr.
    pub credentials: Option<Credentials>,
}

/// A taint of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub struct Taint {
    /// Its key.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub key: String,
    /// Its value.
    pub value: Option<String>,
    /// What it does to models that do not tolerate it.
    pub effect: TaintEffect,
}

/// What a taint does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub enum TaintEffect {
    /// New replicas stay away.
    NoSchedule,
    /// New replicas stay away, and those that run move to other clusters.
    NoExecute,
}

/// A node pool with GPUs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", schemars(transform = toolbox::structural::rule("has(self.className) || has(self.class)", "className is required")))]
pub struct NodePool {
    /// Its name. Nodes carry it in the label `modelplane.ai/pool`.
    #[cfg_attr(feature = "generate", schemars(length(max = 40)))]
    pub name: String,

    /// Name of the InferenceClass that says what nodes it has.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub class_name: Option<String>,

    /// Before it was called `className`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub class: Option<String>,

    /// Number of nodes. Where the pool grows and shrinks, the number that it starts with.
    #[cfg_attr(feature = "generate", schemars(range(min = 0), extend("default" = 1)))]
    pub node_count: Option<u32>,

    /// The smallest number of nodes, where the pool grows and shrinks.
    #[cfg_attr(feature = "generate", schemars(range(min = 0)))]
    pub min_node_count: Option<u32>,

    /// The largest number of nodes. Leave it out for a pool of fixed size. Models are placed up to this number.
    #[cfg_attr(feature = "generate", schemars(range(min = 1)))]
    pub max_node_count: Option<u32>,

    /// Before it was called `maxNodeCount`.
    #[cfg_attr(feature = "generate", schemars(range(min = 1)))]
    pub max_nodes: Option<u32>,

    /// The zones of its nodes. GKE and EKS need at least one, because not every zone has every GPU.
    pub zones: Option<Vec<String>>,

    /// A Capacity Block of AWS that the nodes come from. The zones must be the one of the block, and `nodeCount` at most the
    /// number of instances in it. Only with `source: EKS`.
    pub capacity_block: Option<CapacityBlock>,

    /// The fabric between nodes, for engines with several. Without it they talk over TCP.
    pub fabric: Option<Fabric>,
}

/// A Capacity Block of AWS.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CapacityBlock {
    /// Its reservation, e.g. `cr-0123456789abcdef0`.
    #[cfg_attr(feature = "generate", schemars(length(min = 4, max = 64), regex(pattern = "^cr-[0-9a-f]+$")))]
    pub capacity_reservation_id: String,
}

/// A fabric between nodes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
#[cfg_attr(feature = "generate", schemars(transform = toolbox::structural::rule(
    "!has(self.infiniband) || self.type == 'InfiniBand'",
    "fabric.infiniband is only valid when fabric.type is InfiniBand.",
)))]
pub struct Fabric {
    /// What the fabric is.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "generate", schemars(extend("default" = "None")))]
    pub fabric_type: Option<FabricType>,
    /// The InfiniBand fabric. Nebius needs it, AKS does not use it.
    pub infiniband: Option<InfiniBand>,
}

/// The kind of a fabric.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub enum FabricType {
    /// The network of the cloud, with TCP.
    None,
    /// Elastic Fabric Adapter, with `source: EKS` and instances that have it, such as `p5en.48xlarge`. Pods claim its devices.
    #[serde(rename = "EFA")]
    Efa,
    /// InfiniBand, with `source: Nebius` or `source: AKS` and nodes that have it.
    InfiniBand,
}

impl FabricType {
    /// As clusters have it.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Efa => "EFA",
            Self::InfiniBand => "InfiniBand",
        }
    }
}

/// A fabric of InfiniBand.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(JsonSchema))]
pub struct InfiniBand {
    /// The fabric of Nebius where the capacity is, e.g. `fabric-2`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub fabric: String,
}
