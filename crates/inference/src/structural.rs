//! Reads a JSON value with a structural schema: what an API server does before it stores an object.
//!
//! Covers what the schemas of this crate use: types, bounds, patterns, enumerations, required and unknown
//! fields, defaults, null as absence. Each problem says what would be right.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use regex_lite::Regex;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

pub(crate) use self::words::{cut, shown};
use self::words::{expected, unknown_field};
use crate::path;
use crate::problem::{Code, Problem};

mod words;

/// What becomes of fields that the schema does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are passed over: the API server pruned what it did not know.
    Ignored,
    /// They are problems, as under the API server's strict validation.
    Refused,
}

/// Reads `value`, which stands at `path`, as a `T`, with defaults applied.
///
/// # Errors
/// Everything that is wrong, in the order of the fields' names.
pub fn read<T: DeserializeOwned>(
    schema: &Value,
    value: &Value,
    path: &str,
    unknown: Unknown,
) -> Result<T, Vec<Problem>> {
    let mut value = value.clone();
    drop_nulls(schema, &mut value);
    let problems = check(schema, &value, path, unknown);
    if !problems.is_empty() {
        return Err(problems);
    }
    settle(schema, &mut value);
    serde_json::from_value(value).map_err(|error| vec![Problem::new(path, Code::Invalid, error.to_string())])
}

/// Writes what an API server would: defaults, also in place of null, and whole numbers without a fraction.
pub fn settle(schema: &Value, value: &mut Value) {
    drop_nulls(schema, value);
    if let Value::Object(fields) = value {
        for (name, schema) in properties(schema) {
            if let (false, Some(default)) = (fields.contains_key(name), schema.get("default")) {
                fields.insert(name.clone(), default.clone());
            }
        }
    }
    if let (Value::Number(number), true) = (&*value, schema["type"] == "integer")
        && let Some(whole) = whole(number).and_then(|whole| i64::try_from(whole).ok())
    {
        *value = Value::from(whole);
    }
    descend(schema, value, settle);
}

/// Removes fields that are null: no schema here allows for null, so it stands for absence.
fn drop_nulls(schema: &Value, value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.retain(|name, value| !value.is_null() || field(schema, name).is_none());
    }
    descend(schema, value, drop_nulls);
}

/// Does the same to all that is directly inside a value and that the schema knows.
fn descend(schema: &Value, value: &mut Value, act: fn(&Value, &mut Value)) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let Some(schema) = field(schema, name) {
                    act(schema, value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| act(&schema["items"], item)),
        _ => {}
    }
}

/// The defaults that `value` lacks, by JSON pointer; one inside another's is not listed again.
pub fn defaults(schema: &Value, value: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let Value::Object(fields) = value else { return found };
    for (name, schema) in properties(schema) {
        let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        match (fields.get(name), schema.get("default")) {
            (None | Some(Value::Null), Some(default)) => found.push((pointer, default.clone())),
            (Some(value), _) => {
                let inside = defaults(schema, value).into_iter();
                found.extend(inside.map(|(rest, default)| (format!("{pointer}{rest}"), default)));
            }
            (None, None) => {}
        }
    }
    found
}

/// Everything that is wrong with `value`, which stands at `path`, in the order of the fields' names.
fn check(schema: &Value, value: &Value, path: &str, unknown: Unknown) -> Vec<Problem> {
    let mut problems = Vec::new();
    visit(schema, value, path, unknown, &mut problems);
    problems
}

fn visit(schema: &Value, value: &Value, path: &str, unknown: Unknown, problems: &mut Vec<Problem>) {
    let wanted = schema["type"].as_str().unwrap_or_default();
    if !has_type(value, wanted) {
        let message = format!("{} has the wrong type; give {}", shown(value), expected(schema));
        problems.push(Problem::new(path, Code::TypeInvalid, message));
        return;
    }
    problems.extend(scalar(schema, value).map(|(code, message)| Problem::new(path, code, message)));
    match value {
        Value::Object(fields) => object(schema, fields, path, unknown, problems),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                visit(&schema["items"], item, &path::index(path, index), unknown, problems);
            }
        }
        _ => {}
    }
}

