//! The number of replicas changes: by an autoscaler of Kubernetes, and by `kubectl scale`.

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::{API_VERSION, MODEL_DEPLOYMENTS};
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;

use crate::composites::kept;
use crate::models::{EAST_0, EAST_1, LIMIT, Models, WEST_0, about};
use crate::names::SOON;
use crate::resources::{AUTOSCALERS, DEFINITIONS};

/// The metric, and the plural name of the kind that it is served as.
const METRIC: &str = "waiting";

/// A HorizontalPodAutoscaler reads the number of replicas and a selector from the scale of the deployment, finds that a
/// metric is too high for two, and sets it to three.
pub(super) fn an_autoscaler_adds_a_replica(models: &Models<'_>) -> Result<()> {
    let Models { plane, namespace, .. } = models;
    a_metric_is_served(models)?;
    let before = models.standing()?;
    let target = json!({"type": "AverageValue", "averageValue": "10"});
    plane.administrator.apply(&json!({
        "apiVersion": AUTOSCALERS.api_version,
        "kind": AUTOSCALERS.kind,
        "metadata": {"name": "llama", "namespace": namespace},
        "spec": {
            "scaleTargetRef": {"apiVersion": API_VERSION, "kind": MODEL_DEPLOYMENTS.kind, "name": "llama"},
            "maxReplicas": 4,
            "metrics": [{"type": "External", "external": {"metric": {"name": METRIC}, "target": target}}],
        },
    }))?;
    let autoscaler = Which::all(AUTOSCALERS).within(namespace).named("llama");
    plane.administrator.condition("ScalingActive", autoscaler, LIMIT)?;
    models.serves("llama", &[EAST_0, EAST_1, WEST_0])?;
    models.weights(&[3, 3, 3, 1])?;
    kept(&before, &models.everything()?).context("one replica more")?;
    plane.administrator.run(&["delete", "horizontalpodautoscaler", "llama", "-n", namespace])?;
    progress("fleet: an autoscaler has added a replica");
    Ok(())
}

/// The fullest cluster gives up the replica with the highest index.
pub(super) fn a_person_removes_it(models: &Models<'_>) -> Result<()> {
    let mut before = models.standing()?;
    models.plane.kubectl.run(&["scale", "modeldeployment", "llama", "-n", models.namespace, "--replicas=2"])?;
    models.serves("llama", &[EAST_0, WEST_0])?;
    models.weights(&[5, 4, 1])?;
    models.gone(EAST_1)?;
    for name in about(&before, EAST_1).into_keys() {
        before.remove(&name);
    }
    kept(&before, &models.everything()?).context("one replica less")?;
    progress("fleet: a person has removed it");
    Ok(())
}

/// A metric from outside, as objects of a kind with its name: the API server then answers as an adapter would. Its value
/// is right for three replicas.
fn a_metric_is_served(models: &Models<'_>) -> Result<()> {
    const GROUP: &str = "external.metrics.k8s.io";
    const KIND: &str = "ExternalMetricValue";
    let administrator = &models.plane.administrator;
    let name = format!("{METRIC}.{GROUP}");
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    administrator.apply(&json!({
        "apiVersion": DEFINITIONS.api_version,
        "kind": DEFINITIONS.kind,
        // API groups of Kubernetes are protected.
        "metadata": {"name": name, "annotations": {"api-approved.kubernetes.io": "unapproved, for a test"}},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": METRIC, "singular": METRIC, "kind": KIND},
            "versions": [{
                "name": "v1beta1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
            }],
        },
    }))?;
    administrator.condition("Established", Which::all(DEFINITIONS).named(&name), SOON)?;
    let value: Value = json!({
        "apiVersion": format!("{GROUP}/v1beta1"),
        "kind": KIND,
        "metadata": {"name": METRIC, "namespace": models.namespace},
        "metricName": METRIC,
        "metricLabels": {},
        "timestamp": "2026-01-01T00:00:00Z",
        "value": "30",
    });
    eventually("the metric is served", SOON, || administrator.apply(&value))?;
    let path = format!("/apis/{GROUP}/v1beta1/namespaces/{}/{METRIC}", models.namespace);
    let served = administrator.run(&["get", "--raw", &path])?;
    ensure!(served.contains("ExternalMetricValueList"), "{served}");
    Ok(())
}
