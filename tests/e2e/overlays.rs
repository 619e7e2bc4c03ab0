//! Every overlay of `package/` is built by the Kustomize of each kubectl that we name, with the same result; and its
//! parameters reach every place.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::tools::Tools;

/// The binaries, and the subcommand that builds. kubectl 1.34 and 1.35 have the same Kustomize.
const BUILDERS: &[(&str, &str)] = &[("kustomize-1.32", "build"), ("kustomize-1.33", "build"), ("kubectl", "kustomize")];
/// The component with the certificate, and the overlay that uses it.
const OVERLAYS: &[(&str, &str)] =
    &[("cert-manager", "package/admission"), ("certificate-job", "package/admission-certificate-job")];
/// The kinds of the webhooks.
const KINDS: &[&str] = &["Deployment", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ClusterRole"];
/// The kinds of the policies.
const POLICY_KINDS: &[&str] = &["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
/// A value for each parameter, and the default, which must not be left anywhere.
const PARAMETERS: &[(&str, &str, &str)] = &[
    ("namespace", "webhooks", "crossplane-system"),
    ("crossplaneNamespace", "upbound-system", "crossplane-system"),
    ("image", "registry.example.org:5000/function-sailplane:v9", "xpkg.crossplane.io"),
    ("replicas", "3", "replicas: 2"),
    ("apiServerPort", "8443", "6443"),
];

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn overlays() -> Result<()> {
    let tools = Tools::find()?;
    for (component, overlay) in OVERLAYS {
        as_shipped(&tools, overlay, KINDS)?;
        with_parameters(&tools, component).with_context(|| format!("parameters with {component}"))?;
    }
    as_shipped(&tools, "package/admission-policies", POLICY_KINDS)?;
    policies(&tools)
}

fn as_shipped(tools: &Tools, overlay: &str, wanted: &[&str]) -> Result<()> {
    let built = build(tools, &workspace().join(overlay))?;
    let shipped = documents(&built)?;
    let kinds: Vec<_> = shipped.iter().filter_map(|object| object["kind"].as_str()).collect();
    for kind in wanted {
        ensure!(kinds.contains(kind), "{overlay} has no {kind}: {kinds:?}");
    }
    ensure!(!kinds.contains(&"ConfigMap"), "{overlay} applies its parameters: {kinds:?}");
    Ok(())
}

/// An overlay as people write it, outside the package.
fn with_parameters(tools: &Tools, component: &str) -> Result<()> {
    let built = build(tools, &overlay("base", component, PARAMETERS)?)?;
    for (name, value, default) in PARAMETERS {
        ensure!(built.contains(value), "{name} is not {value}:\n{built}");
        ensure!(!built.contains(default), "{name} is still {default}:\n{built}");
    }
    let objects = documents(&built)?;
    let object =
        |kind: &str| objects.iter().find(|object| object["kind"] == kind).with_context(|| format!("no {kind}"));
    ensure!(object("Deployment")?["spec"]["replicas"] == 3);
    let ports = &object("NetworkPolicy")?["spec"]["egress"][0]["ports"];
    ensure!(*ports == json!([{"port": 443}, {"port": 8443}]), "{ports}");
    for webhook in object("ValidatingWebhookConfiguration")?["webhooks"].as_array().context("a list")? {
        let condition = webhook["matchConditions"][0]["expression"].as_str().context("an expression")?;
        ensure!(condition.contains("'system:serviceaccount:upbound-system:'"), "{condition}");
        let left_out = &webhook["namespaceSelector"]["matchExpressions"][0]["values"];
        ensure!(*left_out == json!(["upbound-system", "kube-system"]), "{left_out}");
        ensure!(webhook["clientConfig"]["service"]["namespace"] == "webhooks", "{webhook}");
    }
    for object in objects.iter().filter(|object| !object["metadata"]["namespace"].is_null()) {
        ensure!(object["metadata"]["namespace"] == "webhooks", "{object}");
    }
    let subjects = objects.iter().flat_map(|object| object["subjects"].as_array().into_iter().flatten());
    ensure!(subjects.map(|subject| &subject["namespace"]).all(|namespace| *namespace == "webhooks"));
    if component == "cert-manager" {
        let hosts: Vec<_> =
            objects.iter().flat_map(|it| it["spec"]["dnsNames"].as_array().into_iter().flatten()).collect();
        let service = "sailplane-admission.webhooks.svc";
        ensure!(hosts == [&json!(service), &json!(format!("{service}.cluster.local"))], "{hosts:?}");
        let annotations = &object("MutatingWebhookConfiguration")?["metadata"]["annotations"];
        ensure!(annotations["cert-manager.io/inject-ca-from"] == "webhooks/sailplane-admission-tls", "{annotations}");
    }
    Ok(())
}

/// Crossplane's namespace is a parameter of the policies too.
fn policies(tools: &Tools) -> Result<()> {
    let crossplane: Vec<_> = PARAMETERS.iter().filter(|(name, ..)| *name == "crossplaneNamespace").copied().collect();
    let built = build(tools, &overlay("policies", "parameters", &crossplane)?)?;
    let objects = documents(&built)?;
    let bindings = objects.iter().filter(|it| it["kind"] == "ValidatingAdmissionPolicyBinding");
    // Those for objects of the whole cluster select no namespaces.
    let bindings: Vec<_> = bindings.filter(|it| it["spec"].get("matchResources").is_some()).collect();
    ensure!(!bindings.is_empty(), "{built}");
    for binding in bindings {
        let left_out = &binding["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"][0]["values"];
        ensure!(*left_out == json!(["upbound-system", "kube-system"]), "{binding}");
    }
    ensure!(!built.contains("crossplane-system"), "{built}");
    Ok(())
}

/// Writes an overlay beside a copy of the package, and returns its folder.
fn overlay(base: &str, component: &str, parameters: &[(&str, &str, &str)]) -> Result<PathBuf> {
    let dir = copy(component)?;
    let literals: Vec<_> = parameters.iter().map(|(name, value, _)| format!("{name}={value}")).collect();
    let overlay = json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": [format!("../admission/{base}")],
        "components": [format!("../admission/{component}")],
        "configMapGenerator": [
            {"name": "sailplane-admission-parameters", "behavior": "merge", "literals": literals},
        ],
    });
    std::fs::write(dir.join("kustomization.yaml"), overlay.to_string())?;
    Ok(dir)
}

/// A copy of the package beside an empty folder, which is returned.
fn copy(name: &str) -> Result<PathBuf> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("overlays-{name}"));
    if dir.exists() {
        std::fs::remove_dir_all(&dir)?;
    }
    let overlay = dir.join("mine");
    std::fs::create_dir_all(&overlay)?;
    let copied = Command::new("cp").arg("-r").arg(workspace().join("package/admission")).arg(&dir).status()?;
    ensure!(copied.success(), "cannot copy the package");
    Ok(overlay)
}

/// What all builders make of an overlay.
fn build(tools: &Tools, overlay: &Path) -> Result<String> {
    let mut first: Option<(String, Vec<Value>)> = None;
    for (binary, subcommand) in BUILDERS {
        let output = Command::new(tools.path(binary)).arg(subcommand).arg(overlay).output()?;
        let wrong = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && wrong.is_empty(), "{binary} {}: {wrong}", overlay.display());
        let text = String::from_utf8(output.stdout)?;
        let built = documents(&text)?;
        let (_, expected) = first.get_or_insert_with(|| (text, built.clone()));
        ensure!(built == *expected, "{binary} builds something else of {}", overlay.display());
    }
    Ok(first.context("a builder")?.0)
}
