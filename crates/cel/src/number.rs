//! Numbers of different kinds: how they convert, compare and print.

use std::cmp::Ordering;

use crate::value::Value;

/// The integer that equals a double.
pub(crate) fn exact_int(double: f64) -> Option<i64> {
    truncated_int(double).filter(|int| *int as f64 == double)
}

/// The unsigned integer that equals a double.
pub(crate) fn exact_uint(double: f64) -> Option<u64> {
    truncated_uint(double).filter(|uint| *uint as f64 == double)
}

/// A double without its fraction, if that is in range; upstream leaves out both ends of it.
pub(crate) fn truncated_int(double: f64) -> Option<i64> {
    const EDGE: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "it is in range")]
    (double > -EDGE && double < EDGE).then_some(double as i64)
}

pub(crate) fn truncated_uint(double: f64) -> Option<u64> {
    const EDGE: f64 = 18_446_744_073_709_551_616.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    (0.0..EDGE).contains(&double).then_some(double as u64)
}

/// The order of two numbers; `None` when one is none, or not a number.
pub(crate) fn compare(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Uint(left), Value::Uint(right)) => Some(left.cmp(right)),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        (Value::Int(left), Value::Uint(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Value::Uint(left), Value::Int(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Value::Double(left), Value::Int(right)) => double_with(*left, *right as f64, i64::MIN as f64, i64::MAX as f64),
        (Value::Int(left), Value::Double(right)) => {
            double_with(*right, *left as f64, i64::MIN as f64, i64::MAX as f64).map(Ordering::reverse)
        }
        (Value::Double(left), Value::Uint(right)) => double_with(*left, *right as f64, 0.0, u64::MAX as f64),
        (Value::Uint(left), Value::Double(right)) => {
            double_with(*right, *left as f64, 0.0, u64::MAX as f64).map(Ordering::reverse)
        }
        _ => None,
    }
}

/// A double with an integer as a double: beyond the range of integers it is less or greater than all of them.
fn double_with(double: f64, other: f64, least: f64, most: f64) -> Option<Ordering> {
    if double < least {
        Some(Ordering::Less)
    } else if double > most {
        Some(Ordering::Greater)
    } else {
        double.partial_cmp(&other)
    }
}

/// A double as Go's `strconv` prints it in its shortest form: `1.5`, `1e+06`, `+Inf`.
pub(crate) fn shortest(double: f64) -> String {
    if double.is_nan() {
        return "NaN".to_owned();
    }
    if double.is_infinite() {
        return if double > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{double:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if double == 0.0 || (-4..6).contains(&exponent) {
        return format!("{double}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}
