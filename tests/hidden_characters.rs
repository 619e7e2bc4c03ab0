//! Nothing of a document reaches a terminal or a log as it is: control characters, which give orders to terminals and end
//! lines of logs, and characters that change the direction of text.

use std::fs;

use serde_json::{Value, json};
use tests::admission::{Webhooks, create};
use tests::command::{Done, composite, file, run, run_on};
use tests::files::workspace;
use tests::function::{Server, puppet, request};

/// All hidden characters that YAML and JSON can express, and arguments of commands.
fn hidden() -> String {
    let ranges = [
        '\u{1}'..='\u{1f}',
        '\u{7f}'..='\u{9f}',
        '\u{200e}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{fff9}'..='\u{fffb}',
        '\u{e0000}'..='\u{e007f}',
    ];
    ranges.into_iter().flatten().chain(['\u{61c}', '\u{200b}', '\u{feff}']).collect()
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
    for field in ["kind", "apiVersion"] {
        let other =
            object.replacen(&format!("\"{field}\":\""), &format!("\"{field}\":{}", quoted.trim_end_matches('"')), 1);
        for command in [&["render", "-"][..], &["explain", "-"], &["check", "-"], &["plan", "-"]] {
            check(field, &run_on(other.as_bytes(), command));
        }
    }
    let options = format!(
        "{{\"apiVersion\": \"sailplane.fn.crossplane.io/v1alpha1\", \"kind\": \"Options\", \"ttl\": {quoted}, {quoted}: 1}}"
    );
    let input = file("hidden-options.json", &options);
    let input = input.to_str().expect("it is UTF-8");
    for command in ["render", "explain", "check"] {
        check("options", &run_on(composite("qwen").as_bytes(), &[command, "-", "--input", input]));
    }
    let step = format!("{{\"step\": {quoted}, \"functionRef\": {{\"name\": {quoted}}}, \"input\": {options}}}");
    let composition = format!(
        "---\napiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {{name: {quoted}}}\nspec:\n  \
         compositeTypeRef: {{apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference}}\n  mode: Pipeline\n  \
         pipeline: [{step}]\n"
    );
    for flags in [&["render", "-"][..], &["render", "-", "--skip-foreign-steps"], &["explain", "-"], &["check", "-"]] {
        check("a Composition", &run_on((composite("qwen") + &composition).as_bytes(), flags));
    }
    let fleet = fs::read_to_string(workspace().join("examples/modelplane/fleet.yaml")).expect("the example is there");
    let fleet =
        fleet.replace("name: qwen", &format!("name: {quoted}")).replace("name: gke-us", &format!("name: {quoted}"));
    for command in [&["plan", "-"][..], &["explain", "-", "--cascade"], &["check", "-"]] {
        check("a fleet", &run_on(fleet.as_bytes(), command));
    }
    check("a change of a fleet", &run_on(fleet.as_bytes(), &["plan", "-", "--drain", &characters]));
    let devices = format!("[{{\"name\": {quoted}}}, {{\"name\": \"a\"}}]");
    let slice = format!(
        "{{\"apiVersion\": \"resource.k8s.io/v1\", \"kind\": \"ResourceSlice\", \"metadata\": {{\"name\": {quoted}}}, \
         \"spec\": {{\"driver\": {quoted}, \"pool\": {{\"name\": {quoted}}}, \"devices\": {devices}}}}}"
    );
    check("devices", &run_on(slice.as_bytes(), &["cel", "device.attributes['a'].b == 1", "--device", "-"]));
    check("a module", &run(&["definitions", "--module", &characters]));
    check("a page", &run(&["preview", "--files", &characters]));
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
