//! `ModelDeployment`: a model with a number of replicas on the fleet.
//!
//! Each replica is a ModelReplica on the cluster that the scheduler chose, and has a ModelEndpoint while it serves.
//! [`schedule`] says how clusters and pools are chosen. The replicas that exist are a part of its input, so nothing that runs
//! moves without need.
//!
//! What runs is not lost. While it is not known where replicas may be (lookups without an answer, no clusters, a missing
//! cache, a selector that cannot be parsed) all of them are held: desired again as they are observed.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::composed::Composed;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;

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
    compose: Some(compose),
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
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let read = read(request)?;
    let deployment = &read.deployment;
    let sources = Sources::of(read.clusters.all(), read.replicas.all(), &read.composed);
    let mut neighbours = Neighbours::read(&sources, &deployment.name, &deployment.namespace);
    if let Some(classes) = &read.classes {
        classes.apply(&mut neighbours);
    }
    let decision = decide(&read, &neighbours);
    let resources = render::resources(deployment, &decision, &neighbours, &read.observed);
    let (decisions, reasons) = if request.explain {
        (decisions::of(&read, &decision, &neighbours), reasons(request, &read, &decision, &resources))
    } else {
        Default::default()
    };
    Ok((ComposeResponse { decisions, ..status::respond(request, &read, &decision, resources) }, reasons))
}

/// The reasons, which name the fields that were written.
fn reasons(
    request: &ComposeRequest,
    read: &DeploymentRead<'_>,
    decision: &Decision<'_>,
    resources: &[Composed],
) -> Reasons {
    let answers = DeploymentAnswers::of(read, decision);
    let mut derivations =
        Reasons::of(request, resources).with_status(DeploymentAnswers::STATUS, &answers).derivations();
    let causes = derivations.iter_mut().flat_map(|derivation| &mut derivation.causes);
    causes.for_each(|cause| read.deployment.written.rename(cause));
    Reasons::known(derivations)
}
