//! The Configuration packages: one for each API with its definitions, Compositions and activation policy, and `sailplane`,
//! which contains only dependencies on them.

use std::collections::BTreeMap;

use contract::catalog::ApiResource;
use serde_json::{Value, json};
use toolbox::definition::{composition, definition_in};
use toolbox::kind::Kind;
use toolbox::published::{Package, is_managed};

use crate::files::File;
use crate::names;

/// A kind in one of its API versions.
type Served<'k> = (&'k Kind, &'static str);

/// The files of all packages.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let mut files = vec![file(names::package(names::CONFIGURATION), "crossplane", "", &metadata_of_all(kinds))];
    for (package, served) in packages(kinds) {
        files.push(file(package.name, "crossplane", "", &metadata(package)));
        for &(kind, api_version) in &served {
            let definition = definition_in(kind, api_version);
            let name = slug(kind.kind, kind.api_version, api_version);
            files.push(file(package.name, &format!("definition-{name}"), "", &definition));
            for composition in compositions(kind, api_version) {
                let name = composition["metadata"]["name"].as_str().expect("a name");
                files.push(file(package.name, &format!("composition-{name}"), "", &composition));
            }
        }
        if let Some(policy) = activation_policy(package, &served) {
            files.push(file(package.name, "activation-policy", ACTIVATION_COMMENT, &policy));
        }
    }
    files
}

