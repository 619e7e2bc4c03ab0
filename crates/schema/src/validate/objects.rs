//! `minProperties`, `maxProperties`, `properties`, `additionalProperties` and `required`.

use serde_json::Value;

use super::lists::too_many;
use super::{Failure, Report, field_pair, visit};
use crate::correlate::Pair;
use crate::error::Kind;
use crate::node::{Additional, Node};
use crate::path::Place;

/// An object and what is in it, in the order of its fields' names.
pub(super) fn check(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>) -> Option<Report> {
    let fields = value.as_object()?;
    let mut report = Report::default();
    let size = i64::try_from(fields.len()).unwrap_or(i64::MAX);
    if let Some(least) = node.min_properties.filter(|&least| size < least) {
        report.add(Failure::says(at, Some(Value::from(size)), &format!("should have at least {least} properties")));
    }
    if let Some(most) = node.max_properties.filter(|&most| size > most) {
        report.add(too_many(at, size, most, "properties"));
    }
    let additional = fields.iter().filter(|(name, _)| !node.properties.contains_key(*name));
    match &node.additional {
        Additional::Allowed(false) => additional.for_each(|(name, _)| report.add(forbidden(at, name))),
        Additional::Schema(schema) => additional.for_each(|(name, value)| {
            report.merge(visit(value, schema, &at.key(name), field_pair(pair, at, name)));
        }),
        Additional::Unsaid | Additional::Allowed(true) => {}
    }
    for (name, property) in &node.properties {
        if let Some(value) = fields.get(name) {
            report.merge(visit(value, property, &at.field(name), field_pair(pair, at, name)));
        }
    }
    for name in node.required.iter().filter(|name| !fields.contains_key(*name)) {
        report.add(missing(&at.key(name)));
    }
    Some(report)
}

fn missing(at: &Place<'_>) -> Failure {
    let mut failure = Failure::new(at, Kind::Required, None, format!("{} in body is required", at.dotted()));
    failure.error.detail.clear();
    failure
}

fn forbidden(at: &Place<'_>, name: &str) -> Failure {
    let text = format!("{}.{name} in body is a forbidden property", at.dotted());
    Failure::new(at, Kind::Invalid, Some(Value::from(name)), text)
}
