//! Equality, and the operator `in`.

use std::cmp::Ordering;

use serde_json::{Map as JsonObject, Value as Json};

use super::document::property;
use super::key::Key;
use super::{Amount, List, Map, Value, order};
use crate::declare::{Declared, ListKind, Shape};
use crate::error::RunError;
use crate::fuel::Fuel;
use crate::names;

type Equal = Result<bool, RunError>;

/// An object of a document, with its type.
type Object<'a> = (&'a JsonObject<String, Json>, &'a Declared);

/// Whether two values are equal. Values of some opaque types cannot be compared with other types, which is an error.
///
/// Quantities compare by their original amount. The caller replaces those that have changed.
pub(crate) fn equal(left: &Value<'_>, right: &Value<'_>, fuel: &mut Fuel) -> Equal {
    fuel.spend(1)?;
    match (left, right) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (Value::String(left), Value::String(right)) => Ok(left == right),
        (Value::Bytes(left), Value::Bytes(right)) => Ok(left == right),
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(left == right),
        (Value::Duration(left), Value::Duration(right)) => Ok(left == right),
        (Value::Type(left), Value::Type(right)) => Ok(left == right),
        (Value::Message(left), Value::Message(right)) => Ok(left == right),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), Value::Int(_) | Value::Uint(_) | Value::Double(_)) => {
            Ok(order::numbers(left, right) == Some(Ordering::Equal))
        }
        (Value::Optional(left), Value::Optional(right)) => match (left, right) {
            (Some(left), Some(right)) => equal(left, right, fuel),
            (left, right) => Ok(left.is_none() && right.is_none()),
        },
        (Value::List(left), Value::List(right)) => lists(left, right, fuel),
        (Value::Map(left), Value::Map(right)) => maps(left, right, fuel),
        (Value::Quantity(left), Value::Quantity(Amount { shared, computed: false })) => Ok(left.shared == *shared),
        (Value::Version(left), Value::Version(right)) => Ok(left == right),
        (Value::Url(left), Value::Url(right)) => Ok(left.to_string() == right.to_string()),
        (Value::Ip(left), Value::Ip(right)) => Ok(left == right),
        (Value::Cidr(left), Value::Cidr(right)) => Ok(left == right),
        (Value::Format(left), Value::Format(right)) => Ok(left.name == right.name),
        (Value::Unknown(left), Value::Unknown(right)) => Ok(left == right),
        // A list or map of a document reports the error of the other side; other values do not.
        (Value::Unfit(error), _)
        | (Value::List(List::Document(..) | List::Keyed(..)) | Value::Map(Map::Document(..)), Value::Unfit(error)) => {
            Err((**error).clone())
        }
        (
            Value::Quantity(_)
            | Value::Version(_)
            | Value::Url(_)
            | Value::Ip(_)
            | Value::Cidr(_)
            | Value::Format(_)
            | Value::List(List::Document(..) | List::Keyed(..))
            | Value::Map(Map::Document(..)),
            _,
        ) => Err(RunError::no_overload()),
        _ => Ok(false),
    }
}

/// Whether two values can be compared and are equal.
pub(crate) fn same(left: &Value<'_>, right: &Value<'_>, fuel: &mut Fuel) -> Equal {
    match equal(left, right, fuel) {
        Err(error) if !error.is_final() => Ok(false),
        found => found,
    }
}

/// Whether two elements of a list of type map have the same keys.
pub(crate) fn same_keys(left: &Value<'_>, right: &Value<'_>, keys: &[String]) -> bool {
    let key = |value: &Value<'_>, name: &str| match value {
        Value::Map(Map::Document(object, _)) => object.get(name).cloned(),
        _ => None,
    };
    keys.iter().all(|name| key(left, name) == key(right, name))
}

