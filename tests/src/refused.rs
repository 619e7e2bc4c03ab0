//! Objects that every door refuses: for each kind a valid object, and changes that make it invalid.

mod clouds;
mod inference_model;
mod modelplane;
mod objects;
mod otterscale;

use contract::types::KindRef;
use serde_json::{Value, json};

use self::objects::{InvalidField, InvalidObjects};

/// A row for every kind that refuses objects.
const ROWS: &[InvalidObjects] = &[
    CLUSTER,
    LLM_INFERENCE,
    inference_model::INFERENCE_MODEL,
    clouds::AKS_CLUSTER,
    clouds::EKS_CLUSTER,
    clouds::GKE_CLUSTER,
    clouds::NEBIUS_CLUSTER,
    modelplane::SERVING_STACK,
    clouds::VULTR_CLUSTER,
    modelplane::INFERENCE_CLASS,
    modelplane::INFERENCE_CLUSTER,
    modelplane::INFERENCE_GATEWAY,
    modelplane::MODEL_CACHE,
    modelplane::MODEL_DEPLOYMENT,
    modelplane::MODEL_ENDPOINT,
    modelplane::MODEL_REPLICA,
    modelplane::MODEL_SERVICE,
    otterscale::MODEL_ARTIFACT,
    otterscale::MODEL_SERVICE,
];

const CLUSTER: InvalidObjects = InvalidObjects {
    api_version: "devopstoolkitseries.com/v2",
    kind: "Cluster",
    spec: || {
        json!({
            "crossplane": {"compositionSelector": {"matchLabels": {"provider": "aws"}}},
            "parameters": {"nodeSize": "small", "minNodeCount": 1, "gpu": {"enabled": true}},
        })
    },
    fields: cluster,
    names: &["a.b", "7.b"],
    specs: || {
        vec![
            ("several values", json!({"parameters": {"nodeSize": "huge", "minNodeCount": -1}})),
            ("no parameters", json!({})),
        ]
    },
    judged: || {
        vec![
            ("/spec/crossplane/compositionSelector/matchLabels/provider", vec![json!("asw"), json!("upcloud")]),
            ("/spec/parameters/apps", vec![json!({"externalSecrets": {"enabled": true, "store": true}})]),
        ]
    },
};

fn cluster() -> Vec<InvalidField> {
    let numbered = |count| (0..count).map(|at| json!(format!("a-{at}"))).collect::<Value>();
    let secret = json!({"fromSecret": "a", "toSecret": "a", "toNamespace": "a"});
    vec![
        ("/spec/parameters/nodeSize", vec![json!("tiny"), json!(1), json!(""), json!(["small"])]),
        ("/spec/parameters/minNodeCount", vec![json!(-1), json!(1001), json!(2_147_483_648_u64), json!("1")]),
        ("/spec/parameters/minNodeCount", vec![json!(1.5), json!({})]),
        ("/spec/parameters/version", vec![json!(1.33), json!(["1.33"])]),
        ("/spec/parameters/namespaces", vec![json!("dev"), json!(["A"]), json!([""]), json!(["a", "a"])]),
        ("/spec/parameters/namespaces", vec![json!([1]), json!(["a.b"]), json!({}), json!(["a".repeat(64)])]),
        ("/spec/parameters/zones", vec![json!([]), json!([1]), json!(["A"]), json!("us-east-1a"), json!([""])]),
        ("/spec/parameters/region", vec![json!(""), json!("US"), json!(1)]),
        ("/spec/parameters/gpu", vec![json!([]), json!("yes"), json!({"enabled": "yes"}), json!({"enabled": 1})]),
        ("/spec/parameters/gpu", vec![json!({"minNodeCount": 3, "maxNodeCount": 2}), json!({"count": 2})]),
        ("/spec/parameters/gpu/nodeSize", vec![json!("tiny"), json!(1)]),
        ("/spec/parameters/gpu/machineType", vec![json!(1)]),
        ("/spec/parameters/gpu/accelerator", vec![json!("T5"), json!("")]),
        ("/spec/parameters/gpu/capacity", vec![json!("Reserved"), json!("")]),
        ("/spec/parameters/gpu/minNodeCount", vec![json!(-1), json!(11)]),
        ("/spec/parameters/gpu/maxNodeCount", vec![json!(0), json!(1001)]),
        ("/spec/parameters/creds", vec![json!({}), json!({"name": "a"}), json!({"name": "a", "keys": ["b", "b"]})]),
        ("/spec/parameters/gpus", vec![json!({})]),
        ("/spec/parameters/usage", vec![json!({"enabled": 1}), json!("yes"), json!([])]),
        (
            "/spec/parameters/creds",
            vec![json!("a"), json!({"name": 1, "keys": ["b"]}), json!({"name": "a", "keys": "b"})],
        ),
        ("/spec/parameters/apps", switches()),
        // Longer and larger than any cloud and any cluster takes.
        ("/spec/parameters/version", vec!["1".repeat(64).into()]),
        ("/spec/parameters/namespaces", vec![numbered(201)]),
        ("/spec/parameters/creds", vec![json!({"name": "a", "keys": numbered(101)})]),
        (
            "/spec/parameters/apps",
            vec![
                json!({"dapr": {"enabled": true}, "openfunction": {"enabled": true}}),
                json!({"nginx": {}}),
                json!({"argocd": {"host": "a".repeat(254)}}),
                json!({"argocd": {"repoURL": 1}}),
                json!({"argocd": []}),
                json!({"externalSecrets": {"googleCredentialsKey": "a b"}}),
                json!({"externalSecrets": {"awsAccessKeyIDKey": "a/b"}}),
                json!({"externalSecrets": {"awsAccessKeyIDKey": ""}}),
                json!({"externalSecrets": {"awsSecretAccessKeyKey": "é"}}),
                json!({"externalSecrets": {"secrets": [{"fromSecret": "a", "toSecret": "A", "toNamespace": "a"}]}}),
                json!({"externalSecrets": {"secrets": [{"fromSecret": "a", "toSecret": "a", "toNamespace": "a.b"}]}}),
                json!({"externalSecrets": {"secrets": [{"fromSecret": "a", "toSecret": "a"}]}}),
                json!({"externalSecrets": {"secrets": vec![secret; 501]}}),
                json!({"externalSecrets": {"store": "yes"}}),
            ],
        ),
    ]
}

