//! Sailplane takes the place of Modelplane v0.3.1, and gives it back, with the commands in `docs/from-modelplane.md`.
//! Composites are made while the definitions and Compositions are those of v0.3.1, whose functions are a server that composes as
//! they do. Then ours takes them over. Nothing is deleted, made anew, or started again.

mod modelplane;
mod objects;
mod packages;
mod platform;
mod release;
mod rows;

use std::thread;

use anyhow::{Context as _, Result, bail, ensure};
use inference::modelplane::resources::{MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_SERVICES};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::progress;
use tests::real::watching::Which;

use self::platform::PlatformSide;
use crate::composites::{Versions, kept};
use crate::gpu_clusters::GpuClusters;
use crate::inference_clusters::targets::ADDRESS;
use crate::models::{LIMIT, Models, llama};
use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::COMPOSITION_REVISIONS;

/// The namespace of the models. Names on clusters depend on it.
const NAMESPACE: &str = "ml";
/// The namespace of the first models.
const FIRST: &str = "first-day";

/// The deployments.
const DEPLOYMENTS: [&str; 2] = ["llama", "qwen"];

/// Afterwards Sailplane is installed as before, also after a failure, and the clusters are no longer registered.
pub(crate) fn replacement(plane: &Plane) -> Result<()> {
    let outcome = there_and_back(plane);
    let restored = packages::ours_again(plane);
    outcome.and(restored)
}

fn there_and_back(plane: &Plane) -> Result<()> {
    let clusters = plane.gpu_clusters()?;
    let platform = PlatformSide::start(plane, &clusters)?;
    let outcome = whole(plane, &clusters, platform.as_ref());
    let left = platform.map_or(Ok(()), PlatformSide::end);
    outcome.and(left)
}

fn whole(plane: &Plane, clusters: &GpuClusters, platform: Option<&PlatformSide<'_>>) -> Result<()> {
    let of_platform = || platform.map_or_else(|| Ok(Versions::new()), PlatformSide::versions);
    thread::scope(|scope| {
        let published = scope.spawn(|| release::publish(plane));
        let begun =
            platform.map_or(Ok(()), |platform| platform.begins().and_then(|()| first_day(plane, clusters, platform)));
        begun.and(published.join().unwrap_or_else(|_| bail!("publishing Modelplane panicked")))
    })?;
    let first = of_platform()?;
    packages::theirs_alone(plane)?;
    progress("replacement: Modelplane's Configuration is installed, and ours is not");
    platform.map_or(Ok(()), PlatformSide::grows)?;
    platform::kept(&first, &of_platform()?).context("theirs at first")?;
    plane.administrator.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))?;
    let models = Models { plane, clusters, namespace: NAMESPACE };
    apply_models(&models)?;
    serving(&models)?;
    // No answer of v0.3.1 has a selector.
    selector(&models, false)?;
    models.settled()?;
    let before = models.everything()?;
    let platform_before = of_platform()?;
    progress(&format!("replacement: v0.3.1 has {} objects", before.len()));

    let interrupted = || {
        plane.without_engine(|| Ok(()))?;
        nothing_new(&before, &models.everything()?)?;
        platform::kept(&platform_before, &of_platform()?).context("half-way")
    };
    let as_before = |has_selector: bool, whose: &'static str| {
        selector(&models, has_selector)?;
        serving(&models)?;
        models.settled()?;
        nothing_new(&before, &models.everything()?).context(whose)?;
        platform.map_or(Ok(()), PlatformSide::settled)?;
        platform::kept(&platform_before, &of_platform()?).context(whose)
    };
    packages::move_to_ours(plane, interrupted, || composed_by_theirs(&models))?;
    as_before(true, "ours")?;
    progress("replacement: ours has taken over");
    platform.map_or(Ok(()), PlatformSide::outlives_function)?;
    platform.map_or(Ok(()), PlatformSide::outlives_definition)?;

    packages::back_to_theirs(plane)?;
    as_before(false, "theirs again")?;
    progress("replacement: v0.3.1 is back");

    // What holds a deletion is in another order with v0.3.1.
    packages::ours_for_good(plane)?;
    as_before(true, "without theirs")?;
    progress("replacement: Modelplane's Configuration is gone");
    drained(&models)?;
    platform.map_or(Ok(()), PlatformSide::goes)?;
    clusters.deregister()
}

