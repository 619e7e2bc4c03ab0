//! The engine that runs modules: loading, the module of each kind, and modules that fail.

use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use contract::compose::ComposeRequest;
use host::engine::{Engine, Settings};
use serde_json::{Value, json};
use tests::artifacts::guest;
use tests::function::puppet;
use tests::wit;

/// The names of the composed resources, or the reason why there are none.
fn composed(engine: &Engine, composite: &Value) -> Result<Vec<String>, String> {
    let request = ComposeRequest { composite: Some(composite.clone().into()), ..ComposeRequest::default() };
    let request = wit::request(&request);
    match engine.compose(&wit::kind_of(&request), None, &request) {
        Ok(Ok(response)) => Ok(response.resources.into_iter().map(|resource| resource.name).collect()),
        Ok(Err(fault)) => Err(fault.problems.into_iter().map(|problem| problem.message).collect()),
        Err(failure) => Err(failure.to_string()),
    }
}

#[test]
fn kinds_come_from_the_last_module_that_has_them() {
    let llm = json!({
        "apiVersion": "inference.devopstoolkit.ai/v1alpha1",
        "kind": "LLMInference",
        "metadata": {"namespace": "stage", "name": "llm"},
        "spec": {},
    });
    let load = |without_default, files: &[&Path]| Engine::load(&Settings::default(), without_default, files);

    let both = load(false, &[guest()]).unwrap();
    assert_eq!(both.contents().count(), 2);
    assert_eq!(composed(&both, &puppet(&json!("greet"))), Ok(vec!["greeting".to_owned()]));
    assert_eq!(composed(&both, &llm), Ok(vec!["greeting".to_owned()]));

    let guest_alone = load(true, &[guest()]).unwrap();
    assert_eq!(guest_alone.contents().count(), 1);
    assert_eq!(composed(&guest_alone, &puppet(&json!("greet"))), Ok(vec!["greeting".to_owned()]));

    let default_alone = load(false, &[]).unwrap();
    assert!(composed(&default_alone, &puppet(&json!("greet"))).is_err());
}

/// A failed call has no effect on the next one, whether instances serve one call or many.
#[test]
fn modules_that_fail() {
    let deadline = Duration::from_secs(4);
    for reuse in [true, false] {
        let engine = Engine::load(&Settings { memory: 64 << 20, deadline, reuse }, true, &[guest()]).unwrap();
        for (what, expected) in [
            ("trap", "the module stopped: wasm trap: wasm `unreachable` instruction executed"),
            ("spin", "the module did not answer within 4 s"),
            ("gorge", "the module needs more than 64 MiB of memory"),
        ] {
            assert_eq!(composed(&engine, &puppet(&json!(what))), Err(expected.to_owned()), "reuse: {reuse}");
            assert_eq!(composed(&engine, &puppet(&json!("greet"))), Ok(vec!["greeting".to_owned()]), "after {what}");
        }
    }
}

#[test]
fn modules_that_cannot_be_loaded() {
    let dir = env::temp_dir().join(format!("sailplane-modules-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let component = b"\0asm\x0d\0\x01\0".as_slice();
    // (component (import "clock" (func)))
    let needy = [component, b"\x07\x05\x01\x40\0\x01\0", b"\x0a\x0a\x01\0\x05clock\x01\0"].concat();
    for (contents, expected) in [
        (b"".as_slice(), "it is not a WebAssembly component"),
        (b"(component)", "it is not a WebAssembly component"),
        (b"\0asm\x01\0\0\0", "it is not a WebAssembly component"),
        (component, "it does not export world `composition-module`"),
        (&needy, "it needs imports, and a module gets none"),
    ] {
        let file = dir.join("module.wasm");
        fs::write(&file, contents).unwrap();
        let error = Engine::load(&Settings::default(), true, &[&file]).err().expect("it is no module");
        assert_eq!(error.chain().nth(1).unwrap().to_string(), expected, "{error:#}");
        assert!(!format!("{error:#}").contains('\n'), "{error:#}");
    }
    fs::remove_dir_all(&dir).unwrap();
    let missing = Engine::load(&Settings::default(), true, &["missing.wasm"]).err().expect("it does not exist");
    assert!(format!("{missing:#}").starts_with("cannot load module missing.wasm: cannot read it"), "{missing:#}");
    let nothing = Engine::load(&Settings::default(), true, &[] as &[&str]).err().expect("nothing is left");
    assert_eq!(nothing.to_string(), "no module to run: without the default one, give at least one --module");
}
