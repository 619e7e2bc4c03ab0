//! Packages are upgraded, rolled back and deleted with the commands in `docs/upgrade.md`, and what runs stays.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::real::processes::progress;
use tests::real::watching::Which;
use toolbox::resources::OBJECTS;

use crate::composites::{Composite, Versions, kept};
use crate::names::{NAMESPACE as CROSSPLANE, SOON, TAG};
use crate::plane::{BREAKING_TAG, Plane};
use crate::resources::{
    COMPOSITE_DEFINITIONS, COMPOSITIONS, CONFIGURATION_REVISIONS, CONFIGURATIONS, DEFINITIONS, FUNCTIONS,
};
use crate::runtime::announce_function;
use crate::subjects::LLM_INFERENCE;

/// The namespace, name and cluster of the composite in the documents.
const NAMESPACE: &str = "default";
const NAME: &str = "qwen";
const CLUSTER: &str = "gpu-cluster";
/// The version after this one. It has the same content.
const NEXT_TAG: &str = "v0.1.99";
const CONFIGURATION: &str = "sailplane-llm-inference";

/// The files in `package/install/` that name a version.
const FILES: &[&str] = &[
    "function",
    "configuration",
    "configuration-inference-model",
    "configuration-llm-inference",
    "configuration-modelplane-beside",
    "configuration-otterscale",
];

const KEEP: &str = "docs/upgrade.md#keep-what-runs";
const UPGRADE: &str = "docs/upgrade.md#upgrade";
const ROLL_BACK: &str = "docs/upgrade.md#roll-back";

pub(crate) fn upgrade(plane: &Plane) -> Result<()> {
    prepare(plane)?;
    let llm =
        Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, NAME, &json!({"providerConfigName": CLUSTER}))?;
    llm.ready()?;
    a_model_survives_its_composite(plane, &llm)?;
    composites_survive_their_configuration(plane, &llm)?;
    a_breaking_version_is_named(plane)?;
    let before = llm.versions()?;
    to_the_next_version(plane)?;
    kept(&before, &llm.versions()?).context("the upgrade")?;
    llm.edit(&json!({"gpu": 2}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("2"))?;
    progress("upgrade: the next version composes");
    and_back(plane)?;
    llm.edit(&json!({"gpu": 4}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("4"))?;
    progress("upgrade: the version before composes again");
    a_needed_package_comes_back(plane)?;
    llm.edit(&json!({"gpu": 8}))?;
    llm.target_has("vllmruntimes", "/spec/deploymentConfig/resources/gpu", &json!("8"))?;
    kept(&before, &llm.versions()?).context("all of it")?;
    llm.delete()?;
    llm.targets_gone(&["ingresses", "vllmruntimes"])
}

/// Everything is deleted, in the order of the document. Its Configuration has been replaced by another one.
pub(crate) fn uninstall(plane: &Plane) -> Result<()> {
    const NAMES: &[(&str, &str)] = &[
        ("delete -f package/install/configuration.yaml --cascade=foreground", "get configurations"),
        ("-f package/install/configuration-llm-inference.yaml", "configuration successor"),
    ];
    let llm = Composite::apply(&plane.kubectl, LLM_INFERENCE, NAMESPACE, "last", &json!({}))?;
    llm.ready()?;
    plane.shown.run_with("docs/upgrade.md#uninstall", NAMES)?;
    llm.targets_gone(&["ingresses", "vllmruntimes"])?;
    let administrator = &plane.administrator;
    let function = Which::all(FUNCTIONS).named(&plane.function_name);
    administrator.gone(function, SOON)?;
    administrator.gone(Which::all(CONFIGURATIONS), SOON)?;
    for definition in [LLM_INFERENCE.name(), "objects.kubernetes.m.crossplane.io".to_owned()] {
        administrator.gone(Which::all(DEFINITIONS).named(&definition), SOON)?;
    }
    Ok(())
}

/// The provider configuration of the documents, and no Composition but ours: composites that name none would get any.
fn prepare(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    let kind = LLM_INFERENCE.composites().kind;
    for (name, composition) in administrator.list(Which::all(COMPOSITIONS))? {
        if name != LLM_INFERENCE.composition && composition["spec"]["compositeTypeRef"]["kind"] == kind {
            administrator.run(&["delete", "composition", &name])?;
        }
    }
    administrator.apply(&json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": CLUSTER, "namespace": CROSSPLANE},
        "stringData": {"kubeconfig": fs::read_to_string(plane.provider.kubeconfig())?},
    }))?;
    administrator.apply_path(&workspace().join("package/install/provider-config-gpu-cluster.yaml"))?;
    let composites = LLM_INFERENCE.composites();
    plane.kubectl.gone(Which::all(&composites).within(NAMESPACE).named(NAME), SOON)?;
    // They would take along what the next composite of this name finds.
    plane.kubectl.gone(objects_of_it(), SOON)
}

