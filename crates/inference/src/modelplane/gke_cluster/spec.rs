//! The fields that a composite may have, and those of the status.

use serde::Deserialize;

use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::pools::{PoolRole, PoolSize};

/// A cluster in Google Kubernetes Engine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct GkeClusterSpec {
    /// Region, e.g. `us-central1`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub region: String,

    /// Project in Google Cloud. Without it, that of the credentials.
    #[cfg_attr(feature = "generate", schemars(length(min = 6, max = 30)))]
    pub project: Option<String>,

    /// Version of Kubernetes. The release channel REGULAR must have it.
    #[serde(default = "version")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16)))]
    pub kubernetes_version: String,

    /// The provider configuration with the credentials for Google Cloud.
    pub credentials: Option<Credentials>,

    /// Ranges of addresses. Clusters whose networks are peered must have different ones.
    pub networking: Option<GkeNetworking>,

    /// Its node pools. A small one for everything without GPUs is made besides.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = toolbox::structural::list_map("name")))]
    pub node_pools: Vec<GkeNodePool>,
}

/// Ranges of addresses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct GkeNetworking {
    /// Of pods.
    #[cfg_attr(feature = "generate", schemars(length(max = 18)))]
    pub pod_cidr: String,
    /// Of Services.
    #[cfg_attr(feature = "generate", schemars(length(max = 18)))]
    pub service_cidr: String,
    /// Of nodes.
    #[cfg_attr(feature = "generate", schemars(length(max = 18)))]
    pub node_cidr: String,
}

impl Default for GkeNetworking {
    fn default() -> Self {
        let [pod_cidr, service_cidr, node_cidr] = ["10.1.0.0/16", "10.2.0.0/16", "10.0.0.0/24"].map(str::to_owned);
        Self { pod_cidr, service_cidr, node_cidr }
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
pub struct GkeNodePool {
    /// Its name. Nodes carry it in the label `modelplane.ai/pool`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 40)))]
    pub name: String,

    /// What it is for.
    pub role: PoolRole,

    /// Machine type, e.g. `g2-standard-8`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub machine_type: String,

    /// How large its nodes are, and how many there are.
    #[serde(flatten)]
    pub size: PoolSize,

    /// Its GPUs.
    pub gpu: Option<GkeGpu>,

    /// Zones of its nodes. A pool with GPUs needs them, because not every zone of a region has every GPU.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), inner(length(min = 1, max = 63))))]
    pub zones: Option<Vec<String>>,
}

/// GPUs of each node of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct GkeGpu {
    /// Accelerator, as Google calls it, e.g. `nvidia-l4`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub accelerator_type: String,

    /// How many of them a node has.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 16)))]
    pub accelerator_count: u32,
}

/// What other kinds need to know of the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct GkeClusterStatus {
    /// The Secrets that lead to the cluster, in the namespace of the composite.
    secrets: Option<Vec<GkeSecret>>,
    /// The storage for ModelCaches.
    cache: Option<crate::modelplane::platform::published::PublishedStorage>,
}

/// A Secret that leads to the cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct GkeSecret {
    /// What is in it.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["Kubeconfig", "GoogleApplicationCredentials"]))]
    secret_type: String,
    /// Its name.
    #[schemars(length(max = 253))]
    name: String,
    /// The key in it.
    #[schemars(length(max = 253))]
    key: String,
}

fn version() -> String {
    "1.35".to_owned()
}

fn one() -> u32 {
    1
}
