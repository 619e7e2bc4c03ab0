//! `sailplane admission`: the answers to all kinds of reviews.

use serde_json::{Value, json};
use tests::admission::{Webhooks, composite, create, delete, puppet, update};
use tests::artifacts::guest;

/// Webhooks with the default module and the guest, without lookups.
fn both() -> Webhooks {
    Webhooks::start(&["--module", guest().to_str().unwrap()])
}

/// Webhooks with the default module only.
fn ours() -> Webhooks {
    Webhooks::start(&[])
}

const UID: &str = "705ab4f5-6393-11e8-b7cc-42010a800002";

fn allowed() -> Value {
    json!({"uid": UID, "allowed": true, "auditAnnotations": {"mode": "enforce"}})
}

/// The answer to a review that no module judges.
fn untouched() -> Value {
    json!({"uid": UID, "allowed": true})
}

fn denied(name: &str, path: &str, message: &str, reason: &str) -> Value {
    let line = format!("{path}: {message}");
    json!({
        "uid": UID,
        "allowed": false,
        "status": {
            "code": 422,
            "reason": "Invalid",
            "message": format!("LLMInference.inference.devopstoolkit.ai \"{name}\" is invalid: {line}"),
            "details": {
                "name": name,
                "group": "inference.devopstoolkit.ai",
                "kind": "LLMInference",
                "causes": [{"field": path, "message": message, "reason": reason}],
            },
        },
        "auditAnnotations": {"mode": "enforce", "denied": line},
    })
}

fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    object.pointer_mut(parent).unwrap()[key] = value;
    object
}

#[test]
fn creating() {
    let ours = ours();
    let check = |object: Value, expected: Value| {
        let response = ours.review("/validate", &create(&object));
        assert_eq!(response, expected, "{object}");
    };
    check(composite("qwen"), allowed());
    check(
        composite("7b"),
        denied(
            "7b",
            "metadata.name",
            "no Service can be named `7b`: the name starts with a digit; use at most 63 lower-case letters, digits and `-`, starting with a letter",
            "FieldValueInvalid",
        ),
    );
    // The API server has judged what a schema says, by the schema that is installed. It may be newer than the module's.
    for (pointer, value) in [("/spec/newer", json!(true)), ("/spec/crossplane", json!({"newer": true}))] {
        check(with(composite("qwen"), pointer, value), allowed());
    }
    let response = ours.review("/validate", &create(&with(composite("qwen"), "/spec/gpu", json!(2048))));
    let warning = "this version cannot compose it: spec.gpu: Invalid value: 2048: spec.gpu in body should be less than or \
                   equal to 1024";
    assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!([warning])));
}

