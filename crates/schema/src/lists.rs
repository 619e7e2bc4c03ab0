//! Uniqueness of items in lists of type set and map (apiextensions-apiserver `pkg/apiserver/schema/listtype`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::error::{self, FieldError, Kind};
use crate::go;
use crate::node::{ListType, Node};
use crate::path::Place;

/// An error for each item that occurs twice, in the order of the document.
pub(crate) fn check(value: &Value, node: &Node, at: &Place<'_>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    // The whole object is never a list.
    if value.is_object() {
        visit(value, node, at, &mut errors);
    }
    errors
}

fn visit(value: &Value, node: &Node, at: &Place<'_>, errors: &mut Vec<FieldError>) {
    match value {
        Value::Array(items) => {
            match node.list_type {
                ListType::Set => repeated(items.iter().map(identity)).into_iter().for_each(|index| {
                    let place = at.index(index);
                    error::add(errors, FieldError::at(&place, Kind::Duplicate, items.get(index).cloned(), ""));
                }),
                ListType::Map => errors.extend(keyed(items, node, at)),
                ListType::Atomic => {}
            }
            if let Some(node) = node.items.as_deref() {
                for (index, item) in items.iter().enumerate() {
                    visit(item, node, &at.index(index), errors);
                }
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                if let Some(node) = node.additional.schema() {
                    visit(value, node, &at.key(name), errors);
                }
                if let Some(node) = node.properties.get(name) {
                    visit(value, node, &at.field(name), errors);
                }
            }
        }
        _ => {}
    }
}

/// Errors of items with the same keys. If there is only one key, it may be missing in one item.
fn keyed(items: &[Value], node: &Node, at: &Place<'_>) -> Vec<FieldError> {
    let stray = items.iter().position(|item| !item.is_null() && !item.is_object());
    if let Some(index) = stray {
        let detail = "must be an object for an array of list-type map";
        return vec![FieldError::at(&at.index(index), Kind::Invalid, items.get(index).cloned(), detail)];
    }
    // A set, because a definition can name tens of thousands of keys.
    let mut wanted = BTreeSet::new();
    wanted.extend(node.list_map_keys.iter().map(String::as_str));
    let keys = |item: &Value| -> Value {
        let fields = item.as_object().into_iter().flatten().filter(|(key, _)| wanted.contains(key.as_str()));
        let mut present = Map::new();
        present.extend(fields.map(|(key, value)| (key.clone(), value.clone())));
        Value::Object(present)
    };
    let same = match node.list_map_keys.as_slice() {
        [only] => repeated(items.iter().map(|item| item.get(only).map(identity))),
        _ => repeated(items.iter().map(|item| identity(&keys(item)))),
    };
    let duplicate =
        |index: usize| FieldError::at(&at.index(index), Kind::Duplicate, items.get(index).map(keys), String::new());
    same.into_iter().map(duplicate).collect()
}

/// The indexes at which values occur for the second time. A third time is not reported.
fn repeated<T: Ord>(identities: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen: BTreeMap<T, usize> = BTreeMap::new();
    let mut repeated = Vec::new();
    for (index, identity) in identities.enumerate() {
        let times = seen.entry(identity).or_default();
        *times += 1;
        if *times == 2 {
            repeated.push(index);
        }
    }
    repeated
}

/// What is equal for equal values: the JSON, and for a number also its type, because `1` does not equal `1.0`.
fn identity(value: &Value) -> (bool, String) {
    let float = matches!(value, Value::Number(number) if go::float(number).is_some());
    (float, go::json(value))
}
