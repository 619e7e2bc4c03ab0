//! The libraries of lists and sets.

use std::cmp::Ordering;

use quantity::order as lists;

use super::call::{Call, Evaluated};
use crate::error::RunError;
use crate::fuel::{COMPARISON, ELEMENT, KEPT_ELEMENT};
use crate::time::Duration;
use crate::value::{List, Value, equal, order};

/// The most elements of a list that `includes` searches.
const MOST_INCLUDED: usize = 48;

pub(crate) fn first<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let list = call.list(0)?;
    Ok(Value::Optional(list.get(0).transpose()?.map(std::sync::Arc::new)))
}

pub(crate) fn last<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let list = call.list(0)?;
    let last = list.len().checked_sub(1).and_then(|index| list.get(index)).transpose()?;
    Ok(Value::Optional(last.map(std::sync::Arc::new)))
}

pub(crate) fn reverse<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    call.fuel.spend(KEPT_ELEMENT * call.list(0)?.len())?;
    Ok(Value::list(call.list(0)?.as_they_are().rev().collect()))
}

pub(crate) fn range<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let count = call.int(0)?;
    call.afford(u64::try_from(count).unwrap_or(0))?;
    call.fuel.spend(KEPT_ELEMENT.saturating_mul(usize::try_from(count).unwrap_or(0)))?;
    Ok(Value::list((0..count).map(Value::Int).collect()))
}

pub(crate) fn slice<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (list, start, end) = (call.list(0)?, call.int(1)?, call.int(2)?);
    let wrong = |what: &str| Err(RunError::failed(format!("cannot slice({start}, {end}), {what}")));
    let (Ok(from), Ok(to)) = (usize::try_from(start), usize::try_from(end)) else {
        return wrong("negative indexes not supported");
    };
    if from > to {
        return wrong("start index must be less than or equal to end index");
    }
    if to > list.len() {
        return wrong(&format!("list is length {}", list.len()));
    }
    call.fuel.spend(KEPT_ELEMENT * (to - from))?;
    Ok(Value::list((from..to).filter_map(|index| list.get(index).map(Value::as_it_is)).collect()))
}

pub(crate) fn flatten<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let depth = call.int_or(1, 1)?;
    let Ok(depth) = usize::try_from(depth) else { return Err(RunError::failed("level must be non-negative")) };
    let mut flat = Vec::new();
    let list = call.list(0)?.clone();
    flatten_into(&list, depth, &mut flat, call)?;
    Ok(Value::list(flat))
}

fn flatten_into<'a>(
    list: &List<'a>,
    depth: usize,
    flat: &mut Vec<Value<'a>>,
    call: &mut Call<'_, 'a>,
) -> Result<(), RunError> {
    for element in list.as_they_are() {
        call.fuel.spend(KEPT_ELEMENT)?;
        match element {
            Value::List(inner) if depth > 0 => flatten_into(&inner, depth - 1, flat, call)?,
            element => flat.push(element),
        }
    }
    Ok(())
}

pub(crate) fn distinct<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let list = call.list(0)?;
    call.afford((list.len() as u64).saturating_mul(list.len() as u64))?;
    let mut unique: Vec<Value<'a>> = Vec::new();
    for element in list.as_they_are() {
        let mut known = false;
        for other in &unique {
            known = equal::same(&element, other, call.fuel)?;
            if known {
                break;
            }
        }
        if !known {
            unique.push(element);
        }
    }
    Ok(Value::list(unique))
}

pub(crate) fn sort<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let list = values(call, 0)?;
    sorted(call, list.clone(), list)
}

pub(crate) fn sort_by<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (list, keys) = (values(call, 0)?, values(call, 1)?);
    sorted(call, list, keys)
}

/// The list, sorted by its keys. All keys must have the same type, and that type must have an order.
fn sorted<'a>(call: &mut Call<'_, 'a>, list: Vec<Value<'a>>, keys: Vec<Value<'a>>) -> Evaluated<'a> {
    if list.len() != keys.len() {
        let (list, keys) = (list.len(), keys.len());
        return Err(RunError::failed(format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {list} and {keys} \
             elements respectively"
        )));
    }
    let Some(first) = keys.first() else { return Ok(Value::list(list)) };
    call.afford((keys.len() as u64).saturating_mul(keys.len() as u64))?;
    if !order::is_comparable(first) {
        return Err(RunError::failed("list elements must be comparable"));
    }
    if keys.len() > 1 && keys.iter().any(|key| std::mem::discriminant(key) != std::mem::discriminant(first)) {
        return Err(RunError::failed("list elements must have the same type"));
    }
    let comparisons = keys.len().checked_ilog2().unwrap_or(0) as usize + 1;
    let bytes: usize = keys.iter().map(order::bytes).sum();
    call.fuel.spend(comparisons.saturating_mul((KEPT_ELEMENT + COMPARISON) * keys.len() + bytes / 2))?;
    let pairs: Vec<(Value<'a>, Value<'a>)> = keys.into_iter().zip(list).collect();
    let pairs = lists::sorted(pairs, |left, right| order::compare(&left.0, &right.0).unwrap_or(Ordering::Equal));
    Ok(Value::list(pairs.into_iter().map(|pair| pair.1).collect()))
}

