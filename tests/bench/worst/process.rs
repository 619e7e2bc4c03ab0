//! Runs a process, and watches what it takes.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a process may take. A row that is killed then has missed its bound by far.
const LONGEST: Duration = Duration::from_secs(70);
/// How often its memory is looked at. Linux keeps the peak as long as the process runs.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// What something takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) seconds: f64,
    /// The seconds of processors, which other load on the machine hardly changes.
    pub(super) work: f64,
    /// The largest resident memory of the process, in MB.
    pub(super) memory: f64,
}

/// Runs a command to its end. What it prints goes to files.
pub(super) fn run(command: &mut Command, folder: &Path) -> Use {
    let output = |name: &str| File::create(folder.join(name)).expect("target/ can be written to");
    command.stdin(Stdio::null()).stdout(output("stdout")).stderr(output("stderr"));
    let begun = Instant::now();
    let mut child = command.spawn().expect("the binary can be run");
    let (mut peak, mut work, id) = (0.0, 0.0, child.id());
    while child.try_wait().expect("a child can be waited for").is_none() {
        peak = memory(id, "VmHWM:").unwrap_or(peak);
        work = self::work(id).unwrap_or(work);
        if begun.elapsed() > LONGEST {
            child.kill().expect("it runs");
            child.wait().expect("a child can be waited for");
            break;
        }
        thread::sleep(LOOK_EVERY);
    }
    Use { seconds: begun.elapsed().as_secs_f64(), work, memory: peak }
}

/// The seconds of processors that a process has had. `None` when it has ended.
pub(super) fn work(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The fields after the name, which is in parentheses. Linux counts in hundredths of a second.
    let fields = stat.rsplit(')').next()?.split_whitespace().skip(11).take(2);
    Some(fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0)
}

/// A field of what Linux says about the memory of a process, in MB. `None` when the process has ended.
pub(super) fn memory(process: u32, field: &str) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}
