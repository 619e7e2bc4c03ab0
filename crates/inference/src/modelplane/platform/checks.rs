//! What the tests of several kinds check, and how they call a kind.

use std::collections::{BTreeMap, BTreeSet};

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::{ApiResource, Scope};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{ObservedObject, Problem};
use serde_json::{Value, json};
use toolbox::kind::Kind;
use toolbox::path;
use toolbox::rows::{Named, ObjectRow};
use toolbox::rule::Table;

/// A composite of a kind.
pub(in crate::modelplane) fn composite(kind: &Kind, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": kind.api_version, "kind": kind.kind,
        "metadata": {"name": name, "namespace": "modelplane-system"}, "spec": spec,
    })
}

/// What a kind answers for a composite with the name `test-cluster`, with these observed resources.
#[track_caller]
pub(in crate::modelplane) fn answer(kind: &Kind, spec: &Value, observed: &BTreeMap<String, Value>) -> ComposeResponse {
    let object = |(key, object): (&String, &Value)| (key.clone(), ObservedObject::from(object.clone()));
    let request = ComposeRequest {
        composite: Some(composite(kind, "test-cluster", spec).into()),
        observed: observed.iter().map(object).collect(),
        ..ComposeRequest::default()
    };
    kind.compose.expect("it is composed")(&request).expect("it can be composed").0
}

/// The desired objects of an answer.
pub(in crate::modelplane) fn objects(response: ComposeResponse) -> BTreeMap<String, Value> {
    response.resources.into_iter().map(|(key, desired)| (key, desired.object)).collect()
}

/// Compares values: of an object by its composition resource name, at a path. `null` when there is none.
#[track_caller]
pub(in crate::modelplane) fn values(objects: &BTreeMap<String, Value>, rows: &[(&str, &str, Value)]) {
    for (key, at, want) in rows {
        let object = objects.get(*key).unwrap_or_else(|| panic!("there is no `{key}` in {:?}", objects.keys()));
        assert_eq!(path::get(object, at).unwrap_or(&Value::Null), want, "{key}: {at}");
    }
}

/// Checks that what a kind says that it composes and wraps is what its rows are of, that all of it is namespaced, that every
/// table of a row is documented, and that every object of an answer has an area.
#[track_caller]
pub(in crate::modelplane) fn rows<I: Named>(
    kind: &Kind,
    rows: &[&[ObjectRow<I>]],
    tables: &[Table],
    made: &BTreeMap<String, Value>,
) {
    let all = || rows.iter().flat_map(|rows| rows.iter());
    let name = |kind: &ApiResource| (kind.api_version, kind.kind);
    let names = |kinds: &[ApiResource]| kinds.iter().map(name).collect::<BTreeSet<_>>();
    assert_eq!(all().map(|row| name(row.kind)).collect::<BTreeSet<_>>(), names(kind.composes));
    let wrapped = all().filter_map(|row| row.wraps).map(|(kind, _)| name(kind));
    assert_eq!(wrapped.collect::<BTreeSet<_>>(), names(kind.wraps_on_own));
    assert!(
        kind.composes.iter().all(|it| it.scope == Scope::Namespaced),
        "a namespaced composite composes nothing else"
    );
    for row in all() {
        let wraps = row.wraps.map(|(_, table)| ("", table));
        for (_, table) in row.tables.iter().copied().chain(wraps) {
            let stated: Vec<_> = table.iter().map(|rule| rule.stated).collect();
            assert!(tables.iter().any(|table| table.rules == stated), "{}: a table is not documented", row.key);
        }
    }
    let areas = kind.areas.expect("areas");
    let composite = composite(kind, "test-cluster", &json!({}));
    let found: BTreeSet<_> = made.iter().map(|(key, object)| (areas.of)(&composite, key, object)).collect();
    assert_eq!(found, (0..areas.names.len()).map(Some).collect(), "every area has objects, and every object an area");
}

