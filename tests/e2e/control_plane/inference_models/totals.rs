//! How much memory there is: by an EnvironmentConfig that changes, by nodes that come and go, and for models of one name in two
//! namespaces.

use anyhow::{Context as _, Result, ensure};
use inference::inference_model::resources::ENVIRONMENT_CONFIGS;
use serde_json::{Value, json};
use tests::real::processes::progress;

use super::namespaces::{InferenceModels, message, options, reason};
use crate::plane::Plane;
use crate::subjects::INFERENCE_MODEL;

/// The namespaces, and the EnvironmentConfig and the pools with the same names.
const NAMESPACE: &str = "models-totals";
const OF_NODES: &str = "models-nodes";
const TWINS: [&str; 2] = ["models-twins-1", "models-twins-2"];
/// The models, of 10Gi each.
const FIRST: &str = "first";
const SECOND: &str = "second";
/// The nodes.
const NODES: [&str; 2] = ["models-node-1", "models-node-2"];

pub(crate) fn totals(plane: &Plane) -> Result<()> {
    by_object(plane)?;
    by_nodes(plane)?;
    for_twins(plane)
}

/// The total rises and falls. What runs stays, and says that it is more than there is.
fn by_object(plane: &Plane) -> Result<()> {
    total(plane, "10Gi")?;
    let models =
        InferenceModels::start(plane, NAMESPACE, &json!({"startupProbe": true, "poolsFrom": {"name": NAMESPACE}}))?;
    models.apply(FIRST, NAMESPACE, &json!({}))?;
    models.are(&[(FIRST, "Deployed")])?;
    models.apply(SECOND, NAMESPACE, &json!({}))?;
    models.are(&[(FIRST, "Deployed"), (SECOND, "InsufficientMemory")])?;
    total(plane, "20Gi")?;
    both(&models, "Confirmed")?;
    total(plane, "10Gi")?;
    both(&models, "OverTotal")?;
    models.until(FIRST, "it says how much", |model| {
        let said = message(model, "MemoryReserved");
        ensure!(said.contains("20Gi") && said.contains("10Gi"), "{said}");
        Ok(())
    })?;
    total(plane, "20Gi")?;
    both(&models, "Confirmed")?;
    progress("models totals: a total has risen and fallen");
    models.end()?;
    plane.administrator.run(&["delete", "environmentconfig", NAMESPACE]).map(drop)
}

/// Nodes come and are cordoned.
fn by_nodes(plane: &Plane) -> Result<()> {
    let models = InferenceModels::start(plane, OF_NODES, &json!({"startupProbe": true, "nodeDiscovery": true}))?;
    node(plane, NODES[0], &json!({}), &json!({"inference.eh-ops.io/memory-budget": "10Gi"}))?;
    models.apply(FIRST, OF_NODES, &json!({}))?;
    models.are(&[(FIRST, "Deployed")])?;
    models.apply(SECOND, OF_NODES, &json!({}))?;
    models.are(&[(FIRST, "Deployed"), (SECOND, "InsufficientMemory")])?;
    node(plane, NODES[1], &json!({"nvidia.com/gpu.memory": "5120", "nvidia.com/gpu.count": "2"}), &json!({}))?;
    both(&models, "Confirmed")?;
    plane.administrator.run(&["cordon", NODES[1]])?;
    both(&models, "OverTotal")?;
    plane.administrator.run(&["uncordon", NODES[1]])?;
    both(&models, "Confirmed")?;
    progress("models totals: nodes have come and gone");
    models.end()?;
    plane.administrator.run(&[&["delete", "nodes"][..], &NODES].concat()).map(drop)
}

/// They have the same name and are two models of one pool.
fn for_twins(plane: &Plane) -> Result<()> {
    let options_of_both = options(&json!({"startupProbe": true, "pools": {TWINS[0]: "10Gi"}}));
    plane.copy_composition(INFERENCE_MODEL, TWINS[0], |step| step["input"] = options_of_both.clone())?;
    let one = InferenceModels::within(plane, TWINS[0])?;
    let other = one.beside(TWINS[1])?;
    one.apply(FIRST, TWINS[0], &json!({}))?;
    one.are(&[(FIRST, "Deployed")])?;
    other.apply(FIRST, TWINS[0], &json!({}))?;
    other.are(&[(FIRST, "InsufficientMemory")])?;
    one.delete(&[FIRST])?;
    other.are(&[(FIRST, "Deployed")])?;
    progress("models totals: of two with one name, one runs");
    other.end()?;
    one.end()
}

/// Waits until both run, and say this of their memory.
fn both(models: &InferenceModels<'_>, memory: &str) -> Result<()> {
    for name in [FIRST, SECOND] {
        models.until(name, &format!("it runs, and its memory is {memory}"), |model| {
            let found = [reason(model, "ModelReady"), reason(model, "MemoryReserved")];
            ensure!(found == ["Deployed", memory], "{}", model["status"]);
            Ok(())
        })?;
    }
    Ok(())
}

fn total(plane: &Plane, total: &str) -> Result<()> {
    plane.administrator.apply(&json!({
        "apiVersion": ENVIRONMENT_CONFIGS.api_version, "kind": ENVIRONMENT_CONFIGS.kind,
        "metadata": {"name": NAMESPACE}, "data": {NAMESPACE: total},
    }))
}

fn node(plane: &Plane, name: &str, labels: &Value, annotations: &Value) -> Result<()> {
    let mut labels = labels.as_object().cloned().context("labels")?;
    labels.insert("inference-pool".to_owned(), OF_NODES.into());
    plane.administrator.apply(&json!({
        "apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels, "annotations": annotations},
    }))
}
