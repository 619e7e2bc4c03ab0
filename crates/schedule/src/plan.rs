//! What would happen to a fleet: several deployments share it, some of it is lost or added.
//!
//! Everything is the scheduler, asked again. Deployments are placed one after another, in the order of namespace and name;
//! each sees what those before it took, and what those after it had before.

use std::collections::{BTreeMap, BTreeSet};

use crate::demand::Demand;
use crate::fit::Fit;
use crate::fleet::{Claim, Fleet, Pool, Replica, ReplicaEngine, ReplicaMember};
use crate::ledger::Ledger;
use crate::overcommitted::{self, Overcommitted};
use crate::placement::Placement;
use crate::refusal::{Refusal, Refused};
use crate::scheduler::{Outcome, schedule};
use crate::situation::{Accounting, Situation, Strategy};

/// Deployments that share a fleet.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'f> {
    /// All clusters.
    pub fleet: &'f Fleet<'f>,
    /// The deployments, in any order.
    pub deployments: &'f [Deployment<'f>],
    /// How places are found.
    pub strategy: Strategy,
    /// What a pod takes of its node.
    pub accounting: Accounting,
    /// The steps that searches may take for one deployment.
    pub budget: u64,
}

/// A deployment of a fleet.
#[derive(Clone, Debug)]
pub struct Deployment<'f> {
    /// Its namespace.
    pub namespace: &'f str,
    /// Its name.
    pub name: &'f str,
    /// What it wants.
    pub demand: &'f Demand,
    /// Which devices suit its selectors.
    pub fit: &'f Fit,
    /// The names of the clusters that it may use. `None` for all.
    pub clusters: Option<BTreeSet<&'f str>>,
    /// Its replicas that exist.
    pub replicas: Vec<Replica<'f>>,
}

/// A fleet in which every deployment was scheduled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled<'f> {
    /// What became of each deployment, in the order of [`Plan::deployments`]. What is refused names clusters by their index
    /// among those that the deployment may use.
    pub deployments: Vec<Outcome<'f>>,
    /// The replicas that it has then. New ones have the name of the deployment.
    pub replicas: Vec<Vec<Replica<'f>>>,
    /// The pools of which more is taken than there is.
    pub overcommitted: Vec<Overcommitted<'f>>,
    /// The free nodes by list of devices, if each pod has a node of its own: of pools of which more is taken than there is,
    /// none.
    pub free: Vec<u64>,
}

/// How many more replicas of a deployment fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headroom<'f> {
    /// How many: at most as many as were asked for.
    pub more: usize,
    /// Whether there were places for all that were asked for, so there may be more.
    pub is_open: bool,
    /// What is against each cluster after those, as in [`Outcome::refused`].
    pub refused: Vec<Refused>,
    /// The pool that lacks the fewest nodes for another replica. `None` when no pool only lacks nodes.
    pub nearest: Option<Nearest<'f>>,
}

/// The pool that lacks the fewest nodes for another replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest<'f> {
    /// The name of the cluster.
    pub cluster: &'f str,
    /// The name of the pool.
    pub pool: &'f str,
    /// What a replica needs of it, and finds: nodes, or pods when devices are counted.
    pub needed: u64,
    /// See `needed`.
    pub found: i128,
    /// How many more replicas would fit with one more node in it.
    pub with_one_more: usize,
}

/// Settles a fleet.
pub fn settle<'f>(plan: &Plan<'f>) -> Settled<'f> {
    let replicas = plan.deployments.iter().map(|deployment| deployment.replicas.clone()).collect();
    let wanted: Vec<_> = plan.deployments.iter().map(|deployment| deployment.demand.replicas).collect();
    settle_in(plan, plan.fleet, replicas, &wanted)
}

/// Settles another fleet, with other replicas and so many of them.
pub(crate) fn settle_in<'f>(
    plan: &Plan<'f>,
    fleet: &Fleet<'f>,
    replicas: Vec<Vec<Replica<'f>>>,
    wanted: &[usize],
) -> Settled<'f> {
    let deployments = vec![Outcome::default(); plan.deployments.len()];
    let mut settled = Settled { deployments, replicas, ..Settled::default() };
    let mut order: Vec<_> = plan.deployments.iter().enumerate().collect();
    order.sort_by_key(|(_, deployment)| (deployment.namespace, deployment.name));
    for (index, deployment) in order {
        let usable = usable(fleet, deployment);
        let wanted = wanted.get(index).copied().unwrap_or(deployment.demand.replicas);
        let outcome = placed(plan, &usable, &settled.replicas, index, wanted);
        let (Some(of), Some(before)) = (settled.deployments.get_mut(index), settled.replicas.get_mut(index)) else {
            continue;
        };
        *before = outcome.placements.iter().filter_map(|place| occupied(&usable, deployment, before, place)).collect();
        *of = outcome;
    }
    let counted: Vec<_> = settled.replicas.iter().flatten().collect();
    let ledger = Ledger::new(fleet, plan.accounting, counted.iter().copied());
    settled.overcommitted = overcommitted::of(&ledger, &counted);
    settled.free = vec![0; fleet.devices.len()];
    for (_, account) in ledger.accounts() {
        if let Some(free) = settled.free.get_mut(account.pool.devices) {
            let nodes = i128::from(account.pool.nodes) - account.nodes;
            *free = free.saturating_add(u64::try_from(nodes.max(0)).unwrap_or(u64::MAX));
        }
    }
    settled
}

