//! The engine that runs modules: loading, the module of each kind, and modules that fail.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use std::{env, fs, thread};

use contract::compose::ComposeRequest;
use host::engine::{Engine, Settings};
use serde_json::{Value, json};
use tests::artifacts::{guest, parents};
use tests::function::{eventually, puppet};
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
        let engine =
            Engine::load(&Settings { memory: 64 << 20, deadline, reuse, ..Settings::default() }, true, &[guest()])
                .unwrap();
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

/// What one module uses is not taken from others.
#[test]
fn modules_have_parts_of_their_own() {
    let deadline = Duration::from_secs(4);
    let settings = Settings { deadline, calls: 1, memory_of_all: 40 << 20, ..Settings::default() };
    let engine = Engine::load(&settings, true, &[guest(), parents()]).unwrap();
    let parent =
        json!({"apiVersion": "cascade.example.org/v1", "kind": "Parent", "metadata": {"name": "a"}, "spec": {}});
    assert_eq!(
        composed(&engine, &puppet(&json!("gorge"))),
        Err("the calls of the module need more than 40 MiB of memory together".to_owned())
    );
    thread::scope(|scope| {
        let spinning: Vec<_> = (0..20).map(|_| scope.spawn(|| composed(&engine, &puppet(&json!("spin"))))).collect();
        let refused = "no instance of the module could be made: too many calls at once".to_owned();
        // No call of this thread before: it would leave an idle instance, and a place that no spinning call takes.
        eventually("a call is refused, because others have all places", || spinning.iter().any(|it| it.is_finished()));
        assert_eq!(composed(&engine, &puppet(&json!("greet"))), Err(refused.clone()));
        assert!(composed(&engine, &parent).is_ok(), "{:?}", composed(&engine, &parent));
        let spun: BTreeSet<_> = spinning.into_iter().map(|it| it.join().unwrap().unwrap_err()).collect();
        assert_eq!(spun, BTreeSet::from([refused, "the module did not answer within 4 s".to_owned()]));
    });
    assert_eq!(composed(&engine, &puppet(&json!("greet"))), Ok(vec!["greeting".to_owned()]));
}

/// A component with a core module that has so many empty functions.
fn with_functions(count: u32) -> Vec<u8> {
    let number = |mut value: u32| {
        let mut bytes = Vec::new();
        while value > 0x7f {
            bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    let section =
        |id: u8, content: Vec<u8>| [vec![id], number(u32::try_from(content.len()).unwrap()), content].concat();
    let functions = [number(count), vec![0; count as usize]].concat(); // all of type 0
    let code = [number(count), b"\x02\0\x0b".repeat(count as usize)].concat(); // (func)
    let types = section(1, b"\x01\x60\0\0".to_vec());
    let module = [b"\0asm\x01\0\0\0".to_vec(), types, section(3, functions), section(10, code)].concat();
    [b"\0asm\x0d\0\x01\0".to_vec(), section(1, module)].concat()
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
        (&with_functions(100_001), "it is too large to be compiled"),
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
