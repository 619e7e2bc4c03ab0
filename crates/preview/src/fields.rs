//! Reads and writes single fields of objects.

use serde_json::{Map, Value};

/// The value at a path of keys.
pub(super) fn get<'a>(object: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(object, |value, key| value.get(key))
}

/// The text at a path of keys. Empty when there is none.
pub(super) fn text<'a>(object: &'a Value, path: &[&str]) -> &'a str {
    get(object, path).and_then(Value::as_str).unwrap_or_default()
}

/// Sets the value at a path of keys. Parents that are not mappings are replaced by mappings.
pub(super) fn set(object: &mut Value, path: &[&str], new: Value) {
    let [key, rest @ ..] = path else {
        *object = new;
        return;
    };
    if !object.is_object() {
        *object = Value::Object(Map::new());
    }
    if let Value::Object(map) = object {
        set(map.entry(*key).or_insert(Value::Null), rest, new);
    }
}

/// Sets the text at a path of keys, or removes the key when the text is empty.
pub(super) fn set_text(object: &mut Value, path: &[&str], new: &str) {
    if new.is_empty() {
        remove(object, path);
    } else {
        set(object, path, Value::from(new));
    }
}

/// Removes the key at a path.
pub(super) fn remove(object: &mut Value, path: &[&str]) {
    if let [parents @ .., key] = path
        && let Some(Value::Object(parent)) = parents.iter().try_fold(object, |value, key| value.get_mut(key))
    {
        parent.remove(*key);
    }
}

/// Merges `more` into `object`. Mappings are merged, and other values are taken from `more`.
pub(super) fn merge(object: &mut Value, more: &Value) {
    match (object, more) {
        (Value::Object(object), Value::Object(more)) => {
            for (key, value) in more {
                merge(object.entry(key).or_insert(Value::Null), value);
            }
        }
        (object, more) => *object = more.clone(),
    }
}
