//! Services of OtterScale's API, with what people may write in their fields.

use contract::catalog::ApiResource;
use inference::otterscale::resources::{
    DESTINATION_RULES, HTTP_ROUTES, INFERENCE_POOLS, POD_MONITORS, SERVICE_MONITORS,
};
use serde_json::json;

use super::subject::{Subject, composed, nothing};

/// More than a quarter of them are allowed.
pub(super) const SERVICES: Subject = Subject {
    what: "services",
    api_version: "model.otterscale.io/v1alpha1",
    kind: "ModelService",
    allowed: 2000,
    others: || OTHERS.to_vec(),
    named: nothing,
    names: NAMES,
    sections: ("modelService", SECTIONS),
    spec: |_| {
        json!({
            "model": {"name": "Qwen/Qwen3-0.6B", "image": "reg.example/qwen3:v1"}, "engine": {},
            "accelerator": {"type": "nvidia"}, "decode": {},
        })
    },
    fields: FIELDS,
    most: 7,
    beside: BESIDE,
    becomes: composed,
};

/// The kinds of others that services become.
const OTHERS: &[ApiResource] = &[POD_MONITORS, SERVICE_MONITORS, DESTINATION_RULES, HTTP_ROUTES, INFERENCE_POOLS];

/// Names of services.
const NAMES: &[&str] = &[
    "qwen3",
    "a",
    "0.6b",
    "qwen3-0.6b-fp8-dynamic",
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
    "7.mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm-m",
];

/// Options of the platform.
const SECTIONS: &[&str] = &[
    "{}",
    r#"{"providerConfigRef": {"name": "other"}}"#,
    r#"{"clusterRBAC": "direct", "alwaysMetricsAuth": true, "version": "v1.0.1"}"#,
    r#"{"provider": "gke", "tracing": {"enabled": true, "endpoint": "http://otel:4317"}, "version": ""}"#,
    r#"{"provider": "none", "defaultGateway": {"name": ""}, "metricsEndpointAuth": false, "plainHttp": false}"#,
    r#"{"images": {"kit": ""}, "endpointPickerFlags": {"v": "2", "a b": "$(id)\n"}, "unpackScript": "exit 0"}"#,
];

const RESOURCES: &str = r#"[{}, {"limits": {"cpu": "4", "memory": "8Gi"}}, {"limits": {"cpu": 4}, "requests": {"cpu": "500m"}},
    {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}}, {"limits": {"example.org/nic": 1}}, {"requests": {"example.org/nic": 1}},
    {"limits": {"example.org/nic": "500m"}}, {"limits": {"gpu": 1}}, {"limits": {"nvidia.com/gpu": 7}}, {"requests": {"nvidia.com/gpu": "1.5"}},
    {"limits": {"hugepages-2Mi": "4Mi", "memory": "1Gi"}}, {"limits": {"hugepages-2Mi": "4Mi"}}, {"limits": {"memory": -1}},
    {"limits": {"hugepages-2Mi": "3Mi", "cpu": 1}}, {"limits": {"hugepages-large": "2Mi", "cpu": 1}}, {"limits": {"hugepages-1.5": "3", "cpu": 1}},
    {"limits": {"memory": "1e3"}}, {"limits": {"memory": "100m"}}, {"limits": {"ephemeral-storage": "1Ti"}}, {"limits": {"kubernetes.io/a": 1}},
    {"limits": {"requests.example.org/a": 1}}, {"limits": {"a b/c": 1}}, {"claims": [{"name": "a"}]}, {"requests": {"cpu": "0"}}]"#;