/// Every application, switched on by a text.
fn switches() -> Vec<Value> {
    const APPS: &[&str] = &[
        "argocd",
        "crossplane",
        "dapr",
        "envoyGateway",
        "externalSecrets",
        "keda",
        "nvidia",
        "openfunction",
        "prometheus",
        "traefik",
        "vllm",
    ];
    APPS.iter().map(|app| json!({*app: {"enabled": "yes"}})).collect()
}

const LLM_INFERENCE: InvalidObjects = InvalidObjects {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    spec: || json!({"model": "Qwen/Qwen2.5-1.5B-Instruct", "gpu": 1, "providerConfigName": "gpu-cluster"}),
    fields: llm_inference,
    // A Service has the composite's name.
    names: &["7b", "1", "qwen2.5", "a.b.c", "7.b"],
    specs: || {
        vec![
            ("several values", json!({"gpu": 0, "ingressHost": "A", "model": "a", "providerConfigName": "b"})),
            (
                "several values and an unknown field",
                json!({"gpu": 0, "gpus": 2, "ingressHost": "A", "model": "a", "providerConfigName": "b"}),
            ),
            ("missing fields", json!({"gpu": 2})),
        ]
    },
    judged: Vec::new,
};

/// The objects that the schema or a policy refuses, each with a short description of its mistake.
pub fn refused() -> Vec<(String, Value)> {
    ROWS.iter().flat_map(InvalidObjects::refused).collect()
}

/// The objects that only admission refuses.
pub fn judged() -> Vec<(String, Value)> {
    ROWS.iter().flat_map(InvalidObjects::judged).collect()
}

/// The kinds that refuse objects.
pub fn kinds() -> Vec<KindRef> {
    let kind = |row: &InvalidObjects| KindRef { api_version: row.api_version.to_owned(), kind: row.kind.to_owned() };
    ROWS.iter().map(kind).collect()
}

impl InvalidObjects {
    fn refused(&self) -> Vec<(String, Value)> {
        let mut rows = Vec::new();
        for (pointer, values) in (self.fields)().into_iter().chain(everywhere()) {
            for value in values {
                let told = shortened(&value.to_string());
                rows.push((format!("{pointer} = {told}"), with(self.named("qwen"), pointer, value)));
            }
        }
        for name in self.names.iter().chain(NAMES) {
            rows.push((format!("name {name}"), self.named(name)));
        }
        for length in LENGTHS {
            rows.push((format!("name of {length} characters"), self.named(&"a".repeat(length))));
        }
        for (what, spec) in (self.specs)() {
            rows.push((what.to_owned(), with(self.named("7b.c"), "/spec", spec)));
        }
        rows.into_iter().map(|(what, object)| (format!("{}: {what}", self.kind), object)).collect()
    }

    fn judged(&self) -> Vec<(String, Value)> {
        let rows = (self.judged)().into_iter().flat_map(|(pointer, values)| {
            values.into_iter().map(move |value| {
                let told = shortened(&value.to_string());
                (format!("{}: {pointer} = {told}", self.kind), with(self.named("qwen"), pointer, value))
            })
        });
        rows.collect()
    }

