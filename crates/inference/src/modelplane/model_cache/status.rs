//! Readiness, conditions, status and events from the observed state.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True};
use contract::types::{Readiness, Severity};
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, Reported, holds, note, warning};
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::derive::{CacheInputs, STATUS, StagedCluster, Token};
use super::read::lookups;
use super::spec::CachePhase;
use crate::modelplane::conditions::{Report, is_news};

/// All conditions with all of their reasons, also for documentation.
pub(super) const CONDITIONS: &[ConditionRow] =
    &[MATCHED, NO_CLUSTERS, STAGED, NOWHERE, INVALID_SOURCE, AUTH_SECRET_MISSING, FAILED, PARTIAL, HYDRATING];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const MATCHED: ConditionRow = note("ClustersMatched", True, "Matched", "clusters with storage for caches are selected");
    pub(super) const NO_CLUSTERS: ConditionRow = note("ClustersMatched", False, "NoClusters", "no cluster with storage for caches is selected");

    pub(super) const STAGED: ConditionRow = note("ArtifactReady", True, "Staged", "the weights are on all selected clusters");
    pub(super) const NOWHERE: ConditionRow = note("ArtifactReady", False, "NoClusters", "no cluster with storage for caches is selected");
    pub(super) const INVALID_SOURCE: ConditionRow = warning("ArtifactReady", False, "InvalidSource", "no repository or revision can have the name, so nothing is downloaded; what exists is held");
    pub(super) const AUTH_SECRET_MISSING: ConditionRow = warning("ArtifactReady", False, "AuthSecretMissing", "the Secret with the token is missing, or has no such key");
    pub(super) const FAILED: ConditionRow = warning("ArtifactReady", False, "Failed", "a download has failed, and is not tried again until its Job is deleted");
    pub(super) const PARTIAL: ConditionRow = note("ArtifactReady", False, "Partial", "the weights are on some of the selected clusters");
    pub(super) const HYDRATING: ConditionRow = note("ArtifactReady", False, "Hydrating", "the weights are on none of the selected clusters yet");
}
use rows::*;

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &CacheInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let options = &inputs.cache.options;
    let response = ComposeResponse {
        resources: desired(resources, observed),
        lookups: lookups(&inputs.cache),
        ..ComposeResponse::default()
    };
    if !inputs.resolved {
        return Report::default().respond(options, response);
    }
    let mut report = Report::default();
    match held_on(inputs) {
        Some(held) => {
            let row = if inputs.is_matched { MATCHED } else { NO_CLUSTERS };
            report.announce(request, row.report(held.as_str()), Severity::Warning, &held);
        }
        None if inputs.is_matched => report.add(MATCHED.report("")),
        None => report.add(NO_CLUSTERS.report("")),
    }
    let artifact = artifact_ready(inputs);
    let readiness = match artifact.condition.reason.as_str() {
        reason if reason == STAGED.reason => Readiness::Ready,
        reason if reason == INVALID_SOURCE.reason => Readiness::NotReady,
        _ => Readiness::Unspecified,
    };
    events(request, inputs, &artifact).into_iter().for_each(|(severity, text)| report.say(severity, text));
    report.add(artifact);
    let status = Some(Plan::of(STATUS, inputs).into_object());
    let composite = DesiredComposite { status, readiness, ..DesiredComposite::default() };
    report.respond(options, ComposeResponse { composite, ..response })
}

/// Where the cache is held as it is. `None` when that is nowhere.
fn held_on(inputs: &CacheInputs) -> Option<String> {
    let held: Vec<&str> = inputs.clusters.iter().filter(|it| it.is_held).map(|it| it.name.as_str()).collect();
    let why = if inputs.is_matched {
        "whose status names no storage class for caches or no provider configuration"
    } else {
        "because no cluster is selected any more"
    };
    (!held.is_empty()).then(|| format!("Held as it is on {}, {why}", held.join(", ")))
}

fn artifact_ready(inputs: &CacheInputs) -> Reported {
    let failed = |cluster: &StagedCluster| cluster.phase == CachePhase::Failed;
    let row = match inputs.refusal() {
        _ if !inputs.is_matched => NOWHERE,
        Some(refusal) => return INVALID_SOURCE.report(refusal),
        None if matches!(inputs.token, Token::Missing) && !inputs.is_staged() => AUTH_SECRET_MISSING,
        None if inputs.clusters.iter().any(failed) => FAILED,
        None if inputs.is_staged() => STAGED,
        None if inputs.ready() > 0 => PARTIAL,
        None => HYDRATING,
    };
    row.report("")
}

/// The events about the weights, when they are news.
fn events(request: &ComposeRequest, inputs: &CacheInputs, artifact: &Reported) -> Vec<(Severity, String)> {
    let mut events = Vec::new();
    let reason = artifact.condition.reason.as_str();
    let is_news = is_news(request, &artifact.condition);
    if is_news && reason == AUTH_SECRET_MISSING.reason {
        events.extend(inputs.source.auth_secret.as_ref().map(|secret| {
            let (namespace, name, key) = (&inputs.cache.namespace, &secret.name, &secret.key);
            (Severity::Warning, format!("authSecret {namespace}/{name} is missing or has no key '{key}'"))
        }));
    }
    if let (true, Some(refusal)) = (is_news, artifact.warning()) {
        events.push((Severity::Warning, refusal.to_owned()));
    }
    let clusters = &inputs.clusters;
    if reason != INVALID_SOURCE.reason && !clusters.is_empty() && !clusters.iter().any(|it| it.is_begun || it.is_held) {
        let names: Vec<&str> = clusters.iter().map(|it| it.name.as_str()).collect();
        let (repo, names) = (&inputs.source.repo, names.join(", "));
        events.push((Severity::Normal, format!("Staging {repo} to {} clusters: {names}", clusters.len())));
    }
    let is_ready = request.composite().is_ok_and(|composite| holds(composite, "Ready"));
    if is_news && reason == STAGED.reason && !is_ready {
        events.push((Severity::Normal, format!("Artifact staged on all {} clusters", clusters.len())));
    }
    events
}
