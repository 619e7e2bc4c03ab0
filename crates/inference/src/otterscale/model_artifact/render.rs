//! Makes Kubernetes objects from the tables of rules. It computes no value.

use toolbox::composed::Composed;
use toolbox::observed::ReadyWhen;
use toolbox::rule::Plan;

use super::derive::{ArtifactInputs, CLAIM, CLAIM_NAMES, JOB, LABELS, TEMPLATE};
use super::spec::ArtifactPhase;
use crate::otterscale::resources::{JOBS, PERSISTENT_VOLUME_CLAIMS, kind};

/// The composition resource name of the Job. Crossplane keeps the name of what it observes under a key, so the key has the hash.
pub(super) fn job_key(inputs: &ArtifactInputs) -> String {
    format!("job-{}", inputs.hash())
}

/// The Job, and its volume until the Job has come to its end.
pub(super) fn resources(inputs: &ArtifactInputs) -> Vec<Composed> {
    let mut resources = Vec::new();
    if inputs.progress.needs_job {
        let job = Plan::of_kind(kind(&JOBS))
            .and(JOB, inputs)
            .at("metadata.labels", LABELS, inputs)
            .at("spec.template.metadata.labels", LABELS, inputs)
            .at("spec.template", TEMPLATE, inputs);
        let is_ready = inputs.progress.phase == ArtifactPhase::Succeeded;
        resources.push(Composed::new(job_key(inputs), job).ready(ReadyWhen::Given(is_ready)));
    }
    if inputs.progress.needs_job && !inputs.progress.is_over() {
        let claim = Plan::of_kind(kind(&PERSISTENT_VOLUME_CLAIMS))
            .and(CLAIM_NAMES, inputs)
            .at("metadata.labels", LABELS, inputs)
            .and(CLAIM, inputs);
        resources.push(Composed::new(format!("workspace-{}", inputs.hash()), claim).ready(ReadyWhen::Observed));
    }
    resources
}
