//! Says which clusters were chosen, and why the others were not, for people who ask.

use contract::compose::{Amount, Choice, Decision as Explained, NearMiss, PassedOver, Share};
use schedule::EnginePlacement;

use super::decide::{Body, Candidate, Decision, Why};
use super::read::DeploymentRead;
use crate::modelplane::refusals::RefusalRow;
use crate::modelplane::scheduling::keys;
use crate::modelplane::scheduling::neighbours::Neighbours;
use crate::modelplane::scheduling::place::pods;

/// The decisions behind a deployment: one, about the clusters of its replicas. None while nobody knows the clusters.
pub(super) fn of(read: &DeploymentRead<'_>, decision: &Decision<'_>, neighbours: &Neighbours<'_>) -> Vec<Explained> {
    if decision.why == Why::NoClusters {
        return Vec::new();
    }
    vec![Explained {
        about: "clusters for replicas".to_owned(),
        wanted: read.deployment.spec.replicas,
        candidates: u32::try_from(decision.clusters).unwrap_or(u32::MAX),
        chosen: decision.candidates.iter().map(|candidate| choice(read, candidate, neighbours)).collect(),
        passed_over: decision.refusals.iter().map(passed_over).collect(),
    }]
}

fn choice(read: &DeploymentRead<'_>, candidate: &Candidate<'_>, neighbours: &Neighbours<'_>) -> Choice {
    let (shares, because) = match &candidate.body {
        Body::Held(_) => (vec![whole(candidate)], "it is held as it is, because nothing can be judged now"),
        Body::Placed(engines) => {
            let because = if candidate.observed {
                "it is there already, and its pools still suit it"
            } else {
                "of the clusters with room, the one with the fewest replicas of the deployment; of equals the first by name"
            };
            (engines.iter().filter_map(|engine| share(read, candidate, engine, neighbours)).collect(), because)
        }
    };
    Choice { resource: keys::of_replica(candidate.cluster, candidate.index), shares, because: because.to_owned() }
}

fn whole(candidate: &Candidate<'_>) -> Share {
    Share { place: vec![candidate.cluster.to_owned()], part: String::new(), takes: None }
}

/// The place of an engine, and the nodes that it takes there.
fn share(
    read: &DeploymentRead<'_>,
    candidate: &Candidate<'_>,
    placement: &EnginePlacement<'_>,
    neighbours: &Neighbours<'_>,
) -> Option<Share> {
    let engines = &read.deployment.spec.template.spec.engines;
    let engine = engines.get(placement.engine)?;
    let pool = placement.members.first()?.pool;
    let cluster = neighbours.clusters.iter().rfind(|it| it.read.name == candidate.cluster);
    let pools = cluster.into_iter().flat_map(|cluster| cluster.read.pools.iter().zip(&cluster.devices));
    let list = pools.into_iter().find(|(published, _)| published.name == pool).map(|(_, list)| *list);
    let devices = list.map(|list| neighbours.devices.list(list)).unwrap_or_default();
    let claims = |index: &usize| devices.get(*index).is_some_and(|device| device.claimed);
    // Pods that claim nothing take no node.
    let members = engine.members.iter().zip(&placement.members).filter(|(_, place)| place.devices.iter().any(claims));
    let nodes: u64 = members.map(|(member, _)| pods(member).saturating_mul(engine.copies.into())).sum();
    // With one engine its name says nothing.
    let part = if engines.len() > 1 { format!("engine {}", engine.name) } else { String::new() };
    let takes = Some(Amount { value: i64::try_from(nodes).unwrap_or(i64::MAX), unit: "nodes".to_owned() });
    Some(Share { place: vec![candidate.cluster.to_owned(), pool.to_owned()], part, takes })
}

fn passed_over(row: &RefusalRow<'_>) -> PassedOver {
    let amount = |value: i128| Amount { value: i64::try_from(value).unwrap_or(i64::MIN), unit: row.unit().to_owned() };
    let nearest = row.nearest.as_ref().map(|it| NearMiss {
        place: vec![it.cluster.to_owned(), it.pool.to_owned()],
        needed: amount(it.needed.into()),
        found: amount(it.found),
    });
    PassedOver {
        reason: row.reason.to_owned(),
        because: row.words().to_owned(),
        candidates: row.clusters.iter().map(|name| (*name).to_owned()).collect(),
        nearest,
    }
}
