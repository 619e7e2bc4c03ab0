//! Composites that are refused, in every door alike: a sound one, and how it is spoiled.

use serde_json::{Value, json};

/// Composites that are refused, each with what is wrong with it, in a few words.
pub fn refused() -> Vec<(String, Value)> {
    let mut rows = Vec::new();
    for (pointer, values) in [
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
        ("/spec", vec![json!(null), json!(""), json!([]), json!(1), json!({})]),
        ("/spec/gpus", vec![json!(1)]),
        ("/spec/modle", vec![json!("a")]),
        ("/spec/ingresHost", vec![json!("a.b")]),
        ("/spec/replicas", vec![json!(2)]),
        ("/spec/resources", vec![json!({"limits": {"nvidia.com~1gpu": 1}})]),
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
    ] {
        for value in values {
            let told = shortened(&value.to_string());
            rows.push((format!("{pointer} = {told}"), with(sound(), pointer, value)));
        }
    }
    for name in ["7b", "1", "qwen2.5", "a.b.c", "Qwen", "qwen_2", "-a", "a-", "a/b", "a b", ".", "..", "ü", "7.b"]
        .map(str::to_owned)
    {
        rows.push((format!("name {name}"), named(&name)));
    }
    for length in [64, 100, 253, 254] {
        rows.push((format!("name of {length} characters"), named(&"a".repeat(length))));
    }
    let mut several = with(named("7b.c"), "/spec/gpu", json!(0));
    several["spec"]["ingressHost"] = json!("A");
    rows.push(("several values".to_owned(), several.clone()));
    several["spec"]["gpus"] = json!(2);
    rows.push(("several values and an unknown field".to_owned(), several));
    rows.push(("missing fields".to_owned(), with(sound(), "/spec", json!({"gpu": 2}))));
    rows
}

/// A sound composite.
pub fn sound() -> Value {
    named("qwen")
}

/// A composite that is sound but for its name, perhaps.
pub fn named(name: &str) -> Value {
    json!({
        "apiVersion": "inference.devopstoolkit.ai/v1alpha1",
        "kind": "LLMInference",
        "metadata": {"name": name},
        "spec": {"model": "Qwen/Qwen2.5-1.5B-Instruct", "gpu": 1, "providerConfigName": "gpu-cluster"},
    })
}

/// `object` with `value` at `pointer` (RFC 6901), whose parent is there.
pub fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
    if let Some(parent) = object.pointer_mut(parent) {
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
