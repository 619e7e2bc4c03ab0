//! Operators, and functions for values of all types.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::slice;
use std::sync::Arc;

use super::call::{Call, Evaluated, no_overload};
use crate::declare::ListKind;
use crate::error::RunError;
use crate::fuel::{ALLOCATION, ELEMENT, Fuel, KEPT_ELEMENT};
use crate::time::Duration;
use crate::value::key::Key;
use crate::value::{Entries, List, Map, Value, equal, order};

/// The work of moving an entry of a map.
const MOVED_ENTRY: usize = 3;

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
    let (left, right) = (call.current(0)?, call.current(1)?);
    equal::equal(&left, &right, call.fuel).map(Value::Bool)
}

pub(crate) fn not_equal<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (left, right) = (call.current(0)?, call.current(1)?);
    // Values that cannot be compared are not equal.
    equal::same(&left, &right, call.fuel).map(|same| Value::Bool(!same))
}

pub(crate) fn contains<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (value, container) = (call.current(0)?, call.current(1)?);
    equal::contains(&container, &value, call.fuel).map(Value::Bool)
}

pub(crate) fn size<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        value @ (Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_)) => {
            let size = value.size(call.fuel)?.and_then(|size| i64::try_from(size).ok());
            Ok(Value::Int(size.unwrap_or(i64::MAX)))
        }
        _ => Err(call.no_overload()),
    }
}

fn ordered<'a>(call: &mut Call<'_, 'a>, test: impl Fn(Ordering) -> bool) -> Evaluated<'a> {
    let left = call.get(0)?;
    if !order::is_comparable(left) {
        return Err(call.no_overload());
    }
    let right = call.get(1)?;
    call.fuel.compare(order::bytes(left).min(order::bytes(right)))?;
    order::compare(left, right).map(|order| Value::Bool(test(order)))
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
            let bytes = left.len() + right.len();
            call.afford(bytes as u64 / 40)?;
            call.fuel.spend(ALLOCATION + bytes / 2)?;
            Ok([&**left, &**right].concat().into())
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            let bytes = left.len() + right.len();
            call.afford(bytes as u64 / 10)?;
            call.fuel.spend(ALLOCATION + bytes / 2)?;
            Ok(Value::Bytes([&**left, &**right].concat().into()))
        }
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
    fuel.spend(ALLOCATION + left.len().saturating_add(right.len()).saturating_mul(KEPT_ELEMENT))?;
    let mut values: Vec<Value<'a>> = left.as_they_are().collect();
    match left.kind() {
        ListKind::Atomic => values.extend(right.as_they_are()),
        ListKind::Set => add_members(&mut values, right, fuel)?,
        ListKind::Map(keys) => {
            let mut known = BTreeMap::new();
            for (index, value) in values.iter().enumerate() {
                known.entry(equal::element_keys(value, keys, fuel)?).or_insert(index);
            }
            for element in right.as_they_are() {
                match known.entry(equal::element_keys(&element, keys, fuel)?) {
                    Entry::Occupied(index) => values[*index.get()] = element,
                    Entry::Vacant(new) => {
                        new.insert(values.len());
                        values.push(element);
                    }
                }
            }
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

/// Adds elements to those of a set. An element replaces the first one that it equals.
fn add_members<'a>(values: &mut Vec<Value<'a>>, added: &List<'a>, fuel: &mut Fuel) -> Result<(), RunError> {
    // The indexes of all values by their keys, as long as all have one.
    let mut known = Some(BTreeMap::new());
    for (index, value) in values.iter().enumerate() {
        known = match (known, equal::member_key(value, fuel)?) {
            (Some(mut known), Some(key)) => {
                known.entry(key).or_insert(index);
                Some(known)
            }
            _ => None,
        };
    }
    for element in added.as_they_are() {
        let key = equal::member_key(&element, fuel)?;
        let index = match (&known, &key) {
            (Some(known), Some(key)) => known.get(key).copied(),
            _ => position(values, &element, fuel)?,
        };
        match (index, &mut known, key) {
            (Some(index), ..) => values[index] = element,
            (None, Some(known), Some(key)) => {
                known.insert(key, values.len());
                values.push(element);
            }
            (None, ..) => {
                known = None;
                values.push(element);
            }
        }
    }
    Ok(())
}

fn position<'a>(values: &[Value<'a>], element: &Value<'a>, fuel: &mut Fuel) -> Result<Option<usize>, RunError> {
    for (index, value) in values.iter().enumerate() {
        if equal::same(value, element, fuel)? {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// The step of `transformMap` and `transformMapEntry`, which adds entries: a key and its value, or those of a map. A key
/// must not exist.
pub(crate) fn insert<'a>(
    function: &'static str,
    into: Value<'a>,
    added: &[Value<'a>],
    fuel: &mut Fuel,
) -> Evaluated<'a> {
    let wrong = |into: &Value<'a>| no_overload(function, &[slice::from_ref(into), added].concat());
    let Value::Map(Map::Values(mut entries)) = into else { return Err(wrong(&into)) };
    let mut new = Vec::new();
    match added {
        [key, value] => match Key::of(key) {
            Some(key) => new.push((key, value.clone())),
            None => return Err(wrong(&Value::Map(Map::Values(entries)))),
        },
        [Value::Map(map)] => {
            for key in map.keys() {
                map.prepare(&key, fuel)?;
                if let Some(value) = map.find(&key) {
                    new.push((key, value?));
                }
            }
        }
        _ => return Err(wrong(&Value::Map(Map::Values(entries)))),
    }
    let shared = Arc::strong_count(&entries) > 1;
    fuel.spend(if shared { ELEMENT * entries.len() } else { 0 })?;
    let target: &mut Entries<'a> = Arc::make_mut(&mut entries);
    for (key, value) in new {
        fuel.spend(ALLOCATION)?;
        if let Key::String(text) = &key {
            fuel.compare(text.len())?;
        }
        match target.add(key.clone(), value) {
            Some(moved) => fuel.spend(moved * MOVED_ENTRY)?,
            None => return Err(RunError::failed(format!("insert failed: key {} already exists", key.spelled()))),
        }
    }
    Ok(Value::Map(Map::Values(entries)))
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
