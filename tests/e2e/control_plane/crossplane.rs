//! Crossplane's engine, with the External package runtime: it manages packages, and this test runs what is in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, eventually, free_port, run};
use tests::real::tools::Tools;

use crate::certificates::{NAMESPACE, write_secret};

/// The Secret with the certificates that Crossplane calls functions with.
const CLIENT_SECRET: &str = "crossplane-tls-client";
/// The Secret with the certificates that its webhooks serve with.
const SERVER_SECRET: &str = "crossplane-tls-server";

/// Installs Crossplane's own CRDs and starts the engine, with its state under `dir`.
pub(crate) fn start(tools: &Tools, kubectl: &Kubectl, dir: &Path) -> Result<Process> {
    kubectl.run(&["create", "namespace", NAMESPACE])?;
    kubectl.run(&["create", "serviceaccount", "-n", NAMESPACE, "crossplane"])?;
    // On an empty API server it installs a CRD and uses it too soon: `no matches for kind "Lock"`. A pod would restart.
    eventually("crossplane core init", Duration::from_secs(60), || run(&mut init(tools, kubectl)))?;

    let folder = |name: &str| -> Result<PathBuf> {
        let folder = dir.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let (client, server) = (folder("crossplane-client")?, server_certificates(dir));
    write_secret(kubectl, CLIENT_SECRET, &client)?;
    write_secret(kubectl, SERVER_SECRET, &server)?;
    Process::start(
        "crossplane",
        Command::new(tools.path("crossplane-engine"))
            .env("KUBECONFIG", kubectl.kubeconfig())
            .args(["core", "start", "--package-runtime=External"])
            .args(["--tls-client-secret-name", CLIENT_SECRET, "--tls-server-secret-name", SERVER_SECRET])
            .arg("--tls-client-certs-dir")
            .arg(&client)
            .arg("--tls-server-certs-dir")
            .arg(&server)
            // It does not create its caches: without them every package fails to unpack.
            .arg("--xpkg-cache-dir")
            .arg(folder("crossplane-xpkg-cache")?)
            .arg("--xfn-cache-dir")
            .arg(folder("crossplane-xfn-cache")?)
            .args(["--webhook-port", &free_port()?.to_string()])
            .args(["--metrics-port", &free_port()?.to_string()])
            .args(["--health-probe-port", &free_port()?.to_string()]),
        dir,
    )
}

/// Where [`start`] puts the certificates of [`SERVER_SECRET`].
pub(crate) fn server_certificates(dir: &Path) -> PathBuf {
    dir.join("crossplane-server")
}

/// Does for the active revision of a package what its runtime would: tells Crossplane that it is up, and where.
///
/// Crossplane itself makes no such statement with the External runtime, so a new version has to be announced again.
pub(crate) fn announce(kubectl: &Kubectl, kind: &str, package: &str, endpoint: Option<u16>) -> Result<()> {
    let selector = format!("pkg.crossplane.io/package={package}");
    let revisions = || kubectl.list(&[kind, "-l", &selector]);
    let revision = eventually(&format!("{package} has an active {kind}"), Duration::from_secs(60), || {
        let active = revisions()?.into_iter().find(|r| r["spec"]["desiredState"] == "Active");
        let name = active.as_ref().and_then(|r| r["metadata"]["name"].as_str());
        name.map(str::to_owned).ok_or_else(|| anyhow::anyhow!("there is none"))
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
    if let Some(port) = endpoint {
        status["endpoint"] = format!("dns:///127.0.0.1:{port}").into();
    }
    kubectl.patch(&["--subresource=status", kind, &revision], &json!({ "status": status }))
}

fn init(tools: &Tools, kubectl: &Kubectl) -> Command {
    let manifests = tools.sources.join("crossplane");
    let mut command = Command::new(tools.path("crossplane-engine"));
    command
        .env("KUBECONFIG", kubectl.kubeconfig())
        .args(["core", "init"])
        .arg("--cr-ds-path")
        .arg(manifests.join("crds"))
        .arg("--webhook-configurations-path")
        .arg(manifests.join("webhookconfigurations"))
        .arg("--tlsca-secret-name=crossplane-root-ca")
        .args(["--tls-client-secret-name", CLIENT_SECRET, "--tls-server-secret-name", SERVER_SECRET])
        .args(["--webhook-service-name=crossplane-webhooks", "--webhook-service-port=9443"])
        .args(["--webhook-service-namespace", NAMESPACE])
        .arg("--activation=*.kubernetes.m.crossplane.io");
    command
}
