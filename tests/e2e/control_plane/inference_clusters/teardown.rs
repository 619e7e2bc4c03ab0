//! How a cluster goes: not while replicas are on it, and in the order of its Usages (Modelplane v0.3.1).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use inference::modelplane::resources::{
    API_VERSION, INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_REPLICAS, STORAGE_CLASSES,
};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;
use toolbox::resources::{OBJECTS, RELEASES, USAGES};

use super::cascade::{self, Objects};
use super::life::{FleetLife, LIMIT, uids};
use super::packages;
use super::sources::LABEL;
use crate::clusters::world::{Key, Step, World};
use crate::composites::condition;
use crate::gpu_clusters::NAMESPACE;

const BACKGROUND: &str = "background";
/// The namespace of the models.
const MODELS: &str = "teardown";
/// The time until nothing is left, twice what it takes at most on an idle machine. Crossplane's Usages look every 30 s whether
/// what uses has gone, and four wait for one another: of the GatewayClass, of Envoy Gateway, of the configurations, of the cluster.
const GONE: Duration = Duration::from_secs(240);

impl FleetLife<'_> {
    /// A deletion is refused and remembered, and the cluster says what holds it.
    pub(super) fn is_held(&self) -> Result<()> {
        let kubectl = &self.plane.administrator;
        kubectl.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": MODELS}}))?;
        kubectl.apply(&self.replica())?;
        if self.has_caches() {
            kubectl.apply(&self.cache()?)?;
            self.stages()?;
        }
        self.nudge()?;
        let usages = ["InferenceCluster/usage-replicas", "InferenceCluster/usage-caches"];
        let usages = &usages[..1 + usize::from(self.has_caches())];
        let found = eventually("Usages hold it", LIMIT, || {
            let found = self.found()?;
            ensure!(usages.iter().all(|key| found.contains_key(*key)), "there are {:?}", found.keys());
            let cluster = self.stored()?;
            ensure!(cluster["metadata"]["labels"]["crossplane.io/in-use"] == "true", "it is not in use");
            Ok(found)
        })?;
        let refused = self.delete().err().context("the deletion is not refused")?.to_string();
        let reasons = ["ModelReplicas are scheduled to", "ModelCaches are staged on"];
        let is_told = reasons.iter().any(|reason| refused.contains(&format!("{reason} this InferenceCluster")));
        ensure!(is_told, "it says {refused}");
        self.nudge()?;
        self.says("it says what holds it", |cluster| {
            let held = condition(cluster, "DeletionHeld");
            let message = held["message"].as_str().unwrap_or_default();
            let kinds = [MODEL_REPLICAS.kind, MODEL_CACHES.kind];
            let names = kinds[..usages.len()].iter().all(|kind| message.contains(&format!("{kind}s in {MODELS}: ")));
            ensure!(held["status"] == "True" && names, "DeletionHeld is {held}");
            Ok(())
        })?;
        ensure!(uids(&self.found()?) == uids(&found), "something is gone");
        Ok(())
    }

    /// With its last replica and its last cache it goes by itself, and so does all that it leads to.
    pub(super) fn goes(&self) -> Result<()> {
        let (kubectl, name) = (&self.plane.administrator, self.source.name);
        let (found, before) = (self.found()?, Instant::now());
        let which = || Which::all(&INFERENCE_CLUSTERS).named(name);
        self.lets_go(&MODEL_REPLICAS)?;
        if self.has_caches() {
            self.says("the cache alone holds it", |cluster| {
                let held = condition(cluster, "DeletionHeld");
                let message = held["message"].as_str().unwrap_or_default();
                let is_held = [MODEL_CACHES, MODEL_REPLICAS].map(|kind| message.contains(kind.kind)) == [true, false];
                ensure!(held["status"] == "True" && is_held, "DeletionHeld is {held}");
                ensure!(cluster["metadata"]["deletionTimestamp"].is_null(), "it is being deleted");
                Ok(())
            })?;
            self.lets_go(&MODEL_CACHES)?;
        }
        eventually("the deletion is repeated", LIMIT, || {
            let cluster = kubectl.list(which())?.into_values().next();
            ensure!(cluster.is_none_or(|it| it["metadata"]["deletionTimestamp"].is_string()), "it is not");
            Ok(())
        })?;
        if self.propagation() == BACKGROUND {
            return self.leaks(&found);
        }
        let begin = Instant::now();
        eventually("it is gone", GONE, || {
            let left = self.found()?;
            let left: BTreeSet<_> = left.keys().collect();
            ensure!(kubectl.list(which())?.is_empty(), "it is there, with {left:?}");
            Ok(())
        })?;
        let left: Vec<_> = cascade::left(kubectl, &found)?;
        ensure!(left.is_empty(), "left are {left:?}");
        progress(&format!("platform: {name} was gone after {:.0} s", begin.elapsed().as_secs_f64()));
        went_in_order(&self.stand_in.world, &found, before, |_| true)?;
        self.took_the_rest_along(&found)
    }

    /// Deletes what holds it of this kind, and waits until it is gone.
    fn lets_go(&self, kind: &ApiResource) -> Result<()> {
        let (kubectl, name) = (&self.plane.administrator, self.held());
        kubectl.run(&["delete", "--wait=false", "--namespace", MODELS, &named(kind), &name])?;
        kubectl.gone(Which::all(kind).within(MODELS).named(&name), LIMIT)?;
        self.nudge()
    }

    /// What is on the cluster without a Usage has not gone before it: its storage classes were there when its API server ended.
    fn took_the_rest_along(&self, found: &Objects) -> Result<()> {
        let manifests = found.values().map(|it| &it["spec"]["forProvider"]["manifest"]);
        let classes = manifests.filter(|it| it["kind"] == STORAGE_CLASSES.kind);
        let classes: BTreeSet<_> =
            classes.filter_map(|it| it["metadata"]["name"].as_str().map(str::to_owned)).collect();
        // There is no storage class on a cluster where provider-kubernetes does nothing.
        let is_real = !self.source.name.starts_with("nebius") && self.is_provisioned();
        let last = self.stand_in.last_seen(self.source.name);
        ensure!(!is_real || last == Some(classes.clone()), "there were {last:?}, and not {classes:?}");
        Ok(())
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

    /// Whether models can be staged on it.
    fn has_caches(&self) -> bool {
        !self.source.name.starts_with("vultr")
    }

    /// A cache on it alone.
    fn cache(&self) -> Result<Value> {
        let manifest = self.source.manifest()?;
        let spec = json!({
            "source": "HuggingFace",
            "huggingFace": {"repo": "meta/llama", "sizeGiB": 100},
            "clusterSelector": {"matchLabels": {LABEL: manifest["metadata"]["labels"][LABEL]}},
        });
        Ok(self.holder(&MODEL_CACHES, spec))
    }

    /// Waits until the cache says that it is on it.
    fn stages(&self) -> Result<()> {
        let name = self.held();
        let which = Which::all(&MODEL_CACHES).within(MODELS).named(&name);
        if self.is_nebius() {
            let on_it = json!({"clusters": [{"name": self.source.name, "phase": "Ready"}]});
            self.plane.administrator.watching()?.patch_status(which, &on_it)?;
        }
        self.plane.administrator.until_it("the cache is on it", which, LIMIT, |cache| {
            let clusters = &cache["status"]["clusters"];
            ensure!(clusters[0]["name"] == self.source.name, "it is on {clusters}");
            Ok(())
        })
    }

    fn is_nebius(&self) -> bool {
        self.source.name.starts_with("nebius")
    }

    /// The name of what holds it.
    fn held(&self) -> String {
        format!("{}-held", self.source.name)
    }

    /// A replica on it.
    fn replica(&self) -> Value {
        let name = self.source.name;
        let member = json!({
            "role": "Standalone",
            "nodePoolName": "h100",
            "template": {"spec": {"containers": [{"name": "engine", "image": "vllm/vllm-openai:v0.11.0"}]}},
            "deviceRequests": [{"name": "gpu", "deviceClassName": "gpu.nvidia.com", "count": 1}],
        });
        let engine = json!({"name": "main", "copies": 1, "members": [member]});
        self.holder(&MODEL_REPLICAS, json!({"clusterName": name, "engines": [engine]}))
    }

    /// An object that holds it. provider-kubernetes cannot reach Nebius, and so could not clean up after it.
    fn holder(&self, kind: &ApiResource, spec: Value) -> Value {
        let paused = if self.is_nebius() { json!({"crossplane.io/paused": "true"}) } else { Value::Null };
        json!({
            "apiVersion": API_VERSION,
            "kind": kind.kind,
            "metadata": {
                "name": self.held(),
                "namespace": MODELS,
                "labels": {"modelplane.ai/cluster": self.source.name, "modelplane.ai/deployment": "held"},
                "annotations": paused,
            },
            "spec": spec,
        })
    }
}

