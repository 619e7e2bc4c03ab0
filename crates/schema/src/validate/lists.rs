//! `minItems`, `maxItems` and `uniqueItems`.

use serde_json::Value;

use super::failure::Failure;
use super::report::Report;
use crate::error::Kind;
use crate::node::Node;
use crate::path::Place;

/// How many items a list has, and whether they differ.
pub(super) fn check(items: &[Value], node: &Node, at: &Place<'_>) -> Report {
    let mut report = Report { matches: 1, ..Report::default() };
    let size = i64::try_from(items.len()).unwrap_or(i64::MAX);
    if let Some(least) = node.min_items.filter(|&least| size < least) {
        report.add(Failure::says(at, Some(Value::from(size)), &format!("should have at least {least} items")));
    }
    if let Some(most) = node.max_items.filter(|&most| size > most) {
        report.add(too_many(at, size, most, "items"));
    }
    if node.unique_items && (1..items.len()).any(|index| items[..index].contains(&items[index])) {
        report.add(Failure::says(at, None, "shouldn't contain duplicates"));
    }
    report
}

/// More items or properties than there may be.
pub(super) fn too_many(at: &Place<'_>, size: i64, most: i64, what: &str) -> Failure {
    let text = format!("{} in body should have at most {most} {what}", at.dotted());
    let mut failure = Failure::new(at, Kind::TooMany, Some(Value::from(size)), text);
    failure.error.detail = match most {
        ..=-1 => "has too many items".to_owned(),
        1 => "must have at most 1 item".to_owned(),
        most => format!("must have at most {most} items"),
    };
    failure
}
