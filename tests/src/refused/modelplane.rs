//! Invalid objects of Modelplane's kinds.

use serde_json::{Value, json};

use super::objects::{InvalidField, InvalidObjects};

const API_VERSION: &str = "modelplane.ai/v1alpha1";

pub(super) const INFERENCE_CLASS: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "InferenceClass",
    spec: || {
        json!({
            "provisioning": {
                "provider": "GKE",
                "gke": {"machineType": "g2-standard-8", "accelerator": {"type": "nvidia-l4", "count": 1}},
            },
            "devices": [{
                "name": "gpu",
                "driver": "gpu.nvidia.com",
                "deviceClassName": "gpu.nvidia.com",
                "attributes": {"architecture": {"string": "Ada Lovelace"}},
                "capacity": {"memory": {"value": "23034Mi"}},
            }],
        })
    },
    fields: || {
        vec![
            ("/spec/devices", vec![json!([]), json!({}), json!(null), many(17, &device)]),
            ("/spec/devices/0/name", texts(63)),
            ("/spec/devices/0/driver", texts(253)),
            ("/spec/devices/0/claim", vec![json!("dra"), json!(""), json!(1)]),
            ("/spec/devices/0/deviceClassName", vec![json!(""), json!(1), json!(null), json!("a".repeat(254))]),
            ("/spec/devices/0/count", numbers(64)),
            (
                "/spec/devices/0/attributes/architecture",
                vec![json!({}), json!("Hopper"), two_types(), json!({"text": "a"})],
            ),
            ("/spec/devices/0/capacity/memory", vec![json!({}), json!("80Gi"), json!({"value": ""})]),
            ("/spec/provisioning/provider", vec![json!("EKS"), json!("gke"), json!(""), json!(null)]),
            ("/spec/provisioning/gke/machineType", vec![json!(""), json!(1), json!(null)]),
            ("/spec/provisioning/gke/diskSizeGb", vec![json!(9), json!("100")]),
            ("/spec/device", vec![json!([])]),
        ]
    },
    names: &[],
    specs: || {
        let repeated = json!({"devices": [device(0), device(0)]});
        let without_class = json!({"devices": [{"name": "gpu", "driver": "gpu.nvidia.com"}]});
        vec![("a device twice", repeated), ("a device without class", without_class)]
    },
    judged: || {
        vec![
            ("/spec/attributes", vec![json!({"gpu.nvidia.com/architecture": {"string": "Hopper"}})]),
            ("/spec/capacity", vec![json!({"gpu.nvidia.com/memory": {"value": "80Gi"}})]),
            ("/spec/resources", vec![json!({"gpu": {"count": 2, "memory": "80Gi"}})]),
        ]
    },
};

