//! `InferenceGateway`: the gateway of the control plane, of which there is one with the name `default`.
//!
//! The routes of ModelServices attach to it. They read its address.

use std::sync::LazyLock;

use contract::catalog::Example;
use toolbox::kind::Kind;
use toolbox::validation::Validator;

use super::resources::INFERENCE_GATEWAYS as GATEWAYS;
use super::shapes;

mod admit;
mod assumed;
#[cfg(feature = "generate")]
mod published;
#[cfg(feature = "generate")]
mod spec;

/// The row of the kind. It is judged and looked up. Nothing composes it yet.
pub(crate) const KIND: Kind = Kind {
    short_names: &["ig"],
    api: "modelplane",
    scope: GATEWAYS.scope,
    examples: EXAMPLES,
    assumed: Some(assumed::ASSUMED),
    admit: |request| shapes::judge::admitted(GATEWAYS.kind, definition(), request, admit::admit),
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::data(GATEWAYS.api_version, GATEWAYS.kind, GATEWAYS.plural, definition)
};

/// The definition of the kind, which validates objects.
fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> =
        LazyLock::new(|| Validator::read(include_str!("inference_gateway/definition.json")));
    &DEFINITION
}

const EXAMPLES: &[Example] = &[example!("modelplane", "gateway", "the gateway of the control plane")];
