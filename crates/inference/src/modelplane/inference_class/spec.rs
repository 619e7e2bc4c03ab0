//! The fields of the kind. Only its schema is generated from these types: nothing reads a class as a whole.

#![expect(dead_code, reason = "only the schemas of the types are used")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use toolbox::structural::{list_map, rule};

use crate::clouds::Cloud;
use crate::clouds::machines::describe;
use crate::modelplane::package::StatusCondition;
use crate::modelplane::shapes::fields::Open;

/// A hardware type of nodes.
#[derive(JsonSchema)]
#[schemars(transform = rule(
    "has(self.devices) || has(self.resources) || has(self.attributes) || has(self.capacity) || has(self.capabilities)",
    "spec.devices is required",
))]
pub(super) struct ClassSpec {
    /// What the class is, for people.
    description: Option<String>,

    /// How a cloud creates a pool of such nodes. Leave it out for nodes that exist already.
    provisioning: Option<Provisioning>,

    /// The devices of a node, as DRA models them: an entry for each kind of device, with a count. Models select nodes by them,
    /// and pods claim those with `claim: DRA`. Pods find the nodes of their pool by the label `modelplane.ai/pool`. Nodes that
    /// a cloud creates have it. On clusters with `source: Existing` somebody has to set it.
    #[schemars(length(min = 1, max = 16), transform = list_map("name"))]
    devices: Option<Vec<ClassDevice>>,

    /// Before there were `devices`: GPUs alone.
    resources: Option<EarlierHardware>,

    /// Before there were `devices`: attributes with keys like `gpu.nvidia.com/architecture`, or `modelplane.ai/…` for nodes.
    attributes: Option<Open>,

    /// Before there were `devices`: capacities with such keys. `modelplane.ai/gpuCount` is the number of GPUs.
    capacity: Option<Open>,

    /// Before there were `attributes`: values with free keys, which `nodeSelector.cel` of earlier deployments may ask for.
    capabilities: Option<Open>,
}

/// The GPUs of a node.
#[derive(JsonSchema)]
struct EarlierHardware {
    /// The GPUs.
    gpu: EarlierGpu,
}

/// GPUs that are alike.
#[derive(JsonSchema)]
struct EarlierGpu {
    /// How many a node has.
    #[schemars(range(min = 1, max = 16))]
    count: u8,
    /// The memory of each, e.g. `24Gi`.
    #[schemars(length(min = 1, max = 16))]
    memory: String,
}

