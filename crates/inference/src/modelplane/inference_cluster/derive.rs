//! Derives every value of what a cluster is made of, and of its status.

use serde_json::{Value, json};
use toolbox::builders::usage;
use toolbox::data;
use toolbox::observed::ReadyWhen;
use toolbox::resources::{CLUSTER_KUBERNETES_CONFIGS, CLUSTER_USAGES, USAGES};
use toolbox::rows::{Each, Gate, ObjectRow, Part};
use toolbox::rule::{Rule, Table, constant, rule};

use super::inputs::{FleetInputs, FleetPool, LivePool};
use crate::modelplane::classes;
use crate::modelplane::labels::SYSTEM_NAMESPACE;
use crate::modelplane::platform::names;
use crate::modelplane::platform::secrets::ClusterSecret;
use crate::modelplane::resources::{INFERENCE_CLUSTERS, SERVING_STACKS, kind};
use toolbox::held::HELD;

/// What keeps a cluster from being deleted. It is desired whatever else is in the way.
#[rustfmt::skip]
pub const GUARDS: &[ObjectRow<FleetInputs>] = &[
    ObjectRow { exists: |i| i.seen.has_replicas, tables: &[("", GUARD), ("", BY_REPLICAS)], ready: ReadyWhen::Desired, ..ObjectRow::unnamed(&CLUSTER_USAGES, "usage-replicas") },
    ObjectRow { exists: |i| i.seen.has_caches, tables: &[("", GUARD), ("", BY_CACHES)], ready: ReadyWhen::Desired, ..ObjectRow::unnamed(&CLUSTER_USAGES, "usage-caches") },
];

/// What a cluster is made of, beside what its cloud makes.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow<FleetInputs>] = &[
    ObjectRow { gate: Gate::Known("the cluster to be ready, with a kubeconfig", |i| i.kubeconfig().is_some()), tables: &[("", CONFIG)], ready: ReadyWhen::Desired, ..ObjectRow::unnamed(&CLUSTER_KUBERNETES_CONFIGS, CONFIG_KEY) },
    ObjectRow { gate: Gate::Known("the cluster to be ready, with a kubeconfig", |i| !i.stack_secrets().is_empty()), tables: &[("", STACK)], ..ObjectRow::unnamed(&SERVING_STACKS, STACK_KEY) },
    ObjectRow { each: Each::Found(|i| i.cloud.iter().map(|cloud| cloud.block.to_owned()).collect()), gate: Gate::Until("the ServingStack", FleetInputs::wants_stack), tables: &[("", BY_BACKEND)], ready: ReadyWhen::Desired, ..ObjectRow::unnamed(&USAGES, "usage-{e}-by-backend") },
];

/// The composition resource name of the ClusterProviderConfig.
pub const CONFIG_KEY: &str = "cluster-provider-config-kubernetes";

/// The composition resource name of the ServingStack.
pub const STACK_KEY: &str = "serving-stack";

const NAME: &[&str] = &["metadata.name"];
const SOURCE: &[&str] = &["spec.cluster.source"];
const COUNTS: &[&str] =
    &["spec.nodePools[].maxNodeCount", "spec.nodePools[].minNodeCount", "spec.nodePools[].nodeCount"];
const CLASS: &[&str] = &["spec.nodePools[].className"];
const FABRIC: &[&str] = &["spec.nodePools[].fabric.type", "spec.nodePools[].fabric.infiniband.fabric"];
const SECRETS: &[&str] = &["spec.cluster.existing.secretRef", "spec.cluster.existing.identitySecretRef"];

#[rustfmt::skip]
const GUARD: &[Rule<Part<FleetInputs>>] = &[
    rule(usage::OF, "the cluster stays", NAME, |p| Some(usage::named(kind(&INFERENCE_CLUSTERS), &p.of.cluster.name))),
    constant(usage::REPLAY_DELETION, "always: what was refused is deleted as soon as it may be", data!(true)),
];

