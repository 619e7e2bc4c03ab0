//! Properties of all schemas and objects.

use proptest::prelude::*;
use schema::{Options, Schema, Unknown};
use serde_json::{Map, Value, json};

/// Any JSON value, often with names and values that the schemas of these tests know.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3_i64..5).prop_map(Value::from),
        "[ab]{0,3}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..5).prop_map(object),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "apiVersion", "kind", "metadata", "name", "labels", "x.y/z", ""])
        .prop_map(str::to_owned)
}

fn object(fields: Vec<(String, Value)>) -> Value {
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}

/// Valid schemas, though not always structural.
fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = (
        prop::sample::select(vec!["string", "integer", "number", "boolean", "object", "array"]),
        prop::collection::vec(keyword(), 0..4),
    );
    let leaf = leaf.prop_map(|(kind, words)| {
        let mut schema = json!({"type": kind});
        words.into_iter().for_each(|(word, value)| schema[word] = value);
        schema
    });
    leaf.prop_recursive(4, 30, 4, |inner| {
        prop_oneof![
            (prop::collection::vec((name(), inner.clone()), 0..4), prop::collection::vec(keyword(), 0..3)).prop_map(
                |(properties, words)| {
                    let mut schema = json!({"type": "object", "properties": object(properties)});
                    words.into_iter().for_each(|(word, value)| schema[word] = value);
                    schema
                }
            ),
            inner.clone().prop_map(|values| json!({"type": "object", "additionalProperties": without_defaults(values)})),
            (inner.clone(), prop::sample::select(vec!["atomic", "set", "map"])).prop_map(|(items, list)| json!({
                "type": "array", "items": items, "x-kubernetes-list-type": list, "x-kubernetes-list-map-keys": ["a", "b"],
            })),
            (prop::collection::vec(inner, 1..3), prop::sample::select(vec!["allOf", "anyOf", "oneOf"]))
                .prop_map(|(parts, word)| json!({word: parts, "x-kubernetes-preserve-unknown-fields": true})),
        ]
    })
}

/// Removes defaults, because below `additionalProperties` they are not validated, and may not fit the schema.
fn without_defaults(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(fields) => {
            fields.remove("default");
            fields.values_mut().for_each(|value| *value = without_defaults(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_defaults(item.take())),
        _ => {}
    }
    schema
}

fn keyword() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        any::<bool>().prop_map(|flag| ("nullable", flag.into())),
        (-1e6..1e6).prop_map(|bound: f64| ("minimum", bound.into())),
        // With a fractional factor, a float can be a multiple while the integer that is stored for it is not.
        (1_i64..5).prop_map(|factor| ("multipleOf", factor.into())),
        (0_i64..3).prop_map(|count| ("maxLength", count.into())),
        (0_i64..3).prop_map(|count| ("minItems", count.into())),
        Just(("pattern", json!("^a*$"))),
        prop::sample::select(vec!["date", "email", "uri", "duration", "ipv4", "hostname"])
            .prop_map(|it| ("format", it.into())),
        Just(("enum", json!(["a", 1, null, 2.5]))),
        Just(("required", json!(["a"]))),
        Just(("x-kubernetes-preserve-unknown-fields", json!(true))),
        Just(("x-kubernetes-embedded-resource", json!(true))),
        any_value().prop_map(|default| ("default", default)),
    ]
}

proptest! {
    /// Any object can be admitted or refused without a panic. An admitted object is admitted again, unchanged.
    #[test]
    fn admitted_is_settled(source in any_schema(), value in any_value(), old in prop::option::of(any_value())) {
        // JSON cannot represent every float, so a schema may be refused.
        let Ok(schema) = Schema::read(&source) else { return Ok(()) };
        let options = Options { unknown: Unknown::Prune, old: old.as_ref(), ..Options::default() };
        if let Ok(admitted) = schema.admit(&value, &options) {
            let again = schema.admit(&admitted.object, &Options { unknown: Unknown::Strict, ..options });
            prop_assert_eq!(again.map(|it| it.object), Ok(admitted.object));
        }
    }

    /// Pruning or defaulting for the second time changes nothing.
    #[test]
    fn steps_are_idempotent(source in any_schema(), value in any_value()) {
        let Ok(schema) = Schema::read(&source) else { return Ok(()) };
        let mut once = value;
        schema.prune(&mut once);
        let mut twice = once.clone();
        prop_assert_eq!(schema.prune(&mut twice), vec![]);
        prop_assert_eq!(&twice, &once);
        schema.default(&mut once);
        let mut twice = once.clone();
        schema.default(&mut twice);
        prop_assert_eq!(twice, once);
    }

    /// An update without changes has no more errors than a new object.
    #[test]
    fn unchanged_may_stay(source in any_schema(), value in any_value()) {
        let Ok(schema) = Schema::read(&json!({"type": "object", "properties": {"f": source}})) else { return Ok(()) };
        let object = schema.stored(&json!({"f": value}));
        let excused = schema.validate(&object, Some(&object)).len();
        prop_assert!(excused <= schema.validate(&object, None).len());
    }

    /// Any JSON can be read as a schema without a panic.
    #[test]
    fn any_json_is_read(source in any_value()) {
        let _ = Schema::read(&source);
    }

    /// No pattern and no text leads to a panic.
    #[test]
    fn any_pattern(pattern in "[ -~]{0,12}", text in any::<String>()) {
        if let Ok(schema) = Schema::read(&json!({"type": "string", "pattern": pattern})) {
            schema.validate(&text.into(), None);
        }
    }

    #[test]
    fn any_text_in_any_format(format in prop::sample::select(FORMATS), text in "[ -~é]{0,24}") {
        let schema = Schema::read(&json!({"type": "string", "format": format})).expect("a sound schema");
        schema.validate(&text.into(), None);
    }
}

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
    "isbn",
    "creditcard",
    "ssn",
    "hexcolor",
    "rgbcolor",
    "byte",
    "date",
    "duration",
    "datetime",
    "k8s-short-name",
    "k8s-long-name",
];