pub(super) const INFERENCE_CLUSTER: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "InferenceCluster",
    spec: || {
        json!({
            "cluster": {"source": "GKE", "gke": {"region": "us-central1"}},
            "taints": [{"key": "reserved", "effect": "NoSchedule"}],
            "nodePools": [{"name": "l4", "className": "l4-1", "maxNodeCount": 8, "zones": ["us-central1-a"], "fabric": {"type": "None"}}],
        })
    },
    fields: || {
        vec![
            ("/spec/cluster", vec![json!({}), json!(null), json!("GKE")]),
            ("/spec/cluster/source", vec![json!("EKS"), json!("Existing"), json!("gke"), json!(""), json!(null)]),
            ("/spec/cluster/gke", vec![json!({}), json!(null), json!({"region": "r".repeat(33)})]),
            ("/spec/taints/0/effect", vec![json!("PreferNoSchedule"), json!(""), json!(null)]),
            ("/spec/taints/0/key", vec![json!(""), json!(1), json!(null)]),
            ("/spec/nodePools", vec![json!([]), json!({}), many(9, &pool)]),
            ("/spec/nodePools/0/name", vec![json!("a".repeat(41)), json!(1), json!(null)]),
            ("/spec/nodePools/0/className", texts(253)),
            ("/spec/nodePools/0/nodeCount", vec![json!(-1), json!(1.5), json!("1")]),
            ("/spec/nodePools/0/maxNodeCount", vec![json!(0), json!("1")]),
            (
                "/spec/nodePools/0/fabric",
                vec![json!({"type": "Ethernet"}), of_fabric("None", "a"), of_fabric("InfiniBand", "")],
            ),
            ("/spec/nodePools/0/capacityBlock", vec![json!({}), json!({"capacityReservationId": "cr-XYZ"})]),
            ("/spec/nodePool", vec![json!([])]),
        ]
    },
    names: &[],
    specs: || {
        let nebius = json!({
            "cluster": {"source": "Nebius", "nebius": {}},
            "nodePools": [{"name": "a", "className": "b", "fabric": {"type": "InfiniBand"}}],
        });
        let twice = json!({"cluster": {"source": "Nebius", "nebius": {}}, "nodePools": [pool(0), pool(0)]});
        vec![("a fabric without its name", nebius), ("a pool twice", twice)]
    },
    judged: || {
        vec![
            ("/spec/nodePools/0/name", listed(&["a b", "-a", "a-", "_a", "a/b", "ü", "a:b", ".", "a*"])),
            ("/spec/nodePools/0/class", vec![json!("l4-1")]),
            ("/spec/nodePools/0/name", vec![json!("system")]),
            ("/spec/nodePools/0/zones", vec![json!([])]),
            ("/spec/nodePools/0/fabric", vec![json!({"type": "EFA"}), of_fabric("InfiniBand", "fabric-2")]),
            ("/spec/nodePools/0/capacityBlock", vec![json!({"capacityReservationId": "cr-0123"})]),
            ("/spec/nodePools/0/minNodeCount", vec![json!(9)]),
            ("/spec/nodePools/0/nodeCount", vec![json!(9), json!(1001)]),
            ("/spec/nodePools/0/maxNodeCount", vec![json!(1001)]),
            ("/spec/nodePools/0/zones", vec![json!(["us-central1-a", "us-central1-a"])]),
            ("/spec/cluster/gke/kubernetesVersion", vec![json!(""), json!("1.36.1-gke.1234567")]),
        ]
    },
};

pub(super) const INFERENCE_GATEWAY: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "InferenceGateway",
    spec: || json!({"backend": "Traefik", "traefik": {"version": "40.2.0"}}),
    fields: || {
        vec![
            ("/spec/backend", vec![json!("traefik"), json!(""), json!(1), json!(null)]),
            ("/spec/traefik", vec![json!({}), json!(null), json!("40.2.0")]),
            ("/spec/traefik/loadBalancer", vec![json!("MetalLB"), json!("metallb"), json!("")]),
            ("/spec/traefik/version", vec![json!(1), json!(null)]),
            ("/spec/traefic", vec![json!({})]),
        ]
    },
    names: &[],
    specs: || vec![("without its part", json!({"backend": "Traefik"}))],
    judged: || vec![("/spec/type", vec![json!("Envoy")]), ("/spec/envoyGateway", vec![json!({})])],
};

pub(super) const MODEL_CACHE: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelCache",
    spec: || {
        json!({
            "source": "HuggingFace",
            "huggingFace": {"repo": "Qwen/Qwen3-8B", "sizeGiB": 20, "authSecret": {"name": "token"}},
            "clusterSelector": {"matchLabels": {"tier": "prod"}},
        })
    },
    fields: || {
        vec![
            ("/spec/source", vec![json!("huggingFace"), json!("S3"), json!(""), json!(null)]),
            ("/spec/huggingFace", vec![json!({}), json!(null), json!("Qwen/Qwen3-8B")]),
            ("/spec/huggingFace/repo", vec![json!(""), json!(1), json!(null)]),
            ("/spec/huggingFace/repo", listed(NO_SOURCES)),
            ("/spec/huggingFace/revision", listed(NO_SOURCES)),
            ("/spec/huggingFace/sizeGiB", vec![json!(0), json!(100_001), json!("20"), json!(null)]),
            ("/spec/huggingFace/authSecret", vec![json!({}), json!({"name": ""}), json!("token")]),
            ("/spec/clusterSelector/matchLabels", vec![json!([]), json!({"tier": 1})]),
            ("/spec/huggingFase", vec![json!({})]),
        ]
    },
    names: &[],
    specs: || vec![("without its part", json!({"source": "HuggingFace"}))],
    judged: Vec::new,
};

