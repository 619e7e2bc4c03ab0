//! The places that what is composed competes for, as JSON.

use serde_json::{Value, json};

use super::decisions::amount;
use crate::wit::preview::{Capacity, Taking};

/// An item for each place.
pub(super) fn json(capacities: &[Capacity]) -> Value {
    let taking = |taking: &Taking| {
        json!({
            "apiVersion": taking.kind.api_version,
            "kind": taking.kind.kind,
            "namespace": taking.namespace,
            "name": taking.name,
            "takes": amount(&taking.takes),
        })
    };
    let capacity = |it: &Capacity| {
        json!({
            "place": it.place,
            "what": it.what,
            "size": it.size.as_ref().map(amount),
            "taken": it.taken.iter().map(taking).collect::<Vec<_>>(),
            "labels": it.labels.iter().map(|(key, value)| (key.clone(), Value::from(value.as_str()))).collect::<Value>(),
        })
    };
    capacities.iter().map(capacity).collect()
}
