//! Equal requests have equal answers: natively and in the component, in new and in reused instances, in every process.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use component::wit::exports::sailplane::composition::{compose, preview};
use component::wit::exports::sailplane::composition::{compose::Guest as _, plan::Guest as _, preview::Guest as _};
use host::engine::{Engine, Settings};
use host::wit::compose::Request;
use host::wit::preview::{Role, Source};
use prost::Message as _;
use protobuf_json::Struct;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tests::refused::{judged, refused, within};

#[test]
fn native_and_component_bytes_are_equal() {
    let engines = [true, false].map(|reuse| {
        Engine::load(&Settings { reuse, ..Settings::default() }, false, &[] as &[&str]).expect("an engine")
    });
    let (composed, checked) = (composed(), checked());
    // In the second round, the instances have served every case before.
    for round in 0..2 {
        for (name, request) in &composed {
            let native = natively_composed(request);
            for engine in &engines {
                let answer = engine.compose(&tests::wit::kind_of(request), None, request).expect("the module answers");
                assert_eq!(serde_json::to_string(&answer).expect("JSON"), native, "{name} in round {round}");
            }
        }
        for (name, sources) in &checked {
            let native = natively_checked(sources);
            for engine in &engines {
                let answer = engine.check(sources, None).expect("the module answers");
                assert_eq!(serde_json::to_string(&answer).expect("JSON"), native, "{name} in round {round}");
            }
        }
    }
}

/// Previews and plans of a fleet too.
#[test]
fn fleets_are_the_same_in_both() {
    // The machine may be busy.
    let settings = Settings { deadline: Duration::from_secs(120), ..Settings::default() };
    let engine = Engine::load(&settings, false, &[] as &[&str]).expect("an engine");
    let request = fleet_to_preview(true);
    let kinds: Vec<_> = engine.catalog().map(|entry| entry.kind.clone()).collect();
    let asked = serde_json::from_value(request.clone()).expect("a request");
    let answer = engine.preview(&kinds, &asked).expect("the module answers");
    let answer = serde_json::to_string(&answer).expect("JSON");
    let native = answer_to(component::Module::preview, request);
    assert!(answer == native && answer.contains("HTTPRoute"), "they differ");
    let request = fleet_to_plan();
    let asked = serde_json::from_value(request.clone()).expect("a request");
    let answer = engine.plan(&asked).expect("the module answers");
    assert_eq!(serde_json::to_string(&answer).expect("JSON"), answer_to(component::Module::plan, request));
    assert!(!answer.subjects.is_empty());
}

