//! Pruning: removes the fields that a schema does not know (apiextensions-apiserver `pkg/apiserver/schema/pruning`).

use serde_json::Value;

use crate::error::{self, FieldError, Hint, Kind};
use crate::node::{Additional, Node};
use crate::path::Place;

/// The fields that every object has, even when its schema does not declare them.
pub(crate) const META_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Removes the unknown fields of a whole object. Returns an error for each, sorted by the printed path.
pub(crate) fn prune_object(object: &mut Value, node: &Node) -> Vec<FieldError> {
    let mut pruner = Pruner { unknown: Vec::new() };
    match object {
        Value::Object(_) if node.preserve_unknown => pruner.preserve(object, node, true, &Place::ROOT),
        object => pruner.prune(object, Some(node), true, &Place::ROOT),
    }
    FieldError::sorted(pruner.unknown)
}

/// Prunes a default by its schema (`pkg/apiserver/schema/defaulting/prune.go`).
pub(crate) fn prune_default(default: &mut Value, node: &Node) {
    Pruner { unknown: Vec::new() }.prune(default, Some(node), node.embedded, &Place::ROOT);
}

struct Pruner {
    unknown: Vec<FieldError>,
}

impl Pruner {
    /// Prunes a value. Without a schema, all fields inside are unknown.
    fn prune(&mut self, value: &mut Value, node: Option<&Node>, resource: bool, at: &Place<'_>) {
        if let Some(node) = node.filter(|node| node.preserve_unknown) {
            return self.preserve(value, node, resource, at);
        }
        match value {
            Value::Object(fields) => {
                let meta = |name: &str| resource && META_FIELDS.contains(&name);
                let known = |name: &str| {
                    let declared = |node: &Node| {
                        node.properties.contains_key(name) || !matches!(node.additional, Additional::Unspecified)
                    };
                    meta(name) || node.is_some_and(declared)
                };
                // To retain fields of a map makes it anew, and most maps have no unknown ones.
                if !fields.keys().all(|name| known(name)) {
                    let unknown = &mut self.unknown;
                    fields.retain(|name, _| {
                        let known = known(name);
                        if !known {
                            let error = unknown_field(node, &at.field(name), name, unknown.len());
                            error::add(unknown, error);
                        }
                        known
                    });
                }
                for (name, value) in fields.iter_mut().filter(|(name, _)| !meta(name)) {
                    self.child(value, node, name, at);
                }
            }
            Value::Array(items) => {
                let inside = node.and_then(|node| node.items.as_deref());
                for (index, item) in items.iter_mut().enumerate() {
                    self.prune(item, inside, inside.is_some_and(|node| node.embedded), &at.index(index));
                }
            }
            _ => {}
        }
    }

    /// Keeps unknown fields, but prunes the values of declared ones.
    fn preserve(&mut self, value: &mut Value, node: &Node, resource: bool, at: &Place<'_>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let declared =
                        node.properties.contains_key(name) || !matches!(node.additional, Additional::Unspecified);
                    if declared && !(resource && META_FIELDS.contains(&name.as_str())) {
                        self.child(value, Some(node), name, at);
                    }
                }
            }
            Value::Array(items) => {
                let Some(inside) = node.items.as_deref() else { return };
                for (index, item) in items.iter_mut().enumerate() {
                    self.preserve(item, inside, inside.embedded, &at.index(index));
                }
            }
            _ => {}
        }
    }

    fn child(&mut self, value: &mut Value, node: Option<&Node>, name: &str, at: &Place<'_>) {
        let inside = node.and_then(|node| node.field(name));
        self.prune(value, inside, inside.is_some_and(|node| node.embedded), &at.field(name));
    }
}

fn unknown_field(node: Option<&Node>, at: &Place<'_>, name: &str, earlier: usize) -> FieldError {
    let known = node.into_iter().flat_map(|node| node.properties.keys().map(String::as_str));
    FieldError {
        path: at.segments(),
        field: at.unknown(),
        kind: Kind::UnknownField,
        value: None,
        detail: String::new(),
        hint: Hint::for_unknown(known, name, earlier),
    }
}
