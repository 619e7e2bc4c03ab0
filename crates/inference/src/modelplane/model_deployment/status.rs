//! Readiness, conditions, status and events.

use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True};
use contract::types::{Readiness, Severity};
use serde_json::{Map, Value};
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{self, ConditionRow, note, warning};
use toolbox::entries::set;
use toolbox::rule::Plan;

use super::decide::{Decision, Why};
use super::derive::{DeploymentAnswers, DeploymentCounts};
use super::read::{CacheState, DeploymentRead};
use crate::modelplane::conditions::Report;
use crate::modelplane::crowded::CrowdedPool;
use crate::modelplane::labels;
use crate::modelplane::refusals::{self, RefusalRow};

const CACHE: &str = "ModelCacheResolved";
const SCHEDULED: &str = "ReplicasScheduled";
const READY: &str = "ReplicasReady";
const NEIGHBOURS: &str = "NeighboursReadable";
const NAMES: &str = "RemoteNamesUnique";
const POOLS: &str = "PoolsSufficient";
const SHAPE: &str = "ShapeRead";

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const CACHE_UNRESOLVED: ConditionRow = note(CACHE, False, "ModelCacheUnresolved", "nobody has looked for the ModelCache yet; nothing new is placed");
    pub(super) const CACHE_NOT_FOUND: ConditionRow = warning(CACHE, False, "ModelCacheNotFound", "the ModelCache does not exist; replicas stay as they are, and nothing new is placed");
    pub(super) const CACHE_RESOLVED: ConditionRow = note(CACHE, True, "ModelCacheResolved", "the ModelCache exists; replicas use the clusters that it selects");

    pub(super) const NO_CLUSTERS: ConditionRow = warning(SCHEDULED, False, "NoClusters", "no InferenceCluster is selected; replicas stay as they are");
    pub(super) const MIXED_SHAPES: ConditionRow = warning(SCHEDULED, False, "MixedShapes", "the deployment is a mixture of shapes of several versions; replicas stay as they are");
    pub(super) const INVALID_SELECTOR: ConditionRow = warning(SCHEDULED, False, "InvalidNodeSelector", "a selector of devices cannot be used; replicas stay as they are");
    pub(super) const CONFLICTING_SELECTORS: ConditionRow = warning(SCHEDULED, False, "ConflictingSelectors", "deployment and ModelCache select different values of a label, so no cluster fits both; replicas stay as they are, and nothing new is placed");
    pub(super) const INSUFFICIENT_CAPACITY: ConditionRow = warning(SCHEDULED, False, "InsufficientCapacity", "no replica has a place, or, with full answers, some have none; the message says what is against the clusters");
    pub(super) const SCHEDULING: ConditionRow = note(SCHEDULED, False, "Scheduling", "the replicas have places and do not exist yet");
    pub(super) const REPLICAS_CREATED: ConditionRow = note(SCHEDULED, True, "ReplicasCreated", "replicas exist; the message says how many of those that are wanted have a place");

    pub(super) const NONE_SCHEDULED: ConditionRow = note(READY, False, "NoReplicasScheduled", "no replica has a place");
    pub(super) const MODEL_STARTING: ConditionRow = note(READY, False, "ModelStarting", "some replicas with a place are not ready");
    pub(super) const ALL_READY: ConditionRow = note(READY, True, "AllReplicasReady", "all replicas with a place are ready");

    pub(super) const MALFORMED: ConditionRow = warning(NEIGHBOURS, False, "Malformed", "clusters or replicas cannot be read: they are left out, and replicas of this deployment that depend on them stay as they are");
    pub(super) const READABLE: ConditionRow = note(NEIGHBOURS, True, "Readable", "all clusters and replicas can be read again");
    pub(super) const NAMES_TAKEN: ConditionRow = warning(NAMES, False, "Taken", "a replica has the name of one in another namespace on the same cluster, so both write the same objects there");
    pub(super) const POOLS_CROWDED: ConditionRow = warning(POOLS, False, "Overcommitted", "with full answers: pods of replicas need more of a node pool than there is, because two deployments were placed at once, one got more copies, or the pool got smaller; some pods may wait for ever");
    pub(super) const POOLS_SUFFICIENT: ConditionRow = note(POOLS, True, "Sufficient", "no pool of the replicas is known to be overcommitted any more");
    pub(super) const DROPPED: ConditionRow = warning(SHAPE, False, "Dropped", "fields of an earlier version are left out, because there is nothing for them; the message names them");
    pub(super) const WHOLE: ConditionRow = note(SHAPE, True, "Whole", "no field is left out any more");
    pub(super) const NAMES_UNIQUE: ConditionRow = note(NAMES, True, "Unique", "no replica has the name of another one any more");
}
use rows::*;

