//! Generated files: `package/`, from types and rows, and the reference pages in `docs/`, from tables.
//!
//! `make generate` writes them. Without `BLESS` in the environment, these tests fail when a file is stale.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod admission;
mod files;
mod function;
mod install;
mod llm_inference;
mod names;
mod packages;
mod reference;
mod rows;
mod schema;
mod table;

use std::collections::BTreeSet;

use files::File;
use inference::KINDS;

/// All generated files.
fn generated() -> Vec<File> {
    let mut files = packages::files(KINDS.rows);
    files.extend(function::files());
    files.extend(install::files(KINDS.rows));
    files.extend(admission::files(KINDS.rows));
    files.extend(reference::files(KINDS.rows));
    files
}

#[test]
fn is_current() {
    files::check("package", &generated());
}

/// Crossplane derives the name of a Function that it installs for a Configuration from the repository of the dependency.
/// The Compositions in that Configuration must call the Function by this name.
#[test]
fn compositions_name_the_function_as_crossplane_does() {
    for (package, served) in packages::packages(KINDS.rows) {
        let metadata = packages::metadata(package);
        let dependencies = metadata["spec"]["dependsOn"].as_array().expect("a list");
        let function = dependencies.iter().find(|d| d["kind"] == "Function").expect("a Function");
        let installed = names::of_dependency(function["package"].as_str().expect("a package"));
        assert!(!served.is_empty());
        for composition in served.iter().flat_map(|(kind, api_version)| packages::compositions(kind, api_version)) {
            for step in composition["spec"]["pipeline"].as_array().expect("a pipeline") {
                assert_eq!(step["functionRef"]["name"], installed, "{}", composition["metadata"]["name"]);
            }
        }
    }
}

/// A definition takes over a CRD of its name that has no owner, so the package for all APIs contains no definition.
#[test]
fn the_package_of_all_holds_dependencies_alone() {
    let folder = format!("package/{}/", names::package(names::CONFIGURATION));
    let held: Vec<_> = packages::files(KINDS.rows).into_iter().filter(|file| file.path.starts_with(&folder)).collect();
    let names: Vec<_> = held.iter().map(|file| &file.path[folder.len()..]).collect();
    assert_eq!(names, ["crossplane.yaml"]);
}

/// The webhooks may read the kinds that `admit` looks up according to the catalog, and nothing else.
#[test]
fn rights_are_those_of_the_catalog() {
    let reads = module::catalog().kinds.into_iter().flat_map(|entry| entry.admission.reads);
    let reads: BTreeSet<_> = reads
        .map(|read| (read.api_version.split('/').next().unwrap_or_default().to_owned(), read.plural.to_owned()))
        .collect();
    let mut granted = BTreeSet::new();
    for rule in admission::reader_rules(KINDS.rows) {
        let texts = |key: &str| -> Vec<String> {
            rule[key].as_array().expect("a list").iter().map(|it| it.as_str().expect("text").to_owned()).collect()
        };
        assert_eq!(texts("verbs"), ["get", "list", "watch"]);
        for group in texts("apiGroups") {
            granted.extend(texts("resources").into_iter().map(|plural| (group.clone(), plural)));
        }
    }
    assert_eq!(granted, reads);
    assert!(!granted.is_empty());
}
