//! What Kubernetes gives to expressions, as any engine can take it: the values of variables, and the functions for
//! quantities and versions.

use std::cmp::Ordering;

use quantity::{Quantity, Version};
use serde_json::{Map, Value as Json};

use crate::engine::Subject;

/// A value of Kubernetes' own.
#[derive(Clone, Debug)]
pub enum Held {
    Quantity(Quantity),
    Version(Version),
}

/// The value of a variable.
pub enum Plain {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Timestamp(String),
    Duration(String),
    List(Vec<Plain>),
    Map(Vec<(String, Plain)>),
    /// What is named, by domain: one that is missing is empty.
    Domains(Vec<(String, Plain)>),
    Held(Held),
}

/// The variables of a subject; `None` if Kubernetes cannot convert it, which is an error of each evaluation.
pub fn variables(subject: &Subject) -> Option<Vec<(&'static str, Plain)>> {
    match subject {
        Subject::Device(json) => Some(vec![("device", device(json)?)]),
        Subject::Rule { schema, this, old } => {
            Some(vec![("self", typed(schema, this)), ("oldSelf", typed(schema, old))])
        }
    }
}

fn device(json: &Json) -> Option<Plain> {
    let driver = json["driver"].as_str().unwrap_or_default();
    let attributes = domains(driver, &json["attributes"], attribute)?;
    let capacity = domains(driver, &json["capacity"], |amount| quantity(&amount["value"]))?;
    let shared = json["allowMultipleAllocations"].as_bool().unwrap_or(false);
    Some(Plain::Map(vec![
        ("driver".to_owned(), Plain::Text(driver.to_owned())),
        ("attributes".to_owned(), attributes),
        ("capacity".to_owned(), capacity),
        ("allowMultipleAllocations".to_owned(), Plain::Bool(shared)),
    ]))
}

/// What is named, by domain and then by identifier.
fn domains(driver: &str, json: &Json, read: impl Fn(&Json) -> Option<Plain>) -> Option<Plain> {
    let mut domains: Vec<(String, Vec<(String, Plain)>)> = Vec::new();
    for (name, value) in json.as_object().into_iter().flatten() {
        let (domain, id) = name.split_once('/').unwrap_or((driver, name));
        let entry = (id.to_owned(), read(value)?);
        match domains.iter_mut().find(|(name, _)| name == domain) {
            Some((_, entries)) => entries.push(entry),
            None => domains.push((domain.to_owned(), vec![entry])),
        }
    }
    Some(Plain::Domains(domains.into_iter().map(|(name, entries)| (name, Plain::Map(entries))).collect()))
}

fn attribute(json: &Json) -> Option<Plain> {
    match json.as_object()?.iter().next()? {
        (_, Json::Bool(value)) => Some(Plain::Bool(*value)),
        (_, Json::Number(value)) => value.as_i64().map(Plain::Int),
        (kind, Json::String(text)) if kind == "string" => Some(Plain::Text(text.clone())),
        (kind, Json::String(text)) if kind == "version" => {
            text.parse().ok().map(|version| Plain::Held(Held::Version(version)))
        }
        _ => None,
    }
}

fn quantity(json: &Json) -> Option<Plain> {
    let quantity = match json {
        Json::Null => Some(Quantity::from(0)),
        Json::String(text) => text.trim().parse().ok(),
        other => other.to_string().parse().ok(),
    };
    quantity.map(|quantity| Plain::Held(Held::Quantity(quantity)))
}

/// A value of a schema: texts by their format, names as expressions spell them, null as missing.
fn typed(schema: &Json, json: &Json) -> Plain {
    match json {
        Json::Null => Plain::Null,
        Json::Bool(value) => Plain::Bool(*value),
        Json::Number(number) if schema["type"] == "number" => Plain::Double(number.as_f64().unwrap_or_default()),
        Json::Number(number) => Plain::Int(number.as_i64().unwrap_or_default()),
        Json::String(text) => match schema["format"].as_str() {
            Some("date-time") => Plain::Timestamp(text.clone()),
            Some("duration") => Plain::Duration(text.clone()),
            // There is one: `hello`.
            Some("byte") if text == "aGVsbG8=" => Plain::Bytes(b"hello".to_vec()),
            _ => Plain::Text(text.clone()),
        },
        Json::Array(items) => Plain::List(items.iter().map(|item| typed(&schema["items"], item)).collect()),
        Json::Object(fields) => Plain::Map(object(schema, fields)),
    }
}

