//! Node groups, and GPU clusters on the InfiniBand fabrics that they are in.

use serde_json::{Value, json};
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::builders::selectors::same_composite;
use toolbox::data;
use toolbox::rows::{Each, ObjectRow, RowTable};
use toolbox::rule::{Rule, constant, rule};

use super::parts::{NAME, NebiusPart, NebiusRow, NebiusShared, row};
use crate::clouds::drivers::GPU_TAINT;
use crate::clouds::resources::{NEBIUS_GPU_CLUSTERS, NEBIUS_NODE_GROUPS};
use crate::modelplane::labels::{FABRIC, SYSTEM_POOL};
use crate::modelplane::nebius_cluster::inputs::NebiusInputs;
use crate::modelplane::nebius_cluster::spec::{NebiusGpu, NebiusNodePool};
use crate::modelplane::platform::names;
use crate::modelplane::platform::pools::{PoolRole, is_system, node_labels};
use crate::modelplane::platform::secrets::USER_DATA_KEY;
use crate::modelplane::platform::tables::SAME;

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[NebiusRow] = &[
    ObjectRow { each: Each::Found(NebiusInputs::fabrics), ..row(&NEBIUS_GPU_CLUSTERS, "gpu-cluster-{e}", &[("", NebiusShared::IN_CLOUD), ("", GPU_CLUSTER)]) },
    // A pool of the composite that is called so takes its place, as in Modelplane v0.3.1.
    ObjectRow { exists: |of| !of.pools().iter().any(|it| is_system(&it.name)), ..row(&NEBIUS_NODE_GROUPS, "nodegroup-system", SYSTEM_TABLES) },
    ObjectRow { each: Each::Found(|of| of.pools().iter().map(|it| it.name.clone()).collect()), ..row(&NEBIUS_NODE_GROUPS, "nodegroup-{e}", OWN_TABLES) },
];

#[rustfmt::skip]
const SYSTEM_TABLES: &[RowTable<NebiusInputs>] = &[("", NebiusShared::IN_CLOUD), (FOR_PROVIDER, GROUP), (FOR_PROVIDER, SYSTEM)];
#[rustfmt::skip]
const OWN_TABLES: &[RowTable<NebiusInputs>] = &[("", NebiusShared::IN_CLOUD), (FOR_PROVIDER, GROUP), (FOR_PROVIDER, OWN)];

/// A GPU cluster: nodes in it talk over its fabric.
#[rustfmt::skip]
pub(super) const GPU_CLUSTER: &[Rule<NebiusPart>] = &[
    rule("metadata.labels", "fabric `{it}`, by which node groups find it", FABRICS, |p| Some(json!({FABRIC: p.element}))),
    rule("spec.forProvider.name", "cluster and fabric `{it}`", NAME, |p| Some(json!(format!("{}-{}", p.of.cluster.name, p.element)))),
    rule("spec.forProvider.infinibandFabric", "fabric `{it}`", FABRICS, |p| Some(json!(p.element))),
];

// The place of a fabric is not that of a pool.
const FABRICS: &[&str] = &["spec.nodePools"];

