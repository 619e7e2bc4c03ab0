//! Observed state → readiness, conditions, status, results.

use std::collections::BTreeMap;

use super::advice::advice;
use super::derive::{Inputs, STATUS};
use super::render::{MANIFEST, Wrapped};
use crate::compose::{Desired, DesiredComposite, Outcome, Readiness, Request, Response, Severity};
use crate::conditions::{holds, news, outcome};
use crate::object::Resource;
use crate::path;
use crate::rule::Plan;

/// Key of the VLLMRuntime's Object.
pub(super) const RUNTIME: &str = "vllm-runtime";
/// Its key in crossplane-inference 0.1.6.
const LEGACY_RUNTIME: &str = "vllm_runtime";

/// The key under which the VLLMRuntime's Object is desired. One that exists is kept: Crossplane would delete
/// an Object whose key is no longer desired, and with it the model server that runs.
pub(super) fn runtime_key(request: &Request) -> &'static str {
    if request.observed.contains_key(LEGACY_RUNTIME) { LEGACY_RUNTIME } else { RUNTIME }
}

/// `status.modelStatus` of the VLLMRuntime, as the target cluster has it.
pub(super) fn model_status(request: &Request) -> Option<String> {
    let object = &request.observed.get(runtime_key(request))?.object;
    let status = path::get(object, "status.atProvider.manifest.status.modelStatus")?.as_str()?;
    Some(status.to_owned()).filter(|status| !status.is_empty())
}

/// The response that desires `resources`.
pub(super) fn respond(request: &Request, inputs: &Inputs, resources: &[Wrapped]) -> Response {
    let resources: BTreeMap<_, _> = resources
        .iter()
        .map(|resource| {
            let readiness = readiness(request.observed.get(resource.key));
            (resource.key.to_owned(), Desired { object: resource.object(), readiness })
        })
        .collect();
    let advice = advice(inputs);
    let changes = resources.iter().any(|(key, desired)| !is_applied(desired, request.observed.get(key)));
    let results = changes.then(|| composed(inputs)).into_iter().chain(news(request, &advice, changes)).collect();
    let settled = !changes && resources.values().all(|desired| desired.readiness == Readiness::Ready);
    let ttl = if settled { inputs.options.ttl } else { inputs.options.ttl_waiting };
    let status = Some(Plan::of(STATUS, inputs).to_value());
    Response {
        composite: DesiredComposite { status, ..DesiredComposite::default() },
        resources,
        conditions: advice.into_iter().map(|said| said.condition).collect(),
        results,
        ttl: Some(ttl.as_millis()),
        ..Response::default()
    }
}

/// Ready once the provider says so; what was not observed, or not ready, is left to Crossplane.
fn readiness(observed: Option<&Resource>) -> Readiness {
    match observed {
        Some(resource) if holds(&resource.object, "Ready") => Readiness::Ready,
        _ => Readiness::Unspecified,
    }
}

/// Whether the manifest that is desired is the one that was applied.
fn is_applied(desired: &Desired, observed: Option<&Resource>) -> bool {
    observed.is_some_and(|observed| path::get(&observed.object, MANIFEST) == path::get(&desired.object, MANIFEST))
}

fn composed(inputs: &Inputs) -> Outcome {
    let gpus = match inputs.gpus() {
        1 => "1 GPU".to_owned(),
        gpus => format!("{gpus} GPUs"),
    };
    outcome(Severity::Normal, "Composed", format!("composed `{}` on {gpus}", inputs.spec.model))
}
