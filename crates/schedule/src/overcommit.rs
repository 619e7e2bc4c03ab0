//! Pools of which more is taken than there is.

use std::collections::{BTreeMap, BTreeSet};

use crate::fleet::{Fleet, Replica};
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
    budget: &mut Budget,
) -> Vec<Overcommitted<'f>> {
    let mut by: BTreeMap<(&str, &str), (u64, BTreeSet<&'f str>)> = BTreeMap::new();
    for replica in replicas {
        for member in replica.engines.iter().flat_map(|engine| &engine.members).filter(|member| member.nodes > 0) {
            let (nodes, names) = by.entry((replica.cluster, member.pool.unwrap_or_default())).or_default();
            *nodes = nodes.saturating_add(member.nodes);
            names.insert(replica.name);
        }
    }
    let names: BTreeSet<&str> = by.keys().map(|(cluster, _)| *cluster).collect();
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    // Of several clusters with one name the last one counts.
    for cluster in fleet.clusters.iter().rev().filter(|cluster| names.contains(cluster.name)) {
        if !seen.insert(cluster.name) {
            continue;
        }
        for pool in &cluster.pools {
            // A pool with a node for each pod is never short, whatever is counted.
            let Some((_, names)) = by.get(&(cluster.name, pool.name)).filter(|(nodes, _)| *nodes > pool.nodes) else {
                continue;
            };
            let one = crate::fleet::Cluster {
                pools: vec![crate::fleet::Pool { free: Vec::new(), ..pool.clone() }],
                ..cluster.clone()
            };
            let only = Fleet { clusters: vec![one], devices: fleet.devices.clone() };
            let ledger = Ledger::new(accounting, &only, replicas.iter().copied());
            if let Some(taken) = ledger.overcommitted(cluster.name, pool, budget) {
                let by = names.iter().copied().collect();
                found.push(Overcommitted { cluster: cluster.name, pool: pool.name, nodes: pool.nodes, taken, by });
            }
        }
    }
    found.sort_by_key(|it| (it.cluster, it.pool));
    found
}
