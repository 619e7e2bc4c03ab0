//! Which pools cannot be made, and what is odd about those that run.

use super::inputs::{FleetInputs, FleetPool, Stop};
use super::sources::CloudSource;
use crate::modelplane::labels::SYSTEM_POOL;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct PoolsJudged {
    /// What stands in the way.
    pub(super) stop: Option<Stop>,
    /// What is odd, where the cluster runs with it.
    pub(super) oddities: Vec<String>,
}

/// The longest name of a pool in AKS.
const LONGEST_IN_AKS: usize = 12;

/// The most nodes that the kinds of all clouds let a pool have.
const MOST_NODES: u32 = 1000;

/// Judges the pools of a cluster. One that cannot be made stands in the way. An option that does not fit the source does so only where
/// the pool does not exist: where it does, Modelplane v0.3.1 has ignored it.
pub(super) fn judge(inputs: &FleetInputs) -> PoolsJudged {
    let (mut stops, mut oddities) = (Vec::new(), Vec::new());
    if let Some(cloud) = inputs.cloud.filter(|_| inputs.pools.is_empty()) {
        let message = format!("a cluster of {} needs at least one node pool", cloud.source);
        stops.push(Stop::Pool { path: "spec.nodePools".to_owned(), message });
    }
    // A cluster of somebody else's has its pools, and what serves models on it is there once it is used.
    let runs = |pool: &FleetPool| pool.live.is_some() || pool.cloud.is_none() && inputs.seen.has_stack;
    for pool in &inputs.pools {
        let path = |field: &str| format!("spec.nodePools[{}].{field}", pool.index[0]);
        let name = &pool.pool.name;
        if let Some(message) = lacks_block(pool) {
            stops.push(Stop::Pool { path: path("className"), message });
        } else if let Some(cloud) = pool.cloud.filter(|cloud| cloud.is_zoned)
            && pool.pool.zones.as_ref().is_none_or(Vec::is_empty)
        {
            let message = format!("node pool {name} names no zones, and {} needs at least one", cloud.source);
            stops.push(Stop::Pool { path: path("zones"), message });
        }
        if let Some((field, why)) = pool.cloud.and_then(|cloud| counts(pool).refused(cloud)) {
            stops.push(Stop::Pool { path: path(field), message: format!("node pool {name} {why}") });
        }
        for (field, message) in misfits(pool) {
            if runs(pool) {
                oddities.push(message);
            } else {
                stops.push(Stop::Pool { path: path(field), message });
            }
        }
    }
    PoolsJudged { stop: stops.into_iter().next(), oddities }
}

/// Why a class cannot make a pool in the cloud.
fn lacks_block(pool: &FleetPool) -> Option<String> {
    let cloud = pool.cloud?;
    let provisioning = &pool.class["spec"]["provisioning"];
    let lacks = provisioning.get(cloud.block).is_none_or(serde_json::Value::is_null);
    let class = pool.pool.class_name.as_deref().unwrap_or_default();
    lacks.then(|| format!("InferenceClass {class} has no {} provisioning block", cloud.source))
}

/// What does not fit the cloud: the fields, and why.
fn misfits(pool: &FleetPool) -> Vec<(&'static str, String)> {
    let name = pool.pool.name.as_str();
    let source = pool.cloud.map_or("an Existing cluster", |cloud| cloud.source);
    let mut found = Vec::new();
    if pool.pool.capacity_block.is_some() && !pool.cloud.is_some_and(|cloud| cloud.has_capacity_blocks) {
        found.push(("capacityBlock", format!("node pool {name} names a Capacity Block, which {source} does not have")));
    }
    let fabric = pool.pool.fabric.as_ref().and_then(|it| it.fabric_type.as_ref()).map(|it| it.as_str());
    let fabrics = pool.cloud.map_or(&[][..], |cloud| cloud.fabrics);
    if let Some(fabric) = fabric.filter(|fabric| *fabric != "None" && !fabrics.contains(fabric)) {
        found
            .push(("fabric.type", format!("node pool {name} names the fabric {fabric}, which {source} does not have")));
    }
    let begun = pool.live.and_then(|live| live.count).and_then(|count| u32::try_from(count).ok());
    if let Some((field, why)) = counts(pool).contradiction(pool.cloud, begun) {
        found.push((field, format!("node pool {name} {why}")));
    }
    if source == "AKS" && !is_name_in_aks(name) {
        let message = format!(
            "the name of node pool {name} must be of up to {LONGEST_IN_AKS} lower-case letters and digits, starting with a letter, on AKS"
        );
        found.push(("name", message));
    }
    if name == SYSTEM_POOL && pool.cloud.is_some() {
        found.push((
            "name",
            format!("a node pool cannot be called {name}: that is the pool that comes with the cluster"),
        ));
    }
    found
}

