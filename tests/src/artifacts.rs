//! What the tests run: the binary, and a module that misbehaves on command.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

/// The `sailplane` binary: `$SAILPLANE` when set, else the one that cargo builds with the tests.
pub fn sailplane() -> PathBuf {
    env::var_os("SAILPLANE").map_or_else(|| profile_dir().join("sailplane-under-test"), PathBuf::from)
}

/// The component of `tests/guest`, which acts out what its composites say. Cargo builds it when it is first
/// asked for.
pub fn guest() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| {
        // Where the host's build script has the component built, with the same profile: the macros of both are the same.
        let target = profile_dir().parent().expect("it is in the target directory").join("component");
        build_guest(&target);
        let module = fs::read(target.join("wasm32-unknown-unknown/component/guest.wasm")).expect("cargo has built it");
        let encode = || wit_component::ComponentEncoder::default().validate(true).module(&module)?.encode();
        let component = encode().expect("it is a module of the world");
        // Other test binaries may be reading the file.
        let (file, written) = (target.join("guest.wasm"), target.join(format!("guest-{}.wasm", std::process::id())));
        fs::write(&written, component).and_then(|()| fs::rename(&written, &file)).expect("target/ can be written to");
        file
    });
    &COMPONENT
}

fn build_guest(target: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    cargo.args(["build", "--quiet", "--locked", "--package=guest", "--profile=component"]);
    cargo.arg("--target=wasm32-unknown-unknown").arg("--target-dir").arg(target);
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
