//! The areas that people group the objects of a cluster by.

use serde_json::Value;
use toolbox::path;
use toolbox::rows::{Named, ObjectRow};

/// The place of the rows that have an object with this composition resource name. `None` when none have.
pub fn area<I: Named>(rows: &[&[ObjectRow<I>]], composite: &Value, key: &str) -> Option<usize> {
    let name = path::get(composite, "metadata.name").and_then(Value::as_str).unwrap_or_default();
    rows.iter().position(|rows| rows.iter().any(|row| row.may_have(name, key)))
}
