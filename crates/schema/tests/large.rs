//! Schemas and objects that are both large. Each row would take minutes, or gigabytes, if the work was the product of their
//! sizes.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use schema::metadata::Scope;
use schema::{Options, Schema};
use serde_json::{Map, Value, json};

const LARGE: usize = 30_000;

/// Checks the first error of a field with this schema.
#[track_caller]
fn check(field: &Value, value: &Value, first: &str) {
    let schema = Schema::read(&json!({"type": "object", "properties": {"f": field}})).expect("it is a schema");
    let errors = schema.admit(&json!({"f": value}), &Options::default()).err().unwrap_or_default();
    let shown = errors.first().map(ToString::to_string).unwrap_or_default();
    assert!(shown.starts_with(first) && shown.is_empty() == first.is_empty(), "{shown:.500}");
}

fn named(of: impl Fn(usize) -> Value) -> Value {
    (0..LARGE).map(|at| (format!("p{at}"), of(at))).collect::<Map<_, _>>().into()
}

fn list(of: impl Fn(usize) -> Value) -> Value {
    (0..LARGE).map(of).collect()
}

#[test]
fn both_are_large() {
    const WORK: &str = "<nil>: Internal error: it takes too much work to validate it";
    const DEFAULTS: &str = "<nil>: Internal error: the defaults of its schema make it larger than an API server stores";
    let items = |keywords: Value| json!({"type": "array", "items": keywords});
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    let empty = list(|_| json!({}));
    check(&object(named(|_| json!({"type": "string"}))), &named(|at| json!(at)), "f.p0: Invalid value");
    check(&object(json!({"a": {}})), &named(|_| json!(1)), "unknown field \"f.p0\"");
    check(&object(named(|_| json!({}))), &json!({"q": 1}), "unknown field \"f.q\"");
    check(&items(object(named(|_| json!({})))), &empty, "");
    let names: Vec<_> = (0..LARGE).map(|at| format!("p{at}")).collect();
    let required = json!({"type": "object", "required": names, "x-kubernetes-preserve-unknown-fields": true});
    let schema =
        Schema::read(&json!({"type": "object", "properties": {"f": items(required)}})).expect("it is a schema");
    let errors = schema.validate(&json!({"f": empty}), None);
    assert!(errors.first().is_some_and(|error| error.to_string().starts_with(WORK)));
    check(
        &items(object(json!({"a": {"type": "array", "items": {"type": "integer"}, "default": list(|_| json!(1))}}))),
        &empty,
        DEFAULTS,
    );
    check(&items(json!({"type": "string", "enum": names})), &list(|at| json!(format!("q{at}"))), WORK);
    check(&items(json!({"anyOf": vec![json!({"type": "string"}); 3_000]})), &list(|_| json!(1)), WORK);
    check(&json!({"type": "array", "uniqueItems": true, "items": {"type": "integer"}}), &list(|at| json!(at)), "");
    let keyed = json!({
        "type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": names,
    });
    check(&keyed, &list(|at| json!({"p0": at})), "");
}

#[test]
fn owners_that_all_control() {
    let schema = Schema::read(&json!({"type": "object"})).expect("it is a schema");
    let owner = json!({"apiVersion": "v1", "kind": "A", "name": "a", "uid": "a", "controller": true});
    let object = json!({"metadata": {"name": "a", "ownerReferences": vec![owner; LARGE]}});
    let options = Options { scope: Some(Scope::Cluster), ..Options::default() };
    let errors = schema.admit(&object, &options).expect_err("only one may control");
    assert_eq!(errors.len(), LARGE - 1);
    let shown = errors.iter().filter(|error| error.value.is_some()).count();
    assert_eq!(shown, 1, "the whole list is in one error");
}
