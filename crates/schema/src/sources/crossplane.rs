//! The CustomResourceDefinitions that Crossplane makes of a CompositeResourceDefinition: it copies `spec`, `status` and the
//! rules, and adds fields of its own (crossplane-runtime v2.4.0 `pkg/xcrd`).

use serde_json::{Map, Value, json};

use super::source::{Source, served, text};
use crate::metadata::Scope;
use crate::scale::Scale;

/// The scope of a composite, which decides the fields that Crossplane adds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Composite {
    Namespaced,
    Cluster,
    /// Cluster-scoped, with the fields of Crossplane v1. There may be a claim.
    LegacyCluster,
}

/// The schemas of a definition's composites, and then those of its claims.
pub(super) fn composites(xrd: &Value) -> Vec<Source> {
    let spec = &xrd["spec"];
    let composite = match (spec["scope"].as_str(), xrd["apiVersion"].as_str()) {
        (Some("Namespaced"), _) | (None, Some("apiextensions.crossplane.io/v2")) => Composite::Namespaced,
        (Some("Cluster"), _) => Composite::Cluster,
        _ => Composite::LegacyCluster,
    };
    let scope = if composite == Composite::Namespaced { Scope::Namespaced } else { Scope::Cluster };
    let own = [(&spec["names"], scope, composite_fields(composite, &spec["defaultCompositionUpdatePolicy"]))];
    let claim = (&spec["claimNames"], Scope::Namespaced, claim_fields(&spec["defaultCompositeDeletePolicy"]));
    let kinds = own.into_iter().chain(Some(claim).filter(|(names, ..)| names.is_object()));
    let source = |(names, scope, fields): (&Value, Scope, Map<String, Value>)| {
        let sources = served(spec).map(move |version| Source {
            group: text(&spec["group"]),
            is_first_label: false,
            version: text(&version["name"]),
            kind: text(&names["kind"]),
            scope: Some(scope),
            status: true,
            scale: Scale::of_version(version),
            schema: schema(&version["schema"]["openAPIV3Schema"], &fields, composite),
        });
        sources.collect::<Vec<_>>()
    };
    kinds.flat_map(source).collect()
}

/// The whole schema: the parts that Crossplane copies, and the fields that it adds.
fn schema(given: &Value, spec_fields: &Map<String, Value>, composite: Composite) -> Value {
    const LONGEST_NAME: u64 = 63;
    let properties = &given["properties"];
    let longest = &properties["metadata"]["properties"]["name"]["maxLength"];
    let longest = longest.as_u64().map_or(LONGEST_NAME, |longest| longest.min(LONGEST_NAME));
    let spec_words = ["required", "oneOf", "x-kubernetes-validations", "x-kubernetes-preserve-unknown-fields"];
    let mut schema = json!({
        "type": "object",
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": longest}}},
            "spec": part(&properties["spec"], &spec_words, spec_fields),
            "status": part(&properties["status"], &spec_words[..3], &status_fields(composite)),
        },
    });
    copy(&mut schema, given, &["x-kubernetes-validations"]);
    schema
}

/// The schema of `spec` or `status`: some keywords and the properties of the given schema, and the added fields.
fn part(given: &Value, words: &[&str], fields: &Map<String, Value>) -> Value {
    let mut properties = given["properties"].as_object().cloned().unwrap_or_default();
    properties.extend(fields.clone());
    let mut part = json!({"type": "object", "properties": properties});
    copy(&mut part, given, words);
    part
}

fn copy(to: &mut Value, from: &Value, words: &[&str]) {
    for (word, value) in words.iter().filter_map(|word| Some((word, from.get(word)?))) {
        to[*word] = value.clone();
    }
}

/// The fields that are added to `spec` of a composite: in `spec.crossplane`, or directly for the legacy scope.
fn composite_fields(composite: Composite, update_policy: &Value) -> Map<String, Value> {
    let mut fields = selection();
    fields.insert("compositionUpdatePolicy".into(), policy(&["Automatic", "Manual"], update_policy));
    let mut reference = json!({"apiVersion": text_schema(), "kind": text_schema(), "name": text_schema()});
    if composite != Composite::Namespaced {
        reference["namespace"] = text_schema();
    }
    let references = json!({
        "type": "array",
        "x-kubernetes-list-type": "atomic",
        "items": {"type": "object", "properties": reference, "required": ["apiVersion", "kind"]},
    });
    fields.insert("resourceRefs".into(), references);
    if composite != Composite::LegacyCluster {
        return [("crossplane".to_owned(), json!({"type": "object", "properties": fields}))].into_iter().collect();
    }
    fields.insert("claimRef".into(), object(&["apiVersion", "kind", "namespace", "name"]));
    fields.insert("writeConnectionSecretToRef".into(), object(&["name", "namespace"]));
    fields
}

/// The fields that are added to `spec` of a claim.
fn claim_fields(delete_policy: &Value) -> Map<String, Value> {
    let mut fields = selection();
    fields.insert("compositionUpdatePolicy".into(), policy(&["Automatic", "Manual"], &Value::Null));
    fields.insert("compositeDeletePolicy".into(), policy(&["Background", "Foreground"], delete_policy));
    fields.insert("resourceRef".into(), object(&["apiVersion", "kind", "name"]));
    fields.insert("writeConnectionSecretToRef".into(), object(&["name"]));
    fields
}

/// The fields that select a Composition or one of its revisions.
fn selection() -> Map<String, Value> {
    let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let selector = json!({"type": "object", "required": ["matchLabels"], "properties": {"matchLabels": labels}});
    let mut fields = Map::new();
    let known = [
        ("compositionRef", object(&["name"])),
        ("compositionSelector", selector.clone()),
        ("compositionRevisionRef", object(&["name"])),
        ("compositionRevisionSelector", selector),
    ];
    fields.extend(known.map(|(name, schema)| (name.to_owned(), schema)));
    fields
}

/// The fields that are added to `status`.
fn status_fields(composite: Composite) -> Map<String, Value> {
    let condition = json!({
        "type": "object",
        "required": ["lastTransitionTime", "reason", "status", "type"],
        "properties": {
            "lastTransitionTime": {"type": "string", "format": "date-time"},
            "message": text_schema(),
            "observedGeneration": {"type": "integer", "format": "int64"},
            "reason": text_schema(),
            "status": text_schema(),
            "type": text_schema(),
        },
    });
    let conditions = json!({
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": condition,
    });
    let mut fields = Map::new();
    fields.insert("conditions".to_owned(), conditions);
    if composite == Composite::LegacyCluster {
        let published = json!({"type": "string", "format": "date-time"});
        let details = json!({"type": "object", "properties": {"lastPublishedTime": published}});
        fields.insert("connectionDetails".into(), details);
        let set = json!({"type": "array", "x-kubernetes-list-type": "set", "items": text_schema()});
        fields.insert("claimConditionTypes".into(), set);
    }
    fields
}

/// The schema of an object with these required text fields.
fn object(names: &[&str]) -> Value {
    let mut properties = Map::new();
    properties.extend(names.iter().map(|name| ((*name).to_owned(), text_schema())));
    json!({"type": "object", "required": names, "properties": properties})
}

fn policy(allowed: &[&str], default: &Value) -> Value {
    let mut schema = json!({"type": "string", "enum": allowed});
    if !default.is_null() {
        schema["default"] = default.clone();
    }
    schema
}

fn text_schema() -> Value {
    json!({"type": "string"})
}
