//! Finds the old value for each new value, so that an update is not refused for values that it does not change (ratcheting:
//! apiserver `pkg/cel/common/equality.go` and `maplist.go`).

use serde_json::{Map, Value};

use crate::node::{ListType, Node, Type};

/// A new value, its old value, and their schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) old: &'a Value,
    pub(crate) new: &'a Value,
    pub(crate) node: &'a Node,
}

impl<'a> Pair<'a> {
    /// The pair of a field, if both values have it and the schema knows it.
    pub(crate) fn key(&self, name: &str) -> Option<Self> {
        let (old, new) = (self.old.as_object()?.get(name)?, self.new.as_object()?.get(name)?);
        Some(Self { old, new, node: self.node.field(name)? })
    }

    /// The pair of an item of the new list. Only items of a list of type map have an old value.
    pub(crate) fn index(&self, index: usize) -> Option<Self> {
        let new = self.new.as_array()?.get(index)?;
        let old = old_item(self.node, self.old.as_array()?, new).filter(|old| !old.is_null())?;
        Some(Self { old, new, node: self.node.items.as_deref()? })
    }

    /// Whether the value is unchanged. An object with a field that the schema does not know counts as changed, and the order
    /// of a list of type map does not matter.
    pub(crate) fn unchanged(&self) -> bool {
        match (self.old, self.new) {
            (Value::Array(old), Value::Array(new)) if self.node.list_type == ListType::Map => {
                old.len() == new.len() && (0..new.len()).all(|at| self.index(at).is_some_and(|pair| pair.unchanged()))
            }
            (Value::Object(old), Value::Object(new)) => {
                old.len() == new.len() && new.keys().all(|name| self.key(name).is_some_and(|pair| pair.unchanged()))
            }
            (old, new) => old == new,
        }
    }
}

/// The item of `items` with the same keys as `item`, for a list of type map.
pub(crate) fn old_item<'a>(list: &Node, items: &'a [Value], item: &Value) -> Option<&'a Value> {
    if list.list_type != ListType::Map || !list.is(Type::Array) || list.list_map_keys.is_empty() {
        return None;
    }
    let wanted = keys(list, item.as_object()?)?;
    items.iter().find(|old| old.as_object().and_then(|old| keys(list, old)).as_ref() == Some(&wanted))
}

/// The values of an item's keys; `None` when one is missing or not a scalar.
fn keys<'a>(list: &Node, item: &'a Map<String, Value>) -> Option<Vec<&'a Value>> {
    let scalar = |value: &&Value| matches!(value, Value::Bool(_) | Value::Number(_) | Value::String(_));
    list.list_map_keys.iter().map(|key| item.get(key).filter(scalar)).collect()
}
