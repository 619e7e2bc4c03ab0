//! The life of a cluster.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;

use super::connection::NAMESPACE;
use super::deletion;
use super::living::{LIMIT, LivingCluster};
use super::model;
use super::rows::POD_RANGE;
use super::steps::Cloud;
use crate::composites::condition;
use crate::resources::EVENTS;

/// A part of a life.
type Chapter<L> = fn(&mut L) -> Result<()>;

/// A cluster.
pub(super) struct Life<'a> {
    pub(super) cloud: &'a Cloud,
    pub(super) composite: LivingCluster<'a>,
}

impl Life<'_> {
    /// From nothing to nothing.
    pub(super) fn run(mut self) -> Result<()> {
        let name = self.cloud.name;
        let steps: &[(&str, Chapter<Self>)] = &[
            ("it is made", Self::is_made),
            ("a quota", Self::has_no_quota),
            ("edits", Self::is_edited),
            ("what only a new one has", Self::is_not_replaced),
            ("a quiet minute", Self::is_quiet),
            ("it goes", |life| deletion::in_order(&life.composite, "with replay")),
            ("a second one goes", Self::second_goes_without_replay),
        ];
        for (what, step) in steps {
            step(&mut self).with_context(|| format!("{name}: {what}"))?;
            progress(&format!("clusters: {name}: {what}"));
        }
        Ok(())
    }

    /// Exactly the base set, which is not ready before its nodes are.
    fn is_made(&mut self) -> Result<()> {
        let Cloud { provider, name, base, nodes, .. } = self.cloud;
        let Self { composite, .. } = self;
        composite.stand_in.hold(nodes);
        composite.apply(provider, &json!({"nodeSize": "small", "minNodeCount": 1}))?;
        composite.says("its nodes are awaited", |composite| {
            ensure!(condition(composite, "NodePoolReady")["reason"] == "Waiting", "it has {}", composite["status"]);
            let pool = &composite["status"]["nodePoolStatus"];
            ensure!(pool == "Creating", "the pool is {pool}");
            Ok(())
        })?;
        let found = eventually("everything is there", LIMIT, || {
            let found = composite.found()?;
            ensure!(found.len() == *base, "{} objects: {:?}", found.len(), found.keys());
            let references = composite.seen()?["spec"]["crossplane"]["resourceRefs"].as_array().map_or(0, Vec::len);
            ensure!(references == *base, "it refers to {references} objects");
            Ok(found)
        })?;
        ensure!(found.keys().eq(composite.expected(&found)?.keys()), "it has {:?}", found.keys());
        let seen = composite.seen()?;
        ensure!(condition(&seen, "Ready")["status"] != "True", "it is ready without nodes");
        composite.stand_in.relent(nodes);
        composite.settles()?;
        let status = &composite.seen()?["status"];
        for (field, value) in
            [("clusterName", *name), ("controlPlaneStatus", "Available"), ("nodePoolStatus", "Available")]
        {
            ensure!(status[field] == value, "{field} is {}", status[field]);
        }
        let range = if *provider == "google" { json!(POD_RANGE) } else { Value::Null };
        ensure!(status["field1"] == range, "the range of pods is {}", status["field1"]);
        Ok(())
    }

    /// The refusal of a pool shows in condition and event, and passes.
    fn has_no_quota(&mut self) -> Result<()> {
        let Cloud { name, gpu_nodes, quota, .. } = self.cloud;
        let Self { composite, .. } = self;
        composite.stand_in.refuse(gpu_nodes, quota);
        composite.edit(&json!({"gpu": {"enabled": true}}))?;
        composite.says("there is no quota", |composite| {
            let found = condition(composite, "GPUPoolReady");
            let message = found["message"].as_str().unwrap_or_default();
            ensure!(found["reason"] == "Failed" && message.contains(quota), "GPUPoolReady is {found}");
            ensure!(message.contains("of the quota"), "it names no quota to raise: {message}");
            ensure!(condition(composite, "Ready")["status"] == "False", "it is ready without GPUs");
            Ok(())
        })?;
        let events = Which::all(EVENTS).within(NAMESPACE);
        composite.plane.administrator.until("an event says so", events, LIMIT, |events| {
            let mut ours =
                events.values().filter(|it| it["involvedObject"]["name"] == **name && it["type"] == "Warning");
            let says = ours.any(|it| it["message"].as_str().is_some_and(|message| message.contains(quota)));
            ensure!(says, "none of {} does", events.len());
            Ok(())
        })?;
        composite.stand_in.relent(gpu_nodes);
        composite.settles()?;
        composite.says("there are GPUs", |composite| {
            let found = condition(composite, "GPUPoolReady");
            ensure!(found["status"] == "True", "GPUPoolReady is {found}");
            Ok(())
        })
    }

    fn is_edited(&mut self) -> Result<()> {
        let Self { composite, cloud } = self;
        for (what, edit) in cloud.edits {
            composite.edit(&edit()).and_then(|()| composite.settles()).with_context(|| (*what).to_owned())?;
            progress(&format!("clusters: {}: {what}", cloud.name));
        }
        let target = composite.stand_in.clusters.kubectl(cloud.name).context("the new cluster runs")?;
        for what in cloud.brings {
            target.run(&[&["get"], *what].concat()).context("on the new cluster")?;
        }
        if cloud.serves { model::follows(composite.plane, &target, cloud.name) } else { Ok(()) }
    }

    /// The provider refuses what would make nodes anew, which shows, and passes when it is taken back.
    fn is_not_replaced(&mut self) -> Result<()> {
        let Some((change, back)) = self.cloud.replaces else { return Ok(()) };
        let Self { composite, .. } = self;
        composite.edit(&change())?;
        composite.says("it would be replaced", |composite| {
            let found = condition(composite, "NodePoolReady");
            let says = found["message"].as_str().is_some_and(|it| it.contains("requires replacing it"));
            ensure!(found["reason"] == "Failed" && says, "NodePoolReady is {found}");
            Ok(())
        })?;
        composite.edit(&back())?;
        composite.settles()
    }

    /// A second one, as small as it can be, goes with Usages that do not repeat deletions.
    fn second_goes_without_replay(&mut self) -> Result<()> {
        let Self { composite, cloud } = self;
        (composite.name, composite.before) = (cloud.second, BTreeMap::new());
        composite.apply(cloud.provider, &json!({"nodeSize": "small", "minNodeCount": 1}))?;
        composite.settles()?;
        deletion::without_replay(composite)
    }

    /// Nothing is written while nothing happens.
    fn is_quiet(&mut self) -> Result<()> {
        self.composite.is_quiet(Duration::from_secs(60))?;
        if self.cloud.serves { model::is_gone(self.composite.plane) } else { Ok(()) }
    }
}
