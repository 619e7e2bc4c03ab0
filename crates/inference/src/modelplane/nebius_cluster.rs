//! `NebiusCluster`: a cluster in Nebius Managed Kubernetes, with the node pools of an InferenceCluster.
//!
//! It becomes a network, the cluster and its node groups, a file system that every node mounts for ModelCaches, a GPU cluster for each
//! InfiniBand fabric, and what leads to the cluster: its kubeconfig has no identity, which is that of the provider itself. The kind
//! follows Modelplane v0.3.1, except that nothing which exists goes while those credentials cannot be read.

use std::rc::Rc;

use contract::catalog::{ApiResource, Example};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::{Areas, Kind};
use toolbox::reasons::Reasons;
use toolbox::resources::{HELM_CONFIGS, KUBERNETES_CONFIGS, OBJECTS, RELEASES};

use self::read::{definition, read};
use super::platform::advice::CONDITIONS;
use super::platform::gates;
use super::resources::{NEBIUS_CLUSTERS as CLUSTERS, SECRETS, STORAGE_CLASSES};
use crate::clouds::resources::{
    NEBIUS_CLUSTER_CONFIGS, NEBIUS_CLUSTERS, NEBIUS_CONFIGS, NEBIUS_FILESYSTEMS, NEBIUS_GPU_CLUSTERS, NEBIUS_NETWORKS,
    NEBIUS_NODE_GROUPS, NEBIUS_SUBNETS,
};

pub mod admit;
pub mod derive;
pub mod inputs;
#[cfg(feature = "generate")]
mod published;
mod read;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["mk8s"],
    api: "modelplane",
    composes: COMPOSES,
    wraps_on_own: &[STORAGE_CLASSES],
    looks_up: &[NEBIUS_CLUSTER_CONFIGS, NEBIUS_CONFIGS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: CONDITIONS,
    areas: Some(Areas { names: &derive::AREA_NAMES, of: derive::area }),
    waits_for: |composite, key| gates::waits_for(derive::ROWS, composite, key),
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(CLUSTERS.api_version, CLUSTERS.kind, CLUSTERS.plural, definition, compose)
};

const COMPOSES: &[ApiResource] = &[
    NEBIUS_FILESYSTEMS,
    NEBIUS_GPU_CLUSTERS,
    HELM_CONFIGS,
    RELEASES,
    OBJECTS,
    KUBERNETES_CONFIGS,
    NEBIUS_CLUSTERS,
    NEBIUS_NODE_GROUPS,
    SECRETS,
    NEBIUS_NETWORKS,
    NEBIUS_SUBNETS,
];

const EXAMPLES: &[Example] = &[example!("modelplane", "nebius-cluster", "what an InferenceCluster in Nebius becomes")];

/// Composes everything that the cluster is made of.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let (inputs, observed) = read(request)?;
    let inputs = Rc::new(inputs);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = gates::reasons(request, &resources, derive::STATUS, &*inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
