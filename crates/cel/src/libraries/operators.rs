//! Operators, and functions for values of all types.

use std::cmp::Ordering;
use std::sync::Arc;

use super::call::{Call, Evaluated};
use crate::declare::ListKind;
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::time::Duration;
use crate::value::key::Key;
use crate::value::{Entries, List, Map, Value, equal, order};

/// The implementation of functions that have steps of their own, and are never called.
pub(crate) fn unreachable<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Err(call.no_overload())
}

pub(crate) fn not<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Bool(value) => Ok(Value::Bool(!value)),
        _ => Err(RunError::no_overload()),
    }
}

pub(crate) fn not_strictly_false<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(call.get(0)?.as_bool().unwrap_or(true)))
}

pub(crate) fn negate<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(overflow),
        Value::Double(value) => Ok(Value::Double(-value)),
        Value::Duration(Duration(nanos)) => {
            nanos.checked_neg().map(|it| Value::Duration(Duration(it))).ok_or_else(overflow)
        }
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn equal<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (left, right) = (call.amounts.current(call.get(0)?), call.amounts.current(call.get(1)?));
    equal::equal(&left, &right, call.fuel).map(Value::Bool)
}

pub(crate) fn not_equal<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (left, right) = (call.amounts.current(call.get(0)?), call.amounts.current(call.get(1)?));
    // Values that cannot be compared are not equal.
    equal::same(&left, &right, call.fuel).map(|same| Value::Bool(!same))
}

pub(crate) fn contains<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (value, container) = (call.amounts.current(call.get(0)?), call.amounts.current(call.get(1)?));
    equal::contains(&container, &value, call.fuel).map(Value::Bool)
}

pub(crate) fn size<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        value @ (Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_)) => {
            Ok(Value::Int(value.size().and_then(|size| i64::try_from(size).ok()).unwrap_or(i64::MAX)))
        }
        _ => Err(call.no_overload()),
    }
}

fn ordered<'a>(call: &mut Call<'_, 'a>, test: impl Fn(Ordering) -> bool) -> Evaluated<'a> {
    let left = call.get(0)?;
    if !order::is_comparable(left) {
        return Err(call.no_overload());
    }
    order::compare(left, call.get(1)?).map(|order| Value::Bool(test(order)))
}

pub(crate) fn less<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    ordered(call, Ordering::is_lt)
}

pub(crate) fn less_or_equal<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    ordered(call, Ordering::is_le)
}

pub(crate) fn greater<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    ordered(call, Ordering::is_gt)
}

pub(crate) fn greater_or_equal<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    ordered(call, Ordering::is_ge)
}

pub(crate) fn add<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (left, right) = (call.get(0)?, call.get(1)?);
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => left.checked_add(*right).map(Value::Int).ok_or_else(overflow),
        (Value::Uint(left), Value::Uint(right)) => {
            left.checked_add(*right).map(Value::Uint).ok_or_else(unsigned_overflow)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left + right)),
        (Value::String(left), Value::String(right)) => {
            call.afford((left.len() + right.len()) as u64 / 40)?;
            Ok([&**left, &**right].concat().into())
        }
        (Value::Bytes(left), Value::Bytes(right)) => Ok(Value::Bytes([&**left, &**right].concat().into())),
        (Value::Duration(left), Value::Duration(right)) => {
            left.0.checked_add(right.0).map(|sum| Value::Duration(Duration(sum))).ok_or_else(overflow)
        }
        (Value::Timestamp(time), Value::Duration(span)) | (Value::Duration(span), Value::Timestamp(time)) => {
            time.add(i128::from(span.0)).map(Value::Timestamp).ok_or_else(timestamp_overflow)
        }
        (Value::List(left), Value::List(right)) => lists(left, right, call.fuel),
        (
            Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Duration(_)
            | Value::Timestamp(_)
            | Value::List(_),
            _,
        ) => Err(RunError::no_overload()),
        _ => Err(call.no_overload()),
    }
}

