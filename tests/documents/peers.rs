//! docs/cel.md says how interpreters from elsewhere do on the vectors of our own: `tests/peers/score.json`, which
//! `make peers` measures.

use std::fs;

use serde_json::Value;
use tests::files::{bless, workspace};

const DOCUMENT: &str = "docs/cel.md";
const BEGIN: &str =
    "<!-- scores of tests/peers/score.json: `make peers` measures it, `make generate` writes them -->\n";
const END: &str = "<!-- end -->";

/// The files with the vectors, and the lists in them.
const VECTORS: [(&str, &str); 2] =
    [("crates/cel/tests/devices.json", "cases"), ("crates/cel/tests/rules.json", "rules")];

/// What the table says of an engine.
enum Cell {
    /// Of a number of vectors.
    Count(&'static str),
    /// Of a number of vectors that only an engine that counts has.
    Counted(&'static str, &'static str),
    /// In a unit.
    Time(&'static str, &'static str),
}

const ROWS: &[(&str, Cell)] = &[
    ("has the outcome of Kubernetes", Cell::Count("agrees")),
    ("takes what Kubernetes refuses: no types are checked", Cell::Count("accepts")),
    ("refuses what Kubernetes takes", Cell::Count("refuses")),
    ("has no such function", Cell::Count("noFunction")),
    ("fails where Kubernetes has a value", Cell::Count("fails")),
    ("has a value where Kubernetes fails", Cell::Count("answers")),
    ("has another value", Cell::Count("wrong")),
    ("panics", Cell::Count("panics")),
    ("counts the cost that Kubernetes counts", Cell::Counted("costs", "costs")),
    ("estimates the cost that Kubernetes estimates", Cell::Counted("estimates", "estimates")),
    ("time to compile, with the check of types where there is one", Cell::Time("compileMicros", "µs")),
    ("time to evaluate", Cell::Time("runMicros", "µs")),
    ("time of the longest vector", Cell::Time("longestMillis", "ms")),
];

#[test]
fn are_shown_as_they_were_measured() {
    let score = read("tests/peers/score.json");
    let path = workspace().join(DOCUMENT);
    let text = fs::read_to_string(&path).expect("a document");
    let (before, rest) = text.split_once(BEGIN).expect("a place for the score");
    let (_, after) = rest.split_once(END).expect("an end of the score");
    let difference = bless(&path, &format!("{before}{BEGIN}{}{END}{after}", table(&score))).err().unwrap_or_default();
    assert!(difference.is_empty(), "{difference}");
}

/// The score is of the vectors that there are, and our own engine has all of them right.
#[test]
fn were_measured_with_these_vectors() {
    let score = read("tests/peers/score.json");
    let count = |(file, list): (&str, &str)| read(file)[list].as_array().map_or(0, Vec::len);
    let vectors: usize = VECTORS.into_iter().map(count).sum();
    assert_eq!(score["vectors"], vectors, "`BLESS=1 make peers` measures anew");
    let ours = &score["engines"][0];
    assert_eq!((&ours["agrees"], &ours["costs"]), (&score["vectors"], &score["costs"]));
    assert_eq!(ours["estimates"], score["estimates"]);
}

fn table(score: &Value) -> String {
    let engines = score["engines"].as_array().expect("a list");
    let line = |first: &str, cell: &dyn Fn(&Value) -> String| {
        let cells: Vec<String> = engines.iter().map(cell).collect();
        format!("| {first} | {} |\n", cells.join(" | "))
    };
    let head = line(&format!("of {} expressions", score["vectors"]), &|engine| {
        engine["name"].as_str().unwrap_or_default().to_owned()
    });
    let rule = format!("|---|{}\n", "--:|".repeat(engines.len()));
    let rows = ROWS.iter().map(|(words, cell)| line(words, &|engine| shown(cell, engine, score)));
    format!("\n{head}{rule}{}\n", rows.collect::<String>())
}

fn shown(cell: &Cell, engine: &Value, score: &Value) -> String {
    match cell {
        Cell::Count(key) => engine[key].to_string(),
        Cell::Counted(key, all) => match engine[key].as_u64() {
            Some(0) | None => "–".to_owned(),
            Some(found) => format!("{found} of {}", score[all]),
        },
        Cell::Time(key, unit) => {
            format!("{} {unit}", crate::figures::rounded(engine[key].as_f64().unwrap_or_default()))
        }
    }
}

fn read(file: &str) -> Value {
    let text = fs::read_to_string(workspace().join(file)).expect("a file of the checkout");
    serde_json::from_str(&text).expect("JSON")
}
