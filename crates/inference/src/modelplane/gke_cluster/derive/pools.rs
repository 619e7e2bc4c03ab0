//! Node pools.

use serde_json::{Value, json};
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rows::{Each, ObjectRow, RowTable};
use toolbox::rule::{Rule, constant, rule};

use super::parts::{GkePart, GkeRow, GkeShared, IN_PROJECT, LOCATED, row};
use crate::clouds::google;
use crate::clouds::resources::GKE_NODE_POOLS;
use crate::modelplane::gke_cluster::inputs::GkeInputs;
use crate::modelplane::gke_cluster::spec::{GkeGpu, GkeNodePool};
use crate::modelplane::labels::{GKE_DRA_DRIVER, SYSTEM_POOL};
use crate::modelplane::platform::pools::{PoolRole, is_system, node_labels};
use crate::modelplane::platform::tables::SAME;

/// The pools.
#[rustfmt::skip]
pub(super) const POOLS: &[GkeRow] = &[
    // A pool of the composite that is called so takes its place, as in Modelplane v0.3.1.
    ObjectRow { exists: |of| !of.cluster.spec.node_pools.iter().any(|it| is_system(&it.name)), tables: SYSTEM_TABLES, ..row(&GKE_NODE_POOLS, "nodepool-system") },
    ObjectRow { each: Each::Found(|of| of.cluster.spec.node_pools.iter().map(|it| it.name.clone()).collect()), tables: OWN_TABLES, ..row(&GKE_NODE_POOLS, "nodepool-{e}") },
];

#[rustfmt::skip]
const SYSTEM_TABLES: &[RowTable<GkeInputs>] = &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, POOL), (FOR_PROVIDER, SYSTEM)];
#[rustfmt::skip]
const OWN_TABLES: &[RowTable<GkeInputs>] = &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, POOL), (FOR_PROVIDER, OWN)];

/// What every pool has.
#[rustfmt::skip]
pub(super) const POOL: &[Rule<GkePart>] = &[
    constant("clusterSelector", "always: the cluster", SAME),
    constant("nodeConfig.imageType", "always: the image for which Google installs drivers", data!((google::NODE_IMAGE))),
    constant("nodeConfig.oauthScopes", "always: rights are those of the account", data!([(google::CLOUD_PLATFORM)])),
];

/// The pool for everything without GPUs.
#[rustfmt::skip]
pub(super) const SYSTEM: &[Rule<GkePart>] = &[
    constant("initialNodeCount", "always: a node to begin with", data!(1)),
    constant("autoscaling", "always: one or two nodes, in each zone", data!({"minNodeCount": 1, "maxNodeCount": 2})),
    constant("nodeConfig.machineType", "always: enough for what serves models", data!("e2-standard-4")),
    rule("nodeConfig.labels", "always: the name of the pool", &[], |_| Some(node_labels(SYSTEM_POOL, None))),
];

const COUNTS: &[&str] = &["spec.nodePools[].minNodeCount", "spec.nodePools[].maxNodeCount"];
const GPUS: &[&str] =
    &["spec.nodePools[].role", "spec.nodePools[].gpu.acceleratorType", "spec.nodePools[].gpu.acceleratorCount"];
const LABELS: &[&str] = &["spec.nodePools[].name", "spec.nodePools[].role", "spec.nodePools[].gpu.acceleratorType"];

/// The pools of the composite.
#[rustfmt::skip]
pub(super) const OWN: &[Rule<GkePart>] = &[
    rule("initialNodeCount", "the number of nodes of `{it}` to begin with", &["spec.nodePools[].nodeCount"], |p| Some(json!(pool(p)?.size.node_count))),
    rule("initialNodeCount", "as many as it has begun with: Google would make the pool anew for another number", &[], |p| p.of.begun.get(&p.key).map(|count| json!(count))),
    rule("autoscaling", "the bounds of `{it}`, for each zone", COUNTS, |p| pool(p).map(|it| json!({"minNodeCount": it.size.min_node_count, "maxNodeCount": it.size.max_node_count}))),
    rule("nodeLocations", "the zones of `{it}`, if it has any", &["spec.nodePools[].zones"], |p| pool(p)?.zones.as_ref().map(|it| json!(it))),
    rule("nodeConfig.machineType", "the machine type of `{it}`", &["spec.nodePools[].machineType"], |p| Some(json!(pool(p)?.machine_type))),
    rule("nodeConfig.diskSizeGb", "the disk of `{it}`", &["spec.nodePools[].diskSizeGb"], |p| Some(json!(pool(p)?.size.disk_size_gb))),
    rule("nodeConfig.labels", "pool and accelerator of `{it}`; with GPUs a third one too, by which the autoscaler makes the first node for claimed devices", LABELS, |p| pool(p).map(labels)),
    rule("nodeConfig.guestAccelerator", "the GPUs of `{it}`, with the driver that Google installs", GPUS, |p| gpu(pool(p)?).map(|it| json!([{"type": it.accelerator_type, "count": it.accelerator_count, "gpuDriverInstallationConfig": {"gpuDriverVersion": "DEFAULT"}}]))),
];

fn pool(part: &GkePart) -> Option<&GkeNodePool> {
    part.of.cluster.spec.node_pools.get(part.place())
}

/// The GPUs of a pool for models.
fn gpu(pool: &GkeNodePool) -> Option<&GkeGpu> {
    pool.gpu.as_ref().filter(|_| pool.role == PoolRole::Gpu)
}

fn labels(pool: &GkeNodePool) -> Value {
    let gpu = gpu(pool);
    let mut labels = node_labels(&pool.name, gpu.map(|it| it.accelerator_type.as_str()));
    if gpu.is_some() {
        labels[GKE_DRA_DRIVER] = json!("true");
    }
    labels
}
