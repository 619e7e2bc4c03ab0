//! Readiness, conditions, status and results from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True, Unknown};
use contract::types::{Outcome, Readiness, Severity};
use serde_json::Value;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, Reported, holds, new_warnings, note, outcome, warning};
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::rule::Plan;

use super::derive::STATUS;
use super::derive::inputs::{ServingInputs, ServingState};
use super::read::lookups;
use super::spec::ServingPhase;
use crate::otterscale::options::ClusterRbac;

/// The finalizer of the operator, which only the operator removes.
const FINALIZER: &str = "model.otterscale.io/epp-cluster-rbac";

/// All conditions with all of their reasons, also for documentation.
#[rustfmt::skip]
pub(super) const CONDITIONS: &[ConditionRow] = &[
    NOT_FOUND, STARTING, PARTIALLY, UPDATING, DEADLINE, ALL,
    ROLLED_OUT, REPLACING, STUCK, FAILED, NOT_OBSERVED,
    PICKER_UP, PICKER_DOWN, PICKER_UNKNOWN,
    ACCEPTED, REFUSED, WAITING,
    SERVED, MISSING, NOT_LOOKED_UP,
    NOT_NEEDED, GRANTED, SHARED, IN_NAMESPACE, TAKEN,
    NOT_DIVIDED, REACHABLE, UNREACHABLE,
    HANDED_OVER, FINALIZER_LEFT,
];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const NOT_FOUND: ConditionRow = note("ServingReady", False, "DeploymentNotFound", "a Deployment is not observed yet");
    pub(super) const STARTING: ConditionRow = note("ServingReady", False, "PodsStarting", "no pod is ready");
    pub(super) const PARTIALLY: ConditionRow = note("ServingReady", False, "PartiallyReady", "some pods are not ready");
    pub(super) const UPDATING: ConditionRow = note("ServingReady", False, "Updating", "a Deployment has not taken up its latest change");
    pub(super) const DEADLINE: ConditionRow = note("ServingReady", False, "ProgressDeadlineExceeded", "pods of a Deployment do not become ready in time");
    pub(super) const ALL: ConditionRow = note("ServingReady", True, "AllReplicasReady", "all pods are ready; so is the service");

    pub(super) const ROLLED_OUT: ConditionRow = note("RolledOut", True, "Complete", "all pods are those of the latest change");
    pub(super) const REPLACING: ConditionRow = note("RolledOut", False, "Replacing", "pods are being replaced; those of an earlier change may serve until then");
    pub(super) const STUCK: ConditionRow = warning("RolledOut", False, "ProgressDeadlineExceeded", "new pods of a Deployment do not become ready in time, and those of an earlier change serve on");
    pub(super) const FAILED: ConditionRow = note("RolledOut", False, "Failed", "pods of a Deployment do not become ready in time, and some are missing");
    pub(super) const NOT_OBSERVED: ConditionRow = note("RolledOut", Unknown, "NotObserved", "a Deployment is not observed yet");

    pub(super) const PICKER_UP: ConditionRow = note("PickerAvailable", True, "Available", "the endpoint picker runs");
    pub(super) const PICKER_DOWN: ConditionRow = note("PickerAvailable", False, "Unavailable", "the endpoint picker does not run");
    pub(super) const PICKER_UNKNOWN: ConditionRow = note("PickerAvailable", Unknown, "NotObserved", "the endpoint picker is not observed yet");

    pub(super) const ACCEPTED: ConditionRow = note("RoutesAccepted", True, "Accepted", "gateways accept route and pool");
    pub(super) const REFUSED: ConditionRow = note("RoutesAccepted", False, "NotAccepted", "a gateway does not accept the route or the pool");
    pub(super) const WAITING: ConditionRow = note("RoutesAccepted", Unknown, "Waiting", "no gateway has said anything about the route or the pool");

    pub(super) const SERVED: ConditionRow = note("KindsServed", True, "Served", "the cluster has every kind that the service needs");
    pub(super) const MISSING: ConditionRow = warning("KindsServed", False, "Missing", "the cluster does not have some kinds; what has them is left out until they are installed");
    pub(super) const NOT_LOOKED_UP: ConditionRow = note("KindsServed", Unknown, "NotLookedUp", "nobody has looked which kinds there are, so everything is composed");

    pub(super) const NOT_NEEDED: ConditionRow = note("MetricsGranted", True, "NotNeeded", "the endpoint picker need not know who reads its metrics");
    pub(super) const GRANTED: ConditionRow = note("MetricsGranted", True, "Composed", "the endpoint picker may ask who reads its metrics");
    pub(super) const SHARED: ConditionRow = warning("MetricsGranted", Unknown, "NotComposed", "the grant is left to the platform, by its options");
    pub(super) const IN_NAMESPACE: ConditionRow = warning("MetricsGranted", False, "DirectInNamespace", "the options compose the grant as it is, and a cluster refuses everything with it");
    pub(super) const TAKEN: ConditionRow = warning("MetricsGranted", False, "Taken", "something else has a grant of that name, which stays as it is");

    pub(super) const NOT_DIVIDED: ConditionRow = note("PrefillReachable", True, "NotDivided", "there are no prefill pods");
    pub(super) const REACHABLE: ConditionRow = note("PrefillReachable", True, "Reachable", "a proxy sends prompts to prefill pods");
    pub(super) const UNREACHABLE: ConditionRow = warning("PrefillReachable", False, "NoRoutingProxy", "without a proxy, prefill pods never get work");

    pub(super) const HANDED_OVER: ConditionRow = note("HandedOver", True, "Complete", "nothing of the operator holds the service");
    pub(super) const FINALIZER_LEFT: ConditionRow = warning("HandedOver", False, "FinalizerLeft", "a finalizer of the operator is left, so a deletion would wait for ever");
}
use rows::*;

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &ServingInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let state = inputs.state();
    let is_ready = state.row.phase == ServingPhase::Ready;
    let resources = desired(resources, observed);
    let composite = request.composite().ok();
    let reported = [
        serving(&state),
        rollout(inputs),
        picker(observed),
        routes(inputs, observed),
        kinds(request, inputs),
        granted(inputs),
        prefill(inputs),
        handed_over(composite),
    ];
    let changes = resources.keys().any(|key| !observed.has(key));
    let before = composite.and_then(|it| path::get(it, "status.phase")?.as_str());
    let mut results: Vec<Outcome> = transition(&state, before).into_iter().collect();
    results.extend(new_warnings(request, &reported, changes));
    let settled = is_ready && inputs.missing.is_empty();
    let ttl = if settled { inputs.holds.ready } else { inputs.holds.waiting };
    let readiness = if is_ready { Readiness::Ready } else { Readiness::NotReady };
    let status = Some(Plan::of(STATUS, inputs).into_object());
    ComposeResponse {
        composite: DesiredComposite { status, readiness, ..DesiredComposite::default() },
        resources,
        conditions: reported.into_iter().map(|reported| reported.condition).collect(),
        results,
        lookups: lookups(inputs),
        ttl: Some(ttl.as_millis()),
        ..ComposeResponse::default()
    }
}

