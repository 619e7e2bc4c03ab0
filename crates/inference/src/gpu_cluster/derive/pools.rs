//! Pools of nodes: the general one, and that with GPUs.

use serde_json::{Value, json};
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::data::Data;
use toolbox::rule::{Rule, constant, rule};

use super::kinds::{AKS_NODE_POOLS, GKE_NODE_POOLS, NODE_GROUPS};
use super::network::IN_REGION;
use super::parts::{ClusterPart, IN_CLOUD, NAME, ObjectRow, SAME, version, with_role};
use crate::clouds::Cloud;
use crate::clouds::drivers::{Drivers, GPU_TAINT};
use crate::clouds::google::CLOUD_PLATFORM;
use crate::gpu_cluster::inputs::ClusterInputs;
use crate::gpu_cluster::sizes;
use crate::gpu_cluster::spec::{CapacityType, GpuPool};

/// Composition resource name of the general nodes on AWS.
pub const EKS_KEY: &str = "eksnodegroup";
/// Composition resource name of the nodes with GPUs on AWS.
pub const EKS_GPU_KEY: &str = "eksnodegroup-gpu";
/// Composition resource name of the general nodes on Google Cloud. On Azure they are in the control plane's object.
pub const KEY: &str = "{n}-nodepool";
/// Composition resource name of the nodes with GPUs on Azure and Google Cloud.
pub const GPU_KEY: &str = "{n}-gpu";

/// The pools.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    ObjectRow { exists: |of| of.provider == Cloud::Aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, NODE_GROUP), (FOR_PROVIDER, GENERAL_GROUP)], ..ObjectRow::of(&NODE_GROUPS, EKS_KEY, "{n}") },
    ObjectRow { exists: |of| has_gpus(of, Cloud::Aws), tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, NODE_GROUP), (FOR_PROVIDER, GPU_GROUP)], ..ObjectRow::of(&NODE_GROUPS, EKS_GPU_KEY, "{n}-gpu") },
    ObjectRow { exists: |of| has_gpus(of, Cloud::Azure), external: "gpu", tables: &[("", IN_CLOUD), (FOR_PROVIDER, AKS_GPU_POOL)], ..ObjectRow::of(&AKS_NODE_POOLS, GPU_KEY, "{n}-gpu") },
    ObjectRow { exists: |of| of.provider == Cloud::Google, external: "{n}", tables: &[("", IN_CLOUD), (FOR_PROVIDER, GKE_POOL), (FOR_PROVIDER, GENERAL_POOL)], ..ObjectRow::of(&GKE_NODE_POOLS, KEY, "{n}") },
    ObjectRow { exists: |of| has_gpus(of, Cloud::Google), external: "{n}-gpu", tables: &[("", IN_CLOUD), (FOR_PROVIDER, GKE_POOL), (FOR_PROVIDER, GKE_GPU_POOL)], ..ObjectRow::of(&GKE_NODE_POOLS, GPU_KEY, "{n}-gpu") },
];

const SIZE: &[&str] = &["spec.parameters.nodeSize"];
const COUNT: &[&str] = &["spec.parameters.minNodeCount"];
const ZONES: &[&str] = &["spec.parameters.zones", "spec.parameters.region"];
const GPU_COUNTS: &[&str] = &["spec.parameters.gpu.minNodeCount", "spec.parameters.gpu.maxNodeCount"];
const CAPACITY: &[&str] = &["spec.parameters.gpu.capacity"];
const MACHINE: &[&str] = &[
    "spec.parameters.gpu.machineType",
    "spec.parameters.gpu.accelerator",
    "spec.parameters.gpu.nodeSize",
    "input.cluster.gpuSizes",
];

/// The label of nodes with GPUs.
const GPU_LABEL: Data = data!({"gpu": "true"});

/// What both groups of nodes on AWS have.
#[rustfmt::skip]
pub(super) const NODE_GROUP: &[Rule<ClusterPart>] = &[
    constant("clusterNameSelector", "always: the cluster", SAME),
    rule("nodeRoleArnSelector", "the role of nodes", NAME, |p| Some(with_role(p, "nodegroup"))),
    constant("subnetIdSelector", "always: the cluster's subnets", SAME),
];

#[rustfmt::skip]
pub(super) const GENERAL_GROUP: &[Rule<ClusterPart>] = &[
    rule("scalingConfig", "the least number of nodes, and 10 at most unless that is more", COUNT, |p| Some(scaling(p.of.least_nodes(), p.of.most_nodes()))),
    rule("instanceTypes", "the machine type of the size", SIZE, |p| Some(json!([general(p)]))),
];

