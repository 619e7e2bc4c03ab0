//! Numbers as the decoder of the API server reads them: a number without fraction and exponent is an `int64` if it fits, any
//! other number a `float64` (sigs.k8s.io/json).

use serde_json::{Number, Value};

use crate::go;

/// The value with its numbers as the decoder reads them.
pub(crate) fn decoded(value: &Value) -> Value {
    let mut value = value.clone();
    decode(&mut value);
    value
}

/// Makes numbers those that the decoder reads: integers that do not fit an `i64` become floats.
pub(crate) fn decode(value: &mut Value) {
    walk(value, &|number| match (number.is_u64() && !number.is_i64()).then(|| number.as_f64()) {
        Some(Some(float)) => Number::from_f64(float),
        _ => None,
    });
}

/// Converts floats without a fraction to integers where this is exact, as the encoder does: `1.0` is stored as `1`.
pub(crate) fn encode(value: &mut Value) {
    walk(value, &|number| go::float(number).and_then(whole).map(Number::from));
}

/// The integer that equals a float, if there is one.
pub(crate) fn whole(float: f64) -> Option<i64> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    (float.fract() == 0.0 && (-LIMIT..LIMIT).contains(&float)).then_some(float as i64)
}

fn walk(value: &mut Value, change: &impl Fn(&Number) -> Option<Number>) {
    match value {
        Value::Number(number) => {
            if let Some(new) = change(number) {
                *number = new;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|value| walk(value, change)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
