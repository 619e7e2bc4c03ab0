//! The numbers of items and properties, `uniqueItems`, `required`, and forbidden fields.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::report::{Failure, Report};
use crate::error::{Kind, WHOLE};
use crate::node::Node;
use crate::path::Place;

/// Validates the number of items, and that they are unique.
pub(super) fn items(items: &[Value], node: &Node, at: &Place<'_>) -> Report {
    let mut report = Report::MATCH;
    let size = i64::try_from(items.len()).unwrap_or(i64::MAX);
    if let Some(least) = node.min_items.filter(|&least| size < least) {
        report.add(Failure::says(at, Some(Value::from(size)), &format!("should have at least {least} items")));
    }
    if let Some(most) = node.max_items.filter(|&most| size > most) {
        report.add(too_many(at, size, most, "items"));
    }
    if node.unique_items && !are_unique(items) {
        report.add(Failure::says(at, None, "shouldn't contain duplicates"));
    }
    report
}

/// Whether no item occurs twice. Equal values have equal texts.
fn are_unique(items: &[Value]) -> bool {
    let mut seen = BTreeSet::new();
    items.iter().all(|item| seen.insert(item.to_string()))
}

/// Validates the number of fields.
pub(super) fn properties(fields: &Map<String, Value>, node: &Node, at: &Place<'_>) -> Report {
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

/// Validates that required fields exist.
pub(super) fn required(fields: &Map<String, Value>, node: &Node, at: &Place<'_>) -> Report {
    let mut report = Report::default();
    let names = node.required.iter().filter(|name| !fields.contains_key(*name));
    for (index, name) in names.enumerate() {
        if index < WHOLE {
            report.add(missing(&at.key(name)));
        } else {
            report.count(Kind::Required);
        }
    }
    report
}

/// The error for a field that is not allowed.
pub(super) fn forbidden(at: &Place<'_>, name: &str) -> Failure {
    let text = format!("{}.{name} in body is a forbidden property", at.dotted());
    Failure::new(at, Kind::Invalid, Some(Value::from(name)), text)
}

/// The error for too many items or properties.
fn too_many(at: &Place<'_>, size: i64, most: i64, what: &str) -> Failure {
    let text = format!("{} in body should have at most {most} {what}", at.dotted());
    let mut failure = Failure::new(at, Kind::TooMany, Some(Value::from(size)), text);
    failure.error.detail = match most {
        ..=-1 => "has too many items".to_owned(),
        1 => "must have at most 1 item".to_owned(),
        most => format!("must have at most {most} items"),
    };
    failure
}

fn missing(at: &Place<'_>) -> Failure {
    let mut failure = Failure::new(at, Kind::Required, None, format!("{} in body is required", at.dotted()));
    failure.error.detail.clear();
    failure
}
