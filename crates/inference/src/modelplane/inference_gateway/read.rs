//! Reads a request into the inputs of the rules.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem};
use toolbox::conditions::holds;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{DEFINITION_KEY, GatewayInputs, NOBODY, ROWS, SeenGateway};
use crate::modelplane::lookups::Answer;
use crate::modelplane::platform::{gates, names};
use crate::modelplane::resources::INFERENCE_GATEWAYS;
use crate::modelplane::subject::Subject;
use crate::vendored::GATEWAY_API;

/// The definition of the kind, which validates objects.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// The composed resources of a request.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    gates::observed(request, ROWS, "")
}

/// The lookup of a definition.
pub(super) fn lookup(definition: &str) -> String {
    format!("crd-{definition}")
}

/// Reads the inputs.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<GatewayInputs, Fault> {
    let gateway: Subject<super::spec::GatewaySpec> =
        Subject::read_shaped(INFERENCE_GATEWAYS.kind, request, definition(), |_| None)?;
    let Some(traefik) = gateway.spec.traefik.clone() else {
        let message = "missing: the backend is `Traefik`, and this says which version";
        return Err(Fault::new(Cause::Composite, Problem::new("spec.traefik", Code::Required, message)));
    };
    let mut inputs = GatewayInputs { gateway, traefik, seen: SeenGateway::default() };
    let key = |name: &str| format!("{DEFINITION_KEY}{name}");
    let is_established = |name: &&str| {
        let composed = observed.get(&key(name));
        let found = || Answer::of(request, &lookup(name)).first().and_then(|object| object.object().ok());
        let definition = if inputs.composes_definitions() { composed } else { composed.or_else(found) };
        definition.is_some_and(|it| holds(it, "Established"))
    };
    let ready = |key: &str| observed.get(key).is_some_and(|object| holds(object, "Ready"));
    let address = observed.get("gateway").and_then(|it| path::get(it, "status.addresses[0].value")?.as_str());
    let short = |key: &'static str| (key, names::release(&inputs.gateway.name, key, observed.get(key)));
    let wrong = ["usage-gateway-class-by-traefik", "usage-gateway-by-traefik"].into_iter().filter_map(|key| {
        let usage = observed.get(key)?;
        let leaves = path::get(usage, "spec.by.resourceRef.name").is_some_and(|name| name == NOBODY);
        (!leaves).then(|| (key.to_owned(), path::get(usage, "spec.of").cloned().unwrap_or_default()))
    });
    let seen = SeenGateway {
        has_config: observed.has("provider-config-helm"),
        definitions: GATEWAY_API
            .names
            .iter()
            .filter(|name| observed.has(&key(name)))
            .map(|&it| it.to_owned())
            .collect(),
        is_established: GATEWAY_API.names.iter().all(is_established),
        has_metallb: observed.has("metallb"),
        is_metallb_ready: ready("metallb"),
        has_pool: observed.has("metallb-pool"),
        has_traefik: observed.has("traefik"),
        is_traefik_ready: ready("traefik"),
        has_gateway: observed.has("gateway"),
        address: address.filter(|address| !address.is_empty()).map(str::to_owned),
        short_names: vec![short("metallb"), short("traefik")],
        wrong: wrong.collect(),
    };
    inputs.seen = seen;
    Ok(inputs)
}
