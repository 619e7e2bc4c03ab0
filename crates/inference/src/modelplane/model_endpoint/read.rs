//! Reads a request into the inputs of the rules, by the definition of the kind.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Fault};
use serde_json::Value;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{EndpointInputs, SERVICE_KEY, SLICE_KEY};
use crate::modelplane::destination::Destination;

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the inputs of the rules from a request.
pub(super) fn read(request: &ComposeRequest) -> Result<EndpointInputs<'_>, Fault> {
    let composite = request.composite()?;
    let spec: Value = definition().spec(composite).map_err(|problems| Fault::many(Cause::Composite, problems))?;
    let url = spec["url"].as_str().unwrap_or_default().to_owned();
    Ok(EndpointInputs {
        namespace: path::get(composite, "metadata.namespace").and_then(Value::as_str).unwrap_or_default(),
        destination: Destination::of(&url),
        url,
        observed: Observed::of(request, |key| [SERVICE_KEY, SLICE_KEY].contains(&key))?,
    })
}
