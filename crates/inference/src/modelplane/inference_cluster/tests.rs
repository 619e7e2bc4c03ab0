use std::collections::BTreeMap;

use contract::types::ObservedObject;
use serde_json::{Value, json};

use super::super::platform;
use super::*;
use crate::KINDS;

/// A cluster of a source with a pool of the class `a`.
fn request(source: &str, observed: &BTreeMap<String, Value>, ready: bool) -> ComposeRequest {
    let block = source.to_lowercase();
    let mut composite = json!({
        "apiVersion": CLUSTERS.api_version, "kind": CLUSTERS.kind,
        "metadata": {"name": "c"},
        "spec": {
            "cluster": {"source": source},
            "nodePools": [{"name": "gpu", "className": "a", "zones": ["z"], "maxNodeCount": 2}],
        },
    });
    composite["spec"]["cluster"][&block] = match source {
        "Existing" => json!({"secretRef": {"name": "k"}}),
        "AKS" => json!({"location": "l"}),
        "Nebius" => json!({}),
        _ => json!({"region": "r"}),
    };
    let class = json!({
        "apiVersion": INFERENCE_CLASSES.api_version, "kind": INFERENCE_CLASSES.kind, "metadata": {"name": "a"},
        "spec": {"provisioning": {"provider": source, block: {"accelerator": {"type": "t", "count": 1}}}, "devices": []},
    });
    let status = json!({
        "conditions": [{"type": "Ready", "status": if ready { "True" } else { "False" }}],
        "secrets": [{"type": "Kubeconfig", "name": platform::names::kubeconfig("c"), "key": "kubeconfig"}],
    });
    let object = |object: &Value| {
        let mut object = object.clone();
        object["status"] = status.clone();
        object.into()
    };
    let lookups = [("class-a", vec![class.into()]), ("model-replicas", Vec::new()), ("model-caches", Vec::new())];
    ComposeRequest {
        composite: Some(composite.into()),
        observed: observed.iter().map(|(key, value)| (key.clone(), object(value))).collect(),
        lookups: lookups.into_iter().map(|(name, found)| (name.to_owned(), found)).collect(),
        ..ComposeRequest::default()
    }
}

/// The objects of a response, as they will be observed.
fn objects(response: &ComposeResponse) -> BTreeMap<String, Value> {
    response.resources.iter().map(|(key, desired)| (key.clone(), desired.object.clone())).collect()
}

/// Composes until nothing more is composed.
fn settled(source: &str) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for _ in 0..4 {
        all = objects(&KINDS.compose(&request(source, &all, true)).expect("a response"));
    }
    all
}

/// Whatever subset is observed, ready or not, stays, and as it was composed.
#[test]
fn what_is_observed_stays() {
    for source in ["GKE", "EKS", "AKS", "Nebius", "Vultr", "Existing"] {
        let all = settled(source);
        assert_eq!(all.len(), if source == "Existing" { 2 } else { 4 }, "{source}");
        for subset in 0..1_usize << all.len() {
            let some = all.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1).map(|(_, it)| it);
            let some: BTreeMap<_, _> = some.map(|(key, object)| (key.clone(), object.clone())).collect();
            for ready in [true, false] {
                let composed = objects(&KINDS.compose(&request(source, &some, ready)).expect("a response"));
                for (key, object) in &some {
                    assert_eq!(composed.get(key), Some(object), "{source}: {key}, of {:?}", some.keys());
                }
            }
        }
    }
}

/// A class that nobody has looked up, or that is gone, changes nothing of what runs.
#[test]
fn classes_that_are_missing() {
    let all = settled("GKE");
    let mut request = request("GKE", &all, true);
    let class = request.lookups.remove("class-a");
    assert_eq!(objects(&KINDS.compose(&request).expect("a response")), all);
    request.lookups.insert("class-a".to_owned(), Vec::new());
    let fault = KINDS.compose(&request).expect_err("a fault");
    assert_eq!(fault.conditions[0].reason, "WaitingForClasses");
    let mut other = class.expect("a class")[0].object().expect("JSON").clone();
    other["spec"]["provisioning"] = json!({"provider": "EKS", "eks": {}});
    request.lookups.insert("class-a".to_owned(), vec![other.into()]);
    let fault = KINDS.compose(&request).expect_err("a fault");
    assert_eq!(fault.conditions[0].reason, "InvalidNodePool");
    request.observed.clear();
    let response = KINDS.compose(&request).expect("a response");
    assert!(response.resources.is_empty() && response.composite.status.is_none());
}

/// However many replicas are on a cluster, one object keeps it, and what holds a deletion is said in a few words.
#[test]
fn many_replicas() {
    let all = settled("GKE");
    let mut request = request("GKE", &all, true);
    let alone = KINDS.compose(&request).expect("a response");
    let mut composite = request.composite().expect("a composite").clone();
    composite["metadata"]["annotations"] = json!({"usage.crossplane.io/deletion-attempt-with-policy": "Foreground"});
    request.composite = Some(composite.into());
    let replica = |index: usize| {
        let metadata = json!({"name": format!("r-{index:05}"), "namespace": if index == 0 { "chat" } else { "ml" }});
        json!({"apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelReplica", "metadata": metadata, "spec": {}}).into()
    };
    request.lookups.insert("model-replicas".to_owned(), (0..10_000).map(replica).collect());
    let guarded = KINDS.compose(&request).expect("a response");
    let keys = |response: &ComposeResponse| response.resources.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&guarded), [keys(&alone), vec!["usage-replicas".to_owned()]].concat());
    let held = guarded.conditions.iter().find(|it| it.condition_type == "DeletionHeld").expect("a condition");
    let names = "r-00001, r-00002, r-00003, r-00004, r-00005 and 9994 more";
    let words = format!("the deletion waits for ModelReplicas in chat: r-00000; ModelReplicas in ml: {names}");
    assert_eq!(held.message.as_deref(), Some(words.as_str()));
}

/// What guards a cluster goes one after the other once nothing is on it any more: a deletion that was refused is repeated when one goes,
/// and would be refused again because of the other.
#[test]
fn guards_go_one_after_the_other() {
    #[track_caller]
    fn check(observed: &[&str], caches: &[ObservedObject], want: &[&str]) {
        let mut all = settled("GKE");
        let guard = json!({"apiVersion": "protection.crossplane.io/v1beta1", "kind": "ClusterUsage", "metadata": {"name": "a"}});
        all.extend(observed.iter().map(|key| ((*key).to_owned(), guard.clone())));
        let mut request = request("GKE", &all, true);
        request.lookups.insert("model-replicas".to_owned(), Vec::new());
        request.lookups.insert("model-caches".to_owned(), caches.to_vec());
        let composed = KINDS.compose(&request).expect("a response").resources;
        let guards: Vec<_> =
            composed.keys().filter(|key| ["usage-replicas", "usage-caches"].contains(&key.as_str())).collect();
        assert_eq!(guards, want);
    }
    let on_it = json!({"metadata": {"name": "c", "namespace": "ml"}, "status": {"clusters": [{"name": "c"}]}}).into();
    check(&["usage-caches", "usage-replicas"], &[], &["usage-replicas"]);
    check(&["usage-replicas"], &[], &[]);
    check(&["usage-caches"], &[], &[]);
    check(&["usage-caches", "usage-replicas"], &[on_it], &["usage-caches"]);
}
