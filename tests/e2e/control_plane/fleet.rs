//! Models on two clusters, from nothing to routes, through everything that moves replicas, and back to nothing. What must
//! stay is the same object afterwards: the uids prove it.

mod disturbances;
mod queues;
mod scaling;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::{
    DEPLOYMENTS, HTTP_ROUTES, LEADER_WORKER_SETS, MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_ENDPOINTS, MODEL_REPLICAS,
    MODEL_SERVICES, PERSISTENT_VOLUME_CLAIMS, RESOURCE_CLAIM_TEMPLATES, SECRETS,
};
use serde_json::json;
use tests::real::access::named;
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::{kept, unchanged};
use crate::gpu_clusters::ADDRESS;
use crate::models::{EAST_0, Models, REMOTE, WEST_0, about};
use crate::names::SOON;
use crate::plane::Plane;

/// The namespace of the models. Names on clusters depend on it.
const NAMESPACE: &str = "ml";
/// The composition resource names of a replica with one engine, as v0.3.1 has them.
const KEYS: &[&str] = &[
    "epp",
    "epp-config",
    "epp-role",
    "epp-rolebinding",
    "epp-service",
    "epp-serviceaccount",
    "inference-pool",
    "model-route",
    "model-serving-main",
    "resource-claim-main-standalone",
];

pub(crate) fn fleet(plane: &Plane) -> Result<()> {
    let clusters = plane.gpu_clusters()?;
    plane.kubectl.run(&["create", "namespace", NAMESPACE])?;
    let models = Models { plane, clusters: &clusters, namespace: NAMESPACE };
    let steps: &[fn(&Models<'_>) -> Result<()>] = &[
        a_cache_hydrates,
        models_are_served,
        kubectl_shows_them,
        disturbances::a_typo_changes_nothing,
        scaling::an_autoscaler_adds_a_replica,
        scaling::a_person_removes_it,
        disturbances::a_cluster_is_lost_and_back,
        disturbances::a_cluster_is_drained,
        a_minute_is_quiet,
        queues::kserve_takes_a_replica,
        what_is_deleted_goes_alone,
        queues::pods_have_queues,
        all_goes,
    ];
    let outcome = steps.iter().try_for_each(|step| step(&models));
    // A failure must not take the scenario with it that uses the same clusters.
    outcome.inspect_err(|_| drop(all_goes(&models)))
}

fn a_cache_hydrates(models: &Models<'_>) -> Result<()> {
    models.plane.administrator.apply(&json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "hugging-face", "namespace": NAMESPACE},
        "stringData": {"HF_TOKEN": "hf_example"},
    }))?;
    let source = json!({"repo": "meta/llama", "sizeGiB": 100, "authSecret": {"name": "hugging-face"}});
    models.apply(&MODEL_CACHES, "weights", json!({"source": "HuggingFace", "huggingFace": source}))?;
    models.ready(&MODEL_CACHES, "weights")?;
    for cluster in models.clusters.all() {
        let claim = Which::all(&PERSISTENT_VOLUME_CLAIMS).within(REMOTE).named("modelcache-ml-weights-5f3f2");
        cluster.kubectl.only(claim)?;
        // Nobody needs the token any more.
        let token = Which::all(&SECRETS).within(REMOTE).named("modelcache-ml-weights-auth-f7f7c");
        cluster.kubectl.gone(token, SOON)?;
    }
    progress("fleet: the cache is on both clusters");
    Ok(())
}

