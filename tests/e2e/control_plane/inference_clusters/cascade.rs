//! A cluster of the fleet with all that it leads to: as Crossplane has it, and as `sailplane render --settled` says it would be.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use inference::modelplane::resources::{
    AKS_CLUSTERS, EKS_CLUSTERS, GKE_CLUSTERS, INFERENCE_CLUSTERS, NEBIUS_CLUSTERS, SERVING_STACKS, VULTR_CLUSTERS,
};
use serde_json::Value;
use tests::command::run_on;
use tests::files::workspace;
use tests::real::access::named;
use tests::real::kubectl::Kubectl;
use tests::real::watching::Which;

use super::packages;
use super::sources::provided;
use crate::resources::DEFINITIONS;

const COMPOSITES: &[&ApiResource] =
    &[&AKS_CLUSTERS, &EKS_CLUSTERS, &GKE_CLUSTERS, &NEBIUS_CLUSTERS, &SERVING_STACKS, &VULTR_CLUSTERS];

/// Objects by the kind of what composes them, and their composition resource names: `KIND/NAME`.
pub(crate) type Objects = BTreeMap<String, Value>;

/// What a cluster leads to. What is gone meanwhile is left out.
pub(super) fn found(kubectl: &Kubectl, cluster: &str) -> Result<Objects> {
    found_of(kubectl, Which::all(&INFERENCE_CLUSTERS).named(cluster))
}

/// The same for a cluster or a gateway.
pub(crate) fn found_of(kubectl: &Kubectl, which: Which<'_>) -> Result<Objects> {
    let mut found = Objects::new();
    if let Some(composite) = kubectl.list(which)?.into_values().next() {
        below(kubectl, &composite, &mut found)?;
    }
    Ok(found)
}

fn below(kubectl: &Kubectl, composite: &Value, found: &mut Objects) -> Result<()> {
    for reference in composite["spec"]["crossplane"]["resourceRefs"].as_array().into_iter().flatten() {
        let (Some(kind), Some(name)) = (resource(reference), reference["name"].as_str()) else { continue };
        let namespace = reference["namespace"].as_str().or_else(|| composite["metadata"]["namespace"].as_str());
        let which = Which::all(kind).named(name);
        let which = namespace
            .filter(|_| kind.scope == contract::catalog::Scope::Namespaced)
            .map_or(which, |it| which.within(it));
        let Some(object) = kubectl.list(which)?.into_values().next() else { continue };
        if COMPOSITES.contains(&kind) {
            below(kubectl, &object, found)?;
        }
        found.insert(key(&object), object);
    }
    Ok(())
}

/// What it leads to by `sailplane render --settled`, and its status there.
pub(super) fn settled(cluster: &Value) -> Result<(Objects, Value)> {
    let classes = std::fs::read_to_string(workspace().join("examples/modelplane/classes.yaml"))?;
    let mut texts = vec![cluster.to_string(), classes];
    texts.extend(provided()?.iter().map(Value::to_string));
    let arguments = ["render", "--settled", "--cascade", "--output", "json", "-"];
    let done = run_on(texts.join("\n---\n").as_bytes(), &arguments);
    ensure!(done.ok, "{}", done.err);
    let printed: Vec<Value> = serde_json::from_str(&done.out)?;
    let (own, others): (Vec<_>, Vec<_>) =
        printed.into_iter().partition(|object| object["kind"] == INFERENCE_CLUSTERS.kind);
    let status = own.into_iter().next().context("the cluster is printed")?["status"].take();
    let composed = others.into_iter().filter(|object| resource(object).is_some());
    Ok((composed.map(|object| (key(&object), object)).collect(), status))
}

/// The numbers of nodes that an object of a cloud is told, by field, and the pools of a composite.
pub(super) fn sizes(object: &Value) -> BTreeMap<&'static str, Value> {
    const FIELDS: [&str; 8] = [
        "autoscaling",
        "fixedNodeCount",
        "initialNodeCount",
        "maxCount",
        "minCount",
        "nodeCount",
        "nodeQuantity",
        "scalingConfig",
    ];
    let told = &object["spec"]["forProvider"];
    let sizes = FIELDS.into_iter().filter_map(|field| Some((field, told.get(field)?.clone())));
    let pools = object["spec"].get("nodePools").map(|pools| ("nodePools", pools.clone()));
    sizes.chain(pools).collect()
}

/// The kind of an object that leads to others.
pub(super) fn composite(object: &Value) -> Option<&'static ApiResource> {
    resource(object).filter(|kind| COMPOSITES.contains(kind))
}

fn key(object: &Value) -> String {
    let metadata = &object["metadata"];
    let mut owners = metadata["ownerReferences"].as_array().into_iter().flatten();
    let composed_by = owners.find(|it| it["controller"] == true).and_then(|it| it["kind"].as_str()).unwrap_or_default();
    let name = metadata["annotations"]["crossplane.io/composition-resource-name"].as_str().unwrap_or_default();
    format!("{composed_by}/{name}")
}

/// The kind of an object that clusters lead to.
pub(super) fn resource(object: &Value) -> Option<&'static ApiResource> {
    let is = |it: &&ApiResource| object["apiVersion"] == it.api_version && object["kind"] == it.kind;
    packages::composed().into_iter().find(is)
}

/// Those that are still there.
pub(crate) fn left(kubectl: &Kubectl, of: &Objects) -> Result<Vec<String>> {
    let mut left = Vec::new();
    for (key, object) in of {
        let Some(kind) = resource(object) else { continue };
        let name = object["metadata"]["name"].as_str().context("a name")?;
        let which = Which::all(kind).named(name);
        let which = object["metadata"]["namespace"].as_str().map_or(which, |it| which.within(it));
        match kubectl.list(which) {
            Ok(found) if found.is_empty() => {}
            Ok(_) => left.push(key.clone()),
            // With the definition of a kind, all its objects have gone.
            Err(error) => {
                let unserved = matches!(error.downcast_ref(), Some(kube::Error::Api(status)) if status.code == 404);
                let undefined = kubectl.list(Which::all(DEFINITIONS).named(&named(kind)))?.is_empty();
                ensure!(unserved && undefined, error.context(key.clone()));
            }
        }
    }
    Ok(left)
}
