//! What happens to a cluster while it lives. Nothing of it is made anew, and nothing goes.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::{INFERENCE_CLASSES, INFERENCE_CLUSTERS};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::access::named;
use tests::real::processes::eventually;

use super::life::{FleetLife, LIMIT, uids, written};
use super::sources::provided;
use super::{cascade, packages};
use crate::clusters::managed::is_ready;
use crate::composites::condition;
use crate::gpu_clusters::NAMESPACE;

/// How long it is seen that nothing goes.
const SEEN: Duration = Duration::from_secs(5);
/// How long nothing is ready.
const UNREADY: Duration = Duration::from_secs(30);

impl FleetLife<'_> {
    /// Crossplane should call for each composite while the function is dead, and does so when it is back. Nothing is written meanwhile,
    /// nor then.
    pub(super) fn outlives_function(&self) -> Result<()> {
        let (composites, function) = (self.composites()?, &self.plane.function);
        self.outage.begins()?;
        for (kind, _, name) in &composites {
            self.nudge_any(kind, name)?;
        }
        let before = self.found()?;
        let is_as_before = |when: &str| {
            sleep(SEEN);
            let now = self.found()?;
            let written = written(&before, &now);
            ensure!(written.is_empty() && uids(&now) == uids(&before), "{when}, written: {written:?}");
            Ok(())
        };
        is_as_before("without the function")?;
        let calls = composites.iter().map(|(_, namespace, name)| function.calls(namespace, name));
        let calls = calls.collect::<Result<Vec<_>>>()?;
        self.outage.ends()?;
        for ((_, namespace, name), calls) in composites.iter().zip(calls) {
            function.called(namespace, name, calls + 1, LIMIT)?;
        }
        self.settles(&self.source.manifest()?)?;
        is_as_before("with the function again")
    }

    /// The kind, the namespace and the name of each composite: of the cluster, and of those that it leads to.
    fn composites(&self) -> Result<Vec<(String, String, String)>> {
        let mut all = vec![(named(&INFERENCE_CLUSTERS), String::new(), self.source.name.to_owned())];
        for object in self.found()?.values() {
            let Some(kind) = cascade::composite(object) else { continue };
            let name = object["metadata"]["name"].as_str().context("a name")?;
            all.push((named(kind), NAMESPACE.to_owned(), name.to_owned()));
        }
        Ok(all)
    }

    /// Everything of the cloud, and every chart, at once.
    pub(super) fn keeps_what_is_unready(&self) -> Result<()> {
        let name = self.source.name;
        let is_unready = |cluster: &Value| {
            ensure!(!is_ready(cluster), "it is ready");
            Ok(())
        };
        let lose = || {
            self.stand_in.lose(name);
            Ok(())
        };
        let find = || {
            self.stand_in.find(name);
            Ok(())
        };
        self.keeps(UNREADY, lose, is_unready, find)
    }

    /// No webhook refuses the deletion here.
    pub(super) fn keeps_without_class(&self) -> Result<()> {
        let (kubectl, class) = (&self.plane.administrator, self.source.class);
        let missed = |cluster: &Value| says(cluster, class);
        let delete = || kubectl.run(&["delete", INFERENCE_CLASSES.plural, class]).map(drop);
        self.keeps(SEEN, delete, missed, || self.class_again())
    }

    /// A class of hardware that somebody else installs has no block for any cloud.
    pub(super) fn keeps_without_block(&self) -> Result<()> {
        let (kubectl, class) = (&self.plane.administrator, self.source.class);
        if !self.is_provisioned() {
            return Ok(());
        }
        let strip = || kubectl.patch(&[INFERENCE_CLASSES.plural, class], &json!({"spec": {"provisioning": null}}));
        self.keeps(SEEN, strip, |cluster| says(cluster, "provisioning block"), || self.class_again())
    }

    /// The definition refuses it, before anything is composed.
    pub(super) fn keeps_its_source(&self) -> Result<()> {
        let (kubectl, before) = (&self.plane.administrator, uids(&self.found()?));
        let manifest = self.source.manifest()?;
        let cluster = manifest["spec"]["cluster"].as_object().context("no cluster")?;
        let block = cluster.keys().find(|key| *key != "source").context("its source needs nothing")?;
        let without = json!({"spec": {"cluster": {block: null}}});
        let refused = kubectl.patch(&[INFERENCE_CLUSTERS.plural, self.source.name], &without);
        let words = refused.err().map(|error| format!("{error:#}")).unwrap_or_default();
        ensure!(words.contains(&format!("spec.cluster.{block} is required")), "it is refused with {words:?}");
        sleep(SEEN);
        let after = uids(&self.found()?);
        ensure!(after == before, "it was {before:?}, and is {after:?}");
        Ok(())
    }

    /// A fabric of another cloud is left out, and says so; a cluster without any pool is not composed.
    pub(super) fn keeps_with_invalid_pools(&self) -> Result<()> {
        if !self.is_provisioned() {
            return Ok(());
        }
        let (kubectl, right) = (&self.plane.administrator, self.source.manifest()?);
        // With another fabric, what serves its own one would rightly go.
        if right["spec"]["nodePools"][0]["fabric"].is_null() {
            let mut wrong = right.clone();
            wrong["spec"]["nodePools"][0]["fabric"] = json!({"type": "EFA"});
            let ignored = |cluster: &Value| says(cluster, "OptionIgnored");
            self.keeps(SEEN, || kubectl.apply(&wrong), ignored, || kubectl.apply(&right))?;
        }
        let mut none = right.clone();
        none["spec"].as_object_mut().context("a spec")?.remove("nodePools");
        let invalid = |cluster: &Value| says(cluster, "InvalidNodePool");
        self.keeps(SEEN, || kubectl.apply(&none), invalid, || kubectl.apply(&right))
    }

    /// Clusters in Google Cloud and in Nebius know their project from it.
    pub(super) fn keeps_without_provider(&self) -> Result<()> {
        let kubectl = &self.plane.administrator;
        let Some((kind, name, provided)) = self.provider()? else { return Ok(()) };
        let delete = || kubectl.run(&["delete", &kind, &name]).and_then(|_| self.nudge_layer());
        self.keeps(SEEN, delete, |_| Ok(()), || kubectl.apply(&provided).and_then(|()| self.nudge_layer()))
    }

    /// The same while there is no cluster yet, and more of it may come.
    pub(super) fn waits_without_provider(&self) -> Result<()> {
        let kubectl = &self.plane.administrator;
        let Some((kind, name, provided)) = self.provider()? else { return Ok(()) };
        let before = uids(&self.found()?);
        kubectl.run(&["delete", &kind, &name])?;
        self.nudge_layer()?;
        sleep(SEEN);
        let meanwhile = uids(&self.found()?);
        kubectl.apply(&provided)?;
        self.nudge_layer()?;
        let kept = before.iter().all(|(key, uid)| meanwhile.get(key) == Some(uid));
        ensure!(kept, "it was {before:?}, and is {meanwhile:?}");
        Ok(())
    }

    /// The kind and the name of the configuration of its provider, and the configuration.
    pub(super) fn provider(&self) -> Result<Option<(String, String, Value)>> {
        let group = match self.source.name {
            name if name.starts_with("gke") => "gcp.m.upbound.io/",
            name if name.starts_with("nebius") => "nebius.m.upbound.io/",
            _ => return Ok(None),
        };
        let is_of = |it: &Value| it["apiVersion"].as_str().is_some_and(|version| version.starts_with(group));
        let provided = provided()?.into_iter().find(is_of).context("a configuration of its provider")?;
        let kind = format!("clusterproviderconfigs.{}", group.trim_end_matches('/'));
        let name = provided["metadata"]["name"].as_str().context("a name")?.to_owned();
        Ok(Some((kind, name, provided)))
    }

    /// While the layer below is paused, the cluster knows of another pool, and nothing is made for it.
    pub(super) fn changes_pools(&self) -> Result<()> {
        let (kubectl, manifest) = (&self.plane.administrator, self.source.manifest()?);
        let before = uids(&self.found()?);
        let mut more = manifest.clone();
        let mut pool = manifest["spec"]["nodePools"][0].clone();
        pool["name"] = "more".into();
        more["spec"]["nodePools"].as_array_mut().context("pools")?.push(pool);
        self.pause_layer(true)?;
        kubectl.apply(&more)?;
        self.says("it has the pool", |cluster| {
            let pools = &cluster["status"]["gpuPools"];
            ensure!(pools.as_array().is_some_and(|pools| pools.len() == 2), "its pools are {pools}");
            Ok(())
        })?;
        sleep(SEEN);
        ensure!(uids(&self.found()?) == before, "a paused layer has made something, or has let it go");
        self.pause_layer(false)?;
        self.settles(&more)?;
        let with_more = uids(&self.found()?);
        ensure!(before.iter().all(|(key, uid)| with_more.get(key) == Some(uid)), "something was made anew");

        // GKE keeps the number that a pool has begun with. Its scheduler alone reads the taint.
        let field = if more["spec"]["cluster"]["source"] == "GKE" { "maxNodeCount" } else { "nodeCount" };
        more["spec"]["nodePools"][1][field] = 3.into();
        more["spec"]["taints"] = json!([{"key": "tests", "value": "drained", "effect": "NoSchedule"}]);
        kubectl.apply(&more)?;
        self.nudge()?;
        self.settles(&more)?;
        ensure!(uids(&self.found()?) == with_more, "something was made anew, or is gone, with more nodes");

        kubectl.apply(&manifest)?;
        self.settles(&manifest)?;
        ensure!(uids(&self.found()?) == before, "something was made anew, or is gone");
        Ok(())
    }

    /// Its scheduler sees other devices, and its cloud is told another disk, of the pools that are there. Not in Vultr, where the
    /// plan of a pool has its disk.
    pub(super) fn follows_its_class(&self) -> Result<()> {
        const MEMORY: &str = "12345Mi";
        const DISK: u64 = 1777;
        let mut class = self.class()?;
        let provider = class["spec"]["provisioning"]["provider"].as_str().map(str::to_lowercase);
        let has_disk = provider.as_ref().is_some_and(|it| it != "vultr");
        class["spec"]["devices"][0]["capacity"]["memory"]["value"] = MEMORY.into();
        if let Some(provider) = provider.filter(|_| has_disk) {
            class["spec"]["provisioning"][provider]["diskSizeGb"] = DISK.into();
        }
        let shows = |cluster: &Value| {
            let memory = &cluster["status"]["gpuPools"][0]["devices"][0]["capacity"]["memory"]["value"];
            ensure!(memory == MEMORY, "its scheduler sees {memory}");
            Ok(())
        };
        let mend = || {
            eventually("its cloud is told of the disk", LIMIT, || {
                let is_told = |it: &Value| holds(&it["spec"]["forProvider"], DISK);
                ensure!(!has_disk || self.found()?.values().any(is_told), "it is not");
                Ok(())
            })?;
            self.class_again()
        };
        self.keeps(SEEN, || self.plane.administrator.apply(&class), shows, mend)
    }

    /// Does something to it, which shows; all there is stays for so long, and is as before when it is mended.
    fn keeps(
        &self,
        long: Duration,
        disturb: impl FnOnce() -> Result<()>,
        shows: impl FnMut(&Value) -> Result<()>,
        mend: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let before = uids(&self.found()?);
        disturb()?;
        self.nudge()?;
        self.says("it shows", shows)?;
        sleep(long);
        let meanwhile = uids(&self.found()?);
        ensure!(meanwhile == before, "it was {before:?}, and is {meanwhile:?}");
        mend()?;
        self.nudge()?;
        self.settles(&self.source.manifest()?)?;
        ensure!(uids(&self.found()?) == before, "something was made anew");
        Ok(())
    }

    /// The class as it was. Only this one: others may be gone just now.
    fn class_again(&self) -> Result<()> {
        self.plane.administrator.apply(&self.class()?)
    }

    fn class(&self) -> Result<Value> {
        let classes = documents(&fs::read_to_string(workspace().join("examples/modelplane/classes.yaml"))?)?;
        classes.into_iter().find(|it| it["metadata"]["name"] == self.source.class).context("its class")
    }

    pub(super) fn is_provisioned(&self) -> bool {
        !self.source.control_plane.is_empty()
    }

    /// The composite below: its cluster in a cloud, or the stack on one that exists.
    pub(super) fn layer(&self) -> Result<(String, String)> {
        let found = self.found()?;
        let key = if self.is_provisioned() { "-cluster" } else { "serving-stack" };
        let layer = found.iter().find(|(name, _)| name.starts_with("InferenceCluster/") && name.ends_with(key));
        let (_, layer) = layer.context("the layer below")?;
        let kind = packages::composed().into_iter().find(|it| layer["kind"] == it.kind).context("its kind")?;
        Ok((named(kind), layer["metadata"]["name"].as_str().context("its name")?.to_owned()))
    }

    pub(super) fn nudge_layer(&self) -> Result<()> {
        let (kind, name) = self.layer()?;
        self.nudge_any(&kind, &name)
    }

    fn pause_layer(&self, paused: bool) -> Result<()> {
        let (kind, name) = self.layer()?;
        let kubectl = &self.plane.administrator;
        let value = if paused { json!("true") } else { Value::Null };
        let annotation = json!({"metadata": {"annotations": {"crossplane.io/paused": value}}});
        kubectl.patch(&[&kind, &name, "--namespace", NAMESPACE], &annotation)?;
        eventually("it is paused, or no more", LIMIT, || {
            let layer = kubectl.get(&[&kind, &name, "--namespace", NAMESPACE])?;
            let synced = condition(&layer, "Synced");
            ensure!((synced["reason"] == "ReconcilePaused") == paused, "Synced is {synced}");
            Ok(())
        })
    }
}

/// Whether its conditions say something.
fn says(cluster: &Value, what: &str) -> Result<()> {
    let conditions = cluster["status"]["conditions"].to_string();
    ensure!(conditions.contains(what), "it says {conditions}");
    Ok(())
}

/// Whether a number is somewhere in a value, or a text of it.
fn holds(value: &Value, number: u64) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|it| holds(it, number)),
        Value::Object(fields) => fields.values().any(|it| holds(it, number)),
        Value::String(text) => *text == number.to_string(),
        _ => *value == number,
    }
}
