//! `ModelArtifact`: a model from a hub, imported once and pushed to a registry as an OCI artifact.
//!
//! A Job works on a volume of its own. What came to its end is remembered by a hash in the status and never done again: not when
//! the Job is gone, not after an upgrade, and not when Crossplane edits the composite.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;

use self::read::{definition, observed, read};
use super::found_by::TARGET;
use super::resources::{JOBS, MODEL_ARTIFACTS, PERSISTENT_VOLUME_CLAIMS, PODS};

mod admit;
pub mod derive;
mod progress;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod spec;
mod status;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    api: "otterscale",
    composes: &[JOBS, PERSISTENT_VOLUME_CLAIMS],
    looks_up: &[PODS],
    found_by: &[TARGET],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(MODEL_ARTIFACTS.api_version, MODEL_ARTIFACTS.kind, MODEL_ARTIFACTS.plural, definition, compose)
};

const EXAMPLES: &[Example] = &[example!("otterscale", "import-opt", "a small model, from Hugging Face to a registry")];

/// Composes the Job and its volume.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::resources(&inputs);
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
