//! The Configuration package: its metadata, and a definition and a Composition per kind.

use serde_json::{Value, json};
use toolbox::definition::definition;
use toolbox::kind::Kind;

use crate::files::File;
use crate::{names, yaml};

const FOLDER: &str = "package/configuration";

/// Its files.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let mut files = vec![File::new(format!("{FOLDER}/crossplane.yaml"), yaml::file("", &[metadata()]))];
    for kind in kinds {
        let name = kind.api;
        for (what, object) in [("definition", definition(kind)), ("composition", composition(kind))] {
            files.push(File::new(format!("{FOLDER}/{what}-{name}.yaml"), yaml::file("", &[object])));
        }
    }
    files
}

/// What Crossplane reads first.
pub(crate) fn metadata() -> Value {
    json!({
        "apiVersion": "meta.pkg.crossplane.io/v1",
        "kind": "Configuration",
        "metadata": {
            "name": names::package(names::CONFIGURATION),
            "annotations": annotations(
                "LLM inference on Kubernetes with vLLM and Crossplane",
                "One small resource names a model, a number of GPUs and a cluster; everything else that serves the model \
                 is derived from it.",
            ),
        },
        "spec": {
            "crossplane": {"version": names::CROSSPLANE},
            "dependsOn": [
                dependency("Function", names::FUNCTION, &format!(">={}", names::TAG)),
                dependency("Provider", names::PROVIDER, names::PROVIDER_CONSTRAINT),
            ],
        },
    })
}

/// The Composition of a kind: one step, which leaves the work to the Function.
pub(crate) fn composition(kind: &Kind) -> Value {
    json!({
        "apiVersion": "apiextensions.crossplane.io/v1",
        "kind": "Composition",
        "metadata": {"name": kind.api},
        "spec": {
            "compositeTypeRef": {"apiVersion": kind.api_version, "kind": kind.kind},
            "mode": "Pipeline",
            "pipeline": [{
                "step": "compose-resources",
                "functionRef": {"name": names::of_dependency(&names::reference(names::FUNCTION))},
            }],
        },
    })
}

/// What registries show about a package.
pub(crate) fn annotations(description: &str, readme: &str) -> Value {
    json!({
        "meta.crossplane.io/maintainer": "The Sailplane authors",
        "meta.crossplane.io/source": env!("CARGO_PKG_REPOSITORY"),
        "meta.crossplane.io/license": env!("CARGO_PKG_LICENSE"),
        "meta.crossplane.io/description": description,
        "meta.crossplane.io/readme": readme,
    })
}

fn dependency(kind: &str, repository: &str, version: &str) -> Value {
    json!({
        "apiVersion": "pkg.crossplane.io/v1",
        "kind": kind,
        "package": names::reference(repository),
        "version": version,
    })
}
