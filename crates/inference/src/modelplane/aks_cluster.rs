//! `AKSCluster`: a cluster in Azure Kubernetes Service, with the node pools of an InferenceCluster.
//!
//! It becomes a resource group with a network, the cluster and its pools, storage for ModelCaches, NVIDIA's network operator where a
//! pool has InfiniBand, and what leads to the cluster. The kind follows Modelplane v0.3.1.

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
use super::resources::{AKS_CLUSTERS as CLUSTERS, STORAGE_CLASSES};
use crate::clouds::resources::{AKS_CLUSTERS, AKS_NODE_POOLS, AZURE_SUBNETS, RESOURCE_GROUPS, VIRTUAL_NETWORKS};

pub mod admit;
pub mod derive;
#[cfg(feature = "generate")]
mod published;
mod read;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["aks"],
    api: "modelplane",
    composes: COMPOSES,
    wraps_on_own: &[STORAGE_CLASSES],
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
    RESOURCE_GROUPS,
    AKS_CLUSTERS,
    AKS_NODE_POOLS,
    HELM_CONFIGS,
    RELEASES,
    OBJECTS,
    KUBERNETES_CONFIGS,
    AZURE_SUBNETS,
    VIRTUAL_NETWORKS,
];

const EXAMPLES: &[Example] = &[example!("modelplane", "aks-cluster", "what an InferenceCluster in Azure becomes")];

/// Composes everything that the cluster is made of.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let (inputs, observed) = read(request)?;
    let inputs = Rc::new(inputs);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = gates::reasons(request, &resources, derive::STATUS, &*inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
