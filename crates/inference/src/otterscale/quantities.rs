//! Quantities as Kubernetes writes them.

use serde_json::{Map, Value};

/// A quantity as text: people may write a number, and Kubernetes stores text.
pub fn text(quantity: &Value) -> Value {
    match quantity {
        Value::Number(number) => number.to_string().into(),
        other => other.clone(),
    }
}

/// The resources of a container, with their requests and limits as text.
pub fn of_container(resources: &Map<String, Value>) -> Value {
    let mut resources = resources.clone();
    for key in ["requests", "limits"] {
        for quantity in resources.get_mut(key).and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
            *quantity = text(quantity);
        }
    }
    resources.into()
}
