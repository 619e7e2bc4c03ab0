//! The performance budgets, measured as ratios in one run (`make bench`).
//!
//! Absolute figures depend on the machine and are only illustrations; a ratio of two things measured side by side
//! is not. The figures are compared with those kept in `baseline.json`; `--record` writes them.

mod calls;
mod canned;
mod clock;
mod expressions;
mod hostile;
mod manifests;
mod raw;
mod report;
mod server;
mod sizes;
mod webhooks;

use mimalloc::MiMalloc;
use report::Report;

/// As in the binary, so that the canned server is the same one but for the component.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Measures, and adds what it found.
type Part = fn(&mut Report);

/// What can be measured alone, by name: `cargo bench --bench budgets -- hostile`.
const PARTS: &[(&str, Part)] = &[
    ("sizes", sizes::measure),
    ("calls", calls::measure),
    ("expressions", expressions::measure),
    ("hostile", hostile::measure),
    ("manifests", manifests::measure),
    ("server", server::measure),
    ("webhooks", webhooks::measure),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(position) = arguments.iter().position(|argument| argument == "--canned") {
        return canned::serve(&arguments[position + 1], &arguments[position + 2]);
    }
    let chosen: Vec<_> = arguments.iter().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let mut report = Report::default();
    for (name, measure) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|chosen| chosen == name) {
            measure(&mut report);
        }
    }
    report.print();
    let baseline = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/baseline.json");
    if arguments.iter().any(|argument| argument == "--record") && chosen.is_empty() {
        report.record(baseline);
    } else {
        report.compare(baseline);
    }
}
