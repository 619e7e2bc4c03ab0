//! `sailplane cel`: evaluates an expression in Kubernetes' dialect of CEL, and prints its value and cost.

mod args;
mod batch;
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
    let subject = subject::read(args)?;
    let trials = vec![Trial { expression: expression.clone(), subject: 0 }];
    let outcomes =
        engine.evaluate(&Request { subjects: vec![subject], trials }).context("cannot try the expression")?;
    let outcome = outcomes.into_iter().next().context("the module gave no answer")?;
    match args.output {
        CelFormat::Json => stdout::print(&format!("{:#}\n", to_json(&outcome)?))?,
        CelFormat::Text => match &outcome.value {
            Ok(value) => stdout::print(&to_text(value, &outcome, args.this.is_some()))?,
            Err(failure) => show(expression, failure),
        },
    }
    Ok(outcome.value.is_ok())
}

fn to_text(value: &str, outcome: &Outcome, rule: bool) -> String {
    let mut rows = vec![("value", visible(value).into_owned())];
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

/// Reports a failure, with a mark at the place in the expression.
fn show(expression: &str, failure: &Failure) {
    let location = failure.place.map_or_else(|| whole(expression), |place| mark(expression, place));
    let code = match failure.stage {
        Stage::Compile => ProblemCode::Syntax,
        Stage::NotBoolean => ProblemCode::TypeInvalid,
        Stage::Runtime | Stage::Cost => ProblemCode::Invalid,
    };
    let problem = Problem {
        path: String::new(),
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
