//! Generates the definitions of kinds and step inputs, and Compositions, from rows and types.
//!
//! Only generation and tests need this (feature `generate`). The component embeds the generated definitions.

use contract::catalog::Scope;
use serde_json::{Value, json};

use crate::entries::object;
use crate::kind::{self, Kind};
use crate::published::Composition;

/// The CompositeResourceDefinition of a kind.
pub fn definition(kind: &Kind) -> Value {
    let (group, version) = kind.api_version.split_once('/').unwrap_or(("", kind.api_version));
    let published = &kind.published;
    let mut names = json!({"kind": kind.kind, "plural": kind.plural});
    for (key, listed) in [("shortNames", kind.short_names), ("categories", published.categories)] {
        if !listed.is_empty() {
            names[key] = json!(listed);
        }
    }
    let mut served = json!({
        "name": version,
        "served": true,
        "referenceable": true,
        "schema": {"openAPIV3Schema": (published.schema)()},
    });
    if !published.columns.is_empty() {
        served["additionalPrinterColumns"] = columns(kind);
    }
    if let Some(scale) = published.scale {
        served["subresources"]["scale"] =
            json!({"specReplicasPath": scale.spec_replicas, "statusReplicasPath": scale.status_replicas});
        if let Some(path) = scale.label_selector {
            served["subresources"]["scale"]["labelSelectorPath"] = path.into();
        }
    }
    let mut definition = json!({
        "apiVersion": "apiextensions.crossplane.io/v2",
        "kind": "CompositeResourceDefinition",
        "metadata": {"name": format!("{}.{group}", kind.plural)},
        "spec": {"group": group, "names": names, "scope": scope(kind.scope), "versions": [served]},
    });
    if !published.labels.is_empty() {
        definition["metadata"]["labels"] = labels(published.labels);
    }
    if let Some(default) = published.compositions.iter().find(|composition| composition.default) {
        definition["spec"]["defaultCompositionRef"] = json!({"name": default.name});
    }
    definition
}

/// The CompositeResourceDefinition of a kind in `api_version`, which is one of [`Kind::api_versions`].
pub fn definition_in(kind: &Kind, api_version: &str) -> Value {
    kind::in_api_version(definition(kind), kind.api_version, api_version)
}

/// A Composition of a kind in `api_version`, which is one of [`Kind::api_versions`]. Every step calls the Function with
/// the name `function`.
pub fn composition(kind: &Kind, api_version: &str, composition: &Composition, function: &str) -> Value {
    let steps = composition.steps.iter().map(|step| {
        let mut value = json!({"step": step.name, "functionRef": {"name": function}});
        if let Some(input) = step.input {
            value["input"] = input(api_version);
        }
        value
    });
    let mut value = json!({
        "apiVersion": "apiextensions.crossplane.io/v1",
        "kind": "Composition",
        "metadata": {"name": kind::composition_name(kind.api_version, api_version, composition.name)},
        "spec": {
            "compositeTypeRef": {"apiVersion": api_version, "kind": kind.kind},
            "mode": "Pipeline",
            "pipeline": steps.collect::<Vec<_>>(),
        },
    });
    if !composition.labels.is_empty() {
        value["metadata"]["labels"] = labels(composition.labels);
    }
    value
}

/// The CustomResourceDefinition of a step input with this schema. It is not installed in any cluster.
pub fn input_definition(api_version: &str, kind: &str, plural: &str, mut schema: Value) -> Value {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    schema["required"] = json!(["apiVersion", "kind"]);
    schema["properties"]["apiVersion"] = constant(api_version, "API version of these options.");
    schema["properties"]["kind"] = constant(kind, "Kind of these options.");
    schema["properties"]["metadata"] = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let singular = kind.to_lowercase();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group,
            "names": {"kind": kind, "listKind": format!("{kind}List"), "plural": plural, "singular": singular},
            "scope": "Namespaced",
            "versions": [{"name": version, "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}}],
        },
    })
}

fn columns(kind: &Kind) -> Value {
    let column = |column: &crate::published::Column| {
        let mut value = json!({"name": column.name, "type": column.column_type, "jsonPath": column.path});
        if column.priority > 0 {
            value["priority"] = column.priority.into();
        }
        value
    };
    kind.published.columns.iter().map(column).collect()
}

fn labels(labels: &[(&str, &str)]) -> Value {
    object(labels.iter().map(|&(key, value)| (key.to_owned(), Value::from(value)))).into()
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Namespaced => "Namespaced",
        Scope::Cluster => "Cluster",
    }
}

fn constant(value: &str, description: &str) -> Value {
    json!({"type": "string", "enum": [value], "description": description})
}