/// Every package of the kinds, sorted by name, with the kinds in it.
pub(crate) fn packages(kinds: &[Kind]) -> Vec<(&'static Package, Vec<Served<'_>>)> {
    let mut packages: BTreeMap<&str, (&Package, Vec<Served<'_>>)> = BTreeMap::new();
    for kind in kinds {
        let own = (kind.published.package, kind.api_version);
        let further = kind.further_groups.iter().map(|further| (further.package, further.api_version));
        for (package, api_version) in std::iter::once(own).chain(further) {
            packages.entry(package.name).or_insert_with(|| (package, Vec::new())).1.push((kind, api_version));
        }
    }
    packages.into_values().collect()
}

/// The metadata (`crossplane.yaml`) of the package of an API.
pub(crate) fn metadata(package: &Package) -> Value {
    let needed = package.dependencies.iter().map(|it| dependency(it.kind, it.package, it.version));
    configuration(
        &names::configuration(package),
        annotations(package.description, package.readme),
        package.crossplane,
        std::iter::once(ours("Function", names::FUNCTION)).chain(needed).collect(),
    )
}

/// The metadata (`crossplane.yaml`) of the package for all APIs.
pub(crate) fn metadata_of_all(kinds: &[Kind]) -> Value {
    let own = packages(kinds).into_iter().map(|(package, _)| package);
    let own: Vec<_> = own.filter(|package| is_for_all(kinds, package)).collect();
    let dependencies = own.iter().map(|package| ours("Configuration", &names::repository(package)));
    let readme = "It holds nothing but dependencies on the Configurations of Sailplane's APIs, each of which can be installed alone.";
    configuration(
        names::package(names::CONFIGURATION),
        annotations("Every API of Sailplane: LLM inference platforms on Kubernetes", readme),
        newest(own.iter().map(|package| package.crossplane)),
        dependencies.collect(),
    )
}

/// Of demands like `>=v2.3.0`, the one for the newest version.
fn newest(demands: impl Iterator<Item = &'static str>) -> &'static str {
    let version = |demand: &&str| -> Vec<u64> {
        let version = demand.strip_prefix(">=v").expect("a least version");
        version.split('.').map(|part| part.parse().expect("a number")).collect()
    };
    demands.max_by_key(version).expect("there are packages")
}

/// Whether the package for all APIs depends on a package. It does not depend on packages that stand apart, nor on those with
/// kinds in further groups only.
pub(crate) fn is_for_all(kinds: &[Kind], package: &Package) -> bool {
    !package.apart && kinds.iter().any(|kind| kind.published.package.name == package.name)
}

fn configuration(name: &str, annotations: Value, crossplane: &str, dependencies: Vec<Value>) -> Value {
    json!({
        "apiVersion": "meta.pkg.crossplane.io/v1",
        "kind": "Configuration",
        "metadata": {"name": name, "annotations": annotations},
        "spec": {"crossplane": {"version": crossplane}, "dependsOn": dependencies},
    })
}

/// The Compositions of a kind in one of its API versions. All steps call the Function by the name that Crossplane gives it.
pub(crate) fn compositions(kind: &Kind, api_version: &str) -> Vec<Value> {
    let function = names::of_dependency(&names::reference(names::FUNCTION));
    kind.published.compositions.iter().map(|one| composition(kind, api_version, one, &function)).collect()
}

const ACTIVATION_COMMENT: &str = "\
The managed resources that are composed. It matters where Crossplane is installed without default activations.";

/// The policy that activates the composed managed resources. `None` when there are none.
pub(crate) fn activation_policy(package: &Package, served: &[Served<'_>]) -> Option<Value> {
    let composed = served.iter().flat_map(|(kind, _)| kind.composes).filter(|resource| is_managed(resource));
    let mut names: Vec<_> =
        composed.map(|resource: &ApiResource| format!("{}.{}", resource.plural, resource.group())).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| {
        json!({
            "apiVersion": "apiextensions.crossplane.io/v1alpha1",
            "kind": "ManagedResourceActivationPolicy",
            "metadata": {"name": package.activation.map_or_else(|| names::configuration(package), str::to_owned)},
            "spec": {"activate": names},
        })
    })
}

/// Annotations that registries show.
pub(crate) fn annotations(description: &str, readme: &str) -> Value {
    json!({
        "meta.crossplane.io/maintainer": "The Sailplane authors",
        "meta.crossplane.io/source": env!("CARGO_PKG_REPOSITORY"),
        "meta.crossplane.io/license": env!("CARGO_PKG_LICENSE"),
        "meta.crossplane.io/description": description,
        "meta.crossplane.io/readme": readme,
    })
}

/// A dependency on one of our packages, in a version that goes with this one.
fn ours(kind: &str, repository: &str) -> Value {
    dependency(kind, &names::reference(repository), &names::compatible())
}

fn dependency(kind: &str, package: &str, version: &str) -> Value {
    json!({"apiVersion": "pkg.crossplane.io/v1", "kind": kind, "package": package, "version": version})
}

fn file(folder: &str, name: &str, comment: &str, object: &Value) -> File {
    File::yaml(format!("package/{folder}/{name}.yaml"), comment, std::slice::from_ref(object))
}

/// What a kind is called in names of files: in words, and with the group where that is a further one.
fn slug(kind: &str, own: &str, api_version: &str) -> String {
    toolbox::kind::composition_name(own, api_version, &words(kind))
}

/// `LLMInference` as `llm-inference`: a word ends before a capital that a small letter follows or precedes.
fn words(kind: &str) -> String {
    let letters: Vec<char> = kind.chars().collect();
    let starts_word = |at: usize| {
        let small = |at: usize| letters.get(at).is_some_and(|letter| !letter.is_ascii_uppercase());
        at > 0 && letters[at].is_ascii_uppercase() && (small(at - 1) || small(at + 1) && at + 1 < letters.len())
    };
    let spelled = (0..letters.len()).map(|at| {
        let letter = letters[at].to_ascii_lowercase();
        if starts_word(at) { format!("-{letter}") } else { letter.to_string() }
    });
    spelled.collect()
}

#[test]
fn kinds_in_words() {
    let rows = ["LLMInference", "ModelDeployment", "GKECluster", "Cluster"].map(words);
    assert_eq!(rows, ["llm-inference", "model-deployment", "gke-cluster", "cluster"]);
}
