//! What documents show of the control plane, as they show it.

use anyhow::{Context as _, Result, ensure};
use tests::documents;
use tests::golden;
use tests::real::kubectl::Kubectl;
use tests::real::processes::run_with_input;

use crate::plane::Plane;
use crate::shown::INSTALL;

/// What is shown once Sailplane is installed, but for how it takes over from another package.
///
/// Before anything else, since a composite that names no Composition is given any that fits.
pub(crate) fn run(plane: &Plane) -> Result<()> {
    let Plane { kubectl, shown, .. } = plane;
    shown.run(INSTALL)?;
    // In a pod the provider has an identity; here it is told one, under the same name.
    kubectl.apply(&plane.provider_config("ClusterProviderConfig", None))?;
    kubectl.run(&["delete", "secret", "-n", "crossplane-system", "gpu-cluster"])?;
    shown.run("README.md#install-into-crossplane")?;
    shown.run("docs/quick-start.md#install")?;
    kubectl.run(&["delete", "--wait=false", "llminferences", "qwen"])?;

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

/// The API server takes every object of Crossplane that is shown.
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
