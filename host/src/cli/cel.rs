//! `sailplane cel`: evaluates an expression in Kubernetes' dialect of CEL, and prints its value and cost.

mod args;
mod batch;
mod slices;
mod subject;

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use self::args::CelFormat;
use self::batch::name;
use super::{report, stdout};
use crate::foreign::visible;
use crate::wit::expressions::{Failure, Outcome, Place, Request, Stage, Trial};
use crate::wit::preview::{Diagnostic, Gravity, Location};
use crate::wit::types::{Problem, ProblemCode};

pub(super) use self::args::CelArgs;

/// The deadline of a call. Every expression ends long before, because Kubernetes' cost limits stop it.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Evaluates. Returns false when there is no value, or when a line of a batch cannot be read.
pub(super) fn run(args: &CelArgs) -> Result<bool> {
    let engine = args.modules.load(TIMEOUT)?;
    let Some(expression) = &args.expression else {
        return batch::run(&engine, std::io::stdin().lock());
    };
    let (devices, subjects): (Vec<_>, Vec<_>) =
        subject::read(args)?.into_iter().map(|named| (named.device, named.subject)).unzip();
    let trial = |subject| Trial { expression: expression.clone(), subject };
    let trials: Vec<_> = (0..number(subjects.len())).map(trial).collect();
    let outcomes = engine.evaluate(&Request { subjects, trials }).context("cannot try the expression")?;
    anyhow::ensure!(outcomes.len() == devices.len(), "the module gave {} answers", outcomes.len());
    let outcomes: Vec<_> = devices.into_iter().zip(outcomes).collect();
    match args.output {
        CelFormat::Json => print_json(&outcomes)?,
        CelFormat::Text => print_text(expression, &outcomes, args.schema.is_some())?,
    }
    Ok(outcomes.iter().all(|(_, outcome)| outcome.value.is_ok()))
}

/// An outcome, with the name of its device when it is one of a ResourceSlice.
type NamedOutcome = (Option<String>, Outcome);

/// Prints an object for each outcome: devices of ResourceSlices are in a list.
fn print_json(outcomes: &[NamedOutcome]) -> Result<()> {
    let answer = |(device, outcome): &NamedOutcome| {
        let mut answer = to_json(outcome)?;
        if let Some(device) = device {
            answer["device"] = device.as_str().into();
        }
        Ok(answer)
    };
    let answers = outcomes.iter().map(answer).collect::<Result<Vec<_>>>()?;
    let answers = match answers.as_slice() {
        [answer] if answer.get("device").is_none() => answer.clone(),
        _ => Value::Array(answers),
    };
    stdout::print(&format!("{answers:#}\n"))
}

/// Prints the values, and reports failures. What does not compile fails for each device alike, so it is reported once.
fn print_text(expression: &str, outcomes: &[NamedOutcome], rule: bool) -> Result<()> {
    for (index, (device, outcome)) in outcomes.iter().enumerate() {
        let device = device.as_deref();
        match &outcome.value {
            Ok(value) => stdout::print(&to_text(device, value, outcome, rule))?,
            Err(failure) if failure.stage == Stage::Compile => {
                show(expression, None, failure);
                return Ok(());
            }
            Err(failure) => show(expression, device, failure),
        }
        if index + 1 < outcomes.len() && outcome.value.is_ok() {
            stdout::print("\n")?;
        }
    }
    Ok(())
}

fn to_text(device: Option<&str>, value: &str, outcome: &Outcome, rule: bool) -> String {
    let mut rows: Vec<_> = device.map(|device| ("device", visible(device).into_owned())).into_iter().collect();
    rows.push(("value", visible(value).into_owned()));
    rows.extend(outcome.cost.map(|cost| ("cost", cost.to_string())));
    // Kubernetes estimates the cost of rules only; for selectors it limits the actual cost.
    rows.extend(outcome.estimate.filter(|_| rule).map(|most| ("estimate", format!("at most {most}"))));
    rows.into_iter().map(|(name, value)| format!("{name:10}{value}\n")).collect()
}

fn to_json(outcome: &Outcome) -> Result<Value> {
    let mut answer = match &outcome.value {
        Ok(value) => {
            let value: Value = serde_json::from_str(value).context("a module printed something that is no JSON")?;
            json!({ "value": value })
        }
        Err(Failure { stage, message, place, meant }) => {
            let mut answer = json!({"error": name(*stage), "message": message});
            if let Some(Place { line, column }) = *place {
                answer["line"] = line.into();
                answer["column"] = column.into();
            }
            if let Some(meant) = meant {
                answer["meant"] = meant.as_str().into();
            }
            answer
        }
    };
    for (key, number) in [("cost", outcome.cost), ("estimate", outcome.estimate)] {
        if let Some(number) = number {
            answer[key] = number.into();
        }
    }
    Ok(answer)
}

/// Reports a failure, with a mark at the place in the expression. The path of the problem is the device.
fn show(expression: &str, device: Option<&str>, failure: &Failure) {
    let location = failure.place.map_or_else(|| whole(expression), |place| mark(expression, place));
    let code = match failure.stage {
        Stage::Compile => ProblemCode::Syntax,
        Stage::NotBoolean => ProblemCode::TypeInvalid,
        Stage::Runtime | Stage::Cost => ProblemCode::Invalid,
    };
    let problem = Problem {
        path: device.unwrap_or_default().to_owned(),
        code,
        message: failure.message.clone(),
        fix: None,
        hint: failure.meant.as_ref().map(|meant| format!("did you mean `{meant}`?")),
    };
    let diagnostic = Diagnostic { gravity: Gravity::Error, problem, location: Some(location) };
    report::show(&[diagnostic], &vec![("expression".to_owned(), expression.to_owned())]);
}

/// The location of the whole expression.
fn whole(expression: &str) -> Location {
    let line = number(expression.lines().count().max(1));
    let end_column = number(expression.lines().last().unwrap_or_default().chars().count() + 1);
    Location { text: 0, document: 0, line: 1, column: 1, end_line: line, end_column }
}

/// The location of the name or character at a place. When there is a dot, the location includes the name after it.
fn mark(expression: &str, Place { line, column }: Place) -> Location {
    let index = |number: u32| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let rest: String = expression.lines().nth(index(line)).unwrap_or_default().chars().skip(index(column)).collect();
    let (dot, name) = rest.strip_prefix('.').map_or((0, rest.as_str()), |name| (1, name));
    let length = (dot + name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').count()).max(1);
    Location { text: 0, document: 0, line, column, end_line: line, end_column: column.saturating_add(number(length)) }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