pub(super) const MODEL_DEPLOYMENT: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelDeployment",
    spec: || json!({"replicas": 2, "template": {"spec": {"engines": [engine("vllm", &placed)]}}}),
    fields: || {
        let mut fields = vec![
            ("/spec/replicas", [numbers(10), vec![json!(null)]].concat()),
            ("/spec/template", vec![json!({}), json!("a")]),
            (
                "/spec/template/metadata",
                vec![
                    json!({"labels": {"modelplane.ai/deployment": "a"}}),
                    json!({"labels": {"a b": "c"}}),
                    json!({"labels": {"a": "b c"}}),
                    json!({"labels": {"a": "b".repeat(64)}}),
                    json!({"labels": {"-a": "b"}}),
                    json!({"labels": {format!("{}/a", "b".repeat(254)): "c"}}),
                    json!({"labels": []}),
                ],
            ),
            ("/spec/template/spec/clusterSelector", vec![json!([]), json!({"matchLabels": {"tier": 1}})]),
            ("/spec/template/spec/modelCacheRef", vec![json!({}), json!({"name": ""}), json!("kimi")]),
            (
                "/spec/template/spec/tolerations",
                vec![
                    json!([{"operator": "Equal", "value": "a"}]),
                    json!([{"key": "a", "operator": "Exists", "value": "b"}]),
                    json!([{"key": "a", "operator": "Like"}]),
                    json!([{"key": "a", "effect": "PreferNoSchedule"}]),
                ],
            ),
            ("/spec/replica", vec![json!(2)]),
        ];
        fields.extend(engines("/spec/template/spec"));
        fields
    },
    names: NO_SERVICES_OF_REPLICAS,
    specs: || {
        let one = |engine: Value| json!({"replicas": 1, "template": {"spec": {"engines": [engine]}}});
        let mut without_devices = engine("vllm", &placed);
        without_devices["members"][0]["nodeSelector"] = json!(null);
        let twice =
            json!({"replicas": 1, "template": {"spec": {"engines": [engine("a", &placed), engine("a", &placed)]}}});
        vec![("no member with devices", one(without_devices)), ("an engine twice", twice)]
    },
    judged: || {
        vec![
            ("/spec/template/spec/engines/0/members/0/nodeSelector/devices/0/selectors/0/cel", listed(NO_EXPRESSIONS)),
            ("/spec/template/spec/engines/0/name", listed(NO_LABELS)),
            ("/spec/template/spec/engines", vec![json!([gang(&"a".repeat(60), &placed)]), json!([gang("A", &placed)])]),
            ("/spec/template/spec", ["http", "80a", ""].map(|port| disaggregated(port, &placed)).to_vec()),
            ("/spec/template", vec![json!(null)]),
            ("/spec/engines", vec![json!([engine("vllm", &placed)])]),
            ("/spec/serving", vec![json!({"mode": "Unified"}), json!([{"engine": {"image": "a"}}])]),
            ("/spec/clusterSelector", vec![json!({"matchLabels": {"tier": "a"}})]),
            ("/spec/modelCacheRef", vec![json!({"name": "qwen"})]),
            ("/spec/workers", vec![json!({}), json!({"topology": {"tensor": 1}})]),
            ("/spec/prefill", vec![json!({})]),
            ("/spec", [json!({"tensor": 1, "data": 9, "dataLocal": 2}), json!({"tensor": 65})].map(one_role).to_vec()),
        ]
    },
};

pub(super) const MODEL_ENDPOINT: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelEndpoint",
    spec: || json!({"url": "https://inference.example.org/v1", "rewritePath": "/openai/"}),
    fields: || {
        vec![
            ("/spec/url", vec![json!(""), json!(1), json!([]), json!(null)]),
            ("/spec/rewritePath", vec![json!(1), json!({})]),
            ("/spec/uri", vec![json!("https://inference.example.org")]),
        ]
    },
    names: NO_SERVICES,
    specs: || vec![("without a URL", json!({"rewritePath": "/"}))],
    judged: || vec![("/spec/url", listed(URLS))],
};

