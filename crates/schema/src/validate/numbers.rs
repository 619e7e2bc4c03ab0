//! `multipleOf`, `minimum` and `maximum`. For an integer the fractions of the bounds are cut off, as by Go's conversion.

use serde_json::Value;

use super::report::{Failure, Report};
use super::types::{json_integer, to_int};
use crate::error::Kind;
use crate::go;
use crate::node::Node;
use crate::path::Place;

/// Validates a number.
pub(super) fn check(value: &Value, node: &Node, at: &Place<'_>) -> Option<Report> {
    let Value::Number(number) = value else { return None };
    let mut report = Report::MATCH;
    let mut say = |says: Option<String>| {
        if let Some(says) = says {
            report.add(Failure::says(at, Some(value.clone()), &says));
        }
    };
    if let Some(float) = go::float(number) {
        let outside = |bound: f64, exclusive: bool, beyond: bool| beyond || (exclusive && float == bound);
        let multiple = node.multiple_of.filter(|&factor| factor > 0.0 && !is_multiple(float, factor));
        let below = node.minimum.filter(|&least| outside(least, node.exclusive_minimum, float < least));
        let above = node.maximum.filter(|&most| outside(most, node.exclusive_maximum, float > most));
        say(multiple.map(|factor| format!("should be a multiple of {}", go::float_text(factor))));
        say(below.map(|least| words(LEAST, node.exclusive_minimum, &go::float_text(least))));
        say(above.map(|most| words(MOST, node.exclusive_maximum, &go::float_text(most))));
        if let Some(factor) = node.multiple_of.filter(|&factor| factor <= 0.0) {
            report.add(factor_not_positive(at, factor.into(), &go::float_text(factor)));
        }
    } else if let Some(int) = number.as_i64() {
        let outside = |bound: i64, exclusive: bool, beyond: bool| beyond || (exclusive && int == bound);
        let factor = node.multiple_of.map(to_int);
        let multiple = factor.filter(|&factor| factor > 0 && int % factor != 0);
        let below = node.minimum.map(to_int).filter(|&least| outside(least, node.exclusive_minimum, int < least));
        let above = node.maximum.map(to_int).filter(|&most| outside(most, node.exclusive_maximum, int > most));
        say(multiple.map(|factor| format!("should be a multiple of {factor}")));
        say(below.map(|least| words(LEAST, node.exclusive_minimum, &least.to_string())));
        say(above.map(|most| words(MOST, node.exclusive_maximum, &most.to_string())));
        if let Some(factor) = factor.filter(|&factor| factor <= 0) {
            report.add(factor_not_positive(at, factor.into(), &factor.to_string()));
        }
    }
    Some(report)
}

/// The words for an inclusive and an exclusive bound.
const LEAST: [&str; 2] = ["should be greater than or equal to", "should be greater than"];
const MOST: [&str; 2] = ["should be less than or equal to", "should be less than"];

fn words(bound: [&str; 2], exclusive: bool, limit: &str) -> String {
    format!("{} {limit}", bound[usize::from(exclusive)])
}

fn is_multiple(number: f64, factor: f64) -> bool {
    json_integer(if factor < 1.0 { 1.0 / factor * number } else { number / factor })
}

/// The error for a factor that is not positive. A factor below one becomes 0 when it is converted to an integer.
fn factor_not_positive(at: &Place<'_>, factor: Value, shown: &str) -> Failure {
    let text = format!("factor MultipleOf declared for {} must be positive: {shown}", at.dotted());
    Failure::new(at, Kind::Invalid, Some(factor), text)
}
