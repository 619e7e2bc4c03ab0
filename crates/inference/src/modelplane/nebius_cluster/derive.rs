//! Derives every value: an object is a row, and each value in it a rule.

use serde_json::{Value, json};
use toolbox::builders::helm;
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::observed::ReadyWhen;
use toolbox::rows::{Gate, ObjectRow};
use toolbox::rule::{Rule, Table, constant, rule};

use self::parts::{NAME, NebiusPart, NebiusReleases, NebiusRow, NebiusShared, row};
use super::inputs::NebiusInputs;
use crate::clouds::resources::{NEBIUS_CLUSTERS, NEBIUS_FILESYSTEMS, NEBIUS_NETWORKS, NEBIUS_SUBNETS};
use crate::modelplane::platform::areas;
use crate::modelplane::platform::names;
use crate::modelplane::platform::secrets::USER_DATA_KEY;
use crate::modelplane::platform::tables::{GPU_TOLERATIONS, SAME, documented};
use crate::modelplane::resources::{SECRETS, STORAGE_CLASSES};

pub mod parts;
pub mod pools;

/// The rows, by area.
pub const ROWS: &[&[NebiusRow]] = &[NETWORK, CONTROL_PLANE, pools::ROWS, STORAGE];

/// What people call the areas, in the order of the rows.
pub const AREA_NAMES: [&str; 4] = ["network", "control plane", "pools", "storage"];

/// The area of a composed resource. `None` when no row has such a key.
pub fn area(composite: &Value, key: &str, _object: &Value) -> Option<usize> {
    areas::area(ROWS, composite, key)
}

/// Composition resource name of the control plane.
pub const CLUSTER_KEY: &str = "cluster";

/// The identity is known. What exists stays as it is while it is not.
const WITH_IDENTITY: Gate<NebiusInputs> =
    Gate::Known("the credentials, whose Secret the identity is in", |of| of.secret.is_some());

/// What is on the cluster needs the identity, and a control plane that is observed.
const REACHABLE: Gate<NebiusInputs> =
    Gate::Until("the identity and the control plane", |of| of.secret.is_some() && of.has_cluster);

#[rustfmt::skip]
const NETWORK: &[NebiusRow] = &[
    row(&NEBIUS_NETWORKS, "network", &[("", NebiusShared::IN_CLOUD), (FOR_PROVIDER, CALLED)]),
    row(&NEBIUS_SUBNETS, "subnet", &[("", NebiusShared::IN_CLOUD), (FOR_PROVIDER, CALLED), (FOR_PROVIDER, SUBNET)]),
];

#[rustfmt::skip]
const CONTROL_PLANE: &[NebiusRow] = &[
    row(&NEBIUS_CLUSTERS, CLUSTER_KEY, &[("", NebiusShared::IN_CLOUD), ("", NebiusShared::WITH_KUBECONFIG), (FOR_PROVIDER, CALLED), (FOR_PROVIDER, CLUSTER)]),
    ObjectRow { gate: WITH_IDENTITY, tables: NebiusShared::WITH_IDENTITY, ..NebiusShared::KUBERNETES_CONFIG },
    ObjectRow { gate: WITH_IDENTITY, tables: NebiusShared::WITH_IDENTITY, ..NebiusShared::HELM_CONFIG },
];

#[rustfmt::skip]
const STORAGE: &[NebiusRow] = &[
    row(&NEBIUS_FILESYSTEMS, "filesystem", &[("", NebiusShared::IN_CLOUD), (FOR_PROVIDER, FILE_SYSTEM)]),
    ObjectRow { ready: ReadyWhen::Desired, ..row(&SECRETS, "cloud-init", &[("", CLOUD_INIT)]) },
    ObjectRow { gate: REACHABLE, tables: &[("", NebiusShared::ON_CLUSTER), ("", NebiusShared::LEFT_BEHIND), ("", NebiusReleases::RELEASE), (helm::VALUES, DRIVER)], ..NebiusReleases::row(&[("csi-mounted-fs-path", &[])]) },
    ObjectRow { gate: REACHABLE, wraps: Some((&STORAGE_CLASSES, STORAGE_CLASS_RULES)), ..NebiusShared::storage_class("storage-class-rwx-fs") },
];

