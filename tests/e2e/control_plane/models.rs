//! The models of the scenario, and what there is of them on the control plane and on both clusters.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use contract::catalog::ApiResource;
use inference::modelplane::resources::{
    API_VERSION, CONFIG_MAPS, DEPLOYMENTS, ENDPOINT_SLICES, HTTP_ROUTES, INFERENCE_POOLS, JOBS, LEADER_WORKER_SETS,
    LLM_INFERENCE_SERVICES, MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_ENDPOINTS, MODEL_REPLICAS, MODEL_SERVICES,
    PERSISTENT_VOLUME_CLAIMS, RESOURCE_CLAIM_TEMPLATES, ROLE_BINDINGS, ROLES, SECRETS, SERVICE_ACCOUNTS, SERVICES,
};
use serde_json::{Value, json};
use tests::real::processes::eventually;
use tests::real::watching::{Objects, Which};
use toolbox::resources::OBJECTS;

use crate::composites::{Versions, controller, keyed, unchanged, version};
use crate::gpu_clusters::GpuClusters;
use crate::plane::Plane;
use crate::resources::PODS;

/// The namespace of everything on clusters.
pub(crate) const REMOTE: &str = "default";
/// What v0.3.1 calls the replicas of `llama`, by cluster and index.
pub(crate) const EAST_0: &str = "llama-09209";
pub(crate) const EAST_1: &str = "llama-1685a";
pub(crate) const WEST_0: &str = "llama-6a11f";
/// The second replica on the other cluster, after the first one has been drained.
pub(crate) const WEST_1: &str = "llama-1070b";
/// The time limit for what needs several polls of provider-kubernetes, which come every ten seconds.
pub(crate) const LIMIT: Duration = Duration::from_secs(600);

/// What composites bring on the control plane.
const HERE: &[&ApiResource] = &[
    &MODEL_CACHES,
    &MODEL_DEPLOYMENTS,
    &MODEL_ENDPOINTS,
    &MODEL_REPLICAS,
    &MODEL_SERVICES,
    &OBJECTS,
    &HTTP_ROUTES,
    &SERVICES,
    &ENDPOINT_SLICES,
];

/// What they bring on a cluster, and the pods of it.
const THERE: &[&ApiResource] = &[
    &CONFIG_MAPS,
    &DEPLOYMENTS,
    &HTTP_ROUTES,
    &INFERENCE_POOLS,
    &JOBS,
    &LEADER_WORKER_SETS,
    &PERSISTENT_VOLUME_CLAIMS,
    PODS,
    &RESOURCE_CLAIM_TEMPLATES,
    &ROLE_BINDINGS,
    &ROLES,
    &SECRETS,
    &SERVICE_ACCOUNTS,
    &SERVICES,
];

/// The models in a namespace.
pub(crate) struct Models<'a> {
    pub(crate) plane: &'a Plane,
    pub(crate) clusters: &'a GpuClusters,
    pub(crate) namespace: &'a str,
}

