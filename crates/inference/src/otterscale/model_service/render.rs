//! Makes Kubernetes objects from the tables of rules. It computes no value.

use toolbox::builders::remote;
use toolbox::composed::Composed;
use toolbox::observed::{Observed, ReadyWhen};
use toolbox::path;
use toolbox::rule::{Plan, Rule};

use super::derive::existence::{OBJECTS, ServiceObject};
use super::derive::inputs::{Deployed, ServingInputs};
use super::derive::role::{ProxyOf, ServedRole};
use super::derive::{access, picker, routing};
use crate::otterscale::options::ClusterRbac;
use crate::otterscale::resources::{DEPLOYMENTS, kind};

const LABELS: &str = "metadata.labels";
const POD_LABELS: &str = "spec.template.metadata.labels";
const MATCH_LABELS: &str = "spec.selector.matchLabels";
const CONTAINER: &str = "spec.template.spec.containers[0]";
const INIT_CONTAINERS: &str = "spec.template.spec.initContainers";

/// The objects of a service, but for those whose kind the cluster does not have.
pub(super) fn resources(inputs: &ServingInputs, observed: &Observed<'_>) -> Vec<Composed> {
    let wanted = OBJECTS.iter().filter(|row| (row.exists)(inputs) && !row.is_missing(inputs));
    wanted.filter_map(|row| resource(row, inputs, observed)).collect()
}

fn resource(row: &ServiceObject, inputs: &ServingInputs, observed: &Observed<'_>) -> Option<Composed> {
    let plan = Plan::of_kind(kind(&row.kind));
    let plan = match row.key {
        "decode" => workload(plan, &role(inputs, "decode")?),
        "prefill" => workload(plan, &role(inputs, "prefill")?),
        "disruption-budget-decode" => budget(plan, &role(inputs, "decode")?),
        "disruption-budget-prefill" => budget(plan, &role(inputs, "prefill")?),
        "pod-monitor-decode" => monitor(plan, &role(inputs, "decode")?),
        "pod-monitor-prefill" => monitor(plan, &role(inputs, "prefill")?),
        "epp-config" => of_picker(plan, inputs, picker::CONFIG),
        "epp" => of_picker(plan, inputs, picker::DEPLOYMENT)
            .at(MATCH_LABELS, picker::SELECTOR, inputs)
            .at(MATCH_LABELS, picker::PODS, inputs)
            .at(POD_LABELS, picker::SELECTOR, inputs)
            .at(POD_LABELS, picker::VERSIONED, inputs)
            .at(POD_LABELS, picker::PODS, inputs),
        "epp-service" => of_picker(plan, inputs, picker::SERVICE).at("spec.selector", picker::SELECTOR, inputs),
        "epp-metrics-token" => of_picker(plan, inputs, picker::TOKEN),
        "epp-role" => of_picker(plan, inputs, picker::ROLE),
        "epp-role-binding" => of_picker(plan, inputs, picker::ROLE_BINDING),
        "epp-cluster-role" => {
            return granted(row, plan, inputs, access::CLUSTER_ROLE, access::CLUSTER_ROLE_OBJECT, observed);
        }
        "epp-cluster-role-binding" => {
            return granted(
                row,
                plan,
                inputs,
                access::CLUSTER_ROLE_BINDING,
                access::CLUSTER_ROLE_BINDING_OBJECT,
                observed,
            );
        }
        "inference-pool" => of_route(plan, inputs, routing::POOL),
        "http-route" => of_route(plan, inputs, routing::ROUTE),
        "destination-rule" => of_picker(plan, inputs, routing::DESTINATION),
        "epp-service-monitor" => of_picker(plan, inputs, picker::MONITOR).at(MATCH_LABELS, picker::SELECTOR, inputs),
        _ => of_picker(plan, inputs, &[]),
    };
    let ready = match observed.get(row.key) {
        Some(deployment) if row.kind == DEPLOYMENTS => ReadyWhen::Given(Deployed::of(deployment).is_ready()),
        _ => ReadyWhen::Observed,
    };
    Some(Composed::new(row.key, plan).ready(ready))
}

