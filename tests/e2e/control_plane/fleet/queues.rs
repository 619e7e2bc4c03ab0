//! What clusters may have beside Kubernetes: a scheduler with queues, and KServe.

use anyhow::{Result, ensure};
use inference::modelplane::resources::{
    DEPLOYMENTS, LLM_INFERENCE_SERVICES, MODEL_DEPLOYMENTS, MODEL_ENDPOINTS, MODEL_REPLICAS,
};
use serde_json::json;
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::kept;
use crate::models::{LIMIT, Models, REMOTE, WEST_0, WEST_1, about, llama};

/// The scheduler of a cluster, where its queue is named in a Deployment, and what the pods of it say beside that.
const SCHEDULERS: &[(&str, &str, &str)] = &[
    ("kueue", "/metadata/labels/kueue.x-k8s.io~1queue-name", ""),
    ("kai", "/spec/template/metadata/labels/kai.scheduler~1queue", "kai-scheduler"),
];
/// What both call the queue of a namespace.
const QUEUE: &str = "modelplane-ml";

/// The pods of a model are in the queue of its namespace. Its Deployment stays when the cluster gets another scheduler, and its
/// pods do not: so no step that compares what stays comes after this one. The model goes with all others at the end, because to
/// wait for an Object that is so young takes half a minute.
pub(super) fn pods_have_queues(models: &Models<'_>) -> Result<()> {
    let clusters = models.clusters;
    let before = models.standing()?;
    clusters.schedule(&clusters.east, Some(SCHEDULERS[0].0))?;
    let mut spec = llama(1, r#"device.driver == "gpu.nvidia.com""#);
    spec["template"]["spec"]["clusterSelector"] = json!({"matchLabels": {"side": clusters.east.name}});
    models.apply(&MODEL_DEPLOYMENTS, "queued", spec)?;
    let mut uid = None;
    for (name, queue, pods) in SCHEDULERS {
        clusters.schedule(&clusters.east, Some(name))?;
        let deployments = Which::all(&DEPLOYMENTS).within(REMOTE);
        let found = clusters.east.kubectl.until(&format!("a queue of {name}"), deployments, LIMIT, |deployments| {
            let mut found = deployments.values().filter(|it| it.pointer(queue).is_some_and(|it| it == QUEUE));
            let found = found.next().cloned();
            found.ok_or_else(|| anyhow::anyhow!("none of {:?} has it", deployments.keys()))
        })?;
        let scheduled_by = found["spec"]["template"]["spec"]["schedulerName"].as_str().unwrap_or_default();
        ensure!(*pods == scheduled_by || pods.is_empty() && scheduled_by == "default-scheduler", "{scheduled_by}");
        let found = found["metadata"]["uid"].clone();
        ensure!(*uid.get_or_insert(found.clone()) == found, "with {name} it was made anew");
        models.ready(&MODEL_DEPLOYMENTS, "queued")?;
    }
    kept(&before, &models.everything()?)?;
    progress("fleet: pods have been in queues of Kueue and KAI");
    Ok(())
}

/// One replica moves to KServe, by the annotation that says what serves it, and serves at another path. The other one stays.
pub(super) fn kserve_takes_a_replica(models: &Models<'_>) -> Result<()> {
    let Models { plane, clusters, namespace } = models;
    if !clusters.with_kserve {
        progress("fleet: SKIPPED KServe, for want of ../shared/crds with its definition");
        return Ok(());
    }
    let mut stays = models.standing()?;
    for name in about(&stays, WEST_0).into_keys() {
        stays.remove(&name);
    }
    let annotation = "modelplane.ai/backend=kserve";
    plane.kubectl.run(&["annotate", "--overwrite", MODEL_REPLICAS.plural, WEST_0, "-n", namespace, annotation])?;
    let services = Which::all(&LLM_INFERENCE_SERVICES).within(REMOTE).named(WEST_0);
    clusters.west.kubectl.until_it("KServe has the replica", services, LIMIT, |_| Ok(()))?;
    let endpoint = Which::all(&MODEL_ENDPOINTS).within(namespace).named(WEST_0);
    plane.kubectl.until_it("its endpoint has KServe's path", endpoint, LIMIT, |endpoint| {
        let url = format!("http://{}/{REMOTE}/{WEST_0}/v1", clusters.west.gateway);
        ensure!(endpoint["spec"]["url"] == *url, "{}", endpoint["spec"]);
        Ok(())
    })?;
    let deployments = Which::all(&DEPLOYMENTS).within(REMOTE);
    clusters.west.kubectl.until("its own workload has gone", deployments, LIMIT, |deployments| {
        let left =
            deployments.values().find(|it| it["metadata"]["name"].as_str().is_some_and(|it| it.starts_with(WEST_0)));
        ensure!(left.is_none(), "there is {left:?}");
        Ok(())
    })?;
    models.serves("llama", &[WEST_1, WEST_0])?;
    models.ready(&MODEL_DEPLOYMENTS, "llama")?;
    models.weights(&[5, 4, 1])?;
    kept(&stays, &models.everything()?)?;
    progress("fleet: KServe has taken a replica over");
    Ok(())
}
