//! No large crate is compiled twice, neither for `make run` nor for the tests after it, and there is one version of
//! each. The test reads cargo's build plan.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use tests::files::workspace;

/// The builds of `make run` and `make test`.
const RUN: &[&str] = &["build", "--bin", "sailplane"];
const TEST: &[&str] = &["test", "--no-run", "--workspace"];

/// The crates that take the longest time to compile.
const HEAVY: &[&str] =
    &["cranelift-codegen", "k8s-openapi", "regalloc2", "regex-automata", "wasmtime", "wasmtime-environ"];

/// A unit of cargo, i.e. one compilation, with all its settings.
type Unit = String;

#[test]
fn no_crate_is_compiled_twice() {
    for selection in [RUN, TEST] {
        let mut seen = BTreeSet::new();
        for unit in units(selection).iter().filter(|it| is_library(it)) {
            let package = unit["pkg_id"].as_str().expect("a name");
            assert!(
                seen.insert(package),
                "cargo {} compiles {package} with several features or profiles",
                selection.join(" ")
            );
        }
    }
}

#[test]
fn what_is_heavy_has_one_version() {
    for selection in [RUN, TEST] {
        let units = units(selection);
        for name in HEAVY {
            let one = units.iter().filter(|unit| is_library(unit) && package(unit) == *name).count();
            assert_eq!(one, 1, "cargo {}: {name}", selection.join(" "));
        }
    }
}

#[test]
fn tests_use_what_a_run_has_compiled() {
    let tests: BTreeSet<Unit> = units(TEST).iter().map(compilation).collect();
    let run = units(RUN);
    let run = run.iter().filter(|it| it["target"]["name"] != "sailplane"); // the tests build their own binary
    let lost: Vec<_> = run.map(compilation).filter(|unit| !tests.contains(unit)).collect();
    assert!(lost.is_empty(), "compiled again for the tests: {lost:#?}");
}

/// The units that cargo would compile and run for a command.
fn units(command: &[&str]) -> Vec<Value> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace()).args(command).args(["--locked", "--offline", "--unit-graph", "-Zunstable-options"]);
    // The unit graph is not stable yet, so it needs this variable.
    let output = cargo.env("RUSTC_BOOTSTRAP", "1").output().expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut graph: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    serde_json::from_value(graph["units"].take()).expect("a list")
}

/// Whether a unit is a library, not a test, a binary or a build script.
fn is_library(unit: &Value) -> bool {
    let kinds = unit["target"]["kind"].as_array().into_iter().flatten();
    unit["mode"] == "build" && kinds.into_iter().any(|kind| kind == "lib" || kind == "rlib" || kind == "proc-macro")
}

/// The name of a unit's package. Cargo writes `registry+…#NAME@VERSION`.
fn package(unit: &Value) -> &str {
    let name = unit["pkg_id"].as_str().and_then(|id| id.split('#').nth(1)).expect("a name");
    name.split('@').next().unwrap_or(name)
}

/// A unit without its place in the graph and without the name of its profile, which differs in tests.
fn compilation(unit: &Value) -> Unit {
    let mut unit = unit.clone();
    unit["profile"]["name"] = Value::Null;
    ["pkg_id", "target", "profile", "platform", "mode", "features"].map(|key| unit[key].to_string()).join(" ")
}
