use std::collections::{BTreeMap, BTreeSet};

use crate::demand::Demand;
use crate::fit::Fit;
use crate::fleet::{Claim, Cluster, Fleet, Pool, Replica, ReplicaEngine, ReplicaMember};
use crate::ledger::Ledger;
use crate::overcommit::Overcommitted;
use crate::placement::Placement;
use crate::refusal::Refused;
use crate::scheduler::schedule;
use crate::situation::{Accounting, Situation, Strategy};
use crate::taint::{Effect, Taint};

/// The most rounds in which all deployments are placed.
const MOST_ROUNDS: usize = 3;

/// A fleet with all its deployments.
#[derive(Clone, Debug)]
pub struct World<'f> {
    /// The clusters, and the devices of their pools.
    pub fleet: Fleet<'f>,
    /// The deployments, in the order in which they choose.
    pub deployments: Vec<Deployed<'f>>,
    /// What pods take of a pool.
    pub accounting: Accounting,
    /// How places are found.
    pub strategy: Strategy,
    /// The steps that searches may take in one schedule.
    pub budget: u64,
}

/// A deployment, and where it is.
#[derive(Clone, Debug)]
pub struct Deployed<'f> {
    /// What it wants.
    pub demand: Demand,
    /// The clusters that it may use, by name. `None` for all of them.
    pub clusters: Option<BTreeSet<&'f str>>,
    /// The clusters that have what new replicas need besides nodes, by name. `None` when they need nothing.
    pub staged: Option<BTreeSet<&'f str>>,
    /// Which devices suit its selectors.
    pub fit: Fit,
    /// Its replicas. Whether they are `ours` does not matter here.
    pub replicas: Vec<Replica<'f>>,
}

/// All deployments in their places.
#[derive(Clone, Debug)]
pub struct Settled<'f> {
    /// The places of each deployment's replicas, sorted by cluster and index.
    pub places: Vec<Vec<Placement<'f>>>,
    /// For each deployment what is against the clusters, if it has fewer replicas than it wants: indices in the clusters of
    /// the world's fleet. Empty otherwise.
    pub refused: Vec<Vec<Refused>>,
    /// The replicas of each deployment, as they will be observed.
    pub replicas: Vec<Vec<Replica<'f>>>,
    /// The pools of which more is taken than there is.
    pub overcommitted: Vec<Overcommitted<'f>>,
}

/// What is free in the pools of one list of devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    /// The nodes.
    pub nodes: u64,
    /// Those that nothing is on, if the pods are packed.
    pub free: u64,
}

/// Places all deployments.
pub fn settle<'w>(world: &'w World<'w>) -> Settled<'w> {
    let count = world.deployments.len();
    let mut settled = Settled {
        places: vec![Vec::new(); count],
        refused: vec![Vec::new(); count],
        replicas: world.deployments.iter().map(|it| it.replicas.clone()).collect(),
        overcommitted: Vec::new(),
    };
    for _ in 0..MOST_ROUNDS {
        let before = settled.replicas.clone();
        for index in 0..count {
            place(world, &mut settled, index);
        }
        if settled.replicas == before {
            break;
        }
    }
    settled
}

/// What is free, by list of devices.
pub fn stock(world: &World<'_>, settled: &Settled<'_>) -> Vec<Stock> {
    let ledger = Ledger::new(world.accounting, &world.fleet, &mut settled.replicas.iter().flatten());
    let mut stock = vec![Stock::default(); world.fleet.devices.len()];
    for cluster in &world.fleet.clusters {
        for pool in &cluster.pools {
            if let Some(stock) = stock.get_mut(pool.devices) {
                stock.nodes = stock.nodes.saturating_add(pool.nodes);
                let free = u64::try_from(ledger.free_nodes(cluster.name, pool.name)).unwrap_or_default();
                stock.free = stock.free.saturating_add(free);
            }
        }
    }
    stock
}

