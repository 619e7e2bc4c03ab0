//! The life of a cluster of the fleet.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::{INFERENCE_CLASSES, INFERENCE_CLUSTERS, SERVING_STACKS};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;
use toolbox::resources::USAGES;

use super::Source;
use super::cascade::{self, Objects};
use super::stand_in::StandIn;
use super::targets::ADDRESS;
use crate::clusters::managed::is_ready;
use crate::plane::Plane;

/// The time limit for everything: provider-kubernetes tries less and less often what has failed.
const LIMIT: Duration = Duration::from_secs(300);
/// For so long nothing is written.
const QUIET: Duration = Duration::from_secs(30);

/// A cluster.
pub(super) struct Life<'a> {
    pub(super) plane: &'a Plane,
    pub(super) stand_in: &'a StandIn,
    pub(super) source: &'static Source,
}

impl Life<'_> {
    /// From nothing to nothing.
    pub(super) fn run(&self) -> Result<()> {
        let name = self.source.name;
        let steps: &[(&str, fn(&Self) -> Result<()>)] = &[
            ("it waits for its control plane", Self::waits),
            ("it is ready", Self::becomes_ready),
            ("it is quiet", Self::is_quiet),
            ("a class that is gone takes nothing along", Self::keeps_without_class),
            ("a pool comes and goes", Self::changes_pools),
            ("it goes", Self::goes),
        ];
        for (what, step) in steps {
            let start = Instant::now();
            step(self).with_context(|| format!("{name}: {what}"))?;
            progress(&format!("platform: {name}: {what}, after {:.0} s", start.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    /// Nothing is installed on a cluster that is not there.
    fn waits(&self) -> Result<()> {
        let Source { name, control_plane, .. } = self.source;
        let kubectl = &self.plane.administrator;
        if control_plane.is_empty() {
            return self.exists();
        }
        self.stand_in.hold(control_plane, name);
        kubectl.apply(&self.manifest()?)?;
        eventually("its control plane is asked for", LIMIT, || {
            let found = self.found()?;
            ensure!(found.values().any(|it| it["kind"] == *control_plane), "there are {:?}", found.keys());
            Ok(())
        })?;
        self.says("its cluster is awaited", |cluster| {
            let ready = condition(cluster, "ClusterReady");
            ensure!(ready["status"] == "False", "ClusterReady is {ready}");
            ensure!(condition(cluster, "Ready")["status"] != "True", "it is ready");
            Ok(())
        })?;
        let stacks = self.found()?.into_iter().filter(|(_, it)| it["kind"] == SERVING_STACKS.kind);
        ensure!(stacks.count() == 0, "a stack for a cluster that is not there");
        self.stand_in.relent(control_plane, name);
        Ok(())
    }

    /// Somebody has made the cluster, and brings its kubeconfig.
    fn exists(&self) -> Result<()> {
        let (name, kubectl) = (self.source.name, &self.plane.administrator);
        eventually("its API server runs", LIMIT, || {
            ensure!(self.stand_in.clusters.started(name)?, "it is starting");
            Ok(())
        })?;
        let manifest = self.manifest()?;
        let secret = &manifest["spec"]["cluster"]["existing"]["secretRef"]["name"];
        kubectl.apply(&json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": secret, "namespace": crate::gpu_clusters::NAMESPACE},
            "stringData": {"kubeconfig": self.stand_in.clusters.kubeconfig(name, true)?},
        }))?;
        kubectl.apply(&manifest)
    }

    /// It ends where `render --settled` ends.
    fn becomes_ready(&self) -> Result<()> {
        self.settles(&self.manifest()?)?;
        let cluster = self.stored()?;
        let status = &cluster["status"];
        let (_, settled) = cascade::settled(&self.manifest()?)?;
        // What provider-kubernetes finds on a cluster is not what a preview takes for granted.
        let is_real = !self.source.example.ends_with("nebius");
        let address = if is_real { json!(ADDRESS) } else { settled["gateway"]["address"].clone() };
        ensure!(status["gateway"]["address"] == address, "the gateway is {}", status["gateway"]);
        for field in ["cache", "gpuPools", "namespace", "providerConfigRef"] {
            ensure!(status[field] == settled[field], "{field} is {}, and not {}", status[field], settled[field]);
        }
        Ok(())
    }

    fn is_quiet(&self) -> Result<()> {
        eventually("nothing is written", LIMIT, || {
            let before = versions(&self.found()?);
            sleep(QUIET);
            let after = versions(&self.found()?);
            let written: Vec<_> = before.iter().filter(|(key, version)| after.get(*key) != Some(version)).collect();
            ensure!(written.is_empty() && before.len() == after.len(), "written: {written:?}");
            Ok(())
        })
    }

    /// No webhook refuses the deletion here.
    fn keeps_without_class(&self) -> Result<()> {
        let (kubectl, class) = (&self.plane.administrator, self.source.class);
        let before = uids(&self.found()?);
        kubectl.run(&["delete", INFERENCE_CLASSES.plural, class])?;
        self.says("the class is missed", |cluster| {
            let conditions = cluster["status"]["conditions"].to_string();
            ensure!(conditions.contains(class), "it says {conditions}");
            Ok(())
        })?;
        sleep(Duration::from_secs(5));
        ensure!(uids(&self.found()?) == before, "something was made anew, or is gone");
        // Only this one: others may be gone just now.
        let classes = documents(&fs::read_to_string(workspace().join("examples/modelplane/classes.yaml"))?)?;
        classes.iter().filter(|it| it["metadata"]["name"] == class).try_for_each(|it| kubectl.apply(it))?;
        self.settles(&self.manifest()?)?;
        ensure!(uids(&self.found()?) == before, "something was made anew with the class");
        Ok(())
    }

    fn changes_pools(&self) -> Result<()> {
        let (kubectl, manifest) = (&self.plane.administrator, self.manifest()?);
        let before = uids(&self.found()?);
        let mut more = manifest.clone();
        let pool = json!({"name": "more", "className": self.source.class, "nodeCount": 1});
        more["spec"]["nodePools"].as_array_mut().context("pools")?.push(pool);
        kubectl.apply(&more)?;
        self.settles(&more)?;
        let with_more = uids(&self.found()?);
        ensure!(before.iter().all(|(key, uid)| with_more.get(key) == Some(uid)), "something was made anew");
        kubectl.apply(&manifest)?;
        self.settles(&manifest)?;
        ensure!(uids(&self.found()?) == before, "something was made anew, or is gone");
        Ok(())
    }

    /// What it leads to goes with it, all of it.
    fn goes(&self) -> Result<()> {
        let (kubectl, name) = (&self.plane.administrator, self.source.name);
        let found = self.found()?;
        kubectl.run(&["delete", "--wait=false", "--cascade=foreground", INFERENCE_CLUSTERS.plural, name])?;
        eventually("it is gone", LIMIT, || {
            let left = self.found()?;
            let left: BTreeSet<_> = left.keys().collect();
            let clusters = kubectl.list(Which::all(&INFERENCE_CLUSTERS).named(name))?;
            ensure!(clusters.is_empty(), "it is there, with {left:?}");
            Ok(())
        })?;
        let left: Vec<_> = cascade::left(kubectl, &found)?;
        ensure!(left.is_empty(), "left are {left:?}");
        Ok(())
    }

    /// Waits until it is ready, and has exactly what `render --settled` says, all of it ready.
    fn settles(&self, manifest: &Value) -> Result<()> {
        let (expected, _) = cascade::settled(manifest)?;
        eventually("it settles", LIMIT, || {
            let found = self.found()?;
            let keys: BTreeSet<_> = found.keys().cloned().collect();
            let surplus: Vec<_> = keys.difference(&expected).collect();
            let missing: Vec<_> = expected.difference(&keys).collect();
            ensure!(surplus.is_empty() && missing.is_empty(), "surplus: {surplus:?}, missing: {missing:?}");
            let not_ready: Vec<_> = found
                .iter()
                .filter(|(_, it)| it["status"]["conditions"].is_array() && !is_ready(it) && it["kind"] != USAGES.kind)
                .map(|(key, it)| format!("{key}: {}", it["status"]["conditions"]))
                .collect();
            ensure!(not_ready.is_empty(), "not ready: {not_ready:#?}");
            let cluster = self.stored()?;
            ensure!(is_ready(&cluster), "it says {}", cluster["status"]["conditions"]);
            Ok(())
        })
    }

    /// The manifest of its example, with a class that there is.
    fn manifest(&self) -> Result<Value> {
        let text = fs::read_to_string(workspace().join(format!("examples/modelplane/{}.yaml", self.source.example)))?;
        let mut cluster = documents(&text)?.into_iter().next().context("a cluster")?;
        cluster["spec"]["nodePools"][0]["className"] = self.source.class.into();
        Ok(cluster)
    }

    fn found(&self) -> Result<Objects> {
        cascade::found(&self.plane.administrator, self.source.name)
    }

    fn stored(&self) -> Result<Value> {
        self.plane.administrator.only(Which::all(&INFERENCE_CLUSTERS).named(self.source.name))
    }

    fn says(&self, what: &str, decide: impl FnMut(&Value) -> Result<()>) -> Result<()> {
        let which = Which::all(&INFERENCE_CLUSTERS).named(self.source.name);
        self.plane.administrator.until_it(what, which, LIMIT, decide)
    }
}

fn condition(object: &Value, kind: &str) -> Value {
    let mut conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    conditions.find(|it| it["type"] == kind).cloned().unwrap_or_default()
}

fn uids(of: &Objects) -> BTreeMap<String, Value> {
    of.iter().map(|(key, object)| (key.clone(), object["metadata"]["uid"].clone())).collect()
}

fn versions(of: &Objects) -> BTreeMap<String, Value> {
    of.iter().map(|(key, object)| (key.clone(), object["metadata"]["resourceVersion"].clone())).collect()
}
