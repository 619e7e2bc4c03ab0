//! `type` and `nullable`, and Go's conversions of values.

use serde_json::{Number, Value};

use super::report::{Failure, Report};
use crate::error::{Hint, Kind};
use crate::go;
use crate::node::{Node, Type};
use crate::path::Place;

/// Validates null: it is an error when the schema has a type and does not allow null.
pub(super) fn null(node: &Node, at: &Place<'_>) -> Report {
    if node.types.is_empty() || node.is(Type::Null) || node.nullable {
        return Report::MATCH;
    }
    wrong(node, at, "null", None)
}

/// Validates the type of any other value. `None` when the schema has neither a type nor a format.
pub(super) fn check(value: &Value, node: &Node, at: &Place<'_>) -> Option<Report> {
    if node.types.is_empty() && node.format.is_none() {
        return None;
    }
    let (is, format) = type_of(value);
    let whole_float = match value {
        Value::Number(number) => go::float(number).is_some_and(|float| json_integer(float) && node.is(Type::Integer)),
        _ => false,
    };
    let fits = node.is(is) || whole_float || (is == Type::Integer && node.is(Type::Number));
    let texts = matches!(value, Value::String(_) | Value::Array(_));
    let numeric = node.is(Type::Number) || node.is(Type::Integer);
    if node.format.is_some() && !texts && !fits {
        return Some(wrong_as(at, &node.format_name, format, retyped(value, node)));
    }
    // With a format, text and lists are accepted here for any type that is not numeric.
    if fits || (node.format.is_some() && texts && !numeric) {
        return Some(Report::MATCH);
    }
    Some(wrong(node, at, is.name(), retyped(value, node)))
}

fn wrong(node: &Node, at: &Place<'_>, is: &str, hint: Option<Hint>) -> Report {
    let wanted: Vec<_> = node.types.iter().map(|wanted| wanted.name()).collect();
    wrong_as(at, &wanted.join(","), is, hint)
}

fn wrong_as(at: &Place<'_>, wanted: &str, is: &str, hint: Option<Hint>) -> Report {
    let mut report = Report::default();
    let mut failure = wrong_type(at, wanted, is);
    failure.error.hint = hint;
    report.add(failure);
    report
}

/// What a value would be without the quotes that it should not have, or with those that it lacks.
fn retyped(value: &Value, node: &Node) -> Option<Hint> {
    let unquoted = |text: &str| {
        // JSON reads a number as the API server would; `01` or ` 1` is none.
        let read = text.parse::<Number>().map(Value::Number).ok().or_else(|| text.parse().map(Value::Bool).ok())?;
        let fits = node.is(type_of(&read).0) || (read.is_i64() && node.is(Type::Number));
        fits.then_some(read)
    };
    match value {
        Value::String(text) => unquoted(text).map(Hint::Replace),
        value if node.is(Type::String) => Hint::for_unquoted(value),
        _ => None,
    }
}

/// The error for a value that does not have the type or format `wanted`.
pub(super) fn wrong_type(at: &Place<'_>, wanted: &str, is: &str) -> Failure {
    let text = format!("{} in body must be of type {wanted}: {}", at.dotted(), go::quote(is));
    Failure::new(at, Kind::TypeInvalid, Some(Value::from(is)), text)
}

/// The JSON type of a value and the format of its Go type.
fn type_of(value: &Value) -> (Type, &'static str) {
    match value {
        Value::Null => (Type::Null, ""),
        Value::Bool(_) => (Type::Boolean, ""),
        Value::String(_) => (Type::String, ""),
        Value::Array(_) => (Type::Array, ""),
        Value::Object(_) => (Type::Object, ""),
        Value::Number(number) if go::float(number).is_some() => (Type::Number, "float64"),
        Value::Number(_) => (Type::Integer, "int64"),
    }
}

/// Whether a float counts as an integer (go-openapi/swag `IsFloat64AJSONInteger`): it must be in the range where floats are
/// exact, and whole; from one on, nearly whole is enough.
pub(super) fn json_integer(float: f64) -> bool {
    const MOST: f64 = 9_007_199_254_740_991.0;
    const EPSILON: f64 = 1e-9;
    let whole = float.trunc();
    (-MOST..=MOST).contains(&float) && (float == whole || (whole >= 1.0 && (float - whole) / (float + whole) < EPSILON))
}

/// Go's conversion of a float to an `int64` on amd64. A float that does not fit becomes the smallest integer.
pub(super) fn to_int(float: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "in range")]
    if (-LIMIT..LIMIT).contains(&float) { float as i64 } else { i64::MIN }
}

/// Whether `value` equals `allowed` after Go's conversion to the type of `allowed`: a float becomes an integer without its
/// fraction, and an integer becomes the character with that code.
pub(super) fn converts_to(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (_, Value::Null) => false,
        (Value::Number(value), Value::Number(allowed)) => match (go::float(value), go::float(allowed)) {
            (None, None) => value.as_i64() == allowed.as_i64(),
            (Some(value), None) => Some(to_int(value)) == allowed.as_i64(),
            (_, Some(allowed)) => value.as_f64() == Some(allowed),
        },
        (Value::Number(value), Value::String(allowed)) => {
            let code = value.as_i64().map(|code| u32::try_from(code).ok().and_then(char::from_u32));
            code.is_some_and(|code| *allowed == code.unwrap_or(char::REPLACEMENT_CHARACTER).to_string())
        }
        (value, allowed) => value == allowed,
    }
}
