//! The request for measurements: the largest example of LLMInference, with all its resources observed and ready.

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
    let examples = inference::KINDS.rows.iter().flat_map(|kind| kind.examples);
    let kimi = examples.clone().find(|example| example.name == "llm-kimi").expect("the example is in the catalog");
    crate::golden::documents(kimi.text).expect("examples are YAML").pop().expect("it has a document")
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
    let mut request = ComposeRequest { composite: Some(composite().into()), ..ComposeRequest::default() };
    let response = module::compose(&request).expect("examples can be composed");
    let ready = |mut object: Value| {
        object["status"] = json!({"conditions": [{"type": "Ready", "status": "True", "reason": "Available"}]});
        ObservedObject::from(object)
    };
    request.observed = response.resources.into_iter().map(|(name, desired)| (name, ready(desired.object))).collect();
    request
}