/// How a cloud creates nodes. A cluster uses the block of its own source.
#[derive(JsonSchema)]
#[schemars(
    transform = rule("self.provider != 'GKE' || has(self.gke)", "spec.provisioning.gke is required when spec.provisioning.provider is GKE."),
    transform = rule("self.provider != 'EKS' || has(self.eks)", "spec.provisioning.eks is required when spec.provisioning.provider is EKS."),
    transform = rule("self.provider != 'AKS' || has(self.aks)", "spec.provisioning.aks is required when spec.provisioning.provider is AKS."),
    transform = rule("self.provider != 'Nebius' || has(self.nebius)", "spec.provisioning.nebius is required when spec.provisioning.provider is Nebius."),
    transform = rule("self.provider != 'Vultr' || has(self.vultr)", "spec.provisioning.vultr is required when spec.provisioning.provider is Vultr."),
)]
struct Provisioning {
    /// The cloud. The block of this cloud is required.
    #[schemars(extend("enum" = ["GKE", "EKS", "AKS", "Nebius", "Vultr"]))]
    provider: String,
    /// Nodes in Google Kubernetes Engine.
    gke: Option<GkeNodes>,
    /// Nodes in Amazon EKS.
    eks: Option<EksNodes>,
    /// Nodes in Azure Kubernetes Service.
    aks: Option<AksNodes>,
    /// Nodes in Nebius Managed Kubernetes.
    nebius: Option<NebiusNodes>,
    /// Nodes in Vultr Kubernetes Engine.
    vultr: Option<VultrNodes>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GkeNodes {
    /// Machine type, e.g. one of these:
    #[schemars(length(min = 1), transform = describe(Cloud::Google))]
    machine_type: String,
    /// Size of the boot disk in GB.
    #[schemars(range(min = 10), extend("default" = 100))]
    disk_size_gb: Option<u32>,
    /// The GPUs that a machine gets. The scheduler does not read them: it reads `spec.devices`.
    accelerator: Accelerator,
    /// The network belongs to the cluster: it is left out.
    networking: Option<Open>,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EksNodes {
    /// Instance type. It decides which GPUs an instance has, e.g. one of these:
    #[schemars(length(min = 1), transform = describe(Cloud::Aws))]
    instance_type: String,
    /// Size of the boot disk in GB.
    #[schemars(range(min = 10), extend("default" = 100))]
    disk_size_gb: Option<u32>,
    /// The GPUs of an instance, for people. The scheduler reads `spec.devices`.
    accelerator: Accelerator,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct AksNodes {
    /// VM size. It decides which GPUs a VM has, e.g. one of these:
    #[schemars(length(min = 1), transform = describe(Cloud::Azure))]
    vm_size: String,
    /// Size of the boot disk in GB.
    #[schemars(range(min = 10), extend("default" = 100))]
    disk_size_gb: Option<u32>,
    /// The GPUs of a VM, for people. The scheduler reads `spec.devices`.
    accelerator: Accelerator,
}

#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NebiusNodes {
    /// Platform, e.g. `gpu-h100-sxm`.
    #[schemars(length(min = 1, max = 63))]
    platform: String,
    /// Preset of the platform, e.g. `8gpu-128vcpu-1600gb`. Both decide which GPUs a node has.
    #[schemars(length(min = 1, max = 63))]
    preset: String,
    /// Size of the boot disk in GB.
    #[schemars(range(min = 10), extend("default" = 100))]
    disk_size_gb: Option<u32>,
    /// The NVIDIA drivers that nodes start with, e.g. `cuda12.4`. Nebius says which of them a platform and a version of
    /// Kubernetes have. Its default version of Kubernetes has only the default.
    #[schemars(length(min = 1, max = 63), extend("default" = "cuda13.0"))]
    drivers_preset: Option<String>,
    /// The GPUs of a node, for people. The scheduler reads `spec.devices`.
    accelerator: Accelerator,
}

#[derive(JsonSchema)]
struct VultrNodes {
    /// Plan, e.g. `vcg-l40s-16c-180g-48vram`. It decides which GPUs a node has.
    #[schemars(length(min = 1, max = 63))]
    plan: String,
    /// The GPUs of a node, for people. The scheduler reads `spec.devices`.
    accelerator: Accelerator,
}

#[derive(JsonSchema)]
struct Accelerator {
    /// The name of the GPU, e.g. `nvidia-h100-80gb`. In GKE it decides which GPU a machine gets.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 63))]
    accelerator_type: String,
    /// GPUs of a node.
    #[schemars(range(min = 1, max = 16))]
    count: u8,
}

/// A kind of device.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = rule("self.claim != 'DRA' || has(self.deviceClassName)", "deviceClassName is required when claim is DRA"))]
struct ClassDevice {
    /// Its name in the class, e.g. `gpu`.
    #[schemars(length(min = 1, max = 63))]
    name: String,

    /// How pods get it.
    #[schemars(extend("default" = "DRA"))]
    claim: Option<ClaimMode>,

    /// The DRA driver of the device, e.g. `gpu.nvidia.com`. It is the domain of its attributes in selectors.
    #[schemars(length(min = 1, max = 253))]
    driver: String,

    /// The DeviceClass through which pods claim it, e.g. `gpu.nvidia.com`. Its driver creates it. Required with `claim: DRA`.
    #[schemars(length(min = 1, max = 253))]
    device_class_name: Option<String>,

    /// How many of it a node has.
    #[schemars(range(min = 1, max = 64), extend("default" = 1))]
    count: Option<u8>,

    /// Its attributes, e.g. `architecture`. Publish what the driver publishes, or pods find no device on the node.
    #[schemars(extend("maxProperties" = 32))]
    attributes: Option<BTreeMap<String, Attribute>>,

    /// Its capacities, e.g. `memory`.
    #[schemars(extend("maxProperties" = 32))]
    capacity: Option<BTreeMap<String, Capacity>>,
}

#[derive(JsonSchema)]
enum ClaimMode {
    /// Pods claim it.
    #[serde(rename = "DRA")]
    Dra,
    /// It only says where pods may run. This is for hardware without a DRA driver, such as some fabrics.
    Synthetic,
}

/// A value of one of these types.
#[derive(JsonSchema)]
#[schemars(transform = rule(
    "[has(self.string), has(self.version), has(self.bool), has(self.int)].filter(x, x).size() == 1",
    "exactly one of string, version, bool, int must be set",
))]
struct Attribute {
    /// A text.
    #[schemars(length(max = 253))]
    string: Option<String>,
    /// A semantic version, e.g. `9.0.0`.
    #[schemars(length(max = 32))]
    version: Option<String>,
    /// `true` or `false`.
    bool: Option<bool>,
    /// An integer.
    int: Option<i64>,
}

#[derive(JsonSchema)]
struct Capacity {
    /// A quantity, e.g. `141Gi`.
    #[schemars(length(min = 1, max = 32))]
    value: String,
}

/// The observed state of a class.
#[derive(JsonSchema)]
pub(super) struct ClassStatus {
    /// What Crossplane says about the class.
    conditions: Option<Vec<StatusCondition>>,
}
