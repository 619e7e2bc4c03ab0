//! `ModelService`: a model, served by vLLM in the cluster itself.
//!
//! Pods with one role or with two, an endpoint picker with all that it needs, a pool of the pods, a route to the pool, and
//! monitors. The kind follows OtterScale's model operator, whose objects it takes over as they are.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;
use toolbox::resources::OBJECTS;

use self::read::{definition, observed, read};
use super::found_by::NAMESPACE;
use super::resources::{
    API_SERVICES, CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, CONFIG_MAPS, DEPLOYMENTS, DESTINATION_RULES, HTTP_ROUTES,
    INFERENCE_POOLS, MODEL_ARTIFACTS, MODEL_SERVICES, POD_DISRUPTION_BUDGETS, POD_MONITORS, ROLE_BINDINGS, ROLES,
    SECRETS, SERVICE_ACCOUNTS, SERVICE_MONITORS, SERVICES,
};

mod admit;
pub mod derive;
pub mod names;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod spec;
mod status;
mod weights;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    api: "otterscale",
    composes: &[
        DEPLOYMENTS,
        HTTP_ROUTES,
        INFERENCE_POOLS,
        OBJECTS,
        POD_MONITORS,
        SERVICE_MONITORS,
        DESTINATION_RULES,
        POD_DISRUPTION_BUDGETS,
        ROLE_BINDINGS,
        ROLES,
        CONFIG_MAPS,
        SECRETS,
        SERVICE_ACCOUNTS,
        SERVICES,
    ],
    wraps: &[CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES],
    looks_up: &[API_SERVICES, CLUSTER_ROLE_BINDINGS],
    found_by: &[NAMESPACE],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    linked: Some(weights::linked),
    names: &[MODEL_ARTIFACTS],
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(MODEL_SERVICES.api_version, MODEL_SERVICES.kind, MODEL_SERVICES.plural, definition, compose)
};

const EXAMPLES: &[Example] = &[
    example!("otterscale", "serve-qwen", "a small model on one GPU"),
    example!("otterscale", "serve-llama", "prefill and decode apart, with a proxy and two endpoint pickers"),
    example!("otterscale", "serve-cpu", "a model without devices"),
    example!("otterscale", "serve-hosts", "a route of its own, with host names"),
    example!("otterscale", "serve-imported", "a model whose weights are imported first"),
    example!("otterscale", "serve-careful", "weights as a volume, and pods that are replaced with care"),
];

/// Composes the objects of a service.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::resources(&inputs, &observed);
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
