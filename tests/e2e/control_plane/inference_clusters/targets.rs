//! What charts, and clouds, bring to the new clusters: kinds, the address of the gateway, and what Vultr runs on its nodes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use inference::modelplane::resources::{
    ADDRESS_POOLS, DAEMON_SETS, ENVOY_PROXIES, HTTP_ROUTES, L2_ADVERTISEMENTS, PERSISTENT_VOLUME_CLAIMS,
    STORAGE_CLASSES,
};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::kubectl::Kubectl;
use tests::real::processes::run_with_input;
use tests::real::watching::Which;
use toolbox::resources::{GATEWAY_CLASSES, GATEWAYS, NAMESPACES};

use super::sources::HERE;
use crate::clusters::new_clusters::NewClusters;
use crate::clusters::releases::apply;
use crate::clusters::schemas::Schemas;
use crate::gpu_clusters::NAMESPACE;
use crate::resources::DEFINITIONS;

/// The kinds that charts bring, as far as a stack or a replica composes objects of them.
const BRINGS: &[(&str, &[&ApiResource])] = &[
    ("gateway-helm", &[&GATEWAYS, &GATEWAY_CLASSES, &HTTP_ROUTES, &ENVOY_PROXIES]),
    ("metallb", &[&ADDRESS_POOLS, &L2_ADVERTISEMENTS]),
];
/// The address of every gateway.
pub(crate) const ADDRESS: &str = "198.51.100.20";
/// What Vultr runs on the nodes of its clusters.
const VALIDATOR: (&str, &str) = ("gpu-operator", "nvidia-operator-validator");
/// How often it looks.
const TICK: Duration = Duration::from_secs(1);

/// The new clusters, and what is needed to equip them.
pub(super) struct Targets {
    pub(super) schemas: Schemas,
    pub(super) clusters: Arc<NewClusters>,
}

impl Targets {
    /// Makes what the chart of a Release brings to a cluster: its namespace, and those of its kinds that are not there.
    pub(super) fn deploy(&self, cluster: &str, release: &Value) -> Result<()> {
        let target = self.clusters.kubectl(cluster).context("the cluster does not run")?;
        let provided = &release["spec"]["forProvider"];
        let namespace = provided["namespace"].as_str().context("a namespace")?;
        let mut objects = vec![json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})];
        for (_, kinds) in BRINGS.iter().filter(|(name, _)| provided["chart"]["name"] == *name) {
            for kind in *kinds {
                if target.list(Which::all(DEFINITIONS).named(&named(kind)))?.is_empty() {
                    objects.push(self.schemas.of_kind(kind.api_version, kind.kind)?);
                }
            }
        }
        apply(&target, &objects)
    }

    /// The storage classes of a cluster, as long as it runs.
    pub(super) fn storage_classes(&self, cluster: &str) -> Result<BTreeSet<String>> {
        let Some(target) = self.clusters.kubectl(cluster) else { return Ok(BTreeSet::new()) };
        let classes = target.list(Which::all(&STORAGE_CLASSES))?;
        Ok(classes.values().map(|it| text(&it["metadata"], "name").to_owned()).collect())
    }

    /// Looks after these clusters until it is over.
    pub(super) fn play(&self, names: impl Iterator<Item = &'static str> + Clone, over: &AtomicBool) {
        while !over.load(Ordering::Relaxed) {
            // A kind that is not there yet is there later.
            if let Some(target) = self.clusters.kubectl(HERE) {
                let _ = address(&target);
                let _ = class(&target);
            }
            for name in names.clone() {
                if let Some(target) = self.clusters.kubectl(name) {
                    let _ = address(&target);
                    let _ = namespaces(&target);
                    let _ = claims(&target);
                    if name.starts_with("vultr") {
                        let _ = validator(&target);
                    }
                }
            }
            std::thread::sleep(TICK);
        }
    }
}

/// Each gateway that the platform brings is accepted, and gets an address.
fn address(target: &Kubectl) -> Result<()> {
    for gateway in target.list(Which::all(&GATEWAYS))?.values() {
        if gateway["status"]["addresses"].is_null() {
            let metadata = &gateway["metadata"];
            let (namespace, name) = (text(metadata, "namespace"), text(metadata, "name"));
            if namespace != NAMESPACE {
                continue;
            }
            let addresses = json!([{"type": "IPAddress", "value": ADDRESS}]);
            let status = json!({"addresses": addresses, "conditions": [accepted()]});
            let which = Which::all(&GATEWAYS).within(namespace).named(name);
            target.watching()?.patch_status(which, &status)?;
        }
    }
    Ok(())
}

/// The class of the gateway of the control plane is accepted.
fn class(target: &Kubectl) -> Result<()> {
    let which = Which::all(&GATEWAY_CLASSES).named("traefik");
    for class in target.list(which)?.values() {
        let conditions = class["status"]["conditions"].as_array();
        if !conditions.into_iter().flatten().any(|it| it["type"] == "Accepted" && it["status"] == "True") {
            target.watching()?.patch_status(which, &json!({"conditions": [accepted()]}))?;
        }
    }
    Ok(())
}

fn accepted() -> Value {
    json!({
        "type": "Accepted", "status": "True", "reason": "Accepted", "message": "", "observedGeneration": 1,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    })
}

/// Namespaces go: no controller runs there. What was in them goes before, since objects in them need them.
fn namespaces(target: &Kubectl) -> Result<()> {
    for namespace in target.list(Which::all(&NAMESPACES))?.into_values() {
        if !namespace["metadata"]["deletionTimestamp"].is_null() {
            let path = format!("/api/v1/namespaces/{}/finalize", text(&namespace["metadata"], "name"));
            let mut done = namespace;
            done["spec"]["finalizers"] = json!([]);
            let mut replace = target.command();
            replace.args(["replace", "--raw", &path, "-f", "-"]);
            run_with_input(&mut replace, &done.to_string())?;
        }
    }
    Ok(())
}

/// Claims go: no controller sees there that no pod has one.
fn claims(target: &Kubectl) -> Result<()> {
    for claim in target.list(Which::all(&PERSISTENT_VOLUME_CLAIMS))?.values() {
        let metadata = &claim["metadata"];
        if !metadata["deletionTimestamp"].is_null() {
            let which = ["persistentvolumeclaim", "--namespace", text(metadata, "namespace"), text(metadata, "name")];
            target.patch(&which, &json!({"metadata": {"finalizers": null}}))?;
        }
    }
    Ok(())
}

/// The nodes are validated.
fn validator(target: &Kubectl) -> Result<()> {
    let (namespace, name) = VALIDATOR;
    let which = Which::all(&DAEMON_SETS).within(namespace).named(name);
    if target.list(which)?.is_empty() {
        let labels = json!({"app": name});
        apply(
            target,
            &[
                json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}),
                json!({
                    "apiVersion": DAEMON_SETS.api_version,
                    "kind": DAEMON_SETS.kind,
                    "metadata": {"name": name, "namespace": namespace},
                    "spec": {
                        "selector": {"matchLabels": labels},
                        "template": {
                            "metadata": {"labels": labels},
                            "spec": {"containers": [{"name": "validator", "image": "validator"}]},
                        },
                    },
                }),
            ],
        )?;
        let status = json!({
            "currentNumberScheduled": 2, "desiredNumberScheduled": 2, "numberMisscheduled": 0, "numberReady": 2,
        });
        target.watching()?.patch_status(which, &status)?;
    }
    Ok(())
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_default()
}
