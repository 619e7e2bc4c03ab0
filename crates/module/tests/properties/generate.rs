//! Generates objects from definitions and examples, so that every kind of the table has them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use inference::KINDS;
use proptest::prelude::*;
use proptest::string::string_regex;
use serde_json::{Map, Value, json};
use toolbox::kind::Kind;

/// Any JSON, a few levels deep.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z]{0,10}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

/// How often generated values are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mistakes {
    /// Some fields are any JSON, and some required ones are missing.
    Some,
    /// The schema allows every value. CEL rules may still refuse the object.
    None,
}

/// Composites of a kind: values by the schema of its definition, and values of its examples.
pub(crate) fn composites(kind: &Kind, mistakes: Mistakes) -> BoxedStrategy<Value> {
    let schema = &schema((kind.definition)().document())["properties"]["spec"];
    let examples = examples(kind);
    let specs: Vec<&Value> = examples.iter().map(|example| &example["spec"]).collect();
    let (api_version, kind) = (kind.api_version, kind.kind);
    let name = match mistakes {
        Mistakes::Some => "[a-z0-9.-]{1,70}",
        Mistakes::None => "[a-z]{1,20}",
    };
    (name, by_schema(schema, &specs, mistakes))
        .prop_map(move |(name, spec)| {
            let metadata = json!({"name": name, "namespace": "team-a"});
            json!({"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec})
        })
        .boxed()
}

/// Step inputs of the kinds in the table. Those that are steps by themselves are not for composites.
pub(crate) fn inputs(mistakes: Mistakes) -> BoxedStrategy<Value> {
    let inputs = KINDS.inputs.iter().filter(|input| input.step.is_none()).map(|input| {
        let mut schema = schema((input.definition)().document()).clone();
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.remove("metadata");
        }
        by_schema(&schema, &[], mistakes)
    });
    prop::strategy::Union::new(inputs).boxed()
}

/// The composites of a kind among the examples of its API.
pub(crate) fn examples(kind: &Kind) -> Vec<Value> {
    documents(kind).into_iter().filter(|it| it["apiVersion"] == kind.api_version && it["kind"] == kind.kind).collect()
}

/// All objects in the examples of the kind's API.
pub(crate) fn documents(kind: &Kind) -> Vec<Value> {
    let of_api = KINDS.rows.iter().filter(|row| row.api == kind.api);
    let texts = of_api.flat_map(|row| row.examples).flat_map(|example| yaml::values(example.text));
    texts.map(|document| document.expect("an example is YAML")).collect()
}

/// A request to compose.
pub(crate) fn request(composite: Value, input: Option<Value>) -> ComposeRequest {
    ComposeRequest { composite: Some(ObservedObject::from(composite)), input, ..ComposeRequest::default() }
}

fn schema(definition: &Value) -> &Value {
    &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

/// Values by a schema. `examples` are values at the same place in examples.
fn by_schema(schema: &Value, examples: &[&Value], mistakes: Mistakes) -> BoxedStrategy<Value> {
    let values = match schema["type"].as_str() {
        _ if schema["enum"].is_array() => {
            prop::sample::select(schema["enum"].as_array().cloned().unwrap_or_default()).boxed()
        }
        Some("object") if schema["properties"].is_object() => return object(schema, examples, mistakes),
        Some("object") => {
            let inner = match &schema["additionalProperties"] {
                inner @ Value::Object(_) => by_schema(inner, &[], mistakes),
                _ => any_json().boxed(),
            };
            prop::collection::btree_map("[a-z]{1,8}", inner, 0..3).prop_map(|map| json!(map)).boxed()
        }
        Some("array") => {
            let items: Vec<&Value> = examples.iter().filter_map(|list| list.as_array()).flatten().collect();
            let bound = |key: &str| schema[key].as_u64().and_then(|bound| usize::try_from(bound).ok());
            let least = bound("minItems").unwrap_or(0);
            let most = bound("maxItems").unwrap_or(usize::MAX).min(least + 3);
            prop::collection::vec(by_schema(&schema["items"], &items, mistakes), least..=most)
                .prop_map(Value::from)
                .boxed()
        }
        Some("string") => text(schema),
        Some("integer") => {
            let least = schema["minimum"].as_i64().unwrap_or(0);
            (least..=schema["maximum"].as_i64().unwrap_or(least + 1_000)).prop_map(Value::from).boxed()
        }
        Some("number") => (0.0..1_000.0).prop_map(Value::from).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        _ if schema["x-kubernetes-int-or-string"] == true => {
            prop_oneof![(1..1_000).prop_map(Value::from), "[a-z]{1,8}".prop_map(Value::from)].boxed()
        }
        _ => any_json().boxed(),
    };
    let known: Vec<Value> = examples.iter().map(|&value| value.clone()).collect();
    if known.is_empty() { values } else { prop_oneof![1 => values, 1 => prop::sample::select(known)].boxed() }
}

fn text(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |key: &str| schema[key].as_u64().and_then(|bound| usize::try_from(bound).ok());
    let (least, most) = (bound("minLength").unwrap_or(0), bound("maxLength").unwrap_or(usize::MAX));
    match schema["pattern"].as_str() {
        Some(pattern) => {
            // The generator has no anchors: it always generates whole texts.
            let texts = string_regex(&pattern.replace(['^', '$'], "")).expect("a pattern that can be generated");
            texts
                .prop_filter_map("a text within its bounds", move |text| {
                    (least..=most).contains(&text.chars().count()).then(|| text.into())
                })
                .boxed()
        }
        None => {
            let pattern = format!("[a-zA-Z0-9./-]{{{least},{}}}", most.min(least + 30));
            string_regex(&pattern).expect("a pattern").prop_map(Value::from).boxed()
        }
    }
}

/// An object with the fields of a schema. Optional fields are often missing.
fn object(schema: &Value, examples: &[&Value], mistakes: Mistakes) -> BoxedStrategy<Value> {
    let is_required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name));
    let fields = schema["properties"].as_object().into_iter().flatten().map(|(name, schema)| {
        let examples: Vec<&Value> = examples.iter().filter_map(|object| object.get(name)).collect();
        let value = by_schema(schema, &examples, mistakes);
        let field = match (mistakes, is_required(name)) {
            (Mistakes::None, true) => value.prop_map(Some).boxed(),
            (Mistakes::None, false) => prop::option::of(value).boxed(),
            (Mistakes::Some, _) => {
                prop_oneof![8 => value.prop_map(Some), 1 => any_json().prop_map(Some), 1 => Just(None)].boxed()
            }
        };
        let name = name.clone();
        field.prop_map(move |value| (name.clone(), value)).boxed()
    });
    let fields: Vec<BoxedStrategy<(String, Option<Value>)>> = fields.collect();
    fields
        .prop_map(|fields| {
            let present = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
            Value::Object(present.collect::<Map<_, _>>())
        })
        .boxed()
}
