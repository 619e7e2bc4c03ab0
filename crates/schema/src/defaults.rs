//! Writes defaults (apiextensions-apiserver `pkg/apiserver/schema/defaulting`).

use serde_json::Value;

use crate::node::Node;
use crate::path::{Place, Segment};

/// Removes fields that are null where null is not allowed and no default takes its place. Items of lists stay.
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

/// Writes the defaults of what is missing, or null where null is not allowed; then those inside.
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
                    settle(value, node);
                }
            }
        }
        Value::Array(items) => {
            if let Some(node) = node.items.as_deref() {
                items.iter_mut().for_each(|item| settle(item, node));
            }
        }
        _ => {}
    }
}

/// The defaults that [`fill`] would write, by their places; one inside another's is not told again.
pub(crate) fn missing<'n>(value: &Value, node: &'n Node, at: &Place<'_>, found: &mut Vec<(Vec<Segment>, &'n Value)>) {
    let absent = |value: Option<&Value>, node: &Node| value.is_none_or(|value| value.is_null() && !node.nullable);
    let mut visit = |value: Option<&Value>, node: &'n Node, at: Place<'_>| match (&node.default, value) {
        (Some(default), value) if absent(value, node) => found.push((at.segments(), default)),
        (_, Some(value)) => missing(value, node, &at, found),
        (_, None) => {}
    };
    match value {
        Value::Object(fields) => {
            node.properties.iter().for_each(|(name, node)| visit(fields.get(name), node, at.field(name)));
            let Some(values) = node.additional.schema() else { return };
            let additional = fields.iter().filter(|(name, _)| !node.properties.contains_key(*name));
            additional.for_each(|(name, value)| visit(Some(value), values, at.key(name)));
        }
        Value::Array(items) => {
            let Some(node) = node.items.as_deref() else { return };
            items.iter().enumerate().for_each(|(index, item)| visit(Some(item), node, at.index(index)));
        }
        _ => {}
    }
}

/// A value that is there: null gives way to the default, and defaults inside are written.
fn settle(value: &mut Value, node: &Node) {
    if let (Value::Null, false, Some(default)) = (&*value, node.nullable, &node.default) {
        *value = default.clone();
    }
    fill(value, node);
}
