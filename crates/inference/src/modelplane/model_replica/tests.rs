//! Replicas as a whole: what is composed, held and reported.

use std::collections::BTreeSet;

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{ObservedObject, Readiness};
use serde_json::{Value, json};
use toolbox::path;

use super::KIND;
use crate::KINDS;
use crate::modelplane::labels;

/// A request for a replica with this spec, on a cluster that is known.
fn request(spec: Value) -> ComposeRequest {
    let composite = json!({
        "apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelReplica",
        "metadata": {"name": "llama-09209", "namespace": "ml"}, "spec": spec,
    });
    let cluster =
        json!({"metadata": {"name": "gpu-east"}, "status": {"providerConfigRef": {"name": "gpu-east-kubeconfig"}}});
    ComposeRequest {
        composite: Some(composite.into()),
        lookups: [("cluster".to_owned(), vec![cluster.into()])].into(),
        ..ComposeRequest::default()
    }
}

/// A member with a container with these fields.
fn member(role: &str, container: Value) -> Value {
    let mut engine = json!({"name": "engine", "image": "vllm"});
    for (field, value) in container.as_object().expect("fields") {
        engine[field] = value.clone();
    }
    let devices = json!([{"name": "gpu", "deviceClassName": "gpu.nvidia.com"}]);
    json!({"role": role, "nodePoolName": "h200", "deviceRequests": devices, "template": {"spec": {"containers": [engine]}}})
}

fn standalone(container: Value) -> Value {
    json!({"clusterName": "gpu-east", "engines": [{"name": "main", "members": [member("Standalone", container)]}]})
}

/// An engine for prefill and one for decode, which has these arguments.
fn disaggregated(arguments: &[&str]) -> Value {
    let engine = |name: &str, phase: &str, container: Value| json!({"name": name, "phase": phase, "members": [member("Standalone", container)]});
    json!({
        "clusterName": "gpu-east", "serving": {"mode": "PrefillDecode"},
        "engines": [engine("prefill", "Prefill", json!({})), engine("decode", "Decode", json!({"args": arguments}))],
    })
}

fn composed(request: &ComposeRequest) -> ComposeResponse {
    KINDS.compose(request).expect("a replica that can be composed")
}

/// The value at a path in the manifest that an Object wraps.
fn manifest<'r>(response: &'r ComposeResponse, key: &str, at: &str) -> Option<&'r Value> {
    path::get(&response.resources.get(key)?.object, &format!("spec.forProvider.manifest.{at}"))
}

/// An observed Object: whether the provider has observed its manifest, and the status of its condition `Ready`.
fn object(remote: bool, ready: &str) -> ObservedObject {
    let manifest = if remote { json!({"kind": "Deployment"}) } else { json!({}) };
    json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1", "kind": "Object", "spec": {"of": "an older template"},
        "status": {"atProvider": {"manifest": manifest}, "conditions": [{"type": "Ready", "status": ready}]},
    })
    .into()
}

#[test]
fn keys_and_kinds() {
    let response = composed(&request(standalone(json!({}))));
    let keys: Vec<_> = response.resources.keys().map(String::as_str).collect();
    let want = [
        "epp",
        "epp-config",
        "epp-role",
        "epp-rolebinding",
        "epp-service",
        "epp-serviceaccount",
        "inference-pool",
        "model-route",
        "model-serving-main",
        "resource-claim-main-standalone",
    ];
    assert_eq!(keys, want);
    let wrapped: BTreeSet<_> = KIND.wraps.iter().map(|it| (it.api_version, it.kind)).collect();
    for key in want {
        let text = |at| manifest(&response, key, at).and_then(Value::as_str).unwrap_or_default();
        assert!(wrapped.contains(&(text("apiVersion"), text("kind"))), "{key}");
        let (name, namespace) = (text("metadata.name"), text("metadata.namespace"));
        assert!(name.starts_with("llama-09209") && namespace == "default", "{key}");
    }
    let query = |key: &str| path::get(&response.resources[key].object, "spec.readiness.celQuery").is_some();
    assert_eq!(want.into_iter().filter(|key| query(key)).collect::<Vec<_>>(), ["epp", "model-serving-main"]);
}