/// Nothing was asked to go before what uses it had gone, as far as Usages say so of kinds that are chosen.
pub(crate) fn went_in_order(
    world: &World,
    found: &Objects,
    begin: Instant,
    is_chosen: impl Fn(&Value) -> bool,
) -> Result<()> {
    let usages = found.values().filter(|it| it["kind"] == USAGES.kind && is_chosen(&it["spec"]["of"]));
    let ends = usages.map(|usage| Ok((key(&usage["spec"]["of"])?, key(&usage["spec"]["by"])?)));
    let ends = ends.collect::<Result<Vec<_>>>()?;
    ensure!(!ends.is_empty(), "there were no Usages");
    // The stand-in may be late.
    let moments = eventually("all has been seen to go", GONE, || {
        let moments = world.moments();
        let moment = |what: &Key, step: Step| {
            let seen = moments.iter().find(|it| it.what == *what && it.step == step && it.at > begin);
            seen.map(|moment| moment.version)
        };
        let both = ends.iter().map(|(of, by)| {
            // What has no finalizer goes when it is asked.
            let asked = moment(of, Step::Asked).or_else(|| moment(of, Step::Gone));
            let asked = asked.with_context(|| format!("{of:?} was not seen to go"))?;
            let gone = moment(by, Step::Gone).with_context(|| format!("{by:?} was not seen to go"))?;
            anyhow::Ok((of, asked, by, gone))
        });
        both.collect::<Result<Vec<_>>>()
    })?;
    for (of, asked, by, gone) in moments {
        ensure!(asked > gone, "{of:?} was asked to go at {asked}, before {by:?} had gone at {gone}");
    }
    Ok(())
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
