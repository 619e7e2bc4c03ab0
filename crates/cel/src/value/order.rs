//! The order of values.

use std::cmp::Ordering;

use super::Value;
use crate::error::RunError;

/// The order of two values of the same type, or of two numbers.
pub(crate) fn compare(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, RunError> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Ok(left.cmp(right)),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(left.cmp(right)),
        (Value::Duration(left), Value::Duration(right)) => Ok(left.cmp(right)),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), Value::Int(_) | Value::Uint(_) | Value::Double(_)) => {
            numbers(left, right).ok_or_else(|| RunError::failed("NaN values cannot be ordered"))
        }
        _ => Err(RunError::no_overload()),
    }
}

/// The bytes that comparing a value goes over.
pub(crate) fn bytes(value: &Value<'_>) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        _ => 0,
    }
}

/// Whether the values of this type have an order.
pub(crate) fn is_comparable(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::Bool(_)
            | Value::Duration(_)
            | Value::Timestamp(_)
            | Value::String(_)
            | Value::Bytes(_)
    )
}

/// The order of two numbers; `None` when one is NaN, or when a value is not a number.
pub(crate) fn numbers(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
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

/// The order of a double and an integer, which is given as a double. A double outside of the range of integers is less or
/// greater than all of them.
fn double_with(double: f64, other: f64, least: f64, most: f64) -> Option<Ordering> {
    if double < least {
        Some(Ordering::Less)
    } else if double > most {
        Some(Ordering::Greater)
    } else {
        double.partial_cmp(&other)
    }
}
