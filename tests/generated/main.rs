//! What is generated: `package/`, from the Rust types and the catalog, and the reference in `docs/`, from the tables of rules.
//!
//! `make generate` writes it. Without `BLESS` in the environment, these tests fail when something is stale.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod admission;
mod configuration;
mod files;
mod function;
mod install;
mod names;
mod reference;
mod schema;
mod yaml;

use std::collections::BTreeSet;

use files::File;
use inference::KINDS;

/// All of it.
fn generated() -> Vec<File> {
    let mut files = configuration::files(KINDS.rows);
    files.extend(function::files());
    files.extend(install::files(KINDS.rows));
    files.extend(admission::files(KINDS.rows));
    files.push(reference::file());
    files
}

#[test]
fn is_current() {
    files::check("package", &generated());
}

/// Crossplane names a Function that it installs for a Configuration by the repository of the dependency; the
/// Compositions in that Configuration have to call it by that name.
#[test]
fn compositions_name_the_function_as_crossplane_does() {
    let metadata = configuration::metadata();
    let dependencies = metadata["spec"]["dependsOn"].as_array().expect("a list");
    let function = dependencies.iter().find(|d| d["kind"] == "Function").expect("a Function");
    let installed = names::of_dependency(function["package"].as_str().expect("a package"));

    assert!(!KINDS.rows.is_empty());
    for kind in KINDS.rows {
        let composition = configuration::composition(kind);
        let steps = composition["spec"]["pipeline"].as_array().expect("a pipeline");
        let called: Vec<_> = steps.iter().map(|step| &step["functionRef"]["name"]).collect();
        assert_eq!(called, [&installed], "{}", composition["metadata"]["name"]);
    }
}

/// The webhooks may read what the catalog says that verdicts look up, and nothing else.
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
