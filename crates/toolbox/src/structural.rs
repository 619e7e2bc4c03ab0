//! Generates structural schemas, as CustomResourceDefinitions need them, from Rust types.
//!
//! Types state with `#[schemars(transform = …)]` what Rust types cannot:
//!
//! | property of a field | transform |
//! |---|---|
//! | rules in CEL | [`rule`], repeated |
//! | list type | [`list_map`], [`list_set`], [`list_atomic`] |
//! | map type | [`map_atomic`] |
//! | integer or string, as ports and quantities are | [`int_or_string`] |
//! | format | `extend("format" = "…")` |
//!
//! Only generation and tests need this (feature `generate`).

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

const RULES: &str = "x-kubernetes-validations";
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// The formats that an API server validates, except those of ISBNs, credit cards and colours. It ignores other formats.
#[rustfmt::skip]
pub const FORMATS: &[&str] = &[
    "byte", "cidr", "date", "date-time", "double", "duration", "email", "float", "hostname", "int32", "int64", "ipv4", "ipv6",
    "k8s-long-name", "k8s-short-name", "mac", "password", "uri", "uuid",
];

/// The structural OpenAPI v3 schema of a type. It has no references, no unions with null, and only formats in [`FORMATS`].
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make_structural(&mut schema);
    schema
}

/// Adds a CEL rule with the message for violations. May be repeated.
pub fn rule(rule: &'static str, message: &'static str) -> impl FnMut(&mut Schema) {
    move |schema| {
        let added = json!({"rule": rule, "message": message});
        match schema.get_mut(RULES).and_then(Value::as_array_mut) {
            Some(rules) => rules.push(added),
            None => {
                schema.insert(RULES.to_owned(), json!([added]));
            }
        }
    }
}

/// A list of type `map`. `keys` are the names of its key fields, separated by blanks. Each must be required or have a
/// default.
pub fn list_map(keys: &'static str) -> impl FnMut(&mut Schema) {
    move |schema| {
        schema.insert("x-kubernetes-list-type".to_owned(), "map".into());
        schema.insert("x-kubernetes-list-map-keys".to_owned(), keys.split_whitespace().collect());
    }
}

/// A list of type `set`: without duplicates.
pub fn list_set(schema: &mut Schema) {
    schema.insert("x-kubernetes-list-type".to_owned(), "set".into());
}

/// A list of type `atomic`: server-side apply replaces it as a whole.
pub fn list_atomic(schema: &mut Schema) {
    schema.insert("x-kubernetes-list-type".to_owned(), "atomic".into());
}

/// An object of type `atomic`: server-side apply replaces it as a whole.
pub fn map_atomic(schema: &mut Schema) {
    schema.insert("x-kubernetes-map-type".to_owned(), "atomic".into());
}

/// A value that is an integer or a string.
pub fn int_or_string(schema: &mut Schema) {
    schema.insert(INT_OR_STRING.to_owned(), true.into());
}

/// Turns a schema of schemars into a structural schema.
fn make_structural(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    for key in ["title", "nullable", "$schema"] {
        fields.remove(key);
    }
    let unknown = |format: &Value| !format.as_str().is_some_and(|format| FORMATS.contains(&format));
    if fields.get("format").is_some_and(unknown) {
        fields.remove("format");
    }
    if fields.get("default").is_some_and(Value::is_null) {
        fields.remove("default");
    }
    drop_null_alternative(fields);
    replace_int_or_string(fields);
    replace_constants(fields);
    if let Some(Value::String(description)) = fields.get_mut("description") {
        *description = unwrap(description);
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.values_mut().for_each(make_structural);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(key) {
            make_structural(inner);
        }
    }
}

/// Replaces `anyOf: [X, null]`, the schema of an optional field, with `X`.
fn drop_null_alternative(fields: &mut Map<String, Value>) {
    let is_null = |alternative: &Value| alternative["nullable"] == true || alternative["type"] == "null";
    let Some(alternatives) = fields.get("anyOf").and_then(Value::as_array) else { return };
    if !alternatives.iter().any(is_null) {
        return;
    }
    let Some(Value::Array(alternatives)) = fields.remove("anyOf") else { return };
    let mut present: Vec<_> = alternatives.into_iter().filter(|alternative| !is_null(alternative)).collect();
    if present.len() > 1 {
        fields.insert("anyOf".to_owned(), present.into());
        return;
    }
    let Some(Value::Object(mut present)) = present.pop() else { return };
    // The rules of the type come before those of the field.
    if let (Some(Value::Array(of_type)), Some(Value::Array(of_field))) = (present.get_mut(RULES), fields.get(RULES)) {
        of_type.extend(of_field.iter().cloned());
        fields.remove(RULES);
    }
    // The field's own description comes before that of its type.
    for (key, value) in present {
        fields.entry(key).or_insert(value);
    }
}

/// Replaces `anyOf: [integer, string]` with `x-kubernetes-int-or-string`. Such a field has no `type`.
fn replace_int_or_string(fields: &mut Map<String, Value>) {
    let types = |alternatives: &Vec<Value>| -> Vec<String> {
        let mut types: Vec<_> = alternatives.iter().filter_map(|it| it["type"].as_str().map(str::to_owned)).collect();
        types.sort();
        types
    };
    let either = fields.get("anyOf").and_then(Value::as_array).is_some_and(|it| types(it) == ["integer", "string"]);
    if either {
        fields.insert(INT_OR_STRING.to_owned(), true.into());
    }
    if fields.get(INT_OR_STRING) == Some(&Value::Bool(true)) {
        for key in ["type", "format", "anyOf"] {
            fields.remove(key);
        }
    }
}

/// Replaces `oneOf` with constants by `enum`, and moves their descriptions into the description of the field. Other
/// alternatives stay: they state which fields belong together.
fn replace_constants(fields: &mut Map<String, Value>) {
    let constant = |alternative: &Value| alternative.get("const").or_else(|| alternative["enum"].get(0)).cloned();
    let alternatives = fields.get("oneOf").and_then(Value::as_array);
    if !alternatives.is_some_and(|all| all.iter().any(|alternative| constant(alternative).is_some())) {
        return;
    }
    let Some(Value::Array(alternatives)) = fields.remove("oneOf") else { return };
    let values: Vec<Value> = alternatives.iter().filter_map(constant).filter(|value| !value.is_null()).collect();
    let meanings = alternatives.iter().filter_map(|alternative| {
        Some(format!("- `{}`: {}", constant(alternative)?.as_str()?, alternative["description"].as_str()?))
    });
    let own = fields.get("description").and_then(Value::as_str).unwrap_or_default();
    let meanings = meanings.collect::<Vec<_>>().join("\n");
    let description = format!("{own}\n\n{meanings}");
    fields.insert("description".to_owned(), description.into());
    fields.insert("type".to_owned(), "string".into());
    fields.insert("enum".to_owned(), values.into());
}

/// Removes line breaks inside paragraphs and list items: doc comments are wrapped, descriptions are not.
fn unwrap(description: &str) -> String {
    let lines = description.split("\n\n").map(|paragraph| paragraph.replace('\n', " ").replace(" - `", "\n- `"));
    lines.collect::<Vec<_>>().join("\n\n")
}
