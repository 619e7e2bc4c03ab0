//! The places that clusters have: pools of nodes, and the devices on these, with the replicas that take them.

use std::collections::BTreeMap;

use contract::compose::Amount;
use contract::preview::{Capacity, Taking};
use contract::types::KindRef;
use serde_json::Value;
use toolbox::builders::selectors::lookup_all;
use toolbox::entries::by_key;
use toolbox::kind::FindObserved;
use toolbox::path;

use crate::modelplane::cluster::ClusterPool;
use crate::modelplane::resources::{INFERENCE_CLUSTERS, MODEL_REPLICAS, kind};
use crate::modelplane::scheduling::neighbours::{Neighbour, Neighbours, Sources};
use crate::modelplane::shapes;

/// What places are grouped by beside labels.
const CLASS: &str = "class";

/// The clusters with their pools and devices. Pods that claim devices take their nodes, so they take all devices of these.
pub(super) fn capacities(find: &FindObserved<'_>, _: &[Value]) -> Vec<Capacity> {
    let all = |resource| find(&lookup_all(kind(resource), None, &[]));
    let (clusters, replicas) = (all(&INFERENCE_CLUSTERS), all(&MODEL_REPLICAS));
    let sources = Sources::of(&clusters, &replicas, &[]);
    let neighbours = Neighbours::read(&sources, "", "");
    let takers = takers(&neighbours.replicas);
    let objects = clusters.iter().filter_map(|it| it.object().ok());
    let objects: BTreeMap<&str, &Value> = by_key(objects.map(|it| (text(it, "metadata.name"), it)));
    let mut capacities = Vec::new();
    for cluster in &neighbours.clusters {
        let name = cluster.read.name;
        let Some(object) = objects.get(name) else { continue };
        capacities.push(Capacity {
            place: vec![name.to_owned()],
            what: "cluster".to_owned(),
            size: None,
            taken: Vec::new(),
            labels: labels(object),
        });
        for pool in &cluster.read.pools {
            let taken = takers.get(&(name, pool.name)).map(Vec::as_slice).unwrap_or_default();
            capacities.extend(of_pool(object, name, pool, taken));
        }
    }
    capacities
}

/// A replica, and the nodes that it takes.
type Taker<'n> = (&'n Neighbour<'n>, u64);

/// The replicas by cluster and pool, sorted by namespace and name.
fn takers<'n>(replicas: &'n [Neighbour<'n>]) -> BTreeMap<(&'n str, &'n str), Vec<Taker<'n>>> {
    let mut takers: BTreeMap<_, BTreeMap<_, Taker<'n>>> = BTreeMap::new();
    for replica in replicas {
        for engine in replica.engines.iter().flatten() {
            for member in engine.members() {
                let Some(pool) = member.node_pool_name.filter(|_| engine.nodes(member) > 0) else { continue };
                let of_pool = takers.entry((replica.cluster, pool)).or_default();
                let taker = of_pool.entry((replica.namespace, replica.name)).or_insert((replica, 0));
                taker.1 = taker.1.saturating_add(engine.nodes(member));
            }
        }
    }
    by_key(takers.into_iter().map(|(place, takers)| (place, takers.into_values().collect())))
}

fn of_pool(object: &Value, cluster: &str, pool: &ClusterPool<'_>, takers: &[Taker<'_>]) -> Vec<Capacity> {
    let nodes = pool.nodes.and_then(|nodes| u64::try_from(nodes).ok()).unwrap_or_default();
    let labels = by_key(class(object, pool.name).map(|class| (CLASS.to_owned(), class)));
    let place = |more: Option<&str>| [cluster, pool.name].into_iter().chain(more).map(str::to_owned).collect();
    let row = |what: &str, more: Option<&str>, unit: &str, each: u64| Capacity {
        place: place(more),
        what: what.to_owned(),
        size: Some(amount(nodes.saturating_mul(each), unit)),
        taken: takers
            .iter()
            .map(|(replica, nodes)| taking(replica, amount(nodes.saturating_mul(each), unit)))
            .collect(),
        labels: labels.clone(),
    };
    let devices: Vec<Value> = serde_json::from_str(pool.devices).unwrap_or_default();
    let mut rows = vec![row("pool", None, "nodes", 1)];
    // What is only described cannot be taken.
    for device in devices.iter().filter(|device| device["claim"].as_str().is_none_or(|claim| claim == "DRA")) {
        let count = device["count"].as_u64().unwrap_or_default();
        rows.push(row("device", device["name"].as_str(), "devices", count));
    }
    rows
}

fn taking(replica: &Neighbour<'_>, takes: Amount) -> Taking {
    let (api_version, kind) = kind(&MODEL_REPLICAS);
    Taking {
        kind: KindRef { api_version: api_version.to_owned(), kind: kind.to_owned() },
        namespace: replica.namespace.to_owned(),
        name: replica.name.to_owned(),
        takes,
    }
}

fn amount(value: u64, unit: &str) -> Amount {
    Amount { value: i64::try_from(value).unwrap_or(i64::MAX), unit: unit.to_owned() }
}

fn labels(object: &Value) -> BTreeMap<String, String> {
    let labels = path::get(object, "metadata.labels").and_then(Value::as_object).into_iter().flatten();
    by_key(labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))))
}

/// The class of a pool, as the spec of its cluster has it.
fn class(object: &Value, pool: &str) -> Option<String> {
    let object = &*shapes::as_released(INFERENCE_CLUSTERS.kind, object);
    let pools = path::get(object, "spec.nodePools")?.as_array()?;
    let class = pools.iter().find(|it| it["name"] == pool)?["className"].as_str()?;
    Some(class.to_owned()).filter(|class| !class.is_empty())
}

fn text<'v>(object: &'v Value, at: &str) -> &'v str {
    path::get(object, at).and_then(Value::as_str).unwrap_or_default()
}