fn serving(state: &ServingState) -> Reported {
    let rows = [NOT_FOUND, STARTING, PARTIALLY, UPDATING, DEADLINE];
    let row = rows.into_iter().find(|row| row.reason == state.row.reason).unwrap_or(ALL);
    row.report(state.message.clone())
}

/// What is said once, when a service becomes ready or fails.
fn transition(state: &ServingState, before: Option<&str>) -> Option<Outcome> {
    if before == Some(state.row.phase.as_str()) {
        return None;
    }
    match state.row.phase {
        ServingPhase::Ready => Some(outcome(Severity::Normal, "Ready", "All serving replicas are ready")),
        ServingPhase::Failed => Some(outcome(Severity::Warning, "Failed", state.message.clone())),
        ServingPhase::Pending | ServingPhase::Running => None,
    }
}

/// Whether the pods are those that are wanted. The service may be ready with others, so it does not depend on this.
fn rollout(inputs: &ServingInputs) -> Reported {
    let deployed = || inputs.deployments().filter_map(|(name, deployed)| Some((name, deployed?)));
    if let Some((name, it)) = deployed().find(|(_, it)| it.failed) {
        if it.ready < it.desired {
            // The condition of the service says which one, and how many.
            return FAILED.report("");
        }
        return STUCK.report(format!(
            "{name} Deployment does not get its new pods ready in time, so pods of an earlier change serve on"
        ));
    }
    if inputs.deployments().any(|(_, deployed)| deployed.is_none()) {
        return NOT_OBSERVED.report("");
    }
    match deployed().find(|(_, it)| it.is_replacing()) {
        Some((name, it)) => REPLACING
            .report(format!("{name} Deployment has {} of {} pods of its latest change", it.updated, it.desired)),
        None => ROLLED_OUT.report(""),
    }
}

