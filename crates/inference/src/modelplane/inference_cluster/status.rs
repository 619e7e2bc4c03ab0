//! Readiness, conditions, status and events from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::{Cause, Code, Fault, Problem, Readiness, Severity};
use toolbox::composed::{self, Composed};
use toolbox::conditions::{self, Reported};
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::conditions::{
    BACKEND_HEALTHY, CLUSTER_RUNNING, DELETION_HELD, INSTALLING, INVALID_NODE_POOL, MISSING_CONFIGURATION,
    OPTION_IGNORED, OPTIONS_FIT, PROVISIONING, WAITING_FOR_CLASSES, WAITING_FOR_CLUSTER,
};
use super::derive::STATUS;
use super::inputs::{FleetInputs, Stop};
use super::read::{called, lookups};
use super::render::is_fatal;
use crate::modelplane::conditions::Report;
use crate::modelplane::platform::answer::{Answered, fields};

/// The response with `resources` as the desired resources.
///
/// # Errors
/// A [`Fault`] while something stands in the way of a cluster that runs: then nothing of it changes.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &FleetInputs,
    resources: Vec<Composed>,
) -> Result<ComposeResponse, Fault> {
    let options = &inputs.cluster.options;
    let mut report = Report::default();
    let holders = inputs.seen.holders.as_str();
    if !holders.is_empty() {
        let message = format!("the deletion waits for {holders}");
        report.announce(request, DELETION_HELD.report(message.as_str()), Severity::Warning, &message);
    }
    if let Some(stop) = &inputs.stop {
        if is_fatal(inputs, observed) {
            return Err(fault(inputs, stop));
        }
        let (severity, message) = words(inputs, stop);
        report.announce(request, condition(stop, &message), severity, &message);
        // Crossplane takes a composite that has nothing for ready, as in the original.
        let readiness = if options.modelplane.is_full() { Readiness::NotReady } else { Readiness::Unspecified };
        let response = ComposeResponse {
            resources: composed::desired(resources, observed),
            lookups: lookups(inputs),
            composite: DesiredComposite { readiness, ..DesiredComposite::default() },
            ..ComposeResponse::default()
        };
        return Ok(report.respond(options, response));
    }
    if !inputs.oddities.is_empty() {
        let message = inputs.oddities.join("; ");
        report.announce(request, OPTION_IGNORED.report(message.as_str()), Severity::Warning, &message);
    } else if request.composite().is_ok_and(|it| conditions::find(it, OPTION_IGNORED.condition_type).is_some()) {
        report.add(OPTIONS_FIT.report(""));
    }
    let seen = &inputs.seen;
    let begins = seen.is_ready && !seen.has_stack && inputs.wants_stack();
    if let Some(cloud) = inputs.cloud.filter(|_| begins) {
        report.say(Severity::Normal, format!("{} cluster ready, composing backend", cloud.source));
    }
    report.add(cluster_ready(inputs));
    let backend = match (seen.is_stack_ready, seen.is_ready) {
        (true, _) => BACKEND_HEALTHY,
        (false, true) => INSTALLING,
        (false, false) => WAITING_FOR_CLUSTER,
    };
    // What the original does not say.
    let says_more = !seen.is_stack_ready && options.modelplane.is_full();
    report.add(backend.report(if says_more { seen.stack_waits_for.as_str() } else { "" }));
    let status = fields(Plan::of(STATUS, inputs).into_object());
    Ok(Answered { status, resources, lookups: lookups(inputs), report }.respond(options, observed))
}

fn cluster_ready(inputs: &FleetInputs) -> Reported {
    if inputs.seen.is_ready {
        return CLUSTER_RUNNING.report("");
    }
    // What the original does not say.
    let waits_for = if inputs.cluster.options.modelplane.is_full() { inputs.seen.waits_for.as_str() } else { "" };
    PROVISIONING.report(waits_for)
}

/// What stands in the way, in the words of Modelplane v0.3.1 where it has them.
fn words(inputs: &FleetInputs, stop: &Stop) -> (Severity, String) {
    match stop {
        Stop::Classes { missing, .. } => {
            (Severity::Normal, format!("Waiting for InferenceClasses: {}", missing.join(", ")))
        }
        Stop::NoBlock => {
            let source = &inputs.cluster.spec.cluster.source;
            (Severity::Warning, format!("{} configuration is required when source is {source}", called(source)))
        }
        Stop::Pool { message, .. } => (Severity::Warning, message.clone()),
    }
}

fn condition(stop: &Stop, message: &str) -> Reported {
    let row = match stop {
        Stop::Classes { .. } => WAITING_FOR_CLASSES,
        Stop::NoBlock => MISSING_CONFIGURATION,
        Stop::Pool { .. } => INVALID_NODE_POOL,
    };
    row.report(message)
}

fn fault(inputs: &FleetInputs, stop: &Stop) -> Fault {
    let (_, message) = words(inputs, stop);
    let conditions = vec![condition(stop, &message).condition];
    let (cause, problem) = match stop {
        Stop::Classes { .. } => (Cause::State, Problem::new("spec.nodePools", Code::NotFound, message)),
        Stop::NoBlock => {
            let path = format!("spec.cluster.{}", inputs.cluster.spec.cluster.source.to_lowercase());
            (Cause::Composite, Problem { path, ..Problem::new("spec.cluster.gke", Code::Required, message) })
        }
        Stop::Pool { path, .. } => {
            let path = path.clone();
            (Cause::Composite, Problem { path, ..Problem::new("spec.nodePools", Code::Invalid, message) })
        }
    };
    Fault { conditions, ..Fault::new(cause, problem) }
}
