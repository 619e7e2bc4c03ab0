//! The life of a model: it starts, falls asleep, wakes, is edited and moved, and goes.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use inference::inference_model::resources::SERVICES;
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;

use super::namespaces::{InferenceModels, LAST_REQUEST, options, reason, seconds};
use crate::composites::{Versions, kept, unchanged, version};
use crate::names::SOON;
use crate::plane::Plane;
use crate::subjects::INFERENCE_MODEL;

const NAMESPACE: &str = "models-life";
/// The Function of the scenario, so that it does not disturb others.
const FUNCTION: &str = "function-models-life";
const NAME: &str = "qwen3";
/// Its pool, which has enough memory, and one that has not.
const POOL: &str = "life";
const OTHER_POOL: &str = "life-small";
/// A model that never runs. When it changes, Crossplane calls for the others too.
const OTHER: &str = "other";
const COOLDOWN: u64 = 15;
/// How often it falls asleep until it is in time, beside scenarios that fill the processors.
const TRIES: u32 = 8;
/// How long nothing may write to a model that sleeps.
const QUIET: Duration = Duration::from_secs(20);

pub(crate) fn life(plane: &Plane) -> Result<()> {
    let function = plane.start_function(FUNCTION)?;
    plane.install_function(FUNCTION, function.port)?;
    // With the probe for startup nothing else delays the first probe.
    let input = options(&json!({"startupProbe": true, "pools": {POOL: "10Gi", OTHER_POOL: "5Gi"}}));
    plane.copy_composition(INFERENCE_MODEL, NAMESPACE, |step| {
        step["input"] = input.clone();
        step["functionRef"]["name"] = FUNCTION.into();
    })?;
    let models = InferenceModels::within(plane, NAMESPACE)?;

    models.apply(OTHER, POOL, &json!({"maxReplicas": 0}))?;
    models.apply(NAME, POOL, &json!({"memory": "8Gi"}))?;
    models.are(&[(NAME, "Deployed"), (OTHER, "ScaledToZero")])?;
    let before = versions(&models)?;
    ensure!(before.len() == 3, "it is {:?}", before.keys());
    progress("models life: it is ready");

    models.wake(&[NAME])?;
    models.edit(NAME, &json!({"cooldownPeriod": format!("{COOLDOWN}s")}))?;
    let mut tries = 1;
    while !falls_asleep(&models)? {
        ensure!(tries < TRIES, "it never fell asleep in time");
        tries += 1;
        models.wake(&[NAME])?;
        plane.administrator.until_it("it is awake", models.deployments().named(NAME), SOON, |deployment| {
            ensure!(deployment["spec"]["replicas"] == 1, "{}", deployment["spec"]["replicas"]);
            Ok(())
        })?;
    }
    let mut minutes = 0;
    let mut call = || {
        minutes += 1;
        let called = function.calls(NAMESPACE, NAME)?;
        models.edit(OTHER, &json!({"cooldownPeriod": format!("{minutes}m")}))?;
        function.called(NAMESPACE, NAME, called + 1, SOON)
    };
    let asleep = eventually("a call changes nothing", SOON, || {
        // The controller of Deployments still writes when the last pod has ended.
        let before = versions(&models)?;
        // Everything that one call changes is written before the next call.
        call()?;
        call()?;
        unchanged(&before, &versions(&models)?)?;
        Ok(before)
    })?;
    let model = plane.kubectl.only(models.all().named(NAME))?;
    call()?;
    std::thread::sleep(QUIET);
    let now = plane.kubectl.only(models.all().named(NAME))?;
    ensure!(now == model, "while it sleeps, {model} becomes {now}");
    unchanged(&asleep, &versions(&models)?).context("while it sleeps")?;
    progress("models life: nothing writes to it while it sleeps");

    function.take()?.kill();
    models.wake(&[NAME])?;
    function.missed()?;
    ensure!(replicas(&models)? == 0, "something else wakes it");
    function.restart()?;
    models.edit(NAME, &json!({"cooldownPeriod": "10m"}))?;
    models.are(&[(NAME, "Deployed")])?;
    progress("models life: it has woken, although the function was dead");

    models.edit(NAME, &json!({"containerImage": "registry.local/serve:v2"}))?;
    plane.administrator.until_it("the image is another one", models.deployments().named(NAME), SOON, |deployment| {
        let image = &deployment["spec"]["template"]["spec"]["containers"][0]["image"];
        ensure!(image == "registry.local/serve:v2" && is_rolled_out(deployment), "{image}: {}", deployment["status"]);
        Ok(())
    })?;
    // A claim would be given up.
    models.until(NAME, "its memory is its own", |model| {
        ensure!(reason(model, "MemoryReserved") == "Confirmed", "{}", model["status"]);
        Ok(())
    })?;
    models.edit(NAME, &json!({"nodeSelector": {"inference-pool": OTHER_POOL}}))?;
    models.until(NAME, "the other pool refuses it", |model| {
        let found = [reason(model, "NodeSelectorApplied"), reason(model, "ModelReady")];
        ensure!(found == ["InsufficientMemory", "Deployed"], "{}", model["status"]);
        ensure!(model["status"]["reservedPool"] == format!("inference-pool={POOL}"), "{}", model["status"]);
        Ok(())
    })?;
    let nodes = models.deployment(NAME)?["spec"]["template"]["spec"]["nodeSelector"].take();
    ensure!(nodes == json!({"inference-pool": POOL}), "its pods are on {nodes}");
    kept(&before, &versions(&models)?).context("after edits")?;
    progress("models life: edits were in place, and the other pool has refused it");
    models.end()
}