impl Models<'_> {
    /// Applies a composite, as a platform engineer.
    pub(crate) fn apply(&self, resource: &ApiResource, name: &str, spec: Value) -> Result<()> {
        self.plane.kubectl.apply(&json!({
            "apiVersion": API_VERSION,
            "kind": resource.kind,
            "metadata": {"name": name, "namespace": self.namespace, "labels": {"model": name}},
            "spec": spec,
        }))
    }

    /// Applies three deployments, an endpoint of somebody else, and a service over some of them: `llama` on any cluster,
    /// `big` as a gang with the cache, and `split` in two phases on one cluster.
    pub(crate) fn apply_models(&self) -> Result<()> {
        let gang = json!({"name": "main", "members": [
            member("Leader", &json!({})),
            member("Worker", &json!({"worker": {"nodes": 1}})),
        ]});
        let phase = |name: &str, phase: &str| json!({"name": name, "phase": phase, "members": [member("Standalone", &json!({}))]});
        let deployment = |replicas: u32, spec: Value| json!({"replicas": replicas, "template": {"spec": spec}});
        self.apply(&MODEL_DEPLOYMENTS, "llama", llama(2, r#"device.driver == "gpu.nvidia.com""#))?;
        let big = json!({"engines": [gang], "modelCacheRef": {"name": "weights"}});
        self.apply(&MODEL_DEPLOYMENTS, "big", deployment(1, big))?;
        let split = json!({
            "clusterSelector": {"matchLabels": {"side": self.clusters.west.name}},
            "serving": {"mode": "PrefillDecode"},
            "engines": [phase("prefill", "Prefill"), phase("decode", "Decode")],
        });
        self.apply(&MODEL_DEPLOYMENTS, "split", deployment(1, split))?;
        let provider = json!({"url": "https://inference.example.org/v1", "rewritePath": "/openai/"});
        self.apply(&MODEL_ENDPOINTS, "provider", provider)?;
        let entry = |weight: u32, labels: Value| json!({"weight": weight, "selector": {"matchLabels": labels}});
        let entries = [entry(9, json!({"modelplane.ai/deployment": "llama"})), entry(1, json!({"model": "provider"}))];
        self.apply(&MODEL_SERVICES, "assistant", json!({ "endpoints": entries }))
    }

    /// Waits until a composite is Ready.
    pub(crate) fn ready(&self, resource: &ApiResource, name: &str) -> Result<()> {
        self.plane.kubectl.condition("Ready", Which::all(resource).within(self.namespace).named(name), LIMIT)
    }

    /// Waits until a deployment has exactly these replicas, each is Ready, and each has an endpoint that is.
    pub(crate) fn serves(&self, deployment: &str, names: &[&str]) -> Result<()> {
        let labels = format!("modelplane.ai/deployment={deployment}");
        for resource in [&MODEL_REPLICAS, &MODEL_ENDPOINTS] {
            let which = Which::all(resource).within(self.namespace).labelled(&labels);
            let what = format!("the {} of {deployment} are {names:?}", resource.plural);
            self.plane.kubectl.until(&what, which, LIMIT, |objects| {
                let found = by_name(objects);
                ensure!(
                    found.iter().map(|(name, _)| *name).eq(names.iter().copied()),
                    "there are {:?}",
                    objects.keys()
                );
                found.iter().try_for_each(|(name, object)| {
                    ensure!(is_ready(object), "{name}: {}", object["status"]);
                    Ok(())
                })
            })?;
        }
        Ok(())
    }

    /// Waits until the route of the service has these weights, the largest first.
    pub(crate) fn weights(&self, weights: &[u64]) -> Result<()> {
        let which = Which::all(&HTTP_ROUTES).within(self.namespace);
        self.plane.administrator.until_it(&format!("the weights are {weights:?}"), which, LIMIT, |route| {
            let backends = route["spec"]["rules"][0]["backendRefs"].as_array().cloned().unwrap_or_default();
            let mut found: Vec<_> = backends.iter().filter_map(|it| it["weight"].as_u64()).collect();
            found.sort_unstable_by(|a, b| b.cmp(a));
            ensure!(found == weights, "they are {found:?}");
            Ok(())
        })
    }

    /// Waits until a composite has this condition.
    pub(crate) fn says(&self, resource: &ApiResource, name: &str, kind: &str, reason: &str) -> Result<()> {
        let which = Which::all(resource).within(self.namespace).named(name);
        self.plane.kubectl.until_it(&format!("{name}: {kind} {reason}"), which, LIMIT, |object| {
            let conditions = object["status"]["conditions"].as_array().context("it has no conditions")?;
            let found = conditions.iter().find(|it| it["type"] == kind);
            ensure!(found.is_some_and(|it| it["reason"] == reason), "{found:?}");
            Ok(())
        })
    }

    /// The composed Objects of a replica, by composition resource name.
    pub(crate) fn objects_of(&self, replica: &str) -> Result<BTreeMap<String, Value>> {
        let mut objects = self.plane.kubectl.list(Which::all(&OBJECTS).within(self.namespace))?;
        objects.retain(|_, object| controller(object).is_some_and(|it| it["name"] == replica));
        keyed(&objects)
    }

    /// The versions of everything in the namespace and on both clusters, by `PLACE Kind/name of Kind/name` with what
    /// controls it.
    pub(crate) fn everything(&self) -> Result<Versions> {
        let mut versions = Versions::new();
        let mut add = |place: &str, objects: Objects| -> Result<()> {
            for object in objects.values() {
                let (name, version) = version(object)?;
                let owner = controller(object).map(|it| format!(" of {}/{}", text(&it["kind"]), text(&it["name"])));
                versions.insert(format!("{place} {name}{}", owner.unwrap_or_default()), version);
            }
            Ok(())
        };
        for resource in HERE {
            add("control plane", self.plane.administrator.list(Which::all(resource).within(self.namespace))?)?;
        }
        for cluster in self.clusters.all() {
            let kserve = self.clusters.with_kserve.then_some(&LLM_INFERENCE_SERVICES);
            for resource in THERE.iter().copied().chain(kserve) {
                add(cluster.name, cluster.kubectl.list(Which::all(resource).within(REMOTE))?)?;
            }
        }
        Ok(versions)
    }

    /// Waits until nothing is written for some polls of the provider.
    pub(crate) fn settled(&self) -> Result<()> {
        eventually("all has settled", LIMIT, || {
            let before = self.everything()?;
            std::thread::sleep(Duration::from_secs(15));
            unchanged(&before, &self.everything()?)
        })
    }

    /// The versions of everything, as soon as nothing is left that was deleted.
    pub(crate) fn standing(&self) -> Result<Versions> {
        eventually("all that was deleted is gone", LIMIT, || {
            let all = self.everything()?;
            let going: Vec<_> = all.iter().filter(|(_, version)| version.deleted).map(|(name, _)| name).collect();
            ensure!(going.is_empty(), "left: {going:?}");
            Ok(all)
        })
    }

    /// Waits until nothing is left that has `part` in its name, or in that of what controls it.
    pub(crate) fn gone(&self, part: &str) -> Result<()> {
        eventually(&format!("all of {part:?} is gone"), LIMIT, || {
            let left = about(&self.everything()?, part);
            let left: Vec<_> = left.keys().filter(|name| !OF_THE_CLUSTER.iter().any(|it| name.ends_with(it))).collect();
            if left.is_empty() {
                return Ok(());
            }
            // Each look is dozens of lists.
            std::thread::sleep(Duration::from_secs(2));
            bail!("left: {left:?}")
        })
    }
}

/// What an empty cluster has.
const OF_THE_CLUSTER: &[&str] = &["Service/kubernetes", "ServiceAccount/default"];

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Those that have `part` in their name, or in that of what controls them.
pub(crate) fn about(versions: &Versions, part: &str) -> Versions {
    let found = versions.iter().filter(|(name, _)| name.contains(part));
    found.map(|(name, version)| (name.clone(), version.clone())).collect()
}

/// The spec of `llama`: one engine on one node, whose devices `selector` selects.
pub(crate) fn llama(replicas: u32, selector: &str) -> Value {
    let mut member = member("Standalone", &json!({}));
    member["nodeSelector"]["devices"][0]["selectors"][0]["cel"] = selector.into();
    json!({"replicas": replicas, "template": {"spec": {"engines": [{"name": "main", "members": [member]}]}}})
}

fn member(role: &str, more: &Value) -> Value {
    let gpu = json!({"name": "gpu", "count": 8, "selectors": [{"cel": r#"device.driver == "gpu.nvidia.com""#}]});
    let container = json!({"name": "engine", "image": "vllm/vllm-openai:v0.11.0", "args": ["--model=meta/llama"]});
    let mut member = json!({
        "role": role,
        "nodeSelector": {"devices": [gpu]},
        "template": {"spec": {"containers": [container]}},
    });
    for (key, value) in more.as_object().into_iter().flatten() {
        member[key] = value.clone();
    }
    member
}

fn by_name(objects: &Objects) -> Vec<(&str, &Value)> {
    let mut named: Vec<_> = objects.values().filter_map(|it| Some((it["metadata"]["name"].as_str()?, it))).collect();
    named.sort_unstable_by_key(|(name, _)| *name);
    named
}

fn is_ready(object: &Value) -> bool {
    let conditions = object["status"]["conditions"].as_array();
    conditions.into_iter().flatten().any(|it| it["type"] == "Ready" && it["status"] == "True")
}
