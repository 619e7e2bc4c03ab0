//! Cascades over a fleet: deployments of one file share it.

use std::collections::BTreeMap;

use contract::preview::{PreviewRequest, PreviewResponse};
use contract::types::KindRef;
use serde_json::Value;

use super::texts::{CLASS, cluster, deployment};

pub(super) fn preview(documents: &[String], cascade: bool) -> PreviewResponse {
    let text = documents.join("---");
    let request = PreviewRequest { cascade, ..PreviewRequest::about("fleet.yaml", text) };
    module::preview(&request)
}

/// The clusters of the replicas of each deployment, by name.
pub(super) fn places(response: &PreviewResponse) -> BTreeMap<String, Vec<String>> {
    let text = |object: &Value, at: &str| object.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut places = BTreeMap::new();
    for composite in &response.composites {
        let object = composite.object.object().expect("JSON");
        if KindRef::of(object).kind == "ModelDeployment" {
            let resources = composite.resources.iter().map(|resource| resource.object.object().expect("JSON"));
            let replicas = resources.filter(|object| KindRef::of(object).kind == "ModelReplica");
            let clusters = replicas.map(|replica| text(replica, "/spec/clusterName")).collect();
            places.insert(text(object, "/metadata/name"), clusters);
        }
    }
    places
}

fn messages(response: &PreviewResponse) -> Vec<&str> {
    response.diagnostics.iter().map(|diagnostic| diagnostic.problem.message.as_str()).collect()
}

/// What one deployment takes, the next one does not get. The first one in the texts chooses first.
#[test]
fn deployments_share_a_fleet() {
    #[track_caller]
    fn check(deployments: &[(&str, u32)], nodes: &[(&str, u32)], want: &[(&str, &[&str])]) {
        let clusters = nodes.iter().map(|(name, nodes)| cluster(name, *nodes));
        let wanted = deployments.iter().map(|(name, replicas)| deployment(name, *replicas));
        let documents: Vec<_> = std::iter::once(CLASS.to_owned()).chain(clusters).chain(wanted).collect();
        let response = preview(&documents, true);
        let found = places(&response);
        let found: Vec<(&str, Vec<&str>)> =
            found.iter().map(|(name, places)| (name.as_str(), places.iter().map(String::as_str).collect())).collect();
        let want: Vec<_> = want.iter().map(|(name, places)| (*name, places.to_vec())).collect();
        assert_eq!(found, want);
        assert_eq!(response, preview(&documents, true));
    }

    check(&[("u", 2)], &[("a", 1), ("b", 1)], &[("u", &["a", "b"])]);
    check(&[("u", 1), ("v", 1)], &[("a", 1), ("b", 1)], &[("u", &["a"]), ("v", &["b"])]);
    check(&[("v", 1), ("u", 1)], &[("a", 1), ("b", 1)], &[("u", &["b"]), ("v", &["a"])]);
    check(&[("u", 2), ("v", 2)], &[("a", 1), ("b", 2)], &[("u", &["a", "b"]), ("v", &["b"])]);
    check(&[("u", 3), ("v", 1)], &[("a", 2)], &[("u", &["a", "a"]), ("v", &[])]);
}

/// Without a cascade a cluster is what its document says.
#[test]
fn a_cluster_without_a_status_counts_as_up_in_a_cascade() {
    let documents = [CLASS.to_owned(), cluster("a", 2), cluster("b", 2), deployment("u", 1)];
    let counts_as =
        "InferenceCluster without a status counts as up, with the pools of its classes and a made-up address";
    #[track_caller]
    fn check(documents: &[String], cascade: bool, placed: usize, message: Option<&str>) {
        let response = preview(documents, cascade);
        assert_eq!(places(&response).values().map(Vec::len).sum::<usize>(), placed);
        assert_eq!(messages(&response), message.into_iter().collect::<Vec<_>>());
    }
    check(&documents, true, 1, Some(&format!("{counts_as}: `a`, `b`")));
    check(&documents, false, 0, None);
    // Nobody asks for clusters.
    check(&documents[..3], true, 0, None);
    let down = cluster("c", 1) + "status: {conditions: [{type: Ready, status: 'False'}]}\n";
    check(&[CLASS.to_owned(), down, deployment("u", 1)], true, 0, None);
    // Its class is not there.
    check(&documents[1..], true, 0, Some(&format!("{counts_as}: `a`, `b`")));
}

