//! `ModelService`: one address for the endpoints of one or several deployments.
//!
//! Each entry selects ModelEndpoints by labels and has a weight. An HTTPRoute on the gateway of the control plane spreads
//! requests over their backends. The kind follows Modelplane v0.3.1, except that a route is never deleted for want of
//! endpoints, and that endpoints of other namespaces get no requests.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;

use self::read::{definition, read};
use super::resources::{HTTP_ROUTES, INFERENCE_GATEWAYS, MODEL_ENDPOINTS, MODEL_SERVICES};

mod admit;
pub mod derive;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;
pub mod weights;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["ms"],
    api: "modelplane",
    composes: &[HTTP_ROUTES],
    looks_up: &[INFERENCE_GATEWAYS, MODEL_ENDPOINTS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(MODEL_SERVICES.api_version, MODEL_SERVICES.kind, MODEL_SERVICES.plural, definition, compose)
};

const EXAMPLES: &[Example] =
    &[example!("modelplane", "service-weighted", "two deployments behind one address, nine to one")];

/// Composes the HTTPRoute.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = request.observed(render::ROUTE_KEY)?;
    let inputs = read(request, observed)?;
    let route = render::route(&inputs, observed);
    let reasons = match &route {
        Some(route) => Reasons::of(request, std::slice::from_ref(route)).with_status(derive::STATUS, &inputs),
        None => Reasons::default(),
    };
    Ok((status::respond(request, &inputs, route, observed), reasons))
}
