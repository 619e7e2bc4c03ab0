//! Validation by the keywords of a schema (kube-openapi `pkg/validation/validate`, with the ratcheting of
//! apiextensions-apiserver `pkg/apiserver/validation`).
//!
//! For `anyOf` and `oneOf` the errors are those of the alternative that matched best. So every check also counts matches, as
//! the API server does.

use serde_json::Value;

use crate::correlate::Pair;
use crate::error::{FieldError, Kind};
use crate::go;
use crate::node::{Additional, Node};
use crate::path::Place;
use crate::prune::META_FIELDS;

mod collections;
mod junctors;
mod numbers;
mod report;
mod strings;
mod types;

use report::{Failure, Report};

/// The errors of `value`. With `old`, errors of unchanged values are left out.
pub(crate) fn check(value: &Value, node: &Node, old: Option<&Value>) -> Vec<FieldError> {
    let pair = old.map(|old| Pair { old, new: value, node });
    visit(value, node, &Place::ROOT, pair).failures.into_iter().map(|failure| failure.error).collect()
}

/// Validates a value. The errors of an unchanged value are left out.
fn visit(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>) -> Report {
    let mut report = against(value, node, at, pair);
    if !report.is_valid() && pair.is_some_and(|pair| pair.unchanged()) {
        report.failures.clear();
        report.sentences.clear();
    }
    report
}

/// Validates a value by one schema.
fn against(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>) -> Report {
    let mut report = Report::default();
    let mut merge = |found: Option<Report>| {
        if let Some(found) = found {
            report.merge(found);
            report.matches += 1;
        }
    };
    if value.is_null() {
        report.merge(types::null(node, at));
        report.merge(allowed(value, node, at));
        return report;
    }
    merge(types::check(value, node, at));
    // Ratcheting does not apply to values inside these schemas, only to the whole value.
    merge(Some(junctors::check(node, at, |one| against(value, one, at, None))));
    merge(strings::check(value, node, at));
    merge(strings::check_format(value, node, at));
    merge(numbers::check(value, node, at));
    merge(items(value, node, at, pair));
    merge(Some(allowed(value, node, at)));
    merge(fields(value, node, at, pair));
    report.matches += 1;
    report
}

/// Validates a list and its items.
fn items(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>) -> Option<Report> {
    let items = value.as_array()?;
    let mut report = Report::default();
    if let Some(node) = node.items.as_deref() {
        for (index, item) in items.iter().enumerate() {
            report.merge(visit(item, node, &at.index(index), pair.and_then(|pair| pair.index(index))));
        }
    }
    report.merge(collections::items(items, node, at));
    Some(report)
}

/// Validates an object and its fields, in the order of field names.
fn fields(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>) -> Option<Report> {
    let fields = value.as_object()?;
    let mut report = collections::properties(fields, node, at);
    let additional = fields.iter().filter(|(name, _)| !node.properties.contains_key(*name));
    match &node.additional {
        Additional::Allowed(false) => additional.for_each(|(name, _)| report.add(collections::forbidden(at, name))),
        Additional::Schema(schema) => additional.for_each(|(name, value)| {
            report.merge(visit(value, schema, &at.key(name), field_pair(pair, at, name)));
        }),
        Additional::Unspecified | Additional::Allowed(true) => {}
    }
    for (name, property) in &node.properties {
        if let Some(value) = fields.get(name) {
            report.merge(visit(value, property, &at.field(name), field_pair(pair, at, name)));
        }
    }
    report.merge(collections::required(fields, node, at));
    Some(report)
}

/// Validates `enum`.
fn allowed(value: &Value, node: &Node, at: &Place<'_>) -> Report {
    let mut report = Report::default();
    if !node.allowed.is_empty() && !node.allowed.iter().any(|allowed| types::converts_to(value, allowed)) {
        report.add(Failure::not_supported(at, value, &node.allowed));
    }
    report
}

/// The pair of a field. `apiVersion` and `kind` at the top have none, so they are always validated.
fn field_pair<'a>(pair: Option<Pair<'a>>, at: &Place<'_>, name: &str) -> Option<Pair<'a>> {
    let type_meta = at.is_root() && META_FIELDS.iter().take(2).any(|&meta| meta == name);
    if type_meta { None } else { pair?.key(name) }
}

impl Failure {
    fn not_supported(at: &Place<'_>, value: &Value, allowed: &[Value]) -> Self {
        let shown: Vec<_> = allowed.iter().map(go::plain).collect();
        let text = format!("{} in body should be one of [{}]", at.dotted(), shown.join(" "));
        let quoted: Vec<_> = allowed
            .iter()
            .map(|value| go::quote(&value.as_str().map_or_else(|| go::json(value), str::to_owned)))
            .collect();
        let mut failure = Self::new(at, Kind::NotSupported, Some(value.clone()), text);
        failure.error.detail = format!("supported values: {}", quoted.join(", "));
        failure
    }
}