fn object(schema: &Value, fields: &Map<String, Value>, path: &str, unknown: Unknown, problems: &mut Vec<Problem>) {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let has_default = |name| field(schema, name).is_some_and(|schema| schema.get("default").is_some());
    let missing = required.filter(|&name| !fields.contains_key(name) && !has_default(name));
    let mut names: Vec<_> = missing.chain(fields.keys().map(String::as_str)).collect();
    names.sort_unstable();
    for name in names {
        let at = path::key(path, name);
        match (field(schema, name), fields.get(name)) {
            (Some(schema), Some(value)) => visit(schema, value, &at, unknown, problems),
            // What a missing object would need says more than that it is missing.
            (Some(schema), None) if schema["required"].is_array() => {
                object(schema, &Map::new(), &at, unknown, problems);
            }
            (schema, None) => {
                let message = format!("missing; give {}", schema.map_or("a value".to_owned(), expected));
                problems.push(Problem::new(at, Code::Required, message));
            }
            (None, Some(_))
                if unknown == Unknown::Ignored || schema["x-kubernetes-preserve-unknown-fields"] == true => {}
            (None, Some(_)) => {
                let known = properties(schema).map(|(name, _)| (name.as_str(), fields.contains_key(name)));
                problems.push(unknown_field(&known.collect::<Vec<_>>(), name, at));
            }
        }
    }
}

/// What is wrong with a value of the right type by itself.
fn scalar(schema: &Value, value: &Value) -> Option<(Code, String)> {
    let problem = |code, what| Some((code, format!("{what}; give {}", expected(schema))));
    if schema["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        return problem(Code::NotSupported, format!("{} is not supported", shown(value)));
    }
    match value {
        Value::Number(number) => {
            let (number, least, most) = (whole(number)?, schema["minimum"].as_i64(), schema["maximum"].as_i64());
            let outside =
                least.is_some_and(|least| number < least.into()) || most.is_some_and(|most| number > most.into());
            if outside { problem(Code::Invalid, format!("{} is out of range", shown(value))) } else { None }
        }
        Value::String(text) => {
            let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
            if schema["minLength"].as_u64().is_some_and(|least| length < least) {
                return problem(Code::Invalid, "empty".to_owned());
            }
            if let Some(most) = schema["maxLength"].as_u64().filter(|&most| length > most) {
                return Some((Code::TooLong, format!("{length} characters are too long; at most {most} fit")));
            }
            if matches(schema["pattern"].as_str()?, text) {
                return None;
            }
            problem(Code::Invalid, format!("{} is malformed", shown(value)))
        }
        _ => None,
    }
}

/// Whether `text` matches `pattern`, which is compiled once: there are only those of the schemas here.
fn matches(pattern: &str, text: &str) -> bool {
    static COMPILED: Mutex<BTreeMap<String, Option<Regex>>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if !compiled.contains_key(pattern) {
        compiled.insert(pattern.to_owned(), Regex::new(pattern).ok());
    }
    compiled.get(pattern).and_then(Option::as_ref).is_some_and(|pattern| pattern.is_match(text))
}

/// The schema of a field of an object.
fn field<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    schema["properties"].get(name).or_else(|| schema.get("additionalProperties").filter(|schema| schema.is_object()))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}

fn has_type(value: &Value, wanted: &str) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => matches!(value, Value::Number(number) if whole(number).is_some()),
        _ => true,
    }
}

/// The number when it has no fraction, as `4.0` has none; what is beyond the range of the type is cut to it.
fn whole(number: &Number) -> Option<i128> {
    number.as_i128().or_else(|| {
        let float = number.as_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "bounds are far below where this saturates")]
        (float.fract() == 0.0).then_some(float as i128)
    })
}
