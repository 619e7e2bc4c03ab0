//! Observed state → readiness, conditions, status, results.

use super::advice::advice;
use super::derive::{Inputs, STATUS};
use super::render::INGRESS_KEY;
use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite, DesiredResource};
use contract::types::Fault;
use contract::types::{Outcome, Readiness, Severity};
use toolbox::builders::remote;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{news, outcome};
use toolbox::observed;
use toolbox::path;
use toolbox::rule::Plan;

/// Key of the VLLMRuntime's Object.
const RUNTIME_KEY: &str = "vllm-runtime";
/// Its key in crossplane-inference 0.1.6.
const LEGACY_RUNTIME_KEY: &str = "vllm_runtime";

/// The composed resources that are observed.
pub(super) struct Observed<'a>(observed::Observed<'a>);

impl<'a> Observed<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// A [`Fault`] when one of them is not JSON.
    pub(super) fn of(request: &'a ComposeRequest) -> Result<Self, Fault> {
        let ours = [RUNTIME_KEY, LEGACY_RUNTIME_KEY, INGRESS_KEY];
        observed::Observed::of(request, |key| ours.contains(&key)).map(Self)
    }

    /// The keys under which the VLLMRuntime's Object is desired. Those that exist are kept: Crossplane would
    /// delete an Object whose key is no longer desired, and with it the model server that runs.
    pub(super) fn runtime_keys(&self) -> Vec<&'static str> {
        let existing: Vec<_> = [RUNTIME_KEY, LEGACY_RUNTIME_KEY].into_iter().filter(|key| self.0.has(key)).collect();
        if existing.is_empty() { vec![RUNTIME_KEY] } else { existing }
    }

    /// `status.modelStatus` of the VLLMRuntime, as the target cluster has it.
    pub(super) fn model_status(&self) -> Option<String> {
        let of = |key: &&str| path::get(remote::there(self.0.get(key)?)?, "status.modelStatus")?.as_str();
        let status = self.runtime_keys().iter().find_map(of)?;
        Some(status.to_owned()).filter(|status| !status.is_empty())
    }

    /// Whether the manifest that is desired is the one that was applied.
    fn has(&self, key: &str, desired: &DesiredResource) -> bool {
        self.0.get(key).is_some_and(|object| remote::same_manifest(object, &desired.object))
    }
}

/// The response that desires `resources`.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &Inputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let resources = desired(resources, &observed.0);
    let advice = advice(inputs);
    let changes = resources.iter().any(|(key, desired)| !observed.has(key, desired));
    let results = changes.then(|| composed(inputs)).into_iter().chain(news(request, &advice, changes)).collect();
    let settled = !changes && resources.values().all(|desired| desired.readiness == Readiness::Ready);
    let ttl = if settled { inputs.ttl } else { inputs.ttl_waiting };
    let status = Some(Plan::of(STATUS, inputs).into_object());
    ComposeResponse {
        composite: DesiredComposite { status, ..DesiredComposite::default() },
        resources,
        conditions: advice.into_iter().map(|said| said.condition).collect(),
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
