//! What the tests run: the binary, and a module that misbehaves on command. Cargo builds both when first asked for.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{env, fs};

/// The `sailplane` binary: `$SAILPLANE` when set, else built in the profile of the tests.
pub fn sailplane() -> &'static Path {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
        if let Some(binary) = env::var_os("SAILPLANE") {
            return binary.into();
        }
        let mut build = cargo(&["--workspace", "--bin", "sailplane"]); // the features that the tests were built with
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        run(build);
        profile_dir().join("sailplane")
    });
    &BINARY
}

/// The component of `tests/guest`, which acts out what its composites say.
pub fn guest() -> &'static Path {
    static COMPONENT: LazyLock<PathBuf> = LazyLock::new(|| {
        run(cargo(&["--package", "guest", "--target", "wasm32-unknown-unknown"]));
        let target = profile_dir().parent().expect("it is in the target directory");
        let module = fs::read(target.join("wasm32-unknown-unknown/debug/guest.wasm")).expect("cargo has built it");
        let encoder = wit_component::ComponentEncoder::default().validate(true).module(&module);
        let component = encoder.and_then(|mut encoder| encoder.encode()).expect("it is a module of the world");
        // Other test binaries may be reading the file.
        let (file, written) = (target.join("guest.wasm"), target.join(format!("guest-{}.wasm", std::process::id())));
        fs::write(&written, component).and_then(|()| fs::rename(&written, &file)).expect("target/ can be written to");
        file
    });
    &COMPONENT
}

/// The directory that cargo puts this profile's binaries into.
fn profile_dir() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    test.ancestors().nth(2).expect("it lies in PROFILE/deps").to_owned()
}

fn cargo(what: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).args(["build", "--quiet", "--locked"]).args(what);
    command.arg("--target-dir").arg(profile_dir().parent().expect("it is in the target directory"));
    // Flags that are meant for the host do not fit wasm.
    command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTFLAGS");
    command
}

fn run(mut command: Command) {
    let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(status.success(), "{command:?} failed");
}
