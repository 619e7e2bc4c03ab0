//! The definitions that the component embeds are those that the types generate.

use std::fs;

use contract::types::KindRef;
use inference::KINDS;
use k8s_openapi::api::core::v1::Toleration;
use k8s_openapi::api::networking::v1::IngressTLS;
use serde_json::{Map, Value};
use tests::files::workspace;
use tests::kubernetes;
use toolbox::definition;
use toolbox::structural::FORMATS;

/// Where the definition of each kind is embedded from.
const FILES: &[(&str, &str)] = &[("LLMInference", "crates/inference/src/llm_inference/definition.json")];

#[test]
fn definitions_are_current() {
    for row in KINDS.rows {
        let file = FILES.iter().find(|file| file.0 == row.kind).expect("a file").1;
        check(file, &definition::definition(row));
    }
}

#[test]
fn options_are_current() {
    check("crates/inference/src/options.json", &inference::options::generated());
}

/// Kubernetes types in our definitions have the fields of `k8s-openapi`. `make shapes` compares their whole schemas.
#[test]
fn shapes_have_the_fields_of_kubernetes() {
    let text = fs::read_to_string(workspace().join("crates/toolbox/src/shapes.json")).expect("the shapes");
    let shapes: Map<String, Value> = serde_json::from_str(&text).expect("JSON");
    let known =
        [("IngressTLS", kubernetes::fields::<IngressTLS>()), ("Toleration", kubernetes::fields::<Toleration>())];
    assert_eq!(shapes.keys().collect::<Vec<_>>(), known.each_ref().map(|(name, _)| name));
    for (name, fields) in known {
        let written = shapes[name]["properties"].as_object().expect("fields");
        assert_eq!(written.keys().collect::<Vec<_>>(), fields, "{name}: `BLESS=1 make shapes`");
    }
}

fn check(file: &str, definition: &Value) {
    let text = format!("{definition:#}\n");
    let difference = tests::files::bless(&tests::files::workspace().join(file), &text).err().unwrap_or_default();
    assert!(difference.is_empty(), "{difference}");
}

#[test]
fn schemas_are_structural() {
    for row in KINDS.rows {
        visit(&(row.published.schema)(), row.kind);
    }
    visit(&inference::options::generated()["spec"]["versions"][0]["schema"]["openAPIV3Schema"], "Options");
}

/// What the API server demands of a schema: a type everywhere, and nothing that it forbids.
fn visit(schema: &Value, at: &str) {
    let fields = schema.as_object().cloned().unwrap_or_default();
    let int_or_string = fields.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true));
    assert!(int_or_string || fields.get("type").is_some_and(Value::is_string), "{at} has no type: {schema}");
    for key in ["$ref", "$defs", "definitions", "const", "nullable", "title", "examples"] {
        assert!(!fields.contains_key(key), "{at} has {key}: {schema}");
    }
    let known = |format: &Value| format.as_str().is_some_and(|format| FORMATS.contains(&format));
    assert!(fields.get("format").is_none_or(known), "{at} has a format that nobody knows: {schema}");
    for alternative in ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| fields.get(*key)?.as_array()).flatten() {
        let stated =
            ["type", "description", "default", "additionalProperties"].map(|key| alternative.get(key).is_some());
        assert!(int_or_string || stated == [false; 4], "{at} says in an alternative what it may not: {schema}");
    }
    assert!(fields.get("default").is_none_or(|default| !default.is_null()), "{at} defaults to null");
    for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
        visit(property, &format!("{at}.{name}"));
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(schema) = fields.get(inner) {
            visit(schema, &format!("{at}.{inner}"));
        }
    }
}

#[test]
fn every_example_is_valid() {
    for row in KINDS.rows {
        for example in row.examples {
            for document in tests::golden::documents(example.text).expect("YAML") {
                assert_eq!(row.validate(&document), [], "{}", example.name);
                assert_eq!(KINDS.find(&KindRef::of(&document)).map(|row| row.kind), Some(row.kind));
            }
        }
    }
}
