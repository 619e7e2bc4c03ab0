//! What deployments become, in rows.

use std::collections::BTreeMap;

use contract::compose::{Amount, ComposeRequest, ComposeResponse};
use contract::types::{ConnectionDetails, MatchBy, ObservedObject, Readiness};
use serde_json::{Value, json};
use toolbox::path;

use crate::KINDS;
use crate::modelplane::scheduling::keys;

/// A deployment, what its lookups find, and what is composed.
#[derive(Clone)]
struct Scene {
    composite: Value,
    /// By name of the lookup. A name that is missing was not looked up yet.
    found: BTreeMap<&'static str, Vec<Value>>,
    observed: BTreeMap<String, Value>,
}

impl Scene {
    /// A deployment `llama` with one engine that needs 8 devices of 80Gi, and no clusters and no replicas.
    fn new(replicas: u32) -> Self {
        let found = BTreeMap::from([("clusters", Vec::new()), ("all-replicas", Vec::new())]);
        Self { composite: deployment(replicas, &[engine("main", 80)]), found, observed: BTreeMap::new() }
    }

    fn engines(mut self, engines: &[Value]) -> Self {
        self.composite["spec"]["template"]["spec"]["engines"] = engines.into();
        self
    }

    /// With something else in the deployment.
    fn set(mut self, at: &str, value: Value) -> Self {
        path::set(&mut self.composite, at, value);
        self
    }

    /// With a cluster that has pools: name, nodes, and memory of the devices.
    fn cluster(self, name: &str, pools: &[(&str, i64, i64)]) -> Self {
        self.add("clusters", cluster(name, pools))
    }

    /// With a replica of the deployment that was looked up, on one node of a pool.
    fn replica(self, cluster: &str, index: i64, pool: &str) -> Self {
        self.add("all-replicas", replica("llama", "ml", cluster, index, pool))
    }

    /// With a replica that is composed too, and is ready or not. A ready one has an endpoint.
    fn composed(mut self, cluster: &str, index: i64, pool: &str, ready: bool) -> Self {
        let mut object = replica("llama", "ml", cluster, index, pool);
        object["status"] = status(ready);
        self.observed.insert(format!("replica-{cluster}-{index}"), object.clone());
        if ready {
            let endpoint = json!({
                "apiVersion": "modelplane.ai/v1alpha1",
                "kind": "ModelEndpoint",
                "metadata": {"name": object["metadata"]["name"], "namespace": "ml", "labels": {"as": "observed"}},
                "spec": {"url": "http://observed/v1"},
                "status": status(true),
            });
            self.observed.insert(format!("endpoint-{cluster}-{index}"), endpoint);
        }
        self.add("all-replicas", object)
    }

    fn add(mut self, lookup: &'static str, object: Value) -> Self {
        self.found.entry(lookup).or_default().push(object);
        self
    }

    /// With the last object of a lookup changed.
    fn change(mut self, lookup: &str, change: impl FnOnce(&mut Value)) -> Self {
        change(self.found.get_mut(lookup).and_then(|found| found.last_mut()).expect("an object"));
        self
    }

    /// Without the answer to a lookup.
    fn without(mut self, lookup: &str) -> Self {
        self.found.remove(lookup);
        self
    }

    /// Composes, natively from values and from texts, which must be the same.
    fn compose(&self) -> ComposeResponse {
        let text = |value: &Value| ObservedObject::from_text(value.to_string(), ConnectionDetails::new());
        let value = |value: &Value| ObservedObject::from(value.clone());
        let [of_text, of_value] = [&text as &dyn Fn(&Value) -> ObservedObject, &value].map(|object| {
            let found = self.found.iter().map(|(name, all)| ((*name).to_owned(), all.iter().map(object).collect()));
            let request = ComposeRequest {
                composite: Some(object(&self.composite)),
                observed: self.observed.iter().map(|(key, it)| (key.clone(), object(it))).collect(),
                lookups: found.collect(),
                ..ComposeRequest::default()
            };
            KINDS.compose(&request).expect("a valid deployment")
        });
        assert_eq!(of_text, of_value);
        of_text
    }

    /// The replicas as `CLUSTER/INDEX`, with the pools of their engines where a cluster has several.
    fn places(&self) -> String {
        let response = self.compose();
        let replicas = response.resources.iter().filter_map(|(key, desired)| {
            let place = key.strip_prefix("replica-")?.rsplit_once('-')?;
            let clusters = self.found.get("clusters").into_iter().flatten();
            let cluster = clusters.into_iter().find(|it| it["metadata"]["name"] == place.0);
            let pools = cluster.and_then(|it| it["status"]["gpuPools"].as_array()).map_or(0, Vec::len);
            let engines = desired.object["spec"]["engines"].as_array().into_iter().flatten();
            let chosen: Vec<_> = engines.filter_map(|it| it["members"][0]["nodePoolName"].as_str()).collect();
            let chosen = if pools > 1 { format!(":{}", chosen.join(",")) } else { String::new() };
            Some(format!("{}/{}{chosen}", place.0, place.1))
        });
        replicas.collect::<Vec<_>>().join(" ")
    }
}

fn deployment(replicas: u32, engines: &[Value]) -> Value {
    json!({
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "ModelDeployment",
        "metadata": {"name": "llama", "namespace": "ml"},
        "spec": {"replicas": replicas, "template": {"spec": {"engines": engines}}},
    })
}

