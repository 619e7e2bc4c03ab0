//! Transforms of types: in the structural schema, and in validation by this schema.

#![cfg(feature = "generate")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use toolbox::structural::{int_or_string, list_atomic, list_map, list_set, map_atomic, rule, schema_of};
use toolbox::validation::Validator;

/// A type with every transform.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = rule("!has(self.most) || self.least <= self.most", "least may not exceed most"))]
struct SchemaSpec {
    least: i32,
    most: Option<i64>,
    small: u16,
    #[schemars(extend("format" = "date-time"))]
    since: Option<String>,
    #[schemars(transform = list_map("name"), length(max = 8))]
    pools: Vec<SchemaPool>,
    #[schemars(transform = list_set)]
    zones: Vec<String>,
    #[schemars(transform = list_atomic)]
    arguments: Option<Vec<String>>,
    #[schemars(transform = map_atomic)]
    labels: BTreeMap<String, String>,
    #[schemars(transform = int_or_string)]
    port: Option<Value>,
    share: Option<Share>,
    #[schemars(transform = rule("self.name != 'b'", "not b"))]
    pool: Option<SchemaPool>,
    #[schemars(extend("anyOf" = [{"required": ["a"]}, {"required": ["b"]}]))]
    either: BTreeMap<String, String>,
}

#[derive(JsonSchema, Serialize)]
#[schemars(transform = rule("self.name != 'a'", "not a"))]
struct SchemaPool {
    #[schemars(length(max = 63))]
    name: String,
}

/// A number, or a share as text.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema counts")]
enum Share {
    Number(i32),
    Part(String),
}

#[test]
fn schemas_of_types() {
    let schema = schema_of::<SchemaSpec>();
    let check = |field: &str, want: Value| {
        let found = &schema["properties"][field];
        for (key, value) in want.as_object().expect("an object") {
            let found = found.get(key).cloned().unwrap_or_default();
            assert_eq!(found, *value, "{field}: {key} of {schema:#}");
        }
    };
    let pool_rules = json!([{"rule": "self.name != 'a'", "message": "not a"}]);
    let both_rules = json!([pool_rules[0], {"rule": "self.name != 'b'", "message": "not b"}]);
    check("least", json!({"type": "integer", "format": "int32"}));
    check("most", json!({"type": "integer", "format": "int64", "nullable": null}));
    check("small", json!({"type": "integer", "format": null}));
    check("since", json!({"type": "string", "format": "date-time"}));
    check("pools", json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "maxItems": 8}));
    check("zones", json!({"x-kubernetes-list-type": "set"}));
    check("arguments", json!({"type": "array", "x-kubernetes-list-type": "atomic"}));
    check("labels", json!({"x-kubernetes-map-type": "atomic"}));
    check("port", json!({"x-kubernetes-int-or-string": true, "anyOf": null, "type": null}));
    check("share", json!({"x-kubernetes-int-or-string": true, "anyOf": null, "type": null}));
    check("pool", json!({"type": "object", "x-kubernetes-validations": both_rules, "anyOf": null}));
    check("either", json!({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}));
    assert_eq!(schema["properties"]["pools"]["items"]["x-kubernetes-validations"], pool_rules);
    assert_eq!(schema["x-kubernetes-validations"][0]["message"], "least may not exceed most");
}

#[test]
fn validation_by_these_schemas() {
    let schema = json!({"type": "object", "required": ["spec"], "properties": {"spec": schema_of::<SchemaSpec>()}});
    let definition = json!({
        "apiVersion": "apiextensions.crossplane.io/v2",
        "kind": "CompositeResourceDefinition",
        "metadata": {"name": "tests.example.org"},
        "spec": {
            "group": "example.org",
            "names": {"kind": "Test", "plural": "tests"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1",
                "served": true,
                "referenceable": true,
                "schema": {"openAPIV3Schema": schema},
            }],
        },
    });
    let validator = Validator::read(&definition.to_string());
    let check = |changed: Value, want: &[&str]| {
        let mut spec = json!({"least": 1, "small": 1, "pools": [], "zones": [], "labels": {}, "either": {"a": ""}});
        for (key, value) in changed.as_object().expect("an object") {
            spec[key] = value.clone();
        }
        let metadata = json!({"name": "a", "namespace": "b"});
        let object = json!({"apiVersion": "example.org/v1", "kind": "Test", "metadata": metadata, "spec": spec});
        let problems = validator.validate(&object);
        // An API server also reports that it did not check some rules. That problem has no path.
        let paths: Vec<_> = problems.iter().map(|it| it.path.as_str()).filter(|path| !path.is_empty()).collect();
        assert_eq!(paths, want, "{changed}: {problems:?}");
    };
    check(json!({}), &[]);
    check(json!({"least": 2, "most": 1}), &["spec"]);
    check(json!({"since": "yesterday"}), &["spec.since"]);
    check(json!({"pools": [{"name": "x"}, {"name": "x"}]}), &["spec.pools[1]"]);
    check(json!({"pools": [{"name": "a"}]}), &["spec.pools[0]"]);
    check(json!({"zones": ["x", "x"]}), &["spec.zones[1]"]);
    check(json!({"port": "http", "share": 3}), &[]);
    check(json!({"port": true}), &["spec.port"]);
    check(json!({"pool": {"name": "b"}}), &["spec.pool"]);
    check(json!({"either": {"c": ""}}), &["spec.either", "spec.either.a"]);
}
