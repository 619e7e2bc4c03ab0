//! Finds schemas in documents: CustomResourceDefinitions, Crossplane's CompositeResourceDefinitions, and JSON schemas whose
//! file names contain the kind.

use serde_json::Value;

use crate::metadata::Scope;
use crate::scale::Scale;

mod crossplane;
mod plain;
mod source;

pub use source::Source;
use source::{served, text};

/// The schemas in a document; empty when there are none. `path` is the path of its file, with `/` between folders. It is
/// only used for JSON schemas.
pub fn find(path: &str, document: &Value) -> Vec<Source> {
    let kind = document["kind"].as_str().unwrap_or_default();
    let (group, _) = document["apiVersion"].as_str().and_then(|it| it.split_once('/')).unwrap_or_default();
    match (group, kind) {
        ("apiextensions.k8s.io", "CustomResourceDefinition") => custom_resources(document),
        ("apiextensions.crossplane.io", "CompositeResourceDefinition") => crossplane::composites(document),
        ("", "") if document["type"] == "object" || document["properties"].is_object() => {
            json_schema(path, document).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The served versions of a CustomResourceDefinition (`apiextensions.k8s.io/v1`).
fn custom_resources(crd: &Value) -> Vec<Source> {
    let spec = &crd["spec"];
    let scope = match spec["scope"].as_str() {
        Some("Cluster") => Scope::Cluster,
        _ => Scope::Namespaced,
    };
    let source = |version: &Value| Source {
        group: text(&spec["group"]),
        is_first_label: false,
        version: text(&version["name"]),
        kind: text(&spec["names"]["kind"]),
        scope: Some(scope),
        status: version["subresources"]["status"].is_object(),
        scale: Scale::of_version(version),
        schema: version["schema"]["openAPIV3Schema"].clone(),
    };
    served(spec).map(source).collect()
}

/// A JSON schema, whose kind is in the name of its file: in the layout of CRD catalogues or in that of kubeconform.
fn json_schema(path: &str, document: &Value) -> Option<Source> {
    catalogued(path, document).or_else(|| plain::find(path, document))
}

/// A JSON schema in a file `GROUP/KIND_VERSION.json`, where `core` is the group without a name.
fn catalogued(path: &str, document: &Value) -> Option<Source> {
    let mut parts = path.rsplit('/');
    let (kind, version) = parts.next()?.strip_suffix(".json")?.rsplit_once('_')?;
    let group = parts.next().filter(|group| *group != "core").unwrap_or_default();
    let schema = document.clone();
    let (group, version, kind) = (group.into(), version.into(), kind.into());
    Some(Source { group, is_first_label: false, version, kind, scope: None, status: false, scale: None, schema })
}

#[cfg(test)]
mod tests;
