//! What KAI can admit on a cluster. KAI itself publishes what its queues have taken; what there is, nodes say.

use std::collections::BTreeMap;

use quantity::Quantity;
use serde_json::Value;
use toolbox::conditions::holds;

use super::snapshot::{CapacitySnapshot, Sums, list, read, text};
use crate::modelplane::labels::POOL;

/// The capacity of the pools of a cluster.
///
/// * What there is, is `status.allocatable` of the nodes with the label `modelplane.ai/pool`. A node that is cordoned or not ready
///   gives nothing.
/// * A pool that grows on demand has nodes that do not exist yet: those that `status.gpuPools` of the InferenceCluster counts
///   beyond them. They are taken to be like the largest one there is. A pool without any node is left out.
/// * What is used, is `status.allocated` of the `Queue`s with the label `modelplane.ai/pool`: others may be on any pool. A queue has
///   what the queues below it have, so of these only the highest one counts.
pub fn of_kai(cluster: &Value, queues: &[Value], nodes: &[Value], now: &str) -> CapacitySnapshot {
    let by_name: BTreeMap<&str, &Value> =
        queues.iter().map(|queue| (text(&queue["metadata"], "name"), queue)).collect();
    let mut sums = Sums::default();
    for (pool, nodes) in pools(nodes) {
        for node in nodes.iter().filter(|node| is_usable(node)) {
            amounts(&node["status"]["allocatable"]).for_each(|(name, amount)| sums.has(pool, name, amount, 1));
        }
        let published = list(cluster, "/status/gpuPools").find(|it| text(it, "name") == pool);
        let published = published.and_then(|it| it["nodes"].as_i64()).unwrap_or_default();
        let missing = published.saturating_sub(i64::try_from(nodes.len()).unwrap_or(i64::MAX));
        if missing > 0 {
            largest(&nodes).into_iter().for_each(|(name, (_, amount))| sums.has(pool, name, amount, missing));
        }
    }
    for queue in queues {
        let Some(pool) = pool(queue).filter(|pool| !is_below(queue, pool, &by_name)) else { continue };
        amounts(&queue["status"]["allocated"]).for_each(|(name, amount)| sums.uses(pool, name, amount));
    }
    sums.snapshot(now)
}

fn pool(object: &Value) -> Option<&str> {
    object["metadata"]["labels"][POOL].as_str().filter(|pool| !pool.is_empty())
}

/// The nodes of each pool.
fn pools(nodes: &[Value]) -> BTreeMap<&str, Vec<&Value>> {
    let mut pools: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for node in nodes {
        if let Some(pool) = pool(node) {
            pools.entry(pool).or_default().push(node);
        }
    }
    pools
}

fn is_usable(node: &Value) -> bool {
    node["spec"]["unschedulable"] != true && holds(node, "Ready")
}

fn amounts(resources: &Value) -> impl Iterator<Item = (&str, &Value)> {
    resources.as_object().into_iter().flatten().map(|(name, amount)| (name.as_str(), amount))
}

/// The most of each resource that one of the nodes has.
fn largest<'v>(nodes: &[&'v Value]) -> BTreeMap<&'v str, (Quantity, &'v Value)> {
    let mut largest: BTreeMap<&str, (Quantity, &Value)> = BTreeMap::new();
    for (name, amount) in nodes.iter().flat_map(|node| amounts(&node["status"]["allocatable"])) {
        let Some(read) = read(amount) else { continue };
        if largest.get(name).is_none_or(|(known, _)| *known < read) {
            largest.insert(name, (read, amount));
        }
    }
    largest
}

