//! InferenceModels that every door refuses.

use serde_json::json;

use super::objects::InvalidObjects;

pub(super) const INFERENCE_MODEL: InvalidObjects = InvalidObjects {
    api_version: "inference.eh-ops.io/v1alpha1",
    kind: "InferenceModel",
    spec: || {
        json!({
            "modelName": "qwen3-32b",
            "memory": "60Gi",
            "backendUrl": "http://qwen.models.svc:8080",
            "containerImage": "registry.example.org/serve:v1",
            "resources": {"requests": {}, "limits": {}},
        })
    },
    fields: || {
        vec![
            ("/spec/modelName", vec![json!(""), json!(1), json!(null)]),
            ("/spec/memory", vec![json!("80"), json!("1.5Gi"), json!("16GB"), json!(80), json!(null)]),
            ("/spec/backendUrl", vec![json!("qwen"), json!(1), json!(null)]),
            ("/spec/nodeSelector", vec![json!([]), json!({"inference-pool": 1})]),
            ("/spec/cooldownPeriod", vec![json!(10)]),
            ("/spec/maxReplicas", vec![json!(2), json!(-1), json!("1")]),
            ("/spec/dependencies", vec![json!("a"), json!([1])]),
            ("/spec/containerImage", vec![json!(1)]),
            ("/spec/resources/requests/cpu", vec![json!(1)]),
            ("/spec/models", vec![json!({})]),
        ]
    },
    names: &[],
    specs: || vec![("missing fields", json!({"memory": "60Gi"}))],
    judged: || {
        vec![
            ("/spec/memory", vec![json!("0Gi"), json!("1000000000000000000000000000000Ti")]),
            ("/spec/resources/requests/gpu", vec![json!("0.5"), json!("one")]),
            ("/spec/resources/requests/memory", vec![json!("61Gi"), json!("much")]),
            ("/spec/nodeSelector", vec![json!({"a b": "c"})]),
            // An API server takes a list where a text has a format.
            ("/spec/backendUrl", vec![json!([]), json!(["http://qwen.models.svc:8080"])]),
        ]
    },
};
