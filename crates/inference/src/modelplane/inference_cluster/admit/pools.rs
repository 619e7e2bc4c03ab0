//! What is odd about the node pools of a cluster.

use contract::types::Problem;
use serde_json::Value;
use toolbox::path;

use super::super::pools::{PoolCounts, is_name_in_aks};
use super::super::sources::CloudSource;
use crate::clouds::fabrics::{has_infiniband, lacks_efa};
use crate::modelplane::labels::SYSTEM_POOL;
use crate::modelplane::mentions::advice;
use crate::modelplane::platform::judge::repeated_zones;

/// A node pool of a cluster.
#[derive(Clone, Debug)]
pub(super) struct Pool<'a> {
    source: &'a str,
    index: usize,
    /// Its name.
    pub(super) name: &'a str,
    /// Its class.
    pub(super) class: &'a str,
    /// All of its fields.
    pub(super) fields: &'a Value,
}

/// The sources that do not exist in every zone.
const ZONED: [&str; 2] = ["GKE", "EKS"];

/// The fabrics, and the sources that have them.
const FABRICS: [(&str, &[&str], &str); 2] =
    [("EFA", &["EKS"], "only EKS has it"), ("InfiniBand", &["Nebius", "AKS"], "only Nebius and AKS have it")];

/// The pools of a cluster.
pub(super) fn of(cluster: &Value) -> Vec<Pool<'_>> {
    let source = text(&cluster["spec"]["cluster"], "source");
    let pools = cluster["spec"]["nodePools"].as_array().into_iter().flatten().enumerate();
    let pool =
        |(index, fields)| Pool { source, index, name: text(fields, "name"), class: text(fields, "className"), fields };
    pools.map(pool).collect()
}

