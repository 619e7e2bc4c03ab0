//! The definitions that the component embeds are those that the types generate.

// In a folder, because cargo makes a suite of every file beside this one.
#[path = "definitions/clusters.rs"]
mod clusters;
#[path = "definitions/modelplane.rs"]
mod modelplane;
#[path = "definitions/originals.rs"]
mod originals;
#[path = "definitions/otterscale.rs"]
mod otterscale;

use contract::types::KindRef;
use inference::KINDS;
use serde_json::Value;
use toolbox::definition;
use toolbox::structural::FORMATS;

/// Where the definition of each kind is embedded from, by its name: two kinds may have the same one.
const FILES: &[(&str, &str)] = &[
    ("clusters.devopstoolkitseries.com", "crates/inference/src/gpu_cluster/definition.json"),
    ("inferencemodels.inference.eh-ops.io", "crates/inference/src/inference_model/definition.json"),
    ("llminferences.inference.devopstoolkit.ai", "crates/inference/src/llm_inference/definition.json"),
    ("aksclusters.infrastructure.modelplane.ai", "crates/inference/src/modelplane/aks_cluster/definition.json"),
    ("eksclusters.infrastructure.modelplane.ai", "crates/inference/src/modelplane/eks_cluster/definition.json"),
    ("gkeclusters.infrastructure.modelplane.ai", "crates/inference/src/modelplane/gke_cluster/definition.json"),
    ("nebiusclusters.infrastructure.modelplane.ai", "crates/inference/src/modelplane/nebius_cluster/definition.json"),
    ("servingstacks.infrastructure.modelplane.ai", "crates/inference/src/modelplane/serving_stack/definition.json"),
    ("vultrclusters.infrastructure.modelplane.ai", "crates/inference/src/modelplane/vultr_cluster/definition.json"),
    ("inferenceclasses.modelplane.ai", "crates/inference/src/modelplane/inference_class/definition.json"),
    ("inferenceclusters.modelplane.ai", "crates/inference/src/modelplane/inference_cluster/definition.json"),
    ("inferencegateways.modelplane.ai", "crates/inference/src/modelplane/inference_gateway/definition.json"),
    ("modelcaches.modelplane.ai", "crates/inference/src/modelplane/model_cache/definition.json"),
    ("modeldeployments.modelplane.ai", "crates/inference/src/modelplane/model_deployment/definition.json"),
    ("modelendpoints.modelplane.ai", "crates/inference/src/modelplane/model_endpoint/definition.json"),
    ("modelreplicas.modelplane.ai", "crates/inference/src/modelplane/model_replica/definition.json"),
    ("modelservices.modelplane.ai", "crates/inference/src/modelplane/model_service/definition.json"),
    ("modelartifacts.model.otterscale.io", "crates/inference/src/otterscale/model_artifact/definition.json"),
    ("modelservices.model.otterscale.io", "crates/inference/src/otterscale/model_service/definition.json"),
];

#[test]
fn definitions_are_current() {
    for row in KINDS.rows {
        let definition = definition::definition(row);
        let file = FILES.iter().find(|file| definition["metadata"]["name"] == file.0).expect("a file").1;
        check(file, &definition);
    }
}

#[test]
fn options_are_current() {
    check("crates/inference/src/options.json", &inference::options::generated());
    check("crates/inference/src/inference_model/samples.json", &inference::inference_model::samples::generated());
    check("crates/inference/src/modelplane/usages/definition.json", &inference::modelplane::usages::generated());
}

fn check(file: &str, definition: &Value) {
    // Without indentation, which would be half of what the component embeds.
    let text: String = format!("{definition:#}").lines().map(|line| format!("{}\n", line.trim_start())).collect();
    let difference = native::files::bless(&native::files::workspace().join(file), &text).err().unwrap_or_default();
    assert!(difference.is_empty(), "{difference}");
}

/// A definition that cannot be used ends the process that reads it.
#[test]
fn definitions_can_be_used() {
    let of_kinds = KINDS.rows.iter().map(|row| row.definition);
    for definition in of_kinds.chain(KINDS.inputs.iter().map(|input| input.definition)) {
        assert!(definition().document().is_object());
    }
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
    let flag = |keyword: &str| fields.get(keyword) == Some(&Value::Bool(true));
    let int_or_string = flag("x-kubernetes-int-or-string");
    let any = flag("x-kubernetes-preserve-unknown-fields");
    assert!(int_or_string || any || fields.get("type").is_some_and(Value::is_string), "{at} has no type: {schema}");
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
            for document in native::golden::documents(example.text).expect("YAML") {
                let found = KINDS.find(&KindRef::of(&document)).expect("an example has objects of our kinds");
                assert_eq!(found.validate(&document), [], "{}", example.name);
            }
            let of_kind = |object: &Value| object["apiVersion"] == row.api_version && object["kind"] == row.kind;
            let documents = native::golden::documents(example.text).expect("YAML");
            assert!(documents.iter().any(of_kind), "{} has no {}", example.name, row.kind);
        }
    }
}
