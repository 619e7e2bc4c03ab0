//! The policies that keep the provider configurations of tenants apart.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use tests::documents::Shown;
use tests::real::access::until_allowed_in;
use tests::real::processes::{eventually, progress};

use crate::lookups::SOON;
use crate::objects::{self, dry_run, named, sound, with, within};
use crate::site::{NAMESPACE, Site};

/// The section with the commands.
const SECTION: &str = "docs/security.md#tenants";
/// A namespace without the annotation.
const OTHER: &str = "team-b";
/// The annotation of a namespace.
const ANNOTATION: &str = "sailplane.fn.crossplane.io/provider-configs";

/// The annotation of the namespace; kind and name of the configuration; whether an object may name it.
#[rustfmt::skip]
const ROWS: &[(Option<&str>, &str, &str, bool)] = &[
    (None,                       "ClusterProviderConfig", "gpu-cluster", false),
    (None,                       "ProviderConfig",        "gpu-cluster", true),
    (Some(""),                   "ClusterProviderConfig", "gpu-cluster", false),
    (Some("gpu-cluster"),        "ClusterProviderConfig", "gpu-cluster", true),
    (Some("gpu-cluster"),        "ClusterProviderConfig", "gpu",         false),
    (Some("gpu-cluster"),        "ClusterProviderConfig", "other",       false),
    (Some("other, gpu-cluster"), "ClusterProviderConfig", "gpu-cluster", true),
    (Some("*"),                  "ClusterProviderConfig", "other",       true),
];

pub(crate) fn all(site: &Site, shown: &Shown) -> Result<()> {
    shown.next(SECTION)?;
    shown.next(SECTION)?;
    let mut client = site.server.client()?;
    eventually("the policies count", Duration::from_secs(60), || {
        for (path, object) in requests(OTHER, "ClusterProviderConfig", "gpu-cluster") {
            let (status, answer) = client.send("POST", &path, Some(&object))?;
            ensure!(status == 403, "{status} {answer}");
        }
        Ok(())
    })?;
    shown.run(SECTION)?;

    for (annotation, kind, name, may) in ROWS {
        annotate(site, OTHER, *annotation)?;
        for (path, object) in requests(OTHER, kind, name) {
            // The API server sees a changed namespace a moment later.
            let what = format!("{annotation:?}: {} {kind} {name}: {may}", object["kind"]);
            eventually(&what, SOON, || {
                let (status, answer) = client.send("POST", &path, Some(&object))?;
                let refused = answer["message"].as_str().is_some_and(|it| it.contains("may not use"));
                ensure!(if *may { (200..300).contains(&status) } else { refused }, "{status} {answer}");
                Ok(())
            })?;
        }
    }
    keeps(site)?;
    configurations(site)?;
    progress(&format!("{} references judged", 3 * ROWS.len()));
    Ok(())
}

/// New objects that name a configuration: a composite, which does not say the default kind, and managed resources.
fn requests(namespace: &str, kind: &str, name: &str) -> [(String, Value); 3] {
    let mut composite = with(sound(), "/spec/providerConfigName", json!(name));
    if kind != "ClusterProviderConfig" {
        composite = with(composite, "/spec/providerConfigKind", json!(kind));
    }
    let manifest = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}});
    let object = json!({"forProvider": {"manifest": manifest}});
    let secrets = json!({"observeObjects": {"apiVersion": "v1", "kind": "Secret", "selector": {"matchLabels": {}}}});
    let managed = |plural: &str, managed: &str, mut spec: Value| {
        spec["providerConfigRef"] = json!({"kind": kind, "name": name});
        let group = "kubernetes.m.crossplane.io/v1alpha1";
        let object = json!({"apiVersion": group, "kind": managed, "metadata": {"name": "tenant"}, "spec": spec});
        (format!("/apis/{group}/namespaces/{namespace}/{plural}?dryRun=All"), object)
    };
    [
        (dry_run(namespace), composite),
        managed("objects", "Object", object),
        managed("observedobjectcollections", "ObservedObjectCollection", secrets),
    ]
}

