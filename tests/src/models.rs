//! Many InferenceModels that share a pool, for measurements, as Crossplane sends them.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use quantity::Time;
use serde_json::{Value, json};

use crate::workload::settled_of;

/// The memory of each.
const GIBIBYTES: usize = 60;

/// How long the models have been awake, in seconds, and how long ago they were asked for.
const AWAKE: i64 = 3600;
const ASKED: i64 = 30;

/// The request for a model that runs, beside so many others in its pool, half of which wait for memory. Times are by the clock of the
/// machine, as the Function has it.
///
/// # Panics
/// When it does not run.
pub fn beside(others: usize) -> ComposeRequest {
    of(0, others, 1)
}

/// The same for a model that waits: it is asked for anew whether it fits beside each of the others.
///
/// # Panics
/// When it runs.
pub fn waiting(others: usize) -> ComposeRequest {
    of(others, others, 0)
}

/// The request for the model at a place, which should have so many replicas.
fn of(place: usize, others: usize, replicas: i64) -> ComposeRequest {
    let now = now();
    let running = others / 2 + 1;
    let options = json!({
        "apiVersion": "sailplane.fn.crossplane.io/v1alpha1",
        "kind": "Options",
        "inferenceModel": {"pools": {"default": format!("{}Gi", running * GIBIBYTES)}},
    });
    let model = |index| model(index, index < running, now);
    let own = model(place);
    let all = (0..=others).map(|index| ObservedObject::from(model(index)));
    let request = ComposeRequest {
        composite: Some(own.into()),
        input: Some(options),
        lookups: BTreeMap::from([("models".to_owned(), all.collect())]),
        now: u64::try_from(now).ok(),
        ..ComposeRequest::default()
    };
    let settled = settled_of(&request);
    let response = module::compose(&settled).expect("it is valid");
    let found = response.resources.get("deployment").map_or(&Value::Null, |it| &it.object["spec"]["replicas"]);
    assert!(found.as_i64().unwrap_or_default() == replicas, "it has {found} replicas: {:?}", response.conditions);
    let unanswered: Vec<_> = response.lookups.keys().filter(|name| !settled.lookups.contains_key(*name)).collect();
    assert!(unanswered.is_empty(), "these lookups have no answers: {unanswered:?}");
    settled
}

/// A model that has its memory, or waits for it.
fn model(index: usize, runs: bool, now: i64) -> Value {
    let [awake, asked] = [AWAKE, ASKED].map(|ago| Time::from_seconds(now - ago).to_string());
    let memory = format!("{GIBIBYTES}Gi");
    let status = if runs {
        json!({
            "ready": true, "replicas": 1, "declaredMemory": memory, "reservedMemory": memory,
            "reservedPool": "inference-pool=default", "reservation": "Confirmed", "claimedAt": awake,
            "lastRequestTime": asked,
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
            "annotations": {"inference.eh-ops.io/last-request-time": asked},
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

/// The time of the machine, in seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or_default()
}