impl Pool<'_> {
    /// Whether nothing about the pool is new.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.source == other.source && self.fields == other.fields
    }

    /// Why its fields make no pool of the source, where this one is stored.
    pub(super) fn refusals(&self, stored: Option<&Self>) -> impl Iterator<Item = Problem> {
        let own = [self.zones(), self.fabric(), self.capacity_block(), self.refused_counts(stored), self.reserved()];
        own.into_iter().flatten().chain(self.repeated_zones())
    }

    /// What is odd about its fields.
    pub(super) fn advice(&self) -> Option<Problem> {
        let from_zero = self.fields["minNodeCount"].as_i64().unwrap_or_default() == 0;
        let grows = self.source == "AKS" && from_zero && self.fields["maxNodeCount"].is_number();
        let message = format!(
            "pool `{}` may shrink to no node, and the autoscaler of AKS makes no first node for pods that claim devices; give at \
             least 1",
            self.name
        );
        grows.then(|| self.problem("minNodeCount", message))
    }

    /// What is odd about the numbers that it begins with.
    pub(super) fn advice_on_beginning(&self) -> Option<Problem> {
        let (field, why) = self.counts().oddity(CloudSource::of(self.source)?)?;
        Some(self.problem(field, format!("pool `{}` {why}", self.name)))
    }

    /// That it keeps the number that it began with, though another one is said now. Of a pool of fixed size that is the number that it
    /// has.
    pub(super) fn advice_on_begun(&self, before: &Self) -> Option<Problem> {
        let [first, begun] = [self, before].map(|it| it.counts().begins_with());
        let is_bounded = before.source == self.source && self.counts().most.is_some_and(|most| first <= most);
        let keeps = is_bounded && CloudSource::of(self.source)?.keeps_count && first != begun;
        let message = format!(
            "pool `{}` has begun with {begun} nodes, which {} cannot change; `minNodeCount` and `maxNodeCount` bound the number that it has",
            self.name, self.source
        );
        keeps.then(|| self.problem("nodeCount", message))
    }

    /// Why no node can have the label with its name.
    pub(super) fn denial(&self) -> Option<Problem> {
        let outside = |byte: u8| !byte.is_ascii_alphanumeric();
        let odd = self.name.bytes().any(|byte| outside(byte) && !b"-_.".contains(&byte))
            || self.name.bytes().next().is_none_or(outside)
            || self.name.bytes().last().is_none_or(outside);
        let message = format!(
            "{:?} becomes the value of a label of nodes, so it must have letters, digits, `-`, `_` and `.`, and start and end \
             with a letter or a digit, e.g. `h100`",
            self.name
        );
        odd.then(|| self.problem("name", message))
    }

    /// That its class does not exist.
    pub(super) fn without_class(&self) -> Problem {
        let message = format!("InferenceClass `{}` does not exist: the cluster waits for it", self.class);
        self.problem("className", message)
    }

    /// Why its class makes no pool of the source, or not this one.
    pub(super) fn refusal_by_class(&self, class: &Value) -> Option<Problem> {
        let block = self.block()?;
        let made = class["spec"]["provisioning"].get(&block);
        let Some(made) = made.filter(|made| !made.is_null()) else {
            let message = format!(
                "InferenceClass `{}` has no block `provisioning.{block}`, so no pool can be created from it",
                self.class
            );
            return Some(self.problem("className", message));
        };
        let machine = text(made, "instanceType");
        let lacks = self.has_fabric("EFA") && lacks_efa(machine);
        let message =
            format!("pool `{}` gets no EFA: `{machine}` of InferenceClass `{}` has none", self.name, self.class);
        lacks.then(|| self.problem("fabric.type", message))
    }

    /// What is odd about its class.
    pub(super) fn advice_by_class(&self, class: &Value) -> Vec<Problem> {
        let provisioning = &class["spec"]["provisioning"];
        let Some(made) = self.block().and_then(|block| provisioning.get(block)) else { return Vec::new() };
        let other = provisioning["provider"].as_str().filter(|provider| *provider != self.source).map(|provider| {
            let message = format!(
                "the provider of InferenceClass `{}` is {provider}; its block for {} is used all the same",
                self.class, self.source
            );
            self.problem("className", message)
        });
        let size = text(made, "vmSize");
        let lacks = self.source == "AKS" && self.has_fabric("InfiniBand") && !size.is_empty() && !has_infiniband(size);
        let fabric = lacks.then(|| {
            let message = format!(
                "pool `{}` gets no InfiniBand: the name of `{size}`, of InferenceClass `{}`, has no `r`, as those have that do",
                self.name, self.class
            );
            self.problem("fabric.type", message)
        });
        other.into_iter().chain(fabric).collect()
    }

    fn has_fabric(&self, fabric: &str) -> bool {
        text(&self.fields["fabric"], "type") == fabric
    }

    /// The block of the source in classes. `None` where no cloud makes the pool.
    fn block(&self) -> Option<String> {
        let provisioned = self.source != "Existing" && !self.source.is_empty();
        provisioned.then(|| self.source.to_lowercase())
    }

    /// Why no pool of the source can have the name.
    fn reserved(&self) -> Option<Problem> {
        self.block()?;
        let message = if self.name == SYSTEM_POOL {
            format!("{:?} is the pool that comes with the cluster; choose another name, e.g. `h100`", self.name)
        } else if self.source == "AKS" && !is_name_in_aks(self.name) {
            format!(
                "{:?} is no name of a pool in AKS, which has up to 12 lower-case letters and digits, and starts with a letter, e.g. \
                 `h100`",
                self.name
            )
        } else {
            return None;
        };
        Some(self.problem("name", message))
    }

    fn zones(&self) -> Option<Problem> {
        let none = self.fields["zones"].as_array().is_none_or(Vec::is_empty);
        let message =
            format!("pool `{}` names no zone, and {} needs one: not every zone has every GPU", self.name, self.source);
        (none && ZONED.contains(&self.source)).then(|| self.problem("zones", message))
    }

    /// What every cloud refuses, also while nobody knows the class of the pool.
    fn repeated_zones(&self) -> Vec<Problem> {
        let zones = self.fields["zones"].as_array().filter(|_| self.block().is_some());
        let zones: Vec<_> = zones.into_iter().flatten().filter_map(Value::as_str).collect();
        repeated_zones(&path::join(&self.path(), "zones"), self.name, &zones).collect()
    }

    fn fabric(&self) -> Option<Problem> {
        let wanted = text(&self.fields["fabric"], "type");
        let (fabric, sources, who) = FABRICS.into_iter().find(|(fabric, ..)| *fabric == wanted)?;
        let message = format!("pool `{}` gets no {fabric}: {who}", self.name);
        (!sources.contains(&self.source)).then(|| self.problem("fabric.type", message))
    }

    fn capacity_block(&self) -> Option<Problem> {
        self.fields.get("capacityBlock").filter(|block| !block.is_null() && self.source != "EKS")?;
        let message = format!("pool `{}` takes nothing from a Capacity Block: only EKS has them", self.name);
        Some(self.problem("capacityBlock", message))
    }

    fn counts(&self) -> PoolCounts {
        let number = |field: &str| self.fields[field].as_u64().and_then(|count| u32::try_from(count).ok());
        let [first, least, most] = ["nodeCount", "minNodeCount", "maxNodeCount"].map(number);
        PoolCounts { first, least, most }
    }

    fn refused_counts(&self, stored: Option<&Self>) -> Option<Problem> {
        let (cloud, counts) = (CloudSource::of(self.source), self.counts());
        let refused = cloud.and_then(|cloud| counts.refused(cloud));
        let begun = stored.map(|stored| stored.counts().begins_with());
        let (field, why) = refused.or_else(|| counts.contradiction(cloud, begun))?;
        Some(self.problem(field, format!("pool `{}` {why}", self.name)))
    }

    /// Where the cluster has it.
    pub(super) fn path(&self) -> String {
        path::index("spec.nodePools", self.index)
    }

    fn problem(&self, field: &str, message: String) -> Problem {
        advice(path::join(&self.path(), field), message)
    }
}

fn text<'v>(object: &'v Value, field: &str) -> &'v str {
    object[field].as_str().unwrap_or_default()
}
