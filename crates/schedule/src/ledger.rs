use std::collections::BTreeMap;

use crate::fleet::{Cluster, Fleet, Replica};

/// The free nodes of every pool. They are negative where more is taken than there is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger<'f> {
    /// By cluster and pool.
    free: BTreeMap<&'f str, BTreeMap<&'f str, i128>>,
}

impl<'f> Ledger<'f> {
    /// All nodes of the fleet, without those that these replicas take. Pods that are pinned to a pool that no cluster
    /// publishes never run, so they take nothing.
    pub(crate) fn new<'r>(fleet: &Fleet<'f>, replicas: impl Iterator<Item = &'r Replica<'r>>) -> Self {
        let pools =
            |cluster: &Cluster<'f>| cluster.pools.iter().map(|pool| (pool.name, i128::from(pool.nodes))).collect();
        let free = fleet.clusters.iter().map(|cluster| (cluster.name, pools(cluster))).collect();
        let mut ledger = Self { free };
        for replica in replicas {
            for member in replica.engines.iter().flat_map(|engine| &engine.members) {
                let pool = member.pool.unwrap_or_default();
                ledger.take(replica.cluster, pool, i128::from(member.nodes));
            }
        }
        ledger
    }

    pub(crate) fn free(&self, cluster: &str, pool: &str) -> i128 {
        self.free.get(cluster).and_then(|pools| pools.get(pool)).copied().unwrap_or_default()
    }

    /// Takes nodes of a pool. A negative number gives them back.
    pub(crate) fn take(&mut self, cluster: &str, pool: &str, nodes: i128) {
        if let Some(free) = self.free.get_mut(cluster).and_then(|pools| pools.get_mut(pool)) {
            *free -= nodes;
        }
    }
}