/// Whether a queue above this one has a label for the same pool.
fn is_below(queue: &Value, of: &str, by_name: &BTreeMap<&str, &Value>) -> bool {
    let above = |queue: &Value| by_name.get(text(&queue["spec"], "parentQueue")).copied();
    // A circle has at most as many queues as there are.
    let all = std::iter::successors(above(queue), |queue| above(queue)).take(by_name.len());
    all.into_iter().any(|it| !std::ptr::eq(it, queue) && pool(it) == Some(of))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(pool: &str, gpus: u32) -> Value {
        json!({
            "metadata": {"labels": {"modelplane.ai/pool": pool}},
            "status": {
                "allocatable": {"nvidia.com/gpu": gpus.to_string(), "pods": "110"},
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        })
    }

    fn queue(name: &str, above: &str, pool: &str, gpus: Value) -> Value {
        json!({
            "metadata": {"name": name, "labels": {"modelplane.ai/pool": pool}},
            "spec": {"parentQueue": above, "resources": {"gpu": {"quota": 4, "limit": -1}}},
            "status": {"allocated": {"nvidia.com/gpu": gpus}, "requested": {"nvidia.com/gpu": 99}},
        })
    }

    /// The pools with total, used and available of their GPUs, on a cluster with a pool of at most four nodes.
    #[track_caller]
    fn check(nodes: &[Value], queues: &[Value], want: &[(&str, [i64; 3])]) {
        let cluster = json!({"status": {"gpuPools": [{"name": "h200", "nodes": 4}, {"name": "l4"}]}});
        let snapshot = of_kai(&cluster, queues, nodes, "2026-05-20T10:00:00Z");
        let found = snapshot.pools.iter().flat_map(|pool| pool.resources.iter().map(move |it| (pool, it)));
        let found: Vec<_> =
            found.map(|(pool, it)| (pool.name.as_str(), it.name.as_str(), [it.total, it.used, it.available])).collect();
        let want: Vec<_> = want.iter().map(|(pool, figures)| (*pool, "nvidia.com/gpu", *figures)).collect();
        assert_eq!(found, want);
        assert_eq!(snapshot.last_observed, "2026-05-20T10:00:00Z");
    }

    #[test]
    fn nodes() {
        let four = [8, 8, 8, 8].map(|gpus| node("h200", gpus));
        check(&[], &[], &[]);
        check(&four, &[], &[("h200", [32, 0, 32])]);
        // Nodes that are to come.
        check(&four[..1], &[], &[("h200", [32, 0, 32])]);
        check(&[node("h200", 0), node("h200", 8)], &[], &[("h200", [24, 0, 24])]);
        // Nobody knows how many there will be.
        check(&[node("l4", 1), node("l4", 1), node("", 8), json!({})], &[], &[("l4", [2, 0, 2])]);
        let mut cordoned = four.clone();
        cordoned[0]["spec"] = json!({"unschedulable": true});
        cordoned[1]["status"]["conditions"] = json!([{"type": "Ready", "status": "Unknown"}]);
        check(&cordoned, &[], &[("h200", [16, 0, 16])]);
    }

    #[test]
    fn queues() {
        let nodes = [8, 8, 8, 8].map(|gpus| node("h200", gpus));
        let check = |queues: &[Value], used: i64| check(&nodes, queues, &[("h200", [32, used, (32 - used).max(0)])]);
        check(&[queue("a", "", "h200", json!("12"))], 12);
        check(&[queue("a", "", "h200", json!(12)), queue("b", "", "h200", json!("500m"))], 13);
        check(&[queue("a", "", "h200", json!(40))], 40);
        check(&[queue("a", "", "", json!(12)), queue("b", "", "l4", json!(12)), json!({})], 0);
        // The queue above has what is below it.
        let above = queue("a", "", "h200", json!(12));
        check(&[queue("b", "a", "h200", json!(8)), above.clone(), queue("c", "b", "h200", json!(4))], 12);
        check(&[queue("b", "", "", json!(8)), above, queue("c", "b", "h200", json!(4))], 16);
        check(&[queue("a", "b", "h200", json!(1)), queue("b", "a", "", json!(2))], 1);
        check(&[queue("a", "a", "h200", json!(1))], 1);
    }
}
