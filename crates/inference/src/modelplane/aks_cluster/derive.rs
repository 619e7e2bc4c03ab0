//! Derives every value: an object is a row, and each value in it a rule.

use contract::catalog::ApiResource;
use serde_json::{Value, json};
use toolbox::builders::helm;
use toolbox::builders::managed::{self, FOR_PROVIDER, INIT_PROVIDER};
use toolbox::data;
use toolbox::rows::{Each, Gate, Named, ObjectRow, Part, RowTable};
use toolbox::rule::{Rule, Table, constant, rule};

use super::spec::{AksClusterSpec, AksFabric, AksNetworking, AksNodePool};
use crate::clouds::Cloud;
use crate::clouds::drivers::{Drivers, GPU_TAINT};
use crate::clouds::resources::{AKS_CLUSTERS, AKS_NODE_POOLS, AZURE_SUBNETS, RESOURCE_GROUPS, VIRTUAL_NETWORKS};
use crate::modelplane::labels::SYSTEM_POOL;
use crate::modelplane::platform::areas;
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::names;
use crate::modelplane::platform::pools::{PoolRole, node_labels};
use crate::modelplane::platform::releases::{Released, ShortNames, WithReleases};
use crate::modelplane::platform::tables::{CloudCluster, GPU_TOLERATIONS, SAME, Shared, documented};
use crate::modelplane::resources::STORAGE_CLASSES;
use crate::modelplane::subject::Subject;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct AksInputs {
    /// The composite.
    pub cluster: Subject<AksClusterSpec>,
    /// The credentials for Azure.
    pub credentials: Credentials,
    /// The ranges of addresses.
    pub networking: AksNetworking,
    /// Whether the control plane is observed.
    pub has_cluster: bool,
    /// The names for Helm of Releases whose own would be too long.
    pub shortened: ShortNames,
}

impl AksInputs {
    /// Name of the cluster in Azure, and of its resource group.
    pub fn cluster_name(&self) -> String {
        names::cloud_cluster(&self.cluster.namespace, &self.cluster.name, names::AKS)
    }

    /// The pools of the composite.
    pub fn pools(&self) -> &[AksNodePool] {
        &self.cluster.spec.node_pools
    }
}

impl Named for AksInputs {
    fn name(&self) -> &str {
        &self.cluster.name
    }
}

impl CloudCluster for AksInputs {
    fn namespace(&self) -> &str {
        &self.cluster.namespace
    }

    fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

impl WithReleases for AksInputs {
    fn shortened(&self) -> &ShortNames {
        &self.shortened
    }
}

type AksRow = ObjectRow<AksInputs>;
type AksPart = Part<AksInputs>;
type AksShared = Shared<AksInputs>;
type AksReleases = Released<AksInputs>;

/// The rows, by area.
pub const ROWS: &[&[AksRow]] = &[NETWORK, CONTROL_PLANE, POOLS, STORAGE];

/// What people call the areas, in the order of the rows.
pub const AREA_NAMES: [&str; 4] = ["network", "control plane", "pools", "storage"];

/// The area of a composed resource. `None` when no row has such a key.
pub fn area(composite: &Value, key: &str, _object: &Value) -> Option<usize> {
    areas::area(ROWS, composite, key)
}

/// Composition resource name of the control plane.
pub const CLUSTER_KEY: &str = "cluster";

const fn row(kind: &'static ApiResource, key: &'static str, tables: &'static [RowTable<AksInputs>]) -> AksRow {
    ObjectRow { tables, ..ObjectRow::unnamed(kind, key) }
}

/// Once the control plane is observed, the cluster can be reached soon.
const AFTER_CLUSTER: Gate<AksInputs> = Gate::Until("the control plane", |of| of.has_cluster);

#[rustfmt::skip]
const NETWORK: &[AksRow] = &[
    row(&RESOURCE_GROUPS, "resource-group", &[("", AksShared::IN_CLOUD), ("", CALLED), (FOR_PROVIDER, LOCATED)]),
    row(&VIRTUAL_NETWORKS, "virtual-network", &[("", AksShared::IN_CLOUD), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, IN_GROUP), (FOR_PROVIDER, VIRTUAL_NETWORK)]),
    row(&AZURE_SUBNETS, "subnet", &[("", AksShared::IN_CLOUD), (FOR_PROVIDER, IN_GROUP), (FOR_PROVIDER, SUBNET)]),
];

