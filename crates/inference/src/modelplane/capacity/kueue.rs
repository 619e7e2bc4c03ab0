//! What Kueue can admit on a cluster: the quotas of its ClusterQueues, without what they have given away.

use std::collections::BTreeMap;

use serde_json::Value;

use super::snapshot::{CapacitySnapshot, Sums, list, text};
use crate::modelplane::labels::{INFERENCE_CLUSTER, POOL};

/// The capacity of the pools of a cluster.
///
/// * Of the `ClusterQueue`s those count that have the label `modelplane.ai/inference-cluster` with the name of the cluster. None
///   is an empty snapshot.
/// * A `ResourceFlavor` is a pool: that of its label `modelplane.ai/pool`, or else that of the nodes that it chooses. Without
///   either it is skipped.
/// * What there is, is `nominalQuota`: what a queue may borrow besides depends on others. What is used, is
///   `status.flavorsReservation`, which holds what is admitted and what is about to be, or `status.flavorsUsage`, where that is
///   more. Their field `total` is the quota in use.
pub fn of_kueue(cluster: &str, queues: &[Value], flavors: &[Value], now: &str) -> CapacitySnapshot {
    let pools: BTreeMap<&str, &str> = flavors.iter().filter_map(pool).collect();
    let pool = |flavor: &Value| pools.get(text(flavor, "name")).copied();
    let ours = queues.iter().filter(|queue| text(&queue["metadata"]["labels"], INFERENCE_CLUSTER) == cluster);
    let ours: Vec<_> = ours.collect();
    let mut sums = Sums::default();
    for flavor in ours.iter().flat_map(|queue| list(queue, "/spec/resourceGroups")).flat_map(|it| list(it, "/flavors"))
    {
        let Some(pool) = pool(flavor) else { continue };
        for resource in list(flavor, "/resources") {
            sums.has(pool, text(resource, "name"), &resource["nominalQuota"], 1);
        }
    }
    for queue in ours {
        for reserved in list(queue, "/status/flavorsReservation") {
            let Some(pool) = pool(reserved) else { continue };
            for resource in list(reserved, "/resources") {
                sums.uses(pool, text(resource, "name"), &resource["total"]);
            }
        }
        for used in list(queue, "/status/flavorsUsage") {
            let (Some(pool), flavor) = (pool(used), text(used, "name")) else { continue };
            for resource in list(used, "/resources") {
                let name = text(resource, "name");
                if !is_reserved(queue, flavor, name) {
                    sums.uses(pool, name, &resource["total"]);
                }
            }
        }
    }
    sums.snapshot(now)
}

/// A flavor and its pool.
fn pool(flavor: &Value) -> Option<(&str, &str)> {
    let stated = [&flavor["metadata"]["labels"][POOL], &flavor["spec"]["nodeLabels"][POOL]];
    let pool = stated.into_iter().filter_map(Value::as_str).find(|pool| !pool.is_empty())?;
    Some((flavor["metadata"]["name"].as_str()?, pool))
}

/// Whether a queue says what is reserved of a resource: never less than what is admitted.
fn is_reserved(queue: &Value, flavor: &str, resource: &str) -> bool {
    let mut flavors = list(queue, "/status/flavorsReservation").filter(|it| text(it, "name") == flavor);
    flavors.any(|it| list(it, "/resources").any(|it| text(it, "name") == resource && !it["total"].is_null()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const GPU: &str = "nvidia.com/gpu";

    /// A queue of a cluster with a quota of a flavor, and what is used and reserved of it.
    fn queue(cluster: &str, flavor: &str, quota: Value, used: Value, reserved: Value) -> Value {
        let usage =
            |total: Value| json!([{"name": flavor, "resources": [{"name": GPU, "total": total, "borrowed": "1"}]}]);
        let flavors =
            json!([{"name": flavor, "resources": [{"name": GPU, "nominalQuota": quota, "borrowingLimit": "64"}]}]);
        json!({
            "metadata": {"name": "models", "labels": {"modelplane.ai/inference-cluster": cluster}},
            "spec": {"resourceGroups": [{"coveredResources": [GPU], "flavors": flavors}]},
            "status": {"flavorsUsage": usage(used), "flavorsReservation": usage(reserved)},
        })
    }

    fn flavor(name: &str, labels: Value, node_labels: Value) -> Value {
        json!({"metadata": {"name": name, "labels": labels}, "spec": {"nodeLabels": node_labels}})
    }

    /// The pools with total, used and available of their GPUs.
    #[track_caller]
    fn check(queues: &[Value], want: &[(&str, [i64; 3])]) {
        let flavors = [
            flavor("h200", json!({"modelplane.ai/pool": "frontier"}), json!({"modelplane.ai/pool": "other"})),
            flavor("l4", json!({}), json!({"modelplane.ai/pool": "small"})),
            flavor("cpu", json!({"modelplane.ai/pool": ""}), json!({"kubernetes.io/arch": "arm64"})),
            json!({"metadata": {}}),
        ];
        let snapshot = of_kueue("gpu-east", queues, &flavors, "2026-05-20T10:00:00Z");
        let resource = |pool: &super::super::snapshot::SnapshotPool| {
            let [resource] = &pool.resources[..] else { panic!("{pool:?}") };
            assert_eq!(resource.name, GPU);
            (pool.name.clone(), [resource.total, resource.used, resource.available])
        };
        let found: Vec<_> = snapshot.pools.iter().map(resource).collect();
        let found: Vec<_> = found.iter().map(|(name, figures)| (name.as_str(), *figures)).collect();
        assert_eq!(found, want);
        assert_eq!(snapshot.last_observed, "2026-05-20T10:00:00Z");
    }

    #[test]
    fn queues() {
        let one = |quota, used, reserved| queue("gpu-east", "h200", quota, used, reserved);
        let some = || one(json!("32"), json!("12"), json!("12"));
        check(&[], &[]);
        check(&[some()], &[("frontier", [32, 12, 20])]);
        // Quota that is reserved is gone before its pods are admitted.
        check(&[one(json!(32), json!(12), json!(16))], &[("frontier", [32, 16, 16])]);
        check(&[one(json!(32), json!(12), json!(null))], &[("frontier", [32, 12, 20])]);
        // A queue that has borrowed has nothing of its own left.
        check(&[one(json!(32), json!(40), json!(40))], &[("frontier", [32, 40, 0])]);
        check(&[some(), some()], &[("frontier", [64, 24, 40])]);
        check(
            &[queue("gpu-east", "l4", json!(4), json!(0), json!(0)), some()],
            &[("frontier", [32, 12, 20]), ("small", [4, 0, 4])],
        );
        // Another cluster, a flavor without a pool, and one that does not exist.
        check(&[queue("gpu-west", "h200", json!(4), json!(0), json!(0))], &[]);
        check(&[queue("gpu-east", "cpu", json!(4), json!(0), json!(0))], &[]);
        check(&[queue("gpu-east", "gone", json!(4), json!(0), json!(0))], &[]);
        // What nobody has a quota for is in no pool.
        let mut other = some();
        other["status"]["flavorsUsage"] = json!([{"name": "l4", "resources": [{"name": GPU, "total": "4"}]}]);
        check(&[other], &[("frontier", [32, 12, 20])]);
        let mut new = some();
        new["status"] = json!(null);
        check(&[new], &[("frontier", [32, 0, 32])]);
        check(&[json!({"metadata": {"labels": {"modelplane.ai/inference-cluster": "gpu-east"}}, "spec": []})], &[]);
    }
}
