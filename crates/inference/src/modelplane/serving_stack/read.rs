//! Reads a request into the inputs of the rules.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::Fault;
use toolbox::builders::remote;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{ROWS, SeenStack, StackInputs};
use crate::modelplane::platform::gates;
use crate::modelplane::resources::SERVING_STACKS;
use crate::modelplane::subject::Subject;

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// The composed resources of a request.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    gates::observed(request, ROWS, "")
}

/// Reads the inputs.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<StackInputs, Fault> {
    let stack = Subject::read_shaped(SERVING_STACKS.kind, request, definition(), |_| None)?;
    let gateway = observed.get("gateway").and_then(remote::observed_manifest);
    let address = gateway.and_then(|it| path::get(it, "status.addresses[0].value")?.as_str());
    let seen = SeenStack {
        has_configs: observed.has("provider-config-kubernetes") && observed.has("provider-config-helm"),
        has_ai_gateway_crds: observed.has("ai-gateway-crds"),
        has_dra_driver: observed.has("dra-driver"),
        address: address.filter(|address| !address.is_empty()).map(str::to_owned),
    };
    Ok(StackInputs { stack, seen })
}
