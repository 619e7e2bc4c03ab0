//! The commands in documents that need a control plane. Installing and taking over are in other scenarios.

use anyhow::{Context as _, Result, ensure};
use tests::documents;
use tests::golden;
use tests::real::kubectl::Kubectl;
use tests::real::processes::run_with_input;

use crate::plane::Plane;

/// The quick start. Its composite names no Composition.
pub(crate) fn quick_start(plane: &Plane) -> Result<()> {
    let Plane { administrator: kubectl, shown, .. } = plane;
    shown.run("README.md#install-into-crossplane")?;
    shown.run("docs/quick-start.md#install")?;
    kubectl.run(&["delete", "--wait=false", "llminferences", "qwen"]).map(drop)
}

/// All other commands.
pub(crate) fn others(plane: &Plane) -> Result<()> {
    let Plane { administrator: kubectl, shown, .. } = plane;
    shown.run("docs/prerequisites.md#token-for-gated-models")?;
    kubectl.run(&["delete", "secret", "huggingface-token"])?;
    shown.run("examples/plain/vllm-kimi.md#before-you-start")?;
    for model in ["qwen", "embedding", "kimi"] {
        for section in ["deploy", "remove-it"] {
            shown.run(&format!("examples/plain/vllm-{model}.md#{section}"))?;
        }
    }
    manifests(kubectl)
}

/// The API server accepts every object of Crossplane that documents show.
fn manifests(kubectl: &Kubectl) -> Result<()> {
    let mut applied = 0;
    for block in documents::all().into_iter().flat_map(|document| document.blocks).filter(|it| it.language == "yaml") {
        for object in golden::documents(&block.text)? {
            let group = object["apiVersion"].as_str().and_then(|it| it.split_once('/')).map_or("", |(group, _)| group);
            if group.ends_with("crossplane.io") && object["metadata"].is_object() {
                let mut apply = kubectl.command();
                apply.args(["apply", "--dry-run=server", "-f", "-"]);
                run_with_input(&mut apply, &object.to_string())
                    .with_context(|| format!("{}:{}", block.document, block.line))?;
                applied += 1;
            }
        }
    }
    ensure!(applied > 0, "documents show no object of Crossplane");
    Ok(())
}
