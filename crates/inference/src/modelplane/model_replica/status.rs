//! Readiness, conditions and events from the observed resources.

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{ConditionStatus, Severity};
use toolbox::builders::selectors::lookup_of;
use toolbox::composed::{Composed, desired};
use toolbox::conditions::{ConditionRow, holds, note};

use super::keys::{KSERVE, workload_key};
use super::read::{CLUSTER, ReplicaPlace, ReplicaRead};
use crate::modelplane::conditions::Report;
use crate::modelplane::options::Backend;
use crate::modelplane::resources::{INFERENCE_CLUSTERS, kind};
use crate::modelplane::wrap::is_observed_remotely;

const ACCEPTED: ConditionRow =
    note("ModelAccepted", ConditionStatus::True, "Accepted", "every workload exists on the cluster");
const DEPLOYING: ConditionRow =
    note("ModelAccepted", ConditionStatus::False, "Deploying", "not every workload exists on the cluster yet");
const WAITING_FOR_CLUSTER: ConditionRow = note(
    "ModelAccepted",
    ConditionStatus::False,
    "WaitingForCluster",
    "the cluster is missing, or names no provider configuration; what is composed stays as it is",
);
const SERVING: ConditionRow = note("ModelReady", ConditionStatus::True, "Serving", "every workload is available");
const MODEL_STARTING: ConditionRow =
    note("ModelReady", ConditionStatus::False, "ModelStarting", "not every workload is available yet");
const WAITING_FOR_MODEL: ConditionRow =
    note("ModelReady", ConditionStatus::False, "WaitingForModel", "not every workload exists on the cluster yet");

/// The conditions of a replica.
pub(super) const CONDITIONS: &[ConditionRow] =
    &[ACCEPTED, DEPLOYING, WAITING_FOR_CLUSTER, SERVING, MODEL_STARTING, WAITING_FOR_MODEL];

/// The response with `resources` as the desired resources.
pub(super) fn respond(request: &ComposeRequest, read: &ReplicaRead<'_>, resources: Vec<Composed>) -> ComposeResponse {
    let mut report = Report::default();
    match read.place {
        ReplicaPlace::Cluster => wait(&mut report, request, "Waiting for cluster to be resolved"),
        ReplicaPlace::ProviderConfig => wait(&mut report, request, "Waiting for cluster providerConfigRef"),
        ReplicaPlace::Known(_) => report_workloads(&mut report, read),
    }
    let cluster = lookup_of(kind(&INFERENCE_CLUSTERS), None, &read.inputs.spec.cluster_name);
    let response = ComposeResponse {
        resources: desired(resources, &read.observed),
        lookups: [(CLUSTER.to_owned(), cluster)].into(),
        ..ComposeResponse::default()
    };
    report.respond(&read.inputs.options, response)
}

fn wait(report: &mut Report, request: &ComposeRequest, message: &str) {
    report.announce(request, WAITING_FOR_CLUSTER.report(""), Severity::Normal, message);
    report.add(WAITING_FOR_MODEL.report(""));
}

fn report_workloads(report: &mut Report, read: &ReplicaRead<'_>) {
    let spec = &read.inputs.spec;
    let workloads: Vec<_> = match read.inputs.backend {
        Backend::Direct => spec.engines.iter().map(|engine| read.observed.get(&workload_key(&engine.name))).collect(),
        Backend::Kserve => vec![read.observed.get(KSERVE)],
    };
    if workloads.iter().all(Option::is_none) {
        report.say(Severity::Normal, format!("Composing {} on {}", read.inputs.image(), spec.cluster_name));
    }
    let accepted = workloads.iter().all(|workload| workload.is_some_and(is_observed_remotely));
    let ready = workloads.iter().all(|workload| workload.is_some_and(|it| holds(it, "Ready")));
    let (accepted, ready) = match (accepted, ready) {
        (false, _) => (DEPLOYING, WAITING_FOR_MODEL),
        (true, false) => (ACCEPTED, MODEL_STARTING),
        (true, true) => (ACCEPTED, SERVING),
    };
    report.add(accepted.report(""));
    report.add(ready.report(""));
}
