//! Many InferenceModels that share a pool, for measurements, as Crossplane sends them.

use std::collections::BTreeMap;

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use serde_json::{Value, json};

use crate::workload::settled_of;

/// The memory of each.
const GIBIBYTES: usize = 60;

/// The request for a model that runs, beside so many others in its pool, half of which wait for memory.
///
/// # Panics
/// When it does not run.
pub fn beside(others: usize) -> ComposeRequest {
    let running = others / 2 + 1;
    let options = json!({
        "apiVersion": "sailplane.fn.crossplane.io/v1alpha1",
        "kind": "Options",
        "inferenceModel": {"pools": {"default": format!("{}Gi", running * GIBIBYTES)}},
    });
    let own = model(0, true);
    let all = (0..=others).map(|index| ObservedObject::from(model(index, index < running)));
    let request = ComposeRequest {
        composite: Some(own.into()),
        input: Some(options),
        lookups: BTreeMap::from([("models".to_owned(), all.collect())]),
        now: Some(1_769_860_800), // half a minute after its last request
        ..ComposeRequest::default()
    };
    let settled = settled_of(&request);
    let response = module::compose(&settled).expect("it is valid");
    let replicas = &response.resources["deployment"].object["spec"]["replicas"];
    assert!(*replicas == 1, "it has {replicas} replicas: {:?}", response.conditions);
    let unanswered: Vec<_> = response.lookups.keys().filter(|name| !settled.lookups.contains_key(*name)).collect();
    assert!(unanswered.is_empty(), "these lookups have no answers: {unanswered:?}");
    settled
}

/// A model that has its memory, or waits for it.
fn model(index: usize, runs: bool) -> Value {
    let memory = format!("{GIBIBYTES}Gi");
    let status = if runs {
        json!({
            "ready": true, "replicas": 1, "declaredMemory": memory, "reservedMemory": memory,
            "reservedPool": "inference-pool=default", "reservation": "Confirmed", "claimedAt": "2026-01-31T11:00:00Z",
            "lastRequestTime": "2026-01-31T11:59:30Z",
            "conditions": [{"type": "ModelReady", "status": "True", "reason": "Deployed", "message": ""}],
        })
    } else {
        let message = "it waits for memory of its pool";
        json!({
            "ready": false, "replicas": 0, "declaredMemory": memory,
            "conditions": [{"type": "ModelReady", "status": "False", "reason": "InsufficientMemory", "message": message}],
        })
    };
    json!({
        "apiVersion": "inference.eh-ops.io/v1alpha1",
        "kind": "InferenceModel",
        "metadata": {
            "name": format!("model-{index:05}"),
            "namespace": "models",
            "uid": format!("00000000-0000-0000-0000-{index:012}"),
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "annotations": {"inference.eh-ops.io/last-request-time": "2026-01-31T11:59:30Z"},
        },
        "spec": {
            "modelName": "qwen-32b",
            "memory": memory,
            "backendUrl": format!("http://model-{index:05}.models.svc:8080"),
            "containerImage": "registry.example.org/serve:v1",
        },
        "status": status,
    })
}
