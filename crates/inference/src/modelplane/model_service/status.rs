//! Readiness, conditions, status and events from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True};
use contract::types::Severity;
use serde_json::Value;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, Reported, find, note, warning};
use toolbox::observed::{Observed, ReadyWhen};
use toolbox::rule::Plan;

use super::derive::{STATUS, ServiceInputs};
use super::read::lookups;
use crate::modelplane::conditions::{Report, is_news};

/// All conditions with all of their reasons, also for documentation.
pub(super) const CONDITIONS: &[ConditionRow] = &[RESOLVED, NO_ENDPOINTS, ROUTE_CONFIGURED, CONFIGURING];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const RESOLVED: ConditionRow = note("EndpointsResolved", True, "Resolved", "the entries select ModelEndpoints of the namespace");
    pub(super) const NO_ENDPOINTS: ConditionRow = warning("EndpointsResolved", False, "NoEndpoints", "no entry selects a ModelEndpoint of the namespace");

    pub(super) const ROUTE_CONFIGURED: ConditionRow = note("RoutingReady", True, "RouteConfigured", "the gateway has accepted the route, and an endpoint has a backend");
    pub(super) const CONFIGURING: ConditionRow = note("RoutingReady", False, "Configuring", "the gateway has not accepted the route yet, or no endpoint has a backend");
}
use rows::*;

/// The most endpoints of other namespaces that a message names.
const NAMED: usize = 3;

/// The response with `route` as the desired route.
pub(super) fn respond(
    request: &ComposeRequest,
    inputs: &ServiceInputs,
    route: Option<Composed>,
    observed: Option<&Value>,
) -> ComposeResponse {
    let configured = observed.is_some_and(is_accepted) && inputs.ready() > 0;
    let mut report = Report::default();
    // What is held is as it was, and so is what was said about it.
    if observed.is_none() || inputs.resolved {
        let resolved = endpoints_resolved(inputs);
        if let Some(event) = event(request, inputs, &resolved) {
            report.say(Severity::Warning, event);
        }
        report.add(resolved);
        report.add(if configured { ROUTE_CONFIGURED.report("") } else { CONFIGURING.report("") });
    }
    let status = route.is_some().then(|| Plan::of(STATUS, inputs).into_object());
    let ready = if configured { ReadyWhen::Desired } else { ReadyWhen::Holds("Ready") };
    let resources = route.into_iter().map(|route| route.ready(ready)).collect();
    let response = ComposeResponse {
        composite: DesiredComposite { status, ..DesiredComposite::default() },
        resources: desired(resources, &Observed::default()),
        lookups: lookups(&inputs.service.spec),
        ..ComposeResponse::default()
    };
    report.respond(&inputs.service.options, response)
}

fn endpoints_resolved(inputs: &ServiceInputs) -> Reported {
    let elsewhere = elsewhere(inputs);
    let (matched, ready) = (inputs.matched(), inputs.ready());
    if matched == 0 {
        return NO_ENDPOINTS.report(format!("No ModelEndpoints matched the configured selectors{elsewhere}"));
    }
    let waiting = match matched - ready {
        0 => String::new(),
        waiting => format!("; {waiting} waiting for Backend"),
    };
    RESOLVED.report(format!("Matched {matched} endpoint(s){waiting}{elsewhere}"))
}

/// What a message says about endpoints in other namespaces. Empty when there are none.
fn elsewhere(inputs: &ServiceInputs) -> String {
    let all = &inputs.elsewhere;
    let named: Vec<&str> = all.iter().take(NAMED).map(String::as_str).collect();
    let more = match all.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if all.is_empty() {
        return String::new();
    }
    format!("; not routed to, because in another namespace: {}{more}", named.join(", "))
}

/// The event, when it is news that nothing is selected, or that something of another namespace is.
fn event(request: &ComposeRequest, inputs: &ServiceInputs, resolved: &Reported) -> Option<String> {
    let condition = &resolved.condition;
    if !is_news(request, condition) {
        return None;
    }
    let elsewhere = elsewhere(inputs);
    let composite = request.composite().ok()?;
    let said = find(composite, &condition.condition_type).is_some_and(|it| it.message.ends_with(&elsewhere));
    let is_told = inputs.matched() > 0 && (elsewhere.is_empty() || said);
    condition.message.clone().filter(|_| !is_told)
}

/// Whether a parent has accepted the route.
fn is_accepted(route: &Value) -> bool {
    let parents = route["status"]["parents"].as_array().into_iter().flatten();
    let mut conditions = parents.filter_map(|parent| parent["conditions"].as_array()).flatten();
    conditions.any(|condition| condition["type"] == "Accepted" && condition["status"] == "True")
}
