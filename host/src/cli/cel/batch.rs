//! Evaluates many selectors: reads JSON lines and prints JSON lines.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cli::stdout;
use crate::engine::Engine;
use crate::wit::expressions::{Outcome, Request, Stage, Subject, Trial};

/// The largest number of lines in one call.
const CHUNK: usize = 256;

/// A line. Further fields are allowed and ignored.
#[derive(Deserialize)]
struct Line {
    expr: String,
    device: Value,
}

/// The answer to a line.
#[derive(Serialize)]
#[serde(untagged)]
enum LineAnswer {
    Value { value: Value, cost: u64 },
    Error { error: &'static str, message: String },
}

/// Answers each line when it arrives. Returns false when a line cannot be read.
pub(super) fn run(engine: &Engine, input: impl Read) -> Result<bool> {
    let mut reader = BufReader::with_capacity(1 << 16, input);
    let mut readable = true;
    loop {
        let lines = chunk(&mut reader).context("cannot read standard input")?;
        if lines.is_empty() {
            return Ok(readable);
        }
        let lines: Vec<_> = lines.iter().map(|line| serde_json::from_slice(line)).collect();
        readable &= lines.iter().all(Result::is_ok);
        let answers = answer(engine, lines)?;
        let answers = answers.iter().map(|answer| Ok(serde_json::to_string(answer)? + "\n"));
        stdout::print(&answers.collect::<Result<String>>()?)?;
    }
}

/// The name, for programs, of the stage at which an evaluation stopped.
pub(super) fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Compile => "compile",
        Stage::NotBoolean => "type",
        Stage::Runtime => "runtime",
        Stage::Cost => "cost",
    }
}

/// The next lines: waits for one, and adds the lines that have arrived already. Empty at the end of the input.
fn chunk(reader: &mut BufReader<impl Read>) -> std::io::Result<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    while lines.is_empty() || (lines.len() < CHUNK && reader.buffer().contains(&b'\n')) {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if !line.trim_ascii().is_empty() {
            lines.push(line);
        }
    }
    Ok(lines)
}

fn answer(engine: &Engine, lines: Vec<serde_json::Result<Line>>) -> Result<Vec<LineAnswer>> {
    let mut devices = Devices::default();
    let mut trials = Vec::new();
    let mut refused = Vec::new();
    for line in lines {
        refused.push(line.as_ref().err().map(|error| format!("not a line with `expr` and `device`: {error}")));
        if let Ok(Line { expr, device }) = line {
            trials.push(Trial { expression: expr, subject: devices.index(&device) });
        }
    }
    let count = trials.len();
    let outcomes =
        engine.evaluate(&Request { subjects: devices.subjects, trials }).context("cannot try these lines")?;
    ensure!(outcomes.len() == count, "the module gave {} answers to {count} expressions", outcomes.len());
    let mut outcomes = outcomes.into_iter();
    let answers = refused.into_iter().map(|refused| match refused {
        Some(message) => Ok(LineAnswer::Error { error: "input", message }),
        None => outcomes.next().context("an answer is missing").and_then(LineAnswer::of),
    });
    answers.collect()
}

impl LineAnswer {
    fn of(outcome: Outcome) -> Result<Self> {
        Ok(match outcome.value {
            Ok(value) => Self::Value {
                value: serde_json::from_str(&value).context("a module printed something that is no JSON")?,
                cost: outcome.cost.context("a module gave a value without its cost")?,
            },
            Err(failure) => Self::Error { error: name(failure.stage), message: failure.message },
        })
    }
}

/// The devices of some lines. Equal devices are stored once.
#[derive(Default)]
struct Devices {
    subjects: Vec<Subject>,
    indices: BTreeMap<String, u32>,
}

impl Devices {
    fn index(&mut self, device: &Value) -> u32 {
        let text = device.to_string();
        if let Some(known) = self.indices.get(&text) {
            return *known;
        }
        let index = u32::try_from(self.subjects.len()).unwrap_or(u32::MAX);
        self.subjects.push(Subject::Device(text.clone()));
        self.indices.insert(text, index);
        index
    }
}