/// What names a configuration already may keep it, but not change to another one.
fn keeps(site: &Site) -> Result<()> {
    annotate(site, OTHER, Some("gpu-cluster"))?;
    let composite = within(OTHER, sound());
    eventually("the annotation counts", SOON, || site.kubectl.apply(&composite))?;
    // One that the annotation allows, until it is gone.
    let another = with(within(OTHER, named("another")), "/spec/ingressHost", json!("another.example.org"));
    let mut client = site.server.client()?;
    let mut create = || client.send("POST", &dry_run(OTHER), Some(&another));
    let (status, answer) = create()?;
    ensure!((200..300).contains(&status), "{status} {answer}");
    annotate(site, OTHER, None)?;
    eventually("the annotation is gone", SOON, || {
        let (status, answer) = create()?;
        ensure!(status == 403, "{status} {answer}");
        Ok(())
    })?;
    let name = composite["metadata"]["name"].as_str().context("a name")?;
    let what = ["llminferences", "-n", OTHER, name];
    refused(site.kubectl.patch(&what, &json!({"spec": {"providerConfigName": "other"}})))?;
    site.kubectl.patch(&what, &json!({"spec": {"gpu": 2}}))?;
    site.kubectl.run(&[&["delete"], &what[..]].concat()).map(drop)
}

/// A ProviderConfig is written only by those who may create ClusterProviderConfigs.
fn configurations(site: &Site) -> Result<()> {
    let tenant = ["-n", NAMESPACE, "tenant"];
    site.kubectl.run(&[&["create", "serviceaccount"], &tenant[..]].concat())?;
    let resource = "--resource=providerconfigs.kubernetes.m.crossplane.io";
    let role = ["--verb=get,create,update,patch", resource];
    site.kubectl.run(&[&["create", "role"], &tenant[..], &role].concat())?;
    let binding = ["--role=tenant", &format!("--serviceaccount={NAMESPACE}:tenant")];
    site.kubectl.run(&[&["create", "rolebinding"], &tenant[..], &binding].concat())?;
    let kubectl = site.kubectl.of_service_account(NAMESPACE, "tenant")?;
    for verb in ["create", "patch"] {
        until_allowed_in(&kubectl, Some(NAMESPACE), verb, "providerconfigs.kubernetes.m.crossplane.io", true, SOON)?;
    }

    let mut config = within(NAMESPACE, objects::provider_config("tenant"));
    config["kind"] = json!("ProviderConfig");
    refused(kubectl.apply(&config))?;
    site.kubectl.apply(&config)?;
    // Finalizers and labels are no credentials: the provider itself writes them.
    kubectl.patch(&["providerconfigs.kubernetes.m.crossplane.io", "-n", NAMESPACE, "tenant"], &labelled())?;
    let source = json!({"spec": {"credentials": {"source": "None"}}});
    refused(kubectl.patch(&["providerconfigs.kubernetes.m.crossplane.io", "-n", NAMESPACE, "tenant"], &source))
}

fn labelled() -> Value {
    json!({"metadata": {"labels": {"a": "b"}, "finalizers": ["in-use.crossplane.io"]}})
}

/// Sets the annotation of a namespace, or removes it.
fn annotate(site: &Site, namespace: &str, value: Option<&str>) -> Result<()> {
    let annotations = json!({ ANNOTATION: value });
    site.kubectl.patch(&["namespace", namespace], &json!({"metadata": {"annotations": annotations}}))
}

/// A policy of tenants refused it.
fn refused(outcome: Result<()>) -> Result<()> {
    let Err(error) = outcome else { bail!("it was accepted") };
    ensure!(format!("{error:#}").contains("sailplane-tenants-"), "{error:#}");
    Ok(())
}
