//! The fields of the kind. Only its schema is generated from these types: nothing reads a cluster as a whole.

#![expect(dead_code, reason = "only the schemas of the types are used")]

use schemars::JsonSchema;
use toolbox::structural::{list_map, rule};

pub(super) use self::status::ClusterStatus;

mod status;

/// A GPU cluster.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = rule(
    "self.cluster.source != 'Nebius' || !has(self.nodePools) || self.nodePools.all(p, !has(p.fabric) || p.fabric.type != 'InfiniBand' || has(p.fabric.infiniband))",
    "fabric.infiniband is required when fabric.type is InfiniBand and cluster.source is Nebius.",
))]
pub(super) struct ClusterSpec {
    /// Where the cluster comes from.
    cluster: ClusterSource,

    /// Taints keep models away that do not tolerate them, as those of nodes do with pods. `NoSchedule` keeps new replicas
    /// away. `NoExecute` also moves those that run to other clusters, as before maintenance.
    #[schemars(transform = list_map("key effect"))]
    taints: Option<Vec<Taint>>,

    /// Its node pools with GPUs. Pools for other components are created too.
    #[schemars(length(min = 1, max = 8), transform = list_map("name"))]
    node_pools: Option<Vec<NodePool>>,

    /// What admits pods on the cluster, besides Kubernetes itself.
    scheduler: Option<ClusterScheduler>,
}

#[derive(JsonSchema)]
struct ClusterScheduler {
    /// `kai` and `kueue`: the cluster has it, with a queue `modelplane-<namespace>` for each namespace with deployments, and
    /// pods of new and of running replicas go through that queue. `managed-kai` and `managed-kueue` ask for its installation
    /// too. `none`, and `auto` until it is settled: nothing. An earlier version of the API wrote `KAI`, `Kueue` and `None`.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["managed-kai", "kai", "managed-kueue", "kueue", "none", "auto", "KAI", "Kueue", "None"]))]
    scheduler_type: Option<String>,
}

