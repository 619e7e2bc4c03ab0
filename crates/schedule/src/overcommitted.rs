use std::collections::BTreeMap;

use crate::fleet::Replica;
use crate::ledger::Ledger;
use crate::search::Budget;

/// The steps that one pool may take. One that takes more is not reported, because nobody knows.
const MOST_STEPS: u64 = 2_000;

/// A pool of which more is taken than there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overcommitted<'f> {
    /// The name of the cluster.
    pub cluster: &'f str,
    /// The name of the pool.
    pub pool: &'f str,
    /// The nodes that it has.
    pub size: u64,
    /// The nodes that are taken. When devices are counted: those that are taken if pods share nodes as well as a simple
    /// rule lets them.
    pub taken: u64,
    /// Who takes them, by name.
    pub by: Vec<Taker<'f>>,
}

/// A replica that takes nodes of a pool.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taker<'f> {
    /// The name of the replica.
    pub replica: &'f str,
    /// The nodes that its pods take if each has one of its own.
    pub nodes: u64,
}

/// The pools of which these replicas take more than there is.
pub(crate) fn of<'f>(ledger: &Ledger<'_, 'f>, counted: &[&Replica<'f>]) -> Vec<Overcommitted<'f>> {
    let mut found = Vec::new();
    let mut on: BTreeMap<&str, Vec<&Replica<'f>>> = BTreeMap::new();
    for (cluster, account) in ledger.accounts() {
        if let Some(taken) = account.overcommitted(&mut Budget::new(MOST_STEPS)) {
            let (pool, size) = (account.pool.name, account.pool.nodes);
            if on.is_empty() {
                // Most fleets have no such pool.
                counted.iter().for_each(|replica| on.entry(replica.cluster).or_default().push(replica));
            }
            let by = on.get(cluster).into_iter().flatten();
            let mut by: Vec<_> = by.filter_map(|replica| taker(replica, pool)).collect();
            by.sort();
            found.push(Overcommitted { cluster, pool, size, taken: u64::try_from(taken).unwrap_or(u64::MAX), by });
        }
    }
    found.sort_by(|a, b| (a.cluster, a.pool).cmp(&(b.cluster, b.pool)));
    found
}

/// What a replica takes of a pool.
fn taker<'f>(replica: &Replica<'f>, pool: &str) -> Option<Taker<'f>> {
    let members = replica.engines.iter().flat_map(|engine| &engine.members);
    let nodes = members.filter(|member| member.pool == Some(pool)).map(|member| member.nodes);
    let nodes = nodes.fold(0, u64::saturating_add);
    (nodes > 0).then_some(Taker { replica: replica.name, nodes })
}
