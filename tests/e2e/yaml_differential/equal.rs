//! Whether two values are equal.

use serde_json::{Number, Value};

/// Whether two values are equal.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    same_but(one, other, |_, _| false, |_, _| false)
}

/// Whether two values are equal, when keys that `keys` accepts and scalars that `scalars` accepts are equal too.
pub(crate) fn same_but(
    one: &Value,
    other: &Value,
    keys: fn(&str, &str) -> bool,
    scalars: fn(&Value, &Value) -> bool,
) -> bool {
    let same = |one: &Value, other: &Value| same_but(one, other, keys, scalars);
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            // When keys of one side are the same to the other, that has only the value of the last.
            let equal = |key: &str, other: &str| key == other || keys(key, other);
            one.keys().all(|key| other.keys().any(|other| equal(key, other)))
                && other.iter().all(|(other_key, other)| {
                    one.iter().any(|(key, value)| equal(key, other_key) && same(value, other))
                })
        }
        _ => one == other || scalars(one, other),
    }
}

/// Whether two numbers are equal. Floats are, when they differ in the last digit only: Go prints them exactly, but the
/// reader of its JSON rounds.
fn same_number(one: &Number, other: &Number) -> bool {
    let (Some(float), Some(other_float)) = (one.as_f64(), other.as_f64()) else { return false };
    if one.is_f64() || other.is_f64() {
        (float - other_float).abs() <= float.abs() * 2.0 * f64::EPSILON
    } else {
        one == other
    }
}