/// Checks that what is observed stays desired, with any part of the objects observed that there can be, whatever these say.
#[track_caller]
pub(in crate::modelplane) fn what_is_observed_stays(kind: &Kind, spec: &Value, made: &BTreeMap<String, Value>) {
    let mut number: u64 = 42;
    for _ in 0..200 {
        let mut next = || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            number >> 60
        };
        let some = made.iter().filter_map(|(key, object)| {
            let mut object = object.clone();
            match next() {
                0..8 => return None,
                8 | 9 => object["status"] = json!({"conditions": [{"type": "Ready", "status": "False"}]}),
                10 => object["status"] = json!("odd"),
                11 => object["metadata"] = json!({"annotations": {"crossplane.io/external-name": "external-1"}}),
                12 => object["spec"] = json!({}),
                _ => {}
            }
            Some((key.clone(), object))
        });
        let some: BTreeMap<_, _> = some.collect();
        let desired = answer(kind, spec, &some).resources;
        let gone: Vec<_> = some.keys().filter(|key| !desired.contains_key(*key)).collect();
        assert!(gone.is_empty(), "of {:?} these would be deleted: {gone:?}", some.keys());
    }
}

/// Checks verdicts about composites: the paths of denials and warnings.
#[track_caller]
pub(in crate::modelplane) fn admitted(kind: &Kind, operation: Operation, denials: &[&str], warnings: &[&str]) {
    let verdict = judged(kind, operation, LookupAnswers::new());
    assert_eq!(
        (paths(&verdict.denials), paths(&verdict.warnings)),
        (denials.to_vec(), warnings.to_vec()),
        "{verdict:?}"
    );
}

/// A verdict.
#[track_caller]
pub(in crate::modelplane) fn judged(kind: &Kind, operation: Operation, lookups: LookupAnswers) -> Verdict {
    (kind.admit)(&AdmitRequest { operation, input: None, lookups }).expect("a verdict")
}

/// The paths of problems.
pub(in crate::modelplane) fn paths(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|it| it.path.as_str()).collect()
}

/// Checks what is said about credentials: those that do not exist, and other ones than before.
#[track_caller]
pub(in crate::modelplane) fn credentials(kind: &Kind, spec: &Value) {
    let with = |name: &str| {
        let mut spec = spec.clone();
        spec["credentials"] = json!({"name": name});
        composite(kind, "a", &spec)
    };
    let answered = |found: Vec<ObservedObject>| LookupAnswers::from([("credentials".to_owned(), found)]);
    let verdict = judged(kind, Operation::Create(with("a")), answered(Vec::new()));
    assert_eq!(paths(&verdict.warnings), ["spec.credentials.name"]);
    assert_eq!(verdict.lookups.len(), 1);
    let verdict = judged(kind, Operation::Create(with("a")), answered(vec![json!({}).into()]));
    assert_eq!(paths(&verdict.warnings), [""; 0]);
    let verdict = judged(kind, Operation::Create(with("a")), LookupAnswers::new());
    assert_eq!((verdict.warnings.len(), verdict.unjudged.len()), (0, 1));
    let other = Operation::Update { old: with("a"), new: with("b") };
    let verdict = judged(kind, other, answered(vec![json!({}).into()]));
    assert_eq!(paths(&verdict.warnings), ["spec.credentials"]);
    let same = Operation::Update { old: with("a"), new: with("a") };
    let verdict = judged(kind, same, LookupAnswers::new());
    assert_eq!((verdict.warnings.len(), verdict.lookups.len()), (0, 0));
    assert_eq!(judged(kind, Operation::Delete(with("a").into()), LookupAnswers::new()), Verdict::default());
    let broken = judged(kind, Operation::Create(composite(kind, "a", &json!({}))), LookupAnswers::new());
    assert_eq!((broken.denials.len(), broken.warnings.len()), (0, 1), "the schema refuses it");
}