const VARIABLES: &str = r#"[[], [{"name": "A", "value": "$(B)\n'\""}], [{"name": "A"}, {"name": "A", "value": "2"}], [{"name": "TP_SIZE", "value": "9"}],
    [{"name": "VLLM_NIXL_SIDE_CHANNEL_PORT", "value": "5600"}], [{"name": "VLLM_NIXL_SIDE_CHANNEL_PORT", "value": "8000"}],
    [{"name": "VLLM_NIXL_SIDE_CHANNEL_PORT", "value": "99999"}], [{"name": "a.b-c_D", "value": "x"}], [{"name": "A=B"}], [{"name": "a b"}], [{"name": "é"}],
    [{"name": "S", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b.c-d"}}}], [{"name": "S", "valueFrom": {"secretKeyRef": {"name": "", "key": "b"}}}],
    [{"name": "S", "valueFrom": {"secretKeyRef": {"name": "A b", "key": "b"}}}], [{"name": "S", "valueFrom": {"configMapKeyRef": {"name": "a_b", "key": "b"}}}],
    [{"name": "S", "valueFrom": {"secretKeyRef": {"name": "a", "key": ".."}}}], [{"name": "S", "valueFrom": {"configMapKeyRef": {"name": "a", "key": "b", "optional": true}}}],
    [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}], [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['a/b']"}}}],
    [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.annotations['A.org/B']"}}}], [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['A.org/b']"}}}],
    [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels"}}}], [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "spec.x"}}}],
    [{"name": "F", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name", "apiVersion": "v2"}}}],
    [{"name": "R", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}], [{"name": "R", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}}],
    [{"name": "R", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "7"}}}], [{"name": "R", "valueFrom": {"resourceFieldRef": {"resource": "limits.gpu"}}}],
    [{"name": "R", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory", "containerName": "nobody"}}}], [{"name": "B", "value": "1", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
    [{"name": "K", "valueFrom": {"fileKeyRef": {"volumeName": "v", "path": "p", "key": "k"}}}]]"#;

const TOLERATIONS: &str = r#"[[], [{"operator": "Exists"}], [{}], [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}], [{"key": "a", "value": "b"}],
    [{"key": "a", "value": "b c"}], [{"key": "a b"}], [{"key": "a", "effect": "NoExecute", "tolerationSeconds": -1}], [{"key": "a", "tolerationSeconds": 1}],
    [{"key": "a", "operator": "Exists", "value": "b"}], [{"key": "a", "operator": "Lt", "value": "5"}], [{"key": "a", "effect": "Never"}]]"#;

const STRATEGIES: &str = r#"["InPlace", "RollingUpdate"]"#;
const BUDGETS: &str =
    r#"[{"maxUnavailable": 1}, {"maxUnavailable": 0}, {"maxUnavailable": 2147483647}, {}, {"maxUnavailable": -1}]"#;
const SIZES: &str = "[1, 2, 3, 8, 2147483647]";

