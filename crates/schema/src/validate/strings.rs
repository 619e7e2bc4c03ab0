//! `maxLength`, `minLength`, `pattern` and `format`. Of the first three, the first that fails is told.

use serde_json::Value;

use super::failure::Failure;
use super::report::Report;
use super::types;
use crate::error::Kind;
use crate::node::Node;
use crate::path::Place;

/// Lengths, in characters, and the pattern of a text.
pub(super) fn check(value: &Value, node: &Node, at: &Place<'_>) -> Option<Report> {
    let text = value.as_str()?;
    let mut report = Report::default();
    let length = || i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    if let Some(most) = node.max_length.filter(|&most| length() > most) {
        report.add(too_long(at, most));
    } else if let Some(least) = node.min_length.filter(|&least| length() < least) {
        report.add(Failure::says(at, Some(value.clone()), &format!("should be at least {least} chars long")));
    } else if let Some(pattern) = node.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
        report.add(Failure::says(at, Some(value.clone()), &format!("should match '{}'", pattern.text())));
    }
    Some(report)
}

/// The format of a text, when it is one that is checked.
pub(super) fn check_format(value: &Value, node: &Node, at: &Place<'_>) -> Option<Report> {
    let (text, format) = (value.as_str()?, node.format?);
    let mut report = Report::default();
    if !format.accepts(text) {
        report.add(types::wrong_type(at, &node.format_name, text));
    }
    Some(report)
}

fn too_long(at: &Place<'_>, most: i64) -> Failure {
    let text = format!("{} in body should be at most {most} chars long", at.dotted());
    let mut failure = Failure::new(at, Kind::TooLong, None, text);
    // The API server speaks of bytes, though it counts characters.
    failure.error.detail = match most {
        ..=-1 => "value is too long".to_owned(),
        1 => "may not be more than 1 byte".to_owned(),
        most => format!("may not be more than {most} bytes"),
    };
    failure
}
