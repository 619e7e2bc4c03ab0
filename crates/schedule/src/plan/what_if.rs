use std::collections::BTreeSet;

use super::world::{Settled, World, drained};
use crate::fleet::Pool;
use crate::placement::Placement;

/// A change of a fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit<'f> {
    /// A cluster is lost, or one of its pools.
    Lose {
        /// The name of the cluster.
        cluster: &'f str,
        /// The name of the pool. `None` for the whole cluster.
        pool: Option<&'f str>,
    },
    /// A cluster is drained: replicas leave it, unless their deployment tolerates every taint.
    Drain {
        /// The name of the cluster.
        cluster: &'f str,
    },
    /// A pool of a cluster gets more nodes. It is new if the cluster has none of this name.
    Add {
        /// The name of the cluster.
        cluster: &'f str,
        /// The name of the pool.
        pool: &'f str,
        /// The devices of each node: an index in the lists of the fleet.
        devices: usize,
        /// How many nodes.
        nodes: u64,
    },
    /// A deployment gets another number of replicas.
    Scale {
        /// The deployment: an index.
        deployment: usize,
        /// How many it wants.
        replicas: usize,
    },
}

/// What differs for a deployment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference<'f> {
    /// The replicas that move.
    pub moves: Vec<Move<'f>>,
    /// The places of replicas that are not there any more: they found no other place, or are not wanted.
    pub gone: Vec<Placement<'f>>,
    /// The places of new replicas.
    pub new: Vec<Placement<'f>>,
    /// How many of those that are wanted have no place. What is against the clusters is in [`Settled::refused`].
    pub without_place: usize,
    /// How many of those that ran and are still wanted have no place.
    pub lost: usize,
}

/// A replica that moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<'f> {
    /// Where it was.
    pub from: Placement<'f>,
    /// Where it goes.
    pub to: Placement<'f>,
}

/// The world after changes: those of deployments and fleet. Its replicas are those of the settled world. `None` when a change
/// names a cluster, a pool or a deployment that does not exist, or a pool has other devices: with the change's index.
///
/// # Errors
/// The index of the first change that does not fit the world.
pub fn edited<'f>(world: &World<'f>, settled: &Settled<'f>, edits: &[Edit<'f>]) -> Result<World<'f>, usize> {
    let mut after = world.clone();
    for (deployed, replicas) in after.deployments.iter_mut().zip(&settled.replicas) {
        deployed.replicas.clone_from(replicas);
    }
    for (index, edit) in edits.iter().enumerate() {
        edit_one(&mut after, edit).ok_or(index)?;
    }
    Ok(after)
}

fn edit_one<'f>(world: &mut World<'f>, edit: &Edit<'f>) -> Option<()> {
    let clusters = &mut world.fleet.clusters;
    match *edit {
        Edit::Lose { cluster, pool: None } => {
            clusters.iter().find(|it| it.name == cluster)?;
            clusters.retain(|it| it.name != cluster);
        }
        Edit::Lose { cluster, pool: Some(pool) } => {
            let cluster = clusters.iter_mut().find(|it| it.name == cluster)?;
            cluster.pool(pool)?;
            cluster.pools.retain(|it| it.name != pool);
        }
        Edit::Drain { cluster } => clusters.iter_mut().find(|it| it.name == cluster)?.taints.push(drained()),
        Edit::Add { cluster, pool, devices, nodes } => {
            let cluster = clusters.iter_mut().find(|it| it.name == cluster)?;
            world.fleet.devices.get(devices)?;
            match cluster.pools.iter_mut().find(|it| it.name == pool) {
                Some(known) if known.devices == devices => {
                    known.nodes = known.nodes.saturating_add(nodes);
                    // What the cluster has observed does not know the new nodes.
                    known.free.clear();
                }
                Some(_) => return None,
                None => cluster.pools.push(Pool { name: pool, nodes, devices, free: Vec::new() }),
            }
        }
        Edit::Scale { deployment, replicas } => world.deployments.get_mut(deployment)?.demand.replicas = replicas,
    }
    Some(())
}

/// What differs for each deployment between two settled worlds.
pub fn difference<'f>(world: &World<'_>, before: &Settled<'f>, after: &Settled<'f>) -> Vec<Difference<'f>> {
    let rows = world.deployments.iter().zip(before.places.iter().zip(&after.places));
    rows.map(|(deployed, (before, after))| of_deployment(deployed.demand.replicas, before, after)).collect()
}

fn of_deployment<'f>(wanted: usize, before: &[Placement<'f>], after: &[Placement<'f>]) -> Difference<'f> {
    let without = |places: &[Placement<'f>], others: &[Placement<'f>]| -> Vec<Placement<'f>> {
        let mut known = BTreeSet::new();
        known.extend(others.iter().map(place));
        places.iter().filter(|it| !known.contains(&place(it))).cloned().collect()
    };
    let (mut gone, mut new) = (without(before, after), without(after, before));
    let mut moves = Vec::new();
    // First those that stay on their cluster, with another pool.
    for same_cluster in [true, false] {
        let mut rest = Vec::new();
        for from in gone {
            match new.iter().position(|to| !same_cluster || (to.cluster, to.index) == (from.cluster, from.index)) {
                Some(at) => moves.push(Move { from, to: new.remove(at) }),
                None => rest.push(from),
            }
        }
        gone = rest;
    }
    let lost = before.len().min(wanted).saturating_sub(after.len());
    Difference { moves, gone, new, without_place: wanted.saturating_sub(after.len()), lost }
}

/// What makes a place another one: cluster, index, and the pools of the engines. One that is held has no pools.
fn place<'p>(placement: &'p Placement<'_>) -> (&'p str, i64, BTreeSet<(usize, Vec<&'p str>)>) {
    let pools = placement.engines.iter().map(|it| (it.engine, it.members.iter().map(|member| member.pool).collect()));
    let mut all = BTreeSet::new();
    all.extend(pools);
    (placement.cluster, placement.index, all)
}
