//! What the package runtime does, which with the External one is left to us.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use serde_json::{Value, json};
use tests::real::access::allowed;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, eventually, free_port};
use tests::real::tools::Tools;
use tests::real::watching::Which;

use crate::crossplane::{SERVER_SECRET, server_certificates};
use crate::names::{NAMESPACE, SOON};
use crate::resources::{DEFINITIONS, FUNCTION_REVISIONS, PROVIDER_REVISIONS, PROVIDERS, RUNTIME_CONFIGS};

/// Tells Crossplane that the active revision of a Function is up, and at which port of loopback.
///
/// Crossplane itself makes no such statement with the External runtime, so a new version has to be announced again.
pub(crate) fn announce_function(kubectl: &Kubectl, package: &str, port: u16) -> Result<()> {
    let endpoint = format!("dns:///127.0.0.1:{port}");
    announce(kubectl, FUNCTION_REVISIONS, package, Some(&endpoint)).map(drop)
}

/// Starts provider-kubernetes under the ServiceAccount that its DeploymentRuntimeConfig names; returns what it may do
/// too.
pub(crate) fn start_provider(
    tools: &Tools,
    kubectl: &Kubectl,
    package: &str,
    dir: &Path,
) -> Result<(Kubectl, Process)> {
    let account = service_account(kubectl, package)?;
    let revision = announce(kubectl, PROVIDER_REVISIONS, package, None)?;
    // Nothing starts its pods, but the RBAC manager reads of it who gets the rights of the revision.
    kubectl.apply(&deployment(&revision, &account))?;
    let identity = kubectl.of_service_account(NAMESPACE, &account)?;
    // A pod that comes too early restarts.
    for resource in ["customresourcedefinitions.apiextensions.k8s.io", "objects.kubernetes.m.crossplane.io"] {
        eventually(&format!("the provider has rights to {resource}"), SOON, || {
            ensure!(allowed(&identity, "watch", resource)?, "not granted");
            Ok(())
        })?;
    }
    for plural in ["objects", "clusterproviderconfigs", "providerconfigs"] {
        let crd = format!("{plural}.kubernetes.m.crossplane.io");
        kubectl.condition("Established", Which::all(DEFINITIONS).named(&crd), SOON)?;
    }

    let process = Process::start(
        "provider-kubernetes",
        Command::new(tools.path("provider-kubernetes"))
            .env("KUBECONFIG", identity.kubeconfig())
            .env("TLS_SERVER_CERTS_DIR", server_certificates(dir))
            .args(["--health-probe-bind-addr", &format!("127.0.0.1:{}", free_port()?)])
            // It sees changes of its targets by watching. It polls too, which must not write anything either.
            .args(["--enable-watches", "--poll=10s"]),
        dir,
    )?;
    Ok((identity, process))
}

/// The ServiceAccount that the pods of a Provider are to have.
fn service_account(kubectl: &Kubectl, provider: &str) -> Result<String> {
    let provider = kubectl.only(Which::all(PROVIDERS).named(provider))?;
    let config = provider["spec"]["runtimeConfigRef"]["name"].as_str().context("it has no runtime configuration")?;
    let config = kubectl.only(Which::all(RUNTIME_CONFIGS).named(config))?;
    let account = &config["spec"]["deploymentTemplate"]["spec"]["template"]["spec"]["serviceAccountName"];
    account.as_str().map(str::to_owned).context("it names no ServiceAccount")
}

/// The Deployment that Crossplane would make for a revision.
fn deployment(revision: &Value, account: &str) -> Value {
    let (name, uid) = (&revision["metadata"]["name"], &revision["metadata"]["uid"]);
    let labels = json!({"pkg.crossplane.io/revision": name});
    let owner = json!({
        "apiVersion": revision["apiVersion"],
        "kind": revision["kind"],
        "name": name,
        "uid": uid,
        "controller": true,
    });
    let pod = json!({
        "serviceAccountName": account,
        "containers": [{"name": "package-runtime", "image": "nobody.starts/it"}],
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": NAMESPACE, "ownerReferences": [owner]},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    })
}

/// Says of the active revision of a package that its runtime is healthy, and returns the revision.
fn announce(kubectl: &Kubectl, kind: &ApiResource, package: &str, endpoint: Option<&str>) -> Result<Value> {
    let selector = format!("pkg.crossplane.io/package={package}");
    let which = Which::all(kind).labelled(&selector);
    let revision = kubectl.until(&format!("{package} has an active revision"), which, SOON, |revisions| {
        let active = revisions.values().find(|revision| revision["spec"]["desiredState"] == "Active");
        active.cloned().context("there is none")
    })?;
    let mut status = json!({
        "tlsServerSecretName": SERVER_SECRET,
        "conditions": [{
            "type": "RuntimeHealthy",
            "status": "True",
            "reason": "HealthyPackageRevision",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }],
    });
    if let Some(endpoint) = endpoint {
        status["endpoint"] = endpoint.into();
    }
    let name = revision["metadata"]["name"].as_str().context("a name")?;
    kubectl.patch(&["--subresource=status", kind.plural, name], &json!({ "status": status }))?;
    Ok(revision)
}