/// An object is the same JSON text whether the function makes it of the bytes that came, or of a tree of prost's own
/// types; and the same bytes the other way round.
#[test]
fn every_object_crosses_the_wire_as_a_tree_would() {
    let mut objects = 0;
    for (name, request) in composed() {
        let answer: Value = serde_json::from_str(&natively_composed(&request)).expect("JSON");
        for object in [serde_json::to_value(&request).expect("JSON"), answer].iter().flat_map(objects_in) {
            let wire = tests::tree::wire(&object);
            let read = Struct::decode(wire.as_slice()).expect("a message");
            let text = read.to_json().expect("JSON can spell it");
            assert_eq!(serde_json::from_str(&text).ok(), tests::tree::object(&wire), "{name}");
            assert_eq!(read.encode_to_vec(), wire, "{name}: {object}");
            assert_eq!(Struct::from_json(&object.to_string()).expect("an object").encode_to_vec(), wire, "{name}");
            objects += 1;
        }
    }
    assert!(objects > 100, "only {objects} objects");
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

/// Writes every case with its native answer, one for each line, to the file in `$CASES`. The browser's answers are
/// compared with them.
#[test]
#[ignore = "`make e2e-web` asks for it"]
fn write_cases() {
    let composed = composed().into_iter().map(|(name, request)| {
        let answer = natively_composed(&request);
        json!({"name": name, "door": "compose.compose", "arguments": [request], "answer": answer})
    });
    let checked = checked().into_iter().map(|(name, sources)| {
        let answer = natively_checked(&sources);
        json!({"name": name, "door": "preview.check", "arguments": [sources, null], "answer": answer})
    });
    let fleet = [
        ("preview.preview", fleet_to_preview(false), answer_to(component::Module::preview, fleet_to_preview(false))),
        ("plan.plan", fleet_to_plan(), answer_to(component::Module::plan, fleet_to_plan())),
    ];
    let fleet = fleet.into_iter().map(|(door, request, answer)| {
        json!({"name": format!("the fleet of the example, {door}"), "door": door, "arguments": [request], "answer": answer})
    });
    let lines: String = composed.chain(checked).chain(fleet).map(|case| format!("{case}\n")).collect();
    fs::write(env::var_os("CASES").expect("a file to write to"), lines).expect("the file can be written");
}

/// Every kind has a row of refused objects, so that these are compared too.
#[test]
fn something_is_refused_of_every_kind() {
    let rows = tests::refused::kinds();
    let has_row = |kind: &str| rows.iter().any(|row| row.kind == kind);
    let missing: Vec<_> = inference::KINDS.rows.iter().map(|kind| kind.kind).filter(|kind| !has_row(kind)).collect();
    assert!(missing.is_empty(), "no row of `tests/src/refused.rs` is of {missing:?}");
}

/// Every golden case, as a request to compose.
fn composed() -> Vec<(String, Request)> {
    let cases = tests::golden::cases().expect("a readable corpus");
    assert!(!cases.is_empty(), "there is no golden case");
    cases.into_iter().map(|case| (case.name, tests::wit::request(&case.request))).collect()
}

/// The objects that cross as text, wherever they are in a request or an answer.
fn objects_in(value: &Value) -> Vec<Value> {
    match value {
        Value::String(text) if text.starts_with('{') => serde_json::from_str(text).into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(objects_in).collect(),
        Value::Object(fields) => fields.values().flat_map(objects_in).collect(),
        _ => Vec::new(),
    }
}

/// The example with a fleet.
fn fleet() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/modelplane/fleet.yaml");
    let text = fs::read_to_string(path).expect("the example is there");
    json!([{"name": "fleet.yaml", "role": "Subject", "text": text}])
}

fn fleet_to_preview(settled: bool) -> Value {
    json!({
        "sources": fleet(), "namespace": null, "pipelines": [], "context": [], "cascade": true, "settled": settled,
        "explain": true, "now": null, "foreign_kinds": [], "foreign_objects": [], "foreign_inputs": [], "foreign_steps": [],
    })
}

fn fleet_to_plan() -> Value {
    json!({"sources": fleet(), "input": null, "changes": [
        {"Scale": {"namespace": "chat", "name": "qwen", "number": 9}}, {"Lose": ["gke-us"]}, {"Drain": ["own"]},
        {"Add": {"place": ["eks-us", "h200"], "class": "h200-8-efa", "number": 2}},
    ]})
}

/// The native answer to a request, as text.
fn answer_to<R: DeserializeOwned, A: Serialize>(door: impl Fn(R) -> A, request: Value) -> String {
    serde_json::to_string(&door(serde_json::from_value(request).expect("a request"))).expect("JSON")
}

/// Every refused object, as a text to check.
fn checked() -> Vec<(String, Vec<Source>)> {
    let source = |object| {
        let text = within("team-a", object).to_string();
        vec![Source { name: "manifest.yaml".to_owned(), role: Role::Subject, text }]
    };
    let rows = refused().into_iter().chain(judged());
    rows.map(|(what, object)| (format!("refused: {what}"), source(object))).collect()
}

/// The answer of the same code without WebAssembly, as JSON.
fn natively_composed(request: &Request) -> String {
    let request: compose::Request =
        serde_json::from_value(serde_json::to_value(request).expect("JSON")).expect("the same type");
    serde_json::to_string(&component::Module::compose(request)).expect("JSON")
}

fn natively_checked(sources: &[Source]) -> String {
    let sources: Vec<preview::Source> =
        serde_json::from_value(serde_json::to_value(sources).expect("JSON")).expect("the same type");
    serde_json::to_string(&component::Module::check(sources, None)).expect("JSON")
}
