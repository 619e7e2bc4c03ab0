//! Nothing of a document reaches a terminal or a log as it is: control characters, which give orders to terminals and end
//! lines of logs, and characters that change the direction of text.

use std::fs;

use serde_json::{Value, json};
use tests::admission::{Webhooks, create};
use tests::command::{Done, composite, file, run, run_on};
use tests::function::{Server, puppet, request};

/// All hidden characters that YAML and JSON can express.
fn hidden() -> String {
    let ranges = ['\u{1}'..='\u{1f}', '\u{7f}'..='\u{9f}', '\u{200e}'..='\u{200f}', '\u{2028}'..='\u{202e}'];
    ranges.into_iter().flatten().chain('\u{2066}'..='\u{2069}').chain(['\u{61c}', '\u{feff}']).collect()
}

/// The hidden characters in a text, without line breaks and tabs.
fn found(text: &str) -> String {
    let hidden = hidden();
    text.chars().filter(|c| hidden.contains(*c) && !['\n', '\t'].contains(c)).collect()
}

#[track_caller]
fn check(what: &str, Done { out, err, .. }: &Done) {
    for (stream, text) in [("standard output", out), ("standard error", err)] {
        assert_eq!(found(text).escape_unicode().to_string(), "", "{what}, {stream}:\n{}", text.escape_debug());
    }
    assert!(!out.is_empty() || !err.is_empty(), "{what} prints nothing");
}

const CRD: &str = r#"{
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ws.example.org"},
    "spec": {"group": "example.org", "scope": "Namespaced", "names": {"kind": "W", "plural": "ws"}, "versions": [{
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
            "type": "object", "properties": {"size": {"type": "string", "enum": ["CHARACTERS"]}}}}}}
    }]}
}"#;

#[test]
fn commands() {
    let characters = hidden();
    let quoted = json!(characters).to_string();
    let crd = file("hidden-crd.json", &CRD.replace("\"CHARACTERS\"", &quoted));
    let crd = crd.to_str().expect("it is UTF-8");
    let (mut spec, metadata) =
        (json!({"size": format!("x{characters}")}), json!({"name": characters, "namespace": "a"}));
    spec[&characters] = json!(1);
    let object = json!({"apiVersion": "example.org/v1", "kind": "W", "metadata": metadata, "spec": spec}).to_string();
    // Names of files may have all of them but NUL and the slash; the length is limited.
    let name = format!("{}.json", characters.chars().take(60).collect::<String>());
    let named = file(&name, &object);
    let named = named.to_str().expect("it is UTF-8");
    for format in ["text", "github"] {
        check(format, &run(&["check", named, "--schemas", crd, "--output", format]));
    }
    let missing = format!("nowhere{name}");
    check("an error", &run(&["render", &missing]));
    check("check, an error", &run(&["check", &missing]));

    let ours = |field: &str| format!("{}  {field}: {quoted}\n", composite("qwen"));
    for field in ["targetNamespace", "ingressHost", "nothing"] {
        for command in [&["render", "-", "--output", "tree"][..], &["explain", "-"], &["check", "-"]] {
            check(field, &run_on(ours(field).as_bytes(), command));
        }
    }
    let model = composite("qwen").replacen("model: ", &format!("model: {quoted} # "), 1);
    for command in [&["render", "-", "--output", "tree"][..], &["explain", "-"]] {
        check("model", &run_on(model.as_bytes(), command));
    }
    check("an option", &run(&["explain", &format!("options.llmInference.{characters}")]));
    check("a kind", &run(&["definitions", &characters]));
    let device = json!({"driver": characters}).to_string();
    check("a value", &run_on(device.as_bytes(), &["cel", "device.driver", "--device", "-"]));
    check("an expression", &run_on(b"{}", &["cel", &format!("'{characters}' == 1"), "--device", "-"]));
}

/// A record of the log is a line, and only the server's own words begin it.
#[test]
fn logs() {
    let log = std::env::temp_dir().join(format!("sailplane-hidden-{}", std::process::id()));
    let create_log = || fs::File::create(&log).expect("it can be created");
    let read_log = || fs::read_to_string(&log).expect("it can be read");
    let characters = hidden();
    let mut object = puppet(&json!("trap"));
    object["kind"] = json!(format!("K{characters}"));
    object["metadata"] = json!({"name": characters, "namespace": characters});

    let server = Server::start_with(|it| {
        it.args(["--insecure", "--debug"]).env("RUST_LOG", "debug").env("NO_COLOR", "1").stderr(create_log())
    });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let answer = runtime.block_on(async { server.client().await.run_function(request(&object)).await });
    let answer = answer.expect("every call has a response").into_inner();
    assert_eq!(found(&answer.results[0].message), "", "the refusal");
    drop(server);
    let text = read_log();
    assert!(text.contains("refused") && found(&text).is_empty(), "{}", text.escape_debug());

    let webhooks = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--debug"])
            .env("RUST_LOG", "debug")
            .env("NO_COLOR", "1")
            .stderr(create_log())
    });
    let mut review: Value = create(&object);
    review["request"]["namespace"] = json!(characters);
    let (_, body) = webhooks.post("/validate", review.to_string().as_bytes());
    assert_eq!(found(&body), "", "the answer");
    let (_, body) = webhooks.post("/validate", json!({"apiVersion": characters, "kind": "K"}).to_string().as_bytes());
    assert_eq!(found(&body), "", "the answer to what is no review");
    drop(webhooks);
    let text = read_log();
    assert!(text.contains("undecided") && text.contains("malformed"), "{text}");
    assert!(found(&text).is_empty(), "{}", text.escape_debug());
    fs::remove_file(&log).expect("it can be removed");
}
