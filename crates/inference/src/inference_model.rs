//! `InferenceModel`: a model that has memory of a pool while it is active, sleeps when nobody asks for it, and waits for what it
//! depends on.
//!
//! The first kind whose answer depends on the time and on its siblings. Crate [`budget`] reads these: it has the walk that gives away
//! free memory, the table of states of a reservation, who needs whom, and who was asked for last; [`sizing`] is about how
//! much memory would be enough. All of them are pure. The kind follows the first release of the Inference Budget Controller;
//! `docs/differences.md` says what is otherwise, and why.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;

use self::decide::decide;
use self::read::{definition, read};
use self::resources::{
    CONFIG_MAPS, DEPLOYMENTS, ENDPOINT_SLICES, ENVIRONMENT_CONFIGS, INFERENCE_MODELS, NODES, SERVICES,
};

mod admit;
pub mod amounts;
pub mod backend;
mod capacities;
mod decide;
pub mod deployed;
pub mod derive;
mod inputs;
pub mod names;
pub mod options;
#[cfg(feature = "generate")]
mod published;
mod read;
mod refusal;
mod render;
pub mod resources;
pub mod samples;
pub mod sizing;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;
pub mod totals;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    api: "inference-model",
    composes: &[DEPLOYMENTS, SERVICES],
    looks_up: &[ENVIRONMENT_CONFIGS, ENDPOINT_SLICES, INFERENCE_MODELS, CONFIG_MAPS, NODES],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    capacities: Some(capacities::capacities),
    admit: admit::admit,
    names: &[CONFIG_MAPS, ENVIRONMENT_CONFIGS, INFERENCE_MODELS],
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(INFERENCE_MODELS.api_version, INFERENCE_MODELS.kind, INFERENCE_MODELS.plural, definition, compose)
};

const EXAMPLES: &[Example] = &[
    example!("inference-model", "model-shared-pool", "two models that share the memory of a pool"),
    example!("inference-model", "model-pipeline", "a pipeline of models that depend on one another"),
    example!("inference-model", "model-external", "a model that something else serves"),
    example!("inference-model", "model-gpus", "a model with GPUs and limits"),
];

/// Composes the Deployment of a model and its Service.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let mut read = read(request, status::failed)?;
    let siblings = read.siblings.take();
    let mut decision = decide(&read, siblings);
    let inputs = inputs::of(&read, &mut decision);
    let resources = render::resources(&inputs);
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &inputs);
    let response = status::respond(request, &read, &decision, &inputs, resources);
    let decisions = if request.explain { refusal::decisions(&read, &decision) } else { Vec::new() };
    Ok((ComposeResponse { decisions, ..response }, reasons))
}
