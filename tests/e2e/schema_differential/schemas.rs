//! Random schemas that the API server accepts.

use serde_json::{Map, Value, json};

use tests::random::Random;

/// A schema whose `spec` has many fields, each with a random schema of its own.
pub(crate) fn many(random: &mut Random, count: usize) -> Value {
    let fields: Map<String, Value> = (0..count).map(|number| (format!("f{number}"), any(random, 3))).collect();
    json!({
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": {"type": "object", "properties": fields},
        },
    })
}

/// Patterns. For each, [`crate::values::TEXTS`] has texts that match and texts that do not.
const PATTERNS: &[&str] = &[
    "^[a-z]+$",
    r"^\d{2,3}$",
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    "a|b",
    r"^\S+@\S+$",
    "^$|^x",
    r"^[^\s/]{1,5}$",
    r"^(\d+(\.\d+)?)(Mi|Gi)?$",
];

/// Formats, some of which are not checked.
const FORMATS: &[&str] = &[
    "bsonobjectid",
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
    "isbn",
    "isbn10",
    "isbn13",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "password",
    "date",
    "duration",
    "datetime",
    "date-time",
    "k8s-short-name",
    "k8s-long-name",
    "int32",
    "binary",
    "made-up",
];

/// A schema with a few levels.
fn any(random: &mut Random, depth: usize) -> Value {
    let kinds = if depth == 0 { 5 } else { 10 };
    let mut schema = match random.below(kinds) {
        0 | 1 => text(random),
        2 => number(random, "integer"),
        3 => number(random, "number"),
        4 => match random.below(2) {
            0 => json!({"type": "boolean"}),
            _ => json!({"x-kubernetes-int-or-string": true}),
        },
        5 | 6 => object(random, depth),
        7 => map(random, depth),
        _ => list(random, depth),
    };
    if random.percent(15) {
        schema["nullable"] = true.into();
    }
    if random.percent(20) {
        combine(random, &mut schema);
    }
    if random.percent(25) {
        add_default(random, &mut schema);
    }
    schema
}

fn text(random: &mut Random) -> Value {
    let mut schema = json!({"type": "string"});
    add_text_bounds(random, &mut schema);
    if random.percent(30) {
        schema["format"] = (*random.pick(FORMATS)).into();
    }
    if random.percent(20) {
        schema["enum"] = json!(["a", "bb", "A b", ""]);
    }
    schema
}

fn add_text_bounds(random: &mut Random, schema: &mut Value) {
    if random.percent(30) {
        schema["minLength"] = random.below(4).into();
    }
    if random.percent(30) {
        schema["maxLength"] = random.below(7).into();
    }
    if random.percent(25) {
        schema["pattern"] = (*random.pick(PATTERNS)).into();
    }
}

fn number(random: &mut Random, kind: &str) -> Value {
    let mut schema = json!({"type": kind});
    add_number_bounds(random, &mut schema);
    if random.percent(15) {
        schema["enum"] = json!([1, 2, 3.5, -7]);
    }
    if random.percent(15) {
        schema["format"] = (*random.pick(&["int32", "int64", "double", "date"])).into();
    }
    schema
}

fn add_number_bounds(random: &mut Random, schema: &mut Value) {
    const BOUNDS: &[f64] = &[0.0, 1.0, -3.0, 2.5, 10.0, 100.0, 1_000_000.0, 0.1, 1e19, -1e19];
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if random.percent(35) {
            schema[bound] = json!(random.pick(BOUNDS));
            if random.percent(30) {
                schema[exclusive] = true.into();
            }
        }
    }
    if random.percent(20) {
        schema["multipleOf"] = json!(random.pick(&[1.0, 2.0, 3.0, 0.5, 0.1, 2.5, 0.01]));
    }
}

fn object(random: &mut Random, depth: usize) -> Value {
    if random.percent(15) {
        return open_object(random, depth);
    }
    let names = ["a", "b", "c", "some-name", "d.e"];
    let count = 1 + random.below(4);
    let properties: Map<String, Value> =
        names.iter().take(count).map(|name| ((*name).to_owned(), any(random, depth - 1))).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    let required: Vec<_> = names.iter().take(count).filter(|_| random.percent(35)).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    add_size_bounds(random, &mut schema, "Properties");
    schema
}

