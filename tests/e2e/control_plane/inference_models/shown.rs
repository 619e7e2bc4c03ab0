//! The commands about models in documents.

use std::fs;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::files::workspace;
use tests::golden::documents;
use tests::real::processes::{progress, run};

use super::cron_jobs;
use super::namespaces::{InferenceModels, LAST_REQUEST};
use super::order;
use crate::names::SOON;
use crate::plane::Plane;

/// The namespace in the documents, and the platform's Composition.
const NAMESPACE: &str = "models";
const EXAMPLE: &str = "examples/inference-model/model-shared-pool.yaml";
const DOCUMENT: &str = "docs/inference-model-budgets.md";
const CRON_JOB: &str = "examples/inference-model/cronjob-wake.yaml";
/// The name of the CronJob, and of what gives it rights.
const WAKER: &str = "inference-model-wake";

pub(crate) fn shown(plane: &Plane) -> Result<()> {
    let shown = &plane.shown;
    shown.shell().find("date");
    let models =
        InferenceModels::start(plane, NAMESPACE, &json!({"startupProbe": true, "pools": {"gpu-a100": "100Gi"}}))?;
    for mut model in documents(&fs::read_to_string(workspace().join(EXAMPLE))?)? {
        // There are Compositions of other scenarios too.
        model["spec"]["crossplane"] = json!({"compositionRef": {"name": NAMESPACE}});
        plane.kubectl.apply(&model)?;
        models.until_all("the older one runs", SOON, |models| {
            ensure!(order::of(models, "Deployed") == ["qwen3"], "{:?}", order::of(models, "Deployed"));
            Ok(())
        })?;
    }
    models.are(&[("llama", "InsufficientMemory")])?;
    shown.run(&format!("{DOCUMENT}#sleep-and-wake"))?;
    shown.run(&format!("{DOCUMENT}#samples"))?;
    models.until("qwen3", "its peak is known", |model| {
        ensure!(model["status"]["observedPeakMemory"] == "52Gi", "{}", model["status"]);
        Ok(())
    })?;
    shown.run(&format!("{DOCUMENT}#what-kubectl-shows"))?;
    wakes_by_cron(plane, &models)?;
    progress("models shown: the commands do what documents say");
    models.end()
}

/// The CronJob stamps its model, with the rights of its account.
fn wakes_by_cron(plane: &Plane, models: &InferenceModels<'_>) -> Result<()> {
    let stamp = || {
        let model = plane.kubectl.only(models.all().named("qwen3"))?;
        Ok::<_, anyhow::Error>(model["metadata"]["annotations"][LAST_REQUEST].clone())
    };
    let before = stamp()?;
    std::thread::sleep(Duration::from_secs(1)); // a stamp has whole seconds
    run(&mut cron_jobs::command(plane, CRON_JOB, WAKER, NAMESPACE)?)?;
    let after = stamp()?;
    ensure!(after != before && after.is_string(), "its stamp was {before}, and is {after}");
    Ok(())
}
