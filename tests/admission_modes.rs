//! `sailplane admission`: the effect of verdicts in each mode, and the defaults that the mutating webhook writes.

use serde_json::{Value, json};
use tests::admission::{Webhooks, composite, create, puppet, update};
use tests::artifacts::guest;
use tests::command::file;
use tests::function::eventually;

/// Webhooks with the default module and the guest.
fn both() -> Webhooks {
    Webhooks::start(&["--module", guest().to_str().unwrap()])
}

/// Webhooks with the default module only.
fn ours() -> Webhooks {
    Webhooks::start(&[])
}

fn problem(path: &str, message: &str) -> Value {
    json!({"path": path, "code": "Invalid", "message": message, "fix": null, "hint": null})
}

fn deny(problems: &[(&str, &str)]) -> Value {
    let problems: Vec<_> = problems.iter().map(|(path, message)| problem(path, message)).collect();
    create(&puppet(&json!({"deny": problems})))
}

/// The parts of a response: whether it is allowed, its warnings, and its audit annotations.
fn told(response: &Value) -> (bool, Vec<&str>, Value) {
    let warnings = response["warnings"].as_array().into_iter().flatten().map(|line| line.as_str().unwrap());
    (response["allowed"].as_bool().unwrap(), warnings.collect(), response["auditAnnotations"].clone())
}

#[test]
fn denials() {
    let review = deny(&[("spec.a", "too odd"), ("spec.b", "too even")]);
    let both = "[spec.a: too odd, spec.b: too even]";
    let would = ["would be refused: spec.a: too odd", "would be refused: spec.b: too even"];
    for flag in ["enforce", "warn", "audit"] {
        let webhooks = Webhooks::start(&["--module", guest().to_str().unwrap(), "--mode", flag]);
        for path in ["", "/enforce", "/warn", "/audit"] {
            let mode = if path.is_empty() { flag } else { &path[1..] };
            let response = webhooks.review(&format!("/validate{path}"), &review);
            let warnings = if mode == "warn" { would.to_vec() } else { Vec::new() };
            let annotations = json!({"mode": mode, "denied": both});
            assert_eq!(told(&response), (mode != "enforce", warnings, annotations), "--mode {flag} {path}");
            assert_eq!(response.get("status").is_some(), mode == "enforce");
        }
    }
}

#[test]
fn warnings() {
    let both = both();
    let review = create(&puppet(&json!({"warn": ["look", "at this", "look"]})));
    for (mode, lines) in [("enforce", &["look", "at this"][..]), ("warn", &["look", "at this"]), ("audit", &[])] {
        let response = both.review(&format!("/validate/{mode}"), &review);
        assert_eq!(told(&response), (true, lines.to_vec(), json!({"mode": mode})));
    }
}

/// An API server drops warnings beyond its limits.
#[test]
fn many_and_long_warnings() {
    let both = both();
    let lines: Vec<_> = (0..100).map(|index| format!("{index} {}", "ü".repeat(300))).collect();
    let response = both.review("/validate", &create(&puppet(&json!({"warn": lines}))));
    let (_, warnings, _) = told(&response);
    assert_eq!(warnings.len(), 16);
    assert!(warnings[..15].iter().all(|line| line.chars().count() == 256 && line.ends_with("ü…")), "{warnings:?}");
    assert_eq!(warnings[15], "…and 85 more warnings");
    assert!(warnings.iter().map(|line| line.chars().count()).sum::<usize>() <= 4096);

    let denials: Vec<_> = (0..100).map(|_| ("spec", "wrong")).collect();
    let response = both.review("/validate/warn", &deny(&denials));
    assert_eq!(told(&response).1, ["would be refused: spec: wrong"]);
}

/// The object after the patch of a response. `None` when there is no patch.
fn patched(response: &Value, object: &Value) -> Option<Value> {
    let patch = response.get("patch")?.as_str()?;
    assert_eq!(response["patchType"], "JSONPatch");
    let mut object = object.clone();
    for operation in serde_json::from_slice::<Vec<Value>>(&tests::base64::decode(patch)).unwrap() {
        assert_eq!(operation["op"], "add");
        let (parent, key) = operation["path"].as_str().unwrap().rsplit_once('/').unwrap();
        let parent = object.pointer_mut(parent).expect("parents come first").as_object_mut().unwrap();
        let before = parent.insert(key.replace("~1", "/").replace("~0", "~"), operation["value"].clone());
        assert_eq!(before, None, "nothing is written over");
    }
    Some(object)
}

