//! Dependencies between the crates of the workspace, compared with those in cargo and in ARCHITECTURE.md.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cargo_metadata::camino::Utf8Path;
use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use native::files::{bless, workspace};

/// A crate of the workspace, or of a separate workspace below `tests`.
struct Layer {
    name: &'static str,
    /// Its description in ARCHITECTURE.md.
    is: &'static str,
    uses: MayUse,
}

/// The crates of the workspace that a crate uses. Crates that only its tests use do not count.
enum MayUse {
    Only(&'static [&'static str]),
    /// For crates that only tests use.
    Anything,
}

/// The crates and their dependencies, from the lowest layer up. A new dependency is a decision (ARCHITECTURE.md explains
/// them).
const LAYERS: &[Layer] = &[
    Layer {
        name: "quantity",
        is: "the small texts of Kubernetes: quantities, semantic versions, Go durations, times as RFC 3339 writes them; names that were meant; and lists in an order",
        uses: MayUse::Only(&[]),
    },
    Layer {
        name: "yaml",
        is: "YAML as the Kubernetes toolchain reads and prints it, with positions; one statement of scalars, merge keys and limits",
        uses: MayUse::Only(&[]),
    },
    Layer {
        name: "cel",
        is: "Kubernetes-flavoured CEL: values and libraries, checking, evaluation, environments ([docs/cel.md](docs/cel.md))",
        uses: MayUse::Only(&["quantity"]),
    },
    Layer {
        name: "schema",
        is: "structural schemas as the API server treats them: defaults, pruning, validation, rules in CEL",
        uses: MayUse::Only(&["cel", "quantity"]),
    },
    Layer {
        name: "contract",
        is: "the Rust mirror of `wit/`, a file per interface: types, no logic",
        uses: MayUse::Only(&[]),
    },
    Layer {
        name: "schedule",
        is: "places replicas of a model on a fleet of GPU clusters; no JSON, no Kubernetes, no CEL",
        uses: MayUse::Only(&["quantity"]),
    },
    Layer {
        name: "toolbox",
        is: "what kinds are made with: rule tables, builders that decide nothing, conditions, observed state, validation by definitions, names, paths, the types of a kind's row",
        uses: MayUse::Only(&["contract", "quantity", "schema"]),
    },
    Layer {
        name: "budget",
        is: "shares the memory of pools among models: reads models as others see them, and decides who has it",
        uses: MayUse::Only(&["contract", "quantity", "toolbox"]),
    },
    Layer {
        name: "inference",
        is: "the kinds, and the one table of them",
        uses: MayUse::Only(&["budget", "cel", "contract", "quantity", "schedule", "toolbox"]),
    },
    Layer {
        name: "preview",
        is: "what an API server and Crossplane do around `compose`; knows no kind, is given the table",
        uses: MayUse::Only(&["contract", "quantity", "schema", "toolbox", "yaml"]),
    },
    Layer {
        name: "module",
        is: "the interfaces of the contract, natively callable: dispatch over the table of kinds",
        uses: MayUse::Only(&["cel", "contract", "inference", "preview", "toolbox"]),
    },
    Layer { name: "component", is: "lift and lower; decides nothing", uses: MayUse::Only(&["contract", "module"]) },
    Layer {
        name: "protobuf-json",
        is: "JSON objects in protobuf messages, which stay the bytes that came",
        uses: MayUse::Only(&[]),
    },
    // It can run any component of this world.
    Layer {
        name: "host",
        is: "binary `sailplane`: the engine, and a folder per adapter; bytes, WIT and formats only",
        uses: MayUse::Only(&["protobuf-json", "quantity", "yaml"]),
    },
    Layer { name: "tests", is: "parity, sockets, documents, real clients", uses: MayUse::Anything },
    Layer {
        name: "native",
        is: "suites that need no host, and so no wasmtime: golden cases, definitions, layers",
        uses: MayUse::Anything,
    },
    Layer { name: "fuzz", is: "bytes for every door, from a fuzzer", uses: MayUse::Anything },
    Layer {
        name: "cascade",
        is: "a component of the tests' own, whose kinds compose one another",
        uses: MayUse::Anything,
    },
    Layer { name: "guest", is: "a component of the tests' own, which does what ours does not", uses: MayUse::Anything },
    Layer {
        name: "canned",
        is: "a server that answers every call with one recorded response, for `make bench`; a workspace of its own",
        uses: MayUse::Only(&[]),
    },
    Layer {
        name: "peers",
        is: "CEL interpreters from elsewhere beside ours, over the same vectors; a workspace of its own",
        uses: MayUse::Only(&["cel", "quantity"]),
    },
    Layer {
        name: "shapes",
        is: "takes the shapes of Kubernetes in our API out of `k8s-openapi`; a workspace of its own",
        uses: MayUse::Only(&[]),
    },
];

