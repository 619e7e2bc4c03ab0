//! Pools of which more is taken than there is.

use std::collections::{BTreeMap, BTreeSet};

use quantity::order::sorted_by_key;

use crate::fleet::{Cluster, Fleet, Pool, Replica};
use crate::ledger::Ledger;
use crate::search::Budget;
use crate::situation::Accounting;

/// A pool of which more is taken than there is: two deployments were placed at once, one got more copies where it was, or the
/// pool got smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overcommitted<'f> {
    /// The name of the cluster.
    pub cluster: &'f str,
    /// The name of the pool.
    pub pool: &'f str,
    /// Its nodes.
    pub nodes: u64,
    /// The nodes that its pods take, or on which they could be packed.
    pub taken: u64,
    /// The names of the replicas that take them, sorted.
    pub by: Vec<&'f str>,
}

/// The pools of which these replicas take more than there is, sorted by cluster and pool.
pub(crate) fn overcommitted<'f>(
    accounting: Accounting,
    fleet: &Fleet<'f>,
    replicas: &[&Replica<'f>],
    budget: u64,
) -> Vec<Overcommitted<'f>> {
    let crowded = crowded(fleet, replicas);
    if crowded.clusters.is_empty() {
        return Vec::new();
    }
    let mut names = BTreeSet::new();
    names.extend(crowded.clusters.iter().map(|cluster| cluster.name));
    let there: Vec<_> = replicas.iter().copied().filter(|replica| names.contains(replica.cluster)).collect();
    let ledger = Ledger::new(accounting, &crowded, &mut there.iter().copied());
    let pools = crowded.clusters.iter().map(|cluster| cluster.pools.len() as u64).sum::<u64>();
    let mut found = Vec::new();
    for cluster in &crowded.clusters {
        for pool in &cluster.pools {
            // For each pool alike, whatever the order of clusters.
            let mut budget = Budget::new(budget / pools.max(1));
            if let Some(taken) = ledger.overcommitted(cluster.name, pool, &mut budget) {
                let by = there.iter().filter(|replica| replica.cluster == cluster.name && takes(replica, pool.name));
                let mut names = BTreeSet::new();
                names.extend(by.map(|replica| replica.name));
                let (cluster, by) = (cluster.name, names.into_iter().collect());
                found.push(Overcommitted { cluster, pool: pool.name, nodes: pool.nodes, taken, by });
            }
        }
    }
    sorted_by_key(found, |it| (it.cluster, it.pool))
}

/// The pools with more pods than nodes. Any other pool has a node for each pod, so it is never short, whatever is counted.
fn crowded<'f>(fleet: &Fleet<'f>, replicas: &[&Replica<'f>]) -> Fleet<'f> {
    let mut taken: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for replica in replicas {
        let pools = taken.entry(replica.cluster).or_default();
        for member in replica.engines.iter().flat_map(|engine| &engine.members).filter(|member| member.nodes > 0) {
            let nodes = pools.entry(member.pool.unwrap_or_default()).or_default();
            *nodes = nodes.saturating_add(member.nodes);
        }
    }
    let mut clusters = Vec::new();
    // Of several clusters with one name the last one counts.
    for cluster in fleet.clusters.iter().rev() {
        let Some(taken) = taken.remove(cluster.name) else { continue };
        let is_crowded = |pool: &&Pool<'_>| taken.get(pool.name).is_some_and(|nodes| *nodes > pool.nodes);
        // What the cluster has observed is about new replicas.
        let pools = cluster.pools.iter().filter(is_crowded).map(|pool| Pool { free: Vec::new(), ..*pool });
        let pools: Vec<_> = pools.collect();
        if !pools.is_empty() {
            clusters.push(Cluster { name: cluster.name, pools, ..Cluster::default() });
        }
    }
    let devices = if clusters.is_empty() { Vec::new() } else { fleet.devices.clone() };
    Fleet { clusters, devices }
}

fn takes(replica: &Replica<'_>, pool: &str) -> bool {
    let mut members = replica.engines.iter().flat_map(|engine| &engine.members);
    members.any(|member| member.nodes > 0 && member.pool == Some(pool))
}
