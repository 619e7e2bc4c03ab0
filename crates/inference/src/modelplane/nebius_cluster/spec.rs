//! The fields that a composite may have, and those of the status.

use serde::Deserialize;

use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::pools::{NodeCounts, PoolRole};

/// A cluster in Nebius Managed Kubernetes. Its project, and with it its region, is that of the credentials.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct NebiusClusterSpec {
    /// Version of Kubernetes. Nebius must have it, and devices can be claimed in it.
    #[serde(default = "version")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16)))]
    pub kubernetes_version: String,

    /// The provider configuration with the credentials for Nebius. It also says the project, and so where the cluster is.
    pub credentials: Option<Credentials>,

    /// Its node groups. A small one for everything without GPUs is made besides.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = toolbox::structural::list_map("name")))]
    pub node_pools: Vec<NebiusNodePool>,
}

/// A node group.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(
        transform = crate::modelplane::platform::pools::gpu_with_role(),
        transform = crate::modelplane::platform::pools::largest_with_smallest()
    )
)]
pub struct NebiusNodePool {
    /// Its name. Nodes carry it in the label `modelplane.ai/pool`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 40)))]
    pub name: String,

    /// What it is for.
    pub role: PoolRole,

    /// Platform of its machines, e.g. `gpu-h100-sxm`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub platform: String,

    /// Preset of the platform, e.g. `8gpu-128vcpu-1600gb`. It decides how many GPUs a node has, and its CPUs and memory.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub preset: String,

    /// Size of the disk of each node, in GiB.
    #[serde(default = "disk")]
    #[cfg_attr(feature = "generate", schemars(range(min = 10, max = 65536)))]
    pub disk_size_gb: u32,

    /// Number of nodes. With `maxNodeCount`, the number to begin with.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub node_count: u32,

    /// The smallest number of nodes. Without it, `nodeCount`.
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub min_node_count: Option<u32>,

    /// The largest number of nodes. Without it, the group does not grow.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1000)))]
    pub max_node_count: Option<u32>,

    /// Its GPUs.
    pub gpu: Option<NebiusGpu>,

    /// The network between nodes, for engines with several.
    pub fabric: Option<NebiusFabric>,
}

impl NebiusNodePool {
    /// How many nodes it has.
    pub fn counts(&self) -> NodeCounts {
        NodeCounts { first: self.node_count, least: self.min_node_count, most: self.max_node_count }
    }

    /// The InfiniBand fabric that its nodes are in.
    pub fn infiniband(&self) -> Option<&str> {
        let fabric = self.fabric.as_ref().filter(|fabric| fabric.fabric_type == NebiusFabricType::InfiniBand)?;
        Some(fabric.infiniband.as_ref()?.fabric.as_str())
    }
}

/// The GPUs of a node group. Platform and preset decide which they are, and how many.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct NebiusGpu {
    /// Their type, e.g. `nvidia-h100`. Nodes carry it in the label `modelplane.ai/gpu`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub accelerator_type: String,

    /// The driver that Nebius installs, e.g. `cuda13.0`. Platform and version of Kubernetes decide which there are.
    #[serde(default = "drivers")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub drivers_preset: String,
}

/// The network between nodes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(
        transform = toolbox::structural::rule("self.type != 'InfiniBand' || has(self.infiniband)", "fabric.infiniband is required when fabric.type is InfiniBand."),
        transform = toolbox::structural::rule("!has(self.infiniband) || self.type == 'InfiniBand'", "fabric.infiniband is only valid when fabric.type is InfiniBand.")
    )
)]
pub struct NebiusFabric {
    /// What it is.
    #[serde(rename = "type", default)]
    #[cfg_attr(feature = "generate", schemars(with = "NebiusFabricType", extend("default" = "None")))]
    pub fabric_type: NebiusFabricType,

    /// Which fabric it is.
    pub infiniband: Option<NebiusInfiniBand>,
}

/// What the network between nodes is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum NebiusFabricType {
    /// That of the project, with TCP.
    #[default]
    None,
    /// InfiniBand, on platforms that have it, such as `gpu-h100-sxm`. The nodes are in a GPU cluster on the fabric.
    InfiniBand,
}

/// An InfiniBand fabric.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct NebiusInfiniBand {
    /// The fabric where the capacity is, e.g. `fabric-2`. It exists at Nebius; none is made.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub fabric: String,
}

/// What other kinds need to know of the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct NebiusClusterStatus {
    /// The Secrets that lead to the cluster.
    secrets: Option<Vec<NebiusSecret>>,
    /// The storage for ModelCaches.
    cache: Option<crate::modelplane::platform::published::PublishedStorage>,
}

/// A Secret that leads to the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct NebiusSecret {
    /// What is in it.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["Kubeconfig", "NebiusServiceAccountCredentials"]))]
    secret_type: String,
    /// Its name.
    #[schemars(length(max = 253))]
    name: String,
    /// The key in it.
    #[schemars(length(max = 253))]
    key: String,
    /// Its namespace, where it is another one than that of the composite.
    #[schemars(length(max = 253))]
    namespace: Option<String>,
}

fn version() -> String {
    "1.34".to_owned()
}

fn drivers() -> String {
    "cuda13.0".to_owned()
}

fn disk() -> u32 {
    100
}

fn one() -> u32 {
    1
}
