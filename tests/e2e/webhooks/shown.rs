//! The commands in documents that need the webhooks.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use tests::documents::{Shell, Shown, Suite};
use tests::real::processes::eventually;

use crate::objects::{self, dry_run, named, with};
use crate::site::Site;

/// Kinds of cert-manager, which one way to install the webhooks needs.
const CERT_MANAGER: &[&str] = &["Issuer", "Certificate"];

/// All commands that need the webhooks.
pub(crate) fn commands(site: &Site, dir: &Path) -> Shown {
    let mut shell = Shell::start(&dir.join("shell"));
    shell.provide("kubectl", site.kubectl.binary());
    shell.set("KUBECONFIG", site.kubectl.kubeconfig());
    Shown::of(Suite::Webhooks, shell)
}

/// Installs the webhooks in every documented way. Afterwards those of the site are registered again.
pub(crate) fn install(site: &Site, shown: &Shown) -> Result<()> {
    cert_manager(site)?;
    shown.run("docs/check.md#what-is-known")?;
    shown.run("README.md#refuse-mistakes-at-kubectl-apply")?;
    shown.next("docs/quick-start.md#refuse-mistakes")?;
    shown.next("docs/admission.md#install")?;
    shown.next("docs/admission.md#install")?;
    // There is no node that runs its pods.
    let deployment = ["-n", "crossplane-system", "deployments", "sailplane-admission"];
    let generation = site.kubectl.get(&deployment)?["metadata"]["generation"].take();
    let mut status = json!({"observedGeneration": generation});
    for replicas in ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"] {
        status[replicas] = json!(2);
    }
    site.kubectl.patch(&[&["--subresource=status"], &deployment[..]].concat(), &json!({ "status": status }))?;
    shown.run("docs/admission.md#install")?;
    site.deregister()?;
    site.register()
}

/// The commands that show refusals and warnings.
pub(crate) fn verdicts(site: &Site, shown: &Shown) -> Result<()> {
    // In the documents there is only one provider configuration.
    site.kubectl.run(&["delete", "clusterproviderconfigs.kubernetes.m.crossplane.io", "other"])?;
    let elsewhere = with(named("probe"), "/spec/providerConfigName", json!("gpu-clutser"));
    crate::lookups::refused(site, "team-b", &elsewhere, "known are `gpu-cluster` (write")?;
    shown.run("docs/quick-start.md#refuse-mistakes")?;
    shown.run("docs/admission.md#admission-webhooks")?;
    site.kubectl.run(&["delete", "llminferences", "kimi"])?;

    shown.next("docs/admission.md#modes")?;
    let mut client = site.server.client()?;
    eventually("the mode counts", Duration::from_secs(10), || {
        let object = with(named("7b"), "/spec/providerConfigName", json!("gpu-cluster"));
        let (status, answer) = client.send("POST", &dry_run("team-b"), Some(&object))?;
        ensure!((200..300).contains(&status), "{status} {answer}");
        Ok(())
    })?;
    shown.run("docs/admission.md#modes")?;
    site.kubectl.run(&["delete", "-n", "team-b", "llminferences", "qwen"])?;
    site.kubectl.run(&["label", "namespace", "team-b", "sailplane.fn.crossplane.io/admission-"])?;
    site.kubectl.apply(&objects::provider_config("other"))
}

/// CRDs for the kinds of cert-manager. They accept every object, so cert-manager itself is not needed.
fn cert_manager(site: &Site) -> Result<()> {
    for kind in CERT_MANAGER {
        let singular = kind.to_lowercase();
        let schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        site.kubectl.apply(&json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{singular}s.cert-manager.io")},
            "spec": {
                "group": "cert-manager.io",
                "scope": "Namespaced",
                "names": {"kind": kind, "singular": singular, "plural": format!("{singular}s")},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
            },
        }))?;
    }
    site.kubectl.run(&["wait", "--for=condition=Established", "crds", "--all", "--timeout=60s"]).map(drop)
}
