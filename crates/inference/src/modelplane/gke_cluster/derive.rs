//! Derives every value: an object is a row, and each value in it a rule.

use serde_json::{Value, json};
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rows::{Gate, ObjectRow};
use toolbox::rule::{Rule, Table, constant, rule};

use self::parts::{GkePart, GkeRow, GkeShared, IN_PROJECT, KNOWN_PROJECT, LOCATED, row};
use self::pools::POOLS;
use super::inputs::{GkeInputs, GkeProject};
use crate::clouds::google;
use crate::clouds::resources::{
    GCP_SERVICE_ACCOUNT_KEYS, GCP_SERVICE_ACCOUNTS, GKE_CLUSTERS, NETWORKS, PROJECT_IAM_MEMBERS, PROJECT_SERVICES,
    SUBNETWORKS,
};
use crate::modelplane::platform::areas;
use crate::modelplane::platform::names;
use crate::modelplane::platform::tables::{SAME, documented};
use crate::modelplane::resources::STORAGE_CLASSES;

pub mod parts;
pub mod pools;

/// The StorageClass for ModelCaches.
const STORAGE_CLASS: &str = "modelplane-rwx";

/// The rows, by area.
pub const ROWS: &[&[GkeRow]] = &[NETWORK, CONTROL_PLANE, POOLS, ACCESS, STORAGE];

/// What people call the areas, in the order of the rows.
pub const AREA_NAMES: [&str; 5] = ["network", "control plane", "pools", "access", "storage"];

/// The area of a composed resource. `None` when no row has such a key.
pub fn area(composite: &Value, key: &str, _object: &Value) -> Option<usize> {
    areas::area(ROWS, composite, key)
}

#[rustfmt::skip]
const NETWORK: &[GkeRow] = &[
    ObjectRow { tables: &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, NETWORK_RULES)], ..row(&NETWORKS, NETWORK_KEY) },
    ObjectRow { tables: &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, SUBNET)], ..row(&SUBNETWORKS, "subnet") },
];

#[rustfmt::skip]
const CONTROL_PLANE: &[GkeRow] = &[
    // Only its workload pool needs the project. It is not composed without.
    ObjectRow { gate: Gate::Known("the project", |of| of.project.name().is_some()), tables: &[("", GkeShared::IN_CLOUD), ("", GkeShared::WITH_KUBECONFIG), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, LOCATED), (FOR_PROVIDER, CLUSTER)], ..row(&GKE_CLUSTERS, CLUSTER_KEY) },
];

#[rustfmt::skip]
const ACCESS: &[GkeRow] = &[
    ObjectRow { tables: &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, SERVICE_ACCOUNT)], ..row(&GCP_SERVICE_ACCOUNTS, ACCOUNT_KEY) },
    ObjectRow { tables: &[("", GkeShared::IN_CLOUD), ("", WITH_ACCOUNT_KEY), (FOR_PROVIDER, ACCOUNT_KEY_RULES)], ..row(&GCP_SERVICE_ACCOUNT_KEYS, "service-account-key") },
    ObjectRow { gate: Gate::Known("the e-mail address of the service account", |of| of.project.name().is_some() && of.email.is_some()), tables: &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, BINDING)], ..row(&PROJECT_IAM_MEMBERS, "iam-binding") },
    ObjectRow { gate: KNOWN_PROJECT, tables: GkeShared::WITH_IDENTITY, ..GkeShared::KUBERNETES_CONFIG },
    ObjectRow { gate: KNOWN_PROJECT, tables: GkeShared::WITH_IDENTITY, ..GkeShared::HELM_CONFIG },
];

#[rustfmt::skip]
const STORAGE: &[GkeRow] = &[
    ObjectRow { tables: &[("", GkeShared::IN_CLOUD), (FOR_PROVIDER, IN_PROJECT), (FOR_PROVIDER, FILESTORE)], ..row(&PROJECT_SERVICES, "projectservice-filestore") },
    ObjectRow { gate: Gate::Known("the name of the network in the cloud", |of| of.project.name().is_some() && of.network.is_some()), wraps: Some((&STORAGE_CLASSES, STORAGE_CLASS_RULES)), ..GkeShared::storage_class("storage-class-rwx") },
];

/// Composition resource name of the control plane.
pub const CLUSTER_KEY: &str = "cluster";
/// Composition resource name of the service account.
pub const ACCOUNT_KEY: &str = "service-account";
/// Composition resource name of the network.
pub const NETWORK_KEY: &str = "network";

const REGION: &[&str] = &["spec.region"];
const VERSION: &[&str] = &["spec.kubernetesVersion"];
const NAME: &[&str] = &["metadata.name"];

#[rustfmt::skip]
const NETWORK_RULES: &[Rule<GkePart>] = &[
    constant("autoCreateSubnetworks", "always: the cluster has a subnet of its own", data!(false)),
];

#[rustfmt::skip]
const SUBNET: &[Rule<GkePart>] = &[
    rule("region", "the region", REGION, |p| Some(json!(p.of.cluster.spec.region))),
    constant("networkSelector", "always: the cluster's network", SAME),
    rule("ipCidrRange", "the range of nodes", &["spec.networking.nodeCidr"], |p| Some(json!(p.of.networking.node_cidr))),
    rule("secondaryIpRange[]", "the range of pods", &["spec.networking.podCidr"], |p| Some(json!({"rangeName": PODS, "ipCidrRange": p.of.networking.pod_cidr}))),
    rule("secondaryIpRange[]", "the range of Services", &["spec.networking.serviceCidr"], |p| Some(json!({"rangeName": SERVICES, "ipCidrRange": p.of.networking.service_cidr}))),
];

