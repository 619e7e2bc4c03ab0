//! Crossplane's engine is lost while models run, sleep and should fall asleep, and later the API server. Afterwards all is as if it
//! had been there.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::progress;

use super::namespaces::InferenceModels;
use crate::plane::Plane;

const NAMESPACE: &str = "models-lost";
const RUNS: &str = "runs";
const FALLS: &str = "falls-asleep";
const WAKES: &str = "wakes";
const COOLDOWN: Duration = Duration::from_secs(12);

pub(crate) fn lost(plane: &Plane) -> Result<()> {
    let models =
        InferenceModels::start(plane, NAMESPACE, &json!({"startupProbe": true, "pools": {NAMESPACE: "30Gi"}}))?;
    models.apply(RUNS, NAMESPACE, &json!({}))?;
    models.apply(WAKES, NAMESPACE, &json!({"maxReplicas": 0}))?;
    models.are(&[(RUNS, "Deployed"), (WAKES, "ScaledToZero")])?;
    models.edit(WAKES, &json!({"maxReplicas": 1}))?;
    models.apply(FALLS, NAMESPACE, &json!({"cooldownPeriod": format!("{}s", COOLDOWN.as_secs())}))?;
    models.are(&[(FALLS, "Deployed")])?;
    let standing = || models.deployment(RUNS).map(|it| (it["metadata"]["uid"].clone(), it["spec"].clone()));
    let before = standing()?;
    plane.without_engine(|| {
        models.wake(&[WAKES])?;
        std::thread::sleep(COOLDOWN);
        let replicas = models.deployment(FALLS)?["spec"]["replicas"].take();
        ensure!(replicas == 1, "something else scales to {replicas}");
        Ok(())
    })?;
    models.are(&[(RUNS, "Deployed"), (FALLS, "ScaledToZero"), (WAKES, "Deployed")])?;
    ensure!(standing()? == before, "what runs was changed");
    progress("models lost: the engine is back, one model has fallen asleep and one has woken");

    models.wake(&[FALLS])?;
    models.are(&[(FALLS, "Deployed")])?;
    plane.without_api_server(|| {
        std::thread::sleep(COOLDOWN);
        Ok(())
    })?;
    models.are(&[(RUNS, "Deployed"), (FALLS, "ScaledToZero"), (WAKES, "Deployed")])?;
    // The engine watches again only after a back-off, which may be longer than the cooldown. Who needs a model goes on asking.
    models.keep_awake(&[FALLS], 60)?;
    models.are(&[(FALLS, "Deployed")])?;
    ensure!(standing()? == before, "what runs was changed without an API server");
    progress("models lost: the API server is back, one model has fallen asleep and woken");
    models.end().context("in the end")
}