/// The concatenation of two lists. In lists of type set or map, an element replaces an equal one, or the one with its keys.
fn lists<'a>(left: &List<'a>, right: &List<'a>, fuel: &mut Fuel) -> Evaluated<'a> {
    fuel.spend(left.len().saturating_add(right.len()).saturating_mul(4))?;
    let mut values: Vec<Value<'a>> = left.as_they_are().collect();
    for element in right.as_they_are() {
        let known = match left.kind() {
            ListKind::Atomic => None,
            ListKind::Set => {
                let mut known = None;
                for (index, value) in values.iter().enumerate() {
                    if equal::same(value, &element, fuel)? {
                        known = Some(index);
                        break;
                    }
                }
                known
            }
            ListKind::Map(keys) => {
                fuel.spend(values.len())?;
                values.iter().position(|value| equal::same_keys(value, &element, keys))
            }
        };
        match known {
            Some(index) => values[index] = element,
            None => values.push(element),
        }
    }
    Ok(Value::List(match left {
        List::Values(_) => List::Values(Arc::new(values)),
        List::Document(_, declared) | List::Keyed(_, declared) => List::Keyed(Arc::new(values), declared),
    }))
}

pub(crate) fn subtract<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match (call.get(0)?, call.get(1)?) {
        (Value::Int(left), Value::Int(right)) => left.checked_sub(*right).map(Value::Int).ok_or_else(overflow),
        (Value::Uint(left), Value::Uint(right)) => {
            left.checked_sub(*right).map(Value::Uint).ok_or_else(unsigned_overflow)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left - right)),
        (Value::Duration(left), Value::Duration(right)) => {
            left.0.checked_sub(right.0).map(|difference| Value::Duration(Duration(difference))).ok_or_else(overflow)
        }
        (Value::Timestamp(time), Value::Duration(span)) => {
            time.add(-i128::from(span.0)).map(Value::Timestamp).ok_or_else(timestamp_overflow)
        }
        (Value::Timestamp(left), Value::Timestamp(right)) => {
            left.since(*right).map(Value::Duration).ok_or_else(overflow)
        }
        (Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Duration(_) | Value::Timestamp(_), _) => {
            Err(RunError::no_overload())
        }
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn multiply<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match (call.get(0)?, call.get(1)?) {
        (Value::Int(left), Value::Int(right)) => left.checked_mul(*right).map(Value::Int).ok_or_else(overflow),
        (Value::Uint(left), Value::Uint(right)) => {
            left.checked_mul(*right).map(Value::Uint).ok_or_else(unsigned_overflow)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left * right)),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => Err(RunError::no_overload()),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn divide<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match (call.get(0)?, call.get(1)?) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => Err(RunError::failed("division by zero")),
        (Value::Int(left), Value::Int(right)) => left.checked_div(*right).map(Value::Int).ok_or_else(overflow),
        (Value::Uint(left), Value::Uint(right)) => Ok(Value::Uint(left / right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left / right)),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => Err(RunError::no_overload()),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn remainder<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match (call.get(0)?, call.get(1)?) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0)) => Err(RunError::failed("modulus by zero")),
        (Value::Int(left), Value::Int(right)) => left.checked_rem(*right).map(Value::Int).ok_or_else(overflow),
        (Value::Uint(left), Value::Uint(right)) => Ok(Value::Uint(left % right)),
        (Value::Int(_) | Value::Uint(_), _) => Err(RunError::no_overload()),
        _ => Err(call.no_overload()),
    }
}

/// The step of `transformMap` and `transformMapEntry`, which adds entries. The key must not exist.
pub(crate) fn insert<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let Value::Map(Map::Values(entries)) = call.get(0)? else { return Err(call.no_overload()) };
    let mut added = Vec::new();
    match call.values {
        [_, key, value] => added.push((Key::of(key).ok_or_else(|| call.no_overload())?, value.clone())),
        [_, Value::Map(map)] => {
            for key in map.keys() {
                if let Some(value) = map.find(&key) {
                    added.push((key, value?));
                }
            }
        }
        _ => return Err(call.no_overload()),
    }
    call.fuel.spend(entries.len().saturating_mul(4))?;
    let mut entries: Entries<'a> = entries.as_ref().clone();
    for (key, value) in added {
        if entries.get(&key).is_some() {
            return Err(RunError::failed(format!("insert failed: key {} already exists", key.spelled())));
        }
        entries.insert(key, value);
    }
    Ok(Value::map(entries))
}

fn overflow() -> RunError {
    RunError::failed("integer overflow")
}

fn unsigned_overflow() -> RunError {
    RunError::failed("unsigned integer overflow")
}

fn timestamp_overflow() -> RunError {
    RunError::failed("timestamp overflow")
}
