//! What is generated: `package/`, from the Rust types, and the reference in `docs/`, from the tables of rules.
//!
//! `make generate` writes it. Without `BLESS` in the environment, these tests fail when something is stale.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod configuration;
mod files;
mod function;
mod install;
mod names;
mod reference;
mod schema;
mod yaml;

use files::File;
use inference::kinds::KINDS;

/// All of it.
fn generated() -> Vec<File> {
    let mut files = configuration::files(KINDS);
    files.extend(function::files());
    files.extend(install::files(KINDS));
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

    assert!(!KINDS.is_empty());
    for kind in KINDS {
        let composition = configuration::composition(kind);
        let steps = composition["spec"]["pipeline"].as_array().expect("a pipeline");
        let called: Vec<_> = steps.iter().map(|step| &step["functionRef"]["name"]).collect();
        assert_eq!(called, [&installed], "{}", composition["metadata"]["name"]);
    }
}
