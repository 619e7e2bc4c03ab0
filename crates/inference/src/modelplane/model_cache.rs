//! `ModelCache`: weights of a model on clusters, downloaded before replicas need them.
//!
//! Each selected cluster gets a volume and a Job that downloads a repository into it, with a token while it does. Replicas
//! mount the volume. The kind follows Modelplane v0.3.1, except that a cluster that says nothing about its storage for a
//! moment keeps its volume, and that repositories and revisions cannot become commands.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;
use toolbox::resources::OBJECTS;

use self::read::{definition, observed, read};
use super::resources::{INFERENCE_CLUSTERS, JOBS, MODEL_CACHES, PERSISTENT_VOLUME_CLAIMS, SECRETS};

mod admit;
pub mod derive;
mod phase;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod source;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["mc"],
    api: "modelplane",
    composes: &[OBJECTS],
    wraps: &[JOBS, PERSISTENT_VOLUME_CLAIMS, SECRETS],
    looks_up: &[INFERENCE_CLUSTERS, SECRETS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(MODEL_CACHES.api_version, MODEL_CACHES.kind, MODEL_CACHES.plural, definition, compose)
};

const EXAMPLES: &[Example] =
    &[example!("modelplane", "cache-kimi", "the weights of a large model, on every cluster of a tier")];

/// Composes the Objects on the selected clusters.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::resources(&inputs, &observed);
    let mut reasons = Reasons::of(request, &resources);
    if inputs.resolved {
        reasons = reasons.with_status(derive::STATUS, &inputs);
    }
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
