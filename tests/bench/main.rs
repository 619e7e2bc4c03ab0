//! The performance budgets, measured as ratios in one run (`make bench`).
//!
//! Absolute figures depend on the machine, so they are only illustrations. Ratios of two things that are measured in
//! one run depend much less on it. Things that are compared take turns, in short rounds. The table shows the median and
//! the quartiles. A missed bound fails the run, unless `known.rs` says why it is missed, and since when. The figures
//! are compared with those in `baseline.json`. `--record` writes that file, and `make generate` copies its figures into
//! the documents.

mod allowing;
mod calls;
mod clock;
mod crowd;
mod expressions;
mod fleet;
mod fleet_calls;
mod hostile;
mod known;
mod manifests;
mod models;
mod native;
mod raw;
mod report;
mod scheduler;
mod server;
mod sizes;
mod webhooks;
mod worst;

use std::process::ExitCode;

use mimalloc::MiMalloc;
use report::Report;

/// The allocator of the binary too. So the servers that we compare with differ from ours only by the component.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A part of the measurements. It adds its figures to the report.
type Part = fn(&mut Report);

/// The parts, which can be run alone by their names: `cargo bench --workspace --bench budgets -- hostile`.
const PARTS: &[(&str, Part)] = &[
    ("sizes", sizes::measure),
    ("calls", calls::measure),
    ("expressions", expressions::measure),
    ("hostile", hostile::measure),
    ("manifests", manifests::measure),
    ("server", server::measure),
    ("fleet", fleet::measure),
    ("fleet-calls", fleet_calls::measure),
    ("models", models::measure),
    ("scheduler", scheduler::measure),
    ("webhooks", webhooks::measure),
    ("crowd", crowd::measure),
    ("worst", worst::measure),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // It starts itself with these arguments, as the webhook that ours is compared with.
    if let [flag, address, certificates] = arguments.as_slice()
        && flag == "--allowing"
    {
        allowing::serve(address, certificates);
        return ExitCode::SUCCESS;
    }
    // Cargo adds `--bench`.
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