fn picker(observed: &Observed<'_>) -> Reported {
    let row = match observed.get("epp") {
        None => PICKER_UNKNOWN,
        Some(deployment) if holds(deployment, "Available") => PICKER_UP,
        Some(_) => PICKER_DOWN,
    };
    row.report("")
}

/// What the parents of an observed route or pool say: whether all accept it. `None` when none has said anything.
fn accepted(object: &Value) -> Option<bool> {
    let parents = path::get(object, "status.parents").and_then(Value::as_array)?;
    let conditions = parents.iter().filter_map(|parent| parent["conditions"].as_array()).flatten();
    let mut said = conditions.filter(|it| it["type"] == "Accepted").map(|it| it["status"] == "True").peekable();
    said.peek()?;
    Some(said.all(|accepted| accepted))
}

fn routes(inputs: &ServingInputs, observed: &Observed<'_>) -> Reported {
    let route = inputs.gateway().map(|_| "http-route");
    let said: Vec<_> =
        ["inference-pool"].into_iter().chain(route).map(|key| observed.get(key).and_then(accepted)).collect();
    let row = if said.contains(&Some(false)) {
        REFUSED
    } else if said.contains(&None) {
        WAITING
    } else {
        ACCEPTED
    };
    row.report("")
}

fn kinds(request: &ComposeRequest, inputs: &ServingInputs) -> Reported {
    if !inputs.missing.is_empty() {
        let groups = inputs.missing.join(", ");
        return MISSING.report(format!(
            "the cluster has no kinds of {groups}, so what has them is left out until they are installed"
        ));
    }
    let own = request.lookups.get("model.otterscale.io").is_some_and(|found| !found.is_empty());
    let row = if own && lookups(inputs).keys().all(|name| request.lookups.contains_key(name)) {
        SERVED
    } else {
        NOT_LOOKED_UP
    };
    row.report("")
}

fn granted(inputs: &ServingInputs) -> Reported {
    let (name, picker, namespace) = (inputs.grant(), &inputs.picker, &inputs.service.namespace);
    if !inputs.has_grant() {
        return NOT_NEEDED.report("");
    }
    if inputs.grant_is_taken {
        return TAKEN.report(format!("ClusterRoleBinding `{name}` has another subject than ServiceAccount `{namespace}/{picker}`, and stays as it is"));
    }
    match inputs.options.grant() {
        ClusterRbac::Wrapped => GRANTED.report(""),
        ClusterRbac::Direct => IN_NAMESPACE.report(format!("ClusterRole `{name}` is composed as it is, which a cluster refuses together with everything else; choose `wrapped` or `none`")),
        ClusterRbac::None => SHARED.report(format!("ServiceAccount `{namespace}/{picker}` needs a grant for token reviews and subject access reviews, which is left to the platform")),
    }
}

fn prefill(inputs: &ServingInputs) -> Reported {
    match (inputs.is_divided(), &inputs.service.spec.routing_proxy) {
        (false, _) => NOT_DIVIDED.report(""),
        (true, Some(_)) => REACHABLE.report(""),
        (true, None) => UNREACHABLE.report("prefill pods never get work, because there is no `spec.routingProxy`"),
    }
}

fn handed_over(composite: Option<&Value>) -> Reported {
    let finalizers = composite.and_then(|it| path::get(it, "metadata.finalizers")?.as_array());
    if finalizers.into_iter().flatten().any(|it| it == FINALIZER) {
        return FINALIZER_LEFT.report(format!(
            "finalizer `{FINALIZER}` is left, and nobody but the operator removes it, so a deletion would wait for ever"
        ));
    }
    HANDED_OVER.report("")
}
