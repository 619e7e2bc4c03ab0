//! The component itself, read from the artifact: it imports nothing, and it stays small.

use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine};

/// The budget for the component, in bytes.
const MOST: usize = 3 << 20;

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
    let mut expected = ["types", "catalog", "compose", "admit", "preview", "expressions"].map(interface).to_vec();
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