#[rustfmt::skip]
const BY_REPLICAS: &[Rule<Part<FleetInputs>>] = &[
    constant(usage::REASON, "while a replica is on it, and until what it had there is gone", data!("ModelReplicas are scheduled to this InferenceCluster")),
];

#[rustfmt::skip]
const BY_CACHES: &[Rule<Part<FleetInputs>>] = &[
    constant(usage::REASON, "while a cache is on it, and until what it had there is gone", data!("ModelCaches are staged on this InferenceCluster")),
];

#[rustfmt::skip]
const CONFIG: &[Rule<Part<FleetInputs>>] = &[
    rule("metadata.name", "the cluster, with a hash: replicas and caches reach it by this name", NAME, |p| Some(json!(names::cluster_provider_config(&p.of.cluster.name)))),
    constant("spec.credentials.source", "always: a Secret", data!("Secret")),
    rule("spec.credentials.secretRef", "the Secret with the kubeconfig", SECRETS, |p| Some(p.of.kubeconfig()?.reference(SYSTEM_NAMESPACE))),
    rule("spec.identity", "the identity that the kubeconfig lacks", SECRETS, |p| Some(p.of.identity()?.identity(SYSTEM_NAMESPACE))),
];

#[rustfmt::skip]
const STACK: &[Rule<Part<FleetInputs>>] = &[
    rule("metadata.name", "the cluster, with a hash", NAME, |p| Some(json!(names::serving_stack(&p.of.cluster.name)))),
    constant("metadata.namespace", "always: that of everything that clusters are made of", data!(SYSTEM_NAMESPACE)),
    rule("spec.secrets", "the Secrets that lead to the cluster", SECRETS, |p| Some(p.of.stack_secrets().iter().map(ClusterSecret::to_value).collect())),
    rule("spec.nvidiaDriverRoot", "where nodes of the cloud have the driver", SOURCE, |p| p.of.cloud?.driver_root.map(Value::from)),
    rule("spec.scheduler.type", "the scheduler that is installed too", &["spec.scheduler.type"], |p| p.of.scheduler().map(Value::from)),
];

#[rustfmt::skip]
const BY_BACKEND: &[Rule<Part<FleetInputs>>] = &[
    constant("metadata.namespace", "always: that of everything that clusters are made of", data!(SYSTEM_NAMESPACE)),
    rule(usage::OF, "the cluster in the cloud stays", SOURCE, |p| Some(usage::selected(kind(p.of.cloud?.kind), &[]))),
    rule(usage::BY, "while its ServingStack exists", &[], |_| Some(usage::selected(kind(&SERVING_STACKS), &[]))),
    constant(usage::REPLAY_DELETION, "always: what was refused is deleted as soon as it may be", data!(true)),
];

/// What makes the cluster in its cloud.
#[rustfmt::skip]
pub const CLOUD: &[Rule<FleetInputs>] = &[
    rule("metadata.name", "the cluster", NAME, |i| Some(json!(i.cluster.name))),
    constant("metadata.namespace", "always: that of everything that clusters are made of", data!(SYSTEM_NAMESPACE)),
    rule("spec.region", "the region", &["spec.cluster.gke.region", "spec.cluster.eks.region", "spec.cluster.vultr.region"], |i| i.fields.region.clone().map(Value::from)),
    rule("spec.location", "the region", &["spec.cluster.aks.location"], |i| i.fields.location.clone().map(Value::from)),
    rule("spec.project", "the project, where it is not that of the credentials", &["spec.cluster.gke.project"], |i| i.fields.project.clone().map(Value::from)),
    rule("spec.kubernetesVersion", "the version", &["spec.cluster.gke.kubernetesVersion", "spec.cluster.eks.kubernetesVersion", "spec.cluster.aks.kubernetesVersion", "spec.cluster.nebius.kubernetesVersion", "spec.cluster.vultr.kubernetesVersion"], |i| i.fields.kubernetes_version.clone().map(Value::from)),
    rule("spec.credentials", "the credentials, if the cluster names any", &["spec.cluster.gke.credentials", "spec.cluster.eks.credentials", "spec.cluster.aks.credentials", "spec.cluster.nebius.credentials", "spec.cluster.vultr.credentials"], |i| i.fields.credentials.as_ref().map(|it| json!({"type": it.config_kind, "name": it.name}))),
];

