//! Previews of a fleet: deployments of one file share it.

use std::collections::BTreeMap;

use contract::preview::{PreviewRequest, PreviewResponse};
use contract::types::KindRef;
use serde_json::Value;

const CLASS: &str = "
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: l4-1}
spec:
  devices:
    - {name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, capacity: {memory: {value: 23034Mi}}}
";

/// A cluster without a status.
fn cluster(name: &str, nodes: u32) -> String {
    format!(
        "
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {{name: {name}}}
spec:
  cluster: {{source: GKE, gke: {{region: europe-west4}}}}
  nodePools: [{{name: l4, className: l4-1, nodeCount: {nodes}, zones: [europe-west4-a]}}]
"
    )
}

fn deployment(name: &str, replicas: u32) -> String {
    format!(
        "
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {{name: {name}, namespace: ml}}
spec:
  replicas: {replicas}
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector: {{devices: [{{name: gpu, selectors: [{{cel: 'true'}}]}}]}}
              template: {{spec: {{containers: [{{name: engine, image: 'vllm/vllm-openai:v0.11.0'}}]}}}}
"
    )
}

fn preview(documents: &[String], cascade: bool) -> PreviewResponse {
    let text = documents.join("---");
    let request = PreviewRequest { cascade, ..PreviewRequest::about("fleet.yaml", text) };
    module::preview(&request)
}

/// The clusters of the replicas of each deployment.
fn places(response: &PreviewResponse) -> BTreeMap<String, Vec<String>> {
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
