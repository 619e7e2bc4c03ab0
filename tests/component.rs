//! The component, as it is in the binary: it imports nothing, it is small, and `--version` has its hash.

use sha2::{Digest as _, Sha256};
use tests::command::run;
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine};

/// The largest size of the component, in bytes.
const MOST: usize = 5_000_000;

#[test]
fn it_imports_nothing() {
    let engine = Engine::new(&Config::new()).expect("engine");
    let component = Component::new(&engine, host::engine::DEFAULT_COMPONENT).expect("a component");
    let imports: Vec<_> = component.component_type().imports(&engine).map(|(name, _)| name.to_owned()).collect();
    assert_eq!(imports, Vec::<String>::new());
    Linker::<()>::new(&engine).instantiate_pre(&component).expect("it links on an empty linker");
}

#[test]
fn it_exports_the_world() {
    let engine = Engine::new(&Config::new()).expect("engine");
    let component = Component::new(&engine, host::engine::DEFAULT_COMPONENT).expect("a component");
    let exports: Vec<_> = component.component_type().exports(&engine).map(|(name, _)| name.to_owned()).collect();
    let interface = |name: &str| format!("sailplane:composition/{name}@0.1.0");
    let mut expected =
        ["types", "catalog", "compose", "admit", "preview", "plan", "expressions"].map(interface).to_vec();
    expected.sort();
    let mut found = exports;
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn it_is_small() {
    let size = host::engine::DEFAULT_COMPONENT.len();
    assert!(size <= MOST, "the component has {size} bytes, more than {MOST}");
}

/// `--version` prints the component's hash, and the commit when it is known.
#[test]
fn the_version_names_it() {
    let version = concat!("sailplane ", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["-V"]).out, format!("{version}\n"));

    let long = run(&["--version"]).out;
    let mut lines = long.lines();
    assert_eq!(lines.next(), Some(version), "{long}");
    let digest = Sha256::digest(host::engine::DEFAULT_COMPONENT);
    let hash: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(lines.next_back(), Some(format!("component: sha256:{hash}").as_str()), "{long}");
    let commit = lines.next().map(|line| line.strip_prefix("commit:    ").expect("nothing else is said"));
    assert!(commit.is_none_or(|it| it.len() == 12 && it.bytes().all(|byte| byte.is_ascii_hexdigit())), "{long}");
    assert_eq!(lines.next(), None, "{long}");
}
