//! What a fleet has to survive: a mistake in a selector, a cluster that is lost, and one that is drained.

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::{MODEL_DEPLOYMENTS, MODEL_ENDPOINTS, MODEL_REPLICAS, MODEL_SERVICES};
use serde_json::json;
use tests::real::processes::progress;
use tests::real::watching::Which;

use crate::composites::kept;
use crate::gpu_clusters::condition;
use crate::models::{EAST_0, LIMIT, Models, WEST_0, WEST_1, about, llama};

/// No webhook refuses the mistake here. The replicas stay, and the condition says what is wrong.
pub(super) fn a_typo_changes_nothing(models: &Models<'_>) -> Result<()> {
    let before = models.standing()?;
    models.apply(&MODEL_DEPLOYMENTS, "llama", llama(2, r#"device.driver = "gpu.nvidia.com""#))?;
    models.says(&MODEL_DEPLOYMENTS, "llama", "ReplicasScheduled", "InvalidNodeSelector")?;
    models.plane.shown.run("docs/kubectl.md#after-a-mistake")?;
    kept(&before, &models.everything()?).context("with a typo")?;
    models.apply(&MODEL_DEPLOYMENTS, "llama", llama(2, r#"device.driver == "gpu.nvidia.com""#))?;
    models.says(&MODEL_DEPLOYMENTS, "llama", "ReplicasScheduled", "ReplicasCreated")?;
    models.serves("llama", &[EAST_0, WEST_0])?;
    models.ready(&MODEL_DEPLOYMENTS, "llama")?;
    kept(&before, &models.everything()?).context("without the typo")?;
    progress("fleet: a typo has changed nothing");
    Ok(())
}

/// A cluster does not answer, and the platform side takes back what it said of it. Its replicas wait for it, and only
/// their endpoints go.
pub(super) fn a_cluster_is_lost_and_back(models: &Models<'_>) -> Result<()> {
    let Models { plane, clusters, namespace } = models;
    let before = models.standing()?;
    clusters.west.lose();
    let lost = json!({"conditions": [condition("False")], "gateway": null, "providerConfigRef": null});
    clusters.says(&clusters.west, &lost)?;
    models.says(&MODEL_REPLICAS, WEST_0, "ModelAccepted", "WaitingForCluster")?;
    let endpoint = Which::all(&MODEL_ENDPOINTS).within(namespace).named(WEST_0);
    plane.kubectl.gone(endpoint, LIMIT)?;
    models.weights(&[9, 1])?;
    let replicas = Which::all(&MODEL_REPLICAS).within(namespace);
    for object in plane.kubectl.list(replicas)?.values() {
        ensure!(object["metadata"]["deletionTimestamp"].is_null(), "{} goes", object["metadata"]["name"]);
    }
    progress("fleet: a cluster is lost, and its replicas wait");

    clusters.west.come_back()?;
    clusters.says(&clusters.west, &json!({}))?;
    models.serves("llama", &[EAST_0, WEST_0])?;
    for name in ["llama", "split"] {
        models.ready(&MODEL_DEPLOYMENTS, name)?;
    }
    models.ready(&MODEL_SERVICES, "assistant")?;
    models.weights(&[5, 4, 1])?;
    // Endpoints are made again: the ModelEndpoint, and the Service and the slice whose names begin with its own.
    let endpoints = |name: &str| {
        ["ModelEndpoint/", "control plane Service/", "EndpointSlice/"].iter().any(|it| name.contains(it))
            && !name.contains(EAST_0)
            && !name.contains("provider")
    };
    let stays = before.into_iter().filter(|(name, _)| !endpoints(name)).collect();
    kept(&stays, &models.everything()?).context("it is back")?;
    progress("fleet: it is back, with all that it had");
    Ok(())
}

/// Replicas leave a cluster with a taint that evicts, for the other one. Nothing moves when the taint goes.
pub(super) fn a_cluster_is_drained(models: &Models<'_>) -> Result<()> {
    /// What v0.3.1 calls the replica of `big` on the other cluster.
    const BIG: &str = "big-db513";
    let Models { clusters, .. } = models;
    let before = models.standing()?;
    let taint = json!([{"key": "maintenance", "effect": "NoExecute"}]);
    clusters.taint(&clusters.east, &taint)?;
    models.serves("llama", &[WEST_1, WEST_0])?;
    models.serves("big", &[BIG])?;
    for name in ["llama", "big"] {
        models.ready(&MODEL_DEPLOYMENTS, name)?;
    }
    models.weights(&[5, 4, 1])?;
    models.gone(EAST_0)?;
    for kept_part in [WEST_0, "split"] {
        kept(&about(&before, kept_part), &models.everything()?).context("a cluster is drained")?;
    }
    progress("fleet: a cluster is drained");

    let drained = models.standing()?;
    clusters.taint(&clusters.east, &json!([]))?;
    models.settled()?;
    kept(&drained, &models.everything()?).context("the taint has gone")?;
    progress("fleet: nothing has moved back");
    Ok(())
}