#[rustfmt::skip]
const CONTROL_PLANE: &[AksRow] = &[
    row(&AKS_CLUSTERS, CLUSTER_KEY, &[("", AksShared::IN_CLOUD), ("", CALLED), ("", AksShared::WITH_KUBECONFIG), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, IN_GROUP), (FOR_PROVIDER, CLUSTER), ("spec.forProvider.defaultNodePool", SYSTEM), ("spec.forProvider.networkProfile", NETWORK_PROFILE)]),
    AksShared::KUBERNETES_CONFIG,
    AksShared::HELM_CONFIG,
];

#[rustfmt::skip]
const POOLS: &[AksRow] = &[
    ObjectRow { each: Each::Found(|of| of.pools().iter().map(|pool| pool.name.clone()).collect()), ..row(&AKS_NODE_POOLS, "nodepool-{e}", &[("", AksShared::IN_CLOUD), ("", POOL), (INIT_PROVIDER, INITIALLY), (FOR_PROVIDER, OWN)]) },
    ObjectRow { exists: |of| of.pools().iter().any(|pool| pool.fabric == AksFabric::InfiniBand), gate: AFTER_CLUSTER, tables: &[("", AksShared::ON_CLUSTER), ("", AksShared::LEFT_BEHIND), ("", AksReleases::RELEASE), (helm::VALUES, NETWORK_OPERATOR)], ..AksReleases::row(&[("network-operator", &[])]) },
];

#[rustfmt::skip]
const STORAGE: &[AksRow] = &[
    ObjectRow { gate: AFTER_CLUSTER, wraps: Some((&STORAGE_CLASSES, STORAGE_CLASS_RULES)), ..AksShared::storage_class("storage-class-rwx-fs") },
];

const NAMES: &[&str] = &["metadata.namespace", "metadata.name"];
const VERSION: &[&str] = &["spec.kubernetesVersion"];

#[rustfmt::skip]
const CALLED: &[Rule<AksPart>] = &[
    rule("metadata.name", "namespace and cluster", NAMES, |p| Some(json!(p.of.cluster_name()))),
];

#[rustfmt::skip]
const LOCATED: &[Rule<AksPart>] = &[
    rule("location", "the region", &["spec.location"], |p| Some(json!(p.of.cluster.spec.location))),
];

#[rustfmt::skip]
const IN_GROUP: &[Rule<AksPart>] = &[
    constant("resourceGroupNameSelector", "always: the cluster's resource group", SAME),
];

#[rustfmt::skip]
const VIRTUAL_NETWORK: &[Rule<AksPart>] = &[
    rule("addressSpace", "the range of the network", &["spec.networking.vnetCidr"], |p| Some(json!([p.of.networking.vnet_cidr]))),
];

#[rustfmt::skip]
const SUBNET: &[Rule<AksPart>] = &[
    rule("addressPrefixes", "the range of nodes", &["spec.networking.subnetCidr"], |p| Some(json!([p.of.networking.subnet_cidr]))),
    constant("virtualNetworkNameSelector", "always: the cluster's network", SAME),
];

