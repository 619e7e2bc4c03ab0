//! The packages of the cloud providers and of provider-helm, made of the schemas of their kinds, and our Configuration for
//! clusters, which depends on those of the clouds.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use inference::gpu_cluster::derive::kinds;
use inference::gpu_cluster::inputs::CLUSTERS;
use inference::providers;
use serde_json::{Value, json};
use tests::files::workspace;
use tests::real::access::{named, until_allowed};
use tests::real::processes::progress;
use tests::real::watching::Which;

use super::schemas::Schemas;
use crate::names::SOON;
use crate::packages::PUBLIC_REGISTRY;
use crate::plane::Plane;
use crate::resources::{COMPOSITE_DEFINITIONS, CONFIGURATIONS, DEFINITIONS, MANAGED_DEFINITIONS, PROVIDERS};
use crate::runtime::announce_provider;

/// A provider: its repository, the groups of its kinds, and the repository that it depends on.
pub(crate) struct Package {
    pub(crate) repository: &'static str,
    pub(crate) group: &'static str,
    pub(crate) family: &'static str,
}

/// The providers, each after its family.
const PACKAGES: &[Package] = &[
    row("crossplane-contrib/provider-family-aws", "aws.m.upbound.io", ""),
    row("crossplane-contrib/provider-family-azure", "azure.m.upbound.io", ""),
    row("crossplane-contrib/provider-family-gcp", "gcp.m.upbound.io", ""),
    row("crossplane-contrib/provider-aws-eks", "eks.aws.m.upbound.io", "crossplane-contrib/provider-family-aws"),
    row("crossplane-contrib/provider-aws-iam", "iam.aws.m.upbound.io", "crossplane-contrib/provider-family-aws"),
    row("crossplane-contrib/provider-aws-ec2", "ec2.aws.m.upbound.io", "crossplane-contrib/provider-family-aws"),
    row(
        "crossplane-contrib/provider-azure-containerservice",
        "containerservice.azure.m.upbound.io",
        "crossplane-contrib/provider-family-azure",
    ),
    row(
        "crossplane-contrib/provider-gcp-container",
        "container.gcp.m.upbound.io",
        "crossplane-contrib/provider-family-gcp",
    ),
    row(HELM, "helm.m.crossplane.io", ""),
];

pub(crate) const fn row(repository: &'static str, group: &'static str, family: &'static str) -> Package {
    Package { repository, group, family }
}

/// provider-helm, which nothing depends on.
const HELM: &str = "crossplane-contrib/provider-helm";
/// What installs it.
const HELM_FILE: &str = "package/install/provider-helm.yaml";
/// The version of all. Another scenario publishes empty packages with the versions that documents name.
pub(crate) const TAG: &str = "v2.99.0";
/// The commands that install everything for clusters.
pub(super) const INSTALL: &str = "docs/install.md#gpu-clusters";
/// The Configuration, as in the file of `package/install`.
const CONFIGURATION: &str = "sailplane-gpu-cluster";
/// A kind that nothing composes, so no policy activates it.
const INACTIVE: &str = "placementgroups.ec2.aws.m.upbound.io";

/// Publishes the packages of the providers, and installs provider-helm as documents show it, in the version that has its kinds.
pub(super) fn publish(plane: &Plane, schemas: &Schemas) -> Result<()> {
    let folder = plane.folder("provider-packages")?;
    for package in PACKAGES {
        let folder = folder.join(package.group);
        write(&folder, package, &schemas.of_group(package.group)?)?;
        plane.publish_folder(&folder, package.repository, TAG)?;
    }
    let (_, tag) = providers::HELM.rsplit_once(':').context("a tag")?;
    let text = fs::read_to_string(workspace().join(HELM_FILE))?;
    plane.shown.shell().write(HELM_FILE, &text.replace(tag, TAG));
    plane.shown.next(INSTALL)
}

/// Waits until the providers are healthy, which a Configuration brings along.
pub(super) fn healthy(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    for package in PACKAGES {
        announce_provider(administrator, &installed(package.repository))?;
    }
    progress("clusters: the providers of the clouds are announced");
    PACKAGES.iter().try_for_each(|package| {
        administrator.condition("Healthy", Which::all(PROVIDERS).named(&installed(package.repository)), SOON)
    })
}

