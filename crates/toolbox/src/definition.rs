//! Builds the definitions of kinds and inputs out of their types.
//!
//! Only generation and tests need this (feature `generate`); the component embeds what it makes.

use contract::catalog::Scope;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::kind::Kind;

/// The structural OpenAPI v3 schema of a type, as a CustomResourceDefinition takes it: no references, no
/// nullable unions, and of formats none.
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::openapi3().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make_structural(&mut schema);
    schema
}

/// The CompositeResourceDefinition of a kind.
pub fn definition(kind: &Kind) -> Value {
    let (group, version) = kind.api_version.split_once('/').unwrap_or(("", kind.api_version));
    json!({
        "apiVersion": "apiextensions.crossplane.io/v2",
        "kind": "CompositeResourceDefinition",
        "metadata": {"name": format!("{}.{group}", kind.plural)},
        "spec": {
            "group": group,
            "names": {"kind": kind.kind, "plural": kind.plural},
            "scope": scope(kind.scope),
            "versions": [{
                "name": version,
                "served": true,
                "referenceable": true,
                "additionalPrinterColumns": kind.columns.iter().map(|column| json!({
                    "name": column.name, "type": column.column_type, "jsonPath": column.path,
                })).collect::<Vec<_>>(),
                "schema": {"openAPIV3Schema": (kind.schema)()},
            }],
        },
    })
}

/// The CustomResourceDefinition that describes a step's input, whose schema is that of its type. No cluster serves it.
pub fn input_definition(api_version: &str, kind: &str, plural: &str, mut schema: Value) -> Value {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    schema["required"] = json!(["apiVersion", "kind"]);
    schema["properties"]["apiVersion"] = constant(api_version, "API version of these options.");
    schema["properties"]["kind"] = constant(kind, "Kind of these options.");
    schema["properties"]["metadata"] = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let singular = kind.to_lowercase();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group,
            "names": {"kind": kind, "listKind": format!("{kind}List"), "plural": plural, "singular": singular},
            "scope": "Namespaced",
            "versions": [{"name": version, "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Namespaced => "Namespaced",
        Scope::Cluster => "Cluster",
    }
}

fn constant(value: &str, description: &str) -> Value {
    json!({"type": "string", "enum": [value], "description": description})
}

/// Rewrites what schemars says into what a structural schema may say.
fn make_structural(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    for key in ["title", "format", "nullable", "$schema"] {
        fields.remove(key);
    }
    if fields.get("default").is_some_and(Value::is_null) {
        fields.remove("default");
    }
    drop_null_alternative(fields);
    name_alternatives(fields);
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

/// Makes `X` of `anyOf: [X, null]`, which an optional field is: it may be left out.
fn drop_null_alternative(fields: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = fields.remove("anyOf") else { return };
    let present = alternatives.into_iter().find(|alternative| alternative["nullable"] != true);
    if let Some(Value::Object(present)) = present {
        // The field's own description comes before that of its type.
        for (key, value) in present {
            fields.entry(key).or_insert(value);
        }
    }
}

/// Makes an enumeration of `oneOf` constants, and moves what each of them means into the description.
fn name_alternatives(fields: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = fields.remove("oneOf") else { return };
    let constant = |alternative: &Value| alternative.get("const").or_else(|| alternative["enum"].get(0)).cloned();
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

/// One line for each paragraph and list item: doc comments are wrapped, descriptions are not.
fn unwrap(description: &str) -> String {
    let lines = description.split("\n\n").map(|paragraph| paragraph.replace('\n', " ").replace(" - `", "\n- `"));
    lines.collect::<Vec<_>>().join("\n\n")
}