/// A member that requests devices: numbers and least memory.
fn member(role: &str, requests: &[(u32, i64)]) -> Value {
    let devices = requests.iter().enumerate().map(|(index, (count, memory))| {
        let cel = format!("device.capacity[\"gpu.nvidia.com\"].memory.compareTo(quantity(\"{memory}Gi\")) >= 0");
        json!({"name": format!("gpu-{index}"), "count": count, "selectors": [{"cel": cel}]})
    });
    let devices: Vec<_> = devices.collect();
    let template = json!({"spec": {"containers": [{"name": "engine", "image": "vllm/vllm-openai:v0.11.0"}]}});
    let mut member = json!({"role": role, "template": template});
    if !devices.is_empty() {
        member["nodeSelector"] = json!({"devices": devices});
    }
    member
}

fn engine(name: &str, memory: i64) -> Value {
    json!({"name": name, "members": [member("Standalone", &[(8, memory)])]})
}

/// Two copies of a leader and three workers.
fn gang(leader: bool) -> Value {
    let mut worker = member("Worker", &[(8, 80)]);
    worker["worker"] = json!({"nodes": 3});
    json!({"name": "main", "copies": 2, "members": [member("Leader", if leader { &[(8, 80)] } else { &[] }), worker]})
}

/// A cluster that is ready, with a gateway. Pools with negative memory only describe their devices.
fn cluster(name: &str, pools: &[(&str, i64, i64)]) -> Value {
    let pools = pools.iter().map(|(name, nodes, memory)| {
        let claim = if *memory < 0 { "Synthetic" } else { "DRA" };
        let device = json!({
            "name": "gpu", "claim": claim, "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com", "count": 8,
            "capacity": {"memory": {"value": format!("{}Gi", memory.abs())}},
        });
        json!({"name": name, "nodes": nodes, "devices": [device]})
    });
    let pools: Vec<_> = pools.collect();
    json!({
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "InferenceCluster",
        "metadata": {"name": name},
        "spec": {"cluster": {"source": "Existing"}},
        "status": {
            "conditions": [{"type": "Ready", "status": "True"}],
            "gateway": {"address": format!("{name}.example.org")},
            "gpuPools": pools,
        },
    })
}

