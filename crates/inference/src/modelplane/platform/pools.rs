//! What the node pools of several kinds have in common.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::modelplane::labels::{GPU, POOL, SYSTEM_POOL};

/// What a node pool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum PoolRole {
    /// Controllers and gateways.
    System,
    /// Models. Pods that do not tolerate GPUs stay away.
    #[serde(rename = "GPU")]
    Gpu,
}

/// A pool for models says which GPUs it has.
#[cfg(feature = "generate")]
pub(in super::super) fn gpu_with_role() -> impl FnMut(&mut schemars::Schema) {
    toolbox::structural::rule("self.role != 'GPU' || has(self.gpu)", "gpu is required when role is GPU.")
}

/// A pool for models says its zones.
#[cfg(feature = "generate")]
pub(in super::super) fn zones_with_role() -> impl FnMut(&mut schemars::Schema) {
    toolbox::structural::rule("self.role != 'GPU' || has(self.zones)", "zones is required when role is GPU.")
}

/// A smallest number of nodes needs a largest.
#[cfg(feature = "generate")]
pub(in super::super) fn largest_with_smallest() -> impl FnMut(&mut schemars::Schema) {
    toolbox::structural::rule(
        "!has(self.minNodeCount) || has(self.maxNodeCount)",
        "maxNodeCount is required when minNodeCount is set.",
    )
}

/// How large the nodes of a pool are, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct PoolSize {
    /// Size of the disk of each node, in GB.
    #[serde(default = "disk")]
    #[cfg_attr(feature = "generate", schemars(range(min = 10, max = 65536)))]
    pub disk_size_gb: u32,

    /// Number of nodes to begin with. The autoscaler changes it.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub node_count: u32,

    /// The smallest number of nodes.
    #[serde(default)]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub min_node_count: u32,

    /// The largest number of nodes.
    #[serde(default = "eight")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub max_node_count: u32,
}

impl PoolSize {
    /// How many nodes there are.
    pub fn counts(&self) -> NodeCounts {
        NodeCounts { first: self.node_count, least: Some(self.min_node_count), most: Some(self.max_node_count) }
    }
}

/// How many nodes a pool has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCounts {
    /// The number to begin with.
    pub first: u32,
    /// The smallest number. `None` where the pool says none.
    pub least: Option<u32>,
    /// The largest number. `None` for a pool that does not grow.
    pub most: Option<u32>,
}

impl NodeCounts {
    /// The smallest and the largest number of nodes. A pool that grows and says no smallest number has the number to begin with.
    /// `None` for one that does not grow.
    pub fn bounds(&self) -> Option<(u32, u32)> {
        self.most.map(|most| (self.least.unwrap_or(self.first), most))
    }
}

/// The GPUs of a pool. Its machine type decides how many a node has.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct PoolGpu {
    /// Their type, e.g. `nvidia-h100`. Nodes carry it in the label `modelplane.ai/gpu`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub accelerator_type: String,
}

/// The labels of the nodes of a pool, with their accelerator if they have one.
pub fn node_labels(pool: &str, accelerator: Option<&str>) -> Value {
    let mut labels = json!({POOL: pool});
    if let Some(accelerator) = accelerator {
        labels[GPU] = json!(accelerator);
    }
    labels
}

/// Whether a pool takes the place of the pool that is made for everything without GPUs, which is called so too.
pub fn is_system(pool: &str) -> bool {
    pool == SYSTEM_POOL
}

fn disk() -> u32 {
    100
}

fn one() -> u32 {
    1
}

fn eight() -> u32 {
    8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools() {
        assert_eq!(node_labels("h100", None), json!({POOL: "h100"}));
        assert_eq!(node_labels("h100", Some("nvidia-h100")), json!({POOL: "h100", GPU: "nvidia-h100"}));
        let read = |value: Value| serde_json::from_value::<PoolSize>(value).expect("a size");
        let size = |disk_size_gb, node_count, min_node_count, max_node_count| PoolSize {
            disk_size_gb,
            node_count,
            min_node_count,
            max_node_count,
        };
        assert_eq!(read(json!({})), size(100, 1, 0, 8));
        assert_eq!(size(100, 1, 0, 8).counts().bounds(), Some((0, 8)));
        assert_eq!(NodeCounts { first: 2, least: None, most: Some(4) }.bounds(), Some((2, 4)));
        assert_eq!(NodeCounts { first: 2, least: Some(1), most: None }.bounds(), None);
        assert_eq!(read(json!({"minNodeCount": 2, "maxNodeCount": 3, "diskSizeGb": 10})), size(10, 1, 2, 3));
    }
}
