//! `GKECluster`: a cluster in Google Kubernetes Engine, with the node pools of an InferenceCluster.
//!
//! It becomes a network, the cluster and its pools, a service account with a key, storage for ModelCaches, and what leads to the
//! cluster. The kind follows Modelplane v0.3.1, except that nothing which exists goes while the project cannot be read.

use std::rc::Rc;

use contract::catalog::{ApiResource, Example};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::{Areas, Kind};
use toolbox::reasons::Reasons;
use toolbox::resources::{HELM_CONFIGS, KUBERNETES_CONFIGS, OBJECTS};

use self::read::{definition, read};
use super::platform::advice::CONDITIONS;
use super::platform::gates;
use super::resources::{GKE_CLUSTERS as CLUSTERS, STORAGE_CLASSES};
use crate::clouds::resources::{
    GCP_CLUSTER_CONFIGS, GCP_CONFIGS, GCP_SERVICE_ACCOUNT_KEYS, GCP_SERVICE_ACCOUNTS, GKE_CLUSTERS, GKE_NODE_POOLS,
    NETWORKS, PROJECT_IAM_MEMBERS, PROJECT_SERVICES, SUBNETWORKS,
};

pub mod admit;
pub mod derive;
pub mod inputs;
#[cfg(feature = "generate")]
mod published;
pub mod read;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["gke"],
    api: "modelplane",
    composes: COMPOSES,
    wraps_on_own: &[STORAGE_CLASSES],
    looks_up: &[GCP_CLUSTER_CONFIGS, GCP_CONFIGS],
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
    PROJECT_IAM_MEMBERS,
    PROJECT_SERVICES,
    GCP_SERVICE_ACCOUNTS,
    GCP_SERVICE_ACCOUNT_KEYS,
    NETWORKS,
    SUBNETWORKS,
    GKE_CLUSTERS,
    GKE_NODE_POOLS,
    HELM_CONFIGS,
    OBJECTS,
    KUBERNETES_CONFIGS,
];

const EXAMPLES: &[Example] =
    &[example!("modelplane", "gke-cluster", "what an InferenceCluster in Google Cloud becomes")];

/// Composes everything that the cluster is made of.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let (inputs, config, observed) = read(request)?;
    let inputs = Rc::new(inputs);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = gates::reasons(request, &resources, derive::STATUS, &*inputs);
    Ok((status::respond(request, &observed, &inputs, config, resources), reasons))
}
