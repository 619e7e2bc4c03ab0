//! A model on a new cluster, through the provider configuration that the cluster makes: the second document of the example.

use anyhow::{Context as _, Result};
use serde_json::json;
use tests::files::workspace;
use tests::golden;
use tests::real::access::named;
use tests::real::kubectl::Kubectl;
use tests::real::watching::Which;

use super::connection::NAMESPACE;
use super::living::LIMIT;
use crate::plane::Plane;
use crate::subjects::LLM_INFERENCE;

const EXAMPLE: &str = "examples/gpu-cluster/model-on-cluster.yaml";
/// The namespace on the new cluster.
const TARGET: &str = "production";

/// Applies it, and waits until the operator on the new cluster has something to do. Then deletes it.
pub(super) fn follows(plane: &Plane, target: &Kubectl, cluster: &str) -> Result<()> {
    let example = std::fs::read_to_string(workspace().join(EXAMPLE))?;
    let mut model = golden::documents(&example)?.pop().context("an empty example")?;
    model["metadata"]["namespace"] = NAMESPACE.into();
    model["spec"]["providerConfigName"] = cluster.into();
    model["spec"]["targetNamespace"] = TARGET.into();
    model["spec"]["crossplane"] = json!({"compositionRef": {"name": LLM_INFERENCE.composition}});
    plane.kubectl.apply(&model)?;
    let (models, name) = (LLM_INFERENCE.composites(), model["metadata"]["name"].as_str().context("a name")?);
    plane.kubectl.condition("Ready", Which::all(&models).within(NAMESPACE).named(name), LIMIT)?;
    target.run(&["get", "vllmruntime", "-n", TARGET, name]).context("on the new cluster")?;
    plane.kubectl.run(&["delete", "--wait=false", &named(&models), "-n", NAMESPACE, name]).map(drop)
}

/// Waits until nothing is left of it.
pub(super) fn is_gone(plane: &Plane) -> Result<()> {
    plane.kubectl.gone(Which::all(&LLM_INFERENCE.composites()).within(NAMESPACE), LIMIT)?;
    let objects = Which::all(LLM_INFERENCE.composed("objects")).within(NAMESPACE);
    plane.administrator.until("its Objects are gone", objects, LIMIT, |objects| {
        let of_model = |it: &serde_json::Value| it["spec"]["forProvider"]["manifest"]["kind"] == "VLLMRuntime";
        anyhow::ensure!(!objects.values().any(of_model), "left: {:?}", objects.keys());
        Ok(())
    })
}
