//! Conversions such as `int(x)` and `string(x)`.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::ALLOCATION;
use crate::time::{Duration, Timestamp};
use crate::value::{Value, number, order};

pub(crate) fn to_dyn<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    call.get(0).cloned()
}

pub(crate) fn to_type<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Type(call.get(0)?.ty()))
}

pub(crate) fn to_bool<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    match call.get(0)? {
        Value::Bool(value) => Ok(Value::Bool(*value)),
        Value::String(text) => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
            _ => Err(failed("string", "bool")),
        },
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn to_bytes<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, 1)?;
    match call.get(0)? {
        value @ Value::Bytes(_) => Ok(value.clone()),
        Value::String(text) => Ok(Value::Bytes(text.as_bytes().into())),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn to_double<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, 1)?;
    match call.get(0)? {
        value @ Value::Double(_) => Ok(value.clone()),
        Value::Int(int) => Ok(Value::Double(*int as f64)),
        Value::Uint(uint) => Ok(Value::Double(*uint as f64)),
        Value::String(text) => double_of(text).map(Value::Double).ok_or_else(|| failed("string", "double")),
        _ => Err(call.no_overload()),
    }
}

/// A double as Go's `strconv.ParseFloat` reads it, except for hexadecimal numbers and underscores.
fn double_of(text: &str) -> Option<f64> {
    let unsigned = text.trim_start_matches(['+', '-']);
    if unsigned.len() + 1 < text.len() {
        return None;
    }
    let named = ["inf", "infinity", "nan"].iter().any(|name| unsigned.eq_ignore_ascii_case(name));
    if !named && !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let double: f64 = text.parse().ok()?;
    (named || double.is_finite()).then_some(double)
}

pub(crate) fn to_int<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, 1)?;
    let range = || RunError::failed("integer overflow");
    match call.get(0)? {
        value @ Value::Int(_) => Ok(value.clone()),
        Value::Uint(uint) => i64::try_from(*uint).map(Value::Int).map_err(|_| range()),
        Value::Double(double) => number::truncated_int(*double).map(Value::Int).ok_or_else(range),
        Value::Duration(Duration(nanos)) => Ok(Value::Int(*nanos)),
        Value::Timestamp(time) => Ok(Value::Int(time.seconds())),
        Value::String(text) => text.parse().map(Value::Int).map_err(|_| failed("string", "int")),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn to_uint<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, 1)?;
    let range = || RunError::failed("unsigned integer overflow");
    match call.get(0)? {
        value @ Value::Uint(_) => Ok(value.clone()),
        Value::Int(int) => u64::try_from(*int).map(Value::Uint).map_err(|_| range()),
        Value::Double(double) => number::truncated_uint(*double).map(Value::Uint).ok_or_else(range),
        Value::String(text) if !text.starts_with('+') => {
            text.parse().map(Value::Uint).map_err(|_| failed("string", "uint"))
        }
        Value::String(_) => Err(failed("string", "uint")),
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn to_duration<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, 15)?;
    match call.get(0)? {
        value @ Value::Duration(_) => Ok(value.clone()),
        Value::Int(nanos) => Ok(Value::Duration(Duration(*nanos))),
        Value::String(text) => {
            Duration::parse(text).map(Value::Duration).ok_or_else(|| failed("string", "google.protobuf.Duration"))
        }
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn to_timestamp<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    spend(call, 2)?;
    match call.get(0)? {
        value @ Value::Timestamp(_) => Ok(value.clone()),
        Value::Int(seconds) => Timestamp::from_seconds(*seconds)
            .map(Value::Timestamp)
            .ok_or_else(|| RunError::failed("timestamp overflow")),
        Value::String(text) => {
            Timestamp::parse(text).map(Value::Timestamp).ok_or_else(|| failed("string", "google.protobuf.Timestamp"))
        }
        _ => Err(call.no_overload()),
    }
}

pub(crate) fn to_string<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let value = call.get(0)?;
    if let Value::String(_) = value {
        return Ok(value.clone());
    }
    spend(call, 1)?;
    call.fuel.spend(if let Value::Double(_) = value { 200 } else { ALLOCATION })?;
    match text_of(value) {
        Some(text) => text.map(Value::from),
        None => Err(call.no_overload()),
    }
}

/// The result of `string(value)`; `None` if there is no such conversion.
pub(crate) fn text_of(value: &Value<'_>) -> Option<Result<String, RunError>> {
    Some(Ok(match value {
        Value::String(text) => text.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => number::shortest(*value),
        Value::Duration(span) => span.to_string(),
        Value::Timestamp(time) => time.to_string(),
        Value::Ip(ip) => ip.to_string(),
        Value::Cidr(cidr) => cidr.to_string(),
        Value::Bytes(bytes) => {
            let text = std::str::from_utf8(bytes).map(str::to_owned);
            return Some(text.map_err(|_| RunError::failed("invalid UTF-8 in bytes, cannot convert to string")));
        }
        _ => return None,
    }))
}

/// Spends the work of reading an argument that is text or bytes, with so much for each byte.
fn spend(call: &mut Call<'_, '_>, of_byte: usize) -> Result<(), RunError> {
    call.fuel.spend(ALLOCATION + of_byte * order::bytes(call.get(0)?))
}

fn failed(from: &str, to: &str) -> RunError {
    RunError::failed(format!("type conversion error from '{from}' to '{to}'"))
}
