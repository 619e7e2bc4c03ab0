//! The life of a cluster.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use contract::compose::{ComposeRequest, DesiredResource};
use contract::types::ObservedObject;
use inference::gpu_cluster::inputs::CLUSTERS;
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;

use super::connection::NAMESPACE;
use super::deletion;
use super::managed::is_ready;
use super::rows::POD_RANGE;
use super::stand_in::StandIn;
use super::steps::Cloud;
use crate::plane::Plane;
use crate::resources::{COMPOSITIONS, EVENTS};

/// The time limit for everything: provider-kubernetes tries less and less often what has failed.
const LIMIT: Duration = Duration::from_secs(150);

/// A part of a life.
type Chapter<L> = fn(&mut L) -> Result<()>;

/// A cluster.
pub(super) struct Life<'a> {
    pub(super) plane: &'a Plane,
    pub(super) stand_in: &'a StandIn,
    pub(super) cloud: &'a Cloud,
    /// The uids of what it had when it was last settled, by composition resource name.
    pub(super) before: BTreeMap<String, Value>,
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
            ("quiet", Self::is_quiet),
            ("it goes", |life| deletion::in_order(life.plane, life.stand_in, life.cloud)),
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
        self.stand_in.hold(nodes);
        self.plane.kubectl.apply(&json!({
            "apiVersion": CLUSTERS.api_version,
            "kind": CLUSTERS.kind,
            "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {
                "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
                "parameters": {"nodeSize": "small", "minNodeCount": 1},
            },
        }))?;
        self.says("its nodes are awaited", |composite| {
            ensure!(condition(composite, "NodePoolReady")["reason"] == "Waiting", "it has {}", composite["status"]);
            let pool = &composite["status"]["nodePoolStatus"];
            ensure!(pool == "Creating", "the pool is {pool}");
            Ok(())
        })?;
        let found = eventually("everything is there", LIMIT, || {
            let found = self.found()?;
            ensure!(found.len() == *base, "{} objects: {:?}", found.len(), found.keys());
            Ok(found)
        })?;
        ensure!(found.keys().eq(self.expected(&found)?.keys()), "it has {:?}", found.keys());
        let composite = self.composite()?;
        let references = composite["spec"]["crossplane"]["resourceRefs"].as_array().map_or(0, Vec::len);
        ensure!(references == *base, "it refers to {references} objects");
        ensure!(condition(&composite, "Ready")["status"] != "True", "it is ready without nodes");
        self.stand_in.relent(nodes);
        self.settles()?;
        let status = &self.composite()?["status"];
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
        self.stand_in.refuse(gpu_nodes, quota);
        self.edit(&json!({"gpu": {"enabled": true}}))?;
        self.says("there is no quota", |composite| {
            let found = condition(composite, "GPUPoolReady");
            let message = found["message"].as_str().unwrap_or_default();
            ensure!(found["reason"] == "Failed" && message.contains(quota), "GPUPoolReady is {found}");
            ensure!(message.contains("of the quota"), "it names no quota to raise: {message}");
            ensure!(condition(composite, "Ready")["status"] == "False", "it is ready without GPUs");
            Ok(())
        })?;
        let events = Which::all(EVENTS).within(NAMESPACE);
        self.plane.administrator.until("an event says so", events, LIMIT, |events| {
            let mut ours =
                events.values().filter(|it| it["involvedObject"]["name"] == **name && it["type"] == "Warning");
            let says = ours.any(|it| it["message"].as_str().is_some_and(|message| message.contains(quota)));
            ensure!(says, "none of {} does", events.len());
            Ok(())
        })?;
        self.stand_in.relent(gpu_nodes);
        self.settles()?;
        self.says("there are GPUs", |composite| {
            let found = condition(composite, "GPUPoolReady");
            ensure!(found["status"] == "True", "GPUPoolReady is {found}");
            Ok(())
        })
    }

    fn is_edited(&mut self) -> Result<()> {
        for (what, edit) in self.cloud.edits {
            self.edit(&edit()).and_then(|()| self.settles()).with_context(|| (*what).to_owned())?;
            progress(&format!("clusters: {}: {what}", self.cloud.name));
        }
        let target = self.stand_in.clusters.kubectl(self.cloud.name).context("the new cluster runs")?;
        for what in self.cloud.brings {
            target.run(&[&["get"], *what].concat()).context("on the new cluster")?;
        }
        Ok(())
    }

    /// The provider refuses what would make nodes anew, which shows, and passes when it is taken back.
    fn is_not_replaced(&mut self) -> Result<()> {
        let Some((change, back)) = self.cloud.replaces else { return Ok(()) };
        self.edit(&change())?;
        self.says("it would be replaced", |composite| {
            let found = condition(composite, "NodePoolReady");
            let says = found["message"].as_str().is_some_and(|it| it.contains("requires replacing it"));
            ensure!(found["reason"] == "Failed" && says, "NodePoolReady is {found}");
            Ok(())
        })?;
        self.edit(&back())?;
        self.settles()
    }

    /// Nothing is written while nothing happens. provider-kubernetes polls every ten seconds.
    fn is_quiet(&mut self) -> Result<()> {
        const POLL: Duration = Duration::from_secs(12);
        let versions = || -> Result<BTreeMap<String, Value>> {
            let composite = self.composite()?;
            let mut all = self.found()?;
            all.insert("the composite".to_owned(), composite);
            Ok(all.into_iter().map(|(key, object)| (key, object["metadata"]["resourceVersion"].clone())).collect())
        };
        eventually("nothing is written", LIMIT, || {
            let before = versions()?;
            std::thread::sleep(POLL);
            let after = versions()?;
            let written: Vec<_> = before.keys().filter(|key| before.get(*key) != after.get(*key)).collect();
            ensure!(written.is_empty(), "written: {written:?}");
            Ok(())
        })
    }

    /// Merges into the parameters.
    fn edit(&self, parameters: &Value) -> Result<()> {
        let args = [&named(&CLUSTERS), "-n", NAMESPACE, self.cloud.name];
        self.plane.kubectl.patch(&args, &json!({"spec": {"parameters": parameters}}))
    }

    /// Waits until it has exactly what it should have, as it should be, and is ready. What there was before is the same.
    fn settles(&mut self) -> Result<()> {
        let before = &self.before;
        let now = eventually("it settles", LIMIT, || {
            let stored = self.stored()?;
            let (composite, found) = (self.composite()?, self.found()?);
            ensure!(composite["metadata"]["generation"] == stored["metadata"]["generation"], "the world is late");
            let ready = condition(&composite, "Ready");
            ensure!(ready["status"] == "True", "Ready is {ready}; {}", not_ready(&found));
            let expected = self.expected(&found)?;
            let surplus: Vec<_> = found.keys().filter(|key| !expected.contains_key(*key)).collect();
            let missing: Vec<_> = expected.keys().filter(|key| !found.contains_key(*key)).collect();
            ensure!(surplus.is_empty() && missing.is_empty(), "surplus: {surplus:?}, missing: {missing:?}");
            for (key, desired) in &expected {
                let object = &found[key];
                ensure!(has(object, &desired.object), "{key} is {object}, and should have {}", desired.object);
                let synced = condition(object, "Synced");
                ensure!(synced.is_null() || synced["status"] == "True", "{key}: {synced}");
            }
            Ok(found)
        })?;
        for (key, uid) in before {
            let same = now.get(key).is_none_or(|object| object["metadata"]["uid"] == *uid);
            ensure!(same, "{key} was made anew");
        }
        self.before = now.into_iter().map(|(key, object)| (key, object["metadata"]["uid"].clone())).collect();
        Ok(())
    }

    /// What it should have, by what the function says of it as it is.
    fn expected(&self, found: &BTreeMap<String, Value>) -> Result<BTreeMap<String, DesiredResource>> {
        let composition = format!("cluster-{}", self.cloud.provider);
        let composition = self.plane.kubectl.only(Which::all(COMPOSITIONS).named(&composition))?;
        let observed = found.iter().map(|(key, object)| (key.clone(), ObservedObject::from(object.clone())));
        let request = ComposeRequest {
            composite: Some(self.stored()?.into()),
            observed: observed.collect(),
            input: Some(composition["spec"]["pipeline"][0]["input"].clone()),
            ..ComposeRequest::default()
        };
        Ok(module::compose(&request).map_err(|fault| anyhow!("{fault:?}"))?.resources)
    }

    fn says(&self, what: &str, decide: impl FnMut(&Value) -> Result<()>) -> Result<()> {
        let which = Which::all(&CLUSTERS).within(NAMESPACE).named(self.cloud.name);
        self.plane.kubectl.until_it(what, which, LIMIT, decide)
    }

    /// The composite, as the API server has it now.
    fn stored(&self) -> Result<Value> {
        self.plane.kubectl.only(Which::all(&CLUSTERS).within(NAMESPACE).named(self.cloud.name))
    }

    /// The composite, as it was seen.
    fn composite(&self) -> Result<Value> {
        self.stand_in.world.object(&CLUSTERS, self.cloud.name).context("it was not seen yet")
    }

    /// What it controls, by composition resource name.
    fn found(&self) -> Result<BTreeMap<String, Value>> {
        Ok(self.stand_in.world.composed_by(&self.composite()?))
    }
}

/// A condition. Null when there is none.
fn condition(object: &Value, kind: &str) -> Value {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    conditions.find(|it| it["type"] == kind).cloned().unwrap_or_default()
}

/// What is not ready, and why.
fn not_ready(found: &BTreeMap<String, Value>) -> String {
    let conditions = |object: &Value| format!("{}, {}", condition(object, "Synced"), condition(object, "Ready"));
    let waiting = found.iter().filter(|(_, object)| !is_ready(object) && object["status"].is_object());
    waiting.map(|(key, object)| format!("\n{key}: {}", conditions(object))).collect()
}

/// Whether `value` has all of `wanted`. Lists must be as long.
fn has(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| value.get(key).is_some_and(|value| has(value, wanted)))
        }
        (Value::Array(value), Value::Array(wanted)) => {
            value.len() == wanted.len() && value.iter().zip(wanted).all(|(value, wanted)| has(value, wanted))
        }
        _ => value == wanted,
    }
}