pub(crate) fn is_sorted<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let mut previous: Option<Value<'a>> = None;
    for element in call.list(0)?.iter() {
        let element = fitting(element, previous.is_none(), call)?;
        call.fuel.spend(COMPARISON + ELEMENT)?;
        call.fuel.compare(order::bytes(&element))?;
        if !order::is_comparable(&element) {
            return Err(call.no_overload());
        }
        // Elements that cannot be compared count as sorted.
        if let Some(previous) = previous
            && order::compare(&previous, &element).is_ok_and(Ordering::is_gt)
        {
            return Ok(Value::Bool(false));
        }
        previous = Some(element);
    }
    Ok(Value::Bool(true))
}

pub(crate) fn min<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    extreme(call, "min", Ordering::Greater)
}

pub(crate) fn max<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    extreme(call, "max", Ordering::Less)
}

/// The smallest or largest element: an element is replaced by the next one when their order is `replaced`.
fn extreme<'a>(call: &mut Call<'_, 'a>, name: &str, replaced: Ordering) -> Evaluated<'a> {
    let mut best: Option<Value<'a>> = None;
    for element in call.list(0)?.iter() {
        let element = fitting(element, best.is_none(), call)?;
        call.fuel.spend(COMPARISON + ELEMENT)?;
        call.fuel.compare(order::bytes(&element))?;
        if !order::is_comparable(&element) {
            return Err(call.no_overload());
        }
        best = match best {
            Some(best) if order::compare(&best, &element).ok() != Some(replaced) => Some(best),
            _ => Some(element),
        };
    }
    best.ok_or_else(|| RunError::failed(format!("{name} called on empty list")))
}

/// An element, if it fits its schema. As upstream, the error is another one when the first element does not fit.
fn fitting<'a>(element: Evaluated<'a>, first: bool, call: &Call<'_, 'a>) -> Evaluated<'a> {
    element.map_err(|error| if first { call.no_overload() } else { error })
}

pub(crate) fn sum<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let list = call.list(0)?;
    let overflow = || RunError::failed("integer overflow");
    let mut total: Option<Value<'a>> = None;
    for element in list.iter() {
        let element = fitting(element, total.is_none(), call)?;
        call.fuel.spend(ELEMENT)?;
        total = Some(match (total, element) {
            (None, element) => element,
            (Some(Value::Int(total)), Value::Int(next)) => Value::Int(total.checked_add(next).ok_or_else(overflow)?),
            (Some(Value::Uint(total)), Value::Uint(next)) => {
                Value::Uint(total.checked_add(next).ok_or_else(|| RunError::failed("unsigned integer overflow"))?)
            }
            (Some(Value::Double(total)), Value::Double(next)) => Value::Double(total + next),
            (Some(Value::Duration(total)), Value::Duration(next)) => {
                Value::Duration(Duration(total.0.checked_add(next.0).ok_or_else(overflow)?))
            }
            _ => return Err(call.no_overload()),
        });
    }
    match total {
        None => Ok(Value::Int(0)),
        Some(total @ (Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::Duration(_))) => Ok(total),
        Some(_) => Err(call.no_overload()),
    }
}

/// The index of the first or last element that equals the argument; -1 if there is none.
pub(crate) fn index_of<'a>(call: &mut Call<'_, 'a>, backwards: bool) -> Evaluated<'a> {
    let list = call.list(0)?;
    let wanted = call.current(1)?;
    for step in 0..list.len() {
        let index = if backwards { list.len() - 1 - step } else { step };
        // An element that does not fit its schema equals nothing.
        let Some(Ok(element)) = list.get(index) else { continue };
        let element = call.amounts.current(&element, call.fuel)?;
        if equal::same(&element, &wanted, call.fuel)? {
            return Ok(Value::Int(i64::try_from(index).unwrap_or(i64::MAX)));
        }
    }
    Ok(Value::Int(-1))
}

/// `x.includes(v)`: whether `x` equals `v`, or is a short list with an element that does.
pub(crate) fn includes<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let (value, wanted) = (call.current(0)?, call.current(1)?);
    if let Value::List(list) = &value
        && list.len() <= MOST_INCLUDED
        && equal::contains(&value, &wanted, call.fuel)?
    {
        return Ok(Value::Bool(true));
    }
    equal::same(&value, &wanted, call.fuel).map(Value::Bool)
}

pub(crate) fn set_contains<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    has_all(call, 1, 0).map(Value::Bool)
}

pub(crate) fn sets_equivalent<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    Ok(Value::Bool(has_all(call, 1, 0)? && has_all(call, 0, 1)?))
}

pub(crate) fn sets_intersect<'a>(call: &mut Call<'_, 'a>) -> Evaluated<'a> {
    let container = call.current(1)?;
    for element in call.list(0)?.iter() {
        let element = call.amounts.current(&element?, call.fuel)?;
        match equal::contains(&container, &element, call.fuel) {
            Ok(true) => return Ok(Value::Bool(true)),
            Err(error) if error.is_final() => return Err(error),
            _ => {}
        }
    }
    Ok(Value::Bool(false))
}

/// Whether the one list has all elements of the other.
fn has_all(call: &mut Call<'_, '_>, elements: usize, container: usize) -> Result<bool, RunError> {
    let container = call.current(container)?;
    for element in call.list(elements)?.iter() {
        let element = call.amounts.current(&element?, call.fuel)?;
        if !equal::contains(&container, &element, call.fuel)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn values<'a>(call: &mut Call<'_, 'a>, index: usize) -> Result<Vec<Value<'a>>, RunError> {
    call.fuel.spend(KEPT_ELEMENT * call.list(index)?.len())?;
    call.list(index)?.iter().collect()
}
