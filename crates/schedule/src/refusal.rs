use crate::demand::Engine;
use crate::fit::Fit;
use crate::fleet::{Cluster, Fleet};
use crate::ledger::Ledger;
use crate::matching::Matches;
use crate::search::Budget;
use crate::situation::Situation;
use crate::taint::{self, Taint};

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
    /// Pools have the devices for an engine, but not enough free nodes. When devices are counted, the numbers are pods: how
    /// many there are, and how many of them find a place.
    NodesShort {
        /// The engine.
        engine: usize,
        /// The pool with the most of them: an index in [`Cluster::pools`].
        pool: usize,
        /// The nodes that the engine needs.
        needed: u64,
        /// The free nodes of the pool. Negative where more is taken than there is.
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

/// The steps that looking for a reason may take in one pool. The reason of a cluster does not depend on those before it.
const MOST_STEPS: u64 = 2_000;

/// The first thing that is against a replica on this cluster.
pub(crate) fn of(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'_>,
    matches: &Matches,
    ledger: &Ledger<'_, '_>,
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
    ledger: &Ledger<'_, '_>,
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
    let mut best: Option<(usize, u64, i128)> = None;
    let mut spent = false;
    for number in pools {
        let Some(pool) = cluster.pools.get(*number) else { continue };
        let Some(account) = ledger.get(cluster.name, pool.name) else { continue };
        let load = matches.load(situation, index, engine, pool);
        let mut budget = Budget::new(situation.budget.min(MOST_STEPS));
        let Some(found) = account.found(&load, &mut budget) else {
            spent = true;
            continue;
        };
        // Of equals the first one.
        if best.is_none_or(|best| found > best.2) {
            best = Some((*number, load.nodes, found));
        }
    }
    match best {
        Some((.., needed, found)) if found >= i128::from(needed) => None,
        _ if spent => Some(Refusal::Budget),
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