/// Fields of a service, each with what people may write there.
#[rustfmt::skip]
const FIELDS: &[(&str, &str)] = &[
    ("/model/name", r#"["Qwen/Qwen3-0.6B", "a b", "-x", "é", "$(A)"]"#),
    ("/model/image", r#"["ghcr.io/acme/a:v1", " a", "a b", "A/B", "a@sha256:0"]"#),
    ("/model/mountPath", r#"["/models", "models", "", "/", "/tmp/model-oci", "/.docker", "/dev/shm", "/a:b", "/a/../b", "../a", "/certs", "/tmp"]"#),
    ("/model/delivery", r#"["ImageVolume", "InitContainer"]"#),
    ("/model/imagePullSecrets", r#"[[], [{"name": "a"}], [{"name": "a"}, {"name": "a"}], [{"name": "a"}, {}], [{}], [{"name": "A b"}], [{"name": ""}, {"name": "a"}]]"#),
    ("/engine/image", r#"["vllm:v1", "", " ", "a ", "a\n"]"#),
    ("/engine/imagePullPolicy", r#"["Always", "IfNotPresent", "Never", "", "Sometimes"]"#),
    ("/engine/args", r#"[["--a=b", "", "$(A)\n"], ["--port=1"], []]"#),
    ("/engine/env", VARIABLES),
    ("/engine/port", "[8000, 1, 65535, 9002, 8200, 5600]"),
    ("/engine/probes", "[true, false]"),
    ("/engine/sharedMemory", r#"["8Gi", 1024, "-1", "100m", "0", 0]"#),
    ("/accelerator/type", r#"["nvidia", "amd", "intel-gaudi", "google", "cpu"]"#),
    ("/decode/replicas", "[0, 1, 7, 2147483647]"),
    ("/decode/parallelism/tensor", SIZES),
    ("/decode/parallelism/data", SIZES),
    ("/decode/parallelism/dataLocal", SIZES),
    ("/decode/resources", RESOURCES),
    ("/decode/nodeSelector", r#"[{"a/b": "c"}, {"d": "e f"}, {"a b": "c"}, {"x": ""}, {}]"#),
    ("/decode/tolerations", TOLERATIONS),
    ("/decode/annotations", r#"[{"a/b": "c\n$(d)"}, {"a b": "c"}, {"A.b": ""}, {"A/B": "c"}, {"": "c"}, {"a/": "b"}]"#),
    ("/decode/args", r#"[["--x"], []]"#),
    ("/decode/env", VARIABLES),
    ("/decode/strategy", STRATEGIES),
    ("/decode/externalScaler", "[true, false]"),
    ("/decode/disruptionBudget", BUDGETS),
    ("/prefill", "[{}]"),
    ("/prefill/replicas", "[0, 3]"),
    ("/prefill/parallelism/tensor", SIZES),
    ("/prefill/resources", RESOURCES),
    ("/prefill/nodeSelector", r#"[{"a/b": "c"}, {"A/b": "c"}]"#),
    ("/prefill/annotations", r#"[{"A/b": ""}, {"a": "b"}, {"a b": "c"}]"#),
    ("/prefill/strategy", STRATEGIES),
    ("/prefill/externalScaler", "[true, false]"),
    ("/prefill/tolerations", TOLERATIONS),
    ("/prefill/env", VARIABLES),
    ("/prefill/disruptionBudget", BUDGETS),
    ("/routingProxy", "[{}]"),
    ("/routingProxy/image", r#"["proxy:v1", "", " a"]"#),
    ("/routingProxy/connector", r#"["nixlv2", "", "a b"]"#),
    ("/routingProxy/targetPort", "[8200, 8000, 1, 65535]"),
    ("/routingProxy/zapEncoder", r#"["json", "", "\n"]"#),
    ("/routingProxy/zapLogLevel", r#"["debug", "", "a b"]"#),
    ("/routingProxy/secureProxy", "[true, false]"),
    ("/routingProxy/prefillerUseTLS", "[true, false]"),
    ("/routingProxy/certPath", r#"["/certs", "certs", "", "/models", "/a:b"]"#),
    ("/routingProxy/certSecretRef", r#"[{"name": "a"}, {"name": "A b"}]"#),
    ("/inferencePool", r#"[{"endpointPicker": {}}]"#),
    ("/inferencePool/endpointPicker/image", r#"["epp:v1", "", "a "]"#),
    ("/inferencePool/endpointPicker/replicas", "[0, 1, 2, 9]"),
    ("/inferencePool/endpointPicker/resources", RESOURCES),
    ("/inferencePool/endpointPicker/port", "[9002, 9003, 9090, 1, 65535]"),
    ("/inferencePool/endpointPicker/failureMode", r#"["FailOpen", "FailClose"]"#),
    ("/httpRoute", r#"[{"gatewayRef": {"name": "gw"}}]"#),
    ("/httpRoute/gatewayRef", r#"[{"name": "gw", "namespace": "infra"}, {"name": "GW b"}, {"name": "gw", "namespace": ""}, {"name": "gw", "namespace": "A"}, {"name": "gw", "namespace": "team-a"}, {"name": "gw", "namespace": "a.b"}]"#),
    ("/httpRoute/hostnames", r#"[[], ["a.example.org"], ["*.example.org", "b"], ["A.org"], ["*"], ["a..b"], ["1.2.3.4"], ["a.example.org", "a.example.org"], ["*.a.*"], [""]]"#),
    ("/monitoring", r#"[{}, {"podMonitor": {}}, {"podMonitor": {"enabled": true}}]"#),
    ("/monitoring/podMonitor/enabled", "[true, false]"),
    ("/monitoring/podMonitor/portName", r#"["http", "sixteen--letters", "fifteen-letters", "", "A b", "-"]"#),
    ("/monitoring/podMonitor/path", r#"["/metrics", "metrics", "", "/a b"]"#),
    ("/monitoring/podMonitor/interval", r#"["30s", "1m30s", "0", "", "half", "1.5s", "1h2h"]"#),
];

/// Fields that the schema wants beside one.
const BESIDE: &[(&str, &str, &str)] = &[
    ("/routingProxy/certSecretRef", "/routingProxy/certPath", r#""/certs""#),
    ("/httpRoute", "/httpRoute/gatewayRef", r#"{"name": "gw"}"#),
    ("/httpRoute/hostnames", "/httpRoute/gatewayRef", r#"{"name": "gw"}"#),
    ("/monitoring/podMonitor/portName", "/monitoring/podMonitor/enabled", "true"),
    ("/monitoring/podMonitor/path", "/monitoring/podMonitor/enabled", "true"),
    ("/monitoring/podMonitor/interval", "/monitoring/podMonitor/enabled", "true"),
];
