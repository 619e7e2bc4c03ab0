//! The status that Crossplane writes of an InferenceModel without the Function: before it has said anything, and after a fatal result.

use anyhow::{Context as _, Result, ensure};
use inference::inference_model::resources::INFERENCE_MODELS;
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::http::HttpClient;

use crate::site::{NAMESPACE, Site};

const NAME: &str = "status";
/// The time of all that is written.
const WHEN: &str = "2026-01-31T12:00:00Z";

/// A status that is written.
struct Written {
    what: &'static str,
    /// The status before.
    before: fn() -> Value,
    /// The conditions that are written beside it.
    conditions: fn() -> Value,
    /// Other fields that are written too. Crossplane writes none, but keeps what it has read.
    fields: fn() -> Value,
    /// The field that is refused, with what is said of it. Empty where the status is accepted.
    refused: &'static str,
}

const ROWS: &[Written] = &[
    row("no call has been made", none, fails, none, ""),
    row("no call has been made, and it is not ready", none, not_ready, none, ""),
    row("it is paused", none, paused, none, ""),
    row("the first result was fatal", none, fatal, none, ""),
    row("a fatal result after others", full, fatal, none, ""),
    row("it is paused after results", full, paused, none, ""),
    row("what is ready is a text", none, fails, || json!({"ready": "true"}), "status.ready: Invalid value"),
    row("replicas are a text", full, fails, || json!({"replicas": "1"}), "status.replicas: Invalid value"),
    row("replicas are no whole number", none, fails, || json!({"replicas": 1.5}), "status.replicas: Invalid value"),
    row(
        "a reservation that there is not",
        full,
        fatal,
        || json!({"reservation": "Maybe"}),
        "status.reservation: Unsupported",
    ),
    row("conditions are a text", none, || json!("Synced"), none, "status.conditions: Invalid value"),
    row(
        "a condition has no status",
        none,
        || json!([{"type": "Synced"}]),
        none,
        "status.conditions[0].status: Required",
    ),
];

const fn row(
    what: &'static str,
    before: fn() -> Value,
    conditions: fn() -> Value,
    fields: fn() -> Value,
    refused: &'static str,
) -> Written {
    Written { what, before, conditions, fields, refused }
}

/// Writes each as Crossplane does: all of the object that it has read, to the subresource.
pub(crate) fn all(site: &Site) -> Result<()> {
    let definition = site.kubectl.get(&["crd", &named(&INFERENCE_MODELS)])?;
    let status = "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties";
    let (known, full) = (definition.pointer(status).and_then(Value::as_object).context("no fields")?, full());
    let missing: Vec<_> = known.keys().filter(|field| full.get(field).is_none()).collect();
    ensure!(missing.is_empty(), "the full status lacks {missing:?}");
    let mut client = site.server.client()?;
    for row in ROWS {
        check(&mut client, row).context(row.what)?;
        site.kubectl.run(&["delete", "-n", NAMESPACE, &named(&INFERENCE_MODELS), NAME])?;
    }
    Ok(())
}

fn check(client: &mut HttpClient, row: &Written) -> Result<()> {
    let group = INFERENCE_MODELS.api_version;
    let collection = format!("/apis/{group}/namespaces/{NAMESPACE}/{}", INFERENCE_MODELS.plural);
    let path = format!("{collection}/{NAME}/status");
    let (code, mut model) = client.send("POST", &collection, Some(&model()))?;
    ensure!(code == 201, "{code} {model}");
    ensure!(model["status"].is_null(), "a new one has {}", model["status"]);
    let before = (row.before)();
    if !before.is_null() {
        model["status"] = before.clone();
        (_, model) = client.send("PUT", &path, Some(&model))?;
        ensure!(model["status"] == before, "it becomes {model}");
    }

    let mut wanted = before.clone();
    wanted["conditions"] = (row.conditions)();
    for (field, value) in (row.fields)().as_object().into_iter().flatten() {
        wanted[field] = value.clone();
    }
    model["status"] = wanted.clone();
    let (code, answer) = client.send("PUT", &path, Some(&model))?;
    if !row.refused.is_empty() {
        let message = answer["message"].as_str().unwrap_or_default();
        ensure!(code == 422 && message.contains(row.refused), "{code} {answer}");
        return Ok(());
    }
    ensure!(code == 200, "{code} {answer}");
    let (code, stored) = client.send("GET", &format!("{collection}/{NAME}"), None)?;
    ensure!(code == 200 && stored["status"] == wanted, "{code}: it is stored as {}", stored["status"]);
    // No default says what nobody has seen, and what was said before stays.
    let is_full = |field: &str| stored["status"].get(field).is_some() != before.is_null();
    ensure!(is_full("ready") && is_full("replicas"), "it has {}", stored["status"]);
    Ok(())
}

fn model() -> Value {
    json!({
        "apiVersion": INFERENCE_MODELS.api_version,
        "kind": INFERENCE_MODELS.kind,
        "metadata": {"name": NAME, "namespace": NAMESPACE},
        "spec": {
            "modelName": NAME, "memory": "60Gi", "backendUrl": "http://status.models.svc:8080",
            "containerImage": "registry.example.org/serve:v1",
        },
    })
}

/// No status, and no fields.
fn none() -> Value {
    Value::Null
}

/// All that the Function says of a model.
fn full() -> Value {
    json!({
        "claimedAt": WHEN,
        "claimedPool": "inference-pool=gpu-h100",
        "conditions": [condition("Responsive", "True", "WatchCircuitClosed"), condition("ModelReady", "True", "Deployed")],
        "declaredMemory": "60Gi",
        "lastObservation": WHEN,
        "leavingPool": "inference-pool=gpu-l4",
        "observedPeakMemory": "48Gi",
        "ready": true,
        "recommendation": "53Gi",
        "replicas": 1,
        "reservation": "Confirmed",
        "reservedMemory": "60Gi",
        "reservedPool": "inference-pool=gpu-a100",
        "utilizationPercent": 80,
    })
}

/// Crossplane cannot call the Function.
fn fails() -> Value {
    let mut synced = condition("Synced", "False", "ReconcileError");
    synced["message"] = "cannot compose resources: cannot run Composition pipeline step \"sailplane\"".into();
    json!([condition("Responsive", "True", "WatchCircuitClosed"), synced])
}

fn not_ready() -> Value {
    json!([condition("Synced", "True", "ReconcileSuccess"), condition("Ready", "False", "Creating")])
}

fn paused() -> Value {
    json!([condition("Synced", "False", "ReconcilePaused")])
}

/// What the Function said before counts as unknown after a fatal result.
fn fatal() -> Value {
    let mut conditions = fails();
    if let Some(conditions) = conditions.as_array_mut() {
        conditions.push(condition("ModelReady", "Unknown", "FatalError"));
    }
    conditions
}

fn condition(kind: &str, status: &str, reason: &str) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "lastTransitionTime": WHEN, "observedGeneration": 1})
}
