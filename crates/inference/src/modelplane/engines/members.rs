//! Members of engines: pods that are alike, and the devices that each of them needs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
#[cfg(feature = "generate")]
use toolbox::structural::{list_atomic, list_map, rule};

use super::template::PodTemplate;

/// A member of an engine of a deployment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "generate", schemars(transform = rule(WORKER_RULE, WORKER_MESSAGE)))]
pub struct WantedMember {
    /// What the member is in its engine.
    #[serde(default)]
    pub role: Role,

    /// The devices that each pod needs from its node. The scheduler finds a pool that has them. Without it, the pods claim
    /// no devices and run on the pool of their engine.
    pub node_selector: Option<NodeSelector>,

    /// Settings of a `Worker`.
    pub worker: Option<Worker>,

    /// Processor and memory of the engine in each pod. Without it, the engine takes what the node has.
    #[cfg_attr(feature = "generate", schemars(with = "Option<EngineResources>"))]
    pub resources: Option<Value>,

    /// Template of the pods.
    pub template: PodTemplate,
}

/// A member of an engine of a replica.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "generate", schemars(transform = rule(WORKER_RULE, WORKER_MESSAGE)))]
pub struct PlacedMember {
    /// What the member is in its engine.
    #[serde(default)]
    pub role: Role,

    /// Name of the node pool that the scheduler chose.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub node_pool_name: String,

    /// The devices that each pod claims. Absent when it claims none: nothing but the pool then says where it runs.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16), transform = list_map("name")))]
    pub device_requests: Option<Vec<DeviceRequest>>,

    /// Settings of a `Worker`.
    pub worker: Option<Worker>,

    /// Processor and memory of the engine in each pod. Without it, the engine takes what the node has.
    #[cfg_attr(feature = "generate", schemars(with = "Option<EngineResources>"))]
    pub resources: Option<Value>,

    /// Template of the pods.
    pub template: PodTemplate,
}

/// The place of a member in its engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum Role {
    /// The only pod of each copy.
    #[default]
    Standalone,
    /// The first pod of a gang, which serves.
    Leader,
    /// The other pods of a gang.
    Worker,
}

impl Role {
    /// Its name in Kubernetes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standalone => "Standalone",
            Self::Leader => "Leader",
            Self::Worker => "Worker",
        }
    }

    /// Its name in the names of objects.
    pub const fn lower_case(self) -> &'static str {
        match self {
            Self::Standalone => "standalone",
            Self::Leader => "leader",
            Self::Worker => "worker",
        }
    }
}

/// Settings of a `Worker`.
// The definition has no default for it: the API server sets defaults before it evaluates rules, so each `Leader` would get
// it too, and the rule about it would refuse the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Worker {
    /// On how many nodes the member runs, with one pod on each. The pod of the `Leader` comes on top.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 63)))]
    pub nodes: u32,
}

/// Processor and memory of an engine: it gets that much, and no more. Only its schema is needed: it is copied as it is.
#[cfg(feature = "generate")]
#[expect(dead_code, reason = "only its schema is used")]
#[derive(schemars::JsonSchema)]
#[schemars(
    transform = rule("!has(self.cpu) || isQuantity(self.cpu)", "cpu must be a quantity"),
    transform = rule("!has(self.memory) || isQuantity(self.memory)", "memory must be a quantity"),
)]
struct EngineResources {
    /// Processors, e.g. `8`.
    #[schemars(length(min = 1, max = 32))]
    cpu: Option<String>,
    /// Memory, e.g. `64Gi`.
    #[schemars(length(min = 1, max = 32))]
    memory: Option<String>,
}

/// The devices that each pod of a member needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct NodeSelector {
    /// Requests for devices. A pool fits when it has devices for each of them.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 16), transform = list_map("name")))]
    pub devices: Vec<WantedDevice>,
}

/// A request for devices that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct WantedDevice {
    /// Name of the request, e.g. `gpu`. The claim of the pods has it too.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub name: String,

    /// How many devices each node must have for the pod.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 64)))]
    pub count: u32,

    /// What must be true of each of the devices.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = list_atomic))]
    pub selectors: Vec<DeviceSelector>,
}

/// A request for devices, resolved on the pool of the member.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct DeviceRequest {
    /// Name of the request, e.g. `gpu`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub name: String,

    /// Name of the DeviceClass to claim from, e.g. `gpu.nvidia.com`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub device_class_name: String,

    /// How many devices each pod claims.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 64)))]
    pub count: u32,

    /// What must be true of each of the devices.
    #[cfg_attr(feature = "generate", schemars(length(max = 8), transform = list_atomic))]
    pub selectors: Option<Vec<DeviceSelector>>,
}

/// What must be true of a device.
// An empty selector would match every device.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema), schemars(extend("minProperties" = 1)))]
pub struct DeviceSelector {
    /// A CEL expression about `device`, as in a ResourceClaim of Kubernetes, e.g.
    /// `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("141Gi")) >= 0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 10240)))]
    pub cel: Option<String>,
}

/// Only a `Worker` can be on several nodes.
#[cfg(feature = "generate")]
const WORKER_RULE: &str = "!has(self.worker) || self.role == 'Worker'";
#[cfg(feature = "generate")]
const WORKER_MESSAGE: &str = "worker may only be set on a Worker member";

fn one() -> u32 {
    1
}
