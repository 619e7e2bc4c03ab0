use super::world::{Settled, World, place};
use crate::refusal::Refusal;

/// How many more replicas of a deployment fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headroom {
    /// How many more than it has now.
    pub more: usize,
    /// Whether there may be more still: only so many were tried.
    pub at_least: bool,
    /// What keeps the next one from its place, if that is nodes.
    pub scarce: Option<Scarce>,
}

/// The pool that comes nearest to a further replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scarce {
    /// The cluster: an index in the fleet.
    pub cluster: usize,
    /// The pool: an index in the cluster.
    pub pool: usize,
    /// The devices of its nodes: an index in the lists of the fleet.
    pub devices: usize,
    /// What the engine needs there, in nodes or pods.
    pub needed: u64,
    /// What it finds.
    pub found: i128,
    /// How many more replicas fit with one more node in this pool.
    pub with_one_more: usize,
}

/// How many more replicas of a deployment fit in a settled world, at most so many. Those of other deployments stay.
pub fn headroom(world: &World<'_>, settled: &Settled<'_>, deployment: usize, most: usize) -> Headroom {
    let (more, scarce) = tried(world, settled, deployment, most);
    let scarce = scarce.filter(|_| more < most).map(|mut scarce| {
        let mut larger = world.clone();
        let cluster = larger.fleet.clusters.get_mut(scarce.cluster);
        if let Some(pool) = cluster.and_then(|cluster| cluster.pools.get_mut(scarce.pool)) {
            pool.nodes = pool.nodes.saturating_add(1);
            // What the cluster has observed does not know the new node.
            pool.free.clear();
        }
        scarce.with_one_more = tried(&larger, settled, deployment, most).0.saturating_sub(more);
        scarce
    });
    Headroom { more, at_least: more >= most, scarce }
}

fn tried(world: &World<'_>, settled: &Settled<'_>, deployment: usize, most: usize) -> (usize, Option<Scarce>) {
    // All others stay where they are, so only this one is placed.
    let had = settled.replicas.get(deployment).map_or(0, Vec::len);
    let mut fixed = world.clone();
    if let Some(deployed) = fixed.deployments.get_mut(deployment) {
        deployed.demand.replicas = had.saturating_add(most);
    }
    let mut after = Settled { refused: vec![Vec::new(); fixed.deployments.len()], ..settled.clone() };
    place(&fixed, &mut after, deployment);
    let has = after.places.get(deployment).map_or(0, Vec::len);
    let refused = after.refused.get(deployment).map(Vec::as_slice).unwrap_or_default();
    let scarce = refused.iter().filter_map(|refused| {
        let Refusal::NodesShort { pool, needed, found, .. } = refused.why else { return None };
        let cluster = fixed.fleet.clusters.get(refused.cluster)?;
        let devices = cluster.pools.get(pool)?.devices;
        let missing = i128::from(needed) - found;
        Some((
            (missing, cluster.name),
            Scarce { cluster: refused.cluster, pool, devices, needed, found, with_one_more: 0 },
        ))
    });
    let nearest = scarce.min_by_key(|(key, _)| *key).map(|(_, scarce)| scarce);
    (has.saturating_sub(had), nearest)
}
