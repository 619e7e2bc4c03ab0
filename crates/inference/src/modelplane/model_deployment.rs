//! `ModelDeployment`: a model with a number of replicas on the fleet.
//!
//! Each replica is a ModelReplica on the cluster that the scheduler chose, and has a ModelEndpoint while it serves.
//! [`schedule`] says how clusters and pools are chosen. The replicas that exist are a part of its input, so nothing that runs
//! moves without need.
//!
//! What runs is not lost. While it is not known where replicas may be (lookups without an answer, no clusters, a missing
//! cache, a selector that cannot be parsed) all of them are held: desired again as they are observed.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse, Derivation};
use contract::types::Fault;
use toolbox::composed::Composed;
use toolbox::kind::{Kind, StepFunctions};
use toolbox::rule::Plan;

use self::decide::{Decision, decide};
use self::derive::DeploymentAnswers;
use self::read::{DeploymentRead, definition, read};
use super::found_by;
use super::resources::{
    INFERENCE_CLASSES, INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_DEPLOYMENTS as DEPLOYMENTS, MODEL_ENDPOINTS,
    MODEL_REPLICAS,
};
use super::scheduling::neighbours::{Neighbours, Sources};

mod admit;
mod decide;
mod decisions;
pub mod derive;
mod plan;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["md"],
    api: "modelplane",
    composes: &[MODEL_ENDPOINTS, MODEL_REPLICAS],
    looks_up: &[INFERENCE_CLASSES, INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_REPLICAS],
    found_by: &[found_by::CACHE, found_by::NAME],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    compose: Some(StepFunctions { compose, explain }),
    plan: Some(plan::plan),
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::data(DEPLOYMENTS.api_version, DEPLOYMENTS.kind, DEPLOYMENTS.plural, definition)
};

const EXAMPLES: &[Example] = &[
    example!("modelplane", "deployment-qwen", "a small model, one GPU for each replica"),
    example!("modelplane", "deployment-kimi", "a model on two nodes for each replica, from a cache"),
    example!("modelplane", "deployment-disaggregated", "prefill and decode apart"),
    example!("modelplane", "fleet", "a fleet: three clouds, hardware of one's own, a dozen models"),
];

/// Composes a ModelReplica for each replica, and a ModelEndpoint for each that serves.
fn compose(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let read = read(request)?;
    Ok(with_resources(&read, |decision, neighbours, resources| {
        let decisions = if request.explain { decisions::of(&read, decision, neighbours) } else { Vec::new() };
        ComposeResponse { decisions, ..status::respond(request, &read, decision, resources) }
    }))
}

/// Explains the values in the same resources and in the status.
fn explain(request: &ComposeRequest) -> Result<Vec<Derivation>, Fault> {
    let read = read(request)?;
    Ok(with_resources(&read, |decision, _, resources| {
        let status = Plan::of(DeploymentAnswers::STATUS, &DeploymentAnswers::of(&read, decision));
        let of_status = status.derivations("", "status");
        let mut derivations: Vec<_> = resources.iter().flat_map(Composed::derivations).chain(of_status).collect();
        let causes = derivations.iter_mut().flat_map(|derivation| &mut derivation.causes);
        causes.for_each(|cause| read.deployment.written.rename(cause));
        derivations
    }))
}

/// Decides, and gives the decision, what it was made from and the resources to `answer`.
fn with_resources<T>(
    read: &DeploymentRead<'_>,
    answer: impl FnOnce(&Decision<'_>, &Neighbours<'_>, Vec<Composed>) -> T,
) -> T {
    let deployment = &read.deployment;
    let sources = Sources::of(read.clusters.all(), read.replicas.all(), &read.composed);
    let mut neighbours = Neighbours::read(&sources, &deployment.name, &deployment.namespace);
    if let Some(classes) = &read.classes {
        classes.apply(&mut neighbours);
    }
    let decision = decide(read, &neighbours);
    let resources = render::resources(deployment, &decision, &neighbours, &read.observed);
    answer(&decision, &neighbours, resources)
}
