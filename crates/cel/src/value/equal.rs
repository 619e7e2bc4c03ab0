//! Equality, and the operator `in`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map as JsonObject, Value as Json};

use super::document::property;
use super::key::Key;
use super::text::Text;
use super::{Amount, Entries, List, Map, Value, order};
use crate::declare::{Declared, ListKind, Shape};
use crate::error::RunError;
use crate::fuel::{ALLOCATION, COMPARISON, ERROR, Fuel};
use crate::names;

/// The work of escaping a byte of a URL.
const URL_BYTE: usize = 20;

/// The work of going to the next entry of two maps.
const ENTRY: usize = 30;

type Equal = Result<bool, RunError>;

/// An object of a document, with its type.
type Object<'a> = (&'a JsonObject<String, Json>, &'a Declared);

/// Whether two values are equal. Values of some opaque types cannot be compared with other types, which is an error.
///
/// Quantities compare by their original amount. The caller replaces those that have changed.
pub(crate) fn equal(left: &Value<'_>, right: &Value<'_>, fuel: &mut Fuel) -> Equal {
    fuel.spend(COMPARISON)?;
    match (left, right) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        (Value::Bool(left), Value::Bool(right)) => Ok(left == right),
        (Value::String(left), Value::String(right)) => texts(left, right, fuel),
        (Value::Bytes(left), Value::Bytes(right)) => {
            // Those of a document have been decoded for this.
            fuel.spend(2 * left.len().max(right.len()))?;
            Ok(left == right)
        }
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
        (Value::Quantity(left), Value::Quantity(Amount { shared, computed: false })) => {
            fuel.spend(2 * left.shared.digits().saturating_add(shared.digits()))?;
            Ok(left.shared == *shared)
        }
        (Value::Version(left), Value::Version(right)) => {
            fuel.spend(left.length().min(right.length()))?;
            Ok(left == right)
        }
        (Value::Url(left), Value::Url(right)) => {
            fuel.spend(ALLOCATION + URL_BYTE * left.length().saturating_add(right.length()))?;
            Ok(left.to_string() == right.to_string())
        }
        (Value::Ip(left), Value::Ip(right)) => Ok(left == right),
        (Value::Cidr(left), Value::Cidr(right)) => Ok(left == right),
        (Value::Format(left), Value::Format(right)) => Ok(left.name == right.name),
        (Value::Unknown(left), Value::Unknown(right)) => {
            spend_json(left, fuel)?;
            Ok(left == right)
        }
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
        Err(error) if !error.is_final() => {
            fuel.spend(ERROR)?;
            Ok(false)
        }
        found => found,
    }
}

fn texts(left: &Text<'_>, right: &Text<'_>, fuel: &mut Fuel) -> Equal {
    if left.len() != right.len() {
        return Ok(false);
    }
    if left.as_ptr() == right.as_ptr() {
        return Ok(true);
    }
    fuel.compare(left.len())?;
    Ok(left == right)
}

/// What is the same for equal elements of a list of type set, if it is known without a comparison: a key, in which equal
/// numbers are alike.
pub(crate) fn member_key<'a>(element: &Value<'a>, fuel: &mut Fuel) -> Result<Option<Key<'a>>, RunError> {
    fuel.spend(2 * ALLOCATION + order::bytes(element))?;
    Ok(match Key::of(element) {
        Some(Key::Uint(number)) => Some(i64::try_from(number).map_or(Key::Uint(number), Key::Int)),
        Some(Key::Double(_)) | None => None,
        key => key,
    })
}

/// What is the same for elements of a list of type map with the same keys: the JSON of the values of these keys.
pub(crate) fn element_keys(element: &Value<'_>, keys: &[String], fuel: &mut Fuel) -> Result<String, RunError> {
    let mut text = String::new();
    for name in keys {
        // What was added to a list of a document has no keys.
        let value = if let Value::Map(Map::Document(object, _)) = element { object.get(name) } else { None };
        text.extend(value.map(Json::to_string));
        text.push('\n');
    }
    fuel.spend(4 * ALLOCATION * keys.len() + 2 * text.len())?;
    Ok(text)
}