/// An object that may have fields which its schema does not list.
fn open_object(random: &mut Random, depth: usize) -> Value {
    let mut schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    if random.percent(50) {
        schema["properties"] = json!({"a": any(random, depth - 1), "spec": any(random, depth - 1)});
    }
    if random.percent(60) {
        schema["x-kubernetes-embedded-resource"] = true.into();
    }
    schema
}

fn map(random: &mut Random, depth: usize) -> Value {
    let mut schema = json!({"type": "object", "additionalProperties": any(random, depth - 1)});
    if random.percent(15) {
        schema["additionalProperties"] = true.into();
    }
    add_size_bounds(random, &mut schema, "Properties");
    schema
}

fn list(random: &mut Random, depth: usize) -> Value {
    let mut schema = match random.below(4) {
        0 => {
            let items = if random.percent(50) { text(random) } else { number(random, "integer") };
            json!({"type": "array", "x-kubernetes-list-type": "set", "items": items})
        }
        1 => keyed_list(random, depth),
        _ => json!({"type": "array", "items": any(random, depth - 1)}),
    };
    add_size_bounds(random, &mut schema, "Items");
    schema
}

fn keyed_list(random: &mut Random, depth: usize) -> Value {
    let mut item = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": 6},
            "port": {"type": "integer", "default": 80},
            "value": any(random, depth - 1),
        },
        "required": ["name"],
    });
    let keys = if random.percent(50) { json!(["name"]) } else { json!(["name", "port"]) };
    if random.percent(20) {
        item["properties"]["more"] = any(random, depth - 1);
    }
    json!({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, "items": item})
}

fn add_size_bounds(random: &mut Random, schema: &mut Value, of: &str) {
    if random.percent(25) {
        schema[format!("min{of}")] = random.below(3).into();
    }
    if random.percent(25) {
        schema[format!("max{of}")] = (1 + random.below(3)).into();
    }
}

/// Adds one of `allOf`, `anyOf`, `oneOf` and `not`, with the keywords that a structural schema may have there.
fn combine(random: &mut Random, schema: &mut Value) {
    let count = 1 + random.below(3);
    match random.below(4) {
        0 => schema["not"] = part(random, schema),
        word => {
            let parts: Vec<_> = (0..count).map(|_| part(random, schema)).collect();
            schema[["", "allOf", "anyOf", "oneOf"][word]] = parts.into();
        }
    }
}

fn part(random: &mut Random, schema: &Value) -> Value {
    let mut part = json!({});
    match schema["type"].as_str() {
        Some("string") => add_text_bounds(random, &mut part),
        Some("integer" | "number") => add_number_bounds(random, &mut part),
        Some("array") => {
            add_size_bounds(random, &mut part, "Items");
            if random.percent(30) && schema["items"]["type"].is_string() {
                part["items"] = self::part(random, &schema["items"]);
            }
        }
        Some("object") => {
            add_size_bounds(random, &mut part, "Properties");
            let names: Vec<String> =
                schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
            if random.percent(60) && !names.is_empty() {
                let name = random.pick(&names);
                part["required"] = json!([name]);
                part["properties"] = json!({name: self::part(random, &schema["properties"][name])});
            }
        }
        _ if random.percent(50) => part["enum"] = json!([1, "a", true]),
        _ => {}
    }
    part
}

/// Adds a default that is valid by the schema itself.
fn add_default(random: &mut Random, schema: &mut Value) {
    let Ok(compiled) = schema::Schema::read(schema) else { return };
    for _ in 0..5 {
        let mut default = crate::values::sound(random, schema);
        compiled.prune(&mut default);
        let admitted = compiled.admit(&default, &schema::Options::default());
        if !default.is_null() && admitted.is_ok_and(|admitted| admitted.object == default) {
            schema["default"] = default;
            return;
        }
    }
}
