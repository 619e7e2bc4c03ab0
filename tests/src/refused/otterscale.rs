//! Objects of OtterScale's API that every door refuses.

use serde_json::json;

use super::objects::InvalidObjects;

const API_VERSION: &str = "model.otterscale.io/v1alpha1";

pub(super) const MODEL_ARTIFACT: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelArtifact",
    spec: || {
        json!({
            "source": {"huggingFace": {"model": "facebook/opt-125m"}},
            "target": {"registry": "ghcr.io", "repository": "acme/opt-125m"},
            "storage": {"size": "5Gi"},
        })
    },
    fields: || {
        vec![
            ("/spec/source", vec![json!({}), json!(null), json!({"huggingFace": {}})]),
            (
                "/spec/source/huggingFace/model",
                vec![json!(""), json!("-x"), json!("a b"), json!("$(id)"), json!("a\n")],
            ),
            ("/spec/source/huggingFace/revision", vec![json!(""), json!("a;b"), json!(1)]),
            ("/spec/target/registry", vec![json!("a/b"), json!(""), json!(null)]),
            ("/spec/target/repository", vec![json!("/a"), json!("`id`")]),
            ("/spec/target/tag", vec![json!(""), json!("a:b"), json!("a".repeat(129))]),
            ("/spec/format", vec![json!("Tar"), json!("")]),
            ("/spec/storage", vec![json!({}), json!({"size": "five"}), json!({"size": true})]),
            // By policies.
            ("/spec/storage/size", vec![json!("0"), json!(0), json!(-1), json!("-5Gi")]),
            ("/spec/storage/storageClassName", vec![json!("Fast"), json!("a b"), json!("a..b")]),
            (
                "/spec/source/huggingFace/tokenSecretRef",
                vec![json!({"name": "hf", "key": "a/b"}), json!({"name": "hf", "key": ".."}), json!({"name": "A b"})],
            ),
            ("/spec/targets", vec![json!({})]),
        ]
    },
    names: &[],
    specs: || vec![("missing fields", json!({"format": "ModelKit"}))],
    judged: Vec::new,
};

pub(super) const MODEL_SERVICE: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelService",
    spec: || {
        json!({
            "model": {"name": "qwen/Qwen3-32B", "image": "ghcr.io/acme/qwen3:v1"},
            "engine": {"env": [{"name": "A", "value": "1"}]},
            "accelerator": {"type": "nvidia"},
            "decode": {"parallelism": {}},
            "inferencePool": {"endpointPicker": {}},
        })
    },
    fields: || {
        vec![
            ("/spec/model", vec![json!({}), json!(null), json!({"name": "", "image": "a"})]),
            ("/spec/model/name", vec![json!(""), json!(1), json!("a".repeat(254))]),
            ("/spec/engine", vec![json!(null), json!({"port": 0}), json!({"port": 65_536}), json!({"args": "a"})]),
            ("/spec/engine/env/0", vec![json!({}), json!({"name": "A", "values": "1"}), json!("A=1")]),
            ("/spec/accelerator/type", vec![json!("tpu"), json!(""), json!(null)]),
            ("/spec/decode", vec![json!(null), json!({"replicas": -1}), json!({"replicas": 2_147_483_648_u64})]),
            ("/spec/decode/parallelism/tensor", vec![json!(0), json!("1"), json!(1.5)]),
            ("/spec/decode/resources", vec![json!({"limits": {"cpu": "four"}}), json!({"limits": {"cpu": true}})]),
            ("/spec/prefill", vec![json!([]), json!("decode")]),
            ("/spec/inferencePool", vec![json!({})]),
            ("/spec/inferencePool/endpointPicker/failureMode", vec![json!("Open"), json!("")]),
            ("/spec/httpRoute", vec![json!({}), json!({"gatewayRef": {"name": ""}})]),
            ("/spec/decoder", vec![json!({})]),
            // By policies.
            ("/spec/engine/imagePullPolicy", vec![json!("Sometimes")]),
            (
                "/spec/monitoring",
                vec![
                    json!({"podMonitor": {"interval": "half a minute"}}),
                    json!({"podMonitor": {"interval": "1m1h"}}),
                    json!({"podMonitor": {"portName": "sixteen--letters"}}),
                ],
            ),
            ("/spec/inferencePool/endpointPicker/port", vec![json!(9003), json!(9090)]),
        ]
    },
    names: &[],
    specs: || vec![("missing fields", json!({"engine": {}}))],
    judged: || {
        vec![
            (
                "/spec/decode/resources",
                vec![
                    json!({"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}),
                    json!({"limits": {"example.org/nic": "500m"}}),
                    json!({"limits": {"gpu": 1}}),
                ],
            ),
            ("/spec/decode/tolerations", vec![json!([{}]), json!([{"key": "a", "operator": "Exists", "value": "b"}])]),
            ("/spec/engine/env", vec![json!([{"name": "A", "valueFrom": {}}]), json!([{"name": "A=B"}])]),
            (
                "/spec/decode/env",
                vec![json!([{"name": "A", "valueFrom": {"secretKeyRef": {"name": "A b", "key": "a"}}}])],
            ),
            (
                "/spec/engine/env/0",
                vec![
                    json!({"name": "A", "valueFrom": {"fieldRef": {"apiVersion": "v2", "fieldPath": "metadata.name"}}}),
                    json!({"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": 7}}}),
                ],
            ),
            ("/spec/model/mountPath", vec![json!("/tmp/model-oci")]),
            ("/spec/httpRoute", vec![json!({"gatewayRef": {"name": "gw"}, "hostnames": ["A.org"]})]),
        ]
    },
};