/// Where the pools of the cluster in its cloud are.
pub const POOLS: &str = "spec.nodePools";

/// A pool of the cluster in its cloud.
#[rustfmt::skip]
pub const POOL: &[Rule<FleetPool>] = &[
    rule("name", "pool `{pool}`", &["spec.nodePools[].name"], |p| Some(json!(p.pool.name))),
    constant("role", "always: pools for everything else come with the cluster", data!("GPU")),
    rule("machineType", "the machines of its class in Google Cloud", CLASS, |p| made(p, "machineType")),
    rule("instanceType", "the machines of its class in AWS", CLASS, |p| made(p, "instanceType")),
    rule("vmSize", "the machines of its class in Azure", CLASS, |p| made(p, "vmSize")),
    rule("platform", "the machines of its class in Nebius", CLASS, |p| made(p, "platform")),
    rule("preset", "the machines of its class in Nebius", CLASS, |p| made(p, "preset")),
    rule("plan", "the machines of its class in Vultr", CLASS, |p| made(p, "plan")),
    rule("diskSizeGb", "the disk of its class", CLASS, |p| made(p, "diskSizeGb")),
    rule("nodeCount", "the number of nodes to begin with", &["spec.nodePools[].nodeCount"], |p| Some(json!(count(p)))),
    rule("minNodeCount", "the smallest number; in a new pool without a largest one, the number of nodes", COUNTS, |p| bounds(p).0.map(Value::from)),
    rule("maxNodeCount", "the largest number; in a new pool without one, the number of nodes; one that grows by itself goes on", COUNTS, |p| bounds(p).1.map(Value::from)),
    rule("gpu.acceleratorType", "the accelerator of its class", CLASS, |p| Some(block(p)?.get("accelerator")?.get("type")?.clone())),
    rule("gpu.acceleratorCount", "the number of accelerators of its class, which Google Cloud wants to know", CLASS, |p| is_of(p, "GKE").then(|| block(p)?.get("accelerator")?.get("count").cloned())?),
    rule("gpu.driversPreset", "the driver of its class, which Nebius installs", CLASS, |p| made(p, "driversPreset")),
    rule("zones", "the zones", &["spec.nodePools[].zones"], zones),
    rule("capacityBlock.capacityReservationId", "the Capacity Block that the nodes come from", &["spec.nodePools[].capacityBlock.capacityReservationId"], |p| p.cloud.filter(|it| it.has_capacity_blocks).and(p.pool.capacity_block.as_ref()).map(|it| json!(it.capacity_reservation_id))),
    rule("fabric", "the fabric between nodes, where the cloud has it", FABRIC, fabric),
];

/// The status.
#[rustfmt::skip]
pub const STATUS: &[Rule<FleetInputs>] = &[
    rule("providerConfigRef.name", "the ClusterProviderConfig by which replicas and caches reach the cluster", NAME, |i| Some(json!(names::cluster_provider_config(&i.cluster.name)))),
    constant("namespace", "always: that of everything that clusters are made of", data!(SYSTEM_NAMESPACE)),
    rule("gateway.address", "the address that the ServingStack publishes", &[], |i| i.seen.address.clone().map(Value::from)),
    rule("cache.storageClassName", "the storage class that comes with the cluster, or that its author names", &["spec.cluster.existing.cache.storageClassName"], |i| storage_class(i).map(Value::from)),
    rule("gpuPools", "the pools, with the devices of their classes", &["spec.nodePools"], |i| Some(i.pools.iter().filter_map(published).collect())),
    rule("capacity.gpuPools", "the same as an earlier version had it, where a class is written so", &["spec.nodePools"], |i| i.pools.iter().any(|it| it.is_earlier).then(|| i.pools.iter().filter_map(published_before).collect())),
];

