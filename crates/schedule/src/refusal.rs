use crate::demand::Engine;
use crate::fit::Fit;
use crate::fleet::{Cluster, Fleet};
use crate::ledger::Ledger;
use crate::matching::Matches;
use crate::search::Budget;
use crate::situation::Situation;
use crate::taint::{self, Taint};

/// The most steps that may be taken to say what is against one engine on one cluster. All clusters share the budget.
const MOST_STEPS: u64 = 10_000;

/// A cluster that gets no further replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The cluster: an index in [`Fleet::clusters`].
    pub cluster: usize,
    /// The first thing that is against it.
    pub why: Refusal,
}

/// What is against a cluster. Engines, members and requests are indices in the demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its condition `Ready` is not true.
    NotReady,
    /// Its gateway has no address.
    NoGateway,
    /// The deployment does not tolerate one of its taints.
    Taint(Taint),
    /// No pool has devices for all requests of an engine.
    NoDevice {
        /// The engine.
        engine: usize,
        /// The member of the engine with the request.
        member: usize,
        /// The request that finds no device, in the pool that suits most requests before it.
        request: usize,
        /// That pool: an index in [`Cluster::pools`]. `None` when the cluster has no pool.
        pool: Option<usize>,
        /// The devices that the request needs.
        needed: u64,
        /// The most of them that an entry of the pool's devices has. 0 when its selectors suit none.
        found: u64,
    },
    /// Pools have the devices for an engine, but not enough free nodes. Where devices are counted: not for all of its pods.
    NodesShort {
        /// The engine.
        engine: usize,
        /// The pool with the most free nodes: an index in [`Cluster::pools`].
        pool: usize,
        /// The nodes that the engine needs. Where devices are counted: its pods that claim some.
        needed: u64,
        /// The free nodes of the pool. Negative where more is taken than there is. Where devices are counted: how many of the
        /// pods find a place.
        found: i128,
    },
    /// The pools that suit an engine only describe their devices (synthetic), so its pods would claim none.
    Stranded {
        /// The engine.
        engine: usize,
    },
    /// Each engine finds a pool alone, but all together do not.
    NotTogether,
    /// The search for a place was ended before it was complete.
    Budget,
}

/// The first thing that is against a replica on this cluster.
pub(crate) fn of(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'_>,
    matches: &Matches,
    ledger: &Ledger<'_>,
) -> Refusal {
    if !cluster.ready {
        return Refusal::NotReady;
    }
    if !cluster.gateway {
        return Refusal::NoGateway;
    }
    if let Some(taint) = taint::repelling(&cluster.taints, &situation.demand.tolerations) {
        return Refusal::Taint(taint.clone());
    }
    let mut engines = situation.demand.engines.iter().enumerate();
    let found = engines.find_map(|(index, engine)| of_engine(situation, cluster, matches, ledger, (index, engine)));
    found.unwrap_or(Refusal::NotTogether)
}

/// What is against an engine, if it is placed alone.
fn of_engine(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'_>,
    matches: &Matches,
    ledger: &Ledger<'_>,
    (index, engine): (usize, &Engine),
) -> Option<Refusal> {
    let suitable: Vec<_> =
        (0..cluster.pools.len()).filter(|pool| matches.suits(index, engine, cluster, *pool)).collect();
    if suitable.is_empty() {
        return Some(no_device(situation, cluster, (index, engine)));
    }
    let claimed = matches.claimable(index, engine, cluster);
    if !claimed.contains(&true) {
        return Some(Refusal::Stranded { engine: index });
    }
    let pools = suitable.iter().filter(|pool| matches.claims_as(index, engine, cluster, **pool, &claimed));
    // For each cluster alike, whatever the order of clusters.
    let each = situation.budget / situation.fleet.clusters.len().max(1) as u64;
    let mut budget = Budget::new(each.min(MOST_STEPS));
    let mut unknown = false;
    let mut best: Option<(usize, u64, i128)> = None;
    for number in pools {
        let Some(pool) = cluster.pools.get(*number) else { continue };
        let needs = matches.needs(situation.fleet, index, engine, cluster, *number);
        let needed = needs.iter().map(|(pods, _)| *pods).fold(0, u64::saturating_add);
        match ledger.shortage(cluster.name, pool.name, &needs, &mut budget) {
            Ok(Ok(())) => return None,
            // Of equals the first one.
            Ok(Err(found)) if best.is_none_or(|(.., most)| found > most) => best = Some((*number, needed, found)),
            Ok(Err(_)) => {}
            Err(_) => unknown = true,
        }
    }
    match best {
        _ if unknown => Some(Refusal::Budget),
        None => Some(Refusal::Stranded { engine: index }),
        Some((pool, needed, found)) => Some(Refusal::NodesShort { engine: index, pool, needed, found }),
    }
}

/// The request that finds no device, in the pool that suits most requests before it.
fn no_device(situation: &Situation<'_, '_>, cluster: &Cluster<'_>, (index, engine): (usize, &Engine)) -> Refusal {
    let Situation { fleet, fit, .. } = *situation;
    let mut furthest: Option<(usize, usize, usize, u64)> = None;
    for pool in 0..cluster.pools.len() {
        if let Some((member, request, found)) = first_without(fleet, fit, cluster, pool, engine)
            && furthest.is_none_or(|(_, far_member, far_request, _)| (member, request) > (far_member, far_request))
        {
            furthest = Some((pool, member, request, found));
        }
    }
    let (pool, member, request, found) = match furthest {
        Some((pool, member, request, found)) => (Some(pool), member, request, found),
        None => (None, 0, 0, 0),
    };
    let needed = engine.members.get(member).and_then(|member| member.requests.get(request));
    let needed = needed.map_or(0, |request| request.count);
    Refusal::NoDevice { engine: index, member, request, pool, needed, found }
}

/// The first request of an engine that no entry of the pool's devices can serve alone: its member, its index, and the most
/// devices that an entry has. If each can be served alone, the last request of the first member with several.
fn first_without(
    fleet: &Fleet<'_>,
    fit: &Fit,
    cluster: &Cluster<'_>,
    pool: usize,
    engine: &Engine,
) -> Option<(usize, usize, u64)> {
    let list = cluster.pools.get(pool)?.devices;
    let devices = fleet.devices.get(list).map(Vec::as_slice).unwrap_or_default();
    let mut last = None;
    for (member, row) in engine.members.iter().enumerate() {
        for (index, request) in row.requests.iter().enumerate() {
            let suitable = devices.iter().enumerate().filter(|(device, _)| fit.suits(request, list, *device));
            let Some(most) = suitable.map(|(_, device)| device.count).max() else { return Some((member, index, 0)) };
            if most < request.count {
                return Some((member, index, most));
            }
            if index > 0 && last.is_none() {
                last = Some((member, row.requests.len() - 1, most));
            }
        }
    }
    last
}
