//! Models that need one another: a chain wakes by one stamp, and a cycle stops nothing that runs.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::progress;
use tests::real::watching::Which;

use super::namespaces::{InferenceModels, message};
use crate::plane::Plane;
use crate::resources::PODS;

const NAMESPACE: &str = "models-chain";
/// Each needs the one before it.
const CHAIN: [&str; 3] = ["embedding", "reranker", "agent"];
/// They sleep soon. Until then they have a cooldown that is long enough for the whole chain to start on a slow machine.
const COOLDOWN: &str = "5s";
/// How far ahead a clock may be, less a minute.
const AHEAD: u64 = 240;

pub(crate) fn dependencies(plane: &Plane) -> Result<()> {
    let models = InferenceModels::start(plane, NAMESPACE, &json!({"startupProbe": true}))?;
    // The last first, so that it waits.
    for (number, name) in CHAIN.iter().enumerate().rev() {
        let needs: Vec<_> = number.checked_sub(1).and_then(|before| CHAIN.get(before)).into_iter().collect();
        models.apply(name, "chain", &json!({"dependencies": needs}))?;
    }
    models.are(&CHAIN.map(|name| (name, "Deployed")))?;
    progress("models dependencies: the chain has started");
    let sleeps = json!({"cooldownPeriod": COOLDOWN});
    CHAIN.iter().try_for_each(|name| models.edit(name, &sleeps))?;
    models.are(&CHAIN.map(|name| (name, "ScaledToZero")))?;
    progress("models dependencies: the chain sleeps");

    models.keep_awake(&["agent"], AHEAD)?;
    models.are(&CHAIN.map(|name| (name, "Deployed")))?;
    let started = CHAIN.map(|name| started(&models, name)).into_iter().collect::<Result<Vec<_>>>()?;
    ensure!(started.is_sorted(), "their pods are of {started:?}");
    progress("models dependencies: one stamp has woken the chain");

    let awake = json!({"cooldownPeriod": "10m"});
    CHAIN.iter().try_for_each(|name| models.edit(name, &awake))?;
    models.edit("embedding", &json!({"dependencies": ["agent"]}))?;
    models.are(&CHAIN.map(|name| (name, "Failed")))?;
    models.until("agent", "it says which cycle", |model| {
        let said = message(model, "ModelReady");
        ensure!(CHAIN.iter().all(|name| said.contains(name)), "{said}");
        Ok(())
    })?;
    for name in CHAIN {
        let replicas = models.deployment(name)?["spec"]["replicas"].take();
        ensure!(replicas == 1, "{name} has {replicas} pods");
    }
    models.edit("embedding", &json!({"dependencies": []}))?;
    models.are(&CHAIN.map(|name| (name, "Deployed")))?;
    progress("models dependencies: a cycle has come and gone");
    models.end()
}

/// When the pod of a model was made.
fn started(models: &InferenceModels<'_>, name: &str) -> Result<String> {
    let selector = format!("app.kubernetes.io/name={name}");
    let pod = models.plane.administrator.only(Which::all(PODS).within(NAMESPACE).labelled(&selector))?;
    Ok(pod["metadata"]["creationTimestamp"].as_str().context("it has no time")?.to_owned())
}