fn lists<'a>(left: &List<'a>, right: &List<'a>, fuel: &mut Fuel) -> Equal {
    if left.len() != right.len() {
        return Ok(false);
    }
    match left.kind() {
        ListKind::Set => {
            let right: Vec<Value<'a>> = right.iter().collect::<Result<_, _>>()?;
            let mut keys = Some(BTreeSet::new());
            for element in &right {
                keys = match (keys, member_key(element, fuel)?) {
                    (Some(mut keys), Some(key)) => {
                        keys.insert(key);
                        Some(keys)
                    }
                    _ => None,
                };
            }
            for element in left.iter() {
                let element = element?;
                let found = match (&keys, member_key(&element, fuel)?) {
                    (Some(keys), Some(key)) => keys.contains(&key),
                    _ => is_among(&element, &right, fuel)?,
                };
                if !found {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        ListKind::Map(keys) => {
            let mine: Vec<Value<'a>> = left.iter().collect::<Result<_, _>>()?;
            // Of several elements with the same keys the last one counts.
            let mut by_keys = BTreeMap::new();
            for element in &mine {
                by_keys.insert(element_keys(element, keys, fuel)?, element);
            }
            for other in right.iter() {
                let other = other?;
                match by_keys.get(&element_keys(&other, keys, fuel)?) {
                    Some(element) if equal(element, &other, fuel)? => {}
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }
        ListKind::Atomic => {
            if let (List::Values(left), List::Values(right)) = (left, right) {
                return values(left, right, fuel);
            }
            let strict = !matches!(left, List::Values(_));
            for (left, right) in left.as_they_are().zip(right.as_they_are()) {
                if !element(equal(&left, &right, fuel), strict, fuel)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Whether an element equals one of others.
fn is_among(element: &Value<'_>, others: &[Value<'_>], fuel: &mut Fuel) -> Equal {
    for other in others {
        if same(element, other, fuel)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn values(left: &[Value<'_>], right: &[Value<'_>], fuel: &mut Fuel) -> Equal {
    for (left, right) in left.iter().zip(right) {
        if !element(equal(left, right, fuel), false, fuel)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The result of comparing two elements. Unless the comparison is strict, elements that cannot be compared count as equal,
/// as upstream.
fn element(compared: Equal, strict: bool, fuel: &mut Fuel) -> Equal {
    match compared {
        Err(error) if !strict && !error.is_final() => fuel.spend(ERROR).map(|()| true),
        compared => compared,
    }
}

fn maps<'a>(left: &Map<'a>, right: &Map<'a>, fuel: &mut Fuel) -> Equal {
    if left.len() != right.len() {
        return Ok(false);
    }
    if let (Map::Document(left, declared), Map::Document(right, other)) = (left, right) {
        return objects_equal((left, declared), (right, other), fuel);
    }
    if let (Map::Values(mine), Map::Values(other)) = (left, right)
        && let Some(found) = entries(mine, other, fuel)?
    {
        return Ok(found);
    }
    let strict = matches!(left, Map::Document(..));
    for key in left.keys() {
        left.prepare(&key, fuel)?;
        right.prepare(&key, fuel)?;
        let (Some(mine), Some(other)) = (left.find(&key), right.find(&key)) else { return Ok(false) };
        if !element(equal(&mine?, &other?, fuel), strict, fuel)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two maps with the same keys are equal; `None` if a key differs, also if only in the type of a number.
fn entries(left: &Entries<'_>, right: &Entries<'_>, fuel: &mut Fuel) -> Result<Option<bool>, RunError> {
    for ((key, mine), (other_key, other)) in left.iter().zip(right.iter()) {
        fuel.compare(ENTRY + key.bytes())?;
        if key != other_key {
            return Ok(None);
        }
        if !element(equal(mine, other, fuel), false, fuel)? {
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}

/// Whether two objects are equal. Properties with a type compare as values, others as JSON.
fn objects_equal<'a>(left: Object<'a>, right: Object<'a>, fuel: &mut Fuel) -> Result<bool, RunError> {
    for (property_name, json) in left.0 {
        fuel.spend(4 * ALLOCATION + property_name.len())?;
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
        } else {
            spend_json(json, fuel)?;
            if right.0.get(property_name).is_some_and(|other| other != json) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Spends the work of comparing a part of a document with another one.
fn spend_json(json: &Json, fuel: &mut Fuel) -> Result<(), RunError> {
    fuel.spend(COMPARISON)?;
    match json {
        Json::String(text) => fuel.compare(text.len()),
        Json::Array(items) => items.iter().try_for_each(|item| spend_json(item, fuel)),
        Json::Object(fields) => fields.iter().try_for_each(|(name, json)| {
            fuel.spend(ALLOCATION + name.len())?;
            spend_json(json, fuel)
        }),
        Json::Null | Json::Bool(_) | Json::Number(_) => Ok(()),
    }
}

/// Whether a list has an element, or a map a key, that equals `value`. As upstream, an error of a comparison is returned
/// only when no equal element is found.
pub(crate) fn contains<'a>(container: &Value<'a>, value: &Value<'a>, fuel: &mut Fuel) -> Equal {
    match container {
        Value::List(list) => {
            if let List::Values(values) = list {
                // Upstream, the value is the left side here.
                for element in values.iter().filter(|element| !matches!(element, Value::Unfit(_))) {
                    if same(value, element, fuel)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            let mut failed = None;
            for element in list.iter() {
                match element.and_then(|element| equal(&element, value, fuel)) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(error) if error.is_final() => return Err(error),
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            failed.map_or(Ok(false), Err)
        }
        Value::Map(map) => match Key::of(value) {
            Some(key) => {
                map.prepare(&key, fuel)?;
                map.contains(&key)
            }
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