/// Places one deployment, given where the others are.
pub(super) fn place<'w>(world: &'w World<'w>, settled: &mut Settled<'w>, index: usize) {
    let Some(deployed) = world.deployments.get(index) else { return };
    let may_use = |cluster: &&Cluster<'_>| deployed.clusters.as_ref().is_none_or(|names| names.contains(cluster.name));
    let positions: Vec<usize> =
        world.fleet.clusters.iter().enumerate().filter(|(_, cluster)| may_use(cluster)).map(|(at, _)| at).collect();
    // What is not ready gets no new replica, and keeps those that it has.
    let is_staged = |cluster: &Cluster<'_>| deployed.staged.as_ref().is_none_or(|names| names.contains(cluster.name));
    let as_seen = |cluster: &Cluster<'w>| Cluster { ready: cluster.ready && is_staged(cluster), ..cluster.clone() };
    let clusters = world.fleet.clusters.iter().filter(may_use).map(as_seen).collect();
    let fleet: Fleet<'w> = Fleet { clusters, devices: world.fleet.devices.clone() };
    let mut replicas: Vec<Replica<'w>> = Vec::new();
    for (owner, all) in settled.replicas.iter().enumerate() {
        replicas.extend(all.iter().map(|replica| Replica { ours: owner == index, ..replica.clone() }));
    }
    let outcome = schedule(&Situation {
        demand: &deployed.demand,
        fleet: &fleet,
        fit: &deployed.fit,
        replicas: &replicas,
        taken: &BTreeMap::new(),
        fill: true,
        strategy: world.strategy,
        accounting: world.accounting,
        budget: world.budget,
    });
    let there: Vec<_> = replicas.into_iter().filter(|replica| replica.ours).collect();
    let after = outcome.placements.iter().map(|placement| observed(deployed, &fleet, &there, placement)).collect();
    let refused =
        outcome.refused.into_iter().filter_map(|it| Some(Refused { cluster: *positions.get(it.cluster)?, ..it }));
    if let Some(row) = settled.refused.get_mut(index) {
        *row = refused.collect();
    }
    if let Some(row) = settled.places.get_mut(index) {
        *row = outcome.placements;
    }
    if let Some(row) = settled.replicas.get_mut(index) {
        *row = after;
    }
    let is_elsewhere = |it: &Overcommitted<'_>| deployed.clusters.as_ref().is_some_and(|all| !all.contains(it.cluster));
    let others = std::mem::take(&mut settled.overcommitted).into_iter().filter(is_elsewhere);
    let mut overcommitted = BTreeMap::new();
    overcommitted.extend(others.chain(outcome.overcommitted).map(|it| ((it.cluster, it.pool), it)));
    settled.overcommitted = overcommitted.into_values().collect();
}

/// A replica as it will be observed in its place. One that stays is as it was.
fn observed<'w>(
    deployed: &'w Deployed<'w>,
    fleet: &Fleet<'w>,
    there: &[Replica<'w>],
    placement: &Placement<'w>,
) -> Replica<'w> {
    let same = |replica: &&Replica<'w>| (replica.cluster, replica.index) == (placement.cluster, placement.index);
    if let Some(name) = placement.retained
        && let Some(replica) = there.iter().filter(same).find(|replica| replica.name == name)
    {
        return replica.clone();
    }
    let engines = placement.engines.iter().filter_map(|placed| {
        let engine = deployed.demand.engines.get(placed.engine)?;
        let members = engine.members.iter().zip(&placed.members).map(|(member, at)| {
            let pool: Option<&Pool<'_>> = fleet.cluster(placement.cluster).and_then(|cluster| cluster.pool(at.pool));
            let devices = pool.and_then(|pool| fleet.devices.get(pool.devices)).map(Vec::as_slice).unwrap_or_default();
            let claimed = at.devices.iter().zip(&member.requests);
            let claimed = claimed.filter(|(device, _)| devices.get(**device).is_some_and(|device| device.claimed));
            let claims: Vec<_> =
                claimed.map(|(device, request)| Claim { device: *device, count: request.count }).collect();
            let nodes = if claims.is_empty() { 0 } else { engine.nodes(member) };
            ReplicaMember { role: member.role, pool: Some(at.pool), nodes, claims }
        });
        Some(ReplicaEngine { name: &engine.name, members: members.collect() })
    });
    let (cluster, index) = (placement.cluster, placement.index);
    Replica { name: "", cluster, index, ours: true, held: false, engines: engines.collect() }
}

/// The taint of a cluster that is drained.
pub(super) fn drained() -> Taint {
    Taint { key: "modelplane.ai/drain".to_owned(), value: String::new(), effect: Effect::NoExecute }
}
