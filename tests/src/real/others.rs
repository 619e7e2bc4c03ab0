//! CustomResourceDefinitions of kinds that others define, and that our kinds become.
//!
//! Most are in the modules that `tests/e2e/tools` pins. Of projects without a Go module there are only the schemas, in the folder
//! that `SAILPLANE_CRDS` names, or in `../shared/crds`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use contract::catalog::{ApiResource, Scope};
use serde_json::{Value, json};

use super::access::named;
use super::tools::Tools;
use crate::files;

/// The groups whose definitions are in modules, each with the folder of its module among the sources of the tools.
const MODULES: &[(&str, &str)] = &[
    ("gateway.networking.k8s.io", "gateway-api"),
    ("inference.networking.k8s.io", "inference-extension"),
    ("inference.networking.x-k8s.io", "inference-extension"),
    ("model.otterscale.io", "otterscale"),
    ("monitoring.coreos.com", "prometheus-operator"),
    ("networking.istio.io", "istio"),
];

/// The definitions of these kinds.
///
/// # Errors
/// When the module of a kind is not there, or does not have it, and when there is no schema of another kind.
pub fn definitions(kinds: &[ApiResource]) -> Result<Vec<Value>> {
    let definition = |kind: &ApiResource| match MODULES.iter().find(|(group, _)| *group == kind.group()) {
        Some((_, folder)) => of_module(&Tools::find()?.sources.join(folder), kind),
        None => of_schema(kind),
    };
    kinds.iter().map(definition).collect()
}

/// Whether there are definitions of all these kinds: of some there are, without the folder with schemas.
pub fn are_there(kinds: &[ApiResource]) -> bool {
    let has_module = |kind: &ApiResource| MODULES.iter().any(|(group, _)| *group == kind.group());
    files::schemas().is_dir() || kinds.iter().all(has_module)
}

/// The definition of a kind, as its project publishes it.
fn of_module(folder: &Path, kind: &ApiResource) -> Result<Value> {
    let name = named(kind);
    let files =
        fs::read_dir(folder).with_context(|| format!("no {}: run make -C tests/e2e/tools", folder.display()))?;
    for file in files {
        let text = fs::read_to_string(file?.path())?;
        // Files of many definitions are large.
        for document in text.split("\n---\n").filter(|it| it.contains(&name)) {
            let found = yaml::values(document).into_iter().flatten().find(|it| it["metadata"]["name"] == *name);
            if let Some(definition) = found {
                return Ok(definition);
            }
        }
    }
    anyhow::bail!("no {name} in {}", folder.display())
}

/// The definition of a kind of which there is only the schema.
fn of_schema(kind: &ApiResource) -> Result<Value> {
    let (group, version) = kind.api_version.split_once('/').context("a group")?;
    let file = files::schemas().join(group).join(format!("{}_{version}.json", kind.kind.to_lowercase()));
    let schema = fs::read_to_string(&file).with_context(|| format!("no {}", file.display()))?;
    let version = json!({
        "name": version,
        "served": true,
        "storage": true,
        "schema": {"openAPIV3Schema": serde_json::from_str::<Value>(&schema)?},
        "subresources": {"status": {}},
    });
    Ok(json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": named(kind)},
        "spec": {
            "group": group,
            "scope": if kind.scope == Scope::Cluster { "Cluster" } else { "Namespaced" },
            "names": {"kind": kind.kind, "plural": kind.plural, "singular": kind.kind.to_lowercase()},
            "versions": [version],
        },
    }))
}