/// The numbers of nodes that a pool says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PoolCounts {
    /// The number to begin with.
    pub(super) first: Option<u32>,
    /// The smallest.
    pub(super) least: Option<u32>,
    /// The largest.
    pub(super) most: Option<u32>,
}

fn counts(pool: &FleetPool) -> PoolCounts {
    let said = &pool.pool;
    PoolCounts { first: said.node_count, least: said.min_node_count, most: said.max_node_count }
}

impl PoolCounts {
    /// What the definition of the cloud's cluster refuses, so that no pool that runs can have it: the field, and why, as it follows the
    /// name of the pool. Modelplane v0.3.1 finds out when it applies the cluster.
    pub(super) fn refused(self, cloud: &CloudSource) -> Option<(&'static str, String)> {
        let source = cloud.source;
        let said = [("maxNodeCount", self.most), ("minNodeCount", self.least), ("nodeCount", self.first)];
        if let Some((field, Some(count))) = said.into_iter().find(|(_, count)| count.is_some_and(|it| it > MOST_NODES))
        {
            return Some((field, format!("asks for {count} nodes, and the most in a pool are {MOST_NODES}")));
        }
        match self {
            Self { first: Some(0), .. } if cloud.needs_node => {
                Some(("nodeCount", format!("begins with no node, and {source} needs one")))
            }
            Self { least: Some(_), most: None, .. } if !cloud.grows_by_default => Some((
                "maxNodeCount",
                format!("says the smallest number of nodes only, and {source} needs the largest too"),
            )),
            _ => None,
        }
    }

    /// Numbers of which no cloud makes a pool, in the same form. A pool that exists has begun with a number.
    pub(super) fn contradiction(
        self,
        cloud: Option<&CloudSource>,
        begun: Option<u32>,
    ) -> Option<(&'static str, String)> {
        let (most, first) = (self.most?, self.begins_with());
        if let Some(least) = self.least.filter(|least| *least > most) {
            return Some(("minNodeCount", format!("has at least {least} nodes and at most {most}")));
        }
        let is_used = |cloud: &CloudSource| cloud.begins_with_count || self.least.is_none();
        // A number that nothing can change is no reason to keep the largest one.
        let is_past = |cloud: &CloudSource| cloud.keeps_count && begun == Some(first);
        let contradicts = first > most && cloud.is_some_and(|cloud| is_used(cloud) && !is_past(cloud));
        contradicts.then(|| ("nodeCount", format!("begins with {first} nodes and has at most {most}")))
    }

    /// Numbers of which the cloud makes another pool than they say, or none at first, in the same form.
    pub(super) fn oddity(self, cloud: &CloudSource) -> Option<(&'static str, String)> {
        let (first, least) = (self.begins_with(), self.least?);
        match self.most {
            None if cloud.grows_by_default && least != first => {
                let why = "has no `maxNodeCount`, so it is of fixed size, and `minNodeCount` counts for nothing";
                Some(("minNodeCount", why.to_owned()))
            }
            Some(most) if least <= most && first < least && cloud.begins_with_count => {
                Some(("nodeCount", format!("begins with {first} nodes and has at least {least}")))
            }
            Some(most) if first > most && !cloud.begins_with_count => {
                Some(("nodeCount", format!("has {least} to {most} nodes, so `nodeCount: {first}` counts for nothing")))
            }
            _ => None,
        }
    }

    /// The number to begin with, also where it is not said.
    pub(super) fn begins_with(self) -> u32 {
        self.first.unwrap_or(1)
    }
}

/// Whether an agent pool of AKS can have the name.
pub(super) fn is_name_in_aks(name: &str) -> bool {
    let mut bytes = name.bytes();
    name.len() <= LONGEST_IN_AKS
        && bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}
