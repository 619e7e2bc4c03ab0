//! The fields of the status, which the other kinds read.

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
    /// The namespace of what the cluster is made of.
    namespace: Option<String>,
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