#[rustfmt::skip]
const CLUSTER: &[Rule<AksPart>] = &[
    rule("kubernetesVersion", "the version of Kubernetes", VERSION, |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    rule("dnsPrefix", "the name of the cluster", NAMES, |p| Some(json!(p.of.cluster_name()))),
    rule("nodeResourceGroup", "the name of the cluster, with an ending", NAMES, |p| Some(json!(format!("{}-nodes", p.of.cluster_name())))),
    constant("identity.type", "always: the cluster's own", data!("SystemAssigned")),
];

/// The pool for everything without GPUs, which is in the object of the control plane.
#[rustfmt::skip]
const SYSTEM: &[Rule<AksPart>] = &[
    constant("name", "always", data!(SYSTEM_POOL)),
    constant("vmSize", "always: enough for what serves models", data!("Standard_D4s_v5")),
    constant("autoScalingEnabled", "always: pods get the nodes that they need", data!(true)),
    constant("minCount", "always: one or two nodes", data!(1)),
    constant("maxCount", "always: one or two nodes", data!(2)),
    constant("osDiskSizeGb", "always: room for images", data!(100)),
    constant("temporaryNameForRotation", "always: the pool can change, with another in its place for a while", data!("systemtmp")),
    rule("nodeLabels", "always: the name of the pool", &[], |_| Some(node_labels(SYSTEM_POOL, None))),
    constant("vnetSubnetIdSelector", "always: the cluster's subnet", SAME),
];

#[rustfmt::skip]
const NETWORK_PROFILE: &[Rule<AksPart>] = &[
    constant("networkPlugin", "always: that of Azure", data!("azure")),
    constant("networkPluginMode", "always: pods have a range of their own", data!("overlay")),
    constant("podCidr", "always: the network may not overlap it", data!(PODS)),
    constant("serviceCidr", "always: the network may not overlap it", data!(SERVICES)),
    constant("dnsServiceIp", "always: an address of Services", data!("10.96.0.10")),
];

/// The range of pods.
pub const PODS: &str = "10.244.0.0/16";
/// The range of Services.
pub const SERVICES: &str = "10.96.0.0/16";

#[rustfmt::skip]
const POOL: &[Rule<AksPart>] = &[
    rule(managed::EXTERNAL_NAME, "pool `{it}`, by its name", &["spec.nodePools[].name"], |p| Some(json!(p.element))),
    constant(managed::MANAGEMENT_POLICIES, "always: the autoscaler owns the number of nodes", managed::NOT_INITIALIZED_LATE),
];

#[rustfmt::skip]
const INITIALLY: &[Rule<AksPart>] = &[
    rule("nodeCount", "the number of nodes of `{it}` to begin with", &["spec.nodePools[].nodeCount"], |p| Some(json!(pool(p)?.size.node_count))),
];

const ROLE: &[&str] = &["spec.nodePools[].role"];
const LABELS: &[&str] = &["spec.nodePools[].name", "spec.nodePools[].role", "spec.nodePools[].gpu.acceleratorType"];

#[rustfmt::skip]
const OWN: &[Rule<AksPart>] = &[
    constant("kubernetesClusterIdSelector", "always: the cluster", SAME),
    constant("vnetSubnetIdSelector", "always: the cluster's subnet", SAME),
    constant("mode", "always: the cloud needs nothing of it", data!("User")),
    rule("vmSize", "the size of machines of `{it}`", &["spec.nodePools[].vmSize"], |p| Some(json!(pool(p)?.vm_size))),
    rule("osDiskSizeGb", "the disk of `{it}`", &["spec.nodePools[].diskSizeGb"], |p| Some(json!(pool(p)?.size.disk_size_gb))),
    rule("orchestratorVersion", "the version of Kubernetes", VERSION, |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    constant("autoScalingEnabled", "always: pods get the nodes that they need", data!(true)),
    rule("minCount", "the smallest number of nodes of `{it}`", &["spec.nodePools[].minNodeCount"], |p| Some(json!(pool(p)?.size.min_node_count))),
    rule("maxCount", "the largest number of nodes of `{it}`", &["spec.nodePools[].maxNodeCount"], |p| Some(json!(pool(p)?.size.max_node_count))),
    rule("nodeLabels", "pool and accelerator of `{it}`", LABELS, |p| pool(p).map(labels)),
    rule("zones", "the zones of `{it}`, if it has any", &["spec.nodePools[].zones"], |p| pool(p)?.zones.as_ref().map(|it| json!(it))),
    rule("gpuDriver", "AKS installs the driver of `{it}`", ROLE, |p| gpu(pool(p)?).map(|_| "Install".into())),
    rule("nodeTaints", "pods that do not tolerate GPUs stay away", ROLE, |p| taints(pool(p)?)),
];

/// NVIDIA's network operator: pods get the devices of InfiniBand.
#[rustfmt::skip]
const NETWORK_OPERATOR: &[Rule<AksPart>] = &[
    constant("deployCR", "always: its policy is a part of the chart", data!(true)),
    constant("ofedDriver.deploy", "always: AKS brings no driver for it", data!(true)),
    constant("rdmaSharedDevicePlugin.deploy", "always: pods claim the devices", data!(true)),
    constant("daemonsets.tolerations", "always: it runs on nodes with GPUs", GPU_TOLERATIONS),
];

/// The StorageClass for ModelCaches.
const STORAGE_CLASS: &str = "modelplane-rwx-fs";

#[rustfmt::skip]
const STORAGE_CLASS_RULES: &[Rule<AksPart>] = &[
    constant("metadata.name", "always: the status says it", data!(STORAGE_CLASS)),
    constant("provisioner", "always: Azure Files", data!("file.csi.azure.com")),
    constant("parameters.skuName", "always: many nodes at once", data!("Premium_LRS")),
    constant("mountOptions", "always: every pod may read and write", data!(["dir_mode=0777", "file_mode=0777", "uid=0", "gid=0", "mfsymlinks", "cache=strict", "actimeo=30", "nosharesock"])),
    constant("reclaimPolicy", "always: a volume goes with its claim", data!("Delete")),
    constant("allowVolumeExpansion", "always: caches can grow", data!(true)),
    constant("volumeBindingMode", "always: a volume is where its first pod is", data!("WaitForFirstConsumer")),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<AksInputs>] = &[
    rule("secrets", "the Secret with the kubeconfig", &["metadata.name"], |i| Some(AksShared::secrets(i))),
    constant("cache.storageClassName", "always: the StorageClass for ModelCaches", data!(STORAGE_CLASS)),
];

fn pool(part: &AksPart) -> Option<&AksNodePool> {
    part.of.pools().get(part.place())
}

/// The pool, if it is for models.
fn gpu(pool: &AksNodePool) -> Option<&AksNodePool> {
    (pool.role == PoolRole::Gpu).then_some(pool)
}

fn labels(pool: &AksNodePool) -> Value {
    let gpu = gpu(pool).and_then(|pool| pool.gpu.as_ref());
    node_labels(&pool.name, gpu.map(|it| it.accelerator_type.as_str()))
}

fn taints(pool: &AksNodePool) -> Option<Value> {
    let effect = Drivers::of(Cloud::Azure)?.no_schedule;
    gpu(pool).map(|_| json!([format!("{}={}:{effect}", GPU_TAINT.0, GPU_TAINT.1)]))
}

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let [left, applied] = AksShared::LISTED_LEFT;
    let own = [
        left,
        applied,
        ("ResourceGroup and KubernetesCluster, name", CALLED),
        ("objects with a region", LOCATED),
        ("objects of the resource group", IN_GROUP),
        ("VirtualNetwork", VIRTUAL_NETWORK),
        ("Subnet", SUBNET),
        ("KubernetesCluster", CLUSTER),
        ("pool of the KubernetesCluster, for everything without GPUs", SYSTEM),
        ("network of the KubernetesCluster", NETWORK_PROFILE),
        ("KubernetesClusterNodePool", POOL),
        ("KubernetesClusterNodePool, initially", INITIALLY),
        ("KubernetesClusterNodePool, what it is", OWN),
        ("every Release", AksReleases::RELEASE),
        ("values of the network operator", NETWORK_OPERATOR),
        ("StorageClass", STORAGE_CLASS_RULES),
    ];
    documented(&own, STATUS)
}