#[test]
fn what_workloads_report() {
    const A: &str = "model-serving-a";
    const B: &str = "model-serving-b";
    #[track_caller]
    fn check(observed: &[(&str, bool, &str)], accepted: &str, ready: &str, ready_keys: &[&str], event: bool) {
        let engine = |name: &str| json!({"name": name, "members": [member("Standalone", json!({}))]});
        let mut request = request(json!({"clusterName": "gpu-east", "engines": [engine("a"), engine("b")]}));
        request.observed =
            observed.iter().map(|&(key, remote, ready)| (key.to_owned(), object(remote, ready))).collect();
        let response = composed(&request);
        let conditions = response.conditions.iter().map(|it| (it.condition_type.as_str(), it.reason.as_str()));
        assert_eq!(conditions.collect::<Vec<_>>(), [("ModelAccepted", accepted), ("ModelReady", ready)]);
        let found = response.resources.iter().filter(|(_, it)| it.readiness == Readiness::Ready);
        assert_eq!(found.map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ready_keys);
        let events: Vec<_> = response.results.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(events, if event { &["Composing vllm on gpu-east"][..] } else { &[] });
        assert_eq!((response.composite.status, response.composite.readiness), (None, Readiness::Unspecified));
        assert_eq!(response.ttl, Some(60_000));
    }
    check(&[], "Deploying", "WaitingForModel", &[], true);
    check(&[("model-route", true, "False")], "Deploying", "WaitingForModel", &["model-route"], true);
    check(&[(A, true, "True")], "Deploying", "WaitingForModel", &[A], false);
    check(&[(A, true, "True"), (B, false, "True")], "Deploying", "WaitingForModel", &[A, B], false);
    check(&[(A, true, "True"), (B, true, "False")], "Accepted", "ModelStarting", &[A], false);
    check(&[(A, true, "True"), (B, true, "Unknown")], "Accepted", "ModelStarting", &[A], false);
    check(
        &[(A, true, "True"), (B, true, "True"), ("epp", true, "False")],
        "Accepted",
        "Serving",
        &["epp", A, B],
        false,
    );
}

#[test]
fn what_runs_is_held_while_the_cluster_is_not_known() {
    #[track_caller]
    fn check(cluster: Option<Option<Value>>, held: bool, message: &str) {
        let mut request = request(standalone(json!({})));
        match cluster {
            None => request.lookups.clear(),
            Some(found) => {
                request.lookups.insert("cluster".to_owned(), found.into_iter().map(ObservedObject::from).collect());
            }
        }
        let keys = ["model-serving-main", "model-serving-removed", "epp"];
        request.observed = keys.iter().map(|&key| (key.to_owned(), object(true, "True"))).collect();
        let config = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "others"}});
        request.observed.insert("others".to_owned(), config.into());
        let response = composed(&request);
        if !held {
            assert!(!response.resources.contains_key("model-serving-removed"));
            assert_eq!(manifest(&response, "epp", "metadata.namespace"), Some(&json!("default")));
            return;
        }
        assert_eq!(
            response.resources.keys().collect::<Vec<_>>(),
            ["epp", "model-serving-main", "model-serving-removed"]
        );
        for desired in response.resources.values() {
            let want = json!({
                "apiVersion": "kubernetes.m.crossplane.io/v1alpha1", "kind": "Object", "spec": {"of": "an older template"},
            });
            assert_eq!((&desired.object, desired.readiness), (&want, Readiness::Ready));
        }
        let reasons = response.conditions.iter().map(|it| it.reason.as_str());
        assert_eq!(reasons.collect::<Vec<_>>(), ["WaitingForCluster", "WaitingForModel"]);
        assert_eq!(response.results.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), [message]);
        assert!(response.lookups.contains_key("cluster"));
    }
    let cluster = |status: Value| Some(Some(json!({"metadata": {"name": "gpu-east"}, "status": status})));
    check(None, true, "Waiting for cluster to be resolved");
    check(Some(None), true, "Waiting for cluster to be resolved");
    check(cluster(json!({})), true, "Waiting for cluster providerConfigRef");
    check(cluster(json!({"providerConfigRef": {"name": ""}})), true, "Waiting for cluster providerConfigRef");
    check(cluster(json!({"providerConfigRef": "gpu-east"})), true, "Waiting for cluster providerConfigRef");
    check(Some(Some(json!([]))), true, "Waiting for cluster providerConfigRef");
    check(cluster(json!({"providerConfigRef": {"name": "gpu-east-kubeconfig"}})), false, "");
}

