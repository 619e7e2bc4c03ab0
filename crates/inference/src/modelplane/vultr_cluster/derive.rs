//! Derives every value: an object is a row, and each value in it a rule.

use contract::catalog::ApiResource;
use serde_json::{Value, json};
use toolbox::builders::managed::{self, FOR_PROVIDER};
use toolbox::builders::remote;
use toolbox::data;
use toolbox::resources::OBJECTS;
use toolbox::rows::{Each, Gate, Named, ObjectRow, Part, RowTable};
use toolbox::rule::{Rule, Table, constant, rule};

use super::spec::{VultrClusterSpec, VultrNodePool};
use crate::clouds::drivers::GPU_TAINT;
use crate::clouds::resources::{VULTR_CLUSTERS, VULTR_NODE_POOLS};
use crate::modelplane::labels::{POOL as POOL_LABEL, SYSTEM_POOL};
use crate::modelplane::platform::areas;
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::pools::{PoolRole, node_labels};
use crate::modelplane::platform::tables::{CloudCluster, SAME, Shared, documented};
use crate::modelplane::resources::DAEMON_SETS;
use crate::modelplane::subject::Subject;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct VultrInputs {
    /// The composite.
    pub cluster: Subject<VultrClusterSpec>,
    /// The credentials for Vultr.
    pub credentials: Credentials,
    /// Whether the control plane has been ready: it is, or something exists that waits for it.
    pub has_begun: bool,
}

impl VultrInputs {
    /// The pools of the composite.
    pub fn pools(&self) -> &[VultrNodePool] {
        &self.cluster.spec.node_pools
    }
}

impl Named for VultrInputs {
    fn name(&self) -> &str {
        &self.cluster.name
    }
}

impl CloudCluster for VultrInputs {
    fn namespace(&self) -> &str {
        &self.cluster.namespace
    }

    fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

type VultrRow = ObjectRow<VultrInputs>;
type VultrPart = Part<VultrInputs>;
type VultrShared = Shared<VultrInputs>;

/// The rows, by area.
pub const ROWS: &[&[VultrRow]] = &[CONTROL_PLANE, POOLS];

/// What people call the areas, in the order of the rows.
pub const AREA_NAMES: [&str; 2] = ["control plane", "pools"];

/// The area of a composed resource. `None` when no row has such a key.
pub fn area(composite: &Value, key: &str, _object: &Value) -> Option<usize> {
    areas::area(ROWS, composite, key)
}

/// Composition resource name of the control plane.
pub const CLUSTER_KEY: &str = "cluster";
/// Composition resource name of the provider configuration.
pub const CONFIG_KEY: &str = VultrShared::KUBERNETES_CONFIG.key;
/// What the composition resource names of pools begin with.
pub const POOL_KEYS: &str = "node-pool-";

const fn row(kind: &'static ApiResource, key: &'static str, tables: &'static [RowTable<VultrInputs>]) -> VultrRow {
    ObjectRow { tables, ..ObjectRow::unnamed(kind, key) }
}

/// Once the control plane is ready. It may be unready later.
const AFTER_CLUSTER: Gate<VultrInputs> = Gate::Until("the control plane to be ready", |of| of.has_begun);

#[rustfmt::skip]
const CONTROL_PLANE: &[VultrRow] = &[
    row(&VULTR_CLUSTERS, CLUSTER_KEY, &[("", VultrShared::IN_CLOUD), ("", VultrShared::WITH_KUBECONFIG), (FOR_PROVIDER, CLUSTER), ("spec.forProvider.nodePools", SYSTEM)]),
    ObjectRow { gate: AFTER_CLUSTER, tables: &[("", VultrShared::CONFIG), ("", BESIDE)], ..VultrShared::KUBERNETES_CONFIG },
];

#[rustfmt::skip]
const POOLS: &[VultrRow] = &[
    ObjectRow { each: Each::Found(|of| of.pools().iter().map(|pool| pool.name.clone()).collect()), gate: AFTER_CLUSTER, ..row(&VULTR_NODE_POOLS, "node-pool-{e}", &[("", VultrShared::IN_CLOUD), (FOR_PROVIDER, POOL)]) },
    ObjectRow { gate: AFTER_CLUSTER, wraps: Some((&DAEMON_SETS, VALIDATOR)), ..row(&OBJECTS, "gpu-observer", &[("", VultrShared::ON_CLUSTER), ("", OBSERVER)]) },
];

#[rustfmt::skip]
const CLUSTER: &[Rule<VultrPart>] = &[
    rule("label", "the name of the cluster", &["metadata.name"], |p| Some(json!(p.of.cluster.name))),
    rule("region", "the region", &["spec.region"], |p| Some(json!(p.of.cluster.spec.region))),
    rule("version", "the version of Kubernetes", &["spec.kubernetesVersion"], |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    constant("haControlplanes", "always: the control plane survives the loss of a machine", data!(true)),
];

/// The pool for everything without GPUs, which is in the object of the control plane. The provider never changes it.
#[rustfmt::skip]
const SYSTEM: &[Rule<VultrPart>] = &[
    constant("label", "always", data!(SYSTEM_POOL)),
    constant("plan", "always: enough for what serves models", data!("vc2-6c-16gb")),
    constant("nodeQuantity", "always: a node to begin with", data!(1)),
    constant("autoScaler", "always: pods get the nodes that they need", data!(true)),
    constant("minNodes", "always: one or two nodes", data!(1)),
    constant("maxNodes", "always: one or two nodes", data!(2)),
    rule("labels", "always: the name of the pool", &[], |_| Some(listed(node_labels(SYSTEM_POOL, None)))),
];

#[rustfmt::skip]
const BESIDE: &[Rule<VultrPart>] = &[
    rule("metadata.namespace", "the namespace of the composite", &["metadata.namespace"], |p| Some(json!(p.of.cluster.namespace))),
];

const ROLE: &[&str] = &["spec.nodePools[].role"];
const COUNTS: &[&str] =
    &["spec.nodePools[].nodeCount", "spec.nodePools[].minNodeCount", "spec.nodePools[].maxNodeCount"];
const GROWS: &[&str] = &["spec.nodePools[].maxNodeCount"];
const LABELS: &[&str] = &["spec.nodePools[].name", "spec.nodePools[].role", "spec.nodePools[].gpu.acceleratorType"];

#[rustfmt::skip]
const POOL: &[Rule<VultrPart>] = &[
    rule("label", "pool `{it}`, by its name", &["spec.nodePools[].name"], |p| Some(json!(p.element))),
    rule("plan", "the machines of `{it}`", &["spec.nodePools[].plan"], |p| Some(json!(pool(p)?.plan))),
    rule("nodeQuantity", "the number of nodes of `{it}`, to begin with if it grows", &["spec.nodePools[].nodeCount"], |p| Some(json!(pool(p)?.node_count))),
    rule("labels", "pool and accelerator of `{it}`", LABELS, |p| pool(p).map(labels)),
    constant("clusterIdSelector", "always: the cluster", SAME),
    rule("taints", "pods that do not tolerate GPUs stay away", ROLE, |p| taints(pool(p)?)),
    rule("autoScaler", "`{it}` grows, as it has a largest number of nodes", GROWS, |p| pool(p)?.max_node_count.map(|_| json!(true))),
    rule("minNodes", "the smallest number of nodes of `{it}`, if it grows", COUNTS, |p| pool(p)?.counts().bounds().map(|(least, _)| json!(least))),
    rule("maxNodes", "the largest number of nodes of `{it}`, if it grows", COUNTS, |p| pool(p)?.counts().bounds().map(|(_, most)| json!(most))),
];

/// When GPUs can be used, on every node that has any. Compared as text.
const VALIDATED: &str = "has(object.status.numberReady) && object.status.desiredNumberScheduled >= 1 && object.status.numberReady == object.status.desiredNumberScheduled";

#[rustfmt::skip]
const OBSERVER: &[Rule<VultrPart>] = &[
    constant(managed::MANAGEMENT_POLICIES, "always: Vultr installs the GPU Operator", managed::OBSERVED),
    rule(remote::READINESS, "GPUs are validated on every node that has any", &[], |_| Some(remote::cel_query(VALIDATED))),
];

#[rustfmt::skip]
const VALIDATOR: &[Rule<VultrPart>] = &[
    constant("metadata.name", "always: what validates GPUs", data!("nvidia-operator-validator")),
    constant("metadata.namespace", "always: that of the GPU Operator", data!("gpu-operator")),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<VultrInputs>] = &[
    rule("secrets", "the Secret with the kubeconfig", &["metadata.name"], |i| Some(VultrShared::secrets(i))),
];

fn pool(part: &VultrPart) -> Option<&VultrNodePool> {
    part.of.pools().get(part.place())
}

fn labels(pool: &VultrNodePool) -> Value {
    let gpu = pool.gpu.as_ref().filter(|_| pool.role == PoolRole::Gpu);
    listed(node_labels(&pool.name, gpu.map(|it| it.accelerator_type.as_str())))
}

/// Labels as Vultr has them: a list. That of the pool comes first.
fn listed(labels: Value) -> Value {
    let label = |(key, value): (&String, &Value)| json!({"key": key, "value": value});
    let mut labels: Vec<_> = labels.as_object().into_iter().flatten().map(label).collect();
    labels.sort_by_key(|label| label["key"] != POOL_LABEL);
    Value::Array(labels)
}

fn taints(pool: &VultrNodePool) -> Option<Value> {
    let taint = json!({"key": GPU_TAINT.0, "value": GPU_TAINT.1, "effect": "NoSchedule"});
    (pool.role == PoolRole::Gpu).then(|| json!([taint]))
}

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let own = [
        ("Kubernetes", CLUSTER),
        ("pool of Kubernetes, for everything without GPUs", SYSTEM),
        ("ProviderConfig, namespace", BESIDE),
        ("KubernetesNodePool", POOL),
        ("Object that sees GPUs", OBSERVER),
        ("DaemonSet", VALIDATOR),
    ];
    documented(&own, STATUS)
}