/// The Objects of the composite.
fn objects_of_it() -> Which<'static> {
    Which::all(&OBJECTS).within(NAMESPACE).labelled("crossplane.io/composite=qwen")
}

fn a_model_survives_its_composite(plane: &Plane, llm: &Composite<'_>) -> Result<()> {
    let targets = |versions: Versions| -> Versions {
        versions
            .into_iter()
            .filter(|(name, _)| name.starts_with("VLLMRuntime/") || name.starts_with("Ingress/"))
            .collect()
    };
    let before = targets(llm.versions()?);
    ensure!(before.len() == 2, "its targets are {:?}", before.keys());
    plane.shown.next(KEEP)?; // its Objects leave what they wrap
    plane.shown.next(KEEP)?; // it is deleted
    plane.kubectl.gone(objects_of_it(), SOON * 2)?;
    kept(&before, &targets(llm.versions()?)).context("its Objects are gone")?;
    plane.shown.next(KEEP)?; // it is created again
    llm.ready()?;
    kept(&before, &targets(llm.versions()?)).context("it is there again")?;
    progress("upgrade: a model has survived its composite");
    Ok(())
}

fn composites_survive_their_configuration(plane: &Plane, llm: &Composite<'_>) -> Result<()> {
    let before = llm.versions()?;
    plane.shown.next(KEEP)?; // the Configuration of all APIs is deleted
    plane.shown.next(KEEP)?; // those of single ones are told not to change their revisions
    plane.shown.next(KEEP)?; // they do not
    plane.shown.next(KEEP)?; // they are deleted, and leave their revisions
    plane.kubectl.gone(Which::all(CONFIGURATIONS), SOON)?;
    let definition = LLM_INFERENCE.name();
    plane.kubectl.condition("Established", Which::all(COMPOSITE_DEFINITIONS).named(&definition), SOON)?;
    kept(&before, &llm.versions()?).context("without a Configuration")?;
    plane.shown.run(KEEP)?; // both are created again, and healthy
    kept(&before, &llm.versions()?).context("with another Configuration")?;
    progress("upgrade: composites have survived their Configuration");
    Ok(())
}

/// The Configuration says that the Function has a version that it was not made for.
fn a_breaking_version_is_named(plane: &Plane) -> Result<()> {
    let set = |tag: &str| {
        let package = format!("xpkg.crossplane.io/sailplane/function-sailplane:{tag}");
        plane
            .administrator
            .patch(&["functions.pkg.crossplane.io", &plane.function_name], &json!({"spec": {"package": package}}))
    };
    set(BREAKING_TAG)?;
    let configuration = Which::all(CONFIGURATIONS).named(CONFIGURATION);
    plane.kubectl.until_it("it names the version", configuration, SOON, |configuration| {
        let conditions = configuration["status"]["conditions"].to_string();
        ensure!(conditions.contains("incompatible dependencies"), "{conditions}");
        Ok(())
    })?;
    plane.shown.run("docs/troubleshooting.md#a-package-is-not-healthy")?;
    with_another_function(plane, || set(TAG))?;
    plane.kubectl.condition("Healthy", configuration, SOON)
}

fn to_the_next_version(plane: &Plane) -> Result<()> {
    plane.publish(NEXT_TAG)?;
    // What a user writes into a definition does not last.
    let definition = LLM_INFERENCE.name();
    let theirs = json!({"spec": {"defaultCompositionRef": {"name": LLM_INFERENCE.composition}}});
    plane.administrator.patch(&["compositeresourcedefinitions", &definition], &theirs)?;
    check_out(plane, NEXT_TAG)?;
    for _ in ["composites", "render", "compare", "provider"] {
        plane.shown.next(UPGRADE)?;
    }
    with_another_function(plane, || plane.shown.next(UPGRADE))?;
    plane.shown.run(UPGRADE)?;
    installed(plane, NEXT_TAG)?;
    let definition = plane.kubectl.only(Which::all(COMPOSITE_DEFINITIONS).named(&definition))?;
    let default = &definition["spec"]["defaultCompositionRef"];
    ensure!(default.is_null(), "the definition still has the default {default}");
    progress("upgrade: the next version is installed");
    Ok(())
}

