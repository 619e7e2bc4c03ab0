//! One answer everywhere: natively and through the component, on fresh instances and on used ones, in any process.

use std::collections::BTreeSet;
use std::process::Command;
use std::{env, fs};

use component::wit::exports::sailplane::composition::compose as guest;
use component::wit::exports::sailplane::composition::compose::Guest as _;
use host::engine::{Engine, Settings};
use host::wit::compose::Request;
use serde_json::json;

#[test]
fn native_and_component_bytes_are_equal() {
    let engines = [true, false].map(|reuse| {
        Engine::load(&Settings { reuse, ..Settings::default() }, false, &[] as &[&str]).expect("an engine")
    });
    let cases = tests::golden::cases().expect("a readable corpus");
    assert!(!cases.is_empty(), "there is no golden case");
    // Twice, so that the second round runs on instances that have seen every case.
    for round in 0..2 {
        for case in &cases {
            let request = tests::contract::request(&case.request);
            let native = natively(&request);
            for engine in &engines {
                let answer = engine.compose(&tests::contract::kind_of(&request), &request).expect("the module answers");
                assert_eq!(serde_json::to_string(&answer).expect("JSON"), native, "{} in round {round}", case.name);
            }
        }
    }
}

#[test]
fn twenty_processes_agree() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let outputs: BTreeSet<Vec<u8>> = (0..20)
        .map(|_| {
            let arguments = ["render", "--output=json", "--include-function-results", "examples/llm-inference"];
            let run = Command::new(tests::artifacts::sailplane()).current_dir(root).args(arguments).output();
            let run = run.expect("sailplane runs");
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
            run.stdout
        })
        .collect();
    assert_eq!(outputs.len(), 1, "the processes disagree");
}

/// Writes every case with its native answer, a line each, to the file that `$CASES` names: what the browser is held
/// against.
#[test]
#[ignore = "`make e2e-web` asks for it"]
fn write_cases() {
    let line = |case: &tests::golden::Case| {
        let request = tests::contract::request(&case.request);
        let answer = natively(&request);
        format!("{}\n", json!({"name": case.name, "door": "compose.compose", "request": request, "answer": answer}))
    };
    let lines: String = tests::golden::cases().expect("a readable corpus").iter().map(line).collect();
    fs::write(env::var_os("CASES").expect("a file to write to"), lines).expect("the file can be written");
}

/// The answer of the same code without WebAssembly, as the JSON of the contract's types.
fn natively(request: &Request) -> String {
    let request: guest::Request =
        serde_json::from_value(serde_json::to_value(request).expect("JSON")).expect("the same type");
    serde_json::to_string(&component::Module::compose(request)).expect("JSON")
}