/// All conditions of the kind. Those after the replicas are set when there is something to say, and taken back then.
pub(super) const CONDITIONS: &[ConditionRow] = &[
    CACHE_UNRESOLVED,
    CACHE_NOT_FOUND,
    CACHE_RESOLVED,
    NO_CLUSTERS,
    MIXED_SHAPES,
    INVALID_SELECTOR,
    CONFLICTING_SELECTORS,
    INSUFFICIENT_CAPACITY,
    SCHEDULING,
    REPLICAS_CREATED,
    NONE_SCHEDULED,
    MODEL_STARTING,
    ALL_READY,
    MALFORMED,
    READABLE,
    NAMES_TAKEN,
    NAMES_UNIQUE,
    POOLS_CROWDED,
    POOLS_SUFFICIENT,
    DROPPED,
    WHOLE,
];

/// The most rows of what is against clusters.
const MOST_REFUSALS: usize = 10;

/// The most pools of which more is taken than there is.
const MOST_CROWDED: usize = 10;

/// How many neighbours a message names.
const NAMED: usize = 3;

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    read: &DeploymentRead<'_>,
    decision: &Decision<'_>,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let mut report = Report::default();
    cache(&mut report, request, read);
    scheduled(&mut report, request, read, decision);
    let answers = DeploymentAnswers::of(read, decision);
    if let Some(counts) = &answers.counts {
        ready(&mut report, counts);
    }
    others(&mut report, request, read, decision);
    let nothing = decision.candidates.is_empty() && decision.why != Why::NoClusters;
    let unready = nothing || lacks_places(read, decision) || matches!(decision.why, Why::Selector(_) | Why::Mixture);
    let composite = DesiredComposite {
        status: Some(Plan::of(DeploymentAnswers::STATUS, &answers).into_object()).filter(|status| !is_empty(status)),
        readiness: if unready { Readiness::NotReady } else { Readiness::Unspecified },
        ..DesiredComposite::default()
    };
    let resources = desired(resources, &read.observed);
    let response = ComposeResponse { composite, resources, lookups: read.lookups(), ..ComposeResponse::default() };
    report.respond(&read.deployment.options, response)
}

impl DeploymentAnswers {
    /// What there is to say.
    pub(super) fn of(read: &DeploymentRead<'_>, decision: &Decision<'_>) -> Self {
        let full = read.deployment.options.modelplane.is_full();
        let refusals = decision.refusals.iter().filter(|_| full).take(MOST_REFUSALS).map(RefusalRow::stated);
        Self {
            counts: DeploymentCounts::of(decision),
            selector: full.then(|| format!("{}={}", labels::DEPLOYMENT, read.deployment.name)),
            refusals: refusals.collect(),
            overcommitted: decision.crowded.iter().flatten().take(MOST_CROWDED).cloned().collect(),
        }
    }
}

impl DeploymentCounts {
    /// Counts replicas. `None` where v0.3.1 stops, and there is nothing to count: it says nothing about replicas there.
    pub(super) fn of(Decision { candidates, why, .. }: &Decision<'_>) -> Option<Self> {
        let stops = matches!(why, Why::NoClusters | Why::Selector(_) | Why::Mixture);
        let ready = candidates.iter().filter(|candidate| candidate.ready).count();
        (!stops || !candidates.is_empty()).then_some(Self { total: candidates.len(), ready })
    }
}

fn cache(report: &mut Report, request: &ComposeRequest, read: &DeploymentRead<'_>) {
    let Some(cache) = &read.deployment.spec.template.spec.model_cache_ref else { return };
    match read.cache {
        CacheState::None => {}
        CacheState::Unresolved => report.add(CACHE_UNRESOLVED.report(format!("Waiting for ModelCache {}", cache.name))),
        CacheState::Absent => {
            let message = format!("ModelCache {} not found; holding replica placement", cache.name);
            report.announce(request, CACHE_NOT_FOUND.report(message.as_str()), Severity::Warning, &message);
        }
        CacheState::Present(_) => report.add(CACHE_RESOLVED.report("")),
    }
}

