//! Plain JSON schemas, as kubeconform has them: in files `KIND-GROUP-VERSION.json`, or `KIND-VERSION.json` for the core
//! group, where the group is only its first label.
//!
//! They are written for validators of JSON schema, so they say some things in other words than structural schemas do.

use serde_json::{Map, Value, json};

use super::source::Source;

/// The schema in a document, when its file has such a name.
pub(super) fn find(path: &str, document: &Value) -> Option<Source> {
    let name = path.rsplit('/').next()?.strip_suffix(".json")?;
    let parts: Vec<_> = name.split('-').collect();
    let (kind, group, version) = match parts.as_slice() {
        [kind, version] => (kind, "", version),
        [kind, group, version] => (kind, *group, version),
        _ => return None,
    };
    let is_version = version.strip_prefix('v').is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    is_version.then(|| Source {
        group: group.to_owned(),
        is_first_label: true,
        version: (*version).to_owned(),
        kind: (*kind).to_owned(),
        scope: None,
        status: false,
        scale: None,
        schema: whole(document),
    })
}

/// The structural schema of a resource. An API server has the schema of its metadata.
fn whole(document: &Value) -> Value {
    let mut schema = structural(document);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, sort) in [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")] {
            properties.insert(name.to_owned(), json!({"type": sort}));
        }
    }
    schema
}

/// The structural schema that means the same.
fn structural(schema: &Value) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    if is_int_or_string(fields) {
        return json!({"x-kubernetes-int-or-string": true});
    }
    let mut made = Map::new();
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("$schema", _) | ("additionalProperties", Value::Bool(_)) => {}
            ("type", Value::Array(_)) => {
                let (sort, nullable) = types(value);
                made.insert("type".to_owned(), sort.into());
                made.insert("nullable".to_owned(), nullable.into());
            }
            ("enum", Value::Array(allowed)) => {
                let allowed = allowed.iter().filter(|value| !value.is_null()).cloned().collect();
                made.insert("enum".to_owned(), Value::Array(allowed));
            }
            ("properties", Value::Object(properties)) => {
                let mut structured = Map::new();
                structured.extend(properties.iter().map(|(name, schema)| (name.clone(), structural(schema))));
                made.insert("properties".to_owned(), Value::Object(structured));
            }
            ("items" | "additionalProperties", schema) => {
                made.insert(key.clone(), structural(schema));
            }
            _ => {
                made.insert(key.clone(), value.clone());
            }
        }
    }
    // What a structural schema does not list is unknown; here nothing is listed, so everything is allowed.
    let is_open = !made.contains_key("properties") && !made.contains_key("additionalProperties");
    if is_open && made.get("type").is_none_or(|sort| sort == "object") {
        made.insert("x-kubernetes-preserve-unknown-fields".to_owned(), true.into());
    }
    if made.contains_key("properties") {
        made.entry("type").or_insert_with(|| "object".into());
    }
    Value::Object(made)
}

/// The only type of a list of types, and whether null is in the list.
fn types(list: &Value) -> (&str, bool) {
    let names = || list.as_array().into_iter().flatten().filter_map(Value::as_str);
    (names().find(|name| *name != "null").unwrap_or_default(), names().any(|name| name == "null"))
}

/// Whether a schema allows integers and text.
fn is_int_or_string(fields: &Map<String, Value>) -> bool {
    let one_of = |key: &str| fields.get(key).and_then(Value::as_array);
    let Some(parts) = one_of("oneOf").or_else(|| one_of("anyOf")) else { return false };
    let sorts: Vec<_> = parts.iter().map(|part| part["type"].as_str().unwrap_or(types(&part["type"]).0)).collect();
    sorts.len() == 2 && sorts.contains(&"string") && sorts.contains(&"integer")
}
