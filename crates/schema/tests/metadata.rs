//! Validation of metadata.

use schema::metadata::{Scope, validate, validate_update};
use schema::{Options, Schema};
use serde_json::{Value, json};

/// Checks all errors of new metadata.
fn check(metadata: Value, scope: Scope, want: &[&str]) {
    let errors: Vec<_> = validate(&metadata, scope).iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), want.len(), "{errors:#?}");
    for (error, want) in errors.iter().zip(want) {
        assert!(error.starts_with(want), "{error}");
    }
}

#[test]
fn new_metadata() {
    let subdomain =
        |name: &str| format!("metadata.name: Invalid value: \"{name}\": a lowercase RFC 1123 subdomain must");
    check(json!({"name": "a.b-c", "namespace": "x"}), Scope::Namespaced, &[]);
    check(json!({"generateName": "a-"}), Scope::Namespaced, &[]);
    check(json!({"generateName": "A-"}), Scope::Namespaced, &[]); // the API server ignores the last two characters
    check(json!({}), Scope::Namespaced, &["metadata.name: Required value: name or generateName is required"]);
    check(json!({"name": "A"}), Scope::Namespaced, &[&subdomain("A")]);
    check(json!({"name": "-a"}), Scope::Namespaced, &[&subdomain("-a")]);
    check(
        json!({"name": "a".repeat(254)}),
        Scope::Namespaced,
        &[&format!("metadata.name: Invalid value: \"{}\": must be no more than 253 characters", "a".repeat(254))],
    );
    check(
        json!({"name": "a", "namespace": "x.y"}),
        Scope::Namespaced,
        &["metadata.namespace: Invalid value: \"x.y\": must not contain dots"],
    );
    check(
        json!({"name": "a", "namespace": "x"}),
        Scope::Cluster,
        &["metadata.namespace: Forbidden: not allowed on this type"],
    );
    check(
        json!({"name": "a", "labels": {"a b": "c d"}}),
        Scope::Cluster,
        &[
            "metadata.labels: Invalid value: \"a b\": name part must consist of",
            "metadata.labels: Invalid value: \"c d\": a valid label must be an empty string or",
        ],
    );
    check(json!({"name": "a", "annotations": {"A/B": "any text"}}), Scope::Cluster, &[]);
    check(
        json!({"name": "a", "annotations": {"a": "x".repeat(262_144)}}),
        Scope::Cluster,
        &["metadata.annotations: Too long: may not be more than 262144 bytes"],
    );
    check(
        json!({"name": "a", "finalizers": ["orphan", "foregroundDeletion"]}),
        Scope::Cluster,
        &[
            "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer orphan and foregroundDeletion cannot be both set",
        ],
    );
    check(
        json!({"name": "a", "ownerReferences": [{"apiVersion": "v1", "kind": "A", "name": "", "uid": "u"}]}),
        Scope::Cluster,
        &["metadata.ownerReferences.name: Invalid value: \"\": must not be empty"],
    );
}

#[test]
fn changed_metadata() {
    let check = |new: Value, want: &[&str]| {
        let old = json!({"name": "a", "namespace": "x", "uid": "u"});
        let errors = validate_update(&new, &old, Scope::Namespaced);
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), want);
    };
    check(json!({"name": "a", "namespace": "x", "uid": "u"}), &[]);
    check(json!({"name": "a"}), &[]);
    check(
        json!({"name": "b", "uid": "v"}),
        &[
            "metadata.name: Invalid value: \"b\": field is immutable",
            "metadata.uid: Invalid value: \"v\": field is immutable",
        ],
    );
}

/// Metadata is decoded by its own type, independently of the schema.
#[test]
fn decoding() {
    let schema = Schema::read(&json!({"type": "object"})).expect("a sound schema");
    let check = |metadata: Value, want: Result<Value, &str>| {
        let admitted = schema.admit(&json!({"metadata": metadata}), &Options::default());
        let admitted = admitted.map(|admitted| admitted.object["metadata"].clone());
        assert_eq!(admitted.map_err(|errors| errors[0].message()), want.map_err(str::to_owned));
    };
    check(json!({"name": "a", "creationTimestamp": null, "labels": {}}), Ok(json!({"name": "a"})));
    check(json!({"labels": {"a": null}}), Ok(json!({"labels": {"a": ""}})));
    check(json!({"label": {}}), Err("unknown field \"metadata.label\""));
    check(
        json!({"labels": {"a": 1}}),
        Err("json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"),
    );
    check(json!("a"), Err("json: cannot unmarshal string into Go value of type v1.ObjectMeta"));
}

#[test]
fn warnings() {
    let schema = Schema::read(&json!({"type": "object"})).expect("a sound schema");
    let object = json!({"metadata": {"finalizers": ["x.org/y", "plain", "with.dot"]}});
    let warnings = schema.admit(&object, &Options::default()).expect("a sound object").warnings;
    let want = [
        "metadata.finalizers: \"plain\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers",
        "metadata.finalizers: \"with.dot\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers",
    ];
    assert_eq!(warnings, want);
}
