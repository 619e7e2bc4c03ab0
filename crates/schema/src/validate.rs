//! Validation by the keywords of a schema (kube-openapi `pkg/validation/validate`, with the ratcheting of
//! apiextensions-apiserver `pkg/apiserver/validation`).
//!
//! For `anyOf` and `oneOf` the errors are those of the alternative that matched best. So every check also counts matches, as
//! the API server does.

use std::cell::Cell;

use serde_json::Value;

use crate::correlate::Pair;
use crate::error::{self, FieldError, Hint, Kind};
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

/// The most work for an object. A unit is one value by one schema, one field that it must have, or four values that it may
/// be. When schema and object are both large, this can be the product of their sizes.
const MOST_WORK: usize = 1_000_000;

/// The errors of `value`. With `old`, errors of unchanged values are left out.
pub(crate) fn check(value: &Value, node: &Node, old: Option<&Value>) -> Vec<FieldError> {
    let pair = old.map(|old| Pair { old, new: value, node });
    let work = Work(Cell::new(MOST_WORK));
    let report = visit(value, node, &Place::ROOT, pair, &work);
    let mut errors: Vec<_> = report.into_failures().map(|failure| failure.error).collect();
    if work.0.get() == 0 {
        let detail = "it takes too much work to validate it; not all of it was validated";
        errors.insert(0, FieldError::at(&Place::ROOT, Kind::Internal, None, detail));
    }
    errors
}

/// The work that is left.
struct Work(Cell<usize>);

impl Work {
    /// Whether there is enough left for a value by this schema.
    fn is_left_for(&self, node: &Node) -> bool {
        let units = 1 + node.required.len() + node.allowed.len() / 4;
        self.0.set(self.0.get().saturating_sub(units));
        self.0.get() > 0
    }
}

/// Validates a value. The errors of an unchanged value are left out.
fn visit(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>, work: &Work) -> Report {
    let mut report = against(value, node, at, pair, work);
    if !report.is_valid() && pair.is_some_and(|pair| pair.unchanged()) {
        report.clear();
    }
    report
}

/// Validates a value by one schema.
fn against(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>, work: &Work) -> Report {
    let mut report = Report::default();
    if !work.is_left_for(node) {
        return report;
    }
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
    merge(Some(junctors::check(node, at, |one| against(value, one, at, None, work))));
    merge(strings::check(value, node, at));
    merge(strings::check_format(value, node, at));
    merge(numbers::check(value, node, at));
    merge(items(value, node, at, pair, work));
    merge(Some(allowed(value, node, at)));
    merge(fields(value, node, at, pair, work));
    report.matches += 1;
    report
}

/// Validates a list and its items.
fn items(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>, work: &Work) -> Option<Report> {
    let items = value.as_array()?;
    let mut report = Report::default();
    if let Some(node) = node.items.as_deref() {
        for (index, item) in items.iter().enumerate() {
            report.merge(visit(item, node, &at.index(index), pair.and_then(|pair| pair.index(index)), work));
        }
    }
    report.merge(collections::items(items, node, at));
    Some(report)
}

/// Validates an object and its fields, in the order of field names.
fn fields(value: &Value, node: &Node, at: &Place<'_>, pair: Option<Pair<'_>>, work: &Work) -> Option<Report> {
    let fields = value.as_object()?;
    let mut report = collections::properties(fields, node, at);
    let additional = fields.iter().filter(|(name, _)| !node.properties.contains_key(*name));
    match &node.additional {
        Additional::Allowed(false) => additional.for_each(|(name, _)| report.add(collections::forbidden(at, name))),
        Additional::Schema(schema) => additional.for_each(|(name, value)| {
            report.merge(visit(value, schema, &at.key(name), field_pair(pair, at, name), work));
        }),
        Additional::Unspecified | Additional::Allowed(true) => {}
    }
    for (name, value) in fields {
        if let Some(property) = node.properties.get(name) {
            report.merge(visit(value, property, &at.field(name), field_pair(pair, at, name), work));
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
        let shown = listed(allowed, " ", go::plain);
        let text = format!("{} in body should be one of [{shown}]", at.dotted());
        let quoted =
            listed(allowed, ", ", |value| go::quote(&value.as_str().map_or_else(|| go::json(value), str::to_owned)));
        let mut failure = Self::new(at, Kind::NotSupported, Some(error::short(value)), text);
        failure.error.detail = format!("supported values: {quoted}");
        failure.error.hint = Hint::for_unsupported(value, allowed);
        failure
    }
}

/// The values of a list, up to a length that nobody reads.
fn listed(values: &[Value], separator: &str, spelled: impl Fn(&Value) -> String) -> String {
    const LONGEST: usize = 8 << 10;
    let mut length = 0;
    let fits = |text: &String| {
        length += text.len();
        length <= LONGEST
    };
    let listed: Vec<_> = values.iter().map(spelled).take_while(fits).collect();
    let more = if listed.len() < values.len() { "…" } else { "" };
    format!("{}{more}", listed.join(separator))
}
