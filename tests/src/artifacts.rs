//! What the tests run: the binary, a module that misbehaves on command, and modules whose kinds compose one another.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::{env, fs};

/// The `sailplane` binary: `$SAILPLANE` when set, else the one that cargo builds with the tests.
pub fn sailplane() -> PathBuf {
    env::var_os("SAILPLANE").map_or_else(|| profile_dir().join("sailplane-under-test"), PathBuf::from)
}

/// The component of `tests/guest`, which acts out what its composites say. Cargo builds it when it is first
/// asked for.
pub fn guest() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| component("guest", "guest", &[]));
    &COMPONENT
}

/// The component of `tests/cascade`: two kinds that compose one another.
pub fn parents_and_children() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| component("cascade", "cascade", &[]));
    &COMPONENT
}

/// The same with one of its kinds.
pub fn parents() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> =
        LazyLock::new(|| component("cascade", "parents", &["--no-default-features", "--features=parent"]));
    &COMPONENT
}

/// The same with the other.
pub fn children() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> =
        LazyLock::new(|| component("cascade", "children", &["--no-default-features", "--features=child"]));
    &COMPONENT
}

/// Has cargo build a crate as a component, in the file `name`.
fn component(package: &str, name: &str, flags: &[&str]) -> PathBuf {
    // Variants of a crate have one file at cargo.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // Where the host's build script has the component built, with the same profile: the macros of both are the same.
    let target = profile_dir().parent().expect("it is in the target directory").join("component");
    build(package, flags, &target);
    let module = target.join(format!("wasm32-unknown-unknown/component/{package}.wasm"));
    let module = fs::read(module).expect("cargo has built it");
    let encode = || wit_component::ComponentEncoder::default().validate(true).module(&module)?.encode();
    let component = encode().expect("it is a module of the world");
    // Other test binaries may be reading the file.
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
    // Flags that are meant for the host do not fit wasm.
    cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTFLAGS");
    let status = cargo.status().expect("cargo can be run");
    assert!(status.success(), "{cargo:?} failed");
}

/// The directory that cargo puts this profile's binaries into.
fn profile_dir() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    test.ancestors().nth(2).expect("it lies in PROFILE/deps").to_owned()
}