#[test]
fn the_port_of_decode() {
    #[track_caller]
    fn check(arguments: &[&str], want: Result<i64, &str>) {
        match (KINDS.compose(&request(disaggregated(arguments))), want) {
            (Ok(response), Ok(port)) => {
                let at = |at: &str| {
                    manifest(&response, "model-serving-decode", &format!("spec.template.spec.containers{at}"))
                };
                assert_eq!(at("[0].ports"), Some(&json!([{"containerPort": port}])));
                assert_eq!(at("[0].readinessProbe.httpGet.port"), Some(&json!(port)));
                assert_eq!(at("[1].args[2]"), Some(&json!(format!("--vllm-port={port}"))));
                assert_eq!(at("[1].ports"), Some(&json!([{"containerPort": 8000}])));
                let prefill = "spec.template.spec.containers";
                let prefill = manifest(&response, "model-serving-prefill", prefill).and_then(Value::as_array);
                assert_eq!(prefill.map(Vec::len), Some(1));
            }
            (Err(fault), Err(text)) => {
                let problem = &fault.problems[0];
                let want = format!("member \"decode/standalone\" has the argument `--port` with {text}; give a number");
                assert_eq!((problem.path.as_str(), problem.message.as_str()), ("spec.engines", want.as_str()));
            }
            (found, want) => panic!("{found:?}, not {want:?}"),
        }
    }
    check(&[], Ok(8001));
    check(&["--port", "8100"], Ok(8100));
    check(&["--model=a", "--port=8200", "--port=8300"], Ok(8200));
    check(&["--port"], Ok(8001));
    check(&["--ports=8100"], Ok(8001));
    check(&["--port=http\n"], Err(r#""http\n""#));
    check(&["--port", "--model=a"], Err(r#""--model=a""#));
}

#[test]
fn engines_are_told_where_the_weights_are() {
    #[track_caller]
    fn check(container: Value, want: &[&str]) {
        for cached in [true, false] {
            let mut spec = standalone(container.clone());
            if cached {
                spec["modelCacheRef"] = json!({"name": "weights"});
            }
            let response = composed(&request(spec));
            let at = |at: &str| manifest(&response, "model-serving-main", &format!("spec.template.spec.{at}"));
            let want = if cached { want } else { &want[..container["args"].as_array().map_or(0, Vec::len)] };
            assert_eq!(at("containers[0].args"), Some(&json!(want)));
            assert_eq!(at("containers[0].volumeMounts[1].mountPath").is_some(), cached);
            let claim = Some(json!("modelcache-ml-weights-5f3f2")).filter(|_| cached);
            assert_eq!(at("volumes[1].persistentVolumeClaim.claimName"), claim.as_ref());
        }
    }
    check(json!({}), &["--model=/mnt/models"]);
    check(json!({"args": ["--models=a"]}), &["--models=a", "--model=/mnt/models"]);
    check(json!({"args": ["--model", "a"]}), &["--model", "a"]);
    check(json!({"args": ["--model=a"]}), &["--model=a"]);
    check(json!({"command": ["serve"], "args": ["x"]}), &["x"]);
}

/// A gang has one leader, and as many workers as the worker has nodes.
#[test]
fn sizes_of_gangs() {
    #[track_caller]
    fn check(worker: Value, size: u64) {
        let mut worker_member = member("Worker", json!({}));
        worker_member["worker"] = worker;
        let members = [worker_member, member("Leader", json!({}))];
        let spec = json!({"clusterName": "gpu-east", "engines": [{"name": "main", "copies": 2, "members": members}]});
        let response = composed(&request(spec));
        let at = |at: &str| manifest(&response, "model-serving-main", &format!("spec.{at}"));
        assert_eq!(at("replicas"), Some(&json!(2)));
        assert_eq!(at("leaderWorkerTemplate.size"), Some(&json!(size)));
        let template = |of: &str| at(&format!("leaderWorkerTemplate.{of}Template.metadata.labels"));
        let labels = json!({"modelplane.ai/serving": "llama-09209", "modelplane.ai/lws-role": "leader"});
        assert_eq!((template("leader"), template("worker")), (Some(&labels), None));
    }
    check(json!(null), 2);
    check(json!({"nodes": 1}), 2);
    check(json!({"nodes": 63}), 64);
}

/// The annotation decides what serves a replica, then what is there, then the option.
#[test]
fn what_serves_a_replica() {
    #[track_caller]
    fn check(noted: Value, observed: Option<&str>, option: &str, kserve: bool) {
        let mut request = request(standalone(json!({})));
        let mut composite = request.composite().expect("a composite").clone();
        composite["metadata"]["annotations"] = json!({"modelplane.ai/backend": noted});
        request.composite = Some(composite.into());
        request.observed = observed.into_iter().map(|key| (key.to_owned(), object(true, "True"))).collect();
        let kind = json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelplane": {"backend": option}});
        request.input = Some(kind);
        let response = composed(&request);
        let keys: Vec<_> = response.resources.keys().map(String::as_str).collect();
        assert_eq!(keys == ["model-serving", "resource-claim-main-standalone"], kserve, "{keys:?}");
        assert_eq!(keys.contains(&"model-serving-main"), !kserve, "{keys:?}");
        let running = observed.is_some_and(|key| key.starts_with("model-serving") && keys.contains(&key));
        let mut reasons = response.conditions.iter().map(|it| it.reason.as_str());
        assert_eq!(reasons.next_back(), Some(if running { "Serving" } else { "WaitingForModel" }));
    }
    let (ours, theirs) = (Some("model-serving-main"), Some("model-serving"));
    for (option, kserve) in [("direct", false), ("kserve", true)] {
        check(json!(null), None, option, kserve);
        check(json!("something"), Some("epp"), option, kserve);
        check(json!(null), ours, option, false);
        check(json!(null), theirs, option, true);
        check(json!("direct"), theirs, option, false);
        check(json!("kserve"), ours, option, true);
        check(json!("kserve"), None, option, true);
    }
}

/// What KServe gets: `parallelism`, and model, of a gang with these arguments on so many nodes.
#[test]
fn gangs_of_kserve() {
    #[track_caller]
    fn check(nodes: u64, container: Value, cached: bool, parallelism: Value, model: Value) {
        let mut worker = member("Worker", container.clone());
        worker["worker"] = json!({"nodes": nodes - 1});
        let members = [member("Leader", container), worker];
        let mut spec = json!({"clusterName": "gpu-east", "engines": [{"name": "main", "members": members}]});
        if cached {
            spec["modelCacheRef"] = json!({"name": "weights"});
        }
        let mut request = request(spec);
        request.input = Some(json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelplane": {"backend": "kserve"},
        }));
        let response = composed(&request);
        let at = |at: &str| manifest(&response, "model-serving", at);
        assert_eq!((at("spec.parallelism"), at("spec.model")), (Some(&parallelism), Some(&model)));
        assert!(at("spec.worker.containers").is_some());
    }
    let unknown = json!({"uri": "hf://unknown"});
    check(2, json!({}), false, json!({"pipeline": 2}), unknown.clone());
    let arguments = json!(["--model", "org/a", "--tensor-parallel-size=8", "--pipeline-parallel-size=2"]);
    let org = json!({"uri": "hf://org/a", "name": "org/a"});
    check(2, json!({"args": arguments}), false, json!({"tensor": 8, "pipeline": 2}), org.clone());
    // The model by its position.
    let arguments = json!(["vllm", "serve", "org/a", "--tensor-parallel-size=8"]);
    check(2, json!({"args": arguments}), false, json!({"tensor": 8, "pipeline": 2}), org.clone());
    let container = json!({"command": ["vllm", "serve"], "args": ["org/a", "--served-model-name=b"]});
    check(2, container, false, json!({"pipeline": 2}), json!({"uri": "hf://org/a", "name": "b"}));
    let arguments = json!([
        "--model=org/a",
        "--data-parallel-size=16",
        "--data-parallel-size-local=8",
        "--data-parallel-rpc-port=5555",
        "--enable-expert-parallel"
    ]);
    let data = json!({"data": 16, "dataLocal": 8, "dataRPCPort": 5555, "expert": true});
    check(2, json!({"args": arguments}), false, data, org);
    // They would make two nodes.
    check(3, json!({"args": arguments}), false, json!({"pipeline": 3}), json!({"uri": "hf://org/a", "name": "org/a"}));
    check(2, json!({"args": ["--data-parallel-size=2"]}), false, json!({"data": 2, "dataLocal": 1}), unknown);
    let cached = |name: &str| json!({"uri": "pvc://modelcache-ml-weights-5f3f2", "name": name});
    check(2, json!({}), true, json!({"pipeline": 2}), cached("/mnt/models"));
    check(2, json!({"args": ["--served-model-name", "a"]}), true, json!({"pipeline": 2}), cached("a"));
    check(
        2,
        json!({"args": ["--model=s3://a/b"]}),
        false,
        json!({"pipeline": 2}),
        json!({"uri": "s3://a/b", "name": "s3://a/b"}),
    );
}

/// Every key of Modelplane in a rule is one that others know too.
#[test]
fn keys_of_labels_are_stated_once() {
    let known = [
        labels::SERVING,
        labels::WORKLOAD,
        labels::LWS_ROLE,
        labels::POOL,
        labels::PICKER_CONFIG,
        labels::LLM_D_ROLE,
        labels::LLM_D_SERVING,
        labels::KUEUE_QUEUE,
        labels::KAI_QUEUE,
    ];
    let rules = (KIND.rules)();
    let keys =
        rules.iter().flat_map(|table| &table.rules).filter_map(|rule| rule.path.split_once('[')?.1.strip_suffix(']'));
    let keys: BTreeSet<_> = keys.filter(|key| key.contains('/')).collect();
    assert_eq!(keys, BTreeSet::from(known));
}

/// Every cause of a rule is a field that exists.
#[test]
fn causes_are_fields() {
    let schema = &(KIND.definition)().document()["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    let is_field = |cause: &str| {
        cause.split('.').try_fold(schema, |schema, step| {
            let (name, items) = step.split_once('[').map_or((step, false), |(name, _)| (name, true));
            let field = schema["properties"].get(name)?;
            if items { field.get("items") } else { Some(field) }
        })
    };
    for rule in (KIND.rules)().iter().flat_map(|table| table.rules.clone()) {
        for cause in rule.causes {
            let known = ["metadata.name", "metadata.namespace"].contains(cause) || is_field(cause).is_some();
            assert!(known, "{}: {cause}", rule.path);
        }
    }
}