#[test]
fn several_problems_are_told_at_once() {
    let ours = ours();
    let response = ours.review("/validate", &create(&composite("7.b")));
    let causes = response["status"]["details"]["causes"].as_array().unwrap();
    let fields: Vec<_> = causes.iter().map(|cause| cause["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["metadata.name", "metadata.name"]);
    let message = response["status"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("LLMInference.inference.devopstoolkit.ai \"7.b\" is invalid: [metadata.name: no Service")
    );
    assert!(message.ends_with(']') && message.contains(", metadata.name: "), "{message}");
}

#[test]
fn generated_names() {
    let ours = ours();
    let mut object = composite("");
    object["metadata"] = json!({"generateName": "7b-", "namespace": "team-a"});
    let response = ours.review("/validate", &create(&object));
    assert_eq!(response["allowed"], false);
    assert_eq!(response["status"]["details"]["name"], "7b-");
    object["metadata"]["generateName"] = "qwen-".into();
    assert_eq!(ours.review("/validate", &create(&object)), allowed());
}

#[test]
fn changing() {
    let (ours, both) = (ours(), both());
    let unwanted =
        || puppet(&json!({"deny": [{"path": "spec", "code": "Invalid", "message": "no", "fix": null, "hint": null}]}));
    let wanted = || puppet(&json!("allow"));
    let check = |webhooks: &Webhooks, old: Value, new: Value, allowed: bool| {
        let response = webhooks.review("/validate", &update(&old, &new));
        assert_eq!(response["allowed"], allowed, "{old} to {new}: {response}");
    };
    check(&ours, composite("qwen"), with(composite("qwen"), "/spec/gpu", json!(2)), true);
    // An object that was stored with a mistake can still be edited.
    check(&ours, composite("7b"), with(composite("7b"), "/spec/gpu", json!(2)), true);
    check(&both, wanted(), unwanted(), false);

    // An object that is being deleted may lose its finalizers, whatever is wrong with it, but no edit may make it
    // wrong.
    let leaving = |object| with(object, "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    let finalized = |object| with(leaving(object), "/metadata/finalizers", json!([]));
    let response = both.review("/validate", &update(&leaving(unwanted()), &finalized(unwanted())));
    assert_eq!(response, untouched());
    check(&both, leaving(wanted()), leaving(unwanted()), false);
}

#[test]
fn deleting() {
    let ours = ours();
    let both = both();
    assert_eq!(ours.review("/validate", &delete(&composite("qwen"))), allowed());
    assert_eq!(ours.review("/mutate", &delete(&composite("qwen"))), untouched());
    let unwanted = puppet(&json!({"warn": ["others refer to it"]}));
    let response = both.review("/validate", &delete(&unwanted));
    assert_eq!(response["warnings"], json!(["others refer to it"]));
    assert_eq!(response["allowed"], true);
}

#[test]
fn what_is_none_of_its_business() {
    let ours = ours();
    let wrong = composite("7b");
    for (pointer, value) in [("/request/subResource", json!("status")), ("/request/operation", json!("CONNECT"))] {
        for path in ["/validate", "/mutate"] {
            assert_eq!(ours.review(path, &with(create(&wrong), pointer, value.clone())), untouched(), "{path} {value}");
        }
    }
    // A dry run is judged like other reviews, since the webhook writes nothing.
    assert_eq!(ours.review("/validate", &with(create(&wrong), "/request/dryRun", json!(true)))["allowed"], false);
    assert_eq!(ours.review("/validate", &with(create(&wrong), "/request/uid", json!("another")))["uid"], "another");
}

/// A review that cannot be judged is allowed with a warning.
#[test]
fn what_is_not_judged() {
    let ours = ours();
    let both = both();
    let mut stranger = composite("a");
    stranger["kind"] = "Stranger".into();
    let response = ours.review("/validate", &create(&stranger));
    assert_eq!(response["allowed"], true);
    let warning = response["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("not judged: ") && warning.contains("Stranger"), "{warning}");
    assert_eq!(ours.review("/validate/audit", &create(&stranger)), untouched());
    assert_eq!(ours.review("/mutate", &create(&stranger)), untouched());

    // So is one for which the options or other objects are to blame.
    for cause in ["UnknownKind", "Input", "State"] {
        let response = both.review("/validate", &create(&puppet(&refuse(cause))));
        let warnings = json!(["not judged: spec: no idea"]);
        assert_eq!(response, json!({"uid": UID, "allowed": true, "warnings": warnings}), "{cause}");
    }
}

/// A puppet for which there is no verdict.
fn refuse(cause: &str) -> Value {
    let problem = json!({"path": "spec", "code": "Invalid", "message": "no idea", "fix": null, "hint": null});
    json!({"refuse": {"cause": cause, "problems": [problem], "conditions": []}})
}

/// When the object is to blame that there is no verdict, it is refused, so that nobody gets past the rules with such an
/// object. What is stored can be deleted.
#[test]
fn what_cannot_be_judged() {
    let both = both();
    for cause in ["Request", "Composite", "Budget"] {
        let odd = puppet(&refuse(cause));
        let check = |path: &str, review: &Value, allowed: bool, warnings: &[&str]| {
            let response = both.review(path, review);
            let told = response["warnings"].as_array().into_iter().flatten().map(|line| line.as_str().unwrap());
            assert_eq!(response["allowed"], allowed, "{cause} {path}: {response}");
            assert_eq!(told.collect::<Vec<_>>(), warnings, "{cause} {path}");
        };
        check("/validate", &create(&odd), false, &[]);
        check("/validate", &update(&puppet(&json!("allow")), &odd), false, &[]);
        check("/validate/warn", &create(&odd), true, &["would be refused: spec: no idea"]);
        check("/validate/audit", &create(&odd), true, &[]);
        check("/validate", &delete(&odd), true, &["not judged: spec: no idea"]);
        check("/mutate", &create(&odd), true, &[]);
    }
}

/// A failure is an error, so the webhook's failure policy decides.
#[test]
fn what_fails() {
    let both = both();
    for (opinion, within, expected) in [
        ("trap", "30s", "the module stopped: wasm trap: wasm `unreachable` instruction executed\n"),
        ("spin", "2s", "the module did not answer within the time that a review may take\n"),
    ] {
        for path in ["/validate", "/mutate", "/validate/audit"] {
            let body = create(&puppet(&json!(opinion))).to_string();
            let (code, body) = both.post(&format!("{path}?timeout={within}"), body.as_bytes());
            assert_eq!((code, body.as_str()), (500, expected), "{opinion} {path}");
        }
        // The server continues.
        assert_eq!(both.review("/validate", &create(&puppet(&json!("allow")))), allowed());
    }
}

#[test]
fn malformed_reviews() {
    let ours = ours();
    let sound = || create(&composite("qwen"));
    let text = |review: Value| review.to_string();
    let without = |mut review: Value, field: &str| {
        review["request"].as_object_mut().unwrap().remove(field);
        text(review)
    };
    let set = |pointer: &str, value: Value| text(with(sound(), pointer, value));
    let deep = format!("{{\"apiVersion\":{}", "[".repeat(100_000));
    for (body, expected) in [
        (String::new(), "not an AdmissionReview: EOF while parsing a value at line 1 column 0"),
        ("hello".to_owned(), "not an AdmissionReview: expected value at line 1 column 1"),
        ("[]".to_owned(), "not an AdmissionReview: "),
        ("{\"apiVersion\": 1}".to_owned(), "not an AdmissionReview: invalid type: integer `1`"),
        ("{}".to_owned(), "not an AdmissionReview: it states no apiVersion or no kind"),
        (deep, "not an AdmissionReview: "),
        ("\u{0}".to_owned(), "not an AdmissionReview: expected value"),
        (
            set("/apiVersion", json!("admission.k8s.io/v1beta1")),
            "no `admission.k8s.io/v1beta1` AdmissionReview is understood; send an `admission.k8s.io/v1` AdmissionReview",
        ),
        (set("/kind", json!("Pod")), "no `admission.k8s.io/v1` Pod is understood"),
        (set("/kind", json!("Admissi\nReview")), r"no `admission.k8s.io/v1` Admissi\nReview is understood"),
        (set("/request", Value::Null), "request: missing; an AdmissionReview asks with one"),
        (set("/request", json!(1)), "request: invalid type: integer `1`"),
        (without(sound(), "uid"), "request: missing field `uid`"),
        (set("/request/uid", json!("")), "request.uid: empty; the answer has to carry it"),
        (without(sound(), "kind"), "request: missing field `kind`"),
        (without(sound(), "operation"), "request: missing field `operation`"),
        (
            set("/request/operation", json!("PATCH")),
            "request.operation: no `PATCH`; known are CREATE, UPDATE, DELETE, CONNECT",
        ),
        (without(sound(), "object"), "request.object: no object; CREATE has one"),
        (set("/request/object", Value::Null), "request.object: no object; CREATE has one"),
        (set("/request/object", json!([])), "request.object: no object; CREATE has one"),
        (set("/request/operation", json!("UPDATE")), "request.oldObject: no object; UPDATE has one"),
        (set("/request/operation", json!("DELETE")), "request.oldObject: no object; DELETE has one"),
    ] {
        for path in ["/validate", "/mutate", "/validate/warn"] {
            let (code, answer) = ours.post(path, body.as_bytes());
            let shown = &body[..body.len().min(300)];
            assert_eq!(code, 400, "{shown}: {answer}");
            assert!(answer.starts_with(expected), "{shown}\n{answer}");
            assert_eq!(answer.lines().count(), 1, "{answer}");
        }
    }
    let not_text = [b"{\"apiVersion\":\"".as_slice(), b"\xff\xfe\"}"].concat();
    assert_eq!(ours.post("/validate", &not_text).0, 400);
}

/// A review of a composite with this text at `pointer`.
fn holding(pointer: &str, text: &str, review: &dyn Fn(&Value) -> Value) -> String {
    review(&with(composite("qwen"), pointer, json!("HERE"))).to_string().replace("\"HERE\"", text)
}

/// An object that cannot be read is refused, and the server continues. Managed fields need not be read.
#[test]
fn unreadable_objects() {
    let ours = ours();
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let judged = |path: &str, review: String| {
        let (code, body) = ours.post(path, review.as_bytes());
        assert_eq!(code, 200, "{body}");
        tests::admission::response(&body)
    };
    for (unreadable, why) in [
        (deep.as_str(), "recursion limit exceeded at line 1 column "),
        ("1e400", "number out of range at line 1 column "),
        (r#""\ud800""#, "unexpected end of hex escape at line 1 column "),
    ] {
        for pointer in ["/spec/gpu", "/spec/unknown", "/metadata/annotations", "/status"] {
            let holding = |review: &dyn Fn(&Value) -> Value| holding(pointer, unreadable, review);
            let response = judged("/validate", holding(&create));
            assert_eq!(response["allowed"], false, "{pointer}: {response}");
            let message = response["status"]["message"].as_str().unwrap();
            assert!(message.contains(&format!("object: not JSON text: {why}")), "{message}");
            assert_eq!(judged("/validate/audit", holding(&create))["allowed"], true);
            assert_eq!(judged("/mutate", holding(&create)), untouched());
            assert_eq!(judged("/validate", holding(&|it| update(&composite("qwen"), it)))["allowed"], false);
            // What is stored already can be deleted, and replaced.
            assert_eq!(judged("/validate", holding(&delete))["allowed"], true);
            assert_eq!(judged("/validate", holding(&|it| update(it, &composite("qwen"))))["allowed"], true);
            // Not by an object that is wrong, and not by another one that cannot be read.
            assert_eq!(judged("/validate", holding(&|it| update(it, &composite("7b"))))["allowed"], false);
            let labelled = |it: &Value| update(it, &with(it.clone(), "/metadata/labels", json!({"a": "b"})));
            assert_eq!(judged("/validate", holding(&labelled))["allowed"], false);
            let leaving = |it: &Value| with(it.clone(), "/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
            let finalized = |it: &Value| update(&leaving(it), &with(leaving(it), "/metadata/finalizers", json!([])));
            if pointer != "/status" {
                assert_eq!(judged("/validate", holding(&finalized)), untouched(), "{pointer}");
            }
        }
        let response = judged("/validate", holding("/metadata/managedFields", unreadable, &create));
        assert_eq!(response, allowed());
    }
    assert_eq!(ours.review("/validate", &create(&composite("qwen"))), allowed());
}

#[test]
fn large_reviews() {
    let ours = ours();
    let padded = |bytes: usize| {
        let object = with(composite("large"), "/metadata/annotations", json!({"padding": "x".repeat(bytes)}));
        create(&object).to_string()
    };
    // A review has every object once.
    let (code, body) = ours.post("/validate", padded(7 << 20).as_bytes());
    assert_eq!(code, 200, "{}", &body[..body.len().min(300)]);
    let (code, body) = ours.post("/validate", padded(10 << 20).as_bytes());
    assert_eq!((code, body.as_str()), (413, "the review has more than 8388608 bytes\n"));
    assert_eq!(ours.review("/validate", &create(&composite("qwen"))), allowed());
}

/// However much is wrong with an object, the answer and the record in the log are short.
#[test]
fn answers_are_bounded() {
    let log = std::env::temp_dir().join(format!("sailplane-admission-log-{}", std::process::id()));
    let file = std::fs::File::create(&log).unwrap();
    let webhooks = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--module"]).arg(guest()).env("RUST_LOG", "info").stderr(file)
    });
    let problem = |number| {
        let path = format!("metadata.labels[-bad-{number}-]");
        json!({"path": path, "code": "Invalid", "message": "no label".repeat(10), "fix": null, "hint": null})
    };
    let object = puppet(&json!({"deny": (0..20_000).map(problem).collect::<Vec<_>>()}));
    let long_name = with(create(&object), "/request/name", json!("n".repeat(1 << 20)));
    for review in [create(&object), long_name] {
        let (code, body) = webhooks.post("/validate", review.to_string().as_bytes());
        let response = tests::admission::response(&body);
        assert_eq!((code, &response["allowed"]), (200, &json!(false)));
        assert!(body.len() < 80 << 10, "{} bytes", body.len());
        let message = response["status"]["message"].as_str().unwrap();
        assert!(message.contains("metadata.labels") && message.contains(" more]"), "{message}");
    }
    drop(webhooks);
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    let longest = text.lines().map(str::len).max().unwrap_or_default();
    assert!(text.contains("denied") && longest <= 1 << 10, "{longest} bytes\n{text:.2000}");
}

#[test]
fn paths() {
    let ours = ours();
    let body = create(&composite("qwen")).to_string();
    for (path, code) in [
        ("/validate", 200),
        ("/validate/enforce", 200),
        ("/validate/warn", 200),
        ("/validate/audit", 200),
        ("/mutate", 200),
        ("/mutate/enforce", 200),
        ("/mutate/warn", 200),
        ("/mutate/audit", 200),
        ("/validate?timeout=5s", 200),
        ("/validate?timeout=rubbish", 200),
        ("/validate/Enforce", 404),
        ("/validate/", 404),
        ("/validate/warn/more", 404),
        ("/", 404),
        ("/metrics", 404),
    ] {
        assert_eq!(ours.post(path, body.as_bytes()).0, code, "{path}");
    }
    assert_eq!(tests::function::get(ours.address, "/validate").0, 405);
}
