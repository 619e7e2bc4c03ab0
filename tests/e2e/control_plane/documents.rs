//! The commands in documents that need a control plane. Installing and taking over are in other scenarios.

use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use inference::KINDS;
use inference::providers::{HELM, Release, releases};
use tests::documents;
use tests::files::workspace;
use tests::golden;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{run, run_with_input};

use crate::names::fixture;
use crate::packages::PUBLIC_REGISTRY;
use crate::plane::Plane;

/// The quick start. Its composite names no Composition.
pub(crate) fn quick_start(plane: &Plane) -> Result<()> {
    let Plane { administrator: kubectl, shown, .. } = plane;
    shown.run("README.md#install-into-crossplane")?;
    shown.run("docs/quick-start.md#install")?;
    shown.run("docs/quick-start.md#ask-the-model")?;
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
    mirror(plane)?;
    manifests(kubectl)
}

/// The registry of the providers that Modelplane's API depends on.
const UPBOUND: &str = "xpkg.upbound.io";

/// The list of images has what can be copied: a part of the registry on loopback is the mirror.
fn mirror(plane: &Plane) -> Result<()> {
    const LIST: &str = "package/install/images.txt";
    not_installed(plane)?;
    let (shell, registry) = (plane.shown.shell(), plane.registry());
    shell.provide("crane", &plane.tools.path("crane"));
    let list = std::fs::read_to_string(workspace().join(LIST))?;
    shell.write(LIST, &list.replace(PUBLIC_REGISTRY, registry).replace(UPBOUND, registry));
    plane.shown.run_with("docs/install.md#mirror", &[("mirror.example.org", &format!("{registry}/mirror"))])?;
    shell.write(LIST, &list);
    for image in list.lines() {
        let (_registry, path) = image.split_once('/').context("an image of a registry")?;
        run(Command::new(plane.tools.path("crane")).args(["manifest", &format!("{registry}/mirror/{path}")]))?;
    }
    Ok(())
}

/// Publishes what the list has and nothing installs here: the packages that stand apart, and stand-ins for their providers.
fn not_installed(plane: &Plane) -> Result<()> {
    for kind in KINDS.rows {
        let further = kind.further_groups.iter().map(|further| further.package);
        for package in further.chain([kind.published.package]).filter(|package| package.apart) {
            plane.publish_again(package.name, &format!("sailplane/{}", package.name))?;
        }
    }
    let helm = HELM.rsplit_once(':').context("a tag")?;
    for (package, tag) in releases().flat_map(Release::packages).chain([helm]) {
        let (_registry, repository) = package.split_once('/').context("a package of a registry")?;
        plane.publish_folder(&fixture("provider"), repository, tag)?;
    }
    Ok(())
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
