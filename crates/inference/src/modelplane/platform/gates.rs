//! Which objects are desired. Crossplane deletes what is observed and not desired, so what waits for something does so only until it
//! is observed.

use std::rc::Rc;

use contract::compose::ComposeRequest;
use contract::types::Fault;
use serde_json::Value;
use toolbox::composed::Composed;
use toolbox::held::held;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::reasons::Reasons;
use toolbox::rows::{Gate, Named, ObjectRow, Part};
use toolbox::rule::Rule;

/// The composed resources that the rows may have, of the composite with this name.
///
/// # Errors
/// A [`Fault`] when one of them is not JSON.
pub fn observed<'a, I: Named>(
    request: &'a ComposeRequest,
    rows: &[&[ObjectRow<I>]],
    name: &str,
) -> Result<Observed<'a>, Fault> {
    Observed::of(request, |key| rows.iter().flat_map(|rows| rows.iter()).any(|row| row.may_have(name, key)))
}

/// The index of the rows that have a composition resource name, where that does not have the name of the composite in it.
pub fn area<I: Named>(rows: &[&[ObjectRow<I>]], key: &str) -> Option<usize> {
    rows.iter().position(|rows| rows.iter().any(|row| row.may_have("", key)))
}

/// What a composed resource waits for, for people: what the gate of its row says. Empty when that is open.
pub fn waits_for<I: Named>(rows: &[&[ObjectRow<I>]], composite: &Value, key: &str) -> &'static str {
    let name = path::get(composite, "metadata.name").and_then(Value::as_str).unwrap_or_default();
    let row = rows.iter().flat_map(|rows| rows.iter()).find(|row| row.may_have(name, key));
    row.map_or("", |row| row.gate.words())
}

/// What is desired of the rows, in their order.
pub fn desired<I: Named>(rows: &[&[ObjectRow<I>]], of: &Rc<I>, observed: &Observed<'_>) -> Vec<Composed> {
    let rows = rows.iter().flat_map(|rows| rows.iter());
    let parts = rows.flat_map(|row| row.parts(of).into_iter().map(move |part| (row, part)));
    parts.filter_map(|(row, part)| through(row, &part, observed)).collect()
}

/// The reasons of what is desired, and of the status. Without anything desired there is no status.
pub fn reasons<I: Named>(request: &ComposeRequest, resources: &[Composed], status: &[Rule<I>], of: &I) -> Reasons {
    let reasons = Reasons::of(request, resources);
    if resources.is_empty() { reasons } else { reasons.with_status(status, of) }
}

/// The object of a part. `None` while its gate is shut and it is not observed.
fn through<I: Named>(row: &ObjectRow<I>, part: &Part<I>, observed: &Observed<'_>) -> Option<Composed> {
    let exists = observed.get(&part.key);
    let is_open = match row.gate {
        Gate::Open => true,
        Gate::Until(_, opens) => opens(&part.of) || exists.is_some(),
        Gate::Known(_, is_known) => is_known(&part.of),
    };
    if is_open {
        return Some(row.composed(&[], part));
    }
    exists.map(|object| held(&part.key, object).ready(row.ready))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use contract::types::Readiness;
    use serde_json::json;
    use toolbox::composed;
    use toolbox::data;
    use toolbox::observed::ReadyWhen;
    use toolbox::resources::OBJECTS;
    use toolbox::rule::constant;

    use super::*;

    struct Gated {
        is_there: bool,
    }

    impl Named for Gated {
        fn name(&self) -> &'static str {
            "c"
        }
    }

    const SPEC: &[Rule<Part<Gated>>] = &[constant("spec.watch", "always", data!(true))];

    const fn row(key: &'static str, gate: Gate<Gated>) -> ObjectRow<Gated> {
        ObjectRow { gate, tables: &[("", SPEC)], ready: ReadyWhen::Desired, ..ObjectRow::unnamed(&OBJECTS, key) }
    }

    const ROWS: &[ObjectRow<Gated>] = &[
        row("always", Gate::Open),
        row("later", Gate::Until("the other", |of| of.is_there)),
        row("derived", Gate::Known("its value", |of| of.is_there)),
    ];

    /// The value of `spec.watch` by key: `false` where it is as observed.
    #[track_caller]
    fn check(is_there: bool, exist: &[&str], want: &[(&str, bool)]) {
        let object = || -> Value {
            let (api_version, kind) = (OBJECTS.api_version, OBJECTS.kind);
            json!({"apiVersion": api_version, "kind": kind, "spec": {"watch": false}})
        };
        let observed: BTreeMap<_, _> = exist.iter().map(|&key| (key.to_owned(), object().into())).collect();
        let request = ComposeRequest { observed, ..ComposeRequest::default() };
        let observed = observed_of(&request);
        let desired = composed::desired(desired(&[ROWS], &Rc::new(Gated { is_there }), &observed), &observed);
        assert!(desired.values().all(|it| it.readiness == Readiness::Ready));
        let watch: Vec<_> =
            desired.iter().map(|(key, it)| (key.as_str(), it.object["spec"]["watch"] == true)).collect();
        assert_eq!(watch, want, "{exist:?}");
    }

    fn observed_of(request: &ComposeRequest) -> Observed<'_> {
        observed(request, &[ROWS], "c").expect("valid objects")
    }

    #[test]
    fn areas() {
        let other = [row("other-{e}", Gate::Open)];
        assert_eq!(area(&[ROWS, &other], "later"), Some(0));
        assert_eq!(area(&[ROWS, &other], "unknown"), None);
    }

    #[test]
    fn words() {
        let composite = json!({"metadata": {"name": "c"}});
        let words = ["always", "later", "derived", "unknown"].map(|key| waits_for(&[ROWS], &composite, key));
        assert_eq!(words, ["", "the other", "its value", ""]);
    }

    #[test]
    fn what_is_observed_stays() {
        check(false, &[], &[("always", true)]);
        check(true, &[], &[("always", true), ("derived", true), ("later", true)]);
        check(false, &["later"], &[("always", true), ("later", true)]);
        check(false, &["derived"], &[("always", true), ("derived", false)]);
        check(true, &["derived"], &[("always", true), ("derived", true), ("later", true)]);
    }
}