#[test]
fn defaults() {
    let ours = ours();
    let check = |object: &Value, expected: Option<Value>| {
        let response = ours.review("/mutate", &create(object));
        assert_eq!(patched(&response, object), expected, "{response}");
        assert_eq!(told(&response), (true, Vec::new(), Value::Null));
        // A second patch changes nothing.
        if let Some(expected) = expected {
            assert_eq!(patched(&ours.review("/mutate", &create(&expected)), &expected), None);
            assert_eq!(patched(&ours.review("/mutate", &update(object, &expected)), &expected), None);
        }
    };
    let sound = composite("qwen");
    let mut written = sound.clone();
    written["spec"]["providerConfigKind"] = "ClusterProviderConfig".into();
    written["spec"]["targetNamespace"] = "team-a".into();
    check(&sound, Some(written.clone()));
    check(&written, None);
    // The mutating webhook does not report problems.
    let mut wrong = sound.clone();
    wrong["spec"]["gpu"] = json!(0);
    check(&wrong, None);
}

#[test]
fn defaults_by_mode() {
    let both = both();
    let object = puppet(
        &json!({"default": [["/spec/a/b/c", 1], ["/spec/a/b/d", [2]], ["/spec/act", "never"], ["/metadata/labels/x~1y~0z", "v"]]}),
    );
    let mut written = object.clone();
    written["spec"]["a"] = json!({"b": {"c": 1, "d": [2]}});
    written["metadata"]["labels"] = json!({"x/y~z": "v"});
    for (path, expected) in [
        ("/mutate", Some(&written)),
        ("/mutate/enforce", Some(&written)),
        ("/mutate/warn", Some(&written)),
        ("/mutate/audit", None),
        ("/validate", None),
    ] {
        let response = both.review(path, &create(&object));
        assert_eq!(patched(&response, &object).as_ref(), expected, "{path}");
    }
    // The mutating webhook refuses nothing and has no warnings.
    let response = both.review("/mutate", &deny(&[("spec", "wrong")]));
    assert_eq!(told(&response), (true, Vec::new(), Value::Null));
    let response = both.review("/mutate", &create(&puppet(&json!({"warn": ["look"]}))));
    assert_eq!(told(&response), (true, Vec::new(), Value::Null));
}

const OPTIONS: &str = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\n";

#[test]
fn options() {
    let large = || {
        let mut object = composite("large");
        object["spec"]["model"] = "Qwen/Qwen2.5-72B-Instruct".into();
        create(&object)
    };
    let refusing = format!("# a platform's\n{OPTIONS}llmInference:\n  gpuMemory: 80Gi\n  memoryAdvice: refuse\n");
    let path = file("options.yaml", &refusing);
    let webhooks = Webhooks::start(&["--options", path.to_str().unwrap()]);
    assert_eq!(webhooks.review("/validate", &large())["allowed"], false);

    // Wrong options are not taken up.
    let reloads =
        |outcome: &str| format!("sailplane_admission_reloads_total{{what=\"options\",outcome=\"{outcome}\"}} 1");
    std::fs::write(&path, format!("{OPTIONS}llmInference:\n  gpuMemorry: 80Gi\n")).unwrap();
    eventually("the options are refused", || webhooks.metrics().contains(&reloads("refused")));
    assert_eq!(webhooks.review("/validate", &large())["allowed"], false);

    std::fs::write(&path, format!("{OPTIONS}llmInference: {{gpuMemory: 80Gi}}\n")).unwrap();
    eventually("the options are taken up", || webhooks.metrics().contains(&reloads("taken")));
    let response = webhooks.review("/validate", &large());
    assert_eq!((&response["allowed"], response["warnings"].as_array().map(Vec::len)), (&json!(true), Some(1)));

    // A file that is replaced by another is read again.
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, &refusing).unwrap();
    eventually("the options are taken up", || webhooks.review("/validate", &large())["allowed"] == false);
}

#[test]
fn wrong_options() {
    for (text, expected) in [
        (format!("{OPTIONS}ttl: soon\n"), ": ttl: "),
        (
            format!("{OPTIONS}llmInference: {{gpuMemorry: 80Gi}}\n"),
            ": unknown field \"llmInference.gpuMemorry\" (did you mean `gpuMemory`?)\n",
        ),
        ("a: [\n".to_owned(), ":1:4: "),
        (String::new(), " has 0 documents; give one\n"),
        (format!("{OPTIONS}---\n{OPTIONS}"), " has 2 documents; give one\n"),
    ] {
        let path = file("wrong-options.yaml", &text);
        let flags = ["admission", "--insecure", "--no-lookups", "--health-address=", "--metrics-address=", "--options"];
        let done = tests::command::run(&[&flags[..], &[path.to_str().unwrap()]].concat());
        let begin = format!("error: {}", path.display());
        assert!(!done.ok && done.err.starts_with(&begin), "{text}\n{}", done.err);
        assert!(done.err[begin.len()..].starts_with(expected), "{text}\n{}", done.err);
    }
    let done = tests::command::run(&["admission", "--insecure", "--no-lookups", "--options", "missing.yaml"]);
    assert_eq!(done.err, "error: cannot read options from missing.yaml: No such file or directory (os error 2)\n");
}
