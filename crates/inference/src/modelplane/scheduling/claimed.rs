//! What the pods of replicas that exist claim: which entries of the devices of their pools.
//!
//! A ModelReplica says class, number and selectors of each request, and not which entry of the pool has such devices. Where the
//! class does not tell, the selectors are evaluated. They are those of other people, so this has limits of its own. What is not
//! known is left open: such a pod takes its node.

use std::borrow::Cow;
use std::collections::BTreeMap;

use cel::{Limits, Selector};
use schedule::{Claim, Device, Replica};
use serde::Deserialize;

use super::neighbours::{Neighbour, Neighbours};
use crate::modelplane::selectors::{DeviceLists, PublishedDevice};
use toolbox::entries::by_key;

/// The most work of all evaluations, in units of about a nanosecond of native code.
const MOST_WORK: u64 = 50_000_000;

/// The most bytes of selectors that are compiled.
const MOST_TEXT: usize = 100_000;

/// The claims of replicas that exist.
pub struct Claimed<'n> {
    devices: &'n DeviceLists<'n>,
    /// The lists of the devices of pools, by cluster and pool.
    lists: BTreeMap<&'n str, BTreeMap<&'n str, usize>>,
    /// What is claimed by list and by text of the requests: replicas of one deployment have equal ones.
    known: BTreeMap<(usize, &'n str), Vec<Claim>>,
    selectors: RunningSelectors,
}

/// Selectors of replicas.
struct RunningSelectors {
    /// By text. `None` for one that cannot be compiled.
    compiled: BTreeMap<String, Option<Selector>>,
    left: Limits,
    text_left: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadRequest<'n> {
    #[serde(borrow, default)]
    device_class_name: Cow<'n, str>,
    #[serde(default = "one")]
    count: u64,
    #[serde(borrow, default)]
    selectors: Vec<ReadSelector<'n>>,
}

#[derive(Deserialize)]
struct ReadSelector<'n> {
    #[serde(borrow, default)]
    cel: Option<Cow<'n, str>>,
}

fn one() -> u64 {
    1
}

impl<'n> Claimed<'n> {
    /// Nothing is known yet.
    pub fn new(neighbours: &'n Neighbours<'n>) -> Self {
        let mut lists = BTreeMap::new();
        // Of several clusters with one name the last one counts.
        for cluster in &neighbours.clusters {
            let pools = cluster.read.pools.iter().zip(&cluster.devices).rev();
            lists.insert(cluster.read.name, by_key(pools.map(|(pool, list)| (pool.name, *list))));
        }
        let left = Limits { cost: MOST_WORK, work: MOST_WORK };
        let selectors = RunningSelectors { compiled: BTreeMap::new(), left, text_left: MOST_TEXT };
        Self { devices: &neighbours.devices, lists, known: BTreeMap::new(), selectors }
    }

    /// A replica, as it was read, with what its pods claim.
    pub fn with_claims(&mut self, mut replica: Replica<'n>, read: &Neighbour<'n>) -> Replica<'n> {
        let engines = replica.engines.iter_mut().zip(read.engines.iter().flatten());
        for (member, read) in engines.flat_map(|(engine, read)| engine.members.iter_mut().zip(read.members())) {
            let list = self.lists.get(replica.cluster).and_then(|pools| pools.get(member.pool?));
            if let Some(list) = list.filter(|_| member.nodes > 0) {
                member.claims = self.claims(*list, read.requests());
            }
        }
        replica
    }

    fn claims(&mut self, list: usize, requests: &'n str) -> Vec<Claim> {
        if let Some(known) = self.known.get(&(list, requests)) {
            return known.clone();
        }
        let claims = self.chosen(list, requests).unwrap_or_default();
        self.known.insert((list, requests), claims.clone());
        claims
    }

    fn chosen(&mut self, list: usize, requests: &'n str) -> Option<Vec<Claim>> {
        let requests: Vec<ReadRequest<'n>> = serde_json::from_str(requests).ok()?;
        let entries = self.devices.list(list);
        let mut suits = Vec::new();
        for request in &requests {
            let of_class = |entry: &PublishedDevice<'_>| entry.claimed && entry.class == request.device_class_name;
            let mut row: Vec<_> = entries.iter().map(of_class).collect();
            if row.iter().filter(|suits| **suits).count() > 1 {
                for (suits, entry) in row.iter_mut().zip(entries).filter(|(suits, _)| **suits) {
                    *suits = self.selectors.hold(request, self.devices.seen(entry))?;
                }
            }
            suits.push(row);
        }
        let devices: Vec<_> =
            entries.iter().map(|entry| Device { count: entry.count, claimed: entry.claimed }).collect();
        let counts: Vec<_> = requests.iter().map(|request| request.count).collect();
        let chosen = schedule::entries(&devices, &counts, |request, device| {
            suits.get(request).and_then(|row| row.get(device)) == Some(&true)
        })?;
        Some(chosen.into_iter().zip(counts).map(|(device, count)| Claim { device, count }).collect())
    }
}

