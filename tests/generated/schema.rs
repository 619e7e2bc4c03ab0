//! The fields of an OpenAPI schema, for reference pages.

use serde_json::Value;

/// A field that a user may write or read.
pub(crate) struct Field {
    /// Its path, with `[]` for the items of a list and `.*` for the values of a map.
    pub(crate) path: String,
    /// Its type, with its bounds.
    pub(crate) kind: String,
    /// Its default, or `required`.
    pub(crate) default: String,
    /// What it means, in one line.
    pub(crate) meaning: String,
}

/// Every field of an object's schema, parents before children.
pub(crate) fn fields(schema: &Value) -> Vec<Field> {
    let mut found = Vec::new();
    collect(schema, "", &mut found);
    found
}

fn collect(schema: &Value, parent: &str, found: &mut Vec<Field>) {
    let properties = schema["properties"].as_object();
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|list| list.iter().any(|item| item == name));
    for (name, property) in properties.into_iter().flatten() {
        let path = if parent.is_empty() { name.clone() } else { format!("{parent}.{name}") };
        found.push(Field {
            path: path.clone(),
            kind: kind(property),
            default: match property.get("default") {
                Some(value) if !value.is_object() && !value.is_array() => {
                    format!("`{}`", value.to_string().trim_matches('"'))
                }
                _ if is_required(name) => "required".to_owned(),
                _ => String::new(),
            },
            meaning: meaning(property["description"].as_str().unwrap_or_default()),
        });
        collect(property, &path, found);
        collect(&property["items"], &format!("{path}[]"), found);
        collect(&property["additionalProperties"], &format!("{path}.*"), found);
    }
}

/// A description in one line of Markdown. Items of a list start after `<br>`.
fn meaning(description: &str) -> String {
    let lines = description.split('\n').map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ").replace(" - `", "<br>`")
}

/// The type, with its bounds.
fn kind(schema: &Value) -> String {
    let base = match schema["type"].as_str().unwrap_or("any") {
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("map of {}", kind(&schema["additionalProperties"]))
        }
        other => other.to_owned(),
    };
    let bounds = match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) => format!(", at least {least}"),
        (None, Some(most)) => format!(", at most {most}"),
        (None, None) => String::new(),
    };
    let choices: Vec<_> = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if choices.is_empty() {
        base + &bounds
    } else {
        choices.iter().map(|choice| format!("`{choice}`")).collect::<Vec<_>>().join(" or ")
    }
}

#[test]
fn fields_are_described() {
    let schema = serde_json::json!({
        "type": "object",
        "required": ["model"],
        "properties": {
            "model": {"type": "string", "description": "What\nis served."},
            "gpu": {"type": "integer", "minimum": 1, "maximum": 8, "default": 1},
            "tls": {"type": "array", "items": {"type": "object", "properties": {"mode": {"type": "string", "enum": ["on", "off"]}}}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "sizes": {"type": "object", "additionalProperties": {"type": "object", "properties": {"value": {"type": "string"}}}},
        },
    });
    let rows: Vec<_> = fields(&schema).into_iter().map(|f| [f.path, f.kind, f.default, f.meaning].join("; ")).collect();
    let want = [
        "gpu; integer, 1 to 8; `1`; ",
        "labels; map of string; ; ",
        "model; string; required; What is served.",
        "sizes; map of object; ; ",
        "sizes.*.value; string; ; ",
        "tls; list of object; ; ",
        "tls[].mode; `on` or `off`; ; ",
    ];
    assert_eq!(rows, want);
}