fn models_are_served(models: &Models<'_>) -> Result<()> {
    let Models { plane, clusters, .. } = models;
    models.apply_models()?;
    models.serves("llama", &[EAST_0, WEST_0])?;
    for name in ["llama", "big", "split"] {
        models.ready(&MODEL_DEPLOYMENTS, name)?;
    }
    models.ready(&MODEL_SERVICES, "assistant")?;
    models.weights(&[5, 4, 1])?;
    let service = plane.kubectl.only(Which::all(&MODEL_SERVICES).within(NAMESPACE).named("assistant"))?;
    ensure!(service["status"]["address"] == format!("http://{ADDRESS}/ml/assistant"), "{}", service["status"]);

    let objects = models.objects_of(EAST_0)?;
    ensure!(objects.keys().eq(KEYS), "there are {:?}", objects.keys());
    for (resource, name) in [
        (&DEPLOYMENTS, "llama-09209-main-5e9e5"),
        (&RESOURCE_CLAIM_TEMPLATES, "llama-09209-main-standalone-devices-98cfe"),
        (&HTTP_ROUTES, EAST_0),
    ] {
        let which = Which::all(resource).within(REMOTE).named(name);
        clusters.east.kubectl.only(which)?;
        ensure!(clusters.west.kubectl.list(which)?.is_empty(), "{name} is on both clusters");
    }
    let gang = clusters.east.kubectl.only(Which::all(&LEADER_WORKER_SETS).within(REMOTE))?;
    let volumes = &gang["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["volumes"];
    ensure!(volumes.to_string().contains("modelcache-ml-weights-5f3f2"), "the gang has {volumes}");
    progress("fleet: all models are served, with weights");
    Ok(())
}

/// The transcripts of the document. Afterwards one command of it is left, for a mistake.
fn kubectl_shows_them(models: &Models<'_>) -> Result<()> {
    ["at-a-glance", "one-by-one"].iter().try_for_each(|it| models.plane.shown.run(&format!("docs/kubectl.md#{it}")))
}

/// The functions are called again, and nothing is written on any cluster.
fn a_minute_is_quiet(models: &Models<'_>) -> Result<()> {
    const MINUTE: Duration = Duration::from_secs(60);
    models.settled()?;
    let before = models.standing()?;
    let start = Instant::now();
    // A replica and its endpoint have one name.
    let mut composites = BTreeMap::<_, usize>::new();
    for resource in [&MODEL_CACHES, &MODEL_DEPLOYMENTS, &MODEL_ENDPOINTS, &MODEL_REPLICAS, &MODEL_SERVICES] {
        let objects = models.plane.kubectl.list(Which::all(resource).within(NAMESPACE))?;
        for name in objects.values().filter_map(|it| it["metadata"]["name"].as_str()) {
            *composites.entry(name.to_owned()).or_default() += 1;
        }
    }
    let function = &models.plane.function;
    for calls in composites.iter_mut() {
        *calls.1 += function.calls(NAMESPACE, calls.0)?;
    }
    for (name, calls) in composites {
        function.called(NAMESPACE, &name, calls, MINUTE * 3)?;
    }
    std::thread::sleep(MINUTE.saturating_sub(start.elapsed()));
    unchanged(&before, &models.everything()?).context("a quiet minute")?;
    progress(&format!("fleet: {} objects were quiet for {:.0} s", before.len(), start.elapsed().as_secs_f64()));
    Ok(())
}

/// A deployment goes with all that it has, and nothing else.
fn what_is_deleted_goes_alone(models: &Models<'_>) -> Result<()> {
    let before = models.standing()?;
    let others = before.iter().filter(|(name, _)| !name.contains("llama"));
    let others = others.map(|(name, version)| (name.clone(), version.clone())).collect();
    models.plane.kubectl.run(&["delete", "--wait=false", "modeldeployment", "llama", "-n", NAMESPACE])?;
    models.weights(&[1])?;
    models.gone("llama")?;
    kept(&others, &models.everything()?).context("without llama")?;
    ensure!(about(&models.everything()?, "llama").is_empty(), "something of llama is left");
    progress("fleet: what was deleted has gone alone");
    Ok(())
}

/// The clusters are then as they were before the scenario, for others.
fn all_goes(models: &Models<'_>) -> Result<()> {
    let clusters = models.clusters;
    clusters.taint(&clusters.east, &json!([]))?;
    clusters.schedule(&clusters.east, None)?;
    for resource in [&MODEL_SERVICES, &MODEL_DEPLOYMENTS, &MODEL_ENDPOINTS, &MODEL_CACHES] {
        let all = ["delete", "--wait=false", "--all", &named(resource), "-n", NAMESPACE];
        models.plane.kubectl.run(&all)?;
    }
    clusters.expire_jobs()?;
    models.gone("")
}
