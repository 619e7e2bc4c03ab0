//! The performance budgets, measured as ratios in one run (`make bench`).
//!
//! Absolute figures depend on the machine and are only illustrations; a ratio of two things measured side by side
//! is not. What is compared takes turns, in short rounds; the table has the median and where half of the rounds lie.
//! A bound that is missed fails the run, unless `known.rs` says why it is and since when. The figures are compared with
//! those kept in `baseline.json`; `--record` writes them, and `make generate` takes them into the documents.

mod allowing;
mod calls;
mod canned;
mod clock;
mod expressions;
mod hostile;
mod known;
mod manifests;
mod native;
mod raw;
mod report;
mod server;
mod sizes;
mod webhooks;

use std::process::ExitCode;

use mimalloc::MiMalloc;
use report::Report;

/// As in the binary, so that the servers beside ours are the same but for the component.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Measures, and adds what it found.
type Part = fn(&mut Report);

/// What can be measured alone, by name: `cargo bench --workspace --bench budgets -- hostile`.
const PARTS: &[(&str, Part)] = &[
    ("sizes", sizes::measure),
    ("calls", calls::measure),
    ("expressions", expressions::measure),
    ("hostile", hostile::measure),
    ("manifests", manifests::measure),
    ("server", server::measure),
    ("webhooks", webhooks::measure),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // What it starts itself as, to measure beside.
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--canned", address, response] => {
            canned::serve(address, response);
            return ExitCode::SUCCESS;
        }
        ["--allowing", address, certificates] => {
            allowing::serve(address, certificates);
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    // Cargo says `--bench`.
    let (flags, chosen): (Vec<_>, Vec<_>) =
        arguments.iter().filter(|argument| *argument != "--bench").partition(|argument| argument.starts_with("--"));
    let names: Vec<_> = PARTS.iter().map(|part| part.0).collect();
    if flags.iter().any(|flag| *flag != "--record") || chosen.iter().any(|name| !names.contains(&name.as_str())) {
        eprintln!("usage: budgets [--record] [PART…]\nparts: {}", names.join(", "));
        return ExitCode::from(2);
    }
    let mut report = Report::default();
    for (name, measure) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            measure(&mut report);
        }
    }
    report.print();
    report.compare();
    if !flags.is_empty() {
        report.record(chosen.is_empty());
    }
    let failures = report.failures(chosen.is_empty());
    failures.iter().for_each(|failure| println!("{failure}"));
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
