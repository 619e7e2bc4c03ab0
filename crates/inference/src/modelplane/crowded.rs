//! Node pools of which more is taken than there is: two deployments were placed at once, one got more copies where it was, or a
//! pool got smaller.

use quantity::order::sorted;
use schedule::{Outcome, Overcommitted};
use serde::Serialize;

use super::scheduling::neighbours::Neighbours;

/// The most replicas of a pool that are named.
const NAMED: usize = 10;

/// Such a pool, as the status has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CrowdedPool {
    /// Cluster and pool, e.g. `gpu-west/h200`.
    pub pool: String,
    /// The nodes of the pool.
    pub nodes: u64,
    /// The nodes that its pods need.
    pub taken: u64,
    /// How many replicas these are of.
    pub replicas: usize,
    /// The first of them by namespace and name.
    pub by: Vec<String>,
}

impl CrowdedPool {
    /// What is wrong, in words.
    pub fn message(&self) -> String {
        let Self { pool, nodes, taken, replicas, by } = self;
        let more = replicas.saturating_sub(by.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{pool} has {nodes} of the {taken} nodes that its pods need: {}{more}", by.join(", "))
    }
}

/// The pools of a schedule of which more is taken than there is, where replicas of the deployment are that stay.
pub fn crowded(outcome: &Outcome<'_>, neighbours: &Neighbours<'_>) -> Vec<CrowdedPool> {
    let is_ours = |it: &&Overcommitted<'_>| {
        let kept = outcome.placements.iter().filter(|placement| placement.cluster == it.cluster);
        kept.filter_map(|placement| placement.retained).any(|name| it.by.contains(&name))
    };
    let row = |it: &Overcommitted<'_>| {
        let there = neighbours.replicas.iter().filter(|replica| replica.cluster == it.cluster);
        let takes = there.filter(|replica| it.by.binary_search(&replica.name).is_ok());
        let by = takes.map(|replica| format!("{}/{}", replica.namespace, replica.name)).collect();
        let mut by = sorted(by, String::cmp);
        let replicas = by.len();
        by.truncate(NAMED);
        CrowdedPool { pool: format!("{}/{}", it.cluster, it.pool), nodes: it.nodes, taken: it.taken, replicas, by }
    };
    outcome.overcommitted.iter().filter(is_ours).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let row = |replicas, by: &[&str]| CrowdedPool {
            pool: "a/p".to_owned(),
            nodes: 2,
            taken: 3,
            replicas,
            by: by.iter().map(|&name| name.to_owned()).collect(),
        };
        assert_eq!(row(2, &["ml/x", "ml/y"]).message(), "a/p has 2 of the 3 nodes that its pods need: ml/x, ml/y");
        assert_eq!(
            row(12, &["ml/x", "ml/y"]).message(),
            "a/p has 2 of the 3 nodes that its pods need: ml/x, ml/y and 10 more"
        );
    }
}
