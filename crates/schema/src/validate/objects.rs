//! `minProperties`, `maxProperties`, `required`, and fields that must not be.

use serde_json::{Map, Value};

use super::failure::Failure;
use super::lists::too_many;
use super::report::Report;
use crate::error::Kind;
use crate::node::Node;
use crate::path::Place;

/// How many fields an object has.
pub(super) fn sizes(fields: &Map<String, Value>, node: &Node, at: &Place<'_>) -> Report {
    let mut report = Report::default();
    let size = i64::try_from(fields.len()).unwrap_or(i64::MAX);
    if let Some(least) = node.min_properties.filter(|&least| size < least) {
        report.add(Failure::says(at, Some(Value::from(size)), &format!("should have at least {least} properties")));
    }
    if let Some(most) = node.max_properties.filter(|&most| size > most) {
        report.add(too_many(at, size, most, "properties"));
    }
    report
}

/// The fields that an object lacks.
pub(super) fn required(fields: &Map<String, Value>, node: &Node, at: &Place<'_>) -> Report {
    let mut report = Report::default();
    for name in node.required.iter().filter(|name| !fields.contains_key(*name)) {
        report.add(missing(&at.key(name)));
    }
    report
}

/// A field that an object must not have.
pub(super) fn forbidden(at: &Place<'_>, name: &str) -> Failure {
    let text = format!("{}.{name} in body is a forbidden property", at.dotted());
    Failure::new(at, Kind::Invalid, Some(Value::from(name)), text)
}

fn missing(at: &Place<'_>) -> Failure {
    let mut failure = Failure::new(at, Kind::Required, None, format!("{} in body is required", at.dotted()));
    failure.error.detail.clear();
    failure
}