/// It sleeps when its cooldown is over. Says whether it does so at once: Crossplane may call a tenth later than it is told to.
fn falls_asleep(models: &InferenceModels<'_>) -> Result<bool> {
    let deployments = models.deployments().named(NAME);
    let administrator = &models.plane.administrator;
    let (stamp, slept) = administrator.until_it("it falls asleep", deployments, SOON, |deployment| {
        ensure!(deployment["spec"]["replicas"] == 0, "it runs");
        let stamp = deployment["metadata"]["annotations"][LAST_REQUEST].as_str().context("no stamp")?;
        Ok((stamp.parse::<quantity::Time>().ok().context("no time")?, seconds()))
    })?;
    let after = Duration::from_secs(slept.saturating_sub(stamp.seconds().unsigned_abs()));
    ensure!(after >= Duration::from_secs(COOLDOWN), "it fell asleep after {after:?}");
    let limit = Duration::from_secs(COOLDOWN).mul_f64(1.1) + Duration::from_secs(3);
    models.until(NAME, "its memory is free", |model| {
        let status = &model["status"];
        let (replicas, ready) = (&status["replicas"], &status["ready"]);
        ensure!(*replicas == 0 && *ready == false && status["reservedMemory"].is_null(), "{status}");
        ensure!(reason(model, "ModelReady") == "ScaledToZero", "{status}");
        Ok(())
    })?;
    progress(&format!("models life: it fell asleep {} s after the last request", after.as_secs()));
    Ok(after <= limit)
}

fn replicas(models: &InferenceModels<'_>) -> Result<u64> {
    models.deployment(NAME)?["spec"]["replicas"].as_u64().context("no number of replicas")
}

fn is_rolled_out(deployment: &Value) -> bool {
    let (spec, status) = (&deployment["spec"], &deployment["status"]);
    ["replicas", "updatedReplicas", "readyReplicas"].iter().all(|field| status[field] == spec["replicas"])
        && status["observedGeneration"] == deployment["metadata"]["generation"]
}

/// The versions of the model, its Deployment and its Service.
fn versions(models: &InferenceModels<'_>) -> Result<Versions> {
    let mut versions = Versions::new();
    let services = Which::all(&SERVICES).within(NAMESPACE);
    for which in [models.all(), models.deployments(), services] {
        let found = models.plane.administrator.list(which.named(NAME))?;
        versions.extend(found.values().map(version).collect::<Result<Vec<_>>>()?);
    }
    Ok(versions)
}
