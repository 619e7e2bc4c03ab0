//! Prints the time of the expressions that take the most time for their cost: `cargo run --release -p cel --example worst`.
//! A word selects rows by a part of their names. Beside the time is the work that was counted, in milliseconds.

#![expect(clippy::panic, reason = "a row that does not compile is a mistake here")]
#![expect(clippy::disallowed_types, reason = "this measures")]

use std::fs;
use std::time::{Duration, Instant};

use cel::Limits;

#[path = "../tests/expensive/mod.rs"]
mod expensive;

/// The cost limit of a selector, and of one evaluation of a rule, with the usual limit of work.
const LIMITS: Limits = Limits { cost: 1_000_000, work: 50_000_000 };

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    println!("{:>8} {:>8} {:>9}  {:<50}  row", "ms", "counted", "cost", "outcome");
    for row in expensive::rows().iter().filter(|row| row.name.contains(&word)) {
        let start = Instant::now();
        let before = cpu_time();
        let (cost, work, outcome) = row.run(LIMITS, |run| {
            let outcome = match &run.outcome {
                Ok(_) => "a value".to_owned(),
                Err(error) => error.message.chars().take(50).collect(),
            };
            (run.cost, run.work, outcome)
        });
        let time = match (before, cpu_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => start.elapsed(),
        };
        let counted = work as f64 / 1e6;
        println!("{:>8.1} {counted:>8.1} {cost:>9}  {outcome:<50}  {}", time.as_secs_f64() * 1e3, row.name);
    }
}

/// The time that this process has computed, where the system tells it: other processes do not disturb it.
fn cpu_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
