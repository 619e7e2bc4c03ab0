//! Nothing is compiled twice: for `make run`, for the tests after it, or by having two versions of what is large. It is
//! read from what cargo says it would do.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use tests::files::workspace;

/// What `make run` and `make test` have cargo build.
const RUN: &[&str] = &["build", "--bin", "sailplane"];
const TEST: &[&str] = &["test", "--no-run", "--workspace"];

/// What takes longest to compile.
const HEAVY: &[&str] =
    &["cranelift-codegen", "k8s-openapi", "regalloc2", "regex-automata", "wasmtime", "wasmtime-environ"];

/// One compilation of what cargo calls a unit, all that is known of it.
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
    let run = run.iter().filter(|it| it["target"]["name"] != "sailplane"); // the tests have a binary of their own
    let lost: Vec<_> = run.map(compilation).filter(|unit| !tests.contains(unit)).collect();
    assert!(lost.is_empty(), "compiled again for the tests: {lost:#?}");
}

/// What cargo would compile and run for a command.
fn units(command: &[&str]) -> Vec<Value> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace()).args(command).args(["--locked", "--offline", "--unit-graph", "-Zunstable-options"]);
    // The graph is for the curious yet, not for everybody: cargo tells it to its own developers.
    let output = cargo.env("RUSTC_BOOTSTRAP", "1").output().expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut graph: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    serde_json::from_value(graph["units"].take()).expect("a list")
}

/// Whether a unit is a crate that others are compiled with: no test, binary or build script.
fn is_library(unit: &Value) -> bool {
    let kinds = unit["target"]["kind"].as_array().into_iter().flatten();
    unit["mode"] == "build" && kinds.into_iter().any(|kind| kind == "lib" || kind == "rlib" || kind == "proc-macro")
}

/// The name of its package: cargo writes `registry+…#NAME@VERSION`.
fn package(unit: &Value) -> &str {
    let name = unit["pkg_id"].as_str().and_then(|id| id.split('#').nth(1)).expect("a name");
    name.split('@').next().unwrap_or(name)
}

/// A unit without its place in the graph, and without its profile's name, which is another for tests.
fn compilation(unit: &Value) -> Unit {
    let mut unit = unit.clone();
    unit["profile"]["name"] = Value::Null;
    ["pkg_id", "target", "profile", "platform", "mode", "features"].map(|key| unit[key].to_string()).join(" ")
}
