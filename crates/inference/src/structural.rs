//! Reads a JSON value with a structural schema: what an API server does before it stores an object.
//!
//! Covers what the schemas of this crate use: types, bounds, patterns, enumerations, required and unknown
//! fields, defaults, null as absence. Each problem says what would be right.

use regex_lite::Regex;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

use crate::path;
use crate::problem::{Code, Edit, Problem};

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
    let mut settled = value.clone();
    settle(schema, &mut settled);
    let problems = check(schema, &settled, path, unknown);
    if !problems.is_empty() {
        return Err(problems);
    }
    serde_json::from_value(settled).map_err(|error| vec![Problem::new(path, Code::Invalid, error.to_string())])
}

/// Applies defaults, drops nulls that stand for absence, and writes whole numbers without a fraction.
pub fn settle(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, schema) in properties(schema) {
                if fields.get(name).is_some_and(Value::is_null) {
                    fields.remove(name);
                }
                if let (false, Some(default)) = (fields.contains_key(name), schema.get("default")) {
                    fields.insert(name.clone(), default.clone());
                }
            }
            for (name, value) in fields {
                if let Some(schema) = field(schema, name) {
                    settle(schema, value);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| settle(schema, item));
            }
        }
        Value::Number(number) if schema["type"] == "integer" => {
            if let Some(whole) = whole(number).and_then(|whole| i64::try_from(whole).ok()) {
                *value = Value::from(whole);
            }
        }
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
pub fn check(schema: &Value, value: &Value, path: &str, unknown: Unknown) -> Vec<Problem> {
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
    let missing = required.filter(|&name| !fields.contains_key(name));
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
            (None, Some(_)) => problems.push(unknown_field(schema, name, at)),
        }
    }
}

/// What is wrong with a value of the right type by itself.
fn scalar(schema: &Value, value: &Value) -> Option<(Code, String)> {
    let problem = |code, what| Some((code, format!("{what}; give {}", expected(schema))));
    let shown = shown(value);
    if schema["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        return problem(Code::NotSupported, format!("{shown} is not supported"));
    }
    match value {
        Value::Number(number) => {
            let (number, least, most) = (whole(number)?, schema["minimum"].as_i64(), schema["maximum"].as_i64());
            let outside =
                least.is_some_and(|least| number < least.into()) || most.is_some_and(|most| number > most.into());
            if outside { problem(Code::Invalid, format!("{shown} is out of range")) } else { None }
        }
        Value::String(text) => {
            let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
            if schema["minLength"].as_u64().is_some_and(|least| length < least) {
                return problem(Code::Invalid, "empty".to_owned());
            }
            if let Some(most) = schema["maxLength"].as_u64().filter(|&most| length > most) {
                return Some((Code::TooLong, format!("{length} characters are too long; at most {most} fit")));
            }
            let pattern = Regex::new(schema["pattern"].as_str()?);
            if pattern.is_ok_and(|pattern| pattern.is_match(text)) {
                return None;
            }
            problem(Code::Invalid, format!("{shown} is malformed"))
        }
        _ => None,
    }
}

fn unknown_field(schema: &Value, name: &str, at: String) -> Problem {
    let known: Vec<_> = properties(schema).map(|(name, _)| name.as_str()).collect();
    let closest = known.iter().map(|&known| (distance(name, known), known)).min();
    // Beyond a third of its letters a name is another word, not a slip.
    match closest.filter(|&(distance, known)| distance <= known.chars().count().div_ceil(3)) {
        Some((_, meant)) => {
            Problem::new(at, Code::UnknownField, format!("unknown field `{name}`; did you mean `{meant}`"))
                .with_fix(Edit::Rename(meant.to_owned()))
        }
        None => Problem::new(at, Code::UnknownField, format!("unknown field `{name}`; known are {}", known.join(", ")))
            .with_fix(Edit::Remove),
    }
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

/// What a type is called in messages.
fn type_name(name: &str) -> &'static str {
    match name {
        "object" => "an object",
        "array" => "a list",
        "string" => "a string",
        "boolean" => "`true` or `false`",
        "number" => "a number",
        "integer" => "a whole number",
        _ => "a value",
    }
}

fn bounds(schema: &Value) -> String {
    match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" of at least {least}"),
        (None, Some(most)) => format!(" of at most {most}"),
        (None, None) => String::new(),
    }
}

/// What would be right, in words, with the example that the description gives.
fn expected(schema: &Value) -> String {
    if let Some(allowed) = schema["enum"].as_array() {
        let listed: Vec<_> = allowed.iter().map(shown).collect();
        return listed.join(" or ");
    }
    let name = type_name(schema["type"].as_str().unwrap_or_default());
    let description = schema["description"].as_str().and_then(|text| text.split_once("e.g. "));
    match description.and_then(|(_, rest)| rest.split('`').nth(1)) {
        Some(example) => format!("{name}{} like `{example}`", bounds(schema)),
        None => format!("{name}{}", bounds(schema)),
    }
}

/// A value as messages show it: in one line, and cut when it is long.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 64;
    let text = match value {
        Value::Object(_) => return "an object".to_owned(),
        Value::Array(_) => return "a list".to_owned(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// How many letters must be put in, left out or exchanged to make one word of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &b) in other.iter().enumerate() {
            let exchanged = diagonal + usize::from(!a.eq_ignore_ascii_case(&b));
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