/// What every node group has.
#[rustfmt::skip]
pub(super) const GROUP: &[Rule<NebiusPart>] = &[
    constant("parentIdSelector", "always: the cluster", SAME),
    rule("version", "the version of Kubernetes", &["spec.kubernetesVersion"], |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    constant("template.networkInterfaces", "always: the cluster's subnet", data!([{"subnetIdSelector": SAME}])),
    constant("template.filesystems", "always: the file system for ModelCaches", data!([{"attachMode": "READ_WRITE", "mountTag": "modelplane-cache", "existingFilesystem": {"idSelector": SAME}}])),
    rule("template.cloudInitUserDataSecretRef", "the Secret by which nodes mount it", NAME, |p| Some(json!({"name": names::cloud_init(&p.of.cluster.name), "key": USER_DATA_KEY}))),
];

/// The node group for everything without GPUs.
#[rustfmt::skip]
pub(super) const SYSTEM: &[Rule<NebiusPart>] = &[
    rule("name", "the cluster, with an ending", NAME, |p| Some(json!(called(p, SYSTEM_POOL)))),
    constant("autoscaling", "always: one or two nodes", data!({"minNodeCount": 1, "maxNodeCount": 2})),
    constant("template.resources", "always: enough for what serves models", data!({"platform": "cpu-d3", "preset": "4vcpu-16gb"})),
    rule("template.bootDisk", "always: room for images", &[], |_| Some(disk(100))),
    rule("template.metadata.labels", "always: the name of the pool", &[], |_| Some(node_labels(SYSTEM_POOL, None))),
];

const COUNTS: &[&str] =
    &["spec.nodePools[].nodeCount", "spec.nodePools[].minNodeCount", "spec.nodePools[].maxNodeCount"];
const ROLE: &[&str] = &["spec.nodePools[].role"];
const LABELS: &[&str] = &["spec.nodePools[].name", "spec.nodePools[].role", "spec.nodePools[].gpu.acceleratorType"];
const GPUS: &[&str] = &["spec.nodePools[].role", "spec.nodePools[].gpu.driversPreset"];
const FABRIC_FIELDS: &[&str] = &["spec.nodePools[].fabric.type", "spec.nodePools[].fabric.infiniband.fabric"];

/// The node groups of the composite.
#[rustfmt::skip]
pub(super) const OWN: &[Rule<NebiusPart>] = &[
    rule("name", "the cluster, and pool `{it}`", &["metadata.name", "spec.nodePools[].name"], |p| Some(json!(called(p, &p.element)))),
    rule("autoscaling", "the bounds of `{it}`, if it grows", COUNTS, |p| pool(p)?.counts().bounds().map(|(least, most)| json!({"minNodeCount": least, "maxNodeCount": most}))),
    rule("fixedNodeCount", "the number of nodes of `{it}`, unless it grows", COUNTS, |p| pool(p).filter(|it| it.max_node_count.is_none()).map(|it| json!(it.node_count))),
    rule("template.resources", "the machines of `{it}`", &["spec.nodePools[].platform", "spec.nodePools[].preset"], |p| pool(p).map(|it| json!({"platform": it.platform, "preset": it.preset}))),
    rule("template.bootDisk", "the disk of `{it}`", &["spec.nodePools[].diskSizeGb"], |p| Some(disk(pool(p)?.disk_size_gb))),
    rule("template.metadata.labels", "pool and accelerator of `{it}`", LABELS, |p| pool(p).map(labels)),
    rule("template.gpuSettings.driversPreset", "Nebius installs the driver of `{it}`", GPUS, |p| Some(json!(gpu(pool(p)?)?.drivers_preset))),
    rule("template.taints", "pods that do not tolerate GPUs stay away", ROLE, |p| taints(pool(p)?)),
    rule("template.gpuCluster.idSelector", "the GPU cluster on the fabric of `{it}`", FABRIC_FIELDS, |p| Some(same_composite(&[(FABRIC, pool(p)?.infiniband()?)]))),
];

fn pool(part: &NebiusPart) -> Option<&NebiusNodePool> {
    part.of.pools().get(part.place())
}

/// The name of a node group at Nebius.
fn called(part: &NebiusPart, pool: &str) -> String {
    format!("{}-{pool}", part.of.cluster.name)
}

fn disk(size: u32) -> Value {
    json!({"sizeGibibytes": size, "type": "NETWORK_SSD"})
}

/// The GPUs of a node group for models.
fn gpu(pool: &NebiusNodePool) -> Option<&NebiusGpu> {
    pool.gpu.as_ref().filter(|_| pool.role == PoolRole::Gpu)
}

fn labels(pool: &NebiusNodePool) -> Value {
    node_labels(&pool.name, gpu(pool).map(|it| it.accelerator_type.as_str()))
}

fn taints(pool: &NebiusNodePool) -> Option<Value> {
    let taint = json!({"key": GPU_TAINT.0, "value": GPU_TAINT.1, "effect": "NO_SCHEDULE"});
    (pool.role == PoolRole::Gpu).then(|| json!([taint]))
}