/// From an empty fleet to models at the address of the gateway, and back: what is drained goes while the rest serves.
fn first_day(plane: &Plane, clusters: &GpuClusters, platform: &PlatformSide<'_>) -> Result<()> {
    const MODEL: &str = "small";
    plane.administrator.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": FIRST}}))?;
    let models = Models { plane, clusters, namespace: FIRST };
    platform.are_reserved(true)?;
    platform.first_are_ready()?;
    let weights = json!({"source": "HuggingFace", "huggingFace": {"repo": "meta/llama", "sizeGiB": 100}});
    models.apply(&MODEL_CACHES, "weights", weights)?;
    // A model is placed where its weights are.
    models.ready(&MODEL_CACHES, "weights")?;
    let mut spec = llama(2, r#"device.driver == "gpu.nvidia.com""#);
    let template = &mut spec["template"]["spec"];
    template["engines"][0]["members"][0]["nodeSelector"]["devices"][0]["count"] = 1.into();
    template["modelCacheRef"] = json!({"name": "weights"});
    models.apply(&MODEL_DEPLOYMENTS, MODEL, spec)?;
    models.apply(&MODEL_SERVICES, "assistant", over(&[MODEL]))?;
    platform.drains(&models, MODEL)?;
    progress("replacement: the first cluster is drained");
    thread::scope(|scope| {
        let shrinks = scope.spawn(|| platform.shrinks());
        let served = has_one_address(&models, MODEL).and_then(|()| drained(&models));
        served.and(shrinks.join().unwrap_or_else(|_| bail!("the deletion of clusters panicked")))
    })?;
    platform.are_reserved(false)
}

/// The models are served at the address of the gateway.
fn has_one_address(models: &Models<'_>, deployment: &str) -> Result<()> {
    models.ready(&MODEL_CACHES, "weights")?;
    models.ready(&MODEL_DEPLOYMENTS, deployment)?;
    models.ready(&MODEL_SERVICES, "assistant")?;
    models.weights(&[1; 2])?;
    let service = models.plane.kubectl.only(Which::all(&MODEL_SERVICES).within(FIRST).named("assistant"))?;
    let address = format!("http://{ADDRESS}/{FIRST}/assistant");
    ensure!(service["status"]["address"] == address, "its address is {}", service["status"]["address"]);
    progress("replacement: the first models are served at the address of the gateway");
    Ok(())
}

/// Deletes the models, in the order of `docs/fleet-clusters.md`.
fn drained(models: &Models<'_>) -> Result<()> {
    let Models { plane, clusters, namespace } = models;
    for resource in [&MODEL_SERVICES, &MODEL_DEPLOYMENTS, &MODEL_CACHES] {
        plane.kubectl.run(&["delete", "--wait=false", "--all", &named(resource), "-n", namespace])?;
    }
    clusters.expire_jobs()?;
    models.gone("")
}

/// A cache, a deployment with it and one without, each on both clusters, and a service over both.
fn apply_models(models: &Models<'_>) -> Result<()> {
    let source = json!({"repo": "meta/llama", "sizeGiB": 100});
    let own = json!({"matchLabels": {"location": "own"}}); // the one in a cloud has no pods
    let weights = json!({"source": "HuggingFace", "huggingFace": source, "clusterSelector": own});
    models.apply(&MODEL_CACHES, "weights", weights)?;
    models.ready(&MODEL_CACHES, "weights")?;
    let mut spec = llama(2, r#"device.driver == "gpu.nvidia.com""#);
    spec["template"]["spec"]["modelCacheRef"] = json!({"name": "weights"});
    models.apply(&MODEL_DEPLOYMENTS, "llama", spec)?;
    models.apply(&MODEL_DEPLOYMENTS, "qwen", llama(2, r#"device.driver == "gpu.nvidia.com""#))?;
    models.apply(&MODEL_SERVICES, "assistant", over(&DEPLOYMENTS))
}

/// A service over deployments.
fn over(deployments: &[&str]) -> Value {
    let entry = |name: &&str| json!({"weight": 1, "selector": {"matchLabels": {"modelplane.ai/deployment": name}}});
    json!({"endpoints": deployments.iter().map(entry).collect::<Vec<_>>()})
}

/// Composites that stay with their revision of the Composition do so when the Composition has another one.
fn composed_by_theirs(models: &Models<'_>) -> Result<()> {
    let plane = models.plane;
    for (resource, name, step) in [
        (&MODEL_CACHES, "weights", "compose-model-cache"),
        (&MODEL_DEPLOYMENTS, "llama", "compose-model-deployment"),
        (&MODEL_DEPLOYMENTS, "qwen", "compose-model-deployment"),
        (&MODEL_SERVICES, "assistant", "compose-model-service"),
    ] {
        let composite = plane.kubectl.only(Which::all(resource).within(NAMESPACE).named(name))?;
        let revision = composite["spec"]["crossplane"]["compositionRevisionRef"]["name"].as_str();
        let revision = Which::all(COMPOSITION_REVISIONS).named(revision.context("it names no revision")?);
        let revision = plane.kubectl.only(revision)?;
        let functions = release::functions_of(&revision);
        ensure!(functions == [release::function(step)], "{name} is composed by {functions:?}");
    }
    Ok(())
}

fn serving(models: &Models<'_>) -> Result<()> {
    for deployment in DEPLOYMENTS {
        let mut names = models.clusters.all().map(|cluster| objects::replica_name(deployment, cluster.name));
        names.sort_unstable();
        models.serves(deployment, &names.each_ref().map(String::as_str))?;
        models.ready(&MODEL_DEPLOYMENTS, deployment)?;
    }
    models.ready(&MODEL_CACHES, "weights")?;
    models.ready(&MODEL_SERVICES, "assistant")?;
    models.weights(&[1; 4])
}

/// Waits until the status of the deployment has a selector, or has none.
fn selector(models: &Models<'_>, there: bool) -> Result<()> {
    let which = Which::all(&MODEL_DEPLOYMENTS).within(NAMESPACE).named("llama");
    let limit = if there { SOON } else { LIMIT };
    models.plane.kubectl.until_it(&format!("its status has a selector: {there}"), which, limit, |deployment| {
        let found = &deployment["status"]["selector"];
        ensure!(found.is_string() == there, "it is {found}");
        Ok(())
    })
}

/// The same objects, and no workload has another template. The endpoint pickers have: their configuration is another text.
fn nothing_new(before: &Versions, after: &Versions) -> Result<()> {
    let (before, after) = (without_pickers(before), without_pickers(after));
    kept(&before, &after)?;
    for (name, version) in &after {
        let earlier = before.get(name).with_context(|| format!("{name} is new"))?;
        let workload = ["Deployment/", "Job/", "HTTPRoute/", "InferencePool/"].iter().any(|it| name.contains(it));
        let remote = !name.starts_with("control plane");
        ensure!(!(workload && remote) || earlier.generation == version.generation, "{name} has another spec");
    }
    Ok(())
}

/// Without what belongs to the pods of endpoint pickers.
fn without_pickers(versions: &Versions) -> Versions {
    let of_picker =
        |name: &str| name.contains("-epp") && ["Pod/", " Deployment/"].iter().any(|kind| name.contains(kind));
    let rest = versions.iter().filter(|(name, _)| !of_picker(name));
    rest.map(|(name, version)| (name.clone(), version.clone())).collect()
}
