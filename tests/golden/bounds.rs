//! The bounds in definitions, and the problems that violate a bound.

use std::fmt;

use contract::types::{Code, Problem};
use serde_json::{Value, json};
use toolbox::kind::Kind;
use toolbox::path::{self, Segment};

/// The problem of a value that violates a keyword of a schema: its code, and a part of its message.
const KEYWORDS: &[(&str, Code, &str)] = &[
    ("enum", Code::NotSupported, ""),
    ("format", Code::TypeInvalid, "must be of type"),
    ("maximum", Code::Invalid, "less than"),
    ("maxItems", Code::TooMany, ""),
    ("maxLength", Code::TooLong, ""),
    ("maxProperties", Code::TooMany, ""),
    ("minimum", Code::Invalid, "greater than"),
    ("minItems", Code::Invalid, "at least"),
    ("minLength", Code::Invalid, "at least"),
    ("minProperties", Code::Invalid, "at least"),
    ("multipleOf", Code::Invalid, "multiple of"),
    ("pattern", Code::Invalid, "should match"),
    ("type", Code::TypeInvalid, ""),
    ("uniqueItems", Code::Duplicate, ""),
    ("x-kubernetes-int-or-string", Code::TypeInvalid, ""),
];

/// Keywords that composing does not check, or that other keywords repeat.
const NO_BOUNDS: &[&str] = &[
    "anyOf",
    "default",
    "description",
    "nullable",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// Formats for the width of a number, which its bounds state too.
const WIDTHS: &[&str] = &["int32", "int64", "float", "double"];

/// A bound of a field in a definition.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    at: Vec<Part>,
    keyword: String,
    /// What the keyword says.
    stated: Value,
    code: Code,
    words: &'static str,
}

/// A segment of the path of a field.
#[derive(Clone, Debug)]
enum Part {
    Field(String),
    /// Any item of a list.
    Item,
    /// Any entry of a map.
    Entry,
}

impl Bound {
    /// Whether a problem is a violation of this bound.
    pub(crate) fn is_violated_by(&self, problem: &Problem) -> bool {
        let mut steps = self.at.iter();
        let along = path::segments(&problem.path).all(|segment| match (steps.next(), segment) {
            (Some(Part::Field(name)), Segment::Key(key)) => name == key,
            (Some(Part::Item | Part::Entry), _) => true,
            _ => false,
        });
        along && steps.next().is_none() && problem.code == self.code && problem.message.contains(self.words)
    }

    /// A composite that violates this bound of its `spec`, and perhaps others.
    pub(crate) fn violation(&self, kind: &Kind) -> Value {
        let mut value = self.wrong();
        for part in self.at.iter().rev() {
            value = match (part, value) {
                (Part::Field(_), None) => Some(json!({})),
                (Part::Field(name), Some(value)) => Some(json!({name.as_str(): value})),
                (Part::Item, value) => Some(json!([value])),
                (Part::Entry, value) => Some(json!({"entry": value})),
            };
        }
        let mut composite = value.unwrap_or_default();
        composite["apiVersion"] = kind.api_version.into();
        composite["kind"] = kind.kind.into();
        composite["metadata"] = json!({"name": "made-up", "namespace": "team-a"});
        composite
    }

    /// A value that violates the bound. `None` when the value must be missing.
    fn wrong(&self) -> Option<Value> {
        let number = self.stated.as_i64().unwrap_or_default();
        let times = |by: i64| usize::try_from(number + by).unwrap_or_default();
        Some(match self.keyword.as_str() {
            "required" => return None,
            "type" if self.stated == "string" => json!(1),
            "type" | "format" | "pattern" | "enum" => json!("\u{1}"),
            "x-kubernetes-int-or-string" => json!(true),
            "maximum" => json!(number + 1),
            "minimum" => json!(number - 1),
            "multipleOf" => json!(number * 2 + 1),
            // Each has one mistake, because validation ends at some number of them.
            "maxItems" => vec![json!(1); times(1)].into(),
            "minItems" => vec![json!({}); times(-1)].into(),
            "uniqueItems" => json!(["a", "a"]),
            "maxLength" => "a".repeat(times(1)).into(),
            "minLength" => "a".repeat(times(-1)).into(),
            "maxProperties" => entries(times(1)),
            "minProperties" => entries(times(-1)),
            keyword => panic!("no value that violates `{keyword}`"),
        })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.at.iter().fold(String::new(), |path, step| match step {
            Part::Field(name) => path::key(&path, name),
            Part::Item | Part::Entry => format!("{path}[]"),
        });
        write!(f, "`{}` of `{path}`", self.keyword)
    }
}

/// All bounds of `spec` in a definition. A kind reads nothing else of a composite by its schema.
pub(crate) fn of_spec(definition: &Value) -> Vec<Bound> {
    let spec = Part::Field("spec".to_owned());
    let mut bounds = vec![required(std::slice::from_ref(&spec))];
    collect(&schema(definition)["properties"]["spec"], &[spec], &mut bounds);
    bounds
}

/// All bounds of an object in a definition, except those of `metadata`, which a definition does not have.
pub(crate) fn of_object(definition: &Value) -> Vec<Bound> {
    let mut schema = schema(definition).clone();
    if let Some(fields) = schema["properties"].as_object_mut() {
        fields.remove("metadata");
    }
    let mut bounds = Vec::new();
    collect(&schema, &[], &mut bounds);
    bounds
}

fn schema(definition: &Value) -> &Value {
    &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

fn collect(schema: &Value, at: &[Part], bounds: &mut Vec<Bound>) {
    let to = |step: Part| [at, &[step]].concat();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                fields.iter().for_each(|(name, field)| collect(field, &to(Part::Field(name.clone())), bounds));
            }
            ("items", item) => collect(item, &to(Part::Item), bounds),
            ("additionalProperties", item) => collect(item, &to(Part::Entry), bounds),
            ("required", Value::Array(names)) => {
                // What has a default is never missing.
                let default = |name: &str| schema["properties"][name].get("default").is_some();
                let names = names.iter().filter_map(Value::as_str).filter(|name| !default(name));
                bounds.extend(names.map(|name| required(&to(Part::Field(name.to_owned())))));
            }
            ("format", Value::String(format)) if WIDTHS.contains(&format.as_str()) => {}
            // The object itself is always an object.
            ("type", _) if at.is_empty() => {}
            (keyword, _) if NO_BOUNDS.contains(&keyword) => {}
            (keyword, _) => {
                let row = KEYWORDS.iter().find(|(known, ..)| *known == keyword);
                let (_, code, words) = *row.unwrap_or_else(|| panic!("no row for keyword `{keyword}`"));
                bounds.push(Bound { at: at.to_vec(), keyword: keyword.to_owned(), stated: value.clone(), code, words });
            }
        }
    }
}

fn required(at: &[Part]) -> Bound {
    let at = at.to_vec();
    Bound { at, keyword: "required".to_owned(), stated: Value::Null, code: Code::Required, words: "" }
}

/// An object with so many fields.
fn entries(count: usize) -> Value {
    (0..count).map(|index| (format!("entry-{index}"), json!(""))).collect()
}
