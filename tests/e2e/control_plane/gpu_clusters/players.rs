//! What no controller does here: the kubelets, the provisioner of volumes, the controller of LeaderWorkerSets, KServe, and
//! gateways.
//! Each object gets the status that it would have when all goes well.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use inference::modelplane::resources::{
    HTTP_ROUTES, LEADER_WORKER_SETS, LLM_INFERENCE_SERVICES, PERSISTENT_VOLUME_CLAIMS,
};
use quantity::Time;
use serde_json::{Value, json};
use tests::real::kubectl::Kubectl;
use tests::real::watching::Which;

use crate::resources::PODS;

/// The time of all conditions.
pub(super) const LONG_AGO: &str = "2026-01-01T00:00:00Z";

/// What an import says when it has succeeded.
pub(crate) const DIGEST: &str = "sha256:ef2d127de37b942baad06145e54b0c619a1f22327b2ebbcfbec78f5564afe39d";
/// The image with which pods do not become ready.
pub(crate) const STUCK: &str = "registry.local/stuck:v1";
/// The container of pods that are not ready before their first probe.
const MODEL: &str = "inference";
/// The model whose import fails.
pub(crate) const REFUSED: &str = "refused";
/// The model whose import does not end, unless its pod has the annotation.
pub(crate) const SLOW: &str = "slow";
pub(crate) const ENDED: &str = "e2e/ended";
/// What an import says when it fails: 1,500 characters.
pub(crate) const LONG_MESSAGE: &str = {
    const LETTERS: [u8; 1500] = [b'x'; 1500];
    match str::from_utf8(&LETTERS) {
        Ok(text) => text,
        Err(_) => "",
    }
};

/// A kind, and the status that an object of it gets.
type Part = (&'static ApiResource, fn(&Value) -> Value);

/// Who is played.
const PARTS: &[Part] = &[
    (PODS, pod),
    (&PERSISTENT_VOLUME_CLAIMS, claim),
    (&LEADER_WORKER_SETS, gangs),
    (&HTTP_ROUTES, route),
    (&LLM_INFERENCE_SERVICES, service),
];

/// The players of one cluster. On the control plane they accept routes, and make pods of services ready. They end when they are dropped.
pub(crate) struct Players {
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Players {
    /// Starts to play with the rights of `kubectl`.
    pub(crate) fn start(kubectl: &Kubectl) -> Self {
        let (ended, kubectl) = (Arc::new(AtomicBool::new(false)), kubectl.clone());
        let over = Arc::clone(&ended);
        let play = move || {
            while !over.load(Ordering::Relaxed) {
                for (resource, status) in PARTS {
                    // The API server may be lost, and some clusters do not have all kinds.
                    let _ = play(&kubectl, resource, *status);
                }
                thread::sleep(Duration::from_secs(1));
            }
        };
        Self { ended, thread: Some(thread::spawn(play)) }
    }
}

impl Drop for Players {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Gives each object of a kind its status, when it has another one.
fn play(kubectl: &Kubectl, resource: &ApiResource, status: fn(&Value) -> Value) -> Result<()> {
    for object in kubectl.list(Which::all(resource))?.values() {
        let metadata = &object["metadata"];
        let wanted = status(object);
        if metadata["deletionTimestamp"].is_null() && !has(&object["status"], &wanted) {
            let which = Which::all(resource)
                .within(metadata["namespace"].as_str().context("a namespace")?)
                .named(metadata["name"].as_str().context("a name")?);
            kubectl.watching()?.patch_status(which, &wanted)?;
        }
    }
    Ok(())
}

/// Whether `value` has all of `wanted`.
fn has(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(value), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| value.get(key).is_some_and(|value| has(value, wanted)))
        }
        (Value::Array(value), Value::Array(wanted)) => {
            wanted.iter().all(|wanted| value.iter().any(|value| has(value, wanted)))
        }
        _ => value == wanted,
    }
}

/// The pods of Jobs end, and all others are ready but those with one image. Those of models are probed first.
fn pod(object: &Value) -> Value {
    match object["metadata"]["ownerReferences"][0]["kind"].as_str() {
        Some("Job") => job(object),
        _ if object["spec"]["containers"][0]["image"] == STUCK => json!({}),
        _ if object["spec"]["containers"][0]["name"] == MODEL && !is_probed(object) => json!({}),
        _ => json!({
            "phase": "Running",
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": LONG_AGO}],
        }),
    }
}

/// Whether the first probe of a pod's readiness is over.
fn is_probed(pod: &Value) -> bool {
    let delay = pod["spec"]["containers"][0]["readinessProbe"]["initialDelaySeconds"].as_i64().unwrap_or_default();
    let created = pod["metadata"]["creationTimestamp"].as_str().and_then(|it| it.parse::<Time>().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs().cast_signed());
    created.is_none_or(|created| created.seconds() + delay <= now)
}

/// The pod of a Job succeeds, unless it imports one of two models.
fn job(object: &Value) -> Value {
    let container = &object["spec"]["containers"][0];
    let model = container["env"].as_array().into_iter().flatten().find(|it| it["name"] == "HF_REPO");
    let model = model.and_then(|it| it["value"].as_str()?.rsplit('/').next()).unwrap_or_default();
    let ended = |phase: &str, code: u8, message: &str| {
        let ended = json!({"exitCode": code, "message": message, "finishedAt": LONG_AGO});
        let parts = json!({
            "name": container["name"], "image": container["image"], "imageID": "", "ready": false, "restartCount": 0,
            "state": {"terminated": ended},
        });
        json!({"phase": phase, "containerStatuses": [parts]})
    };
    match model {
        SLOW if object["metadata"]["annotations"][ENDED].is_null() => json!({"phase": "Running"}),
        REFUSED => ended("Failed", 1, LONG_MESSAGE),
        _ => ended("Succeeded", 0, DIGEST),
    }
}

fn claim(_: &Value) -> Value {
    json!({"phase": "Bound"})
}

fn gangs(object: &Value) -> Value {
    let replicas = &object["spec"]["replicas"];
    let available = condition("Available", "AllGroupsReady");
    json!({"replicas": replicas, "readyReplicas": replicas, "updatedReplicas": replicas, "conditions": [available]})
}

fn service(_: &Value) -> Value {
    json!({"conditions": [condition("Ready", "Ready")]})
}

fn route(object: &Value) -> Value {
    json!({"parents": [{
        "parentRef": object["spec"]["parentRefs"][0],
        "controllerName": "example.org/gateway",
        "conditions": [condition("Accepted", "Accepted")],
    }]})
}

fn condition(kind: &str, reason: &str) -> Value {
    json!({"type": kind, "status": "True", "reason": reason, "message": "", "lastTransitionTime": LONG_AGO})
}
