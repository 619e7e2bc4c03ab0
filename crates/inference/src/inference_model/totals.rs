//! The memory of pools: from the options, from an object that they name, or from the nodes.

use std::collections::BTreeMap;

use budget::memory;
use budget::pool::{Limits, Total, pairs, total_in};
use contract::compose::ComposeRequest;
use contract::types::{ObservedObject, Selector};
use quantity::Quantity;
use serde::Deserialize;
use serde_json::Value;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::fields::{self, field, map};

use super::options::{InferenceModelOptions, PoolsFrom, PoolsFromKind};
use super::resources::{CONFIG_MAPS, ENVIRONMENT_CONFIGS, NODES, kind};

/// The lookup of the object with totals.
pub const POOLS: &str = "pools";
/// The lookup of nodes.
pub const NODES_OF_POOL: &str = "nodes";

/// The annotation with the memory of a node.
const NODE_BUDGET: &str = "inference.eh-ops.io/memory-budget";

/// What is known of the memory of pools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The limits. `None` while nobody has looked for them.
    pub limits: Option<Limits>,
    /// What is wrong with an object that has totals, with the reason.
    pub wrong: Option<(Wrong, String)>,
    /// What is looked up for them.
    pub lookups: BTreeMap<String, Selector>,
}

/// What is wrong with an object that has totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It does not exist.
    Missing,
    /// A total in it is no amount of memory.
    Unreadable,
}

/// Reads the totals for a model in the pool `key`.
pub fn read(request: &ComposeRequest, options: &InferenceModelOptions, namespace: &str, key: &str) -> Totals {
    let mut totals = Totals::default();
    let mut limits = Limits {
        ceiling: options.max_model_memory.as_ref().map(|total| memory::of(&total.0)),
        others_unknown: options.node_discovery,
        pools: BTreeMap::new(),
    };
    let mut is_known = true;
    if let Some(from) = &options.pools_from {
        match object(request, from, namespace, &mut totals.lookups) {
            Found::Pending => is_known = false,
            Found::Missing => {
                totals.wrong = Some((Wrong::Missing, missing(from, namespace)));
                limits.pools.insert(key.to_owned(), Total::Unknown);
            }
            Found::Present(data) => of_object(&data, from, &mut limits, &mut totals),
        }
    }
    // The options come first, whichever way a pool is spelled there.
    limits.pools.retain(|pool, _| !other_spellings(pool).any(|other| options.pools.contains_key(&other)));
    for (pool, total) in &options.pools {
        limits.pools.insert(pool.clone(), Total::Bytes(memory::of(&total.0)));
    }
    match total_in(|key| limits.pools.get(key), key) {
        Some(_) => {}
        None if !options.node_discovery => {}
        // The nodes are asked only once it is known that nothing else says how much there is.
        None if !is_known => {}
        None => {
            let labels: Vec<_> = pairs(key).collect();
            totals.lookups.insert(NODES_OF_POOL.to_owned(), lookup_all(kind(&NODES), None, &labels));
            match request.lookups.get(NODES_OF_POOL) {
                None => is_known = false,
                Some(nodes) => {
                    let all: Result<Vec<i128>, String> = nodes.iter().map(of_node).collect();
                    let total = match all {
                        Ok(all) => Total::Bytes(all.iter().sum()),
                        Err(why) => {
                            totals.wrong = Some((Wrong::Unreadable, why));
                            Total::Unknown
                        }
                    };
                    limits.pools.insert(key.to_owned(), total);
                }
            }
        }
    }
    totals.limits = is_known.then_some(limits);
    totals
}

/// What else may mean the same pool: its key for the value of its label, and the value for its key.
fn other_spellings(pool: &str) -> impl Iterator<Item = String> + use<> {
    let value = pool.strip_prefix("inference-pool=").map(str::to_owned);
    [value, Some(format!("inference-pool={pool}"))].into_iter().flatten()
}

/// The answer to the lookup of an object with totals.
enum Found {
    /// Nobody has looked.
    Pending,
    /// There is no such object.
    Missing,
    /// Its data.
    Present(Value),
}

fn object(
    request: &ComposeRequest,
    from: &PoolsFrom,
    namespace: &str,
    lookups: &mut BTreeMap<String, Selector>,
) -> Found {
    let selector = match from.kind {
        PoolsFromKind::Context => {
            return request.context.get(&from.name).map_or(Found::Missing, |data| Found::Present(data.clone()));
        }
        PoolsFromKind::EnvironmentConfig => lookup_of(kind(&ENVIRONMENT_CONFIGS), None, &from.name),
        PoolsFromKind::ConfigMap => {
            let namespace = from.namespace.as_deref().unwrap_or(namespace);
            lookup_of(kind(&CONFIG_MAPS), Some(namespace), &from.name)
        }
    };
    lookups.insert(POOLS.to_owned(), selector);
    match request.lookups.get(POOLS).map(|found| found.first().map(ObservedObject::object)) {
        None => Found::Pending,
        Some(Some(Ok(object))) => Found::Present(object["data"].clone()),
        Some(_) => Found::Missing,
    }
}

