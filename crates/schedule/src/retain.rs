//! Which replicas stay where they are.

use std::collections::{BTreeMap, BTreeSet};

use quantity::order::sorted_by_key;

use crate::demand::Engine;
use crate::fleet::{Cluster, Replica, ReplicaEngine, ReplicaMember};
use crate::matching::Matches;
use crate::placement::{EnginePlacement, MemberPlacement, Placement};
use crate::situation::{Situation, Strategy};
use crate::taint;

/// The replicas of this deployment that stay, in the order of their names. Of several with one cluster and index the first
/// one stays.
///
/// Whether the cluster is ready, and how many of its nodes are free, does not matter for a replica that runs. Replicas that
/// are held have no places for their engines.
pub(crate) fn retained<'f>(
    situation: &Situation<'_, 'f>,
    first_fit: &Matches,
    searched: &Matches,
) -> Vec<Placement<'f>> {
    let ours = situation.replicas.iter().filter(|replica| replica.ours).collect();
    let ours = sorted_by_key(ours, |replica: &&Replica<'f>| replica.name);
    let mut identities = BTreeSet::new();
    let mut retained = Vec::new();
    for replica in ours {
        if identities.contains(&(replica.cluster, replica.index)) {
            continue;
        }
        let engines = if replica.held { Some(Vec::new()) } else { stays(situation, (first_fit, searched), replica) };
        if let Some(engines) = engines {
            identities.insert((replica.cluster, replica.index));
            retained.push(Placement {
                cluster: replica.cluster,
                index: replica.index,
                engines,
                retained: Some(replica.name),
            });
        }
    }
    retained
}

/// Drops retained replicas until there are as many as wanted: first from the cluster with the most of them, of equals the
/// last one by name, and there the one with the highest index.
pub(crate) fn scale_down(retained: &mut Vec<Placement<'_>>, wanted: usize) {
    while retained.len() > wanted {
        let mut load: BTreeMap<&str, usize> = BTreeMap::new();
        for placement in &*retained {
            *load.entry(placement.cluster).or_default() += 1;
        }
        let weight = |placement: &Placement<'_>| {
            (load.get(placement.cluster).copied(), placement.cluster.to_owned(), placement.index)
        };
        let Some(last) = (0..retained.len()).max_by_key(|index| retained.get(*index).map(weight)) else { return };
        retained.remove(last);
    }
}

/// The placement of a replica that stays: the pools that it is pinned to, with the devices that its requests get there
/// now. `None` when it does not stay.
fn stays<'f>(
    situation: &Situation<'_, 'f>,
    matches: (&Matches, &Matches),
    replica: &Replica<'_>,
) -> Option<Vec<EnginePlacement<'f>>> {
    let cluster = situation.fleet.cluster(replica.cluster)?;
    let demand = situation.demand;
    if taint::evicts(&cluster.taints, &demand.tolerations) || replica.engines.len() != demand.engines.len() {
        return None;
    }
    let engine = |observed: &ReplicaEngine<'_>| {
        let index = demand.engines.iter().position(|engine| engine.name == observed.name)?;
        engine_stays(situation, matches, cluster, (index, demand.engines.get(index)?), observed)
    };
    replica.engines.iter().map(engine).collect()
}

/// With the devices of the first fit if they serve the engine. A search is asked when they do not, and about members that
/// were placed by one: they claim devices although the first fit would claim none.
fn engine_stays<'m, 'f>(
    situation: &Situation<'_, '_>,
    (first_fit, searched): (&'m Matches, &'m Matches),
    cluster: &Cluster<'f>,
    (index, engine): (usize, &Engine),
    observed: &ReplicaEngine<'_>,
) -> Option<EnginePlacement<'f>> {
    if observed.members.len() != engine.members.len() {
        return None;
    }
    let members = |matches: &dyn Fn(&ReplicaMember<'_>) -> &'m Matches| {
        let mut members = Vec::new();
        let mut claims = false;
        for (number, (observed, member)) in observed.members.iter().zip(&engine.members).enumerate() {
            let pool = observed.pool.and_then(|name| cluster.pool(name)).filter(|_| observed.role == member.role)?;
            let found = matches(observed).get(index, number, pool.devices)?;
            claims |= found.claims;
            members.push(MemberPlacement { pool: pool.name, devices: found.devices.clone() });
        }
        claims.then_some(EnginePlacement { engine: index, members })
    };
    let as_observed = |observed: &ReplicaMember<'_>| match situation.strategy {
        Strategy::Complete if observed.nodes > 0 => searched,
        _ => first_fit,
    };
    members(&as_observed).or_else(|| members(&|_| searched))
}
