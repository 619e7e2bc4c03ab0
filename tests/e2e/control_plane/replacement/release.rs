//! The package of Modelplane v0.3.1: its definitions, its Compositions, and a Function of its own for each of their steps.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tests::files::{schemas, workspace};
use tests::golden::documents;
use tests::real::processes::free_port;
use tests::real::watching::Which;
use tests::skipped::skip;

use super::modelplane::Modelplane;
use crate::names::{SOON, fixture};
use crate::packages::{PUBLIC_REGISTRY, package};
use crate::plane::Plane;
use crate::resources::FUNCTIONS;
use crate::runtime::announce_function;
use crate::served::serve;

pub(super) const NAME: &str = "modelplane";
/// Its repository. The registry on loopback stands for one public registry.
pub(super) const REPOSITORY: &str = "modelplane/modelplane";
pub(super) const TAG: &str = "v0.3.1";
/// The folder of our Configuration's package.
const OURS: &str = "package/modelplane";

/// The Compositions, which have the names of the definitions, and their steps.
#[rustfmt::skip]
pub(super) const COMPOSITIONS: &[(&str, &[&str])] = &[
    ("aksclusters.infrastructure.modelplane.ai", &["compose-aks-cluster"]),
    ("eksclusters.infrastructure.modelplane.ai", &["compose-eks-cluster"]),
    ("gkeclusters.infrastructure.modelplane.ai", &["compose-gke-cluster"]),
    ("inferenceclasses.modelplane.ai", &["compose-inference-class"]),
    ("inferenceclusters.modelplane.ai", &["compose-inference-cluster"]),
    ("inferencegateways.modelplane.ai", &["compose-inference-gateway"]),
    ("modelcaches.modelplane.ai", &["compose-model-cache"]),
    ("modeldeployments.modelplane.ai", &["compose-model-deployment"]),
    ("modelendpoints.modelplane.ai", &["compose-model-endpoint"]),
    ("modelreplicas.modelplane.ai", &["compose-model-replica"]),
    ("modelservices.modelplane.ai", &["compose-model-service"]),
    ("nebiusclusters.infrastructure.modelplane.ai", &["compose-nebius-cluster"]),
    ("servingstacks.infrastructure.modelplane.ai", &["compose-serving-stack", "compose-usages"]),
    ("vultrclusters.infrastructure.modelplane.ai", &["compose-vultr-cluster"]),
];

/// The name that Crossplane gives to the Function of a step.
pub(super) fn function(step: &str) -> String {
    repository(step).replace('/', "-")
}

/// The Functions of all steps.
pub(super) fn functions() -> impl Iterator<Item = String> {
    steps().map(function)
}

/// The Functions that a Composition calls, or a revision of one.
pub(super) fn functions_of(composition: &Value) -> Vec<&str> {
    let steps = composition["spec"]["pipeline"].as_array().into_iter().flatten();
    steps.filter_map(|step| step["functionRef"]["name"].as_str()).collect()
}

/// Installs the Functions, which are one server, and publishes the Configuration that depends on them.
pub(super) fn publish(plane: &Plane) -> Result<()> {
    let port = free_port()?;
    serve(Modelplane, port, plane.certificates())?;
    for step in steps() {
        plane.publish_folder(&fixture("function"), &repository(step), TAG)?;
        plane.administrator.apply(&package("Function", &function(step), &repository(step), TAG))?;
    }
    for function in functions() {
        announce_function(&plane.administrator, &function, port)?;
        plane.administrator.condition("Healthy", Which::all(FUNCTIONS).named(&function), SOON)?;
    }
    plane.publish_folder(&configuration(plane)?, REPOSITORY, TAG)
}

fn steps() -> impl Iterator<Item = &'static str> {
    COMPOSITIONS.iter().flat_map(|(_, steps)| steps.iter().copied())
}

fn repository(step: &str) -> String {
    format!("modelplane/modelplane{step}")
}

/// The folder of the Configuration. The providers of v0.3.1 are those that are there.
fn configuration(plane: &Plane) -> Result<PathBuf> {
    let folder = plane.folder("modelplane-package")?;
    let mut metadata = our("crossplane.yaml")?;
    metadata["metadata"]["name"] = NAME.into();
    let dependencies: Vec<_> = steps().map(dependency).collect();
    metadata["spec"]["dependsOn"] = dependencies.into();
    write(&folder, "activation-policy", &our("activation-policy.yaml")?)?;
    write(&folder, "crossplane", &metadata)?;
    for definition in definitions()? {
        let name = definition["metadata"]["name"].as_str().context("a name")?;
        let (_, steps) = COMPOSITIONS.iter().find(|(it, _)| *it == name).with_context(|| format!("{name} is none"))?;
        write(&folder, &format!("definition-{name}"), &definition)?;
        write(&folder, &format!("composition-{name}"), &composition(&definition, steps))?;
    }
    Ok(folder)
}

fn dependency(step: &str) -> Value {
    json!({
        "apiVersion": "pkg.crossplane.io/v1",
        "kind": "Function",
        "package": format!("{PUBLIC_REGISTRY}/{}", repository(step)),
        "version": format!(">={TAG}"),
    })
}

fn composition(definition: &Value, steps: &[&str]) -> Value {
    let spec = &definition["spec"];
    let version = format!("{}/{}", spec["group"].as_str().unwrap_or_default(), "v1alpha1");
    let steps = steps.iter().map(|step| json!({"step": step, "functionRef": {"name": function(step)}}));
    json!({
        "apiVersion": "apiextensions.crossplane.io/v1",
        "kind": "Composition",
        "metadata": {"name": definition["metadata"]["name"]},
        "spec": {
            "compositeTypeRef": {"apiVersion": version, "kind": spec["names"]["kind"]},
            "mode": "Pipeline",
            "pipeline": steps.collect::<Vec<_>>(),
        },
    })
}

/// The definitions of the release. Without the folder with them: ours, without what autoscalers need.
fn definitions() -> Result<Vec<Value>> {
    let folder = schemas().join("modelplane.ai");
    if folder.is_dir() {
        return manifests(&folder, |_| true);
    }
    skip(COMPOSITIONS.len(), "definitions of Modelplane", "the folder with them (`SAILPLANE_CRDS`)");
    let mut ours = manifests(&workspace().join(OURS), |name| name.starts_with("definition-"))?;
    for definition in &mut ours {
        let scale = definition["spec"]["versions"][0]["subresources"]["scale"].as_object_mut();
        let _ = scale.and_then(|scale| scale.remove("labelSelectorPath"));
    }
    Ok(ours)
}

/// The manifests of a folder, one in each file.
fn manifests(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Result<Vec<Value>> {
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<BTreeSet<_>>>()?;
    let meant = files.iter().filter(|path| path.file_name().and_then(|it| it.to_str()).is_some_and(&is_meant));
    meant.map(|path| manifest(path)).collect()
}

fn our(file: &str) -> Result<Value> {
    manifest(&workspace().join(OURS).join(file))
}

fn manifest(path: &Path) -> Result<Value> {
    documents(&fs::read_to_string(path)?)?.pop().with_context(|| format!("{} is empty", path.display()))
}

fn write(folder: &Path, name: &str, manifest: &Value) -> Result<()> {
    Ok(fs::write(folder.join(format!("{name}.yaml")), manifest.to_string())?)
}
