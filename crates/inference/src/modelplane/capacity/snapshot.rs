//! The capacity of the pools of a cluster, as somebody in the cluster has seen it.

use std::collections::BTreeMap;

use quantity::Quantity;
use quantity::order::{sorted, sorted_by_key};
use serde::Serialize;
use serde_json::Value;

/// The most pools, and the most resources of a pool: the bounds of the definition.
const MOST_POOLS: usize = 8;
const MOST_RESOURCES: usize = 16;

/// A snapshot: `status.capacity` without `gpuPools`, which has another writer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CapacitySnapshot {
    /// When it was taken (RFC 3339).
    pub last_observed: String,
    /// The pools of which something is known, by name.
    pub pools: Vec<SnapshotPool>,
}

/// A pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SnapshotPool {
    /// Its name.
    pub name: String,
    /// Its resources, by name: devices, `cpu` and `memory`.
    pub resources: Vec<SnapshotResource>,
}

/// A resource of a pool, in whole units on all nodes together: devices, cores, bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SnapshotResource {
    /// Its name, e.g. `nvidia.com/gpu`.
    pub name: String,
    /// How much there is.
    pub total: i64,
    /// How much of it is used.
    pub used: i64,
    /// The rest. Where more is used than there is, 0.
    pub available: i64,
}

/// Collects what there is of the resources of pools, and what is used of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums<'a> {
    /// By pool and resource.
    pools: BTreeMap<&'a str, BTreeMap<&'a str, (i64, i64)>>,
}

impl<'a> Sums<'a> {
    /// Adds what there is of a resource. A part of a unit is no unit.
    pub(super) fn has(&mut self, pool: &'a str, resource: &'a str, amount: &Value, times: i64) {
        if let (Some(amount), true) = (read(amount), is_stated(resource)) {
            let (total, _) = self.pools.entry(pool).or_default().entry(resource).or_default();
            // Whole units, rounded down.
            *total = total.saturating_add(amount.negated().ceil().saturating_neg().saturating_mul(times));
        }
    }

    /// Adds what is used of a resource, if it is known how much there is. A part of a unit is a unit.
    pub(super) fn uses(&mut self, pool: &str, resource: &str, amount: &Value) {
        let known = self.pools.get_mut(pool).and_then(|resources| resources.get_mut(resource));
        if let (Some((_, used)), Some(amount)) = (known, read(amount)) {
            *used = used.saturating_add(amount.ceil());
        }
    }

    /// The snapshot. Of more resources than the definition has room for, devices come first.
    pub(super) fn snapshot(self, now: &str) -> CapacitySnapshot {
        let pools = self.pools.into_iter().take(MOST_POOLS).map(|(name, resources)| {
            let resources = resources.into_iter().map(resource).collect();
            let mut resources = sorted_by_key(resources, |resource| !resource.name.contains('/'));
            resources.truncate(MOST_RESOURCES);
            let resources = sorted(resources, |one, other| one.name.cmp(&other.name));
            SnapshotPool { name: name.to_owned(), resources }
        });
        CapacitySnapshot { last_observed: now.to_owned(), pools: pools.collect() }
    }
}

/// A list in an object, or nothing.
pub(super) fn list<'v>(object: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> {
    object.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

/// A text in an object. Empty when it has none.
pub(super) fn text<'v>(object: &'v Value, key: &str) -> &'v str {
    object[key].as_str().unwrap_or_default()
}

fn resource((name, (total, used)): (&str, (i64, i64))) -> SnapshotResource {
    SnapshotResource { name: name.to_owned(), total, used, available: total.saturating_sub(used).max(0) }
}

/// Devices have a domain. Of the others only these are of interest.
fn is_stated(resource: &str) -> bool {
    resource.contains('/') || ["cpu", "memory"].contains(&resource)
}

/// An amount: a quantity, or a number.
pub(super) fn read(amount: &Value) -> Option<Quantity> {
    match amount {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use contract::types::KindRef;
    use serde_json::json;

    use super::*;

    #[test]
    fn sums() {
        #[track_caller]
        fn check(total: Value, used: Value, want: Option<[i64; 3]>) {
            let mut sums = Sums::default();
            sums.has("p", "nvidia.com/gpu", &total, 1);
            sums.uses("p", "nvidia.com/gpu", &used);
            sums.uses("q", "nvidia.com/gpu", &used);
            sums.uses("p", "amd.com/gpu", &used);
            let found = sums.snapshot("now").pools;
            let resources: Vec<_> = found.iter().flat_map(|pool| &pool.resources).collect();
            assert_eq!(resources.first().map(|it| [it.total, it.used, it.available]), want);
            assert!(resources.len() <= 1);
        }
        check(json!(32), json!("12"), Some([32, 12, 20]));
        check(json!("8"), json!(9), Some([8, 9, 0]));
        check(json!("7900m"), json!("500m"), Some([7, 1, 6]));
        check(json!("80Gi"), json!("1G"), Some([85_899_345_920, 1_000_000_000, 84_899_345_920]));
        check(json!("8"), json!(null), Some([8, 0, 8]));
        check(json!("8"), json!("many"), Some([8, 0, 8]));
        check(json!("9e18"), json!("0"), Some([9_000_000_000_000_000_000, 0, 9_000_000_000_000_000_000]));
        check(json!("9e30"), json!("1"), Some([i64::MAX, 1, i64::MAX - 1]));
        check(json!("many"), json!("1"), None);
        check(json!(null), json!("1"), None);
    }

    #[test]
    fn bounds_of_the_definition() {
        let names: Vec<_> = (10..40).map(|number| format!("example.org/{number}")).collect();
        let mut sums = Sums::default();
        for pool in &names {
            for resource in names.iter().map(String::as_str).chain(["cpu", "memory", "pods"]) {
                sums.has(pool, resource, &json!(1), 1);
            }
        }
        let pools = sums.snapshot("now").pools;
        assert_eq!(pools.len(), MOST_POOLS);
        for pool in pools {
            assert_eq!(pool.resources.len(), MOST_RESOURCES);
            assert!(pool.resources.iter().all(|resource| resource.name.starts_with("example.org/")));
            assert!(pool.resources.is_sorted_by_key(|resource| &resource.name));
        }
    }

    #[test]
    fn as_json() {
        let mut sums = Sums::default();
        sums.has("frontier", "nvidia.com/gpu", &json!(16), 2);
        sums.has("frontier", "pods", &json!(16), 2);
        sums.uses("frontier", "nvidia.com/gpu", &json!(12));
        let want = json!({
            "lastObserved": "2026-05-20T10:00:00Z",
            "pools": [{
                "name": "frontier",
                "resources": [{"name": "nvidia.com/gpu", "total": 32, "used": 12, "available": 20}],
            }],
        });
        let snapshot = json!(sums.snapshot("2026-05-20T10:00:00Z"));
        assert_eq!(snapshot, want);
        let cluster = KindRef { api_version: "modelplane.ai/v1alpha1".to_owned(), kind: "InferenceCluster".to_owned() };
        let definition = (crate::KINDS.find(&cluster).expect("a kind").definition)().document();
        let status = "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/capacity";
        assert_declared(definition.pointer(status).expect("a field"), &snapshot);
    }

    /// What the definition does not declare is dropped.
    #[track_caller]
    fn assert_declared(schema: &Value, value: &Value) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| assert_declared(&schema["properties"][name], value));
            }
            Value::Array(items) => items.iter().for_each(|item| assert_declared(&schema["items"], item)),
            Value::Number(_) => assert_eq!(schema["type"], "integer"),
            _ => assert_eq!(schema["type"], "string"),
        }
    }
}
