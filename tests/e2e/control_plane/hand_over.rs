//! Composites of dot-inference 0.1.6 become ours, and no object is deleted or created again. There are two ways: the
//! Composition of all composites changes its function, or each composite changes to our Composition.

mod dot_inference;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::real::processes::{free_port, progress};

use crate::composites::{Composite, kept};
use crate::names::{PROVIDER_CONFIG, SOON, fixture};
use crate::plane::Plane;
use crate::served::serve;
use crate::subjects::LLM_INFERENCE;

const NAMESPACE: &str = "hand-over";
/// The Composition of dot-inference.
const COMPOSITION: &str = "dot-inference";

pub(crate) fn hand_over(plane: &Plane) -> Result<()> {
    let kubectl = &plane.kubectl;
    plane.namespace(NAMESPACE)?;
    let port = free_port()?;
    serve(dot_inference::DotInference, port, plane.certificates())?;
    plane.install_function("function-dot-inference", port)?;
    kubectl.apply_path(&fixture("dot-inference.yaml"))?;
    let theirs = json!({"crossplane": {"compositionRef": {"name": COMPOSITION}}});
    let stays = Composite::apply(kubectl, LLM_INFERENCE, NAMESPACE, "stays", &theirs)?;
    let moves = Composite::apply(kubectl, LLM_INFERENCE, NAMESPACE, "moves", &theirs)?;
    let mut before = BTreeMap::new();
    for llm in [&stays, &moves] {
        llm.ready()?;
        composed_through_provider_config(llm)?;
        before.extend(llm.versions()?);
    }
    progress("hand-over: two composites of dot-inference are ready");

    let options = json!({
        "apiVersion": "sailplane.fn.crossplane.io/v1alpha1",
        "kind": "Options",
        "llmInference": {"providerConfigKind": "ProviderConfig"},
    });
    let ours = json!({"step": "compose-resources", "functionRef": {"name": plane.function_name}, "input": options});
    moves.edit(&json!({
        "providerConfigKind": "ProviderConfig",
        "crossplane": {"compositionRef": {"name": LLM_INFERENCE.composition}, "compositionRevisionRef": null},
    }))?;
    moves.target_has("vllmruntimes", "/spec/deploymentConfig/shmSize", &json!("2Gi"))?;
    progress("hand-over: one has moved to our Composition");
    kubectl.patch(&["compositions", COMPOSITION], &json!({"spec": {"pipeline": [ours]}}))?;
    stays.target_has("vllmruntimes", "/spec/deploymentConfig/shmSize", &json!("2Gi"))?;
    progress("hand-over: the other's Composition calls our function");

    let mut after = BTreeMap::new();
    for llm in [&stays, &moves] {
        reconciled(plane, llm)?;
        llm.ready()?;
        composed_through_provider_config(llm)?;
        after.extend(llm.versions()?);
    }
    kept(&before, &after)?;
    ensure!(before.keys().eq(after.keys()), "there were {:?}, there are {:?}", before.keys(), after.keys());
    Ok(())
}

/// Makes Crossplane reconcile a composite completely: the second call comes only after Crossplane has finished with the
/// response to the first one.
fn reconciled(plane: &Plane, llm: &Composite<'_>) -> Result<()> {
    for time in ["first", "second"] {
        let calls = plane.function.calls(NAMESPACE, llm.name())?;
        llm.annotate("tests.sailplane/reconcile", time)?;
        plane.function.called(NAMESPACE, llm.name(), calls + 1, SOON)?;
    }
    Ok(())
}

/// Fails unless both Objects have the composition resource names of dot-inference 0.1.6 and use the ProviderConfig of
/// their namespace.
fn composed_through_provider_config(llm: &Composite<'_>) -> Result<()> {
    for object in llm.composed(&["ingress", "vllm_runtime"])?.values() {
        let config = &object["spec"]["providerConfigRef"];
        ensure!(*config == json!({"kind": "ProviderConfig", "name": PROVIDER_CONFIG}), "it acts through {config}");
    }
    Ok(())
}
