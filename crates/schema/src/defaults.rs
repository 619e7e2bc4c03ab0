//! Defaulting (apiextensions-apiserver `pkg/apiserver/schema/defaulting`).

use serde_json::Value;

use crate::node::Node;

/// Removes null fields where null is not allowed and there is no default. Items of lists are not removed.
pub(crate) fn drop_nulls(value: &mut Value, node: Option<&Node>) {
    match value {
        Value::Object(fields) => {
            let field = |name: &str| node.and_then(|node| node.field(name));
            fields.retain(|name, value| {
                !(value.is_null() && field(name).is_some_and(|node| !node.nullable && node.default.is_none()))
            });
            for (name, value) in fields {
                drop_nulls(value, field(name));
            }
        }
        Value::Array(items) => {
            let inside = node.and_then(|node| node.items.as_deref());
            items.iter_mut().for_each(|item| drop_nulls(item, inside));
        }
        _ => {}
    }
}

/// Sets missing fields to their defaults, and also null fields where null is not allowed. Then does the same for all values
/// inside.
pub(crate) fn fill(value: &mut Value, node: &Node) {
    match value {
        Value::Object(fields) => {
            for (name, property) in &node.properties {
                let Some(default) = &property.default else { continue };
                if fields.get(name).is_none_or(|value| value.is_null() && !property.nullable) {
                    fields.insert(name.clone(), default.clone());
                }
            }
            for (name, value) in fields {
                if let Some(node) = node.field(name) {
                    fill_value(value, node);
                }
            }
        }
        Value::Array(items) => {
            if let Some(node) = node.items.as_deref() {
                items.iter_mut().for_each(|item| fill_value(item, node));
            }
        }
        _ => {}
    }
}

/// Applies defaults to an existing value: null is replaced by the default, and the values inside get theirs.
fn fill_value(value: &mut Value, node: &Node) {
    if let (Value::Null, false, Some(default)) = (&*value, node.nullable, &node.default) {
        *value = default.clone();
    }
    fill(value, node);
}
