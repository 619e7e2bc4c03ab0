use serde_json::json;

use super::*;
use crate::{Options, Schema};

#[test]
fn custom_resource_definitions() {
    let version = |name: &str, served: bool| {
        json!({
            "name": name, "served": served, "storage": served, "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": {"type": "object"}},
        })
    };
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.org", "scope": "Cluster", "names": {"kind": "Widget"},
            "versions": [version("v1", true), version("v1beta1", false)],
        },
    });
    let found = find("any.yaml", &crd);
    let [source] = &found[..] else { panic!("{found:?}") };
    assert!(source.describes("example.org/v1", "Widget") && !source.describes("v1", "Widget"));
    assert_eq!((source.scope, source.status), (Some(Scope::Cluster), true));
}

#[test]
fn json_schemas() {
    let schema = json!({"type": "object"});
    let check = |path: &str, api_version: &str, kind: &str, want: bool| {
        let found = find(path, &schema);
        assert_eq!(found.iter().any(|source| source.describes(api_version, kind)), want, "{path}");
    };
    check("crds/apps/deployment_v1.json", "apps/v1", "Deployment", true);
    check("crds/core/service_v1.json", "v1", "Service", true);
    check("crds/core/service_v1.json", "v1", "Services", false);
    check("crds/index.json", "v1", "Service", false);
    check("crds/apps/deployment_v1.yaml", "apps/v1", "Deployment", false);
    assert!(find("x.json", &json!({"apiVersion": "v1", "kind": "Service"})).is_empty());
}

#[test]
fn kubeconforms_layout() {
    let schema = json!({
        "$schema": "http://json-schema.org/schema#", "type": "object", "additionalProperties": false,
        "properties": {
            "apiVersion": {"type": ["string", "null"], "enum": ["networking.k8s.io/v1"]}, "kind": {"type": ["string", "null"]},
            "metadata": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": false},
            "spec": {
                "type": ["object", "null"], "additionalProperties": false,
                "properties": {
                    "port": {"oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]},
                    "labels": {"type": ["object", "null"], "additionalProperties": {"type": ["string", "null"]}},
                    "rest": {"type": "object"}, "any": {"description": "anything"},
                },
            },
        },
    });
    let names = |path: &str, api_version: &str, kind: &str, want: bool| {
        let found = find(path, &schema);
        assert_eq!(found.iter().any(|source| source.describes(api_version, kind)), want, "{path} {api_version}");
    };
    names("s/ingress-networking-v1.json", "networking.k8s.io/v1", "Ingress", true);
    names("s/ingress-networking-v1.json", "extensions/v1", "Ingress", false);
    names("s/ingress-networking-v1.json", "networking.k8s.io/v1beta1", "Ingress", false);
    names("s/pod-v1.json", "v1", "Pod", true);
    names("s/pod-v1.json", "apps/v1", "Pod", false);
    names("s/values-schema.json", "v1", "Values", false);

    let sources = find("ingress-networking-v1.json", &schema);
    let schema = Schema::read(&sources[0].schema).expect("a sound schema");
    let check = |spec: Value, want: &[&str]| {
        let object = json!({
            "apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": {"name": "a", "labels": {"b": "c"}},
            "spec": spec,
        });
        let errors = schema.admit(&object, &Options::default()).err().unwrap_or_default();
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), want);
    };
    check(json!({"port": 1, "labels": {"a": "b"}, "rest": {"x": [1]}, "any": {"y": null}}), &[]);
    check(json!({"port": "http", "any": 1, "labels": null}), &[]);
    check(Value::Null, &[]);
    check(json!({"prot": 1}), &["unknown field \"spec.prot\""]);
}

/// The schema has the fields that Crossplane adds for the scope, beside those of the definition.
#[test]
fn composite_resource_definitions() {
    let xrd = |api_version: &str, scope: Option<&str>| {
        let mut xrd = json!({
            "apiVersion": api_version, "kind": "CompositeResourceDefinition",
            "spec": {
                "group": "example.org", "names": {"kind": "XWidget"}, "claimNames": {"kind": "Widget"},
                "versions": [{"name": "v1", "served": true, "referenceable": true, "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}},
                }}}],
            },
        });
        if let Some(scope) = scope {
            xrd["spec"]["scope"] = scope.into();
        }
        xrd
    };
    let check = |api_version: &str, scope: Option<&str>, kind: &str, spec: Value, want: &[&str]| {
        let sources = find("", &xrd(api_version, scope));
        let source = sources.iter().find(|source| source.describes("example.org/v1", kind)).expect("a source");
        let schema = Schema::read(&source.schema).expect("a sound schema");
        let object = json!({"apiVersion": "example.org/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec});
        let errors = schema.admit(&object, &Options::default()).err().unwrap_or_default();
        assert_eq!(errors.iter().map(ToString::to_string).collect::<Vec<_>>(), want, "{kind}");
    };
    let (v1, v2) = ("apiextensions.crossplane.io/v1", "apiextensions.crossplane.io/v2");
    let modern = json!({"a": "x", "crossplane": {"compositionRef": {"name": "c"}, "resourceRefs": []}});
    check(v2, None, "XWidget", modern.clone(), &[]);
    check(v2, Some("Cluster"), "XWidget", modern.clone(), &[]);
    check(v1, Some("LegacyCluster"), "XWidget", modern, &["unknown field \"spec.crossplane\""]);
    check(v1, None, "XWidget", json!({"a": "x", "compositionRef": {"name": "c"}}), &[]);
    check(
        v1,
        None,
        "Widget",
        json!({"a": "x", "resourceRef": {}}),
        &[
            "spec.resourceRef.apiVersion: Required value",
            "spec.resourceRef.kind: Required value",
            "spec.resourceRef.name: Required value",
        ],
    );
    check(
        v2,
        None,
        "XWidget",
        json!({"crossplane": {"compositionUpdatePolicy": "Never"}}),
        &[
            "spec.crossplane.compositionUpdatePolicy: Unsupported value: \"Never\": supported values: \"Automatic\", \"Manual\"",
            "spec.a: Required value",
        ],
    );
}
