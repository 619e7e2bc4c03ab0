//! Where clusters come from: a row for each cloud. What is the same in all of them stands nowhere else.

use contract::catalog::ApiResource;

use super::spec::{ClusterSource, ClusterSpec};
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::secrets::{GOOGLE, NEBIUS};
use crate::modelplane::resources::{AKS_CLUSTERS, EKS_CLUSTERS, GKE_CLUSTERS, NEBIUS_CLUSTERS, VULTR_CLUSTERS};

/// The source of a cluster that exists.
pub const EXISTING: &str = "Existing";

/// A cloud that makes clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloudSource {
    /// The source, as clusters name it.
    pub source: &'static str,
    /// Its block in clusters and classes, and a part of composition resource names.
    pub block: &'static str,
    /// What makes the cluster.
    pub kind: &'static ApiResource,
    /// The identity that its kubeconfigs lack. `None` where they have one.
    pub identity: Option<&'static str>,
    /// Where nodes have the driver of GPUs. `None` where it is at `/`.
    pub driver_root: Option<&'static str>,
    /// Whether a pool without a largest number of nodes would grow all the same, because the cloud's kind has one.
    pub grows_by_default: bool,
    /// Whether a pool that grows begins with its number of nodes. Elsewhere that is its smallest number, unless it says another.
    pub begins_with_count: bool,
    /// Whether that number is what it was for as long as the pool exists, since the cloud's provider cannot change it.
    pub keeps_count: bool,
    /// Whether a pool needs a node to begin with.
    pub needs_node: bool,
    /// Whether pools need zones.
    pub is_zoned: bool,
    /// The fabrics between nodes that it has.
    pub fabrics: &'static [&'static str],
    /// Whether nodes can come from a Capacity Block.
    pub has_capacity_blocks: bool,
}

/// The rows of Modelplane v0.3.1.
#[rustfmt::skip]
pub const CLOUD_SOURCES: &[CloudSource] = &[
    CloudSource { source: "GKE", block: "gke", kind: &GKE_CLUSTERS, identity: Some(GOOGLE), driver_root: Some("/home/kubernetes/bin/nvidia"), grows_by_default: true, begins_with_count: true, keeps_count: true, needs_node: false, is_zoned: true, fabrics: &[], has_capacity_blocks: false },
    CloudSource { source: "EKS", block: "eks", kind: &EKS_CLUSTERS, identity: None, driver_root: None, grows_by_default: true, begins_with_count: true, keeps_count: false, needs_node: false, is_zoned: true, fabrics: &["EFA"], has_capacity_blocks: true },
    CloudSource { source: "AKS", block: "aks", kind: &AKS_CLUSTERS, identity: None, driver_root: None, grows_by_default: true, begins_with_count: true, keeps_count: false, needs_node: false, is_zoned: false, fabrics: &["InfiniBand"], has_capacity_blocks: false },
    CloudSource { source: "Nebius", block: "nebius", kind: &NEBIUS_CLUSTERS, identity: Some(NEBIUS), driver_root: None, grows_by_default: false, begins_with_count: false, keeps_count: false, needs_node: false, is_zoned: false, fabrics: &["InfiniBand"], has_capacity_blocks: false },
    CloudSource { source: "Vultr", block: "vultr", kind: &VULTR_CLUSTERS, identity: None, driver_root: None, grows_by_default: false, begins_with_count: true, keeps_count: false, needs_node: true, is_zoned: false, fabrics: &[], has_capacity_blocks: false },
];

impl CloudSource {
    /// The cloud of a source. `None` for a cluster that exists.
    pub fn of(source: &str) -> Option<&'static Self> {
        CLOUD_SOURCES.iter().find(|it| it.source == source)
    }

    /// The composition resource name of what makes the cluster.
    pub fn key(&self) -> String {
        format!("{}-cluster", self.block)
    }
}

/// What a cluster says of its cloud, whichever that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CloudFields {
    /// The region, where the cloud calls it so.
    pub region: Option<String>,
    /// The region, where the cloud calls it location.
    pub location: Option<String>,
    /// The project in Google Cloud.
    pub project: Option<String>,
    /// The version of Kubernetes.
    pub kubernetes_version: Option<String>,
    /// The credentials for the cloud.
    pub credentials: Option<Credentials>,
}

/// The block of the source of a cluster. `None` when it is missing, and for a cluster that exists.
pub fn cloud_fields(spec: &ClusterSpec) -> Option<CloudFields> {
    let ClusterSource { source, existing: _, gke, eks, aks, nebius, vultr } = &spec.cluster;
    let with = |version: &Option<String>, credentials: &Option<Credentials>| CloudFields {
        kubernetes_version: version.clone(),
        credentials: credentials.clone(),
        ..CloudFields::default()
    };
    match source.as_str() {
        "GKE" => gke.as_ref().map(|it| CloudFields {
            region: Some(it.region.clone()),
            project: it.project.clone(),
            ..with(&it.kubernetes_version, &it.credentials)
        }),
        "EKS" => eks
            .as_ref()
            .map(|it| CloudFields { region: Some(it.region.clone()), ..with(&it.kubernetes_version, &it.credentials) }),
        "AKS" => aks.as_ref().map(|it| CloudFields {
            location: Some(it.location.clone()),
            ..with(&it.kubernetes_version, &it.credentials)
        }),
        "Nebius" => nebius.as_ref().map(|it| with(&it.kubernetes_version, &it.credentials)),
        "Vultr" => vultr
            .as_ref()
            .map(|it| CloudFields { region: Some(it.region.clone()), ..with(&it.kubernetes_version, &it.credentials) }),
        _ => None,
    }
}
