//! A CronOperation stamps how much memory pods use, and models say how much would be enough. Objects that anybody may write stand in
//! for the metrics server.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::{ApiResource, Scope};
use inference::inference_model::resources::POD_METRICS;
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::access::named;
use tests::real::processes::{progress, run};
use tests::real::watching::Which;

use super::cron_jobs;
use super::namespaces::InferenceModels;
use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::DEFINITIONS;

const NAMESPACE: &str = "models-samples";
const NAME: &str = "sampled";
const OPERATION: &str = "examples/inference-model/operation-samples.yaml";
const CRON_JOB: &str = "examples/inference-model/cronjob-samples.yaml";
/// The name of what samples: the CronOperation, the CronJob, and what gives them rights.
const SAMPLER: &str = "inference-model-samples";
/// The operation runs every minute.
const MINUTE: Duration = Duration::from_secs(120);
/// How Crossplane names the owner of fields that an operation writes, each with the uid of its operation.
const OPERATION_OWNER: &str = "ops.crossplane.io/operation/";
const OPERATIONS: ApiResource = ApiResource {
    api_version: "ops.crossplane.io/v1alpha1",
    kind: "Operation",
    plural: "operations",
    scope: Scope::Cluster,
};

pub(crate) fn samples(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    let definition = named(&POD_METRICS);
    administrator.apply(&metrics_definition(&definition))?;
    administrator.condition("Established", Which::all(DEFINITIONS).named(&definition), SOON)?;
    let models = InferenceModels::start(plane, NAMESPACE, &json!({"startupProbe": true}))?;
    models.apply(NAME, NAMESPACE, &json!({"memory": "4Gi"}))?;
    models.are(&[(NAME, "Deployed")])?;

    uses(plane, NAME, "1Gi")?;
    let mut objects = documents(&fs::read_to_string(workspace().join(OPERATION))?)?;
    let cron = objects.iter_mut().find(|it| it["kind"] == "CronOperation").context("no CronOperation")?;
    cron["spec"]["schedule"] = "* * * * *".into();
    let template = cron["spec"]["operationTemplate"]["spec"].clone();
    administrator.apply_all(&objects)?;
    peaks(
        &models,
        "1Gi",
        25,
        Some("Consider reducing memory from 4Gi to 1127Mi (observed peak 1Gi, 75% overprovisioned)"),
    )?;
    progress("models samples: the CronOperation has stamped a peak");
    administrator.run(&["delete", "cronoperation", SAMPLER])?;

    // A lower sample says nothing new, and a higher one does.
    for (run, used, peak, percent) in [("lower", "512Mi", "1Gi", 25), ("higher", "4000Mi", "4000Mi", 97)] {
        let before = writers(&models)?;
        uses(plane, NAME, used)?;
        let name = format!("models-samples-{run}");
        administrator.apply(&json!({
            "apiVersion": OPERATIONS.api_version, "kind": OPERATIONS.kind, "metadata": {"name": name}, "spec": template,
        }))?;
        administrator.condition("Succeeded", Which::all(&OPERATIONS).named(&name), SOON)?;
        let recommended = (percent < 95)
            .then_some("Consider reducing memory from 4Gi to 1127Mi (observed peak 1Gi, 75% overprovisioned)");
        peaks(&models, peak, percent, recommended)?;
        let after = writers(&models)?;
        ensure!((after == before) == (run == "lower"), "after {used}, {before:?} are {after:?}");
        administrator.run(&["delete", &named(&OPERATIONS), &name])?;
    }
    settles(&models)?;
    progress("models samples: a higher sample has raised the peak, a lower one has not");

    // Its Deployment is gone. What comes after it is sampled all the same.
    uses(plane, "gone", "1Gi")?;
    uses(plane, NAME, "4050Mi")?;
    let mut job = cron_jobs::command(plane, CRON_JOB, SAMPLER, NAMESPACE)?;
    ensure!(run(&mut job).is_err(), "nothing says that a model cannot be sampled");
    peaks(&models, "4050Mi", 98, None)?;
    administrator.run(&["delete", &definition, "gone", "-n", NAMESPACE])?;
    run(&mut job)?;
    progress("models samples: the CronJob has stamped a peak");
    models.end()?;
    administrator.run(&["delete", "clusterrole", SAMPLER])?;
    administrator.run(&["delete", "crd", &definition]).map(drop)
}

/// Waits until the model says this of its peak.
fn peaks(models: &InferenceModels<'_>, peak: &str, percent: u64, recommendation: Option<&str>) -> Result<()> {
    let wanted = (Some(peak), Some(percent), recommendation);
    let what = format!("its peak is {peak}");
    models.plane.kubectl.until_it(&what, models.all().named(NAME), MINUTE, |model| {
        let status = &model["status"];
        let found = (
            status["observedPeakMemory"].as_str(),
            status["utilizationPercent"].as_u64(),
            status["recommendation"].as_str(),
        );
        ensure!(found == wanted, "{status}");
        Ok(())
    })
}

/// The operations that have written what the Deployment has. Others write to it as well, e.g. its status.
fn writers(models: &InferenceModels<'_>) -> Result<BTreeSet<String>> {
    let deployment = models.deployment(NAME)?;
    let owners = deployment["metadata"]["managedFields"].as_array().context("no owners of fields")?;
    let names = owners.iter().filter_map(|it| it["manager"].as_str());
    Ok(names.filter(|name| name.starts_with(OPERATION_OWNER)).map(str::to_owned).collect())
}

/// Nothing is written any more, although the operation sees the same again.
fn settles(models: &InferenceModels<'_>) -> Result<()> {
    let version =
        || models.plane.kubectl.only(models.all().named(NAME)).map(|it| it["metadata"]["resourceVersion"].clone());
    let before = version()?;
    std::thread::sleep(Duration::from_secs(5));
    ensure!(version()? == before, "its status does not settle");
    Ok(())
}

/// The pods of a model use so much.
fn uses(plane: &Plane, name: &str, memory: &str) -> Result<()> {
    let labels = json!({"app.kubernetes.io/name": name, "inference.eh-ops.io/managed": "true"});
    plane.administrator.apply(&json!({
        "apiVersion": POD_METRICS.api_version, "kind": POD_METRICS.kind,
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": labels},
        "containers": [{"name": "inference", "usage": {"cpu": "1", "memory": memory}}],
    }))
}

/// What the metrics server serves.
fn metrics_definition(name: &str) -> Value {
    let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let version = json!({"name": "v1beta1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}});
    json!({
        "apiVersion": DEFINITIONS.api_version, "kind": DEFINITIONS.kind,
        // The API server guards groups of Kubernetes.
        "metadata": {"name": name, "annotations": {"api-approved.kubernetes.io": "unapproved, it stands in for the metrics server"}},
        "spec": {
            "group": POD_METRICS.group(), "scope": "Namespaced", "versions": [version],
            "names": {"plural": POD_METRICS.plural, "singular": "podmetrics", "kind": POD_METRICS.kind},
        },
    })
}
