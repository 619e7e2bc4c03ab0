//! The gateway of the control plane where the platform brings the definitions of Gateway API: with the option
//! `gatewayApi: existing` it waits for them, and leaves them behind.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::INFERENCE_GATEWAYS;
use inference::vendored::GATEWAY_API;
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;
use toolbox::resources::{GATEWAYS, RELEASES};

use super::cascade::{self, Objects};
use super::life::LIMIT;
use super::stand_in::FleetStandIn;
use super::targets::ADDRESS;
use super::teardown::went_in_order;
use crate::clusters::managed::is_ready;
use crate::clusters::releases::apply;
use crate::composites::condition;
use crate::gpu_clusters::{GATEWAY, NAMESPACE};
use crate::plane::Plane;
use crate::resources::DEFINITIONS;
use crate::subjects::INFERENCE_GATEWAY;

/// The Composition with the option.
const COMPOSITION: &str = "existing-gateway-api";

/// From nothing to nothing, on a control plane without a gateway.
pub(super) fn waits_for_definitions(plane: &Plane, stand_in: &FleetStandIn) -> Result<()> {
    let (kubectl, begin) = (&plane.administrator, Instant::now());
    plane.copy_composition(INFERENCE_GATEWAY, COMPOSITION, |step| {
        let options = json!({"gatewayApi": "existing"});
        let input =
            json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelplane": options});
        step["input"] = input;
    })?;
    let mut spec = (INFERENCE_GATEWAY.spec)(GATEWAY);
    spec["crossplane"] = json!({"compositionRef": {"name": COMPOSITION}});
    let before = definitions(plane)?;
    kubectl.apply(&json!({
        "apiVersion": INFERENCE_GATEWAYS.api_version,
        "kind": INFERENCE_GATEWAYS.kind,
        "metadata": {"name": GATEWAY},
        "spec": spec,
    }))?;
    let waiting = eventually("it waits for definitions", LIMIT, || {
        let found = found(plane)?;
        let controller = condition(&stored(plane)?, "ControllerReady");
        ensure!(controller["reason"] == "Installing", "ControllerReady is {controller}");
        ensure!(found.contains_key("InferenceGateway/provider-config-helm"), "there are {:?}", found.keys());
        Ok(found)
    })?;
    ensure!(waiting.len() == 1, "it has not waited: there are {:?}", waiting.keys());
    ensure!(definitions(plane)? == before, "it has brought definitions");

    let missing = GATEWAY_API.names.iter().filter(|name| !before.contains_key(**name));
    let missing: Vec<_> = missing.filter_map(|name| GATEWAY_API.definition(name).cloned()).collect();
    ensure!(!missing.is_empty(), "the control plane has all definitions already");
    apply(kubectl, &missing)?;
    let brought = definitions(plane)?;
    eventually("it is ready", LIMIT, || {
        let gateway = stored(plane)?;
        ensure!(is_ready(&gateway), "it says {}", gateway["status"]["conditions"]);
        ensure!(gateway["status"]["address"] == ADDRESS, "its address is {}", gateway["status"]["address"]);
        Ok(())
    })?;
    let all = found(plane)?;
    ensure!(all.values().any(|it| it["kind"] == RELEASES.kind), "there are {:?}", all.keys());
    let composed = all.values().filter(|it| it["kind"] == DEFINITIONS.kind).count();
    ensure!(composed == 0, "it composes {composed} definitions");

    is_collected(plane)?;
    deletes(plane)?;
    let left = eventually("nothing is left", LIMIT, || {
        let left = cascade::left(kubectl, &all)?;
        ensure!(left.is_empty(), "left are {left:?}");
        definitions(plane)
    })?;
    went_in_order(&stand_in.world, &all, begin, |of| of["kind"] == "ProviderConfig")?;
    ensure!(left == brought, "definitions have gone with it: {:?}", left.keys());
    progress("platform: a gateway has come and gone without the definitions of Gateway API");
    for definition in &missing {
        let name = definition["metadata"]["name"].as_str().context("a name")?;
        kubectl.run(&["delete", DEFINITIONS.plural, name])?;
    }
    kubectl.run(&["delete", "composition", COMPOSITION]).map(drop)
}

/// Deletes it as documents show it.
fn deletes(plane: &Plane) -> Result<()> {
    let (kubectl, which) = (&plane.administrator, [INFERENCE_GATEWAYS.plural, GATEWAY]);
    let paused = |value: Value| json!({"metadata": {"annotations": {"crossplane.io/paused": value}}});
    kubectl.patch(&which, &paused("true".into()))?;
    let gateway = Which::all(&INFERENCE_GATEWAYS).named(GATEWAY);
    kubectl.until_it("it is paused", gateway, LIMIT, |gateway| {
        ensure!(condition(gateway, "Synced")["reason"] == "ReconcilePaused", "it is not");
        Ok(())
    })?;
    kubectl.run(&["delete", which[0], which[1], "--cascade=foreground", "--wait=false"])?;
    kubectl.patch(&which, &paused(Value::Null))?;
    kubectl.gone(gateway, LIMIT)
}

/// Waits until garbage collection knows the kinds of Gateway API, which are new. What it learns of after its owner is deleted stays, and
/// so does the owner: Kubernetes deletes what it knows of when it comes by, and looks again only when some of that is gone.
fn is_collected(plane: &Plane) -> Result<()> {
    const NAME: &str = "without-owner";
    let kubectl = &plane.administrator;
    let nobody =
        json!([{"apiVersion": "v1", "kind": "ConfigMap", "name": NAME, "uid": "00000000-0000-0000-0000-000000000000"}]);
    let spec = json!({"gatewayClassName": NAME, "listeners": [{"name": "http", "port": 80, "protocol": "HTTP"}]});
    kubectl.apply(&json!({
        "apiVersion": GATEWAYS.api_version,
        "kind": GATEWAYS.kind,
        "metadata": {"name": NAME, "namespace": NAMESPACE, "ownerReferences": nobody},
        "spec": spec,
    }))?;
    kubectl.gone(Which::all(&GATEWAYS).within(NAMESPACE).named(NAME), LIMIT)
}

fn stored(plane: &Plane) -> Result<Value> {
    plane.administrator.only(Which::all(&INFERENCE_GATEWAYS).named(GATEWAY))
}

fn found(plane: &Plane) -> Result<Objects> {
    cascade::found_of(&plane.administrator, Which::all(&INFERENCE_GATEWAYS).named(GATEWAY))
}

/// The uids of the definitions of Gateway API, by name.
fn definitions(plane: &Plane) -> Result<BTreeMap<String, Value>> {
    let all = plane.administrator.list(Which::all(DEFINITIONS))?;
    let metadata = all.values().map(|it| &it["metadata"]);
    let named = metadata.filter_map(|it| Some((it["name"].as_str()?.to_owned(), it["uid"].clone())));
    Ok(named.filter(|(name, _)| GATEWAY_API.names.contains(&name.as_str())).collect())
}
