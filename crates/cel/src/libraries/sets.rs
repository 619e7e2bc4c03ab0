//! Lists as sets.

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::value::Value;
use crate::value::equal;

pub(crate) fn contains<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    all_in(call, 1, 0).map(Value::Bool)
}

pub(crate) fn equivalent<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(all_in(call, 1, 0)? && all_in(call, 0, 1)?))
}

pub(crate) fn intersects<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let container = call.amounts.current(call.get(1)?);
    for element in call.list(0)?.iter() {
        let element = call.amounts.current(&element?);
        match equal::contains(&container, &element, call.fuel) {
            Ok(true) => return Ok(Value::Bool(true)),
            Err(error) if error.is_final() => return Err(error),
            _ => {}
        }
    }
    Ok(Value::Bool(false))
}

/// Whether the one list has all elements of the other.
fn all_in(call: &mut Call<'_, '_>, elements: usize, container: usize) -> Result<bool, RunError> {
    let container = call.amounts.current(call.get(container)?);
    for element in call.list(elements)?.iter() {
        let element = call.amounts.current(&element?);
        if !equal::contains(&container, &element, call.fuel)? {
            return Ok(false);
        }
    }
    Ok(true)
}
