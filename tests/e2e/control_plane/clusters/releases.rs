//! What provider-helm leaves behind: the kinds that charts bring to the new cluster, and that a configuration is in use.

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use inference::gpu_cluster::derive::kinds::{
    APPLICATIONS, EXTERNAL_SECRETS_V1, GATEWAY_CLASSES, GATEWAYS, POD_MONITORS, SECRET_STORES_V1,
};
use serde_json::{Value, json};
use tests::real::kubectl::Kubectl;

use super::connection::NAMESPACE;
use super::managed::controller;
use super::schemas::Schemas;

/// The finalizer of configurations that are in use.
pub(super) const IN_USE: &str = "in-use.crossplane.io";

/// The kinds that charts bring, as far as a cluster composes objects of them. The chart of External Secrets serves `v1` only.
const BRINGS: &[(&str, &[&ApiResource])] = &[
    ("argo-cd", &[&APPLICATIONS]),
    ("external-secrets", &[&SECRET_STORES_V1, &EXTERNAL_SECRETS_V1]),
    ("gateway-helm", &[&GATEWAYS, &GATEWAY_CLASSES]),
    ("kube-prometheus-stack", &[&POD_MONITORS]),
];

/// Makes what the chart of a Release brings: its namespace and its kinds.
pub(super) fn deploy(schemas: &Schemas, target: &Kubectl, release: &Value) -> Result<()> {
    let provided = &release["spec"]["forProvider"];
    let chart = provided["chart"]["name"].as_str();
    // A chart with a URL has no name: it is that of the Release outside.
    let chart = chart.or_else(|| release["metadata"]["annotations"]["crossplane.io/external-name"].as_str());
    let namespace = provided["namespace"].as_str().context("a namespace")?;
    let mut objects = vec![json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})];
    for (_, kinds) in BRINGS.iter().filter(|(name, _)| chart == Some(*name)) {
        for kind in *kinds {
            objects.push(schemas.of_kind(kind.api_version, kind.kind)?);
        }
    }
    apply(target, &objects)
}

/// Applies objects, definitions too: they are too long for the annotation of the other way.
pub(crate) fn apply(target: &Kubectl, objects: &[Value]) -> Result<()> {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
    let mut apply = target.command();
    apply.args(["apply", "--server-side", "-f", "-"]);
    tests::real::processes::run_with_input(&mut apply, &list.to_string()).map(drop)
}

/// The record that a Release uses its configuration. It goes with the Release.
pub(super) fn usage(kind: &ApiResource, release: &Value) -> Value {
    let metadata = &release["metadata"];
    let config = &release["spec"]["providerConfigRef"];
    json!({
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {
            "name": metadata["uid"],
            "namespace": NAMESPACE,
            "labels": {"crossplane.io/provider-config": config["name"]},
            "ownerReferences": [controller(release)],
        },
        "providerConfigRef": config,
        "resourceRef": {
            "apiVersion": release["apiVersion"],
            "kind": release["kind"],
            "name": metadata["name"],
            "uid": metadata["uid"],
        },
    })
}
