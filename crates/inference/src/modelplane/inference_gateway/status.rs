//! Readiness, conditions, status and events from the observed state.

use std::collections::BTreeMap;

use contract::compose::ComposeResponse;
use contract::types::ConditionStatus::{False, True};
use contract::types::{Selector, Severity};
use toolbox::builders::selectors::lookup_of;
use toolbox::composed::Composed;
use toolbox::conditions::{ConditionRow, note};
use toolbox::observed::Observed;
use toolbox::resources::CRDS;
use toolbox::rule::Plan;

use super::derive::{GatewayInputs, STATUS};
use super::read::lookup;
use crate::modelplane::conditions::Report;
use crate::modelplane::platform::answer::{Answered, fields};
use crate::modelplane::resources::kind;
use crate::vendored::GATEWAY_API;

/// All conditions with all of their reasons, also for documentation.
pub(super) const CONDITIONS: &[ConditionRow] = &[HEALTHY, INSTALLING];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const HEALTHY: ConditionRow = note("ControllerReady", True, "ControllerHealthy", "Traefik is installed");
    pub(super) const INSTALLING: ConditionRow = note("ControllerReady", False, "Installing", "Traefik is being installed, once the definitions of Gateway API are there");
}
use rows::*;

/// The response with `resources` as the desired resources.
pub(super) fn respond(observed: &Observed<'_>, inputs: &GatewayInputs, resources: Vec<Composed>) -> ComposeResponse {
    let mut report = Report::default();
    let ready = inputs.seen.is_traefik_ready;
    if ready && !inputs.seen.has_gateway {
        report.say(Severity::Normal, "Traefik ready, composing Gateway");
    }
    report.add(if ready { HEALTHY } else { INSTALLING }.report(""));
    let status = fields(Plan::of(STATUS, inputs).into_object());
    Answered { status, resources, lookups: lookups(inputs), report }.respond(&inputs.gateway.options, observed)
}

/// The definitions that the platform installs.
fn lookups(inputs: &GatewayInputs) -> BTreeMap<String, Selector> {
    let mut lookups = BTreeMap::new();
    let theirs = GATEWAY_API.names.iter().filter(|_| !inputs.composes_definitions());
    lookups.extend(theirs.map(|name| (lookup(name), lookup_of(kind(&CRDS), None, name))));
    lookups
}