/// Where a cluster comes from. The block of its source is required.
#[derive(JsonSchema)]
#[schemars(
    transform = rule("self.source != 'Existing' || has(self.existing)", "spec.cluster.existing is required when spec.cluster.source is Existing."),
    transform = rule("self.source != 'GKE' || has(self.gke)", "spec.cluster.gke is required when spec.cluster.source is GKE."),
    transform = rule("self.source != 'EKS' || has(self.eks)", "spec.cluster.eks is required when spec.cluster.source is EKS."),
    transform = rule("self.source != 'AKS' || has(self.aks)", "spec.cluster.aks is required when spec.cluster.source is AKS."),
    transform = rule("self.source != 'Nebius' || has(self.nebius)", "spec.cluster.nebius is required when spec.cluster.source is Nebius."),
    transform = rule("self.source != 'Vultr' || has(self.vultr)", "spec.cluster.vultr is required when spec.cluster.source is Vultr."),
)]
struct ClusterSource {
    /// The cloud that creates the cluster, or `Existing`.
    #[schemars(extend("enum" = ["GKE", "EKS", "AKS", "Nebius", "Vultr", "Existing"]))]
    source: String,
    /// A cluster that exists. What serves models is installed on it, and nothing else.
    existing: Option<ExistingCluster>,
    /// A cluster in Google Kubernetes Engine.
    gke: Option<GkeCluster>,
    /// A cluster in Amazon EKS.
    eks: Option<EksCluster>,
    /// A cluster in Azure Kubernetes Service.
    aks: Option<AksCluster>,
    /// A cluster in Nebius Managed Kubernetes. It may be empty. The project, and with it the region, is that of the provider
    /// configuration.
    nebius: Option<NebiusCluster>,
    /// A cluster in Vultr Kubernetes Engine.
    vultr: Option<VultrCluster>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExistingCluster {
    /// The Secret with its kubeconfig, in the namespace `modelplane-system`.
    secret_ref: KubeconfigSecret,
    /// A Secret with an identity in the cloud of the cluster, in the namespace `modelplane-system`.
    identity_secret_ref: Option<IdentitySecret>,
    /// Settings for ModelCaches.
    cache: Option<ExistingCache>,
}

#[derive(JsonSchema)]
struct KubeconfigSecret {
    /// Name of the Secret.
    #[schemars(length(min = 1, max = 253))]
    name: String,
    /// Key of the Secret.
    #[schemars(length(min = 1, max = 253), extend("default" = "kubeconfig"))]
    key: Option<String>,
}

#[derive(JsonSchema)]
struct IdentitySecret {
    /// Name of the Secret.
    #[schemars(length(min = 1, max = 253))]
    name: String,
    /// Key of the Secret.
    #[schemars(length(min = 1, max = 253), extend("default" = "private_key"))]
    key: Option<String>,
    /// What the identity is. It must be one of the cluster's cloud.
    #[serde(rename = "type")]
    #[schemars(extend(
        "default" = "GoogleApplicationCredentials",
        "enum" = ["GoogleApplicationCredentials", "AWSWebIdentityCredentials", "NebiusServiceAccountCredentials"],
    ))]
    identity_type: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExistingCache {
    /// A StorageClass of the cluster with `ReadWriteMany`. Without it there are no caches on the cluster.
    #[schemars(length(min = 1, max = 253))]
    storage_class_name: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GkeCluster {
    /// Region, e.g. `us-central1`.
    #[schemars(length(min = 1, max = 32))]
    region: String,
    /// Project in Google Cloud. Without it, that of the credentials.
    #[schemars(length(min = 6, max = 30))]
    project: Option<String>,
    /// Version of Kubernetes.
    #[schemars(extend("default" = "1.35"))]
    kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Google Cloud.
    credentials: Option<Credentials>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EksCluster {
    /// Region, e.g. `us-west-2`.
    #[schemars(length(min = 1, max = 32))]
    region: String,
    /// Version of Kubernetes.
    #[schemars(extend("default" = "1.36"))]
    kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for AWS.
    credentials: Option<Credentials>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AksCluster {
    /// Region, e.g. `westeurope`.
    #[schemars(length(min = 1, max = 32))]
    location: String,
    /// Version of Kubernetes.
    #[schemars(extend("default" = "1.34"))]
    kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Azure.
    credentials: Option<Credentials>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NebiusCluster {
    /// Version of Kubernetes.
    #[schemars(extend("default" = "1.34"))]
    kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Nebius.
    credentials: Option<Credentials>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct VultrCluster {
    /// Region, e.g. `ewr`.
    #[schemars(length(min = 1, max = 32))]
    region: String,
    /// Version of Kubernetes, as Vultr writes it, with the suffix.
    #[schemars(extend("default" = "v1.36.1+3"))]
    kubernetes_version: Option<String>,
    /// The provider configuration with the credentials for Vultr.
    credentials: Option<Credentials>,
}

#[derive(JsonSchema)]
struct Credentials {
    /// Kind of the provider configuration.
    #[serde(rename = "type")]
    #[schemars(extend("default" = "ClusterProviderConfig", "enum" = ["ProviderConfig", "ClusterProviderConfig"]))]
    config_kind: Option<String>,
    /// Its name.
    #[schemars(length(min = 1, max = 253), extend("default" = "default"))]
    name: Option<String>,
}

#[derive(JsonSchema)]
struct Taint {
    /// Its key.
    #[schemars(length(min = 1))]
    key: String,
    /// Its value.
    value: Option<String>,
    /// What it does to models that do not tolerate it.
    effect: TaintEffect,
}

#[derive(JsonSchema)]
enum TaintEffect {
    /// New replicas stay away.
    NoSchedule,
    /// New replicas stay away, and those that run move to other clusters.
    NoExecute,
}

/// A node pool with GPUs.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = rule("has(self.className) || has(self.class)", "className is required"))]
struct NodePool {
    /// Its name. Nodes carry it in the label `modelplane.ai/pool`.
    #[schemars(length(max = 40))]
    name: String,

    /// Name of the InferenceClass that says what nodes it has.
    #[schemars(length(min = 1, max = 253))]
    class_name: Option<String>,

    /// Before it was called `className`.
    #[schemars(length(min = 1, max = 253))]
    class: Option<String>,

    /// Number of nodes. Where the pool grows and shrinks, the number that it starts with.
    #[schemars(range(min = 0), extend("default" = 1))]
    node_count: Option<u32>,

    /// The smallest number of nodes, where the pool grows and shrinks.
    #[schemars(range(min = 0))]
    min_node_count: Option<u32>,

    /// The largest number of nodes. Leave it out for a pool of fixed size. Models are placed up to this number.
    #[schemars(range(min = 1))]
    max_node_count: Option<u32>,

    /// Before it was called `maxNodeCount`.
    #[schemars(range(min = 1))]
    max_nodes: Option<u32>,

    /// The zones of its nodes. GKE and EKS need at least one, because not every zone has every GPU.
    zones: Option<Vec<String>>,

    /// A Capacity Block of AWS that the nodes come from. The zones must be the one of the block, and `nodeCount` at most the
    /// number of instances in it. Only with `source: EKS`.
    capacity_block: Option<CapacityBlock>,

    /// The fabric between nodes, for engines with several. Without it they talk over TCP.
    fabric: Option<Fabric>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CapacityBlock {
    /// Its reservation, e.g. `cr-0123456789abcdef0`.
    #[schemars(length(min = 4, max = 64), regex(pattern = "^cr-[0-9a-f]+$"))]
    capacity_reservation_id: String,
}

#[derive(JsonSchema)]
#[schemars(transform = rule(
    "!has(self.infiniband) || self.type == 'InfiniBand'",
    "fabric.infiniband is only valid when fabric.type is InfiniBand.",
))]
struct Fabric {
    /// What the fabric is.
    #[serde(rename = "type")]
    #[schemars(extend("default" = "None"))]
    fabric_type: Option<FabricType>,
    /// The InfiniBand fabric. Nebius needs it, AKS does not use it.
    infiniband: Option<InfiniBand>,
}

#[derive(JsonSchema)]
enum FabricType {
    /// The network of the cloud, with TCP.
    None,
    /// Elastic Fabric Adapter, with `source: EKS` and instances that have it, such as `p5en.48xlarge`. Pods claim its devices.
    #[serde(rename = "EFA")]
    Efa,
    /// InfiniBand, with `source: Nebius` or `source: AKS` and nodes that have it.
    InfiniBand,
}

#[derive(JsonSchema)]
struct InfiniBand {
    /// The fabric of Nebius where the capacity is, e.g. `fabric-2`.
    #[schemars(length(min = 1, max = 63))]
    fabric: String,
}