pub(super) const MODEL_REPLICA: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelReplica",
    spec: || json!({"clusterName": "own", "engines": [engine("vllm", &pinned)]}),
    fields: || {
        let mut fields = vec![
            ("/spec/clusterName", vec![json!(""), json!(1), json!(null)]),
            ("/spec/modelCacheRef", vec![json!({}), json!({"name": ""}), json!("kimi")]),
            ("/spec/engines/0/members/0/nodePoolName", vec![json!(""), json!(1), json!(null)]),
            ("/spec/engines/0/members/0/deviceRequests", vec![json!(null), json!([]), json!([{"name": "gpu"}])]),
            ("/spec/cluster", vec![json!("own")]),
        ];
        fields.extend(engines("/spec"));
        fields
    },
    names: NO_SERVICES_OF_REPLICAS,
    specs: || {
        let twice = json!({"clusterName": "own", "engines": [engine("a", &pinned), engine("a", &pinned)]});
        vec![("an engine twice", twice)]
    },
    judged: || {
        vec![
            ("/spec/inferenceClusterRef", vec![json!({"name": "own"})]),
            ("/spec/engines/0/name", listed(NO_LABELS)),
            ("/spec/engines", vec![json!([gang(&"a".repeat(60), &pinned)]), json!([gang("A", &pinned)])]),
            ("/spec", ["http", "80a", ""].map(|port| with_cluster(disaggregated(port, &pinned))).to_vec()),
        ]
    },
};

pub(super) const MODEL_SERVICE: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "ModelService",
    spec: || json!({"endpoints": [{"weight": 9, "selector": {"matchLabels": {"model": "qwen"}}}]}),
    fields: || {
        vec![
            ("/spec/endpoints", vec![json!([]), json!({}), json!(null), json!([{}]), json!([{"weight": 1}])]),
            ("/spec/endpoints/0/weight", numbers(1_000_000)),
            ("/spec/endpoints/0/selector", vec![json!({}), json!(null), json!({"matchLabels": {"model": 1}})]),
            ("/spec/endpoint", vec![json!([])]),
        ]
    },
    names: &[],
    specs: || vec![("several values", json!({"endpoints": [{"weight": 0}, {"selector": {}}]}))],
    judged: Vec::new,
};

/// Names after which no Service can be named.
const NO_SERVICES: &[&str] = &["7b", "1", "qwen2.5", "a.b.c", "7.b"];
/// The same, and one that is too long for what is named after each replica.
const NO_SERVICES_OF_REPLICAS: &[&str] =
    &["7b", "1", "qwen2.5", "a.b.c", "7.b", "a-name-of-sixty-characters-is-too-long-for-an-endpoint-picker"];
/// Texts that are no DNS labels.
const NO_LABELS: &[&str] = &["Main", "a.b", "-a", "a-", "a_b", "a b", "ü", "a/b"];
/// Texts that are no repositories and no revisions.
const NO_SOURCES: &[&str] =
    &["-x", "--token", "a b", "a\tb", "a\nb", "a\0", "a~", "a^", "a:b", "a?", "a*", "a[", "a\\b", "a\u{a0}b"];
/// Texts that are no expressions.
const NO_EXPRESSIONS: &[&str] = &[
    " ",
    "// nothing",
    "a ) b",
    "(",
    "1 +",
    "device.driver = 'x'",
    "device.driver === 'x'",
    "device.driver == 'x",
    "device.driver == 'x' and true",
    "device.",
    ".5.",
    "[1, 2",
    "{'a': }",
    "a.b.\"c\"",
    "true ? 1",
    "device.attributes['a'",
    "f(1,)",
    "'\\q'",
    "for",
    "!",
];
/// URLs where no requests can go.
const URLS: &[&str] = &[
    "vllm.example.org",
    "vllm.example.org:8000",
    "203.0.113.7:80",
    "http://",
    "http:///v1",
    "https://a@/v1",
    "unix:///run/vllm.sock",
    "http://vllm.example.org:99999",
    "http://vllm.example.org:http",
    "http://vllm.example.org:-1",
    "http://vllm",
    "http://vllm:8000/v1",
    "http://vllm_0.example.org/v1",
    "http://-a.example.org",
    "http://a..example.org",
    "http://ü.example.org",
    "http://127.0.0.1:8000/v1",
    "http://127.1.2.3",
    "http://0.0.0.0:8000",
    "http://169.254.169.254/v1",
    "http://224.0.0.9/v1",
    "http://[::1]/v1",
    "http://[::]/v1",
    "http://[fe80::1]/v1",
    "http://[fe80::1%eth0]/v1",
    "http://[ff02::1]/v1",
    "http://[::ffff:203.0.113.7]/v1",
];