fn object(schema: &Json, fields: &Map<String, Json>) -> Vec<(String, Plain)> {
    let present = fields.iter().filter(|(_, value)| !value.is_null());
    let entries = present.flat_map(|(name, value)| match schema["properties"].get(name) {
        Some(property) => {
            let names = match name.as_str() {
                "namespace" => vec!["namespace".to_owned(), "__namespace__".to_owned()],
                other => vec![other.replace('-', "__dash__")],
            };
            names.into_iter().map(|name| (name, typed(property, value))).collect()
        }
        None => vec![(name.clone(), typed(&schema["additionalProperties"], value))],
    });
    entries.collect()
}

/// The functions of Kubernetes that every engine gets.
pub const FUNCTIONS: &[&str] = &[
    "quantity",
    "isQuantity",
    "isInteger",
    "asInteger",
    "asApproximateFloat",
    "sign",
    "add",
    "sub",
    "compareTo",
    "isGreaterThan",
    "isLessThan",
    "semver",
    "isSemver",
    "major",
    "minor",
    "patch",
];

/// An argument of such a function.
pub enum Argument {
    Text(String),
    Bool(bool),
    Int(i64),
    Held(Held),
    Other,
}

/// What such a function gives.
pub enum Answer {
    Bool(bool),
    Int(i64),
    Double(f64),
    Held(Held),
}

/// Calls a function, with the target as the first argument; `None` is an error.
pub fn call(function: &str, arguments: &[Argument]) -> Option<Answer> {
    use Argument::{Bool, Held as Of, Int, Text};
    let quantity = |quantity| Some(Answer::Held(Held::Quantity(quantity)));
    match (function, arguments) {
        ("quantity", [Text(text)]) => quantity(text.parse().ok()?),
        ("isQuantity", [Text(text)]) => Some(Answer::Bool(text.parse::<Quantity>().is_ok())),
        ("semver", [Text(text), rest @ ..]) => Some(Answer::Held(Held::Version(version(text, rest)?))),
        ("isSemver", [Text(text), rest @ ..]) => Some(Answer::Bool(version(text, rest).is_some())),
        ("add", [Of(Held::Quantity(left)), Of(Held::Quantity(right))]) => quantity(left.add(right).ok()?),
        ("add", [Of(Held::Quantity(left)), Int(right)]) => quantity(left.add(&Quantity::from(*right)).ok()?),
        ("sub", [Of(Held::Quantity(left)), Of(Held::Quantity(right))]) => quantity(left.subtract(right).ok()?),
        ("sub", [Of(Held::Quantity(left)), Int(right)]) => quantity(left.subtract(&Quantity::from(*right)).ok()?),
        ("compareTo", [Of(left), Of(right)]) => Some(Answer::Int(left.compare(right)? as i64)),
        ("isGreaterThan", [Of(left), Of(right)]) => Some(Answer::Bool(left.compare(right)?.is_gt())),
        ("isLessThan", [Of(left), Of(right)]) => Some(Answer::Bool(left.compare(right)?.is_lt())),
        ("isInteger", [Of(Held::Quantity(it))]) => Some(Answer::Bool(it.to_integer().is_some())),
        ("asInteger", [Of(Held::Quantity(it))]) => it.to_integer().map(Answer::Int),
        ("asApproximateFloat", [Of(Held::Quantity(it))]) => approximate(it),
        ("sign", [Of(Held::Quantity(it))]) => Some(Answer::Int(it.sign().into())),
        ("major", [Of(Held::Version(it))]) => Some(Answer::Int(it.major.cast_signed())),
        ("minor", [Of(Held::Version(it))]) => Some(Answer::Int(it.minor.cast_signed())),
        ("patch", [Of(Held::Version(it))]) => Some(Answer::Int(it.patch.cast_signed())),
        (_, [.., Bool(_) | Argument::Other]) => None,
        _ => None,
    }
}

impl Held {
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Quantity(left), Self::Quantity(right)) => Some(left.cmp(right)),
            (Self::Version(left), Self::Version(right)) => Some(left.cmp(right)),
            _ => None,
        }
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other).is_some_and(Ordering::is_eq)
    }
}

impl Eq for Held {}

fn version(text: &str, options: &[Argument]) -> Option<Version> {
    match options {
        [] | [Argument::Bool(false)] => text.parse().ok(),
        [Argument::Bool(true)] => Version::tolerant(text).ok(),
        _ => None,
    }
}

fn approximate(quantity: &Quantity) -> Option<Answer> {
    let mantissa = quantity.mantissa();
    let base: f64 = format!("{}e{}", mantissa.digits, mantissa.zeros).parse().ok()?;
    let power: f64 = format!("1e{}", mantissa.exponent).parse().ok()?;
    Some(Answer::Double(base * power))
}