/// Waits until Crossplane has rights to these kinds, which are served.
pub(crate) fn granted<'a>(plane: &Plane, kinds: impl IntoIterator<Item = &'a ApiResource>) -> Result<()> {
    kinds.into_iter().try_for_each(|kind| {
        plane.administrator.condition("Established", Which::all(DEFINITIONS).named(&named(kind)), SOON)?;
        until_allowed(&plane.crossplane, "create", &named(kind), true, SOON)
    })
}

/// Installs our Configuration as documents show it, beside the providers, and gives these their credentials. Its policy activates
/// all kinds that it composes, and no other.
pub(super) fn install(plane: &Plane) -> Result<()> {
    plane.publish_again("gpu-cluster", "sailplane/gpu-cluster")?;
    let Plane { administrator, shown, .. } = plane;
    shown.next(INSTALL)?;
    // The next command waits for it, and other scenarios' commands for that.
    administrator.condition("Healthy", Which::all(CONFIGURATIONS).named(CONFIGURATION), SOON)?;
    shown.run(INSTALL)?;
    administrator.condition("Established", Which::all(COMPOSITE_DEFINITIONS).named(&named(&CLUSTERS)), SOON)?;
    // What Crossplane itself brings is there.
    let brought = kinds::COMPOSED.iter().filter(|kind| **kind != kinds::USAGES);
    granted(plane, brought.chain([&CLUSTERS]))?;
    only_what_is_composed_is_active(plane)
}

/// A kind of an installed provider that the policy does not name has no CRD.
fn only_what_is_composed_is_active(plane: &Plane) -> Result<()> {
    let kubectl = &plane.administrator;
    kubectl.only(Which::all(MANAGED_DEFINITIONS).named(INACTIVE)).context("the package has the kind")?;
    let found = kubectl.list(Which::all(DEFINITIONS).named(INACTIVE))?;
    ensure!(found.is_empty(), "{INACTIVE} is active, and nothing composes it");
    Ok(())
}

/// Uninstalls everything: scenarios that come later know nothing of it.
pub(super) fn uninstall(plane: &Plane) -> Result<()> {
    let kubectl = &plane.administrator;
    kubectl.run(&["delete", "--ignore-not-found", "configurations.pkg.crossplane.io", CONFIGURATION])?;
    let helm = workspace().join(HELM_FILE);
    kubectl.run(&["delete", "--ignore-not-found", "-f", &helm.to_string_lossy()])?;
    for package in PACKAGES.iter().rev() {
        let name = installed(package.repository);
        kubectl.run(&["delete", "--ignore-not-found", "providers.pkg.crossplane.io", &name])?;
    }
    kubectl.gone(Which::all(DEFINITIONS).named(&named(&CLUSTERS)), SOON)?;
    kubectl.gone(Which::all(DEFINITIONS).named(&named(&kinds::EKS_CLUSTERS)), SOON)
}

/// The name that Crossplane gives to the provider.
pub(crate) fn installed(repository: &str) -> String {
    repository.replace('/', "-")
}

/// Writes the package with these definitions.
pub(crate) fn write(folder: &Path, package: &Package, definitions: &[Value]) -> Result<()> {
    ensure!(!definitions.is_empty(), "no schema of {}", package.group);
    let crds = folder.join("crds");
    fs::create_dir_all(&crds)?;
    let mut spec = json!({"capabilities": ["safe-start"], "crossplane": {"version": ">=v2.0.0"}});
    if !package.family.is_empty() {
        let family = format!("{PUBLIC_REGISTRY}/{}", package.family);
        let family =
            json!({"apiVersion": "pkg.crossplane.io/v1", "kind": "Provider", "package": family, "version": ">=v2.3.0"});
        spec["dependsOn"] = json!([family]);
    }
    let name = package.repository.rsplit('/').next();
    let metadata = json!({
        "apiVersion": "meta.pkg.crossplane.io/v1",
        "kind": "Provider",
        "metadata": {"name": name},
        "spec": spec,
    });
    fs::write(folder.join("crossplane.yaml"), metadata.to_string())?;
    for definition in definitions {
        let name = definition["metadata"]["name"].as_str().context("a name")?;
        fs::write(crds.join(format!("{name}.yaml")), definition.to_string())?;
    }
    Ok(())
}