#[rustfmt::skip]
pub(super) const GPU_GROUP: &[Rule<ClusterPart>] = &[
    rule("amiType", "the image that has the driver", &[], |p| Some(json!(Drivers::of(p.of.provider)?.image?))),
    rule("instanceTypes", "the machine type, else the smallest that is known with the accelerator, else that of the size", MACHINE, |p| Some(json!([machine(p)?]))),
    rule("diskSize", "room for images and weights, by the size, else by the number of GPUs", MACHINE, disk),
    rule("scalingConfig", "the numbers of nodes", GPU_COUNTS, |p| gpu(p).map(|it| scaling(it.min_node_count, most(it)))),
    rule("capacityType", "how they are bought", CAPACITY, |p| bought(p, "ON_DEMAND", "SPOT")),
    constant("labels", "always: models are scheduled by it", GPU_LABEL),
    rule("taint", "other pods stay away", &[], |p| Some(taint(p))),
];

/// The general nodes on Azure, which are in the control plane's object.
#[rustfmt::skip]
pub const DEFAULT_POOL: &[Rule<ClusterPart>] = &[
    // Letters and digits only, so it is not the cluster's.
    constant("name", "always", data!("nodepool1")),
    rule("vmSize", "the machine type of the size", SIZE, |p| Some(general(p))),
    constant("autoScalingEnabled", "always: pods get the nodes that they need", data!(true)),
    rule("minCount", "the least number of nodes, at least 1", COUNT, |p| Some(json!(p.of.least_nodes()))),
    rule("maxCount", "10, unless the least number is more", COUNT, |p| Some(json!(p.of.most_nodes()))),
    rule("zones", "the zones, if there are any", ZONES, zones),
];

#[rustfmt::skip]
pub(super) const AKS_GPU_POOL: &[Rule<ClusterPart>] = &[
    constant("kubernetesClusterIdSelector", "always: the cluster", SAME),
    rule("vmSize", "the machine type, else the smallest that is known with the accelerator, else that of the size", MACHINE, |p| machine(p).map(Value::from)),
    constant("autoScalingEnabled", "always: pods get the nodes that they need", data!(true)),
    rule("minCount", "the least number of nodes", GPU_COUNTS, |p| gpu(p).map(|it| json!(it.min_node_count))),
    rule("maxCount", "the largest number of nodes", GPU_COUNTS, |p| gpu(p).map(|it| json!(most(it)))),
    rule("zones", "the zones, if there are any", ZONES, zones),
    rule("gpuDriver", "the GPU Operator installs the driver", &["input.cluster.drivers"], |p| p.of.drivers_by_operator().then(|| "None".into())),
    rule("priority", "how they are bought", CAPACITY, |p| bought(p, "Regular", "Spot")),
    rule("evictionPolicy", "what the cloud takes back is gone", CAPACITY, |p| spot(p).map(|()| "Delete".into())),
    rule("spotMaxPrice", "never more than the list price", CAPACITY, |p| spot(p).map(|()| json!(-1))),
    constant("nodeLabels", "always: models are scheduled by it", GPU_LABEL),
    rule("nodeLabels[kubernetes.azure.com/scalesetpriority]", "the cloud adds it", CAPACITY, |p| spot(p).map(|()| "spot".into())),
    rule("nodeTaints[]", "other pods stay away", &[], |p| Some(json!(format!("{}={}:{}", GPU_TAINT.0, GPU_TAINT.1, effect(p))))),
    rule("nodeTaints[]", "the cloud adds it", CAPACITY, |p| spot(p).map(|()| json!(format!("kubernetes.azure.com/scalesetpriority=spot:{}", effect(p))))),
];

/// What both pools of nodes on Google Cloud have.
#[rustfmt::skip]
pub(super) const GKE_POOL: &[Rule<ClusterPart>] = &[
    constant("clusterSelector", "always: the cluster", SAME),
    rule("version", "the version, else the cloud's", &["spec.parameters.version"], version),
    constant("management", "always: nodes are replaced when they are broken or old", data!({"autoRepair": true, "autoUpgrade": true})),
    constant("nodeConfig.oauthScopes", "always: rights are those of the account", data!([CLOUD_PLATFORM])),
];

