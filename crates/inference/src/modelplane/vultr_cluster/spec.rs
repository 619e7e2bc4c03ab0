//! The fields that a composite may have, and those of the status.

use serde::Deserialize;

use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::pools::{NodeCounts, PoolGpu, PoolRole};

/// A cluster in Vultr Kubernetes Engine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct VultrClusterSpec {
    /// Region, e.g. `ewr`. Not every region has every GPU.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub region: String,

    /// Version of Kubernetes, as Vultr writes it, with its own suffix. Devices can be claimed in it.
    #[serde(default = "version")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16)))]
    pub kubernetes_version: String,

    /// The provider configuration with the credentials for Vultr.
    pub credentials: Option<Credentials>,

    /// Its node pools. A small one for everything without GPUs is made besides. The provider changes no pool that exists: one that
    /// shall grow needs `maxNodeCount` from the beginning.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = toolbox::structural::list_map("name")))]
    pub node_pools: Vec<VultrNodePool>,
}

/// A node pool.
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
pub struct VultrNodePool {
    /// Its name. Nodes carry it in the label `modelplane.ai/pool`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 40)))]
    pub name: String,

    /// What it is for.
    pub role: PoolRole,

    /// Plan of its machines, e.g. `vcg-l40s-16c-180g-48vram`. It decides which GPUs a node has, how many, and its disk.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub plan: String,

    /// Number of nodes. With `maxNodeCount`, the number to begin with. A pool always has one.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1000)))]
    pub node_count: u32,

    /// The smallest number of nodes. Without it, `nodeCount`.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1000)))]
    pub min_node_count: Option<u32>,

    /// The largest number of nodes. Without it, the pool does not grow.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1000)))]
    pub max_node_count: Option<u32>,

    /// Its GPUs.
    pub gpu: Option<PoolGpu>,
}

impl VultrNodePool {
    /// How many nodes it has.
    pub fn counts(&self) -> NodeCounts {
        NodeCounts { first: self.node_count, least: self.min_node_count, most: self.max_node_count }
    }
}

/// What other kinds need to know of the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct VultrClusterStatus {
    /// The Secret that leads to the cluster, in the namespace of the composite.
    secrets: Option<Vec<crate::modelplane::platform::published::PublishedKubeconfig>>,
}

fn version() -> String {
    "v1.36.1+3".to_owned()
}

fn one() -> u32 {
    1
}
