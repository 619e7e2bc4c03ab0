//! The performance budgets, measured as ratios in one run (`make bench`).
//!
//! Absolute figures depend on the machine and are only illustrations; a ratio of two things measured side by side
//! is not. `--baseline` compares with the figures kept in `baseline.json`, `--record` writes them.

mod calls;
mod canned;
mod raw;
mod report;
mod server;
mod sizes;

use mimalloc::MiMalloc;
use report::Report;

/// As in the binary, so that the canned server is the same one but for the component.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(position) = arguments.iter().position(|argument| argument == "--canned") {
        return canned::serve(&arguments[position + 1], &arguments[position + 2]);
    }
    let mut report = Report::default();
    sizes::measure(&mut report);
    calls::measure(&mut report);
    server::measure(&mut report);
    report.print();
    let baseline = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/baseline.json");
    if arguments.iter().any(|argument| argument == "--record") {
        report.record(baseline);
    } else {
        report.compare(baseline);
    }
}
