//! The artifacts for tests: the binary, a module that misbehaves on request, and modules whose kinds compose one
//! another.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

/// The `sailplane` binary: `$SAILPLANE`, or the binary that cargo builds with the tests.
pub fn sailplane() -> PathBuf {
    env::var_os("SAILPLANE").map_or_else(|| profile_dir().join("sailplane-under-test"), PathBuf::from)
}

/// The component of `tests/guest`, which does what its composites say. Cargo builds it at the first use.
pub fn guest() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| component("guest", &[], "guest"));
    &COMPONENT
}

/// A component of `tests/cascade`: two kinds that compose one another.
pub fn parents_and_children() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| cascade("parents_and_children"));
    &COMPONENT
}

/// The component of `tests/cascade` with one of the kinds.
pub fn parents() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| cascade("parents"));
    &COMPONENT
}

/// The component of `tests/cascade` with the other kind.
pub fn children() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| cascade("children"));
    &COMPONENT
}

fn cascade(example: &str) -> PathBuf {
    component("cascade", &["--example", example], &format!("examples/{example}"))
}

/// Builds a module with cargo, and makes a component of it. `output` is the name of cargo's file.
fn component(package: &str, flags: &[&str], output: &str) -> PathBuf {
    // The directory where the host's build script builds the component. With the same profile, both share the macros.
    let target = profile_dir().parent().expect("it is in the target directory").join("component");
    build(package, flags, &target);
    let module = target.join(format!("wasm32-unknown-unknown/component/{output}.wasm"));
    let module = fs::read(module).expect("cargo has built it");
    let encode = || wit_component::ComponentEncoder::default().validate(true).module(&module)?.encode();
    let component = encode().expect("it is a module of the world");
    // Other test binaries may read the file now.
    let name = output.rsplit('/').next().unwrap_or(output);
    let written = target.join(format!("{name}-{}.wasm", std::process::id()));
    let file = target.join(format!("{name}.wasm"));
    fs::write(&written, component).and_then(|()| fs::rename(&written, &file)).expect("target/ can be written to");
    file
}

fn build(package: &str, flags: &[&str], target: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    cargo.args(["build", "--quiet", "--locked", "--profile=component", "--target=wasm32-unknown-unknown"]);
    cargo.arg("--package").arg(package).arg("--target-dir").arg(target).args(flags);
    // Flags for the host do not work for wasm.
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTFLAGS");
    let status = cargo.status().expect("cargo can be run");
    assert!(status.success(), "{cargo:?} failed");
}

/// The directory with this profile's binaries.
fn profile_dir() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    test.ancestors().nth(2).expect("it lies in PROFILE/deps").to_owned()
}
