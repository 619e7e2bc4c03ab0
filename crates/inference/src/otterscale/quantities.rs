//! Quantities as Kubernetes writes them.

use quantity::Quantity;
use serde_json::{Map, Value};

/// A quantity as text: people may write a number, and Kubernetes stores text.
pub fn text(quantity: &Value) -> Value {
    match quantity {
        Value::Number(number) => number.to_string().into(),
        other => other.clone(),
    }
}

/// The amount that a number or text states.
pub fn amount(value: &Value) -> Option<Quantity> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
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