fn missing(from: &PoolsFrom, namespace: &str) -> String {
    let PoolsFrom { kind, name, namespace: stated } = from;
    match kind {
        PoolsFromKind::Context => {
            format!(
                "the context has no `{name}`, which the options name, so nothing new gets memory; let an earlier step write it"
            )
        }
        PoolsFromKind::ConfigMap => {
            let namespace = stated.as_deref().unwrap_or(namespace);
            format!(
                "there is no ConfigMap `{namespace}/{name}`, which the options name, so nothing new gets memory; create it"
            )
        }
        PoolsFromKind::EnvironmentConfig => {
            format!(
                "there is no EnvironmentConfig `{name}`, which the options name, so nothing new gets memory; create it"
            )
        }
    }
}

/// The totals in the data of an object: a map of them, or one under `pools`.
fn of_object(data: &Value, from: &PoolsFrom, limits: &mut Limits, totals: &mut Totals) {
    let pools = data.get("pools").filter(|pools| pools.is_object()).unwrap_or(data);
    let mut unreadable = Vec::new();
    for (pool, total) in pools.as_object().into_iter().flatten() {
        // Other values of an environment may be anything; those under `pools` are totals.
        let is_total = total.is_string() || total.is_number() || data.get("pools").is_some();
        if !is_total {
            continue;
        }
        let text = total.as_str().map_or_else(|| total.to_string(), str::to_owned);
        let read = match text.parse::<Quantity>() {
            Ok(total) if total.sign() >= 0 => Total::Bytes(memory::of(&total)),
            _ => {
                unreadable.push(format!("`{pool}`"));
                Total::Unknown
            }
        };
        limits.pools.insert(pool.clone(), read);
    }
    if !unreadable.is_empty() {
        let (kind, name) = (from.kind.as_str(), &from.name);
        let why = format!(
            "{kind} `{name}` has no amount of memory for {}, so nothing new gets memory there; give one like `160Gi`",
            unreadable.join(", ")
        );
        totals.wrong = Some((Wrong::Unreadable, why));
    }
}

/// The memory of a node: what is stated for it; else that of its GPUs; else what pods may have of it. One that takes no pods has
/// none.
///
/// # Errors
/// Why what is stated for it is no amount of memory.
fn of_node(node: &ObservedObject) -> Result<i128, String> {
    let read: ReadNode<'_> = fields::read(node).unwrap_or_default();
    if read.spec.unschedulable {
        return Ok(0);
    }
    let (metadata, status) = (&read.metadata, &read.status);
    if let Some(stated) = metadata.annotations.get(NODE_BUDGET) {
        return memory::bytes(stated).ok_or_else(|| {
            format!(
                "annotation `{NODE_BUDGET}` of Node `{}` is no amount of memory, so nothing new gets memory of the pool; give one like `160Gi`",
                metadata.name
            )
        });
    }
    let number = |label: &str| metadata.labels.get(label)?.parse::<u32>().ok();
    let of_gpus = || Some(i128::from(number("nvidia.com/gpu.memory")?) * i128::from(number("nvidia.com/gpu.count")?));
    let allocatable = || status.allocatable.get("memory").and_then(|text| memory::bytes(text));
    Ok(of_gpus().map(|mebibytes| mebibytes << 20).or_else(allocatable).unwrap_or_default())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadNode<'a> {
    #[serde(borrow, deserialize_with = "field")]
    metadata: ReadNodeMetadata<'a>,
    #[serde(deserialize_with = "field")]
    spec: ReadNodeSpec,
    #[serde(borrow, deserialize_with = "field")]
    status: ReadNodeStatus<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadNodeMetadata<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(borrow, deserialize_with = "map")]
    annotations: BTreeMap<&'a str, &'a str>,
    #[serde(borrow, deserialize_with = "map")]
    labels: BTreeMap<&'a str, &'a str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadNodeSpec {
    #[serde(deserialize_with = "field")]
    unschedulable: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadNodeStatus<'a> {
    #[serde(borrow, deserialize_with = "map")]
    allocatable: BTreeMap<&'a str, &'a str>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn memory_of_nodes() {
        #[track_caller]
        fn check(node: Value, want: i128) {
            assert_eq!(of_node(&node.into()), Ok(want << 20));
        }
        let gpus = json!({"nvidia.com/gpu.memory": "81559", "nvidia.com/gpu.count": "8"});
        let status = json!({"allocatable": {"memory": "512Gi"}});
        let stated = json!({"annotations": {"inference.eh-ops.io/memory-budget": "100Gi"}, "labels": gpus});
        check(json!({"metadata": stated, "status": status}), 100 << 10);
        check(json!({"metadata": {"labels": gpus}, "status": status}), 81559 * 8);
        check(json!({"metadata": {"labels": {"nvidia.com/gpu.memory": "1"}}, "status": status}), 512 << 10);
        for odd in ["much", "-10Gi", ""] {
            let odd = json!({"name": "n", "annotations": {"inference.eh-ops.io/memory-budget": odd}, "labels": gpus});
            let why = of_node(&json!({"metadata": odd, "status": status}).into()).unwrap_err();
            assert!(
                why.starts_with("annotation `inference.eh-ops.io/memory-budget` of Node `n` is no amount"),
                "{why}"
            );
        }
        check(json!({"metadata": {"labels": gpus}, "spec": {"unschedulable": true}}), 0);
        check(json!({}), 0);
    }
}
