//! The actual cost of a call, from the sizes of its values.

use super::signature::Cost;
use crate::error::RunError;
use crate::fuel::{ELEMENT, Fuel};
use crate::value::{List, Value};

/// The cost of `check` of an authorizer.
pub(crate) const CHECK: u64 = 350_000;

/// The cost of a call. `result` is `None` when the call failed. Arguments that failed are null, which has the size 1.
///
/// # Errors
/// When there is not enough fuel to find the sizes.
#[inline(never)]
pub(crate) fn of_call(
    cost: Cost,
    values: &[Value<'_>],
    result: Option<&Value<'_>>,
    fuel: &mut Fuel,
) -> Result<u64, RunError> {
    let mut size_of = |value: Option<&Value<'_>>| value.map_or(Ok(1), |value| size(value, fuel));
    let (first, second) = (values.first(), values.get(1));
    Ok(match cost {
        Cost::Free => 0,
        Cost::One | Cost::OneByName => 1,
        Cost::Traverse | Cost::TraverseArgument | Cost::TraverseOnly => tenth(size_of(first)?),
        Cost::TraverseTwice => scaled(size_of(first)? as f64 * 2.0, 0.1),
        Cost::Join => scaled(size_of(result)? as f64 * 2.0, 0.1),
        Cost::Find | Cost::Match => matching(size_of(first)?, size_of(second)?),
        Cost::Contains => tenth(size_of(first)?).saturating_mul(tenth(size_of(second)?)),
        Cost::InList => size_of(second)?,
        Cost::Check => CHECK,
        Cost::Select => {
            let size = size_of(second)?;
            10 + tenth(size) + scaled(scaled(size as f64, 0.5) as f64, 50.0)
        }
        Cost::Equal if first.is_some_and(is_opaque) => 1,
        Cost::Equal | Cost::Compare => tenth(size_of(first)?.min(size_of(second)?)),
        Cost::Concatenate => tenth(size_of(first)?.saturating_add(size_of(second)?)),
        Cost::Elements => first.map_or(Ok(0), |value| elements(value, fuel))?,
        Cost::MakeList => made(1.0, size_of(result)?),
        Cost::Flatten => {
            let depth = if let Some(Value::Int(depth)) = second { *depth as f64 } else { 1.0 };
            made(depth.max(0.0), size_of(first)?)
        }
        Cost::SelfCompare => compared(first),
        Cost::SelfCompareKeys => compared(second),
        Cost::Product(times) => {
            let product = size_of(first)?.saturating_mul(size_of(second)?);
            product.saturating_mul(u64::from(times)).saturating_add(1)
        }
        Cost::ContainsIp { text } => tenth(size_of(first)? * 2) + if text { tenth(size_of(second)?) } else { 0 },
        Cost::ContainsCidr { text } => {
            let size = size_of(first)?;
            tenth(size * 2) + tenth(size) + 1 + if text { tenth(size_of(second)?) } else { 0 }
        }
        Cost::Validate => match first {
            Some(Value::Format(format)) => matching(size_of(second)?, format.regex_size),
            _ => 1,
        },
    })
}

/// A tenth of a size, rounded up. Computed with a double, as upstream.
fn tenth(size: u64) -> u64 {
    scaled(size as f64, 0.1)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes are small and not negative")]
pub(crate) fn scaled(size: f64, factor: f64) -> u64 {
    (size * factor).ceil() as u64
}

/// The cost of matching a text of this size with a pattern of this size.
fn matching(text: u64, pattern: u64) -> u64 {
    scaled(1.0 + text as f64, 0.1).saturating_mul(scaled(pattern as f64, 0.25))
}

/// The cost of a function that makes a list.
fn made(factor: f64, size: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes are small and not negative")]
    let elements = (size as f64 * factor) as u64;
    elements.saturating_add(11)
}

fn compared(list: Option<&Value<'_>>) -> u64 {
    let Some(Value::List(list)) = list else { return made(2.0, 1) };
    let size = list.len() as u64;
    let text = matches!(list.get(0), Some(Ok(Value::String(_) | Value::Bytes(_))));
    made(if text { 2.1 } else { 2.0 }, size.saturating_mul(size))
}

/// The sum over the elements of a list or map: a tenth of the bytes of text, rounded down, and 1 for other values.
fn elements(value: &Value<'_>, fuel: &mut Fuel) -> Result<u64, RunError> {
    fuel.spend(ELEMENT)?;
    let mut sum: u64 = 0;
    match value {
        Value::String(text) => sum = text.len() as u64 / 10,
        Value::Bytes(bytes) => sum = bytes.len() as u64 / 10,
        Value::List(List::Values(values)) => {
            for value in values.iter() {
                sum = sum.saturating_add(elements(value, fuel)?);
            }
        }
        Value::List(list) => {
            for element in list.iter() {
                sum = sum.saturating_add(element.map_or(Ok(1), |element| elements(&element, fuel))?);
            }
        }
        Value::Map(map) => {
            for key in map.keys() {
                let value =
                    map.find(&key).map_or(Ok(1), |value| value.map_or(Ok(1), |value| elements(&value, fuel)))?;
                sum = sum.saturating_add(elements(&key.value(), fuel)?).saturating_add(value);
            }
        }
        _ => sum = 1,
    }
    Ok(sum)
}

/// The size of a value; 1 for values without a size.
fn size(value: &Value<'_>, fuel: &mut Fuel) -> Result<u64, RunError> {
    match value {
        Value::Optional(Some(inner)) => size(inner, fuel),
        value => Ok(value.size(fuel)?.unwrap_or(1)),
    }
}

/// Whether `==` always costs 1 for such a value.
fn is_opaque(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Quantity(_) | Value::Version(_) | Value::Url(_) | Value::Ip(_) | Value::Cidr(_) | Value::Format(_)
    )
}
