//! The requests for measurements: the largest example of LLMInference, with all its resources observed and ready; and the largest of
//! ModelService of OtterScale's API, which becomes 17 objects.

use std::collections::BTreeMap;

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use function_sdk_rust::proto::v1::RunFunctionRequest;
use serde_json::{Value, json};

use crate::{function, wit};

/// The request of the contract.
pub fn request() -> host::wit::compose::Request {
    wit::request(&settled())
}

/// The request that Crossplane sends.
pub fn protobuf() -> RunFunctionRequest {
    function::from_domain(&settled())
}

/// The composite of the request.
pub fn composite() -> Value {
    example("llm-kimi")
}

/// The composite of the service.
pub fn service() -> Value {
    example("serve-llama")
}

/// The request for the service, before anything of it exists.
pub fn new_service() -> ComposeRequest {
    let options = json!({
        "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
        "modelService": {"providerConfigRef": {"name": "in-cluster"}},
    });
    ComposeRequest { composite: Some(service().into()), input: Some(options), ..ComposeRequest::default() }
}

/// The request for the service, with its 17 objects observed and ready.
pub fn settled_service() -> ComposeRequest {
    let request = new_service();
    let settled = settled_of(&request);
    assert_eq!(settled.observed.len(), 17, "{:?}", settled.observed.keys());
    settled
}

/// The request for a cluster on AWS with everything on, before anything of it exists. It has `many` namespaces, and as many
/// secrets in each.
pub fn new_cluster(many: usize) -> ComposeRequest {
    const EVERYTHING: &str = include_str!("../golden/gpu-cluster/aws-everything/composite.yaml");
    let mut composite = crate::golden::documents(EVERYTHING).expect("YAML").pop().expect("a document");
    let parameters = &mut composite["spec"]["parameters"];
    let namespaces: Vec<_> = (0..many).map(|at| format!("team-{at}")).collect();
    let secrets = namespaces.iter().flat_map(|namespace| {
        (0..many).map(
            move |at| json!({"fromSecret": "a", "toSecret": format!("{namespace}-{at}"), "toNamespace": namespace}),
        )
    });
    parameters["apps"]["externalSecrets"]["secrets"] = secrets.collect();
    parameters["namespaces"] = namespaces.into();
    // As our Compositions set it.
    let options = json!({
        "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
        "cluster": {"provider": "aws", "externalSecrets": "v1", "usages": "always", "ebsRights": "podIdentity"},
    });
    ComposeRequest { composite: Some(composite.into()), input: Some(options), ..ComposeRequest::default() }
}

/// A request, with everything that it composes observed and ready.
pub fn settled_of(request: &ComposeRequest) -> ComposeRequest {
    observed(request, |object| {
        let replicas = &object["spec"]["replicas"];
        json!({
            "replicas": replicas, "readyReplicas": replicas, "updatedReplicas": replicas,
            "conditions": [{"type": "Available", "status": "True"}, {"type": "Ready", "status": "True", "reason": "Available"}],
        })
    })
}

/// A request, with everything that it composes observed with a status.
fn observed(request: &ComposeRequest, status: impl Fn(&Value) -> Value) -> ComposeRequest {
    let response = module::compose(request).expect("it can be composed");
    let with_status = |mut object: Value| {
        object["status"] = status(&object);
        ObservedObject::from(object)
    };
    let observed = response.resources.into_iter().map(|(name, desired)| (name, with_status(desired.object))).collect();
    ComposeRequest { observed, ..request.clone() }
}

/// An example of the catalog.
pub(crate) fn example(name: &str) -> Value {
    let mut examples = inference::KINDS.rows.iter().flat_map(|kind| kind.examples);
    let found = examples.find(|example| example.name == name).expect("the example is in the catalog");
    crate::golden::documents(found.text).expect("examples are YAML").pop().expect("it has a document")
}

/// A typical object: a Deployment of about 4 kB.
pub fn typical_object(index: usize) -> Value {
    let variables: Vec<_> = (0..24)
        .map(|n| json!({"name": format!("VARIABLE_{n}"), "value": format!("value {n} of object {index}")}))
        .collect();
    let managed: BTreeMap<_, _> =
        (0..24).map(|n| (format!("f:field-{n}"), json!({"f:value": {}, "f:count": n}))).collect();
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": format!("other-{index}"), "namespace": "team-a", "uid": format!("00000000-0000-0000-0000-{index:012}"),
            "generation": 4, "resourceVersion": index.to_string(),
            "managedFields": [{"manager": "kubectl", "operation": "Apply", "fieldsV1": managed}],
        },
        "spec": {
            "replicas": 3, "progressDeadlineSeconds": 600,
            "template": {"spec": {"containers": [{"name": "main", "image": "registry.example.org/app:v1", "env": variables}]}},
        },
        "status": {"replicas": 3, "readyReplicas": 3, "conditions": [{"type": "Available", "status": "True", "reason": "Fine"}]},
    })
}

fn settled() -> ComposeRequest {
    let request = ComposeRequest { composite: Some(composite().into()), ..ComposeRequest::default() };
    observed(&request, |_| json!({"conditions": [{"type": "Ready", "status": "True", "reason": "Available"}]}))
}