#[rustfmt::skip]
const CALLED: &[Rule<NebiusPart>] = &[
    rule("name", "the cluster: Nebius asks for a name", NAME, |p| Some(json!(p.of.cluster.name))),
];

#[rustfmt::skip]
const SUBNET: &[Rule<NebiusPart>] = &[
    constant("networkIdSelector", "always: the cluster's network", SAME),
    constant("ipv4PrivatePools.useNetworkPools", "always: the addresses of the network", data!(true)),
];

#[rustfmt::skip]
const CLUSTER: &[Rule<NebiusPart>] = &[
    rule("controlPlane.version", "the version of Kubernetes", &["spec.kubernetesVersion"], |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    constant("controlPlane.subnetIdSelector", "always: the cluster's subnet", SAME),
    constant("controlPlane.endpoints.publicEndpoint", "always: the control plane of Crossplane reaches it", data!({})),
];

#[rustfmt::skip]
const FILE_SYSTEM: &[Rule<NebiusPart>] = &[
    rule("name", "the cluster, with an ending", NAME, |p| Some(json!(format!("{}-cache", p.of.cluster.name)))),
    constant("type", "always: on SSDs in the network", data!("NETWORK_SSD")),
    constant("sizeGibibytes", "always: room for large models", data!(1024)),
];

/// What every node does when it starts: it mounts the file system. Its text is one of the values that nodes are made anew for.
const USER_DATA: &str = "#cloud-config
runcmd:
  - mkdir -p /mnt/data
  - mount -t virtiofs modelplane-cache /mnt/data
  - printf \"modelplane-cache /mnt/data virtiofs defaults,nofail 0 2\\n\" >> /etc/fstab
";

#[rustfmt::skip]
const CLOUD_INIT: &[Rule<NebiusPart>] = &[
    rule("metadata.name", "the cluster, with a hash", NAME, |p| Some(json!(names::cloud_init(&p.of.cluster.name)))),
    rule("metadata.namespace", "the namespace of the composite", &["metadata.namespace"], |p| Some(json!(p.of.cluster.namespace))),
    constant("type", "always", data!("Opaque")),
    rule("stringData", "always: nodes mount the file system for ModelCaches", &[], |_| Some(json!({USER_DATA_KEY: USER_DATA}))),
];

/// The driver of volumes in the mounted file system.
#[rustfmt::skip]
const DRIVER: &[Rule<NebiusPart>] = &[
    constant("dataDir", "always: where nodes have mounted it", data!("/mnt/data/csi-mounted-fs-path-data/")),
    constant("tolerations", "always: it runs on nodes with GPUs", GPU_TOLERATIONS),
];

/// The StorageClass for ModelCaches.
const STORAGE_CLASS: &str = "modelplane-rwx-fs";

#[rustfmt::skip]
const STORAGE_CLASS_RULES: &[Rule<NebiusPart>] = &[
    constant("metadata.name", "always: the status says it", data!(STORAGE_CLASS)),
    constant("provisioner", "always: the mounted file system", data!("mounted-fs-path.csi.nebius.ai")),
    constant("volumeBindingMode", "always: a volume is where its first pod is", data!("WaitForFirstConsumer")),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<NebiusInputs>] = &[
    rule("secrets", "the Secret with the kubeconfig, and that with the identity once it is known", &["metadata.name", "spec.credentials.type", "spec.credentials.name"], |i| Some(NebiusShared::secrets(i))),
    constant("cache.storageClassName", "always: the StorageClass for ModelCaches", data!(STORAGE_CLASS)),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let [left, applied] = NebiusShared::LISTED_LEFT;
    let own = [
        left,
        applied,
        ("Network, Subnet and Cluster", CALLED),
        ("Subnet", SUBNET),
        ("Cluster", CLUSTER),
        ("GpuCluster", pools::GPU_CLUSTER),
        ("every NodeGroup", pools::GROUP),
        ("NodeGroup for everything without GPUs", pools::SYSTEM),
        ("other NodeGroups", pools::OWN),
        ("both ProviderConfigs, identity", NebiusShared::IDENTITY),
        ("Filesystem", FILE_SYSTEM),
        ("Secret", CLOUD_INIT),
        ("every Release", NebiusReleases::RELEASE),
        ("values of the CSI driver", DRIVER),
        ("StorageClass", STORAGE_CLASS_RULES),
    ];
    documented(&own, STATUS)
}
