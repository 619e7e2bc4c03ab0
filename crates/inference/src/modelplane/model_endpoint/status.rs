//! Readiness, conditions, status and results from the observed resources.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::{ConditionStatus, Severity};
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, note, warning};
use toolbox::rule::Plan;

use super::derive::EndpointInputs;
use crate::modelplane::conditions::Report;
use crate::options::Options;

const CONFIGURED: ConditionRow =
    note("RoutingReady", ConditionStatus::True, "BackendConfigured", "the Service and the EndpointSlice exist");
const WAITING: ConditionRow = note(
    "RoutingReady",
    ConditionStatus::False,
    "WaitingForBackend",
    "the Service or the EndpointSlice does not exist yet",
);
const INVALID: ConditionRow = warning(
    "RoutingReady",
    ConditionStatus::False,
    "InvalidURL",
    "the URL has no host, or its port is no number up to 65535; what was composed before stays",
);

/// All conditions of the kind.
pub(super) const CONDITIONS: &[ConditionRow] = &[CONFIGURED, WAITING, INVALID];

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    options: &Options,
    inputs: &EndpointInputs<'_>,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let mut report = Report::default();
    let mut status = None;
    if inputs.destination.is_some() {
        let row = if inputs.backend().is_some() { CONFIGURED } else { WAITING };
        report.add(row.report(""));
        status = Some(Plan::of(EndpointInputs::STATUS, inputs).into_object());
    } else {
        // A message has one line.
        let message = format!("Invalid spec.url: {}", inputs.url.replace(char::is_control, " "));
        report.announce(request, INVALID.report(message.as_str()), Severity::Warning, &message);
    }
    let response = ComposeResponse {
        composite: DesiredComposite { status, ..DesiredComposite::default() },
        resources: desired(resources, &inputs.observed),
        ..ComposeResponse::default()
    };
    report.respond(options, response)
}
