//! Says which clusters were chosen, and why the others were not, for people who ask.

use contract::compose::{Amount, Choice, CrowdedPlace, Decision as Explained, NearMiss, PassedOver, Share};
use schedule::EnginePlacement;

use super::decide::{Body, Candidate, Decision, Why};
use super::read::DeploymentRead;
use crate::modelplane::crowded::CrowdedPool;
use crate::modelplane::engines::WantedEngine;
use crate::modelplane::refusals::RefusalRow;
use crate::modelplane::scheduling::keys;
use crate::modelplane::scheduling::neighbours::Neighbours;
use crate::modelplane::scheduling::place::pods;
use crate::modelplane::shapes::Written;

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
        passed_over: decision.refusals.iter().map(|row| passed_over(row, Some(&read.deployment.written))).collect(),
        overcommitted: decision.crowded.iter().flatten().map(crowded).collect(),
    }]
}

fn crowded(pool: &CrowdedPool) -> CrowdedPlace {
    CrowdedPlace {
        place: pool.pool.split('/').map(str::to_owned).collect(),
        size: nodes(pool.nodes),
        taken: nodes(pool.taken),
        takers: u32::try_from(pool.replicas).unwrap_or(u32::MAX),
        by: pool.by.clone(),
    }
}

fn nodes(count: u64) -> Amount {
    Amount { value: i64::try_from(count).unwrap_or(i64::MAX), unit: "nodes".to_owned() }
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
            let cluster = candidate.cluster;
            let claims = |pool: &str, device| claims(neighbours, cluster, pool, device);
            let wanted = &read.deployment.spec.template.spec.engines;
            (engines.iter().filter_map(|engine| share(wanted, cluster, engine, claims)).collect(), because)
        }
    };
    Choice { resource: keys::of_replica(candidate.cluster, candidate.index), shares, because: because.to_owned() }
}

fn whole(candidate: &Candidate<'_>) -> Share {
    Share { place: vec![candidate.cluster.to_owned()], part: String::new(), takes: None }
}

/// Whether the nodes of a pool of a cluster have devices to claim in an entry of their devices.
fn claims(neighbours: &Neighbours<'_>, cluster: &str, pool: &str, device: usize) -> bool {
    let cluster = neighbours.clusters.iter().rfind(|it| it.read.name == cluster);
    let mut pools = cluster.into_iter().flat_map(|cluster| cluster.read.pools.iter().zip(&cluster.devices));
    let list = pools.find(|(published, _)| published.name == pool).map(|(_, list)| *list);
    let devices = list.map(|list| neighbours.devices.list(list)).unwrap_or_default();
    devices.get(device).is_some_and(|device| device.claimed)
}

/// The place of an engine, and the nodes that it takes there. `claims` says of a pool and an entry of its devices whether there
/// is something to claim.
pub(super) fn share(
    engines: &[WantedEngine],
    cluster: &str,
    placement: &EnginePlacement<'_>,
    claims: impl Fn(&str, usize) -> bool,
) -> Option<Share> {
    let engine = engines.get(placement.engine)?;
    let pool = placement.members.first()?.pool;
    let members = engine.members.iter().zip(&placement.members);
    // Pods that claim nothing take no node.
    let members = members.filter(|(_, place)| place.devices.iter().any(|device| claims(pool, *device)));
    let nodes: u64 = members.map(|(member, _)| pods(member).saturating_mul(engine.copies.into())).sum();
    // With one engine its name says nothing.
    let part = if engines.len() > 1 { format!("engine {}", engine.name) } else { String::new() };
    Some(Share { place: vec![cluster.to_owned(), pool.to_owned()], part, takes: Some(self::nodes(nodes)) })
}

/// The clusters with one reason.
pub(super) fn passed_over(row: &RefusalRow<'_>, written: Option<&Written>) -> PassedOver {
    let amount = |value: i128| Amount { value: i64::try_from(value).unwrap_or(i64::MIN), unit: row.unit().to_owned() };
    let nearest = row.nearest.as_ref().map(|it| NearMiss {
        place: vec![it.cluster.to_owned(), it.pool.to_owned()],
        needed: amount(it.needed.into()),
        found: amount(it.found),
        because: it.because().unwrap_or_default(),
    });
    let mut cause = row.cause.clone();
    if let (Some(cause), Some(written)) = (&mut cause, written) {
        written.rename(cause);
    }
    PassedOver {
        reason: row.reason.to_owned(),
        because: row.words().to_owned(),
        candidates: row.clusters.iter().map(|name| (*name).to_owned()).collect(),
        nearest,
        cause,
    }
}
