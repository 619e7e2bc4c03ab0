//! The fields of the status, which the other kinds read.

#![expect(dead_code, reason = "only the schemas of the types are used")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use toolbox::structural::list_map;

use crate::modelplane::package::integer;

/// The observed state of a cluster.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct ClusterStatus {
    /// The ClusterProviderConfig with which objects are created on the cluster.
    provider_config_ref: Option<PublishedConfig>,
    /// Its gateway.
    gateway: Option<PublishedGateway>,
    /// Its storage for ModelCaches.
    cache: Option<PublishedCache>,
    /// Its node pools with GPUs, as the scheduler sees them.
    #[schemars(length(max = 8), transform = list_map("name"))]
    gpu_pools: Option<Vec<PublishedPool>>,
    /// What somebody in the cluster has seen of its capacity. It lowers what counts as free.
    capacity: Option<ObservedCapacity>,
    /// The namespace of what the cluster is made of.
    namespace: Option<String>,
}

/// `gpuPools` and the other two fields have different writers, which leave to each other what is theirs.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ObservedCapacity {
    /// Its node pools with GPUs, as an earlier version of the API described them.
    #[schemars(length(max = 8))]
    gpu_pools: Option<Vec<EarlierPool>>,
    /// When the pools were seen.
    #[schemars(extend("format" = "date-time"))]
    last_observed: Option<String>,
    /// What the scheduler of the cluster can admit in its pools.
    #[schemars(length(max = 8), transform = list_map("name"))]
    pools: Option<Vec<ObservedPool>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EarlierPool {
    /// The accelerator, as the cloud calls it. Empty when its class says none.
    #[schemars(length(max = 253))]
    accelerator_type: Option<String>,
    /// The memory of a GPU, as a quantity.
    #[schemars(length(max = 32))]
    memory: Option<String>,
    /// How many GPUs a node has.
    #[schemars(transform = integer)]
    count_per_node: Option<i64>,
    /// Its number of nodes.
    #[schemars(transform = integer)]
    nodes: Option<i64>,
}

#[derive(JsonSchema)]
struct ObservedPool {
    /// Its name.
    #[schemars(length(min = 1, max = 63))]
    name: String,
    /// What pods request of its nodes.
    #[schemars(length(max = 16), transform = list_map("name"))]
    resources: Option<Vec<ObservedResource>>,
}

#[derive(JsonSchema)]
struct ObservedResource {
    /// Its name, e.g. `nvidia.com/gpu`.
    #[schemars(length(min = 1, max = 253))]
    name: String,
    /// How much there is, on all nodes together.
    #[schemars(transform = integer)]
    total: Option<i64>,
    /// How much of it is used.
    #[schemars(transform = integer)]
    used: Option<i64>,
    /// How much of it is free. Only this is read.
    #[schemars(transform = integer)]
    available: Option<i64>,
}

#[derive(JsonSchema)]
struct PublishedConfig {
    /// Its name.
    name: Option<String>,
}

#[derive(JsonSchema)]
struct PublishedGateway {
    /// Its address, which the URLs of endpoints have.
    address: Option<String>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PublishedCache {
    /// The StorageClass with `ReadWriteMany` for the volumes of caches.
    #[schemars(length(max = 253))]
    storage_class_name: Option<String>,
}

#[derive(JsonSchema)]
struct PublishedPool {
    /// Its name.
    name: String,
    /// Its number of nodes: the largest one, where it grows and shrinks.
    #[schemars(transform = integer)]
    nodes: Option<i64>,
    /// The devices of each node, from its class.
    #[schemars(length(max = 16), transform = list_map("name"))]
    devices: Option<Vec<PoolDevice>>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PoolDevice {
    /// Its name in the class.
    #[schemars(length(max = 63))]
    name: String,
    /// Whether pods claim it.
    #[schemars(extend("enum" = ["DRA", "Synthetic"]))]
    claim: Option<String>,
    /// Its DRA driver.
    #[schemars(length(max = 253))]
    driver: String,
    /// Its DeviceClass.
    #[schemars(length(max = 253))]
    device_class_name: Option<String>,
    /// How many of it a node has.
    #[schemars(transform = integer)]
    count: Option<i64>,
    /// Its attributes.
    #[schemars(extend("maxProperties" = 32))]
    attributes: Option<BTreeMap<String, PoolAttribute>>,
    /// Its capacities.
    #[schemars(extend("maxProperties" = 32))]
    capacity: Option<BTreeMap<String, PoolCapacity>>,
}

#[derive(JsonSchema)]
struct PoolAttribute {
    /// A text.
    #[schemars(length(max = 253))]
    string: Option<String>,
    /// A semantic version.
    #[schemars(length(max = 32))]
    version: Option<String>,
    /// `true` or `false`.
    bool: Option<bool>,
    /// An integer.
    int: Option<i64>,
}

#[derive(JsonSchema)]
struct PoolCapacity {
    /// A quantity.
    #[schemars(length(max = 32))]
    value: String,
}
