//! Makes Kubernetes objects from the tables of rules. It computes no value.

use schedule::EnginePlacement;
use serde_json::Value;
use toolbox::composed::Composed;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::rule::Plan;

use super::decide::{Body, Candidate, Decision};
use super::derive::{EngineOf, MemberOf, PlacedReplica};
use super::read::Deployment;
use crate::modelplane::resources::{MODEL_ENDPOINTS, MODEL_REPLICAS, kind};
use crate::modelplane::scheduling::keys;
use crate::modelplane::scheduling::neighbours::Neighbours;
use crate::modelplane::selectors::PublishedDevice;
use toolbox::held::held;

/// A ModelReplica for each candidate, and a ModelEndpoint for each that serves. What is held is as it is observed.
pub(super) fn resources(
    deployment: &Deployment,
    decision: &Decision<'_>,
    neighbours: &Neighbours<'_>,
    observed: &Observed<'_>,
) -> Vec<Composed> {
    let mut resources = Vec::new();
    for candidate in &decision.candidates {
        let key = keys::of_replica(candidate.cluster, candidate.index);
        resources.push(match &candidate.body {
            Body::Held(replica) => held(&key, replica),
            Body::Placed(engines) => Composed::new(key, replica(deployment, candidate, engines, neighbours)),
        });
        resources.extend(endpoint(deployment, decision, candidate, observed));
    }
    if decision.holds_all {
        let composed = |key: &str| resources.iter().any(|resource| resource.key == key);
        let others: Vec<_> = observed.iter().filter(|(key, _)| !composed(key)).collect();
        resources.extend(others.into_iter().map(|(key, object)| held(key, object)));
    }
    resources
}

fn replica(
    deployment: &Deployment,
    candidate: &Candidate<'_>,
    engines: &[EnginePlacement<'_>],
    neighbours: &Neighbours<'_>,
) -> Plan {
    let element = PlacedReplica::of(deployment, candidate);
    let plan = Plan::of_kind(kind(&MODEL_REPLICAS)).each(PlacedReplica::METADATA, &element);
    let plan = plan.each(PlacedReplica::REPLICA, &element);
    let cluster = neighbours.clusters.iter().rfind(|it| it.read.name == candidate.cluster);
    let devices = |pool: &str| -> &[PublishedDevice<'_>] {
        let pools = cluster.into_iter().flat_map(|cluster| cluster.read.pools.iter().zip(&cluster.devices));
        let list = pools.into_iter().find(|(published, _)| published.name == pool).map(|(_, list)| *list);
        list.map(|list| neighbours.devices.list(list)).unwrap_or_default()
    };
    engines.iter().enumerate().fold(plan, |plan, (index, placement)| {
        let Some(engine) = EngineOf::of(deployment, placement) else { return plan };
        let at = path::index("spec.engines", index);
        let members = path::key(&at, "members");
        let plan = plan.each_at(&at, EngineOf::ENGINE, &engine);
        let all = MemberOf::all(&engine, placement, devices);
        all.iter().fold(plan, |plan, member| plan.item(&members, MemberOf::MEMBER, member))
    })
}

/// The endpoint of a replica that serves at the gateway of its cluster. While the replica is held, so is its endpoint, unless
/// it is known not to serve.
fn endpoint(
    deployment: &Deployment,
    decision: &Decision<'_>,
    candidate: &Candidate<'_>,
    observed: &Observed<'_>,
) -> Option<Composed> {
    let key = keys::of_endpoint(candidate.cluster, candidate.index);
    let serves = candidate.ready && candidate.gateway.is_some_and(|address| !address.is_empty());
    let existing: Option<&Value> = observed.get(&key).filter(|_| matches!(candidate.body, Body::Held(_)));
    if let Some(endpoint) = existing
        && (serves || decision.holds_all || candidate.gateway.is_none())
    {
        return Some(held(&key, endpoint));
    }
    serves.then(|| {
        let element = PlacedReplica::of(deployment, candidate);
        let plan = Plan::of_kind(kind(&MODEL_ENDPOINTS)).each(PlacedReplica::METADATA, &element);
        Composed::new(key, plan.each(PlacedReplica::ENDPOINT, &element))
    })
}
