//! Defaulting (apiextensions-apiserver `pkg/apiserver/schema/defaulting`).

use serde_json::Value;

use crate::node::Node;

/// Removes null fields where null is not allowed and there is no default. Items of lists are not removed.
pub(crate) fn drop_nulls(value: &mut Value, node: Option<&Node>) {
    match value {
        Value::Object(fields) => {
            let field = |name: &str| node.and_then(|node| node.field(name));
            if fields.values().any(Value::is_null) {
                fields.retain(|name, value| {
                    !(value.is_null() && field(name).is_some_and(|node| !node.nullable && node.default.is_none()))
                });
            }
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

/// The most values that are set in an object, when each 64 bytes of text count as one. More than that is more than an API
/// server stores. A schema can have a large default for each item of a list.
const MOST: usize = 200_000;

/// Sets missing fields to their defaults, and also null fields where null is not allowed. Then does the same for all values
/// inside. Returns false when these are too many: then some are not set.
pub(crate) fn fill(value: &mut Value, node: &Node) -> bool {
    let mut filler = Filler { left: MOST };
    filler.fill(value, node);
    filler.left > 0
}

struct Filler {
    /// How many more values may be set.
    left: usize,
}

impl Filler {
    fn fill(&mut self, value: &mut Value, node: &Node) {
        if self.left == 0 {
            return;
        }
        match value {
            Value::Object(fields) => {
                for name in &node.defaulted {
                    if self.left == 0 {
                        return;
                    }
                    let Some(property) = node.properties.get(name) else { continue };
                    if fields.get(name).is_none_or(|value| value.is_null() && !property.nullable)
                        && let Some(default) = self.copy_of(property)
                    {
                        fields.insert(name.clone(), default);
                    }
                }
                for (name, value) in fields {
                    if let Some(node) = node.field(name) {
                        self.fill_value(value, node);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(node) = node.items.as_deref() {
                    items.iter_mut().for_each(|item| self.fill_value(item, node));
                }
            }
            _ => {}
        }
    }

    /// Applies defaults to an existing value: null is replaced by the default, and the values inside get theirs.
    fn fill_value(&mut self, value: &mut Value, node: &Node) {
        if value.is_null()
            && !node.nullable
            && let Some(default) = self.copy_of(node)
        {
            *value = default;
        }
        self.fill(value, node);
    }

    /// A copy of a default. `None` when there is none, or when there are too many.
    fn copy_of(&mut self, node: &Node) -> Option<Value> {
        let default = node.default.as_ref()?;
        self.left = self.left.saturating_sub(size(default));
        (self.left > 0).then(|| default.clone())
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.iter().map(|(name, value)| name.len() / 64 + size(value)).sum::<usize>(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::String(text) => 1 + text.len() / 64,
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}