/// Says whether the replicas have places.
fn scheduled(report: &mut Report, request: &ComposeRequest, read: &DeploymentRead<'_>, decision: &Decision<'_>) {
    let wanted = read.deployment.spec.replicas;
    let Decision { candidates, why, clusters, .. } = decision;
    match why {
        Why::NoClusters => {
            report.announce(request, NO_CLUSTERS.report(""), Severity::Warning, "No InferenceClusters found");
            return;
        }
        Why::Mixture => {
            let wrong = read.deployment.mixture.iter().map(|it| format!("{}: {}", it.path, it.message));
            let message = wrong.collect::<Vec<_>>().join("; ");
            report.announce(request, MIXED_SHAPES.report(message.as_str()), Severity::Warning, &message);
            return;
        }
        Why::Selector(bad) => {
            let mut path = bad.path.clone();
            read.deployment.written.rename(&mut path);
            let message = format!("Invalid nodeSelector CEL expression: {path}: {}", bad.why);
            report.announce(request, INVALID_SELECTOR.report(message.as_str()), Severity::Warning, &message);
            return;
        }
        Why::Conflict(conflict) => {
            let message = conflict.message();
            report.announce(request, CONFLICTING_SELECTORS.report(message.as_str()), Severity::Warning, &message);
        }
        Why::Scheduled if lacks_places(read, decision) => {
            let message = refusals::sentence(candidates.len(), wanted, *clusters, &decision.refusals);
            report.add(INSUFFICIENT_CAPACITY.report(message));
        }
        Why::Scheduled if candidates.is_empty() => report.add(
            INSUFFICIENT_CAPACITY.report(format!("0 of {wanted} replicas scheduled (checked {clusters} clusters)")),
        ),
        Why::Scheduled | Why::Waiting if candidates.iter().any(|candidate| candidate.observed) => {
            report.add(REPLICAS_CREATED.report(format!("Scheduled {} of {wanted} replicas", candidates.len())));
        }
        Why::Scheduled | Why::Waiting => report.add(SCHEDULING.report("")),
    }
    if !candidates.is_empty() && !candidates.iter().any(|candidate| candidate.observed) {
        let names = set(candidates.iter().map(|candidate| candidate.cluster));
        let (count, list) = (names.len(), names.into_iter().collect::<Vec<_>>().join(", "));
        report
            .say(Severity::Normal, format!("Scheduled {} replicas across {count} clusters: {list}", candidates.len()));
    }
}

/// Whether replicas have no place, and the platform wants to be told.
fn lacks_places(read: &DeploymentRead<'_>, decision: &Decision<'_>) -> bool {
    let wanted = read.deployment.spec.replicas as usize;
    read.deployment.options.modelplane.is_full() && decision.why == Why::Scheduled && decision.candidates.len() < wanted
}

fn is_empty(status: &Value) -> bool {
    status.as_object().is_none_or(Map::is_empty)
}

fn ready(report: &mut Report, counts: &DeploymentCounts) {
    let message = format!("{} of {} ready", counts.ready, counts.total);
    report.add(match counts {
        DeploymentCounts { total: 0, .. } => NONE_SCHEDULED.report(""),
        DeploymentCounts { total, ready } if ready == total => ALL_READY.report(message),
        DeploymentCounts { .. } => MODEL_STARTING.report(message),
    });
}

/// Says what is wrong with others, and what is left out of the deployment, and takes it back. While nothing is wrong, nothing is
/// said.
fn others(report: &mut Report, request: &ComposeRequest, read: &DeploymentRead<'_>, decision: &Decision<'_>) {
    let collisions: Vec<_> = decision
        .collisions
        .iter()
        .map(|it| format!("{} on cluster {} is also called so by namespace {}", it.name, it.cluster, it.namespace))
        .collect();
    let malformed: Vec<_> = decision.malformed.iter().map(|it| format!("{} {}", it.kind, it.name)).collect();
    let crowded = decision.crowded.as_ref().map(|pools| pools.iter().map(CrowdedPool::message).collect());
    let dropped: Vec<_> =
        read.deployment.written.dropped.iter().map(|it| format!("{} ({})", it.path, it.message)).collect();
    let rows = [
        (MALFORMED, READABLE, "cannot be read and are left out", Some(malformed)),
        (NAMES_TAKEN, NAMES_UNIQUE, "names are taken", Some(collisions)),
        (POOLS_CROWDED, POOLS_SUFFICIENT, "node pools are overcommitted", crowded),
        (DROPPED, WHOLE, "left out of what was written for an earlier version", Some(dropped)),
    ];
    for (wrong, right, what, found) in rows {
        // What is not known stays as it was said.
        let Some(found) = found else { continue };
        if !found.is_empty() {
            let named = found.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
            let more = found.len().saturating_sub(NAMED);
            let more = if more > 0 { format!("; {more} more") } else { String::new() };
            let message = format!("{} {what}: {named}{more}", found.len());
            report.announce(request, wrong.report(message.as_str()), Severity::Warning, &message);
        } else if request.composite().is_ok_and(|it| conditions::find(it, wrong.condition_type).is_some()) {
            report.add(right.report(""));
        }
    }
}