fn role<'a>(inputs: &'a ServingInputs, name: &str) -> Option<ServedRole<'a>> {
    let (name, spec) = inputs.roles().find(|(role, _)| *role == name)?;
    Some(ServedRole { of: inputs, name, spec })
}

fn workload(plan: Plan, role: &ServedRole<'_>) -> Plan {
    let plan = plan
        .each(ServedRole::DEPLOYMENT, role)
        .each_at(LABELS, ServedRole::SELECTOR, role)
        .each_at(LABELS, ServedRole::VERSION, role)
        .each_at(MATCH_LABELS, ServedRole::SELECTOR, role)
        .each_at(MATCH_LABELS, ServedRole::PODS, role)
        .each_at(POD_LABELS, ServedRole::SELECTOR, role)
        .each_at(POD_LABELS, ServedRole::VERSION, role)
        .each_at(POD_LABELS, ServedRole::PODS, role)
        .each_at(CONTAINER, ServedRole::ENGINE, role);
    let plan = role.of.device().into_iter().fold(plan, |plan, device| {
        let at = |list: &str| path::key(&format!("{CONTAINER}.resources.{list}"), device);
        plan.each_at(&at("limits"), ServedRole::DEVICES, role).each_at(&at("requests"), ServedRole::DEVICES, role)
    });
    let plan = if role.unpacks() { plan.item(INIT_CONTAINERS, ServedRole::UNPACK, role) } else { plan };
    match role.proxy() {
        Some(proxy) => plan.item(INIT_CONTAINERS, ProxyOf::PROXY, &proxy),
        None => plan,
    }
}

fn budget(plan: Plan, role: &ServedRole<'_>) -> Plan {
    of_pods(plan.each(ServedRole::BUDGET, role), role)
}

fn monitor(plan: Plan, role: &ServedRole<'_>) -> Plan {
    of_pods(plan.each(ServedRole::MONITOR, role), role)
}

/// An object that is about the pods of a role.
fn of_pods(plan: Plan, role: &ServedRole<'_>) -> Plan {
    plan.each_at(LABELS, ServedRole::SELECTOR, role)
        .each_at(LABELS, ServedRole::VERSION, role)
        .each_at(MATCH_LABELS, ServedRole::SELECTOR, role)
        .each_at(MATCH_LABELS, ServedRole::PODS, role)
}

/// An object of the endpoint picker. Its own rules come last, because some have a name of their own.
fn of_picker(plan: Plan, inputs: &ServingInputs, rules: &[Rule<ServingInputs>]) -> Plan {
    plan.and(picker::NAMES, inputs)
        .at(LABELS, picker::SELECTOR, inputs)
        .at(LABELS, picker::VERSIONED, inputs)
        .and(rules, inputs)
}

fn of_route(plan: Plan, inputs: &ServingInputs, rules: &[Rule<ServingInputs>]) -> Plan {
    plan.and(routing::NAMES, inputs).at(LABELS, routing::LABELS, inputs).and(rules, inputs)
}

/// A part of the grant. What another has is left to it: an Object that is there only observes.
fn granted(
    row: &ServiceObject,
    plan: Plan,
    inputs: &ServingInputs,
    rules: &[Rule<ServingInputs>],
    named: &[Rule<ServingInputs>],
    observed: &Observed<'_>,
) -> Option<Composed> {
    if inputs.grant_is_taken && !observed.has(row.key) {
        return None;
    }
    let plan = plan
        .and(access::GRANT, inputs)
        .at(LABELS, picker::SELECTOR, inputs)
        .at(LABELS, picker::VERSIONED, inputs)
        .and(rules, inputs);
    Some(match inputs.options.grant() {
        ClusterRbac::Wrapped => {
            let object = remote::object().and(named, inputs).and(access::OBJECT, inputs).embed(remote::MANIFEST, plan);
            Composed::new(row.key, object)
        }
        ClusterRbac::Direct | ClusterRbac::None => Composed::new(row.key, plan).ready(ReadyWhen::Observed),
    })
}