/// A service with half of its traffic for each of two deployments.
const SERVICE: &str = "
apiVersion: modelplane.ai/v1alpha1
kind: ModelService
metadata: {name: chat, namespace: ml}
spec:
  endpoints:
    - {selector: {matchLabels: {modelplane.ai/deployment: u}}}
    - {selector: {matchLabels: {modelplane.ai/deployment: v}}}
";

const GATEWAY: &str = "
apiVersion: modelplane.ai/v1alpha1
kind: InferenceGateway
metadata: {name: default}
spec: {backend: Traefik, traefik: {version: 40.2.0}}
";

/// Each composite: whether it is ready, and what it composes, by kind.
fn outline(response: &PreviewResponse) -> Vec<String> {
    let text = |object: &Value, at: &str| object.pointer(at).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut lines = Vec::new();
    for composite in &response.composites {
        let object = composite.object.object().expect("JSON");
        let conditions = object["status"]["conditions"].as_array().expect("conditions");
        let ready = conditions.iter().any(|it| it["type"] == "Ready" && it["status"] == "True");
        let mut resources: BTreeMap<String, usize> = BTreeMap::new();
        for resource in &composite.resources {
            let object = resource.object.object().expect("JSON");
            let weights = object.pointer("/spec/rules/0/backendRefs").and_then(Value::as_array).into_iter().flatten();
            let weights: String = weights.map(|backend| format!(" {}", backend["weight"])).collect();
            *resources.entry(format!("{}{weights}", KindRef::of(object).kind)).or_default() += 1;
        }
        let resources: Vec<_> = resources.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
        let (kind, name) = (text(object, "/kind"), text(object, "/metadata/name"));
        let name = name.split('-').next().unwrap_or_default();
        lines.push(format!("{kind} {name} {ready}: {}", resources.join(", ")));
    }
    lines
}

/// Endpoints exist once replicas serve, slices once Services exist, and routes once both do.
#[test]
fn everything_is_up_in_the_end() {
    let documents: Vec<_> = [CLASS, GATEWAY, SERVICE].map(str::to_owned).into_iter().collect();
    let documents = [documents, vec![cluster("a", 3), deployment("u", 1), deployment("v", 2)]].concat();
    let request = PreviewRequest { cascade: true, ..PreviewRequest::about("fleet.yaml", documents.join("---")) };
    let begun = outline(&module::preview(&request));
    assert!(begun.contains(&"ModelService chat true: ".to_owned()), "{begun:#?}");
    let up = module::preview(&PreviewRequest { settled: true, ..request.clone() });
    let want = [
        "InferenceClass l4 true: ",
        "InferenceGateway default true: 8 CustomResourceDefinition, 1 Gateway, 1 GatewayClass, 1 ProviderConfig, 1 Release, 3 Usage",
        "ModelService chat true: 1 HTTPRoute 2 1 1",
        // Its class makes no pool in a cloud.
        "InferenceCluster a true: 1 ClusterUsage",
        "ModelDeployment u true: 1 ModelEndpoint, 1 ModelReplica",
        "ModelEndpoint u true: 1 EndpointSlice, 1 Service",
        "ModelReplica u true: 10 Object",
        "ModelDeployment v true: 2 ModelEndpoint, 2 ModelReplica",
        "ModelEndpoint v true: 1 EndpointSlice, 1 Service",
        "ModelEndpoint v true: 1 EndpointSlice, 1 Service",
        "ModelReplica v true: 10 Object",
        "ModelReplica v true: 10 Object",
    ];
    assert_eq!(outline(&up), want);
    let known = ["InferenceCluster without a status", "InferenceGateway without a status"];
    let known = [known[0], known[1], "examples of what only a provider knows: `198.18.0.1`"];
    let said = messages(&up);
    assert!(said.len() == 3 && said.iter().all(|it| known.iter().any(|want| it.starts_with(want))), "{said:?}");
    // What somebody wrote is no example.
    let mut written = PreviewRequest { settled: true, ..request.clone() };
    written.sources[0].text.push_str("# 198.18.0.1\n");
    assert_eq!(messages(&module::preview(&written)).len(), 2);
    assert_eq!(module::preview(&PreviewRequest { settled: true, ..request.clone() }), up);
    // Only a cascade composes what is composed.
    let one = PreviewRequest { cascade: false, ..request };
    assert_eq!(module::preview(&PreviewRequest { settled: true, ..one.clone() }), module::preview(&one));
}
