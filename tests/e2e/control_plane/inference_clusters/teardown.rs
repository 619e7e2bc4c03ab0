//! How a cluster goes: not while replicas are on it, and in the order of its Usages (Modelplane v0.3.1).

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::{API_VERSION, INFERENCE_CLUSTERS, MODEL_REPLICAS};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;
use toolbox::resources::{OBJECTS, RELEASES, USAGES};

use super::cascade::{self, Objects};
use super::life::{FleetLife, LIMIT, uids};
use super::packages;
use crate::clusters::world::{Key, Step};
use crate::composites::condition;
use crate::gpu_clusters::NAMESPACE;

const BACKGROUND: &str = "background";
/// The namespace of the models.
const MODELS: &str = "teardown";

impl FleetLife<'_> {
    /// A deletion is refused and remembered, and the cluster says what holds it.
    pub(super) fn is_held(&self) -> Result<()> {
        let kubectl = &self.plane.administrator;
        kubectl.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": MODELS}}))?;
        kubectl.apply(&self.replica())?;
        self.nudge()?;
        let found = eventually("a Usage holds it", LIMIT, || {
            let found = self.found()?;
            ensure!(found.contains_key("InferenceCluster/usage-replicas"), "there are {:?}", found.keys());
            let cluster = self.stored()?;
            ensure!(cluster["metadata"]["labels"]["crossplane.io/in-use"] == "true", "it is not in use");
            Ok(found)
        })?;
        let refused = self.delete().err().context("the deletion is not refused")?.to_string();
        ensure!(refused.contains("ModelReplicas are scheduled to this InferenceCluster"), "it says {refused}");
        self.nudge()?;
        self.says("it says what holds it", |cluster| {
            let held = condition(cluster, "DeletionHeld");
            let names = held["message"].as_str().is_some_and(|message| message.contains(MODELS));
            ensure!(held["status"] == "True" && names, "DeletionHeld is {held}");
            Ok(())
        })?;
        ensure!(uids(&self.found()?) == uids(&found), "something is gone");
        Ok(())
    }

    /// With its last replica it goes by itself, and so does all that it leads to.
    pub(super) fn goes(&self) -> Result<()> {
        let (kubectl, name) = (&self.plane.administrator, self.source.name);
        let found = self.found()?;
        let replica = self.replica();
        let replica = replica["metadata"]["name"].as_str().context("a name")?;
        kubectl.run(&["delete", "--wait=false", "--namespace", MODELS, MODEL_REPLICAS.plural, replica])?;
        kubectl.gone(Which::all(&MODEL_REPLICAS).within(MODELS).named(replica), LIMIT)?;
        self.nudge()?;
        let which = || Which::all(&INFERENCE_CLUSTERS).named(name);
        eventually("the deletion is repeated", LIMIT, || {
            let cluster = kubectl.list(which())?.into_values().next();
            ensure!(cluster.is_none_or(|it| it["metadata"]["deletionTimestamp"].is_string()), "it is not");
            Ok(())
        })?;
        if self.propagation() == BACKGROUND {
            return self.leaks(&found);
        }
        let begin = Instant::now();
        eventually("it is gone", LIMIT, || {
            let left = self.found()?;
            let left: BTreeSet<_> = left.keys().collect();
            ensure!(kubectl.list(which())?.is_empty(), "it is there, with {left:?}");
            Ok(())
        })?;
        let left: Vec<_> = cascade::left(kubectl, &found)?;
        ensure!(left.is_empty(), "left are {left:?}");
        progress(&format!("platform: {name} was gone after {:.0} s", begin.elapsed().as_secs_f64()));
        self.went_in_order(&found, begin)
    }

    /// With background propagation its stack goes at once, and so does the cluster, while charts are still being uninstalled. They
    /// can never be: what they had in the cloud is left there (`docs/fleet-clusters.md`).
    fn leaks(&self, found: &Objects) -> Result<()> {
        let (kubectl, name) = (&self.plane.administrator, self.source.name);
        self.stand_in.hold(RELEASES.kind, name);
        eventually("its API server is gone", LIMIT, || {
            let cluster = kubectl.list(Which::all(&INFERENCE_CLUSTERS).named(name))?;
            ensure!(cluster.is_empty(), "the InferenceCluster is there");
            ensure!(self.stand_in.clusters.kubectl(name).is_none(), "it runs");
            Ok(())
        })?;
        self.stand_in.relent(RELEASES.kind, name);
        let releases: Vec<_> = found.values().filter(|it| it["kind"] == RELEASES.kind).collect();
        eventually("its charts cannot be uninstalled", LIMIT, || {
            for release in &releases {
                let which = Which::all(&RELEASES).within(NAMESPACE).named(name_of(release)?);
                let release = kubectl.only(which)?;
                // Envoy Gateway is not even asked to go: the GatewayClass, which nobody can delete, uses it.
                let is_used = release["metadata"]["labels"]["crossplane.io/in-use"] == "true";
                let is_going = release["metadata"]["deletionTimestamp"].is_string();
                let synced = condition(&release, "Synced");
                let fails = is_going && synced["status"] == "False";
                ensure!(fails || is_used, "{} says {synced}", release["metadata"]["name"]);
            }
            Ok(())
        })?;
        progress(&format!("platform: {name} has left {} charts behind", releases.len()));
        // A person who has looked at the cloud lets them go, one after another as Usages end.
        eventually("nothing is left", LIMIT, || {
            let left = cascade::left(kubectl, found)?;
            for object in left.iter().filter_map(|key| found.get(key)) {
                let Some(kind) = [&RELEASES, &OBJECTS].into_iter().find(|kind| object["kind"] == kind.kind) else {
                    continue;
                };
                let finalizers = json!({"metadata": {"finalizers": null}});
                kubectl.patch(&["--namespace", NAMESPACE, &named(kind), name_of(object)?], &finalizers)?;
            }
            ensure!(left.is_empty(), "left are {left:?}");
            Ok(())
        })
    }

    fn delete(&self) -> Result<()> {
        let cascade = format!("--cascade={}", self.propagation());
        let args = ["delete", "--wait=false", &cascade, INFERENCE_CLUSTERS.plural, self.source.name];
        self.plane.administrator.run(&args).map(drop)
    }

    /// How it is deleted. One shows what background propagation, which is kubectl's default, leaves behind.
    fn propagation(&self) -> &'static str {
        if self.source.name.starts_with("vultr") { BACKGROUND } else { "foreground" }
    }

    /// Nothing was asked to go before what uses it had gone.
    fn went_in_order(&self, found: &Objects, begin: Instant) -> Result<()> {
        let moments = self.stand_in.world.moments();
        let moment = |what: &Key, step: Step| {
            let seen = moments.iter().find(|it| it.what == *what && it.step == step && it.at > begin);
            seen.map(|moment| moment.version)
        };
        let usages: Vec<_> = found.values().filter(|it| it["kind"] == USAGES.kind).collect();
        ensure!(!usages.is_empty(), "it has no Usages");
        for usage in usages {
            let (of, by) = (key(&usage["spec"]["of"])?, key(&usage["spec"]["by"])?);
            // What has no finalizer goes when it is asked.
            let asked = moment(&of, Step::Asked).or_else(|| moment(&of, Step::Gone));
            let asked = asked.with_context(|| format!("{of:?} was not seen to go"))?;
            let gone = moment(&by, Step::Gone).with_context(|| format!("{by:?} was not seen to go"))?;
            ensure!(asked > gone, "{of:?} was asked to go at {asked}, before {by:?} had gone at {gone}");
        }
        Ok(())
    }

    /// A replica on it. provider-kubernetes cannot reach Nebius, and so could not clean up after it.
    fn replica(&self) -> Value {
        let name = self.source.name;
        let paused = if name.starts_with("nebius") { json!({"crossplane.io/paused": "true"}) } else { Value::Null };
        let member = json!({
            "role": "Standalone",
            "nodePoolName": "h100",
            "template": {"spec": {"containers": [{"name": "engine", "image": "vllm/vllm-openai:v0.11.0"}]}},
            "deviceRequests": [{"name": "gpu", "deviceClassName": "gpu.nvidia.com", "count": 1}],
        });
        json!({
            "apiVersion": API_VERSION,
            "kind": MODEL_REPLICAS.kind,
            "metadata": {
                "name": format!("{name}-held"),
                "namespace": MODELS,
                "labels": {"modelplane.ai/cluster": name, "modelplane.ai/deployment": "held"},
                "annotations": paused,
            },
            "spec": {"clusterName": name, "engines": [{"name": "main", "copies": 1, "members": [member]}]},
        })
    }
}

fn name_of(object: &Value) -> Result<&str> {
    object["metadata"]["name"].as_str().context("a name")
}

/// What the stand-in calls an end of a Usage.
fn key(end: &Value) -> Result<Key> {
    let kind =
        packages::composed().into_iter().find(|it| end["kind"] == it.kind && end["apiVersion"] == it.api_version);
    let kind = kind.with_context(|| format!("{end} is of a kind that clusters do not lead to"))?;
    let name = end["resourceRef"]["name"].as_str().with_context(|| format!("{end} names nothing"))?;
    Ok((named(kind), name.to_owned()))
}
