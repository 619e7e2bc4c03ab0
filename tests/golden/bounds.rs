//! What definitions bound, and which problems break a bound.

use std::fmt;

use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::path::{self, Segment};

/// What comes of a value that breaks a keyword of a schema: its code, and a part of what is said.
const KEYWORDS: &[(&str, Code, &str)] = &[
    ("enum", Code::NotSupported, ""),
    ("format", Code::Invalid, "must be of type"),
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

/// Keywords that no value breaks when it is composed, or that other keywords state.
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

/// Formats that say how wide a number is, which its bounds say too.
const WIDTHS: &[&str] = &["int32", "int64", "float", "double"];

/// Something that a definition demands of a field.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    at: Vec<Step>,
    keyword: String,
    code: Code,
    words: &'static str,
}

/// A step to a field.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    /// Any item of a list, or any entry of a map.
    Any,
}

impl Bound {
    /// Whether the problem is that a value breaks it.
    pub(crate) fn is_broken_in(&self, problem: &Problem) -> bool {
        let mut steps = self.at.iter();
        let along = path::segments(&problem.path).all(|segment| match (steps.next(), segment) {
            (Some(Step::Field(name)), Segment::Key(key)) => name == key,
            (Some(Step::Any), _) => true,
            _ => false,
        });
        along && steps.next().is_none() && problem.code == self.code && problem.message.contains(self.words)
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.at.iter().fold(String::new(), |path, step| match step {
            Step::Field(name) => path::key(&path, name),
            Step::Any => format!("{path}[]"),
        });
        write!(f, "`{}` of `{path}`", self.keyword)
    }
}

/// All that a definition demands of `spec`: what a kind reads of a composite.
pub(crate) fn of_spec(definition: &Value) -> Vec<Bound> {
    let spec = Step::Field("spec".to_owned());
    let mut bounds = vec![required(std::slice::from_ref(&spec))];
    collect(&schema(definition)["properties"]["spec"], &[spec], &mut bounds);
    bounds
}

/// All that a definition demands of an object, but for its metadata, which no definition bounds.
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

fn collect(schema: &Value, at: &[Step], bounds: &mut Vec<Bound>) {
    let to = |step: Step| [at, &[step]].concat();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                fields.iter().for_each(|(name, field)| collect(field, &to(Step::Field(name.clone())), bounds));
            }
            ("items" | "additionalProperties", item) => collect(item, &to(Step::Any), bounds),
            ("required", Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                bounds.extend(names.map(|name| required(&to(Step::Field(name.to_owned())))));
            }
            ("format", Value::String(format)) if WIDTHS.contains(&format.as_str()) => {}
            // An object is one.
            ("type", _) if at.is_empty() => {}
            (keyword, _) if NO_BOUNDS.contains(&keyword) => {}
            (keyword, _) => {
                let row = KEYWORDS.iter().find(|(known, ..)| *known == keyword);
                let (_, code, words) = *row.unwrap_or_else(|| panic!("no row says what comes of breaking `{keyword}`"));
                bounds.push(Bound { at: at.to_vec(), keyword: keyword.to_owned(), code, words });
            }
        }
    }
}

fn required(at: &[Step]) -> Bound {
    Bound { at: at.to_vec(), keyword: "required".to_owned(), code: Code::Required, words: "" }
}