/// What deployments and replicas refuse of their engines, which are under this pointer.
fn engines(under: &'static str) -> Vec<InvalidField> {
    // The pointers of a table are constants.
    let at = |deployment: &'static str, replica: &'static str| if under == "/spec" { replica } else { deployment };
    vec![
        (at("/spec/template/spec/engines", "/spec/engines"), vec![json!([]), json!({}), json!(null), json!([{}])]),
        (
            at("/spec/template/spec/serving", "/spec/serving"),
            vec![
                json!({"mode": "Split"}),
                // It has one engine, without a phase.
                json!({"mode": "PrefillDecode"}),
            ],
        ),
        (at("/spec/template/spec/engines/0/name", "/spec/engines/0/name"), texts(63)),
        (at("/spec/template/spec/engines/0/copies", "/spec/engines/0/copies"), numbers(64)),
        (at("/spec/template/spec/engines/0/phase", "/spec/engines/0/phase"), vec![json!("Decode"), json!("decode")]),
        (
            at("/spec/template/spec/engines/0/members", "/spec/engines/0/members"),
            vec![json!([]), json!({}), json!(null), many(3, &|_| json!({}))],
        ),
        (
            at("/spec/template/spec/engines/0/members/0/role", "/spec/engines/0/members/0/role"),
            vec![json!("Leader"), json!("Worker"), json!("standalone"), json!("")],
        ),
        (
            at("/spec/template/spec/engines/0/members/0/worker", "/spec/engines/0/members/0/worker"),
            vec![json!({}), json!({"nodes": 1}), json!({"nodes": 0}), json!({"nodes": 64})],
        ),
        (
            at(
                "/spec/template/spec/engines/0/members/0/template/metadata",
                "/spec/engines/0/members/0/template/metadata",
            ),
            vec![
                json!({"labels": {"modelplane.ai/serving": "a"}}),
                json!({"labels": {"a": "b c"}}),
                json!({"annotations": {"a b": "c"}}),
                json!({"annotations": {"a": "b".repeat(8193)}}),
            ],
        ),
        (
            at("/spec/template/spec/engines/0/members/0/template/spec", "/spec/engines/0/members/0/template/spec"),
            vec![
                json!({}),
                json!({"containers": []}),
                json!({"containers": [{"name": "vllm", "image": "a"}]}),
                json!({"containers": [{"name": "engine"}]}),
                json!({"containers": [{"name": "engine", "image": ""}]}),
                json!({"containers": [{"name": "engine", "image": "a", "args": "b"}]}),
                json!({"containers": [{"name": "engine", "image": "a", "env": [{"value": "b"}]}]}),
                json!({"containers": [{"name": "engine", "image": "a", "env": [{"name": "b", "valueFrom": {"secretKeyRef": {"name": "c"}}}]}]}),
            ],
        ),
    ]
}

/// An engine with this name and one member, to which `complete` adds what its kind needs.
fn engine(name: &str, complete: &dyn Fn(&mut Value)) -> Value {
    let mut member = json!({
        "role": "Standalone",
        "template": {"spec": {"containers": [{"name": "engine", "image": "vllm/vllm-openai:v0.11.0"}]}},
    });
    complete(&mut member);
    json!({"name": name, "members": [member]})
}

/// An engine with this name that is a gang.
fn gang(name: &str, complete: &dyn Fn(&mut Value)) -> Value {
    let mut gang = engine(name, complete);
    gang["members"][0]["role"] = "Leader".into();
    let mut worker = gang["members"][0].clone();
    worker["role"] = "Worker".into();
    gang["members"] = json!([gang["members"][0], worker]);
    gang
}