/// The storage class for caches.
pub fn storage_class(inputs: &FleetInputs) -> Option<&str> {
    let of_author = inputs.cluster.spec.cluster.existing.as_ref().filter(|_| inputs.cloud.is_none());
    match of_author {
        Some(existing) => existing.cache.as_ref()?.storage_class_name.as_deref(),
        None => inputs.seen.storage_class.as_deref(),
    }
}

/// How the class of a pool is made in the cloud.
fn block(pool: &FleetPool) -> Option<&Value> {
    pool.class.get("spec")?.get("provisioning")?.get(pool.cloud?.block)
}

fn made(pool: &FleetPool, field: &str) -> Option<Value> {
    block(pool)?.get(field).filter(|value| !value.is_null()).cloned()
}

fn is_of(pool: &FleetPool, source: &str) -> bool {
    pool.cloud.is_some_and(|cloud| cloud.source == source)
}

fn count(pool: &FleetPool) -> u64 {
    pool.pool.node_count.unwrap_or(1).into()
}

/// The smallest and the largest number of nodes, where the pool says them or shall have them.
fn bounds(pool: &FleetPool) -> (Option<u64>, Option<u64>) {
    let said = (pool.pool.min_node_count.map(u64::from), pool.pool.max_node_count.map(u64::from));
    if said.1.is_some() || !pool.cloud.is_some_and(|cloud| cloud.grows_by_default) {
        return said;
    }
    let all = count(pool);
    // A cloud has no pool that cannot have a node.
    let fixed = (Some(all), Some(all.max(1)));
    match pool.live {
        None => fixed,
        // Nobody has said any yet.
        Some(LivePool { least: None, most: None, .. }) => said,
        Some(live) if live.is_of_fixed_size() => fixed,
        // It grows by itself, and must not shrink under what runs.
        Some(LivePool { least, most, .. }) => (said.0.or(least), most),
    }
}

fn zones(pool: &FleetPool) -> Option<Value> {
    let zones = pool.pool.zones.as_ref().filter(|zones| !zones.is_empty())?;
    ["GKE", "EKS", "AKS"].iter().any(|source| is_of(pool, source)).then(|| json!(zones))
}

fn fabric(pool: &FleetPool) -> Option<Value> {
    let fabric = pool.pool.fabric.as_ref()?;
    let name = fabric.fabric_type.as_ref()?.as_str();
    if !pool.cloud?.fabrics.contains(&name) {
        return None;
    }
    if is_of(pool, "Nebius") {
        let fabric = fabric.infiniband.as_ref()?;
        return Some(json!({"type": name, "infiniband": {"fabric": fabric.fabric}}));
    }
    Some(name.into())
}

/// The number of nodes that models are placed up to.
fn nodes(pool: &FleetPool) -> u64 {
    pool.pool.max_node_count.filter(|most| *most > 0).map_or_else(|| count(pool), u64::from)
}

fn published(pool: &FleetPool) -> Option<Value> {
    let devices = classes::devices(&pool.class)?;
    Some(json!({"name": pool.pool.name, "nodes": nodes(pool), "devices": devices}))
}

fn published_before(pool: &FleetPool) -> Option<Value> {
    let gpu = classes::gpu(&pool.class)?;
    Some(json!({
        "acceleratorType": classes::accelerator(&pool.class, pool.cloud.map(|cloud| cloud.block)),
        "memory": gpu["capacity"]["memory"]["value"].as_str().unwrap_or_default(),
        "countPerNode": gpu["count"].as_u64().unwrap_or(1),
        "nodes": nodes(pool),
    }))
}

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("ClusterUsage", GUARD),
        Table::of("ClusterUsage by replicas", BY_REPLICAS),
        Table::of("ClusterUsage by caches", BY_CACHES),
        Table::of("the cluster in the cloud", CLOUD),
        Table::each("the cluster in the cloud", POOL),
        Table::of("ClusterProviderConfig", CONFIG),
        Table::of("ServingStack", STACK),
        Table::of("Usage by the ServingStack", BY_BACKEND),
        Table::of("what is held", HELD),
        Table::of("status", STATUS),
    ]
}
