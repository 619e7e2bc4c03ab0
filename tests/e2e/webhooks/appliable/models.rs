//! InferenceModels, with what people may write in their fields.

use serde_json::json;

use super::subject::{Subject, composed, none, nothing};

/// More than a quarter of them are allowed.
pub(super) const MODELS: Subject = Subject {
    what: "models",
    api_version: "inference.eh-ops.io/v1alpha1",
    kind: "InferenceModel",
    allowed: 1000,
    others: none,
    named: nothing,
    names: NAMES,
    sections: ("inferenceModel", SECTIONS),
    spec: |_| {
        json!({
            "modelName": "qwen3-32b", "memory": "60Gi", "backendUrl": "http://qwen3.models.svc:8080",
            "containerImage": "registry.example.org/serve:v1",
        })
    },
    fields: FIELDS,
    most: 6,
    beside: &[],
    becomes: composed,
};

/// Names of models.
const NAMES: &[&str] = &[
    "qwen3",
    "a",
    "0.6b",
    "qwen3-0.6b-fp8-dynamic",
    "1a",
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
    "7.mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm-m",
];

/// Options of the platform. Nothing is looked up, so no model depends on another one, and there are no totals.
const SECTIONS: &[&str] = &[
    r#"{"dependencies": false}"#,
    r#"{"dependencies": false, "startupProbe": true, "containerPort": 65535}"#,
    r#"{"dependencies": false, "service": false, "gpuResourceName": "amd.com/gpu"}"#,
    r#"{"dependencies": false, "containerPort": 1, "recommendBelowPercent": 0}"#,
];

const AMOUNTS: &str = r#"["", "0", "1", "2", "500m", "1.5", "1e3", "64Gi", "60Gi", "61440Mi", "0.5Gi", "100Ti", "8Ei", "-1", "many", "1 ", "1Gib"]"#;
const GPUS: &str = r#"["", "0", "1", "2", "2000m", "8", "0.5", "-1", "one", "1Gi"]"#;

/// Fields, each with what people may write there.
const FIELDS: &[(&str, &str)] = &[
    ("/modelName", r#"["a", "Qwen/Qwen3:32B", "模型", " ", "a b", "$(id)", "-", "/models/a/", "a\nb", ".."]"#),
    ("/memory", r#"["1Ki", "80Gi", "16384Mi", "1Ti", "8388607Ti", "8388608Ti", "0Gi", "00080Gi", "1.5Gi", "80"]"#),
    (
        "/backendUrl",
        r#"["http://a", "https://a.example.org:8443/v1?x=$(id)", "http://[::1]:80", "a:b", "http://qwen3:9"]"#,
    ),
    (
        "/nodeSelector",
        r#"[{}, {"inference-pool": "gpu-a100"}, {"inference-pool": ""}, {"a": "b", "nvidia.com/gpu.product": "A100-SXM4-80GB"},
            {"a b": "c"}, {"a": "b c"}, {"a/b/c": "d"}, {"Example.org/a": "b"}, {"a": "-b"}]"#,
    ),
    ("/cooldownPeriod", r#"["", "0", "-1s", "1ns", "90s", "1h30m", "soon", "1.5µs", "2562047h"]"#),
    ("/maxReplicas", "[0, 1, 2]"),
    ("/dependencies", r#"[[], ["a"], ["a", "a"], [""]]"#),
    ("/containerImage", r#"["", " ", "a", " a", "a ", "A b", "a:v1@sha256:0"]"#),
    ("/resources", r#"[{}, {"requests": {}}, {"limits": {}}]"#),
    ("/resources/requests/cpu", AMOUNTS),
    ("/resources/requests/memory", AMOUNTS),
    ("/resources/requests/gpu", GPUS),
    ("/resources/limits/cpu", AMOUNTS),
    ("/resources/limits/memory", AMOUNTS),
    ("/resources/limits/gpu", GPUS),
];
