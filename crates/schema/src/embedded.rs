//! Embedded objects: `x-kubernetes-embedded-resource` (apiextensions-apiserver
//! `pkg/apiserver/schema/objectmeta`).

use serde_json::Value;

use crate::error::{FieldError, Kind};
use crate::metadata;
use crate::node::Node;
use crate::path::Place;

/// How a value of a wrong type is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It is an error.
    Refused,
    /// It is removed, as from objects that were stored before there was this check.
    Dropped,
}

/// Decodes `apiVersion`, `kind` and `metadata` of embedded objects. Removes unknown fields and returns an error for each.
///
/// # Errors
/// The first value of a wrong type.
pub(crate) fn decode(value: &mut Value, node: &Node, wrong: Wrong) -> Result<Vec<FieldError>, Box<FieldError>> {
    let mut unknown = Vec::new();
    if wrong == Wrong::Dropped {
        drop_wrong(value, node);
    }
    walk(value, node, &Place::ROOT, &mut unknown)?;
    Ok(FieldError::sorted(unknown))
}

fn walk(value: &mut Value, node: &Node, at: &Place<'_>, unknown: &mut Vec<FieldError>) -> Result<(), Box<FieldError>> {
    if !node.has_embedded {
        return Ok(());
    }
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let here = at.field(name);
                match name.as_str() {
                    "apiVersion" | "kind" if node.embedded && !value.is_string() => {
                        let mut error = FieldError::at(&here, Kind::Invalid, Some(value.clone()), "must be a string");
                        error.detail = error.to_string();
                        error.kind = Kind::Malformed;
                        return Err(error.into());
                    }
                    "metadata" if node.embedded => unknown.extend(metadata::decode(value, &here)?),
                    _ => {}
                }
                if let Some(node) = node.properties.get(name) {
                    walk(value, node, &here, unknown)?;
                } else if let Some(node) = node.additional.schema() {
                    walk(value, node, &at.key(name), unknown)?;
                }
            }
        }
        Value::Array(items) => {
            if let Some(node) = node.items.as_deref() {
                for (index, item) in items.iter_mut().enumerate() {
                    walk(item, node, &at.index(index), unknown)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Removes the values that [`walk`] would refuse, except for metadata that is not an object.
fn drop_wrong(value: &mut Value, node: &Node) {
    match value {
        Value::Object(fields) => {
            if node.embedded {
                fields.retain(|name, value| !matches!(name.as_str(), "apiVersion" | "kind") || value.is_string());
                if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
                    metadata.retain(|name, value| metadata::decodes(name, value));
                }
            }
            for (name, value) in fields {
                if let Some(node) = node.field(name) {
                    drop_wrong(value, node);
                }
            }
        }
        Value::Array(items) => {
            if let Some(node) = node.items.as_deref() {
                items.iter_mut().for_each(|item| drop_wrong(item, node));
            }
        }
        _ => {}
    }
}

/// The errors of embedded objects.
pub(crate) fn check(value: &Value, node: &Node) -> Vec<FieldError> {
    let mut errors = Vec::new();
    visit(value, node, &Place::ROOT, &mut errors);
    errors
}

fn visit(value: &Value, node: &Node, at: &Place<'_>, errors: &mut Vec<FieldError>) {
    if !node.has_embedded {
        return;
    }
    match value {
        Value::Object(fields) => {
            if node.embedded {
                for name in ["apiVersion", "kind"] {
                    if !fields.contains_key(name) {
                        errors.push(FieldError::at(&at.field(name), Kind::Required, None, ""));
                    }
                }
                for (name, value) in fields {
                    errors.extend(check_meta(name, value, &at.field(name)));
                }
            }
            for (name, value) in fields {
                if let Some(node) = node.properties.get(name) {
                    visit(value, node, &at.field(name), errors);
                } else if let Some(node) = node.additional.schema() {
                    visit(value, node, &at.key(name), errors);
                }
            }
        }
        Value::Array(items) => {
            if let Some(node) = node.items.as_deref() {
                for (index, item) in items.iter().enumerate() {
                    visit(item, node, &at.index(index), errors);
                }
            }
        }
        _ => {}
    }
}

fn check_meta(name: &str, value: &Value, at: &Place<'_>) -> Vec<FieldError> {
    let invalid = |detail: String| vec![FieldError::at(at, Kind::Invalid, Some(value.clone()), detail)];
    match (name, value) {
        ("apiVersion" | "kind", Value::String(text)) if text.is_empty() => invalid("must not be empty".to_owned()),
        ("apiVersion", Value::String(text)) if text.matches('/').count() > 1 => {
            invalid(format!("unexpected GroupVersion string: {text}"))
        }
        ("kind", Value::String(text)) => {
            let wrong = metadata::dns_1035_label(&text.to_lowercase());
            let detail = format!("may have mixed case, but should otherwise match: {}", wrong.join(","));
            if wrong.is_empty() { Vec::new() } else { invalid(detail) }
        }
        ("apiVersion" | "kind", value) if !value.is_string() => invalid("must be a string".to_owned()),
        ("metadata", value) => metadata::validate_embedded(value, at),
        _ => Vec::new(),
    }
}
