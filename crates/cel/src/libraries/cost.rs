//! The actual cost of a call, from the sizes of its values.

use super::signature::Cost;
use crate::value::{List, Value};

/// The cost of `check` of an authorizer.
pub(crate) const CHECK: u64 = 350_000;

/// The cost of a call. `result` is `None` when the call failed. Arguments that failed are null, which has the size 1.
#[inline(never)]
pub(crate) fn of_call(cost: Cost, values: &[Value<'_>], result: Option<&Value<'_>>) -> u64 {
    let size_of = |index: usize| values.get(index).map_or(1, size);
    let (first, second) = (|| size_of(0), || size_of(1));
    match cost {
        Cost::Free => 0,
        Cost::One | Cost::OneByName => 1,
        Cost::Traverse | Cost::TraverseArgument | Cost::TraverseOnly => tenth(first()),
        Cost::TraverseTwice => scaled(first() as f64 * 2.0, 0.1),
        Cost::Join => scaled(result.map_or(1, size) as f64 * 2.0, 0.1),
        Cost::Find | Cost::Match => matching(first(), second()),
        Cost::Contains => tenth(first()).saturating_mul(tenth(second())),
        Cost::InList => second(),
        Cost::Check => CHECK,
        Cost::Select => 10 + tenth(second()) + scaled(scaled(second() as f64, 0.5) as f64, 50.0),
        Cost::Equal if values.first().is_some_and(is_opaque) => 1,
        Cost::Equal | Cost::Compare => tenth(first().min(second())),
        Cost::Concatenate => tenth(first().saturating_add(second())),
        Cost::Elements => values.first().map_or(0, elements),
        Cost::MakeList => made(1.0, result.map_or(1, size)),
        Cost::Flatten => {
            let depth = if let Some(Value::Int(depth)) = values.get(1) { *depth as f64 } else { 1.0 };
            made(depth.max(0.0), first())
        }
        Cost::SelfCompare => compared(values.first()),
        Cost::SelfCompareKeys => compared(values.get(1)),
        Cost::Product(times) => {
            let product = first().saturating_mul(second());
            product.saturating_mul(u64::from(times)).saturating_add(1)
        }
        Cost::ContainsIp { text } => tenth(first() * 2) + if text { tenth(second()) } else { 0 },
        Cost::ContainsCidr { text } => tenth(first() * 2) + tenth(first()) + 1 + if text { tenth(second()) } else { 0 },
        Cost::Validate => match values.first() {
            Some(Value::Format(format)) => matching(second(), format.regex_size),
            _ => 1,
        },
    }
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
fn elements(value: &Value<'_>) -> u64 {
    match value {
        Value::String(text) => text.len() as u64 / 10,
        Value::Bytes(bytes) => bytes.len() as u64 / 10,
        Value::List(List::Values(values)) => values.iter().map(elements).sum(),
        Value::List(list) => list.iter().map(|element| element.map_or(1, |element| elements(&element))).sum(),
        Value::Map(map) => map
            .keys()
            .into_iter()
            .map(|key| {
                let value = map.find(&key).map_or(1, |value| value.map_or(1, |value| elements(&value)));
                elements(&key.value()) + value
            })
            .sum(),
        _ => 1,
    }
}

/// The size of a value; 1 for values without a size.
fn size(value: &Value<'_>) -> u64 {
    match value {
        Value::Optional(Some(inner)) => size(inner),
        value => value.size().unwrap_or(1),
    }
}

/// Whether `==` always costs 1 for such a value.
fn is_opaque(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Quantity(_) | Value::Version(_) | Value::Url(_) | Value::Ip(_) | Value::Cidr(_) | Value::Format(_)
    )
}
