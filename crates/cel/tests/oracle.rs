//! Expressions that are made of known ones, compared with the answers of Kubernetes.
//!
//! `CEL_ORACLE=target/tools/bin/cel-oracle cargo test -p cel --test oracle -- --ignored`. `CEL_CASES` is the number of
//! expressions, and `CEL_START` the seed.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod made_up;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{env, thread};

use cel::{Device, Selector};
use made_up::Random;
use serde_json::{Value as Json, json};

#[test]
#[ignore = "needs the oracle, which is built with Go"]
fn made_up_selectors_do_as_in_kubernetes() {
    let number = |name: &str, default| env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default);
    let vectors: Json = serde_json::from_str(include_str!("devices.json")).expect("JSON");
    let cases = vectors["cases"].as_array().expect("a list");
    let known: Vec<(&str, usize)> = cases
        .iter()
        .filter_map(|case| Some((case["expr"].as_str()?, usize::try_from(case["device"].as_u64()?).ok()?)))
        .filter(|case| {
            (1..200).contains(&case.0.trim().len()) && !case.0.contains("lists.range") && !case.0.contains("includes")
        })
        .collect();
    let mut random = Random::new(number("CEL_START", 1));
    let questions: Vec<Json> = (0..number("CEL_CASES", 20_000))
        .map(|_| {
            let (expr, device) = random.expression(&known);
            json!({"expr": expr, "device": vectors["devices"][device]})
        })
        .collect();
    let answers = ask(&questions);
    assert_eq!(answers.len(), questions.len(), "each question has an answer");
    let (mut wrong, mut count) = (String::new(), BTreeMap::<&str, u32>::new());
    for (question, answer) in questions.iter().zip(&answers) {
        let expr = question["expr"].as_str().expect("text");
        let found = found(expr, &question["device"]);
        let want = wanted(answer);
        *count.entry(answer["error"].as_str().unwrap_or("value")).or_default() += 1;
        if found == want {
            continue;
        }
        if explained(expr, answer, &found) {
            *count.entry("explained").or_default() += 1;
        } else {
            writeln!(wrong, "{expr}\n  is {found}\n not {want}\n     {}", answer["message"]).expect("text");
        }
    }
    println!("{count:?}");
    assert!(wrong.is_empty(), "{} of {} differ:\n{wrong}", wrong.matches("\n  is ").count(), questions.len());
}

/// The answer of Sailplane: the value or the kind of error, and the costs.
fn found(expr: &str, device: &Json) -> Json {
    let Ok(selector) = Selector::compile(expr) else { return json!({"error": "compile"}) };
    let device = Device::read(device).expect("a device");
    let found = selector.matches(&device, cel::device::BUDGET);
    let mut answer = json!({"cost": found.cost, "worst": selector.worst_cost()});
    match found.outcome {
        Ok(value) => answer["value"] = value.into(),
        Err(_) => answer["error"] = "runtime".into(),
    }
    answer
}

fn wanted(answer: &Json) -> Json {
    let mut wanted = answer.clone();
    let fields = wanted.as_object_mut().expect("an object");
    fields.remove("message");
    if answer["error"] != "compile" {
        // Go leaves out what is zero.
        fields.entry("worst").or_insert_with(|| 0.into());
        fields.entry("cost").or_insert_with(|| 0.into());
    }
    wanted
}

/// Whether a difference is known: Kubernetes visits maps in random order, and for a device that cannot be converted we return
/// the error before there is a cost.
fn explained(expr: &str, answer: &Json, found: &Json) -> bool {
    let macros = ["map(", "all(", "exists", "filter(", "transform"];
    let walks_map = macros.iter().any(|name| expr.contains(name))
        && (expr.contains("device.attributes") || expr.contains("device.capacity") || expr.contains('{'));
    let same_but_cost = found["value"] == answer["value"] && found["error"] == answer["error"];
    walks_map || (same_but_cost && answer["message"].as_str().is_some_and(|message| message.starts_with("attribute ")))
}

fn ask(questions: &[Json]) -> Vec<Json> {
    let oracle = env::var_os("CEL_ORACLE").expect("CEL_ORACLE names the oracle");
    let mut child =
        Command::new(oracle).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the oracle starts");
    let mut input = child.stdin.take().expect("standard input");
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().expect("the oracle answers");
    writer.join().expect("no panic").expect("questions are read");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
