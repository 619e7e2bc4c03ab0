//! The worst inputs that are known: those that take most time or memory for their size, at every door. Each is read by a
//! real process, so what is measured is what an attacker gets.
//!
//! A row of the tables says what an input is, and has a function that makes it in any size. `WORST=text` measures one sort
//! alone, `WORST_MB=2` another size: an input that takes four times as long then is quadratic.

mod bytes;
mod clients;
mod components;
mod definitions;
mod documents;
mod input;
mod memory;
mod process;
mod requests;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::input::{Door, Input};
use self::process::Use;
use crate::hostile;
use crate::report::{Bound, Report};

/// The bound of 1 MB of anything, in seconds.
const TIME: f64 = 2.0;
/// The bound of 1 MB of anything, in MB of memory.
const MEMORY: f64 = 250.0;

/// The rows of a sort of inputs: its name, those of its figures, and the inputs.
type Sort = (&'static str, [&'static str; 2], fn() -> Vec<Input>);

const SORTS: &[Sort] = &[
    ("text", ["the worst text, 1 MB", "  memory of the worst text, 1 MB"], texts::inputs),
    ("document", ["the worst documents, 1 MB", "  memory of the worst documents, 1 MB"], documents::inputs),
    ("request", ["the worst request, 1 MB", "  memory of the worst request, 1 MB"], requests::inputs),
    ("selector", ["the worst selector", "  memory of the worst selector"], selectors),
    ("definition", ["the worst definition, 1 MB", "  memory of the worst definition, 1 MB"], definitions::inputs),
    ("component", ["the worst component, 1 MB", "  memory of the worst component, 1 MB"], components::inputs),
];

pub(crate) fn measure(report: &mut Report) {
    let chosen = std::env::var("WORST").unwrap_or_default();
    let size = std::env::var("WORST_MB").map_or(1.0, |size| size.parse().expect("a number of megabytes"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-worst");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("target/ can be written to");
    let is_chosen = |sort: &str| chosen.is_empty() || chosen == sort;
    for (sort, names, inputs) in SORTS.iter().filter(|(sort, ..)| is_chosen(sort)) {
        let (mut slowest, mut largest) = (("", 0.0), ("", 0.0));
        for input in inputs() {
            let Use { seconds, work, memory } = input.measure(&folder, size);
            eprintln!("  {sort}: {}: {seconds:.2} s, {work:.2} s of processors, {memory:.0} MB", input.what);
            slowest = if seconds > slowest.1 { (input.what, seconds) } else { slowest };
            largest = if memory > largest.1 { (input.what, memory) } else { largest };
        }
        eprintln!("the worst {sort}: {} by time, {} by memory", slowest.0, largest.0);
        report.add(names[0], slowest.1, "s", Bound::Most(TIME));
        report.add(names[1], largest.1, "MB", Bound::Most(MEMORY));
    }
    if is_chosen("client") {
        clients::measure(report);
    }
    if is_chosen("idle") {
        memory::measure(report);
    }
}

impl Input {
    /// What this many megabytes of it take. Of time it is what a megabyte takes, of memory what a process takes.
    fn measure(&self, folder: &Path, megabytes: f64) -> Use {
        let wanted = (megabytes * 1e6) as usize;
        let bytes = (self.make)(wanted);
        match self.door {
            Door::Command(arguments) => {
                let file = written(folder, "input.yaml", &bytes);
                let place = |argument: &&str| if *argument == "FILE" { file.clone() } else { PathBuf::from(argument) };
                let mut command = Command::new(tests::artifacts::sailplane());
                process::run(command.args(arguments.iter().map(place)), folder)
            }
            Door::Schema(name, object) => {
                let (schema, object) = (written(folder, name, &bytes), written(folder, "object.yaml", &object(wanted)));
                let mut command = Command::new(tests::artifacts::sailplane());
                let both = process::run(command.arg("check").arg(object).arg("--schemas").arg(schema), folder);
                let _ = fs::remove_file(folder.join(name));
                both
            }
            Door::Function => clients::call(&bytes),
            Door::Webhook(path) => clients::review(path, &bytes),
        }
    }
}

/// The selectors of another part, with memory. A selector is shorter than 1 MB by far.
fn selectors() -> Vec<Input> {
    // The expression is an argument, so each has a door of its own.
    let inputs = hostile::selectors().into_iter().map(|(what, text)| {
        let arguments: &'static [&'static str] = Vec::from(["cel", text.leak(), "--device", "FILE"]).leak();
        Input { what, make: |_| crate::expressions::device(0).to_string().into_bytes(), door: Door::Command(arguments) }
    });
    inputs.collect()
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap_or(folder)).expect("target/ can be written to");
    fs::write(&file, bytes).expect("target/ can be written to");
    file
}
