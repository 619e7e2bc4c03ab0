//! The fields that a composite may have, and those of the status.

use serde::Deserialize;

use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::pools::{PoolGpu, PoolRole, PoolSize};

/// A cluster in Azure Kubernetes Service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct AksClusterSpec {
    /// Region, e.g. `westeurope`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub location: String,

    /// Version of Kubernetes. AKS must have it, and devices can be claimed in it.
    #[serde(default = "version")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16)))]
    pub kubernetes_version: String,

    /// The provider configuration with the credentials for Azure.
    pub credentials: Option<Credentials>,

    /// Ranges of addresses. Clusters whose networks are peered must have different ones. They may not overlap the range of pods,
    /// 10.244.0.0/16, nor that of Services, 10.96.0.0/16.
    pub networking: Option<AksNetworking>,

    /// Its node pools. A small one for everything without GPUs is made besides.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = toolbox::structural::list_map("name")))]
    pub node_pools: Vec<AksNodePool>,
}

/// Ranges of addresses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct AksNetworking {
    /// Of the whole network.
    #[cfg_attr(feature = "generate", schemars(length(max = 18)))]
    pub vnet_cidr: String,

    /// Of the subnet with the nodes of all zones, in that of the network.
    #[cfg_attr(feature = "generate", schemars(length(max = 18)))]
    pub subnet_cidr: String,
}

impl Default for AksNetworking {
    fn default() -> Self {
        Self { vnet_cidr: "10.0.0.0/16".to_owned(), subnet_cidr: "10.0.0.0/20".to_owned() }
    }
}

/// A node pool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(transform = crate::modelplane::platform::pools::gpu_with_role())
)]
pub struct AksNodePool {
    /// Its name, also in AKS, which takes at most 12 lower-case letters and digits, e.g. `h100`. Nodes carry it in the label
    /// `modelplane.ai/pool`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 12), regex(pattern = "^[a-z][a-z0-9]{0,11}$")))]
    pub name: String,

    /// What it is for.
    pub role: PoolRole,

    /// Size of its virtual machines, e.g. `Standard_ND96isr_H100_v5`. It decides which GPUs a node has, and how many.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub vm_size: String,

    /// How large its nodes are, and how many there are. A pool with GPUs should keep one: the autoscaler of AKS makes no first node
    /// for devices that pods claim.
    #[serde(flatten)]
    pub size: PoolSize,

    /// Zones of its nodes, e.g. `1`. Many machines with GPUs are in none.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 3), inner(length(min = 1, max = 8))))]
    pub zones: Option<Vec<String>>,

    /// Its GPUs.
    pub gpu: Option<PoolGpu>,

    /// The network between nodes, for engines with several.
    #[serde(default)]
    #[cfg_attr(feature = "generate", schemars(with = "AksFabric", extend("default" = "None")))]
    pub fabric: AksFabric,
}

/// The network between nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum AksFabric {
    /// That of the virtual network, with TCP.
    #[default]
    None,
    /// InfiniBand, on virtual machines that have it, such as `Standard_ND96isr_H100_v5`. The subscription needs the feature
    /// `AKSInfinibandSupport`. NVIDIA's network operator is installed on the cluster.
    InfiniBand,
}

/// What other kinds need to know of the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct AksClusterStatus {
    /// The Secret that leads to the cluster, in the namespace of the composite.
    secrets: Option<Vec<crate::modelplane::platform::published::PublishedKubeconfig>>,
    /// The storage for ModelCaches.
    cache: Option<crate::modelplane::platform::published::PublishedStorage>,
}

fn version() -> String {
    "1.34".to_owned()
}