/// Engines for prefill and decode, of which the latter listens at this port.
fn disaggregated(port: &str, complete: &dyn Fn(&mut Value)) -> Value {
    let (mut prefill, mut decode) = (engine("prefill", complete), engine("decode", complete));
    prefill["phase"] = "Prefill".into();
    decode["phase"] = "Decode".into();
    decode["members"][0]["template"]["spec"]["containers"][0]["args"] = json!([format!("--port={port}")]);
    json!({"serving": {"mode": "PrefillDecode"}, "engines": [prefill, decode]})
}

fn with_cluster(mut spec: Value) -> Value {
    spec["clusterName"] = "own".into();
    spec
}

/// A deployment before there were engines, with this topology.
fn one_role(topology: Value) -> Value {
    json!({"replicas": 1, "workers": {"topology": topology}, "engine": {"image": "vllm/vllm-openai:v0.11.0"}})
}

/// What a deployment says of a member.
fn placed(member: &mut Value) {
    member["nodeSelector"] =
        json!({"devices": [{"name": "gpu", "selectors": [{"cel": "device.driver == \"gpu.nvidia.com\""}]}]});
}

/// What a replica says of a member.
fn pinned(member: &mut Value) {
    member["nodePoolName"] = "l4".into();
    member["deviceRequests"] = json!([{"name": "gpu", "deviceClassName": "gpu.nvidia.com"}]);
}

fn device(index: usize) -> Value {
    json!({"name": format!("gpu-{index}"), "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com"})
}

fn pool(index: usize) -> Value {
    json!({"name": format!("pool-{index}"), "className": "l4-1"})
}

fn two_types() -> Value {
    json!({"string": "Hopper", "int": 9})
}

fn of_fabric(kind: &str, name: &str) -> Value {
    json!({"type": kind, "infiniband": {"fabric": name}})
}

fn many(count: usize, item: &dyn Fn(usize) -> Value) -> Value {
    (0..count).map(item).collect()
}

/// What is no text of 1 to `most` characters.
fn texts(most: usize) -> Vec<Value> {
    vec![json!(""), json!("a".repeat(most + 1)), json!(1), json!([]), json!(null)]
}

fn listed(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|&text| text.into()).collect()
}

/// What is no whole number from 1 to `most`.
fn numbers(most: u32) -> Vec<Value> {
    vec![json!(0), json!(-1), json!(most + 1), json!(1.5), json!("1"), json!([])]
}

pub(super) const SERVING_STACK: InvalidObjects = InvalidObjects {
    api_version: "infrastructure.modelplane.ai/v1alpha1",
    kind: "ServingStack",
    spec: || {
        json!({
            "secrets": [{"type": "Kubeconfig", "name": "a", "key": "kubeconfig"}],
            "gateway": {"className": "envoy", "listeners": [{"name": "http", "protocol": "HTTP", "port": 80}]},
        })
    },
    fields: || {
        vec![
            ("/spec/secrets", vec![json!([]), json!({}), json!(null)]),
            ("/spec/secrets/0/type", vec![json!("Password"), json!("GoogleApplicationCredentials"), json!(null)]),
            ("/spec/secrets/0/name", vec![json!("a".repeat(254)), json!(1), json!(null)]),
            ("/spec/secrets/0/key", vec![json!("a".repeat(254)), json!(null)]),
            ("/spec/nvidiaDriverRoot", vec![json!("/".repeat(513)), json!(1)]),
            ("/spec/versions", vec![json!({"certManager": ""}), json!({"prometheus": "a".repeat(33)}), json!("1")]),
            ("/spec/gateway/className", vec![json!(""), json!("a".repeat(64))]),
            ("/spec/gateway/listeners/0/port", vec![json!(0), json!(65536), json!("80"), json!(null)]),
            ("/spec/gateway/listeners/0/protocol", vec![json!("UDP"), json!("http"), json!(null)]),
            ("/spec/scheduler", vec![json!({"type": "kai"}), json!({})]),
        ]
    },
    names: &[],
    specs: || vec![("no Secret", json!({}))],
    judged: Vec::new,
};
