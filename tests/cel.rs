//! `sailplane cel`: values, costs and errors, for single expressions and in batches.

use std::path::Path;

use host::engine::{Engine, Settings};
use host::wit::expressions::{Request, Subject, Trial};
use serde_json::{Value, json};
use tests::command::{file, run, run_on};

/// Device selectors, with their outcomes and costs in Kubernetes.
const VECTORS: &str = include_str!("../crates/cel/tests/devices.json");

const DEVICE: &str = "driver: gpu.nvidia.com\nattributes:\n  type: {string: gpu}\ncapacity:\n  memory: {value: 80Gi}\n";

const SCHEMA: &str = "type: object\nproperties:\n  size: {type: integer}\n  name: {type: string, maxLength: 20}\n";

fn path(path: &Path) -> &str {
    path.to_str().expect("it is UTF-8")
}

/// The vectors' devices, and their cases with the index of the device.
fn vectors() -> (Vec<Value>, Vec<(Value, usize)>) {
    let vectors: Value = serde_json::from_str(VECTORS).expect("it is JSON");
    let list = |key: &str| vectors[key].as_array().expect("it is an array").clone();
    let device = |case: &Value| usize::try_from(case["device"].as_u64().expect("an index")).expect("it is small");
    (list("devices"), list("cases").into_iter().map(|case| (case.clone(), device(&case))).collect())
}

