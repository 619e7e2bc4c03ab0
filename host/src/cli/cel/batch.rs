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
/// The largest line, in bytes.
const MAX_LINE: usize = 4 << 20;

/// The error of a line that a module does not answer.
const FAILED: &str = "failed";

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
        let lines: Vec<_> = lines.iter().map(|line| read(line)).collect();
        readable &= lines.iter().all(Result::is_ok);
        let answers = answer(engine, lines);
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
        let limit = u64::try_from(MAX_LINE + 1).unwrap_or(u64::MAX);
        if reader.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() > MAX_LINE && !line.ends_with(b"\n") {
            reader.skip_until(b'\n')?;
        }
        if !line.trim_ascii().is_empty() {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// Reads a line.
///
/// # Errors
/// What is wrong with it.
fn read(line: &[u8]) -> Result<Line, String> {
    if line.len() > MAX_LINE {
        return Err(format!("the line has more than {MAX_LINE} bytes"));
    }
    serde_json::from_slice(line).map_err(|error| format!("not a line with `expr` and `device`: {error}"))
}

/// An answer for each line.
fn answer(engine: &Engine, lines: Vec<Result<Line, String>>) -> Vec<LineAnswer> {
    let (mut readable, mut refused) = (Vec::new(), Vec::new());
    for line in lines {
        refused.push(line.map(|line| readable.push(line)).err());
    }
    let mut outcomes = evaluate(engine, &readable).into_iter();
    let missing = || LineAnswer::Error { error: FAILED, message: "the module gave no answer".to_owned() };
    let answers = refused.into_iter().map(|refused| match refused {
        Some(message) => LineAnswer::Error { error: "input", message },
        None => outcomes.next().unwrap_or_else(missing),
    });
    answers.collect()
}

/// Evaluates lines with one call. When it fails, evaluates each line alone, so that one line does not hide the others.
fn evaluate(engine: &Engine, lines: &[Line]) -> Vec<LineAnswer> {
    let error = match call(engine, lines) {
        Ok(outcomes) => {
            let failed = |error: anyhow::Error| LineAnswer::Error { error: FAILED, message: format!("{error:#}") };
            return outcomes.into_iter().map(|outcome| LineAnswer::of(outcome).unwrap_or_else(failed)).collect();
        }
        Err(error) => error,
    };
    match lines {
        [_] => vec![LineAnswer::Error { error: FAILED, message: format!("{error:#}") }],
        several => several.iter().flat_map(|line| evaluate(engine, std::slice::from_ref(line))).collect(),
    }
}

fn call(engine: &Engine, lines: &[Line]) -> Result<Vec<Outcome>> {
    let mut devices = Devices::default();
    let trial = |line: &Line| Trial { expression: line.expr.clone(), subject: devices.index(&line.device) };
    let trials: Vec<_> = lines.iter().map(trial).collect();
    let outcomes = engine.evaluate(&Request { subjects: devices.subjects, trials })?;
    ensure!(outcomes.len() == lines.len(), "the module gave {} answers to {} expressions", outcomes.len(), lines.len());
    Ok(outcomes)
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
