//! `maxLength`, `minLength`, `pattern` and `format`. Of the first three, only the first error is reported.

use serde_json::Value;

use super::report::{Failure, Report};
use super::types;
use crate::error::{self, Kind};
use crate::node::Node;
use crate::path::Place;

/// Validates the length of a text, in characters, and its pattern.
pub(super) fn check(value: &Value, node: &Node, at: &Place<'_>) -> Option<Report> {
    let text = value.as_str()?;
    let mut report = Report::default();
    let length = || i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    if let Some(most) = node.max_length.filter(|&most| length() > most) {
        report.add(too_long(at, most));
    } else if let Some(least) = node.min_length.filter(|&least| length() < least) {
        report.add(Failure::says(at, Some(error::short(value)), &format!("should be at least {least} chars long")));
    } else if let Some(pattern) = node.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
        report.add(Failure::says(at, Some(error::short(value)), &format!("should match '{}'", pattern.text())));
    }
    Some(report)
}

/// Validates the format of a text.
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
    // The message of the API server says bytes, though the limit is in characters.
    failure.error.detail = match most {
        ..=-1 => "value is too long".to_owned(),
        1 => "may not be more than 1 byte".to_owned(),
        most => format!("may not be more than {most} bytes"),
    };
    failure
}
