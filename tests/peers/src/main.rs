//! Holds CEL interpreters from elsewhere against the vectors that our own engine is judged by: device selectors and
//! validation rules, with what Kubernetes makes of them.
//!
//! `make peers` compares with `score.json`, which docs/cel.md shows; `BLESS=1` writes it. Each interpreter gets the
//! variables, the functions of Kubernetes for quantities and versions, and every extension of its own that
//! Kubernetes has too. It fails when our own engine misses one vector.

mod earlier;
mod engine;
mod kubernetes;
mod ours;
mod score;
mod successor;
mod vectors;

use std::process::ExitCode;
use std::{env, fs, panic, thread};

use score::Score;
use serde_json::{Value as Json, json};
use vectors::Vectors;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/score.json");

/// Some vectors nest 249 deep.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    thread.join().expect("no panic")
}

fn run() -> ExitCode {
    // Panics are counted, not shown.
    panic::set_hook(Box::new(|_| ()));
    let vectors = Vectors::read();
    let scores = [
        score::of::<ours::Sailplane>(&vectors),
        score::of::<successor::Successor>(&vectors),
        score::of::<earlier::Earlier>(&vectors),
    ];
    drop(panic::take_hook());
    if let Ok(which) = env::var("SHOW") {
        scores.iter().for_each(|score| score.show(&which, &vectors));
    }
    let times = score::times(&vectors, &scores);
    let found = json!({
        "vectors": vectors.all.len(),
        "costs": vectors.all.iter().filter(|vector| vector.cost.is_some()).count(),
        "estimates": vectors.all.iter().filter(|vector| vector.worst.is_some()).count(),
        "engines": scores.iter().zip(&times).map(|(score, times)| score.json(times)).collect::<Vec<_>>(),
        "timed": times.first().map_or(0, |times| times.vectors),
    });
    println!("{found:#}");
    let wrong = scores[0].wrong(&vectors);
    if !wrong.is_empty() {
        eprintln!("our own engine differs from Kubernetes:\n{}", wrong.join("\n"));
        return ExitCode::FAILURE;
    }
    settle(&found, &scores)
}

/// Writes the score, or compares it with the one that is written: outcomes, not times.
fn settle(found: &Json, scores: &[Score]) -> ExitCode {
    if env::var_os("BLESS").is_some() {
        fs::write(FILE, format!("{found:#}\n")).expect("the score can be written");
        return ExitCode::SUCCESS;
    }
    let written = fs::read_to_string(FILE).unwrap_or_default();
    let written: Json = serde_json::from_str(&written).unwrap_or_default();
    let same = |(index, score): (usize, &Score)| score.same_outcomes(&written["engines"][index]);
    if found["vectors"] == written["vectors"] && scores.iter().enumerate().all(same) {
        return ExitCode::SUCCESS;
    }
    eprintln!("{FILE} is not current: `BLESS=1 make peers`, then `make generate`");
    ExitCode::FAILURE
}