/// Panics with the cases that differ.
#[track_caller]
fn none_wrong(wrong: &[String], cases: usize) {
    assert!(wrong.is_empty(), "{} of {cases} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_vector_in_a_batch() {
    let (devices, cases) = vectors();
    let line =
        |(case, device): &(Value, usize)| format!("{}\n", json!({"expr": case["expr"], "device": devices[*device]}));
    let done = run_on(cases.iter().map(line).collect::<String>().as_bytes(), &["cel", "--batch"]);
    assert!(done.ok && done.err.is_empty(), "{}", done.err);
    let answers: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    assert_eq!((answers.len(), cases.len()), (1334, 1334));
    let mut wrong = Vec::new();
    for ((case, _), answer) in cases.iter().zip(&answers) {
        let expected = &case["expect"];
        let agrees = match answer["error"].as_str() {
            None => answer["value"] == *expected && case.get("cost").is_none_or(|cost| answer["cost"] == *cost),
            Some("compile") => expected == "compile error",
            Some("runtime" | "cost") => expected == "runtime error",
            // A type error may also be found when the expression is evaluated.
            Some("type") => expected == "compile error" || expected == "runtime error",
            Some(_) => false,
        };
        if !agrees {
            wrong.push(format!("{case}\n  {answer}"));
        }
    }
    none_wrong(&wrong, cases.len());
}

/// The answers to lines of a batch. The cost of a failure is not printed.
#[test]
fn every_cost_in_the_component() {
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("the component can be loaded");
    let (devices, cases) = vectors();
    let subjects = devices.iter().map(|device| Subject::Device(device.to_string())).collect();
    let trial = |(case, device): &(Value, usize)| Trial {
        expression: case["expr"].as_str().expect("it is text").to_owned(),
        subject: u32::try_from(*device).expect("it is small"),
    };
    let request = Request { subjects, trials: cases.iter().map(trial).collect() };
    let outcomes = engine.evaluate(&request).expect("there is an answer");
    assert_eq!(outcomes.len(), cases.len());
    let mut wrong = Vec::new();
    for ((case, _), outcome) in cases.iter().zip(&outcomes) {
        if case["cost"].as_u64().is_some_and(|cost| outcome.cost != Some(cost)) {
            wrong.push(format!("{case}\n  {outcome:?}"));
        }
    }
    none_wrong(&wrong, cases.len());
    let with_cost = cases.iter().filter(|(case, _)| case["cost"].is_u64()).count();
    assert_eq!(with_cost, 1098);
}

#[test]
fn values_and_errors() {
    let (device, schema) = (file("device.yaml", DEVICE), file("schema.yaml", SCHEMA));
    let (this, old) = (file("self.yaml", "size: 3\nname: a\n"), file("old.yaml", "size: 2\nname: a\n"));
    let on_device = vec!["--device", path(&device)];
    let on_value = vec!["--self", path(&this), "--schema", path(&schema)];
    let on_update = [on_value.as_slice(), &["--old-self", path(&old)]].concat();
    //   expression                             subject      answer
    for (expression, subject, expected) in [
        ("device.driver == 'gpu.nvidia.com'", &on_device, json!({"value": true, "cost": 4, "estimate": 4})),
        (
            "devic.driver == ''",
            &on_device,
            json!({"error": "compile", "message": "undeclared reference to 'devic' (in container '')", "line": 1, "column": 1, "meant": "device"}),
        ),
        ("self.size > 2", &on_value, json!({"value": true, "cost": 3, "estimate": 3})),
        ("self.size > oldSelf.size", &on_update, json!({"value": true, "cost": 5, "estimate": 5})),
        (
            "self.sise > 2",
            &on_value,
            json!({"error": "compile", "message": "undefined field 'sise'", "line": 1, "column": 5, "meant": "size"}),
        ),
    ] {
        let done = run(&[&["cel", expression, "--output", "json"], subject.as_slice()].concat());
        let answer: Value = serde_json::from_str(&done.out).expect("it is JSON");
        assert_eq!(answer, expected, "{expression}");
        assert_eq!(done.ok, answer.get("value").is_some(), "{expression}");
    }
    for (expression, error) in [("device.capacity", "type"), ("device.driver[0]", "compile"), ("1 / 0 == 1", "runtime")]
    {
        let done = run_on(DEVICE.as_bytes(), &["cel", expression, "--device", "-", "--output", "json"]);
        let answer: Value = serde_json::from_str(&done.out).expect("it is JSON");
        assert_eq!(answer["error"], error, "{expression}: {answer}");
    }
}

#[test]
fn text_is_for_people() {
    let done = run_on(DEVICE.as_bytes(), &["cel", "device.driver == 'gpu.nvidia.com'", "--device", "-"]);
    assert_eq!((done.ok, done.out.as_str()), (true, "value     true\ncost      4\n"));
    let schema = file("people.yaml", SCHEMA);
    let done = run_on(b"size: 3", &["cel", "self.size > 4", "--self", "-", "--schema", path(&schema)]);
    assert_eq!((done.ok, done.out.as_str()), (true, "value     false\ncost      3\nestimate  at most 3\n"));
    let done = run_on(b"size: 3", &["cel", "self.sise > 4", "--self", "-", "--schema", path(&schema)]);
    let report = "  × undefined field 'sise'
   ╭─[expression:1:5]
 1 │ self.sise > 4
   ·     ──┬──
   ·       ╰── here
   ╰────
  help: did you mean `size`?
";
    assert_eq!((done.ok, done.out.as_str(), done.err.as_str()), (false, "", report));
}

/// Each device of a ResourceSlice is tried, and named.
#[test]
fn slices_have_several_devices() {
    let slice = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.org\n  \
                 pool: {name: node-1}\n  devices:\n  - {name: gpu-0, attributes: {type: {string: gpu}}}\n  - {name: gpu-1}\n";
    let done = run_on(slice.as_bytes(), &["cel", "device.driver == 'gpu.example.org'", "--device", "-"]);
    let printed = "device    gpu.example.org/node-1/gpu-0\nvalue     true\ncost      4\n\n\
                   device    gpu.example.org/node-1/gpu-1\nvalue     true\ncost      4\n";
    assert_eq!((done.ok, done.out.as_str(), done.err.as_str()), (true, printed, ""));

    let selector = "device.attributes['gpu.example.org'].type == 'gpu'";
    let done = run_on(slice.as_bytes(), &["cel", selector, "--device", "-"]);
    assert!(!done.ok && done.out.contains("gpu-0\nvalue     true"), "{}{}", done.out, done.err);
    assert!(done.err.contains("× gpu.example.org/node-1/gpu-1: no such key: type"), "{}", done.err);
    let done = run_on(slice.as_bytes(), &["cel", selector, "--device", "-", "--output", "json"]);
    let answers: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((&answers[0]["value"], &answers[1]["error"]), (&json!(true), &json!("runtime")), "{answers}");
    assert_eq!(answers[1]["device"], "gpu.example.org/node-1/gpu-1");
    // What does not compile is said once.
    let done = run_on(slice.as_bytes(), &["cel", "devic.driver == ''", "--device", "-"]);
    assert_eq!((done.ok, done.err.matches('×').count()), (false, 1), "{}", done.err);
}

#[test]
fn definitions_bring_schemas() {
    let definition = file("definition.yaml", &run(&["definitions"]).out);
    let example = "examples/llm-inference/llm-kimi.yaml";
    let done = run(&[
        "cel",
        "self.spec.gpu > 1 && self.metadata.name != ''",
        "--self",
        example,
        "--schema",
        path(&definition),
    ]);
    assert!(done.ok && done.out.starts_with("value     true\n"), "{}{}", done.out, done.err);
    let done =
        run_on(b"apiVersion: v1\nkind: Secret\n", &["cel", "true", "--self", "-", "--schema", path(&definition)]);
    let line = "the value is of `v1` Secret, and ";
    assert!(!done.ok && done.err.contains(line) && done.err.contains("LLMInference"), "{}", done.err);
}

#[test]
fn batches_answer_line_by_line() {
    let lines = [
        r#"{"expr": "device.driver == 'a'", "device": {"driver": "a"}, "more": 1}"#,
        "",
        "nonsense",
        r#"{"expr": "device.driver"}"#,
        r#"{"expr": "device.driver", "device": {"driver": "a"}}"#,
        r#"{"expr": "device.", "device": {"driver": "a"}}"#,
        r#"{"expr": "device.driver == 'b'", "device": {"driver": "a"}}"#,
    ];
    let done = run_on(lines.join("\n").as_bytes(), &["cel", "--batch"]);
    let answers = done.out.lines().map(|line| {
        let answer: Value = serde_json::from_str(line).expect("it is JSON");
        answer["error"].as_str().map_or_else(|| line.to_owned(), str::to_owned)
    });
    let expected = [r#"{"value":true,"cost":3}"#, "input", "input", "type", "compile", r#"{"value":false,"cost":3}"#];
    assert_eq!(answers.collect::<Vec<_>>(), expected);
    assert!(!done.ok, "two lines are no trials");
    assert!(run_on(lines[6].as_bytes(), &["cel", "--batch"]).ok);
    let done = run_on(b"\xff\n", &["cel", "--batch"]);
    assert!(!done.ok && done.out.starts_with("{\"error\":\"input\""), "{}{}", done.out, done.err);
}

/// A line that no module answers, or that is too long, has an error, and the other lines are answered.
#[test]
fn one_bad_line_does_not_hide_the_others() {
    let good = r#"{"expr": "device.driver == 'a'", "device": {"driver": "a"}}"#;
    let long = format!(r#"{{"expr": "true", "device": {{"driver": "{}"}}}}"#, "a".repeat(5 << 20));
    let lines = [good.as_bytes(), b"\xff", long.as_bytes(), good.as_bytes()].join(&b'\n');
    let done = run_on(&lines, &["cel", "--batch"]);
    let answer = "{\"value\":true,\"cost\":3}";
    let answers: Vec<_> = done.out.lines().collect();
    assert_eq!((answers.len(), answers.first(), answers.last()), (4, Some(&answer), Some(&answer)), "{}", done.out);
    assert!(answers[1].contains("\"input\"") && answers[2].contains("more than 4194304 bytes"), "{}", done.out);

    // The guest answers no expression.
    let guest = tests::artifacts::guest().to_str().expect("it is UTF-8");
    let done = run_on([good, good].join("\n").as_bytes(), &["cel", "--batch", "--module", guest]);
    assert_eq!(done.out.matches("{\"error\":\"failed\"").count(), 2, "{}{}", done.out, done.err);
}
