//! Readiness, conditions, status and results from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True};
use contract::types::{Outcome, Readiness, Severity};
use serde_json::Value;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, Reported, new_warnings, note, outcome, warning};
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::advice::advice;
use super::derive::parts::kubeconfig;
use super::derive::{STATUS, control_plane, pools};
use super::inputs::ClusterInputs;
use super::render::{is_access, is_ground, is_software};
use crate::clouds::Cloud;
use crate::clouds::machines::{Counts, Machine};
use crate::object_state::{State, is_there, state, state_on_cluster};

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
        waits: note("ControlPlaneReady", False, "Waiting", "the control plane is not there yet, or waits for what it needs"),
        failed: warning("ControlPlaneReady", False, "Failed", "the cloud refuses the control plane, a change to it, or the network and identities that it needs"),
    };
    pub(super) const NODE_POOL: Stage = Stage {
        ready: note("NodePoolReady", True, "Available", "the pool of general nodes is there"),
        waits: note("NodePoolReady", False, "Waiting", "the pool of general nodes is not there yet"),
        failed: warning("NodePoolReady", False, "Failed", "the cloud refuses the general nodes, a change to them, or the network and identities that they need"),
    };
    pub(super) const GPU_POOL: Stage = Stage {
        ready: note("GPUPoolReady", True, "Available", "the pool of nodes with GPUs is there"),
        waits: note("GPUPoolReady", False, "Waiting", "the pool of nodes with GPUs is not there yet"),
        failed: warning("GPUPoolReady", False, "Failed", "the cloud refuses the nodes with GPUs: often a quota, or it has none at the moment"),
    };
    pub(super) const NO_GPU_POOL: ConditionRow = note("GPUPoolReady", True, "NotWanted", "there is no pool with GPUs");
    pub(super) const APPS: Stage = Stage {
        ready: note("AppsReady", True, "Available", "namespaces, secrets and software are on the cluster"),
        waits: note("AppsReady", False, "Waiting", "some of it is not there yet: it waits for the cluster, or for other software"),
        failed: warning("AppsReady", False, "Failed", "some of it is refused, or its chart fails"),
    };
}
use rows::*;

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &ClusterInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let groups = Groups::of(&resources);
    let resources = desired(resources, observed);
    let missing = resources.keys().filter(|key| !observed.has(key)).count();
    let mut reported = stages(observed, inputs, &groups);
    reported.extend(advice(inputs).into_iter().map(|(_, reported)| reported));
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

/// Composition resource names of what several conditions are about.
struct Groups {
    /// What control plane and nodes stand on: network and identities.
    ground: Vec<String>,
    /// What leads to the new cluster.
    access: Vec<String>,
    /// What is on the new cluster.
    software: Vec<String>,
}

impl Groups {
    fn of(resources: &[Composed]) -> Self {
        let keys = |is_one: fn(&Value) -> bool| {
            resources.iter().filter(|it| is_one(it.plan.object())).map(|it| it.key.clone()).collect()
        };
        Self { ground: keys(is_ground), access: keys(is_access), software: keys(is_software) }
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
///
/// Before the control plane is up, clouds refuse pools and provider clients fail; that is waiting, whatever the words.
fn stages(observed: &Observed<'_>, inputs: &ClusterInputs, groups: &Groups) -> Vec<Reported> {
    let get = |template: &str| observed.get(&template.replace("{n}", &inputs.name));
    let (plane, pool, gpu) = match inputs.provider {
        Cloud::Aws => (control_plane::EKS_KEY, pools::EKS_KEY, pools::EKS_GPU_KEY),
        Cloud::Azure => (control_plane::KEY, control_plane::KEY, pools::GPU_KEY),
        Cloud::Google => (control_plane::KEY, pools::KEY, pools::GPU_KEY),
    };
    let is_up = is_there(get(plane));
    let on_ground = |state: State| match state {
        State::Waits(words) => refused(observed, &groups.ground).unwrap_or(State::Waits(words)),
        other => other,
    };
    let of_pool = |template: &str| match (state(get(template)), is_up || template == plane) {
        (state, true) => on_ground(state),
        (State::Ready, false) => State::Ready,
        (_, false) if get(template).is_none() => state(None),
        (_, false) => State::Waits(NO_PLANE.to_owned()),
    };
    let apps = match software(observed, inputs, &groups.software, is_up) {
        State::Waits(words) if is_up => refused(observed, &groups.access).unwrap_or(State::Waits(words)),
        other => other,
    };
    let gpus = if inputs.gpu().is_none() {
        NO_GPU_POOL.report("")
    } else {
        let state = match of_pool(gpu) {
            // What else is refused takes no quota of machines.
            State::Failed(words) if matches!(state(get(gpu)), State::Failed(_)) => {
                State::Failed(format!("{words}{}", quota(inputs)))
            }
            other => other,
        };
        report(GPU_POOL, state)
    };
    vec![
        report(CONTROL_PLANE, on_ground(state(get(plane)))),
        report(NODE_POOL, of_pool(pool)),
        gpus,
        report(APPS, apps),
    ]
}

/// What keeps pools and software waiting.
const NO_PLANE: &str = "the control plane is not there yet";

fn report(stage: Stage, state: State) -> Reported {
    match state {
        State::Ready => stage.ready.report(""),
        State::Waits(words) => stage.waits.report(words),
        State::Failed(words) => stage.failed.report(words),
    }
}

/// The first of these objects that is refused.
fn refused(observed: &Observed<'_>, keys: &[String]) -> Option<State> {
    keys.iter().find_map(|key| match state(observed.get(key)) {
        State::Failed(words) => Some(State::Failed(format!("{key}: {words}"))),
        State::Ready | State::Waits(_) => None,
    })
}

/// How all software is: as its first object that failed, else as the first one that waits, and the number of others that do.
fn software(observed: &Observed<'_>, inputs: &ClusterInputs, software: &[String], is_up: bool) -> State {
    let kubeconfig = kubeconfig(inputs);
    let missing = software.iter().filter(|key| !is_there(observed.get(key))).count();
    let mut waiting = Vec::new();
    for key in software {
        let object = observed.get(key);
        // Its own absence does not keep it waiting.
        let others = missing > usize::from(!is_there(object));
        match state_on_cluster(object, &kubeconfig, others) {
            State::Ready => {}
            State::Failed(words) if is_up => return State::Failed(format!("{key}: {words}")),
            State::Failed(_) => waiting.push(format!("{key}: {NO_PLANE}")),
            State::Waits(words) => waiting.push(format!("{key}: {words}")),
        }
    }
    match waiting.as_slice() {
        [] => State::Ready,
        [first, rest @ ..] if !rest.is_empty() => State::Waits(format!("{first}; {} more", rest.len())),
        [first, ..] => State::Waits(first.clone()),
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