    /// A valid object with this name, which may be invalid.
    fn named(&self, name: &str) -> Value {
        json!({"apiVersion": self.api_version, "kind": self.kind, "metadata": {"name": name}, "spec": (self.spec)()})
    }
}

/// Invalid names of composites of all kinds.
const NAMES: &[&str] = &["Qwen", "qwen_2", "-a", "a-", "a/b", "a b", ".", "..", "ü"];
/// Lengths of names that are too long for all kinds.
const LENGTHS: [usize; 4] = [64, 100, 253, 254];

/// Invalid fields of all kinds.
fn everywhere() -> Vec<InvalidField> {
    vec![
        ("/spec", vec![json!(null), json!(""), json!([]), json!(1), json!({})]),
        ("/sepc", vec![json!({})]),
        ("/data", vec![json!("a")]),
        (
            "/spec/crossplane",
            vec![
                json!(1),
                json!("a"),
                json!([]),
                json!({"unknown": 1}),
                json!({"compositionRef": 1}),
                json!({"compositionRef": {}}),
                json!({"compositionUpdatePolicy": "Sometimes"}),
                json!({"resourceRefs": {}}),
            ],
        ),
        (
            "/metadata/labels",
            vec![json!({"a b": "c"}), json!({"a": "b c"}), json!({"a": "x".repeat(64)}), json!({"/": "a"})],
        ),
        ("/metadata/annotations", vec![json!({"a b": "c"}), json!({"": "c"})]),
        ("/metadata/finalizers", vec![json!(["a b"]), json!([""])]),
        ("/metadata/ownerReferences", vec![json!([{"apiVersion": "v1", "kind": "Pod", "name": "", "uid": ""}])]),
    ]
}

/// Invalid fields of an LLMInference.
fn llm_inference() -> Vec<InvalidField> {
    vec![
        (
            "/spec/gpu",
            vec![
                json!(0),
                json!(-1),
                json!(1025),
                json!(2_147_483_648_u64),
                json!(u64::MAX),
                json!(i64::MIN),
                json!(1.5),
                json!("4"),
                json!(""),
                json!(true),
                json!([]),
                json!({}),
                json!([1]),
            ],
        ),
        ("/spec/model", vec![json!(""), json!(1), json!(true), json!([]), json!({}), json!(null), json!(["a"])]),
        ("/spec/providerConfigName", vec![json!(""), json!(1), json!(false), json!([]), json!({}), json!(null)]),
        (
            "/spec/providerConfigKind",
            vec![
                json!(""),
                json!("clusterProviderConfig"),
                json!("Secret"),
                json!(1),
                json!(true),
                json!([]),
                json!({}),
            ],
        ),
        ("/spec/targetNamespace", vec![json!(1), json!(true), json!([]), json!({})]),
        (
            "/spec/ingressHost",
            vec![
                json!("A.example.org"),
                json!("a..b"),
                json!(".a"),
                json!("a."),
                json!("-a.b"),
                json!("a-.b"),
                json!("a_b"),
                json!("*"),
                json!("*."),
                json!("*.*.a"),
                json!("a.*.b"),
                json!("**.a"),
                json!("*a.b"),
                json!("a b"),
                json!(" a"),
                json!("a "),
                json!("a\n"),
                json!("http://a.b"),
                json!("a.b/v1"),
                json!("a.b:80"),
                json!("ü.de"),
                json!("a,b"),
                json!("[::1]"),
                json!("a".repeat(254)),
                json!(1),
                json!(true),
                json!([]),
                json!({}),
                json!(["a.b"]),
            ],
        ),
        ("/spec/gpus", vec![json!(1)]),
        ("/spec/modle", vec![json!("a")]),
        ("/spec/ingresHost", vec![json!("a.b")]),
        ("/spec/replicas", vec![json!(2)]),
        ("/spec/resources", vec![json!({"limits": {"nvidia.com~1gpu": 1}})]),
    ]
}

/// A valid LLMInference.
pub fn sound() -> Value {
    named("qwen")
}

/// A valid LLMInference with this name, which may be invalid.
pub fn named(name: &str) -> Value {
    LLM_INFERENCE.named(name)
}

/// `object` with `value` at `pointer` (RFC 6901). The parent must exist, and so must an element.
pub fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
    if let Some(place) = object.pointer_mut(pointer) {
        *place = value;
    } else if let Some(parent) = object.pointer_mut(parent) {
        parent[key.replace("~1", "/")] = value;
    }
    object
}

/// `object` in `namespace`.
pub fn within(namespace: &str, object: Value) -> Value {
    with(object, "/metadata/namespace", namespace.into())
}

fn shortened(text: &str) -> String {
    match text.chars().count() {
        ..=60 => text.to_owned(),
        all => format!("{}… of {all} characters", text.chars().take(20).collect::<String>()),
    }
}
