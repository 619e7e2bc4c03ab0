//! The commands about models in documents.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::processes::progress;
use tests::real::watching::Which;

use super::namespaces::{Models, options};
use super::order;
use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::COMPOSITIONS;
use crate::subjects::INFERENCE_MODEL;

/// The namespace in the documents.
const NAMESPACE: &str = "models";
const EXAMPLE: &str = "examples/inference-model/model-shared-pool.yaml";
const DOCUMENT: &str = "docs/inference-model-budgets.md";

pub(crate) fn shown(plane: &Plane) -> Result<()> {
    let shown = &plane.shown;
    shown.shell().find("date");
    platform_says(plane, Some(&json!({"startupProbe": true, "pools": {"gpu-a100": "100Gi"}})))?;
    let models = Models::within(plane, NAMESPACE)?;
    for mut model in documents(&fs::read_to_string(workspace().join(EXAMPLE))?)? {
        // There are Compositions of other scenarios too.
        model["spec"]["crossplane"] = json!({"compositionRef": {"name": INFERENCE_MODEL.composition}});
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
    progress("models shown: the commands do what documents say");
    models.delete(&["--all"])?;
    plane.kubectl.gone(models.all(), SOON)?;
    platform_says(plane, None)
}

/// Gives the Composition in the Configuration options, as a platform does in its own copy.
pub(super) fn platform_says(plane: &Plane, said: Option<&Value>) -> Result<()> {
    let composition = plane.administrator.only(Which::all(COMPOSITIONS).named(INFERENCE_MODEL.composition))?;
    let mut pipeline = composition["spec"]["pipeline"].clone();
    pipeline[0]["input"] = said.map_or(Value::Null, options);
    let args = ["compositions.apiextensions.crossplane.io", INFERENCE_MODEL.composition];
    plane.administrator.patch(&args, &json!({"spec": {"pipeline": pipeline}}))
}
