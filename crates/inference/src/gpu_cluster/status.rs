//! Readiness, conditions, status and results from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{self, False, True};
use contract::types::{Outcome, Readiness, Severity};
use serde_json::Value;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{self, ConditionRow, Reported, new_warnings, note, outcome, warning};
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::advice::advice;
use super::derive::{STATUS, control_plane, pools};
use super::inputs::ClusterInputs;
use super::render::is_software;
use crate::clouds::Cloud;
use crate::clouds::machines::{Counts, Machine};

/// The conditions about what was observed, also for documentation.
pub(super) const CONDITIONS: &[ConditionRow] = &[
    CONTROL_PLANE.ready,
    CONTROL_PLANE.waits,
    CONTROL_PLANE.failed,
    NODE_POOL.ready,
    NODE_POOL.waits,
    NODE_POOL.failed,
    GPU_POOL.ready,
    GPU_POOL.waits,
    GPU_POOL.failed,
    NO_GPU_POOL,
    APPS.ready,
    APPS.waits,
    APPS.failed,
];

/// A condition with its three reasons.
#[derive(Clone, Copy)]
struct Stage {
    ready: ConditionRow,
    waits: ConditionRow,
    failed: ConditionRow,
}

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const CONTROL_PLANE: Stage = Stage {
        ready: note("ControlPlaneReady", True, "Available", "the control plane answers"),
        waits: note("ControlPlaneReady", False, "Waiting", "the control plane is not there yet"),
        failed: warning("ControlPlaneReady", False, "Failed", "the cloud refuses the control plane, or a change to it"),
    };
    pub(super) const NODE_POOL: Stage = Stage {
        ready: note("NodePoolReady", True, "Available", "the general nodes are there"),
        waits: note("NodePoolReady", False, "Waiting", "the general nodes are not there yet"),
        failed: warning("NodePoolReady", False, "Failed", "the cloud refuses the general nodes, or a change to them"),
    };
    pub(super) const GPU_POOL: Stage = Stage {
        ready: note("GPUPoolReady", True, "Available", "the nodes with GPUs are there"),
        waits: note("GPUPoolReady", False, "Waiting", "the nodes with GPUs are not there yet"),
        failed: warning("GPUPoolReady", False, "Failed", "the cloud refuses the nodes with GPUs: often a quota, or it has none at the moment"),
    };
    pub(super) const NO_GPU_POOL: ConditionRow = note("GPUPoolReady", True, "NotWanted", "there is no pool with GPUs");
    pub(super) const APPS: Stage = Stage {
        ready: note("AppsReady", True, "Available", "all software is installed"),
        waits: note("AppsReady", False, "Waiting", "some software is not installed yet"),
        failed: warning("AppsReady", False, "Failed", "some software cannot be installed"),
    };
}
use rows::*;

/// How an object is.
enum State {
    Ready,
    /// Not yet, with the provider's words.
    Waits(String),
    /// Refused, with the provider's words.
    Failed(String),
}

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &ClusterInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let software: Vec<String> =
        resources.iter().filter(|it| is_software(it.plan.object())).map(|it| it.key.clone()).collect();
    let resources = desired(resources, observed);
    let missing = resources.keys().filter(|key| !observed.has(key)).count();
    let mut reported = stages(observed, inputs, &software);
    reported.extend(advice(inputs));
    let composed = (missing > 0).then(|| composed(inputs, resources.len()));
    let results = composed.into_iter().chain(new_warnings(request, &reported, missing > 0)).collect();
    let settled = resources.values().all(|desired| desired.readiness == Readiness::Ready);
    let ttl = if settled { inputs.ttl } else { inputs.ttl_waiting };
    let status = Some(Plan::of(STATUS, inputs).into_object());
    ComposeResponse {
        composite: DesiredComposite { status, ..DesiredComposite::default() },
        resources,
        conditions: reported.into_iter().map(|reported| reported.condition).collect(),
        results,
        ttl: Some(ttl.as_millis()),
        ..ComposeResponse::default()
    }
}