#[rustfmt::skip]
pub(super) const GENERAL_POOL: &[Rule<ClusterPart>] = &[
    rule("initialNodeCount", "the least number of nodes, for each zone", COUNT, |p| Some(json!(p.of.least_nodes()))),
    rule("nodeLocations", "the zones, else three of the usual region", ZONES, zones),
    rule("autoscaling", "the least number of nodes for each zone, and 10 at most unless that is more", COUNT, |p| Some(json!({"minNodeCount": p.of.least_nodes(), "maxNodeCount": p.of.most_nodes()}))),
    rule("nodeConfig.machineType", "the machine type of the size", SIZE, |p| Some(general(p))),
    constant("nodeConfig.taint", "always: pods wait for the agent of Cilium, which removes it", data!([{"key": "node.cilium.io/agent-not-ready", "value": "true", "effect": "NO_EXECUTE"}])),
];

#[rustfmt::skip]
pub(super) const GKE_GPU_POOL: &[Rule<ClusterPart>] = &[
    rule("initialNodeCount", "the least number of nodes, for each zone", GPU_COUNTS, |p| gpu(p).map(|it| json!(it.min_node_count))),
    rule("nodeLocations", "a zone that has the accelerator, as far as that is known", &["spec.parameters.zones", "spec.parameters.region", "spec.parameters.gpu.accelerator", "spec.parameters.gpu.nodeSize"], |p| some_list(&p.of.gpu_zones(gpu(p)?))),
    rule("autoscaling", "the numbers of nodes, for each zone", GPU_COUNTS, |p| gpu(p).map(|it| json!({"minNodeCount": it.min_node_count, "maxNodeCount": most(it)}))),
    rule("nodeConfig.machineType", "the machine type, else the smallest that is known with the accelerator, else that of the size", MACHINE, |p| machine(p).map(Value::from)),
    rule("nodeConfig.guestAccelerator", "the accelerators of the machine type, if it is known", MACHINE, accelerators),
    rule("nodeConfig.spot", "how they are bought", CAPACITY, |p| bought(p, "", "").map(|_| spot(p).is_some().into())),
    constant("nodeConfig.labels", "always: models are scheduled by it", GPU_LABEL),
    rule("nodeConfig.taint", "other pods stay away", &["input.cluster.googleGpuTaint"], |p| p.of.options.google_gpu_taint.then(|| taint(p))),
];

/// Whether the cluster is in this cloud and has a pool with GPUs.
fn has_gpus(of: &ClusterInputs, cloud: Cloud) -> bool {
    of.provider == cloud && of.gpu().is_some()
}

fn gpu(part: &ClusterPart) -> Option<&GpuPool> {
    part.of.gpu()
}

fn most(pool: &GpuPool) -> u32 {
    pool.max_node_count.max(pool.min_node_count).max(1)
}

fn general(part: &ClusterPart) -> Value {
    sizes::general(part.of.provider, part.of.parameters.node_size).into()
}

fn machine(part: &ClusterPart) -> Option<String> {
    part.of.gpu_machine(gpu(part)?).map(|it| it.name)
}

fn scaling(least: u32, most: u32) -> Value {
    json!({"minSize": least, "desiredSize": least, "maxSize": most})
}

fn disk(part: &ClusterPart) -> Option<Value> {
    let pool = gpu(part)?;
    if pool.machine_type.is_none() && pool.accelerator.is_none() {
        return Some(json!(sizes::disk(pool.node_size)));
    }
    // The largest for a machine that nobody knows.
    let gpus = part.of.gpu_machine(pool)?.known.map_or(u8::MAX, |(_, gpus)| gpus);
    Some(json!(sizes::disk_for(gpus)))
}

fn accelerators(part: &ClusterPart) -> Option<Value> {
    let (accelerator, count) = part.of.gpu_machine(gpu(part)?)?.known?;
    Some(json!([{"type": accelerator.google?, "count": count}]))
}

/// How the machines are bought, in the words of the cloud. `None` when the composite does not say it.
fn bought(part: &ClusterPart, on_demand: &str, spot: &str) -> Option<Value> {
    Some(match gpu(part)?.capacity? {
        CapacityType::OnDemand => on_demand.into(),
        CapacityType::Spot => spot.into(),
    })
}

fn spot(part: &ClusterPart) -> Option<()> {
    (gpu(part)?.capacity? == CapacityType::Spot).then_some(())
}

fn taint(part: &ClusterPart) -> Value {
    json!([{"key": GPU_TAINT.0, "value": GPU_TAINT.1, "effect": effect(part)}])
}

fn effect(part: &ClusterPart) -> &'static str {
    Drivers::of(part.of.provider).map_or("", |it| it.no_schedule)
}

fn zones(part: &ClusterPart) -> Option<Value> {
    some_list(&part.of.zones())
}

fn some_list<T: AsRef<str>>(list: &[T]) -> Option<Value> {
    (!list.is_empty()).then(|| list.iter().map(|it| Value::from(it.as_ref())).collect())
}
