//! `anyOf`, `oneOf`, `allOf` and `not`.

use super::report::{Failure, Report};
use crate::go;
use crate::node::Node;
use crate::path::Place;

/// Validates the combined schemas. `against` validates the value by one of them.
pub(super) fn check(node: &Node, at: &Place<'_>, against: impl Fn(&Node) -> Report) -> Report {
    if node.any_of.is_empty() && node.one_of.is_empty() && node.all_of.is_empty() && node.not.is_none() {
        return Report::MATCH;
    }
    let mut report = Report::default();
    let try_each = |nodes: &[Node]| -> Vec<Report> { nodes.iter().map(&against).collect() };
    let fails = |says: &str| Failure::composite(at, format!("{} must {says}", go::quote(&at.dotted())));

    if !node.any_of.is_empty() {
        let mut tried = try_each(&node.any_of);
        match tried.iter().position(Report::is_valid) {
            Some(valid) => report.merge(tried.swap_remove(valid)),
            None => {
                report.add(fails("validate at least one schema (anyOf)"));
                best(tried).into_iter().for_each(|best| report.merge(best));
            }
        }
    }
    if !node.one_of.is_empty() {
        let mut tried = try_each(&node.one_of);
        match tried.iter().filter(|tried| tried.is_valid()).count() {
            0 => {
                report.add(fails("validate one and only one schema (oneOf). Found none valid"));
                best(tried).into_iter().for_each(|best| report.merge(best));
            }
            1 => {
                if let Some(valid) = tried.iter().position(Report::is_valid) {
                    report.merge(tried.swap_remove(valid));
                }
            }
            valid => {
                let says = format!("validate one and only one schema (oneOf). Found {valid} valid alternatives");
                report.add(fails(&says));
            }
        }
    }
    if !node.all_of.is_empty() {
        let tried = try_each(&node.all_of);
        let valid = tried.iter().filter(|tried| tried.is_valid()).count();
        let wanted = tried.len();
        tried.into_iter().for_each(|tried| report.merge(tried));
        match valid {
            0 => report.add(fails("validate all the schemas (allOf). None validated")),
            valid if valid < wanted => report.add(fails("validate all the schemas (allOf)")),
            _ => {}
        }
    }
    if node.not.as_deref().is_some_and(|not| against(not).is_valid()) {
        report.add(fails("not validate the schema (not)"));
    }
    report.matches += 1;
    report
}

/// The report with the most matches; the first one if there are several.
fn best(tried: Vec<Report>) -> Option<Report> {
    tried.into_iter().reduce(|best, next| if next.matches > best.matches { next } else { best })
}
