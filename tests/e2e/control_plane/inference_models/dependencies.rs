//! Models that need one another: a chain wakes by one stamp, and a cycle stops nothing that runs.

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::progress;

use super::namespaces::{InferenceModels, message};
use crate::plane::Plane;

const NAMESPACE: &str = "models-chain";
/// Each needs the one before it.
const CHAIN: [&str; 3] = ["embedding", "reranker", "agent"];
/// Long enough for the whole chain to start.
const COOLDOWN: &str = "30s";

pub(crate) fn dependencies(plane: &Plane) -> Result<()> {
    let models = InferenceModels::start(plane, NAMESPACE, &json!({"startupProbe": true}))?;
    // The last first, so that it waits.
    for (number, name) in CHAIN.iter().enumerate().rev() {
        let needs: Vec<_> = number.checked_sub(1).and_then(|before| CHAIN.get(before)).into_iter().collect();
        models.apply(name, "chain", &json!({"dependencies": needs, "cooldownPeriod": COOLDOWN}))?;
    }
    models.are(&CHAIN.map(|name| (name, "Deployed")))?;
    progress("models dependencies: the chain has started");
    models.are(&CHAIN.map(|name| (name, "ScaledToZero")))?;
    progress("models dependencies: the chain sleeps");

    models.wake(&["agent"])?;
    models.are(&CHAIN.map(|name| (name, "Deployed")))?;
    let started = CHAIN.iter().map(|name| {
        models.until(name, "it says when it started", |model| {
            Ok(model["status"]["claimedAt"].as_str().context("it does not")?.to_owned())
        })
    });
    let started = started.collect::<Result<Vec<_>>>()?;
    ensure!(started.is_sorted(), "they started at {started:?}");
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
