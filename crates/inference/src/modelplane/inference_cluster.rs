//! `InferenceCluster`: a GPU cluster of the fleet, with its node pools.
//!
//! A cloud makes it, or it exists. In both cases a ServingStack is installed on it, and its status says what the other kinds need
//! to know: [`super::cluster`] reads it. The kind follows Modelplane v0.3.1, except that nothing that goes missing for a while (a
//! class, a block of the spec, readiness) deletes what runs.

use std::rc::Rc;

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;
use toolbox::resources::{CLUSTER_KUBERNETES_CONFIGS, CLUSTER_USAGES, USAGES};

use self::read::{definition, observed, read};
use super::found_by;
use super::platform::gates;
use super::resources::{
    AKS_CLUSTERS, EKS_CLUSTERS, GKE_CLUSTERS, INFERENCE_CLASSES, INFERENCE_CLUSTERS as CLUSTERS, MODEL_CACHES,
    MODEL_REPLICAS, NEBIUS_CLUSTERS, SERVING_STACKS, VULTR_CLUSTERS,
};

pub mod admit;
mod assumed;
mod capacities;
mod conditions;
pub mod derive;
pub mod inputs;
mod pools;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod sources;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind, without its admission.
pub(crate) const KIND: Kind = Kind {
    short_names: &["ic"],
    api: "modelplane",
    scope: CLUSTERS.scope,
    composes: &[
        AKS_CLUSTERS,
        EKS_CLUSTERS,
        GKE_CLUSTERS,
        NEBIUS_CLUSTERS,
        SERVING_STACKS,
        VULTR_CLUSTERS,
        CLUSTER_KUBERNETES_CONFIGS,
        CLUSTER_USAGES,
        USAGES,
    ],
    looks_up: &[INFERENCE_CLASSES, MODEL_CACHES, MODEL_REPLICAS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: conditions::CONDITIONS,
    waits_for: |composite, key| gates::waits_for(&[derive::GUARDS, derive::ROWS], composite, key),
    assumed: Some(assumed::ASSUMED),
    capacities: Some(capacities::capacities),
    found_by: found_by::CLASSES_OF_POOLS,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(CLUSTERS.api_version, CLUSTERS.kind, CLUSTERS.plural, definition, compose)
};

/// Composes the cluster in its cloud, and what serves models on it.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = Rc::new(read(request, &observed)?);
    let resources = render::resources(&inputs, &observed);
    let mut reasons = Reasons::of(request, &resources);
    if inputs.stop.is_none() {
        reasons = reasons.with_status(derive::STATUS, &*inputs);
    }
    Ok((status::respond(request, &observed, &inputs, resources)?, reasons))
}

const EXAMPLES: &[Example] = &[
    example!("modelplane", "cluster-existing", "a cluster of one's own, with two pools"),
    example!("modelplane", "cluster-gke", "a cluster in a cloud, which grows on demand"),
    example!("modelplane", "cluster-eks", "a cluster in a cloud, with its own fabric"),
    example!("modelplane", "cluster-aks", "a cluster in Azure, with InfiniBand"),
    example!("modelplane", "cluster-nebius", "a cluster in Nebius, with InfiniBand"),
    example!("modelplane", "cluster-vultr", "a cluster in Vultr, with a pool of fixed size"),
    example!("modelplane", "clusters", "a cluster in a cloud and one of one's own, with the classes of their nodes"),
];