impl RunningSelectors {
    /// Whether all selectors of a request hold on a device. `None` when nobody knows.
    fn hold(&mut self, request: &ReadRequest<'_>, device: Option<&cel::Device>) -> Option<bool> {
        for text in request.selectors.iter().filter_map(|selector| selector.cel.as_ref()) {
            if !self.holds(text, device?)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn holds(&mut self, text: &str, device: &cel::Device) -> Option<bool> {
        if !self.compiled.contains_key(text) {
            self.text_left = self.text_left.checked_sub(text.len())?;
            self.compiled.insert(text.to_owned(), Selector::compile_tolerant(text).ok());
        }
        let found = self.compiled.get(text)?.as_ref()?.matches_within(device, self.left);
        self.left.cost = self.left.cost.saturating_sub(found.cost);
        self.left.work = self.left.work.saturating_sub(found.work);
        if self.left.cost == 0 || self.left.work == 0 {
            return None;
        }
        Some(found.outcome.is_ok_and(|holds| holds))
    }
}

#[cfg(test)]
mod tests {
    use contract::types::ObservedObject;
    use serde_json::{Value, json};

    use super::super::neighbours::Sources;
    use super::*;

    /// What the pod of a replica claims in a pool: `0x4 1x2`. Its requests are `[class, count, selector]`.
    fn claims(devices: &Value, requests: &[(&str, u64, &str)]) -> String {
        let request = |&(class, count, cel): &(&str, u64, &str)| json!({"name": "gpu", "deviceClassName": class, "count": count, "selectors": [{"cel": cel}]});
        let requests: Vec<_> = requests.iter().map(request).collect();
        let member = json!({"nodePoolName": "p", "deviceRequests": requests});
        let spec = json!({"clusterName": "a", "engines": [{"name": "main", "members": [member]}]});
        let replica = [ObservedObject::from(json!({"metadata": {"name": "r", "namespace": "ml"}, "spec": spec}))];
        let pools = json!([{"name": "p", "nodes": 1, "devices": devices}]);
        let cluster = [ObservedObject::from(json!({"metadata": {"name": "a"}, "status": {"gpuPools": pools}}))];
        let sources = Sources::of(&cluster, &replica, &[]);
        let neighbours = Neighbours::read(&sources, "llama", "ml");
        let there = &neighbours.replicas[0];
        let read = Claimed::new(&neighbours).with_claims(super::super::place::existing(there), there);
        let claims = &read.engines[0].members[0].claims;
        claims.iter().map(|claim| format!("{}x{}", claim.device, claim.count)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn entries_of_requests() {
        let device = |class: &str, claim: &str, count: u64, memory: &str| {
            let capacity = json!({"memory": {"value": memory}});
            json!({"driver": "d", "deviceClassName": class, "claim": claim, "count": count, "capacity": capacity})
        };
        let least = |memory: &str| format!(r#"device.capacity["d"].memory.compareTo(quantity("{memory}")) >= 0"#);
        let (any, large) = (least("1Gi"), least("100Gi"));
        let one = json!([device("nic", "Synthetic", 1, "1Gi"), device("gpu", "DRA", 8, "80Gi")]);
        let check = |devices: &Value, requests: &[(&str, u64, &str)], want: &str| {
            assert_eq!(claims(devices, requests), want, "{requests:?}");
        };
        check(&one, &[("gpu", 4, &any)], "1x4");
        check(&one, &[("gpu", 4, "("), ("gpu", 4, "")], "1x4 1x4");
        // Nobody knows what these claim, so they take their node.
        check(&one, &[("other", 4, &any)], "");
        check(&one, &[("nic", 1, &any)], "");
        check(&one, &[("gpu", 9, &any)], "");
        // Two entries of a class, of which the selectors choose one.
        let two = json!([device("gpu", "DRA", 4, "80Gi"), device("gpu", "DRA", 4, "141Gi")]);
        check(&two, &[("gpu", 2, &any)], "0x2");
        check(&two, &[("gpu", 2, &large)], "1x2");
        check(&two, &[("gpu", 4, &any), ("gpu", 2, &large)], "0x4 1x2");
        check(&two, &[("gpu", 2, &large), ("gpu", 4, &any)], "1x2 0x4");
        check(&two, &[("gpu", 2, "(")], "");
        // The first request must leave the second one its only entry.
        let few = json!([device("gpu", "DRA", 2, "141Gi"), device("gpu", "DRA", 2, "80Gi")]);
        check(&few, &[("gpu", 2, &any), ("gpu", 2, &large)], "1x2 0x2");
    }

    #[test]
    fn the_work_for_others_has_a_limit() {
        let mut selectors = RunningSelectors {
            compiled: BTreeMap::new(),
            left: Limits { cost: MOST_WORK, work: MOST_WORK },
            text_left: 10,
        };
        let device = cel::Device::of("d", &json!({})).expect("a device");
        assert_eq!(selectors.holds("true", &device), Some(true));
        assert_eq!(selectors.holds("1 == 2", &device), Some(false));
        assert_eq!(selectors.holds("2 == 2", &device), None, "there is too much text");
        selectors.left.work = 0;
        assert_eq!(selectors.holds("true", &device), None, "there is too much work");
    }
}
