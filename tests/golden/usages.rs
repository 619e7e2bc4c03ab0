//! Usages that Crossplane would not treat as they are meant:
//!
//! - one by its own composite never ends under foreground deletion: the composite waits for it, and it for the composite;
//! - a namespaced one does not protect what is cluster-scoped, and a ClusterUsage can name nothing else;
//! - a selector takes the first match only, so it must match one object.

use contract::catalog::Scope;
use contract::compose::ComposeResponse;
use inference::KINDS;
use module::compose;
use native::golden::cases;
use serde_json::{Value, json};
use toolbox::resources::{CLUSTER_USAGES, USAGES};

#[test]
fn usages_mean_what_they_say() {
    let mut wrong = Vec::new();
    for case in cases().expect("a readable corpus") {
        let (Ok(response), Ok(composite)) = (compose(&case.request), case.request.composite()) else { continue };
        wrong.extend(faults(composite, &response).into_iter().map(|what| format!("{}: {what}", case.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn faults(composite: &Value, response: &ComposeResponse) -> Vec<String> {
    let mut found = Vec::new();
    for (key, usage) in &response.resources {
        let usage = &usage.object;
        let is = |kind: &str| usage["kind"] == kind && usage["apiVersion"] == USAGES.api_version;
        if !is(USAGES.kind) && !is(CLUSTER_USAGES.kind) {
            continue;
        }
        let (of, by) = (&usage["spec"]["of"], &usage["spec"]["by"]);
        if same_kind(by, composite) && by["resourceRef"]["name"] == composite["metadata"]["name"] {
            found.push(format!("{key} is by its own composite"));
        }
        for (what, end) in [("of", of), ("by", by)].into_iter().filter(|(_, end)| end.is_object()) {
            let is_cluster_scoped = scope(end) == Some(Scope::Cluster);
            // Something cluster-scoped may use what is namespaced.
            let fits = if is(CLUSTER_USAGES.kind) { is_cluster_scoped } else { what == "by" || !is_cluster_scoped };
            if !fits {
                found.push(format!("{key}, a {}, has another scope than its `{what}`: {end}", usage["kind"]));
            }
            let selects = end.get("resourceSelector").is_some();
            let matches = response.resources.values().filter(|it| selected(end, &it.object)).count();
            if selects && matches > 1 {
                found.push(format!("the `{what}` of {key} selects {matches} objects"));
            }
        }
    }
    found
}

fn same_kind(one: &Value, other: &Value) -> bool {
    one["kind"] == other["kind"] && one["apiVersion"] == other["apiVersion"]
}

fn selected(end: &Value, object: &Value) -> bool {
    let labels = end["resourceSelector"]["matchLabels"].as_object();
    let mut labels = labels.into_iter().flatten();
    same_kind(end, object) && labels.all(|(key, value)| object["metadata"]["labels"][key] == *value)
}

/// The scope of a kind that is ours, or that one of ours composes.
fn scope(end: &Value) -> Option<Scope> {
    let ours = KINDS.rows.iter().find(|row| end["kind"] == row.kind && end["apiVersion"] == row.api_version);
    let mut composed = KINDS.rows.iter().flat_map(|row| row.composes);
    let other = || composed.find(|it| end["kind"] == it.kind && end["apiVersion"] == it.api_version).map(|it| it.scope);
    ours.map(|row| row.scope).or_else(other)
}

#[test]
fn wrong_usages_are_found() {
    use contract::compose::DesiredResource;
    use contract::types::Readiness;

    #[track_caller]
    fn check(kind: &str, of: Value, by: Value, want: &str) {
        let usage = json!({"apiVersion": USAGES.api_version, "kind": kind, "spec": {"of": of, "by": by}});
        let config = || json!({"apiVersion": "helm.m.crossplane.io/v1beta1", "kind": "Release"});
        let objects = [("usage", usage), ("a", config()), ("b", config())];
        let resource = |object| DesiredResource { object, readiness: Readiness::Unspecified };
        let resources = objects.into_iter().map(|(key, object)| (key.to_owned(), resource(object))).collect();
        let response = ComposeResponse { resources, ..ComposeResponse::default() };
        let composite =
            json!({"apiVersion": "modelplane.ai/v1alpha1", "kind": "InferenceCluster", "metadata": {"name": "c"}});
        let found = faults(&composite, &response);
        assert!(if want.is_empty() { found.is_empty() } else { found.iter().any(|it| it.contains(want)) }, "{found:?}");
    }
    let named = |api_version: &str, kind: &str, name: &str| json!({"apiVersion": api_version, "kind": kind, "resourceRef": {"name": name}});
    let class = || named("modelplane.ai/v1alpha1", "InferenceClass", "a");
    let stack = || named("infrastructure.modelplane.ai/v1alpha1", "ServingStack", "a");
    let own = named("modelplane.ai/v1alpha1", "InferenceCluster", "c");
    check("ClusterUsage", class(), own, "is by its own composite");
    check("ClusterUsage", class(), Value::Null, "");
    check("Usage", class(), stack(), "has another scope than its `of`");
    check("ClusterUsage", class(), stack(), "has another scope than its `by`");
    check("Usage", stack(), class(), "");
    let release = json!({"apiVersion": "helm.m.crossplane.io/v1beta1", "kind": "Release", "resourceSelector": {"matchControllerRef": true}});
    check("Usage", release, stack(), "selects 2 objects");
}