/// How many more replicas of a deployment fit into a settled fleet, of at most so many. The deployment is an index in
/// [`Plan::deployments`]; `None` when there is none.
pub fn headroom<'f>(plan: &Plan<'f>, settled: &Settled<'f>, deployment: usize, most: usize) -> Option<Headroom<'f>> {
    let fleet = usable(plan.fleet, plan.deployments.get(deployment)?);
    let has = settled.replicas.get(deployment)?.len();
    let fits = |fleet: &Fleet<'f>| placed(plan, fleet, &settled.replicas, deployment, has.saturating_add(most));
    let outcome = fits(&fleet);
    let more = outcome.placements.len().saturating_sub(has);
    let lacks = outcome.refused.iter().filter_map(|refused| match refused.why {
        Refusal::NodesShort { pool, needed, found, .. } => {
            let cluster = fleet.clusters.get(refused.cluster)?;
            Some((refused.cluster, cluster.name, pool, cluster.pools.get(pool)?.name, needed, found))
        }
        _ => None,
    });
    // Of equals the first one by name, whatever the order of the fleet.
    let nearest =
        lacks.min_by_key(|(_, cluster, _, pool, needed, found)| (i128::from(*needed) - found, *cluster, *pool));
    let nearest = nearest.and_then(|(number, cluster, index, pool, needed, found)| {
        let mut larger = fleet.clone();
        grow(&fleet, larger.clusters.get_mut(number)?.pools.get_mut(index)?, 1);
        let with_one_more = fits(&larger).placements.len().saturating_sub(has).saturating_sub(more);
        Some(Nearest { cluster, pool, needed, found, with_one_more })
    });
    Some(Headroom { more, is_open: more == most, refused: outcome.refused, nearest })
}

/// Adds nodes to a pool, none of whose devices is taken.
pub(crate) fn grow(fleet: &Fleet<'_>, pool: &mut Pool<'_>, nodes: u64) {
    let devices = fleet.devices.get(pool.devices).map(Vec::as_slice).unwrap_or_default();
    pool.nodes = pool.nodes.saturating_add(nodes);
    for available in &mut pool.available {
        let entries = available.entries.iter().filter_map(|entry| devices.get(*entry));
        let more = entries.map(|device| device.count.saturating_mul(nodes));
        available.devices = more.fold(available.devices, u64::saturating_add);
    }
}

/// The clusters that a deployment may use.
fn usable<'f>(fleet: &Fleet<'f>, deployment: &Deployment<'f>) -> Fleet<'f> {
    let mut fleet = fleet.clone();
    if let Some(names) = &deployment.clusters {
        fleet.clusters.retain(|cluster| names.contains(cluster.name));
    }
    fleet
}

/// Schedules one deployment among the replicas of all.
fn placed<'f>(
    plan: &Plan<'f>,
    fleet: &Fleet<'f>,
    replicas: &[Vec<Replica<'f>>],
    index: usize,
    wanted: usize,
) -> Outcome<'f> {
    let Some(deployment) = plan.deployments.get(index) else { return Outcome::default() };
    let demand = Demand { replicas: wanted, ..deployment.demand.clone() };
    let of = |(owner, replicas): (usize, &Vec<Replica<'f>>)| -> Vec<Replica<'f>> {
        replicas.iter().map(|replica| Replica { ours: owner == index, ..replica.clone() }).collect()
    };
    let replicas: Vec<_> = replicas.iter().enumerate().flat_map(of).collect();
    schedule(&Situation {
        demand: &demand,
        fleet,
        fit: deployment.fit,
        replicas: &replicas,
        taken: &BTreeMap::new(),
        fill: true,
        strategy: plan.strategy,
        accounting: plan.accounting,
        budget: plan.budget,
    })
}

/// A replica in its place, as large as the deployment wants it: also one that stays is changed to that.
fn occupied<'f>(
    fleet: &Fleet<'f>,
    deployment: &Deployment<'f>,
    before: &[Replica<'f>],
    place: &Placement<'f>,
) -> Option<Replica<'f>> {
    let Placement { cluster, index, .. } = *place;
    let stays = |replica: &&Replica<'f>| {
        (Some(replica.name), replica.cluster, replica.index) == (place.retained, cluster, index)
    };
    if let Some(held) = before.iter().find(stays).filter(|replica| replica.held) {
        return Some(held.clone());
    }
    let mut engines = Vec::new();
    for placed in &place.engines {
        let engine = deployment.demand.engines.get(placed.engine)?;
        let mut members = Vec::new();
        for (member, at) in engine.members.iter().zip(&placed.members) {
            let devices = fleet.devices.get(fleet.cluster(cluster)?.pool(at.pool)?.devices)?;
            let requests = member.requests.iter().zip(&at.devices);
            let claims = requests.map(|(request, device)| Claim { device: *device, count: request.count });
            let is_claimed = |claim: &Claim| devices.get(claim.device).is_some_and(|device| device.claimed);
            let claims: Vec<_> = claims.filter(is_claimed).collect();
            let nodes = if claims.is_empty() { 0 } else { engine.nodes(member) };
            members.push(ReplicaMember { role: member.role, pool: Some(at.pool), nodes, claims });
        }
        engines.push(ReplicaEngine { name: &engine.name, members });
    }
    let name = place.retained.unwrap_or(deployment.name);
    Some(Replica { name, cluster, index, ours: false, held: false, engines })
}