#[test]
fn crates_use_what_they_may_and_no_more() {
    let packages = packages();
    let names: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let rows: BTreeSet<&str> = LAYERS.iter().map(|layer| layer.name).collect();
    assert_eq!(names, rows, "the crates, and the rows of LAYERS");
    for layer in LAYERS {
        let MayUse::Only(stated) = layer.uses else { continue };
        assert_eq!(used(&packages, layer.name), stated.iter().copied().collect(), "what crate `{}` uses", layer.name);
    }
}

/// With `BLESS=1` in the environment the table is written.
#[test]
fn architecture_has_the_crates_and_their_edges() {
    const HEAD: &str = "| crate | what it is | may use |\n|---|---|---|\n";
    let path = workspace().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&path).expect("ARCHITECTURE.md");
    let (before, after) = text.split_once(HEAD).expect("a table of crates");
    let old: usize = after.split_inclusive('\n').take_while(|line| line.starts_with('|')).map(str::len).sum();
    let packages = packages();
    let table: String = LAYERS.iter().map(|layer| row(layer, &packages)).collect();
    let current = format!("{before}{HEAD}{table}{}", &after[old..]);
    bless(&path, &current).unwrap_or_else(|difference| panic!("{difference}"));
}

/// The source folders of crates, and of test suites with several files, relative to the root of the workspace.
pub(crate) fn folders() -> BTreeSet<String> {
    let packages = packages();
    let roots = packages.iter().flat_map(|package| &package.targets).map(|target| &target.src_path);
    let folders = roots.filter_map(|root| root.parent().filter(|it| it.ends_with("src") || root.ends_with("main.rs")));
    folders.map(relative).collect()
}

/// The packages of the workspace, and those of the separate workspaces below `tests`.
pub(crate) fn packages() -> Vec<Package> {
    let mut packages = packages_of(&workspace());
    for entry in fs::read_dir(workspace().join("tests")).expect("a folder") {
        let folder = entry.expect("an entry").path();
        let manifest = folder.join("Cargo.toml");
        if manifest.exists() && packages.iter().all(|package| package.manifest_path != manifest) {
            packages.extend(packages_of(&folder));
        }
    }
    packages
}

fn packages_of(workspace: &Path) -> Vec<Package> {
    let manifest = workspace.join("Cargo.toml");
    MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata").packages
}

fn row(layer: &Layer, packages: &[Package]) -> String {
    let folder = package(packages, layer.name).manifest_path.parent().map(relative);
    let uses = match layer.uses {
        MayUse::Anything => "anything".to_owned(),
        MayUse::Only([]) => "nothing".to_owned(),
        MayUse::Only(names) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    format!("| `{}` | {} | {uses} |\n", folder.unwrap_or_default(), layer.is)
}

/// The crates of the workspace that a crate needs to be built.
fn used<'p>(packages: &'p [Package], name: &str) -> BTreeSet<&'p str> {
    let dependencies = package(packages, name).dependencies.iter();
    let needed = dependencies.filter(|it| it.kind != DependencyKind::Development && it.path.is_some());
    needed.map(|it| package(packages, &it.name).name.as_str()).collect()
}

fn package<'p>(packages: &'p [Package], name: &str) -> &'p Package {
    packages.iter().find(|package| package.name.as_str() == name).expect("a package of ours")
}

/// A path relative to the root of the workspace.
fn relative(path: &Utf8Path) -> String {
    path.strip_prefix(workspace()).unwrap_or(path).to_string()
}
