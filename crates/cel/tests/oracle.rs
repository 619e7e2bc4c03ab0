//! Expressions made of those that are known, held against Kubernetes' own answers.
//!
//! `CEL_ORACLE=target/tools/bin/cel-oracle cargo test -p cel --test oracle -- --ignored`, with `CEL_CASES` and `CEL_START` for
//! other ones than usual.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::{env, thread};

use cel::{Device, Selector};
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
    let mut random = Random(number("CEL_START", 1));
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

/// What Sailplane answers: the value, or the kind of error; and the costs.
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

/// Differences that are known, and meant: Kubernetes walks maps in any order, and knows time zones by name. A device that
/// cannot be converted is an error before there is a cost.
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

/// A generator that is the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % below.max(1) as u64).unwrap_or(0)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.next(from.len())]
    }

    /// A known expression with some tokens replaced by those of others, or several in one.
    fn expression(&mut self, known: &[(&str, usize)]) -> (String, usize) {
        let (first, device) = self.pick(known);
        let mut parts = Vec::new();
        for _ in 0..3 {
            let text = if parts.is_empty() { first } else { self.pick(known).0 };
            parts.push(if self.next(2) == 0 { text.to_owned() } else { self.mutated(text, known) });
        }
        let [a, b, c] = [&parts[0], &parts[1], &parts[2]];
        let expr = match self.next(12) {
            0 => format!("({a}) && ({b})"),
            1 => format!("({a}) || ({b})"),
            2 => format!("!({a})"),
            3 => format!("({a}) ? ({b}) : ({c})"),
            4 => format!("({a}) == ({b})"),
            5 => format!("[{a}, {b}].exists(x, x == ({c}))"),
            6 => format!("cel.bind(v, {a}, v && ({b}))"),
            7 => format!("dyn({a}) != dyn({b})"),
            _ => parts[0].clone(),
        };
        (expr, device)
    }

    fn mutated(&mut self, text: &str, known: &[(&str, usize)]) -> String {
        let mut tokens = tokens(text);
        for _ in 0..=self.next(2) {
            if tokens.is_empty() {
                break;
            }
            let at = self.next(tokens.len());
            let others = self::tokens(self.pick(known).0);
            match self.next(6) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, self.pick(&others)),
                // A token of the same kind more often than not fits.
                _ => {
                    let kind = |token: &str| {
                        token.chars().next().map(|it| (it.is_alphabetic(), it.is_ascii_digit(), it == '"'))
                    };
                    let alike: Vec<&str> = others.into_iter().filter(|other| kind(other) == kind(tokens[at])).collect();
                    if !alike.is_empty() {
                        tokens[at] = self.pick(&alike);
                    }
                }
            }
        }
        tokens.concat()
    }
}

/// Words, numbers, texts and single signs, with what is between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |next: char| next.is_alphanumeric() || next == '_';
        let length = match first {
            '"' | '\'' => rest[1..].find(first).map_or(1, |end| end + 2),
            first if word(first) => rest.find(|next| !word(next)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}
