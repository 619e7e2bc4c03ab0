//! The library of optional values.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::KEPT_ELEMENT;
use crate::value::Value;

pub(crate) fn none<'a>(_: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Optional(None))
}

pub(crate) fn of<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::some(call.get(0)?.clone()))
}

pub(crate) fn of_non_zero<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let value = call.get(0)?;
    Ok(if is_zero(value) { Value::Optional(None) } else { Value::some(value.clone()) })
}

pub(crate) fn has_value<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Optional(inner) => Ok(Value::Bool(inner.is_some())),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn value<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Optional(Some(inner)) => Ok(inner.as_ref().clone()),
        Value::Optional(None) => Err(RunError::failed("optional.none() dereference")),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn unwrap<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let mut values = Vec::new();
    for element in call.list(0)?.iter() {
        call.fuel.spend(KEPT_ELEMENT)?;
        match element? {
            Value::Optional(inner) => values.extend(inner.map(|inner| inner.as_ref().clone())),
            _ => return Err(RunError::failed("value is not optional")),
        }
    }
    Ok(Value::list(values))
}

fn is_zero(value: &Value<'_>) -> bool {
    match value {
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::Uint(0) => true,
        Value::Timestamp(time) => time.is_zero(),
        Value::Double(double) => *double == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::Duration(span) => span.0 == 0,
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        _ => false,
    }
}