fn status(ready: bool) -> Value {
    json!({"conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}]})
}

/// A replica with the engine `main` on one node.
fn replica(deployment: &str, namespace: &str, cluster: &str, index: i64, pool: &str) -> Value {
    let request = json!({"name": "gpu-0", "deviceClassName": "gpu.nvidia.com", "count": 8, "selectors": []});
    let container = json!({"name": "engine", "image": "vllm/vllm-openai:old"});
    let template = json!({"spec": {"containers": [container]}});
    let member = json!({"role": "Standalone", "nodePoolName": pool, "deviceRequests": [request], "template": template});
    json!({
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "ModelReplica",
        "metadata": {
            "name": keys::name(deployment, cluster, index),
            "namespace": namespace,
            "labels": {
                "modelplane.ai/deployment": deployment, "modelplane.ai/cluster": cluster,
                "modelplane.ai/replica-index": index.to_string(),
            },
        },
        "spec": {"clusterName": cluster, "engines": [{"name": "main", "copies": 1, "members": [member]}]},
    })
}

/// Conditions as `TYPE STATUS REASON: MESSAGE`, and events as `SEVERITY: MESSAGE`.
fn said(response: &ComposeResponse) -> Vec<String> {
    let conditions = response.conditions.iter().map(|it| {
        let message = it.message.as_ref().map_or(String::new(), |message| format!(": {message}"));
        format!("{} {} {}{message}", it.condition_type, it.status.as_str(), it.reason)
    });
    let events = response.results.iter().map(|it| {
        assert_eq!((&it.reason, it.target), (&None, None));
        format!("{:?}: {}", it.severity, it.message)
    });
    conditions.chain(events).collect()
}

/// The scheduling vectors of v0.3.1. Other deployments are in other namespaces.
#[test]
fn vectors() {
    #[track_caller]
    fn check(what: &str, scene: &Scene, want: &str) {
        assert_eq!(scene.places(), want, "{what}");
    }
    let (p, q) = (("p", 5, 141), ("q", 5, 141));
    check("V1", &Scene::new(3).cluster("b", &[p]).cluster("a", &[p]), "a/0 a/1 b/0");
    check("V2", &Scene::new(4).cluster("a", &[("p", 3, 141)]).cluster("b", &[("p", 1, 141)]), "a/0 a/1 a/2 b/0");
    let small = Scene::new(4).cluster("a", &[("p", 1, 141)]).cluster("b", &[("p", 1, 141)]);
    check("V3", &small, "a/0 b/0");
    let gangs = Scene::new(1).engines(&[gang(true)]);
    check("V4", &gangs.cluster("a", &[("p", 7, 141)]).cluster("b", &[("p", 8, 141)]), "b/0");
    let leader = Scene::new(1).engines(&[gang(false)]).cluster("a", &[("p", 6, 141)]);
    check("V5", &leader, "a/0");
    let members = &leader.compose().resources["replica-a-0"].object["spec"]["engines"][0]["members"];
    assert_eq!((members[0].get("deviceRequests"), members[1]["deviceRequests"][0]["count"].as_u64()), (None, Some(8)));
    let nine = ("p", 9, 141);
    check("V6", &Scene::new(3).cluster("a", &[nine]).replica("a", 0, "p").replica("a", 2, "p"), "a/0 a/1 a/2");
    let both = Scene::new(2).cluster("a", &[nine]).cluster("b", &[nine]).replica("a", 0, "p");
    check("V7", &both.clone().replica("a", 1, "p").replica("b", 0, "p").replica("b", 3, "p"), "a/0 b/0");
    check("V8", &Scene { composite: deployment(1, &[engine("main", 80)]), ..both.replica("b", 0, "p") }, "a/0");
    check("V9", &Scene::new(1).cluster("a", &[("z", 5, 141), ("b", 5, 141)]), "a/0:z");
    let two = Scene::new(1).engines(&[engine("x", 80), engine("y", 80)]);
    check("V10", &two.cluster("a", &[("p", 1, 141), ("q", 1, 141)]), "a/0:p,q");
    let greedy = Scene::new(1).engines(&[engine("x", 80), engine("y", 141)]);
    check("V11", &greedy.cluster("a", &[("big", 1, 141), ("small", 1, 80)]), "");
    check("V12", &Scene::new(1).cluster("a", &[("s", 5, -141)]), "");
    check("V13", &Scene::new(1).cluster("a", &[("s", 5, -141), ("d", 5, 141)]), "a/0:d");
    let one = Scene::new(1).cluster("a", &[("p", 1, 141)]);
    check("V14", &one.clone().add("all-replicas", replica("other", "x", "a", 0, "gone")), "a/0");
    check("V15", &one.clone().add("all-replicas", replica("other", "x", "a", 0, "p")), "");
    let named = |name: &str, pool: &str| {
        let mut object = replica("llama", "ml", "a", 0, pool);
        object["metadata"]["name"] = name.into();
        object
    };
    let twice = Scene::new(2).cluster("a", &[p, q]).add("all-replicas", named("z", "q"));
    check("V16", &twice.add("all-replicas", named("y", "p")), "a/0:p a/1:p");
    let unready = Scene::new(2).cluster("b", &[p]).cluster("a", &[p]).replica("a", 0, "p");
    check("V17", &unready.change("clusters", |it| it["status"]["conditions"] = json!([])), "a/0 b/0");
    let drained = Scene::new(1).cluster("b", &[p]).cluster("a", &[p]).replica("a", 0, "p");
    let drain = |it: &mut Value| it["spec"]["taints"] = json!([{"key": "drain", "effect": "NoExecute"}]);
    check("V18", &drained.change("clusters", drain), "b/0");
    let moved = Scene::new(1).engines(&[engine("main", 141)]).cluster("a", &[("old", 1, 80), ("p", 1, 141)]);
    check("V19", &moved.replica("a", 0, "old"), "a/0:p");
    let full = Scene::new(2).cluster("a", &[("p", 1, 141)]).replica("a", 0, "p").replica("a", 1, "p");
    check("V20", &full.add("all-replicas", replica("other", "x", "a", 0, "p")), "a/0 a/1");
    let halves = json!({"name": "main", "members": [member("Standalone", &[(4, 80), (4, 80)])]});
    let halves = Scene::new(1).engines(&[halves]).cluster("a", &[("p", 1, 141)]);
    check("V21", &halves, "a/0");
    let requests = &halves.compose().resources["replica-a-0"].object["spec"]["engines"][0]["members"][0];
    let names: Vec<_> = requests["deviceRequests"].as_array().into_iter().flatten().map(|it| &it["name"]).collect();
    assert_eq!(names, ["gpu-0", "gpu-1"]);
    let unsized_pool = Scene::new(1).cluster("a", &[p]).change("clusters", |it| {
        it["status"]["gpuPools"][0].as_object_mut().expect("a pool").remove("nodes");
    });
    check("V22", &unsized_pool, "");
}

/// Labels of replicas as v0.3.1 reads them.
#[test]
fn indices_in_labels() {
    let check = |label: Option<&str>, want: &str| {
        let scene = Scene::new(1).cluster("a", &[("p", 5, 141)]).replica("a", 0, "p").change("all-replicas", |it| {
            it["metadata"]["labels"]["modelplane.ai/replica-index"] = json!(label);
        });
        assert_eq!(scene.compose().resources.into_keys().next().as_deref(), Some(want), "{label:?}");
    };
    check(Some("3"), "replica-a-3");
    check(Some(" 3 "), "replica-a-3");
    check(Some("1_0"), "replica-a-10");
    check(Some("-1"), "replica-a--1");
    check(Some("x"), "replica-a-0");
    check(None, "replica-a-0");
}

/// Tolerations, and what keeps new replicas away.
#[test]
fn taints() {
    #[track_caller]
    fn check(taint: Value, tolerations: Value, want: &str) {
        let scene = Scene::new(1).cluster("a", &[("p", 5, 141)]);
        let scene = scene.change("clusters", |it| it["spec"]["taints"] = json!([taint]));
        assert_eq!(
            scene.set("spec.template.spec.tolerations", tolerations.clone()).places(),
            want,
            "{taint}, {tolerations}"
        );
    }
    let taint = json!({"key": "team", "value": "a", "effect": "NoSchedule"});
    check(taint.clone(), json!([]), "");
    check(taint.clone(), json!([{"key": "team", "value": "a"}]), "a/0");
    check(taint.clone(), json!([{"key": "team", "value": "b"}]), "");
    check(taint.clone(), json!([{"key": "team", "operator": "Exists"}]), "a/0");
    check(taint.clone(), json!([{"operator": "Exists", "effect": "NoExecute"}]), "");
    check(taint, json!([{"operator": "Exists"}]), "a/0");
    check(json!({"key": "gone", "effect": "NoExecute"}), json!([{"key": "gone", "operator": "Equal"}]), "a/0");
}

#[test]
fn objects() {
    let engines = [
        json!({"name": "prefill", "phase": "Prefill", "members": [member("Standalone", &[(8, 80)])]}),
        json!({"name": "decode", "phase": "Decode", "copies": 2, "members": [member("Standalone", &[(8, 80)])]}),
    ];
    let scene = Scene::new(1)
        .engines(&engines)
        .set("spec.template.metadata.labels", json!({"tier": "prod"}))
        .set("spec.template.spec.serving", json!({"mode": "PrefillDecode"}))
        .set("spec.template.spec.modelCacheRef", json!({"name": "weights"}))
        .cluster("gpu-east", &[("p", 5, 141)])
        .add("cache", json!({"metadata": {"name": "weights", "namespace": "ml"}}));
    let response = scene.compose();
    let metadata = json!({
        "name": "llama-09209", "namespace": "ml",
        "labels": {
            "tier": "prod", "modelplane.ai/deployment": "llama", "modelplane.ai/cluster": "gpu-east",
            "modelplane.ai/replica-index": "0",
        },
    });
    let cel = engines[0]["members"][0]["nodeSelector"]["devices"][0]["selectors"].clone();
    let placed = json!({
        "role": "Standalone", "nodePoolName": "p",
        "deviceRequests": [{"name": "gpu-0", "deviceClassName": "gpu.nvidia.com", "count": 8, "selectors": cel}],
        "template": engines[0]["members"][0]["template"],
    });
    let want = json!({
        "apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelReplica", "metadata": metadata,
        "spec": {
            "clusterName": "gpu-east", "modelCacheRef": {"name": "weights"}, "serving": {"mode": "PrefillDecode"},
            "engines": [
                {"name": "prefill", "copies": 1, "phase": "Prefill", "members": [placed]},
                {"name": "decode", "copies": 2, "phase": "Decode", "members": [placed]},
            ],
        },
    });
    assert_eq!(response.resources.keys().collect::<Vec<_>>(), ["replica-gpu-east-0"]);
    assert_eq!(response.resources["replica-gpu-east-0"].object, want);

    // It serves.
    let mut serving = scene;
    let mut observed = want;
    observed["status"] = status(true);
    serving.observed.insert("replica-gpu-east-0".to_owned(), observed);
    let response = serving.compose();
    let endpoint = json!({
        "apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelEndpoint", "metadata": metadata,
        "spec": {"url": "http://gpu-east.example.org/ml/llama-09209/v1", "rewritePath": "/ml/llama-09209/"},
    });
    assert_eq!(response.resources["endpoint-gpu-east-0"].object, endpoint);
    let readiness: Vec<_> = response.resources.values().map(|it| it.readiness).collect();
    assert_eq!(readiness, [Readiness::Unspecified, Readiness::Ready]);
    assert_eq!(response.composite.status, Some(json!({"replicas": {"total": 1, "ready": 1}})));
    assert_eq!((response.composite.readiness, response.ttl), (Readiness::Unspecified, Some(60_000)));

    // Its cluster has no gateway any more.
    let without = serving.clone().change("clusters", |it| it["status"]["gateway"] = json!({}));
    assert_eq!(without.compose().resources.keys().collect::<Vec<_>>(), ["replica-gpu-east-0"]);
    // It does not serve any more.
    serving.observed.values_mut().for_each(|it| it["status"] = status(false));
    assert_eq!(serving.compose().resources.keys().collect::<Vec<_>>(), ["replica-gpu-east-0"]);
}

#[test]
fn lookups() {
    let labels = |scene: &Scene| match scene.compose().lookups.remove("clusters").map(|it| it.match_by) {
        Some(MatchBy::Labels(labels)) => labels.iter().map(|(key, value)| format!("{key}={value}")).collect(),
        _ => Vec::new(),
    };
    let scene = Scene::new(1);
    assert_eq!(scene.compose().lookups.into_keys().collect::<Vec<_>>(), ["all-replicas", "clusters"]);
    assert_eq!(labels(&scene), [""; 0]);
    let scene = scene.set("spec.template.spec.clusterSelector.matchLabels", json!({"a": "1", "b": "2"}));
    assert_eq!(labels(&scene), ["a=1", "b=2"]);
    let scene = scene.set("spec.template.spec.modelCacheRef.name", json!("weights"));
    let response = scene.compose();
    assert_eq!(response.lookups.keys().collect::<Vec<_>>(), ["all-replicas", "cache", "clusters"]);
    assert_eq!(response.lookups["cache"].namespace.as_deref(), Some("ml"));
    let scene = scene.add("cache", json!({"spec": {"clusterSelector": {"matchLabels": {"b": "3", "c": "4"}}}}));
    assert_eq!(labels(&scene), ["a=1", "b=3", "c=4"]);
}

#[test]
fn conditions_and_events() {
    #[track_caller]
    fn check(what: &str, scene: &Scene, readiness: Readiness, want: &[&str]) {
        let response = scene.compose();
        assert_eq!(said(&response), want, "{what}");
        assert_eq!(response.composite.readiness, readiness, "{what}");
    }
    use Readiness::{NotReady, Unspecified};
    let p = ("p", 5, 141);
    let nobody = ["ReplicasScheduled False NoClusters", "Warning: No InferenceClusters found"];
    check("no clusters", &Scene::new(2), Unspecified, &nobody);
    check("unresolved", &Scene::new(2).without("clusters").without("all-replicas"), Unspecified, &nobody);
    check(
        "no place",
        &Scene::new(2).cluster("a", &[("p", 0, 141)]).cluster("b", &[]),
        NotReady,
        &[
            "ReplicasScheduled False InsufficientCapacity: 0 of 2 replicas scheduled (checked 2 clusters)",
            "ReplicasReady False NoReplicasScheduled",
        ],
    );
    check(
        "placed",
        &Scene::new(3).cluster("b", &[p]).cluster("a", &[p]),
        Unspecified,
        &[
            "ReplicasScheduled False Scheduling",
            "ReplicasReady False ModelStarting: 0 of 3 ready",
            "Normal: Scheduled 3 replicas across 2 clusters: a, b",
        ],
    );
    let partial = Scene::new(3).cluster("a", &[("p", 2, 141)]).composed("a", 0, "p", true).composed("a", 1, "p", false);
    check(
        "partly",
        &partial,
        Unspecified,
        &[
            "ReplicasScheduled True ReplicasCreated: Scheduled 2 of 3 replicas",
            "ReplicasReady False ModelStarting: 1 of 2 ready",
        ],
    );
    check(
        "ready",
        &Scene::new(1).cluster("a", &[p]).composed("a", 0, "p", true),
        Unspecified,
        &[
            "ReplicasScheduled True ReplicasCreated: Scheduled 1 of 1 replicas",
            "ReplicasReady True AllReplicasReady: 1 of 1 ready",
        ],
    );
    let bad = Scene::new(1).cluster("a", &[p]).set(SELECTOR, json!("a ) b"));
    let response = bad.compose();
    let message = format!("Invalid nodeSelector CEL expression: {SELECTOR}: 1:3: Syntax error");
    assert!(said(&response)[0].starts_with(&format!("ReplicasScheduled False InvalidNodeSelector: {message}")));
    assert!(said(&response)[1].starts_with(&format!("Warning: {message}")));
    assert_eq!((said(&response).len(), response.composite.readiness), (2, NotReady));
    assert_eq!(response.composite.status, None);

    let cached = Scene::new(1).set("spec.template.spec.modelCacheRef.name", json!("weights")).cluster("a", &[p]);
    let none = [
        "ReplicasScheduled False InsufficientCapacity: 0 of 1 replicas scheduled (checked 1 clusters)",
        "ReplicasReady False NoReplicasScheduled",
    ];
    check(
        "cache unresolved",
        &cached,
        NotReady,
        &["ModelCacheResolved False ModelCacheUnresolved: Waiting for ModelCache weights", none[0], none[1]],
    );
    let missing =
        Scene { found: cached.found.clone().into_iter().chain([("cache", Vec::new())]).collect(), ..cached.clone() };
    let held = "ModelCache weights not found; holding replica placement";
    check(
        "cache missing",
        &missing,
        NotReady,
        &[
            &format!("ModelCacheResolved False ModelCacheNotFound: {held}"),
            none[0],
            none[1],
            &format!("Warning: {held}"),
        ],
    );
    check(
        "cache found",
        &cached.add("cache", json!({"metadata": {"name": "weights"}})),
        Unspecified,
        &[
            "ModelCacheResolved True ModelCacheResolved",
            "ReplicasScheduled False Scheduling",
            "ReplicasReady False ModelStarting: 0 of 1 ready",
            "Normal: Scheduled 1 replicas across 1 clusters: a",
        ],
    );
}

/// The path of the only selector.
const SELECTOR: &str = "spec.template.spec.engines[0].members[0].nodeSelector.devices[0].selectors[0].cel";

/// Two replicas that are composed, of which one serves, and a template that changed since.
fn running() -> Scene {
    let scene = Scene::new(3).cluster("a", &[("p", 5, 141)]).cluster("b", &[("p", 5, 141)]);
    scene.composed("a", 0, "p", true).composed("b", 0, "p", false)
}

/// What is desired is exactly what is observed.
#[track_caller]
fn check_held(what: &str, scene: &Scene, keys: &[&str]) {
    let response = scene.compose();
    assert_eq!(response.resources.keys().collect::<Vec<_>>(), keys, "{what}");
    for (key, desired) in &response.resources {
        let mut observed = scene.observed[key].clone();
        observed.as_object_mut().expect("an object").remove("status");
        assert_eq!(desired.object, observed, "{what}: {key}");
        let ready = scene.observed[key]["status"] == status(true);
        assert_eq!(desired.readiness, if ready { Readiness::Ready } else { Readiness::Unspecified }, "{what}: {key}");
    }
}

#[test]
fn what_runs_is_held() {
    const ALL: &[&str] = &["endpoint-a-0", "replica-a-0", "replica-b-0"];
    let cached = running().set("spec.template.spec.modelCacheRef.name", json!("weights"));
    let answered = |scene: &Scene, name, found: Vec<Value>| Scene {
        found: scene.found.clone().into_iter().chain([(name, found)]).collect(),
        ..scene.clone()
    };
    check_held("a selector that cannot be parsed", &running().set(SELECTOR, json!("device.")), ALL);
    check_held("no lookup was answered", &running().without("clusters").without("all-replicas"), ALL);
    check_held("clusters unresolved", &running().without("clusters"), ALL);
    check_held("replicas unresolved", &running().without("all-replicas"), ALL);
    check_held("no cluster at all", &answered(&running(), "clusters", Vec::new()), ALL);
    check_held("cache unresolved", &cached, ALL);
    check_held("cache missing", &answered(&cached, "cache", Vec::new()), ALL);
    let selecting = |value: &str| json!({"spec": {"clusterSelector": {"matchLabels": {"tier": value}}}});
    let tiered = cached.clone().set("spec.template.spec.clusterSelector.matchLabels", json!({"tier": "prod"}));
    check_held("cache in conflict", &tiered.clone().add("cache", selecting("test")), ALL);
    // A replica that serves still gets an endpoint, and one that no longer serves loses it, while its cluster is known.
    let mut serving = answered(&cached, "cache", Vec::new());
    serving.observed.get_mut("replica-b-0").expect("observed")["status"] = status(true);
    serving.observed.get_mut("replica-a-0").expect("observed")["status"] = status(false);
    let keys: Vec<_> = serving.compose().resources.into_keys().collect();
    assert_eq!(keys, ["endpoint-b-0", "replica-a-0", "replica-b-0"]);
    // What is too much goes on request, also while the cache is missing.
    check_held(
        "surplus",
        &answered(&cached, "cache", Vec::new()).set("spec.replicas", json!(1)),
        &["endpoint-a-0", "replica-a-0"],
    );
    check_held("all stay", &running().set(SELECTOR, json!("(")).set("spec.replicas", json!(1)), ALL);
    // Without a conflict, what is missing is placed, and what runs is as the template says.
    let placed = tiered.add("cache", selecting("prod")).compose();
    assert_eq!(placed.resources.len(), 4);
    let image = path::get(
        &placed.resources["replica-a-0"].object,
        "spec.engines[0].members[0].template.spec.containers[0].image",
    );
    assert_eq!(image, Some(&json!("vllm/vllm-openai:v0.11.0")));
}

#[test]
fn held_replicas_are_counted() {
    let response = running().set(SELECTOR, json!("device.")).compose();
    assert_eq!(response.composite.status, Some(json!({"replicas": {"total": 2, "ready": 1}})));
    let said = said(&response);
    assert_eq!(said[1], "ReplicasReady False ModelStarting: 1 of 2 ready");
    assert!(said[2].starts_with("Warning: Invalid nodeSelector CEL expression: "), "{said:?}");
    // It is no news any more.
    let mut again = running().set(SELECTOR, json!("device."));
    let conditions = response.conditions.iter().map(|it| {
        json!({"type": it.condition_type, "status": it.status.as_str(), "reason": it.reason, "message": it.message})
    });
    again.composite["status"] = json!({"conditions": conditions.collect::<Vec<_>>()});
    assert!(again.compose().results.is_empty());
}

#[test]
fn selectors_in_conflict() {
    let scene = running()
        .set("spec.template.spec.modelCacheRef.name", json!("weights"))
        .set("spec.template.spec.clusterSelector.matchLabels", json!({"tier": "prod"}))
        .add("cache", json!({"spec": {"clusterSelector": {"matchLabels": {"tier": "test"}}}}));
    let message = "no cluster has both label tier=prod, which the deployment selects, and tier=test, which its ModelCache selects";
    let want = [
        "ModelCacheResolved True ModelCacheResolved".to_owned(),
        format!("ReplicasScheduled False ConflictingSelectors: {message}"),
        "ReplicasReady False ModelStarting: 1 of 2 ready".to_owned(),
        format!("Warning: {message}"),
    ];
    assert_eq!(said(&scene.compose()), want);
}

/// A lookup is a moment behind: what is composed counts too.
#[test]
fn a_lookup_may_lack_what_is_composed() {
    let mut scene = running();
    scene.found.insert("all-replicas", Vec::new());
    scene.observed.retain(|key, _| key.starts_with("replica-b"));
    scene.observed.get_mut("replica-b-0").expect("observed")["metadata"]["labels"] = json!({});
    assert_eq!(scene.places(), "a/0 a/1 b/0");
    // The index of another key.
    let moved = scene.observed.remove("replica-b-0").expect("observed");
    scene.observed.insert("replica-b-7".to_owned(), moved);
    assert_eq!(scene.places(), "a/0 a/1 b/7");
}

/// Same-named deployments in two namespaces.
#[test]
fn no_adoption() {
    let scene = Scene::new(1).cluster("a", &[("p", 5, 141)]);
    let theirs = |scene: Scene| scene.add("all-replicas", replica("llama", "team-b", "a", 0, "p"));
    // Their replica has the remote names of the first index.
    assert_eq!(theirs(scene.clone()).places(), "a/1");
    assert_eq!(theirs(scene.clone()).add("all-replicas", replica("llama", "team-c", "a", 1, "p")).places(), "a/2");
    // On another cluster the names differ.
    assert_eq!(scene.clone().add("all-replicas", replica("llama", "team-b", "b", 0, "p")).places(), "a/0");
    // They take nodes.
    let full = Scene::new(1).cluster("a", &[("p", 1, 141)]);
    assert_eq!(theirs(full).places(), "");
    // A replica of our namespace has the name and is not ours.
    let mut stray = replica("other", "ml", "z", 0, "p");
    stray["metadata"]["name"] = json!(keys::name("llama", "a", 0));
    assert_eq!(scene.clone().add("all-replicas", stray).places(), "a/1");
    // Where both exist, ours stays, and it is said.
    let both = theirs(scene.composed("a", 0, "p", false));
    assert_eq!(both.places(), "a/0");
    let message = "1 names are taken: llama-aa9d2 on cluster a is also called so by namespace team-b";
    let said = said(&both.compose());
    assert_eq!(said[2..].len(), 2, "{said:?}");
    assert!(said[2].starts_with("RemoteNamesUnique False Taken: 1 names are taken: llama-"), "{said:?} {message}");
    assert!(said[3].starts_with("Warning: 1 names are taken: llama-"), "{said:?}");
    // It is taken back.
    let mut alone = both;
    alone.found.get_mut("all-replicas").expect("answered").pop();
    alone.composite["status"] =
        json!({"conditions": [{"type": "RemoteNamesUnique", "status": "False", "reason": "Taken"}]});
    assert_eq!(super::tests::said(&alone.compose())[2], "RemoteNamesUnique True Unique");
}

#[test]
fn eviction() {
    let evict = |value: &str| {
        let scene = Scene::new(2).cluster("a", &[("p", 1, 141)]).cluster("b", &[("p", 5, 141)]);
        let scene = scene.replica("b", 0, "p").replica("a", 0, "p");
        scene.change("all-replicas", |it| it["metadata"]["annotations"] = json!({"modelplane.ai/evict": value}))
    };
    // Its nodes are free, and its index is not used again, so that the object goes.
    assert_eq!(evict("true").places(), "a/1 b/0");
    assert_eq!(evict("false").places(), "a/0 b/0");
    // Not while nothing new is placed.
    assert_eq!(evict("true").set(SELECTOR, json!("(")).places(), "a/0 b/0");
}

/// Malformed neighbours are left out and named. What of ours depends on them stays as it is.
#[test]
fn malformed_neighbours() {
    let named = |scene: &Scene| -> Vec<String> {
        said(&scene.compose()).into_iter().filter(|line| line.starts_with("NeighboursReadable")).collect()
    };
    let scene = Scene::new(2).cluster("b", &[("p", 5, 141)]);
    let broken = |change: &dyn Fn(&mut Value)| scene.clone().cluster("a", &[("p", 5, 141)]).change("clusters", change);
    let pools = |value: Value| move |it: &mut Value| it["status"]["gpuPools"] = value.clone();
    for (what, change) in [
        ("devices", &pools(json!([{"name": "p", "nodes": 5, "devices": {}}])) as &dyn Fn(&mut Value)),
        ("nodes", &pools(json!([{"name": "p", "nodes": "5", "devices": []}]))),
        ("pools", &pools(json!("p"))),
        ("a pool", &pools(json!(["p"]))),
        ("a name", &pools(json!([{"nodes": 5, "devices": []}]))),
        ("an effect", &|it| it["spec"]["taints"] = json!([{"key": "a", "effect": "Never"}])),
        ("taints", &|it| it["spec"]["taints"] = json!("a")),
    ] {
        let scene = broken(change);
        assert_eq!(scene.places(), "b/0 b/1", "{what}");
        let want = "NeighboursReadable False Malformed: 1 cannot be read and are left out: InferenceCluster a";
        assert_eq!(named(&scene), [want], "{what}");
        let ours = scene.composed("a", 0, "p", true);
        let desired = ours.compose().resources;
        assert_eq!(desired.keys().collect::<Vec<_>>(), ["endpoint-a-0", "replica-a-0", "replica-b-0"], "{what}");
        assert_eq!(desired["replica-a-0"].object["spec"], ours.observed["replica-a-0"]["spec"], "{what}");
    }
    // A replica of another deployment.
    let theirs = |spec: Value| {
        let mut object = replica("other", "x", "b", 0, "p");
        object["spec"] = spec;
        scene.clone().add("all-replicas", object)
    };
    for spec in [json!("x"), json!({"engines": {}}), json!({"clusterName": 1}), json!({"engines": [{"members": "x"}]})]
    {
        let scene = theirs(spec.clone());
        assert_eq!(scene.places(), "b/0 b/1", "{spec}");
        let name = keys::name("other", "b", 0);
        let want =
            format!("NeighboursReadable False Malformed: 1 cannot be read and are left out: ModelReplica x/{name}");
        assert_eq!(named(&scene), [want], "{spec}");
    }
    assert!(named(&theirs(json!(null))).is_empty());
    // A replica of ours.
    let ours =
        scene.clone().composed("b", 3, "p", false).change("all-replicas", |it| it["spec"]["engines"] = json!("x"));
    let desired = ours.compose().resources;
    assert_eq!(desired.keys().collect::<Vec<_>>(), ["replica-b-0", "replica-b-3"]);
    assert_eq!(desired["replica-b-3"].object["spec"], ours.observed["replica-b-3"]["spec"]);
    // Nobody knows which one it is, unless it is composed.
    let odd = |scene: Scene| {
        scene.change("all-replicas", |it| {
            it["metadata"] = json!({"namespace": "ml", "labels": it["metadata"]["labels"].take()})
        })
    };
    assert_eq!(odd(scene.clone().replica("b", 3, "p")).places(), "b/0 b/3");
    let unlabelled = |it: &mut Value| (it["metadata"]["labels"], it["spec"]) = (json!({}), json!("x"));
    assert_eq!(scene.clone().replica("b", 3, "p").change("all-replicas", unlabelled).places(), "b/0 b/1");
    let mut composed = scene.clone().composed("b", 3, "p", false).change("all-replicas", unlabelled);
    composed.observed.values_mut().for_each(unlabelled);
    assert_eq!(composed.places(), "b/0 b/3");
    // Many are counted.
    let many = (0..5).fold(scene.clone(), |scene, _| scene.add("clusters", json!({"metadata": {}})));
    let want = "NeighboursReadable False Malformed: 5 cannot be read and are left out: InferenceCluster ; InferenceCluster ; InferenceCluster ; 2 more";
    assert_eq!(named(&many), [want]);
}

/// What replicas stay for: every change that does not move them.
#[test]
fn replicas_that_stay() {
    let scene = || Scene::new(1).cluster("b", &[("p", 5, 141)]).cluster("a", &[("p", 0, 141)]).replica("a", 4, "p");
    let check = |what: &str, scene: Scene, want: &str| assert_eq!(scene.places(), want, "{what}");
    check("too few nodes", scene(), "a/4");
    check("no gateway", scene().change("clusters", |it| it["status"]["gateway"] = json!(null)), "a/4");
    check("more copies", scene().set("spec.template.spec.engines[0].copies", json!(9)), "a/4");
    check("another selector that fits", scene().set(SELECTOR, json!("true")), "a/4");
    check("a selector that fits nothing", scene().set(SELECTOR, json!("false")), "");
    check("another name of the engine", scene().set("spec.template.spec.engines[0].name", json!("x")), "b/0");
    check(
        "a cluster that is not selected",
        scene().change("clusters", |it| it["metadata"]["name"] = json!("c")),
        "b/0",
    );
    check(
        "a pool that is gone",
        scene().change("clusters", |it| it["status"]["gpuPools"][0]["name"] = json!("x")),
        "b/0",
    );
}

/// Engines of a replica that stays keep their order.
#[test]
fn engines_keep_their_order() {
    let mut object = replica("llama", "ml", "a", 0, "p");
    let mut engines = vec![object["spec"]["engines"][0].clone(); 2];
    engines[0]["name"] = json!("y");
    engines[1]["name"] = json!("x");
    object["spec"]["engines"] = json!(engines);
    let scene = Scene::new(1).engines(&[engine("x", 80), engine("y", 80)]).cluster("a", &[("p", 9, 141)]);
    let desired = scene.add("all-replicas", object).compose().resources.remove("replica-a-0").expect("it stays");
    let names: Vec<_> =
        desired.object["spec"]["engines"].as_array().into_iter().flatten().map(|it| &it["name"]).collect();
    assert_eq!(names, ["y", "x"]);
}

/// A request that wants explanations.
fn explained(scene: &Scene) -> ComposeRequest {
    let object = |value: &Value| ObservedObject::from(value.clone());
    ComposeRequest {
        composite: Some(object(&scene.composite)),
        observed: scene.observed.iter().map(|(key, it)| (key.clone(), object(it))).collect(),
        lookups: scene.found.iter().map(|(key, all)| ((*key).to_owned(), all.iter().map(object).collect())).collect(),
        explain: true,
        ..ComposeRequest::default()
    }
}

#[test]
fn every_value_is_explained() {
    let scene = Scene::new(1).cluster("a", &[("p", 5, 141)]).composed("a", 0, "p", true);
    let rows = KINDS.compose(&explained(&scene)).expect("a valid deployment").derivations;
    let pool = rows.iter().find(|row| row.path == "spec.engines[0].members[0].nodePoolName").expect("a row");
    assert_eq!((pool.resource.as_str(), &pool.value), ("replica-a-0", &json!("p")));
    assert!(pool.because.contains("main/Standalone"), "{}", pool.because);
    assert!(rows.iter().any(|row| row.resource.is_empty() && row.path == "status.replicas.ready"));
}

/// Whoever asks why replicas are where they are is told that there is no room for all of them there.
#[test]
fn decisions_name_overcommitted_pools() {
    let scene = Scene::new(1).cluster("a", &[("p", 1, 141)]).cluster("b", &[("p", 9, 141)]).composed("a", 0, "p", true);
    let crowded = |scene: &Scene| {
        let response = KINDS.compose(&explained(scene)).expect("a valid deployment");
        response.decisions.into_iter().next().expect("a decision").overcommitted
    };
    assert_eq!(crowded(&scene), []);
    let others = (0..12)
        .fold(scene, |scene, it| scene.add("all-replicas", replica(&format!("other-{it:02}"), "ml", "a", 0, "p")));
    let nodes = |value| Amount { value, unit: "nodes".to_owned() };
    let [found] = &crowded(&others)[..] else { panic!("one pool") };
    assert_eq!((found.place.join("/").as_str(), &found.size, &found.taken), ("a/p", &nodes(1), &nodes(13)));
    assert_eq!((found.takers, found.by.len()), (13, 10));
}
