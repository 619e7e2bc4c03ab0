//! Who may use whom inside the workspace, held against what cargo knows.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// The allowed edges. An edge missing here is a decision (ARCHITECTURE.md says why).
const MAY_USE: &[(&str, &[&str])] = &[
    ("quantity", &[]),
    ("yaml", &[]),
    ("cel", &["quantity"]),
    ("schema", &["cel"]),
    ("contract", &[]),
    ("toolbox", &["contract", "schema"]),
    ("inference", &["cel", "contract", "quantity", "toolbox"]),
    ("preview", &["contract", "schema", "toolbox", "yaml"]),
    ("module", &["cel", "contract", "inference", "preview", "toolbox"]),
    ("component", &["contract", "module"]),
    ("host", &["yaml"]), // bytes, WIT and formats only: it can run any component of this world
];

/// Crates that only tests see, and that may therefore use anything.
const TESTS: &[&str] = &["tests", "fuzz", "guest"];

#[test]
fn crates_use_only_what_they_may() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata");
    let members: BTreeSet<String> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let allowed: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        if TESTS.contains(&name) {
            continue;
        }
        let may = allowed.get(name).unwrap_or_else(|| panic!("crate `{name}` has no row in MAY_USE"));
        for dependency in package.dependencies.iter().filter(|dependency| members.contains(&dependency.name)) {
            assert!(
                may.contains(&dependency.name.as_str()) || dependency.kind == DependencyKind::Development,
                "crate `{name}` must not use `{}`",
                dependency.name
            );
        }
    }
}