const PODS: &str = "pods";
const SERVICES: &str = "services";

#[rustfmt::skip]
const CLUSTER: &[Rule<GkePart>] = &[
    constant("deletionProtection", "always: who deletes the composite means it", data!(false)),
    constant("removeDefaultNodePool", "always: pools are objects of their own", data!(true)),
    constant("initialNodeCount", "always: the pool that the cloud makes is removed at once", data!(1)),
    rule("minMasterVersion", "the version of Kubernetes", VERSION, |p| Some(json!(p.of.cluster.spec.kubernetes_version))),
    constant("networkSelector", "always: the cluster's network", SAME),
    constant("subnetworkSelector", "always: the cluster's subnet", SAME),
    constant("ipAllocationPolicy", "always: the ranges of the subnet", data!({"clusterSecondaryRangeName": PODS, "servicesSecondaryRangeName": SERVICES})),
    constant("releaseChannel.channel", "always: versions that are tested and current", data!("REGULAR")),
    rule("workloadIdentityConfig.workloadPool", "the project that the composite says", &["spec.project"], |p| pool(p, |it| matches!(it, GkeProject::Stated(_)))),
    rule("workloadIdentityConfig.workloadPool", "the project of the provider configuration", &["spec.credentials.type", "spec.credentials.name"], |p| pool(p, |it| matches!(it, GkeProject::Configured(_)))),
    rule("workloadIdentityConfig.workloadPool", "the project that the cluster has, because the provider configuration does not say one", &[], |p| pool(p, |it| matches!(it, GkeProject::Kept(_)))),
    constant("addonsConfig.gcpFilestoreCsiDriverConfig.enabled", "always: volumes of ModelCaches are in Filestore", data!(true)),
];

#[rustfmt::skip]
const SERVICE_ACCOUNT: &[Rule<GkePart>] = &[
    rule("displayName", "the cluster, for people", NAME, |p| Some(json!(format!("Crossplane GKECluster {}", p.of.cluster.name)))),
];

#[rustfmt::skip]
const WITH_ACCOUNT_KEY: &[Rule<GkePart>] = &[
    rule("spec.writeConnectionSecretToRef.name", "the Secret with the key", NAME, |p| Some(json!(names::service_account_key(&p.of.cluster.name)))),
];

#[rustfmt::skip]
const ACCOUNT_KEY_RULES: &[Rule<GkePart>] = &[
    constant("serviceAccountIdSelector", "always: the cluster's service account", SAME),
];

#[rustfmt::skip]
const BINDING: &[Rule<GkePart>] = &[
    constant("role", "always: what installs software on the cluster may do everything there", data!((google::CONTAINER_ADMIN))),
    rule("member", "the cluster's service account, as the provider has observed it", &[], |p| p.of.email.as_ref().map(|email| json!(format!("serviceAccount:{email}")))),
];

#[rustfmt::skip]
const FILESTORE: &[Rule<GkePart>] = &[
    constant("service", "always: a new project has it turned off, and volumes would never be there", data!((google::FILESTORE))),
    constant("disableOnDestroy", "always: others in the project may use it", data!(false)),
];

#[rustfmt::skip]
const STORAGE_CLASS_RULES: &[Rule<GkePart>] = &[
    constant("metadata.name", "always: the status says it", data!(STORAGE_CLASS)),
    constant("provisioner", "always: Filestore", data!("filestore.csi.storage.gke.io")),
    constant("parameters.tier", "always: many nodes at once", data!("enterprise")),
    rule("parameters.network", "the cluster's network, as the provider has observed it: otherwise it would be the network `default`", &[], |p| p.of.network.as_ref().map(|it| json!(it))),
    constant("volumeBindingMode", "always: a volume is there before its first pod", data!("Immediate")),
    constant("allowVolumeExpansion", "always: caches can grow", data!(true)),
];

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<GkeInputs>] = &[
    rule("secrets", "the Secrets with kubeconfig and identity", NAME, |i| Some(GkeShared::secrets(i))),
    constant("cache.storageClassName", "always: the StorageClass for ModelCaches", data!(STORAGE_CLASS)),
];

/// The workload pool, when its project is said by the right one.
fn pool(part: &GkePart, is_said_so: fn(&GkeProject) -> bool) -> Option<Value> {
    let project = Some(&part.of.project).filter(|project| is_said_so(project))?;
    Some(json!(google::workload_pool(project.name()?)))
}

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let [left, applied] = GkeShared::LISTED_LEFT;
    let own = [
        left,
        applied,
        ("Network", NETWORK_RULES),
        ("objects of the project", IN_PROJECT),
        ("Subnetwork", SUBNET),
        ("Cluster and every NodePool", LOCATED),
        ("Cluster", CLUSTER),
        ("every NodePool", pools::POOL),
        ("NodePool for everything without GPUs", pools::SYSTEM),
        ("other NodePools", pools::OWN),
        ("ServiceAccount", SERVICE_ACCOUNT),
        ("ServiceAccountKey, Secret", WITH_ACCOUNT_KEY),
        ("ServiceAccountKey", ACCOUNT_KEY_RULES),
        ("ProjectIAMMember", BINDING),
        ("both ProviderConfigs, identity", GkeShared::IDENTITY),
        ("ProjectService", FILESTORE),
        ("StorageClass", STORAGE_CLASS_RULES),
    ];
    documented(&own, STATUS)
}
