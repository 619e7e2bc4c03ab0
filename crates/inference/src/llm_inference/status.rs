//! Readiness, conditions, status and results from the observed state.

use super::advice::advice;
use super::derive::{Inputs, STATUS};
use super::render::INGRESS_KEY;
use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite, DesiredResource};
use contract::types::Fault;
use contract::types::{Outcome, Readiness, Severity};
use toolbox::builders::remote;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{new_warnings, outcome};
use toolbox::observed;
use toolbox::path;
use toolbox::rule::Plan;

/// Composition resource name of the Object with the VLLMRuntime.
const RUNTIME_KEY: &str = "vllm-runtime";
/// The same in crossplane-inference 0.1.6.
const LEGACY_RUNTIME_KEY: &str = "vllm_runtime";

/// The observed composed resources of this kind.
pub(super) struct Observed<'a>(observed::Observed<'a>);

impl<'a> Observed<'a> {
    /// Reads them from a request.
    ///
    /// # Errors
    /// A [`Fault`] when one of them is not JSON.
    pub(super) fn of(request: &'a ComposeRequest) -> Result<Self, Fault> {
        let ours = [RUNTIME_KEY, LEGACY_RUNTIME_KEY, INGRESS_KEY];
        observed::Observed::of(request, |key| ours.contains(&key)).map(Self)
    }

    /// The composition resource names of the Object with the VLLMRuntime. Existing ones are kept: Crossplane would delete an
    /// Object whose name is no longer desired, and with it the running model server.
    pub(super) fn runtime_keys(&self) -> Vec<&'static str> {
        let existing: Vec<_> = [RUNTIME_KEY, LEGACY_RUNTIME_KEY].into_iter().filter(|key| self.0.has(key)).collect();
        if existing.is_empty() { vec![RUNTIME_KEY] } else { existing }
    }

    /// `status.modelStatus` of the VLLMRuntime, as observed on the target cluster.
    pub(super) fn model_status(&self) -> Option<String> {
        let of = |key: &&str| path::get(remote::observed_manifest(self.0.get(key)?)?, "status.modelStatus")?.as_str();
        let status = self.runtime_keys().iter().find_map(of)?;
        Some(status.to_owned()).filter(|status| !status.is_empty())
    }

    /// Whether the desired manifest is the observed one.
    fn has(&self, key: &str, desired: &DesiredResource) -> bool {
        self.0.get(key).is_some_and(|object| remote::same_manifest(object, &desired.object))
    }
}

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &Inputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let resources = desired(resources, &observed.0);
    let advice = advice(inputs);
    let changes = resources.iter().any(|(key, desired)| !observed.has(key, desired));
    let results =
        changes.then(|| composed(inputs)).into_iter().chain(new_warnings(request, &advice, changes)).collect();
    let settled = !changes && resources.values().all(|desired| desired.readiness == Readiness::Ready);
    let ttl = if settled { inputs.ttl } else { inputs.ttl_waiting };
    let status = Some(Plan::of(STATUS, inputs).into_object());
    ComposeResponse {
        composite: DesiredComposite { status, ..DesiredComposite::default() },
        resources,
        conditions: advice.into_iter().map(|reported| reported.condition).collect(),
        results,
        ttl: Some(ttl.as_millis()),
        ..ComposeResponse::default()
    }
}

fn composed(inputs: &Inputs) -> Outcome {
    let gpus = match inputs.gpus() {
        1 => "1 GPU".to_owned(),
        gpus => format!("{gpus} GPUs"),
    };
    outcome(Severity::Normal, "Composed", format!("composed `{}` on {gpus}", inputs.spec.model))
}
