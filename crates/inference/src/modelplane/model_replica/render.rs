//! Makes Kubernetes objects from the tables of rules. It computes no value.

use contract::catalog::ApiResource;
use contract::types::{Cause, Fault};
use toolbox::composed::Composed;
use toolbox::path;
use toolbox::rule::{Plan, Rule};

use super::derive::claim::ClaimedDevices;
use super::derive::kserve::KserveService;
use super::derive::pod::EnginePod;
use super::derive::workload::{EngineWorkload, WorkloadPods};
use super::derive::{picker, surface};
use super::inputs::ReplicaInputs;
use super::keys::{self, claim_key, ready_when, workload_key};
use crate::modelplane::options::Backend;
use crate::modelplane::resources::{
    CONFIG_MAPS, DEPLOYMENTS, HTTP_ROUTES, INFERENCE_POOLS, LEADER_WORKER_SETS, LLM_INFERENCE_SERVICES,
    RESOURCE_CLAIM_TEMPLATES, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS, SERVICES, kind,
};
use crate::modelplane::wrap::{AVAILABLE, WrappedReady, Wrapping};

/// The objects of a replica that has one of each.
const SURFACE: &[(&str, ApiResource, &[Rule<ReplicaInputs>])] = &[
    (keys::ROUTE, HTTP_ROUTES, surface::ROUTE),
    (keys::POOL, INFERENCE_POOLS, surface::POOL),
    (keys::PICKER_ACCOUNT, SERVICE_ACCOUNTS, picker::ACCOUNT),
    (keys::PICKER_ROLE, ROLES, picker::ROLE),
    (keys::PICKER_BINDING, ROLE_BINDINGS, picker::BINDING),
    (keys::PICKER_CONFIG, CONFIG_MAPS, picker::CONFIG),
    (keys::PICKER, DEPLOYMENTS, picker::PICKER),
    (keys::PICKER_SERVICE, SERVICES, picker::SERVICE),
];

/// The Objects of a replica, on the cluster with this provider configuration. They have no name and no namespace, because
/// Crossplane sets both.
pub(super) fn resources(inputs: &ReplicaInputs, provider_config: &str) -> Result<Vec<Composed>, Fault> {
    let mut resources = Vec::new();
    let mut compose = |key: String, ready: WrappedReady, manifest: Plan| {
        let plan = Wrapping { provider_config, ready }.around(Wrapping::ON_NAMED, manifest);
        let when = ready_when(&key);
        resources.push(Composed::new(key, plan).ready(when));
    };
    let direct = inputs.backend == Backend::Direct;
    let workloads = EngineWorkload::all(inputs).map_err(|problem| Fault::new(Cause::Composite, problem))?;
    for workload in &workloads {
        if direct {
            compose(workload_key(workload.engine()), WrappedReady::Query(AVAILABLE), manifest(workload));
        }
        for pod in workload.pods().filter(|pod| pod.claims()) {
            compose(claim_key(pod.engine(), pod.role()), WrappedReady::Applied, claim(pod));
        }
    }
    if let Some(service) = KserveService::of(inputs, workloads).filter(|_| !direct) {
        compose(keys::KSERVE.to_owned(), WrappedReady::Derived, kserve(&service));
        return Ok(resources);
    }
    for (key, resource, rules) in SURFACE {
        let ready = if *key == keys::PICKER { WrappedReady::Query(AVAILABLE) } else { WrappedReady::Applied };
        compose((*key).to_owned(), ready, Plan::of_kind(kind(resource)).and(rules, inputs));
    }
    Ok(resources)
}

fn manifest(workload: &EngineWorkload<'_>) -> Plan {
    match &workload.pods {
        WorkloadPods::Single(pod) => Plan::of_kind(kind(&DEPLOYMENTS))
            .each(EngineWorkload::DEPLOYMENT, workload)
            .each_at("spec.template", EnginePod::TEMPLATE, pod),
        WorkloadPods::Gang { leader, worker } => Plan::of_kind(kind(&LEADER_WORKER_SETS))
            .each(EngineWorkload::GANG, workload)
            .each_at("spec.leaderWorkerTemplate.leaderTemplate", EnginePod::TEMPLATE, leader)
            .each_at("spec.leaderWorkerTemplate.workerTemplate", EnginePod::TEMPLATE, worker),
    }
}

fn kserve(service: &KserveService<'_>) -> Plan {
    let plan = Plan::of_kind(kind(&LLM_INFERENCE_SERVICES)).and(KserveService::SERVICE, service);
    let roles = [("spec", Some(&service.main)), ("spec.prefill", service.prefill.as_ref())];
    roles.into_iter().fold(plan, |plan, (at, workload)| {
        let Some(workload) = workload else { return plan };
        let plan = plan.each_at(at, EngineWorkload::IN_KSERVE, workload);
        let names = ["template", "worker"].map(|name| path::join(at, name));
        names.iter().zip(workload.pods()).fold(plan, |plan, (at, pod)| plan.each_at(at, EnginePod::IN_KSERVE, pod))
    })
}

fn claim(pod: &EnginePod<'_>) -> Plan {
    let plan = Plan::of_kind(kind(&RESOURCE_CLAIM_TEMPLATES)).each(EnginePod::CLAIM, pod);
    pod.requests()
        .fold(plan, |plan, request| plan.item("spec.spec.devices.requests", ClaimedDevices::REQUEST, &request))
}