fn and_back(plane: &Plane) -> Result<()> {
    check_out(plane, TAG)?;
    plane.shown.next(ROLL_BACK)?;
    with_another_function(plane, || plane.shown.next(ROLL_BACK))?;
    plane.shown.run(ROLL_BACK)?;
    installed(plane, TAG)?;
    progress("upgrade: the version before is installed again");
    // A revision that the package does not name stays inactive.
    let selector = format!("pkg.crossplane.io/package={CONFIGURATION}");
    let revisions = Which::all(CONFIGURATION_REVISIONS).labelled(&selector);
    let is_active = |revision: &Value| revision["spec"]["desiredState"] == "Active";
    // Crossplane switches to a revision, and removes the oldest one, a moment later.
    let older = plane.kubectl.until("one revision is active, of this version", revisions, SOON, |revisions| {
        let active: Vec<_> = revisions.values().filter(|it| is_active(it)).collect();
        let is_this =
            |it: &Value| it["spec"]["image"].as_str().is_some_and(|image| image.ends_with(&format!(":{TAG}")));
        ensure!(active.len() == 1 && is_this(active[0]), "active are {active:?}");
        ensure!(revisions.values().all(|it| it["metadata"]["deletionTimestamp"].is_null()), "one is being deleted");
        let older = revisions.iter().find(|(_, it)| !is_active(it)).context("there is no older revision")?;
        Ok(older.0.clone())
    })?;
    let active = json!({"spec": {"desiredState": "Active"}});
    plane.administrator.patch(&["configurationrevisions", &older], &active)?;
    plane.kubectl.until("the older revision is inactive again", revisions, SOON, |revisions| {
        let active: Vec<_> = revisions.iter().filter(|(_, it)| is_active(it)).map(|(name, _)| name).collect();
        ensure!(active.len() == 1 && *active[0] != older, "active: {active:?}, the older one: {older}");
        Ok(())
    })
}

/// Crossplane installs the Function again while a Configuration depends on it. Composites lose nothing.
fn a_needed_package_comes_back(plane: &Plane) -> Result<()> {
    let function = Which::all(FUNCTIONS).named(&plane.function_name);
    let before = plane.kubectl.only(function)?["metadata"]["uid"].take();
    plane.administrator.run(&["delete", "functions.pkg.crossplane.io", &plane.function_name])?;
    plane.kubectl.until_it("the Function is installed again", function, SOON, |function| {
        ensure!(function["metadata"]["uid"] != before, "it is the same");
        Ok(())
    })?;
    announce_function(&plane.administrator, &plane.function_name, plane.function.port)
}

/// Runs what changes the Function, waits for its new revision, and announces that. With the External runtime Crossplane
/// starts no pod for it.
fn with_another_function(plane: &Plane, change: impl FnOnce() -> Result<()>) -> Result<()> {
    let function = Which::all(FUNCTIONS).named(&plane.function_name);
    let current = |function: &Value| function["status"]["currentRevision"].clone();
    let before = current(&plane.kubectl.only(function)?);
    change()?;
    plane.kubectl.until_it("the Function has another revision", function, SOON, |function| {
        ensure!(current(function) != before, "it is {before}");
        Ok(())
    })?;
    announce_function(&plane.administrator, &plane.function_name, plane.function.port)
}

/// The manifests that the reader of the document has, at a version.
fn check_out(plane: &Plane, tag: &str) -> Result<()> {
    for file in FILES {
        let path = format!("package/install/{file}.yaml");
        let text = fs::read_to_string(workspace().join(&path))?;
        plane.shown.shell().write(&path, &text.replace(&format!(":{TAG}"), &format!(":{tag}")));
    }
    Ok(())
}

fn installed(plane: &Plane, tag: &str) -> Result<()> {
    for (kind, name) in [
        (FUNCTIONS, &*plane.function_name),
        (CONFIGURATIONS, CONFIGURATION),
        (CONFIGURATIONS, "sailplane-inference-model"),
        (CONFIGURATIONS, "sailplane-modelplane"),
        (CONFIGURATIONS, "sailplane-otterscale"),
        (CONFIGURATIONS, "sailplane"),
    ] {
        let which = Which::all(kind).named(name);
        plane.kubectl.condition("Healthy", which, SOON)?;
        let package = plane.kubectl.only(which)?["spec"]["package"].take();
        ensure!(package.as_str().is_some_and(|it| it.ends_with(&format!(":{tag}"))), "{name} is {package}");
    }
    Ok(())
}
