//! The fields that a composite may have, and those of the status.

use serde::Deserialize;

use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::pools::{PoolGpu, PoolRole, PoolSize};

/// A cluster in Amazon EKS.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct EksClusterSpec {
    /// Region, e.g. `us-west-2`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub region: String,

    /// Version of Kubernetes. EKS must have it, and devices can be claimed in it.
    #[serde(default = "version")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16)))]
    pub kubernetes_version: String,

    /// The provider configuration with the credentials for AWS.
    pub credentials: Option<Credentials>,

    /// Ranges of addresses. Clusters whose networks are peered must have different ones.
    pub networking: Option<EksNetworking>,

    /// Its node pools. A small one for everything without GPUs is made besides.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = toolbox::structural::list_map("name")))]
    pub node_pools: Vec<EksNodePool>,
}

/// Ranges of addresses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct EksNetworking {
    /// Of the whole network.
    #[cfg_attr(feature = "generate", schemars(length(max = 18)))]
    pub vpc_cidr: String,

    /// Of the public subnets, one for each zone: the first is for zone `a` of the region, the second for `b`, and so on. The
    /// private subnet of a zone, where nodes are, has a range of the same size, whose third number is larger by 48.
    #[cfg_attr(feature = "generate", schemars(length(min = 2, max = 6), inner(length(max = 18))))]
    pub subnet_cidrs: Vec<String>,
}

impl Default for EksNetworking {
    fn default() -> Self {
        let subnet_cidrs = ["10.0.0.0/20", "10.0.16.0/20", "10.0.32.0/20"].map(str::to_owned).to_vec();
        Self { vpc_cidr: "10.0.0.0/16".to_owned(), subnet_cidrs }
    }
}

/// A node pool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(
        transform = crate::modelplane::platform::pools::gpu_with_role(),
        transform = crate::modelplane::platform::pools::zones_with_role()
    )
)]
pub struct EksNodePool {
    /// Its name. Nodes carry it in the label `modelplane.ai/pool`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 40)))]
    pub name: String,

    /// What it is for.
    pub role: PoolRole,

    /// Instance type, e.g. `g6.xlarge`. It decides which GPUs a node has, and how many.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub instance_type: String,

    /// How large its nodes are, and how many there are.
    #[serde(flatten)]
    pub size: PoolSize,

    /// Its GPUs.
    pub gpu: Option<PoolGpu>,

    /// A Capacity Block that the nodes come from. The zones must be the one of the block, and `nodeCount` at most the number of
    /// instances in it. Without it nodes are bought on demand.
    pub capacity_block: Option<EksCapacityBlock>,

    /// Zones of its nodes. A pool with GPUs needs them, because not every zone of a region has every instance type.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), inner(length(min = 1, max = 63))))]
    pub zones: Option<Vec<String>>,

    /// The network between nodes, for engines with several.
    #[serde(default)]
    #[cfg_attr(feature = "generate", schemars(with = "EksFabric", extend("default" = "None")))]
    pub fabric: EksFabric,
}

/// A Capacity Block.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct EksCapacityBlock {
    /// Its reservation, e.g. `cr-0123456789abcdef0`.
    #[cfg_attr(feature = "generate", schemars(length(min = 4, max = 64), regex(pattern = "^cr-[0-9a-f]+$")))]
    pub capacity_reservation_id: String,
}

/// The network between nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum EksFabric {
    /// That of the VPC, with TCP.
    #[default]
    None,
    /// Elastic Fabric Adapter, on instances that have it, such as `p5en.48xlarge`. Its driver is installed on the cluster.
    #[serde(rename = "EFA")]
    Efa,
}

/// What other kinds need to know of the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct EksClusterStatus {
    /// The Secret that leads to the cluster, in the namespace of the composite.
    secrets: Option<Vec<crate::modelplane::platform::published::PublishedKubeconfig>>,
    /// The storage for ModelCaches.
    cache: Option<crate::modelplane::platform::published::PublishedStorage>,
}

fn version() -> String {
    "1.36".to_owned()
}