fn lists<'a>(left: &List<'a>, right: &List<'a>, fuel: &mut Fuel) -> Equal {
    if left.len() != right.len() {
        return Ok(false);
    }
    match left.kind() {
        ListKind::Set => {
            let right: Vec<Value<'a>> = right.iter().collect::<Result<_, _>>()?;
            for element in left.iter() {
                let element = element?;
                let mut found = false;
                for other in &right {
                    found = found || same(&element, other, fuel)?;
                }
                if !found {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        ListKind::Map(keys) => {
            let mine: Vec<Value<'a>> = left.iter().collect::<Result<_, _>>()?;
            for other in right.iter() {
                let other = other?;
                match mine.iter().rev().find(|element| same_keys(element, &other, keys)) {
                    Some(element) if equal(element, &other, fuel)? => {}
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }
        ListKind::Atomic => {
            let strict = !matches!(left, List::Values(_));
            for (left, right) in left.as_they_are().zip(right.as_they_are()) {
                match equal(&left, &right, fuel) {
                    Ok(true) => {}
                    Err(error) if strict || error.is_final() => return Err(error),
                    // Upstream, elements that cannot be compared count as equal.
                    Err(_) => {}
                    Ok(false) => return Ok(false),
                }
            }
            Ok(true)
        }
    }
}

fn maps<'a>(left: &Map<'a>, right: &Map<'a>, fuel: &mut Fuel) -> Equal {
    if left.len() != right.len() {
        return Ok(false);
    }
    if let (Map::Document(left, declared), Map::Document(right, other)) = (left, right) {
        return objects_equal((left, declared), (right, other), fuel);
    }
    let strict = matches!(left, Map::Document(..));
    for key in left.keys() {
        let (Some(mine), Some(other)) = (left.find(&key), right.find(&key)) else { return Ok(false) };
        match equal(&mine?, &other?, fuel) {
            Ok(true) => {}
            Err(error) if strict || error.is_final() => return Err(error),
            Err(_) => {}
            Ok(false) => return Ok(false),
        }
    }
    Ok(true)
}

/// Whether two objects are equal. Properties with a type compare as values, others as JSON.
fn objects_equal<'a>(left: Object<'a>, right: Object<'a>, fuel: &mut Fuel) -> Result<bool, RunError> {
    for (property_name, json) in left.0 {
        let name = match &left.1.0.shape {
            Shape::Object(_) => names::escape(property_name).unwrap_or_default(),
            _ => property_name.clone(),
        };
        let typed = left.1.step(if matches!(left.1.0.shape, Shape::Map { .. }) { "@values" } else { &name }).is_some();
        if typed {
            match (property(left.0, left.1, &name), property(right.0, right.1, &name)) {
                (Some(mine), Some(other)) => {
                    if !equal(&Value::as_it_is(mine), &Value::as_it_is(other), fuel)? {
                        return Ok(false);
                    }
                }
                (None, None) => {}
                _ => return Ok(false),
            }
        } else if right.0.get(property_name).is_some_and(|other| other != json) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a list has an element, or a map a key, that equals `value`. As upstream, an error of a comparison is returned
/// only when no equal element is found.
pub(crate) fn contains<'a>(container: &Value<'a>, value: &Value<'a>, fuel: &mut Fuel) -> Equal {
    match container {
        Value::List(list) => {
            let mut failed = None;
            for element in list.iter() {
                // Upstream, the left side is the element for lists of documents, and the value for other lists.
                let found = match (list, element) {
                    (List::Values(_), Ok(element)) => same(value, &element, fuel),
                    (List::Values(_), Err(_)) => Ok(false),
                    (_, element) => element.and_then(|element| equal(&element, value, fuel)),
                };
                match found {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(error) if error.is_final() => return Err(error),
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            failed.map_or(Ok(false), Err)
        }
        Value::Map(map) => match Key::of(value) {
            Some(key) => map.contains(&key),
            None if is_unhashable(value) => Err(unhashable(value)),
            None => Ok(false),
        },
        _ => Err(RunError::no_overload()),
    }
}

/// Whether the value cannot be a key of a Go map, so that upstream panics.
pub(crate) fn is_unhashable(value: &Value<'_>) -> bool {
    matches!(value, Value::Bytes(_) | Value::Version(_) | Value::Format(_))
}

pub(crate) fn unhashable(value: &Value<'_>) -> RunError {
    let name = match value {
        Value::Bytes(_) => "types.Bytes",
        Value::Version(_) => "cel.Semver",
        _ => "cel.Format",
    };
    RunError::internal(&format!("runtime error: hash of unhashable type {name}"))
}
