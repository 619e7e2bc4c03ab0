//! The work of the package runtime, which Crossplane leaves to others when the runtime is External.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use serde_json::{Value, json};
use tests::real::access::until_allowed;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, free_port};
use tests::real::tools::Tools;
use tests::real::watching::Which;

use crate::crossplane::{SERVER_SECRET, server_certificates};
use crate::names::{NAMESPACE, SOON};
use crate::resources::{DEFINITIONS, FUNCTION_REVISIONS, PROVIDER_REVISIONS, PROVIDERS, RUNTIME_CONFIGS};

/// Tells Crossplane that the active revision of a Function is healthy, and its port on loopback. A new revision has to
/// be announced again.
pub(crate) fn announce_function(kubectl: &Kubectl, package: &str, port: u16) -> Result<()> {
    let endpoint = format!("dns:///127.0.0.1:{port}");
    announce(kubectl, FUNCTION_REVISIONS, package, Some(&endpoint)).map(drop)
}

/// Tells Crossplane that the active revision of a Provider is healthy. Who does its work is started by somebody else.
pub(crate) fn announce_provider(kubectl: &Kubectl, package: &str) -> Result<()> {
    announce(kubectl, PROVIDER_REVISIONS, package, None).map(drop)
}

/// Starts provider-kubernetes with the ServiceAccount that its DeploymentRuntimeConfig names. Returns a handle with the
/// same rights too.
pub(crate) fn start_provider(
    tools: &Tools,
    kubectl: &Kubectl,
    package: &str,
    dir: &Path,
) -> Result<(Kubectl, Process)> {
    let account = service_account(kubectl, package)?;
    let revision = announce(kubectl, PROVIDER_REVISIONS, package, None)?;
    // No pod is started from it, but the RBAC manager reads from it which ServiceAccount gets the rights of the
    // revision.
    kubectl.apply(&deployment(&revision, &account))?;
    let identity = kubectl.of_service_account(NAMESPACE, &account)?;
    // A provider that starts before it has these rights ends with an error. A pod would restart.
    for resource in ["customresourcedefinitions.apiextensions.k8s.io", "objects.kubernetes.m.crossplane.io"] {
        until_allowed(&identity, "watch", resource, true, SOON)?;
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
            // It watches its targets. It also polls, which must not write anything.
            .args(["--enable-watches", "--poll=10s"]),
        dir,
    )?;
    Ok((identity, process))
}

/// The ServiceAccount for the pods of a Provider.
fn service_account(kubectl: &Kubectl, provider: &str) -> Result<String> {
    let provider = kubectl.only(Which::all(PROVIDERS).named(provider))?;
    let config = provider["spec"]["runtimeConfigRef"]["name"].as_str().context("it has no runtime configuration")?;
    let config = kubectl.only(Which::all(RUNTIME_CONFIGS).named(config))?;
    let account = &config["spec"]["deploymentTemplate"]["spec"]["template"]["spec"]["serviceAccountName"];
    account.as_str().map(str::to_owned).context("it names no ServiceAccount")
}

/// The Deployment that Crossplane would create for a revision.
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

/// Writes into the status of a package's active revision that its runtime is healthy. Returns the revision.
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
