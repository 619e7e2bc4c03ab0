//! What people see when something is wrong: the transcripts in `docs/troubleshooting.md`, and the health that Argo CD and
//! Flux make of it by the checks in `package/gitops`.

use anyhow::{Result, anyhow, ensure};
use contract::catalog::ApiResource;
use serde_json::{Value, json};
use tests::health::Checks;
use tests::real::processes::progress;
use tests::real::watching::Which;
use toolbox::resources::OBJECTS;

use crate::composites::Composite;
use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::{CONFIG_MAPS, CONFIGURATIONS, FUNCTIONS, PROVIDERS};
use crate::subjects::LLM_INFERENCE;

/// The namespace in the document.
const NAMESPACE: &str = "team-a";
/// A ServiceAccount without rights.
const VISITOR: &str = "visitor";
/// The namespace of Argo CD.
const ARGO: &str = "argocd";

pub(crate) fn symptoms(plane: &Plane) -> Result<()> {
    let Plane { kubectl, administrator, shown, .. } = plane;
    plane.namespace(NAMESPACE)?;
    plane.copy_composition(LLM_INFERENCE, "misspelt", |step| {
        let options = json!({"readyness": "serving"});
        step["input"] = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1",
            "kind": "Options",
            "llmInference": options,
        });
    })?;
    plane.copy_composition(LLM_INFERENCE, "nobodys", |step| step["functionRef"]["name"] = "function-nobody".into())?;
    let of = |composition: &str| json!({"compositionRef": {"name": composition}});
    let apply = |name, mut spec: Value| {
        spec["ingressHost"] = Value::Null; // so that each has one Object
        Composite::apply(kubectl, LLM_INFERENCE, NAMESPACE, name, &spec)
    };
    visitor(plane)?;
    let unconfigured = apply("qwen", json!({"providerConfigName": "gpu-clutser"}))?;
    let misspelt = apply("kimi", json!({"crossplane": of("misspelt")}))?;
    let nobodys = apply("gemma", json!({"crossplane": of("nobodys")}))?;
    let forbidden = apply("embedding", json!({"providerConfigName": VISITOR}))?;
    let homeless = apply("mistral", json!({"targetNamespace": "nowhere"}))?;
    let sound = apply("sound", json!({}))?;
    let paused = apply("paused", json!({}))?;
    sound.ready()?;
    paused.ready()?;
    paused.annotate("crossplane.io/paused", "true")?;
    let composites = LLM_INFERENCE.composites();
    health(plane, &composites, "sound", "Healthy", "Current")?;
    health(plane, &composites, "qwen", "Progressing", "InProgress")?;
    health(plane, &composites, "kimi", "Degraded", "Failed")?;
    health(plane, &composites, "gemma", "Degraded", "Failed")?;
    health(plane, &composites, "paused", "Suspended", "InProgress")?;
    health_of_objects(plane)?;
    for (packages, name) in [(CONFIGURATIONS, "sailplane"), (FUNCTIONS, &*plane.function_name)] {
        assess(plane, Which::all(packages).named(name), "Healthy", "Current")?;
    }
    assess(plane, Which::all(PROVIDERS), "Healthy", "Current")?;
    progress("symptoms: each has its health");

    sound.delete()?;
    paused.annotate("crossplane.io/paused", "false")?;
    paused.delete()?;
    for gone in ["sound", "paused"] {
        let selector = format!("crossplane.io/composite={gone}");
        kubectl.gone(Which::all(&OBJECTS).within(NAMESPACE).labelled(&selector), SOON * 2)?;
    }
    shown.run("docs/troubleshooting.md#a-composite-is-not-ready")?;
    shown.run("docs/troubleshooting.md#an-object-is-not-synced")?;
    for composite in [unconfigured, misspelt, nobodys, forbidden, homeless] {
        composite.delete()?;
    }

    administrator.run(&["create", "namespace", ARGO])?;
    administrator.run(&["create", "configmap", "argocd-cm", "-n", ARGO, "--from-literal=theirs=stays"])?;
    shown.run("docs/gitops.md#argo-cd")?;
    let config = administrator.only(Which::all(CONFIG_MAPS).within(ARGO).named("argocd-cm"))?;
    ensure!(config["data"]["theirs"] == "stays", "{config}");
    ensure!(config["data"]["application.resourceTrackingMethod"] == "annotation", "{config}");
    Ok(())
}

/// A provider configuration whose user has no rights.
fn visitor(plane: &Plane) -> Result<()> {
    let administrator = &plane.administrator;
    administrator.run(&["create", "serviceaccount", VISITOR, "-n", NAMESPACE])?;
    let kubeconfig = std::fs::read_to_string(administrator.of_service_account(NAMESPACE, VISITOR)?.kubeconfig())?;
    let secret = json!({"namespace": NAMESPACE, "name": VISITOR, "key": "kubeconfig"});
    administrator.apply_all(&[
        json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": VISITOR, "namespace": NAMESPACE},
            "stringData": {"kubeconfig": kubeconfig},
        }),
        json!({
            "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
            "kind": "ClusterProviderConfig",
            "metadata": {"name": VISITOR},
            "spec": {"credentials": {"source": "Secret", "secretRef": secret}},
        }),
    ])
}

fn health(plane: &Plane, kind: &ApiResource, name: &str, argo: &str, flux: &str) -> Result<()> {
    assess(plane, Which::all(kind).within(NAMESPACE).named(name), argo, flux)
}

/// Flux looks at what it applies, and Objects are composed.
fn health_of_objects(plane: &Plane) -> Result<()> {
    for (composite, argo) in
        [("sound", "Healthy"), ("qwen", "Degraded"), ("embedding", "Degraded"), ("mistral", "Degraded")]
    {
        let selector = format!("crossplane.io/composite={composite}");
        assess(plane, Which::all(&OBJECTS).within(NAMESPACE).labelled(&selector), argo, "")?;
    }
    Ok(())
}

/// Waits until the only such object has this health in Argo CD and in Flux.
fn assess(plane: &Plane, which: Which<'_>, argo: &str, flux: &str) -> Result<()> {
    let checks = Checks::read().map_err(|error| anyhow!(error))?;
    plane.kubectl.until_it(&format!("{which} is {argo}"), which, SOON, |object| {
        let health = checks.health(object).map_err(|error| anyhow!(error))?;
        ensure!((&*health.argo, &*health.flux) == (argo, flux), "{health:?} of {object}");
        Ok(())
    })
}