fn composed(inputs: &ClusterInputs, objects: usize) -> Outcome {
    let (name, service, region) = (&inputs.name, inputs.provider.service(), inputs.region());
    outcome(
        Severity::Normal,
        "Composed",
        format!("composed {service} cluster `{name}` in {region}, of {objects} objects"),
    )
}

/// The conditions about what was observed, in a fixed order.
fn stages(observed: &Observed<'_>, inputs: &ClusterInputs, software: &[String]) -> Vec<Reported> {
    let key = |template: &str| template.replace("{n}", &inputs.name);
    let (plane, pool, gpu) = match inputs.provider {
        Cloud::Aws => (control_plane::EKS_KEY, pools::EKS_KEY, pools::EKS_GPU_KEY),
        Cloud::Azure => (control_plane::KEY, control_plane::KEY, pools::GPU_KEY),
        Cloud::Google => (control_plane::KEY, pools::KEY, pools::GPU_KEY),
    };
    let one = |stage: Stage, template: &str| report(stage, state(observed.get(&key(template))));
    let gpus = if inputs.gpu().is_none() {
        NO_GPU_POOL.report("")
    } else {
        let state = match state(observed.get(&key(gpu))) {
            State::Failed(words) => State::Failed(format!("{words}{}", quota(inputs))),
            other => other,
        };
        report(GPU_POOL, state)
    };
    vec![one(CONTROL_PLANE, plane), one(NODE_POOL, pool), gpus, report(APPS, apps(observed, software))]
}

fn report(stage: Stage, state: State) -> Reported {
    match state {
        State::Ready => stage.ready.report(""),
        State::Waits(words) => stage.waits.report(words),
        State::Failed(words) => stage.failed.report(words),
    }
}

/// How all software is: as its first object that failed, else as the number of those that wait.
fn apps(observed: &Observed<'_>, software: &[String]) -> State {
    let mut waiting = Vec::new();
    for key in software {
        match state(observed.get(key)) {
            State::Ready => {}
            State::Waits(_) => waiting.push(key.as_str()),
            State::Failed(words) => return State::Failed(format!("{key}: {words}")),
        }
    }
    match waiting.as_slice() {
        [] => State::Ready,
        [first, rest @ ..] if !rest.is_empty() => State::Waits(format!("{first} and {} more", rest.len())),
        [first, ..] => State::Waits((*first).to_owned()),
    }
}

/// The conditions in which a provider says that the cloud refuses something. Nobody looks there.
const REFUSALS: [&str; 2] = ["LastAsyncOperation", "Synced"];

/// The most characters of a provider's words. They can be pages.
const MOST_WORDS: usize = 600;

/// How an object is, as its conditions say. What is not observed waits.
fn state(object: Option<&Value>) -> State {
    let Some(object) = object else { return State::Waits("not created yet".to_owned()) };
    let is = |found: &conditions::ObservedCondition<'_>, status: ConditionStatus| found.status == status;
    let refused = REFUSALS.iter().filter_map(|name| conditions::find(object, name)).find(|found| is(found, False));
    if let Some(found) = refused {
        let words = if found.message.is_empty() { found.reason } else { found.message };
        return State::Failed(words.chars().take(MOST_WORDS).collect());
    }
    match conditions::find(object, "Ready") {
        Some(found) if is(&found, True) => State::Ready,
        Some(found) if !found.reason.is_empty() => State::Waits(found.reason.to_owned()),
        _ => State::Waits("the provider has said nothing yet".to_owned()),
    }
}

/// The quota that the nodes with GPUs take.
fn quota(inputs: &ClusterInputs) -> String {
    let pool = inputs.gpu();
    let machine = pool.and_then(|pool| Machine::named(inputs.provider, &inputs.gpu_machine(pool)?.name));
    let Some(machine) = machine else { return String::new() };
    let counted = match machine.quota.counts {
        Counts::Cpus => "vCPUs",
        Counts::Gpus => "GPUs",
    };
    let (region, takes, quota) = (inputs.region(), machine.takes(), machine.quota.name);
    format!(" (a node takes {takes} {counted} of the quota `{quota}` in {region})")
}
