//! Readiness, conditions, status and results from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True, Unknown};
use contract::types::{Outcome, Readiness, Severity};
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, note, outcome};
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::rule::Plan;

use super::derive::{ArtifactInputs, STATUS};
use super::read::lookups;
use super::spec::ArtifactPhase;

/// All conditions with all of their reasons, also for documentation.
#[rustfmt::skip]
pub(super) const CONDITIONS: &[ConditionRow] = &[
    COMPLETED, COMPLETED_BADLY,
    note("ArtifactReady", False, "JobNotCreated", "the Job is not observed yet"),
    note("ArtifactReady", True, "Succeeded", "the artifact is in the registry"),
    note("ArtifactReady", False, "JobFailed", "the import failed, and is not tried again"),
    note("ArtifactReady", Unknown, "JobRunning", "the import is under way"),
    note("ArtifactReady", Unknown, "JobPending", "the Job has no pod yet"),
];

const COMPLETED: ConditionRow =
    note("ArtifactReady", True, "Completed", "the artifact is in the registry, and the Job is gone");
const COMPLETED_BADLY: ConditionRow =
    note("ArtifactReady", False, "Completed", "the import failed, and the Job is gone");

/// How long a response holds while the digest is not known, in milliseconds.
const POLL: u64 = 10_000;

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &ArtifactInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let progress = &inputs.progress;
    let row = CONDITIONS.iter().find(|row| {
        row.reason == progress.reason && (row != &&COMPLETED || progress.phase == ArtifactPhase::Succeeded)
    });
    let before = request.composite().ok().and_then(|it| path::get(it, "status.phase")?.as_str());
    let waits = progress.phase == ArtifactPhase::Succeeded && progress.needs_job && progress.digest.is_none();
    let is_ready = progress.phase == ArtifactPhase::Succeeded;
    let readiness = if is_ready { Readiness::Ready } else { Readiness::NotReady };
    let status = Some(Plan::of(STATUS, inputs).into_object());
    ComposeResponse {
        composite: DesiredComposite { status, readiness, ..DesiredComposite::default() },
        resources: desired(resources, observed),
        conditions: row.map(|row| row.report(progress.message.clone()).condition).into_iter().collect(),
        results: transition(inputs, before).into_iter().collect(),
        lookups: lookups(inputs),
        ttl: Some(if waits { POLL } else { inputs.ttl.as_millis() }),
        ..ComposeResponse::default()
    }
}

/// What is said once, when an import comes to its end.
fn transition(inputs: &ArtifactInputs, before: Option<&str>) -> Option<Outcome> {
    let progress = &inputs.progress;
    if before == Some(progress.phase.as_str()) {
        return None;
    }
    match progress.phase {
        ArtifactPhase::Succeeded => Some(outcome(Severity::Normal, "Succeeded", progress.message.clone())),
        ArtifactPhase::Failed => Some(outcome(Severity::Warning, "Failed", progress.message.clone())),
        ArtifactPhase::Pending | ArtifactPhase::Running => None,
    }
}
