//! `sailplane cel`: what an expression in Kubernetes' dialect of CEL gives, and what it costs.

mod batch;
mod subject;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::report;
use crate::modules::Modules;
use crate::wit::expressions::{Failure, Outcome, Place, Request, Stage, Trial};
use crate::wit::preview::{Diagnostic, Gravity, Location};
use crate::wit::types::{Problem, ProblemCode};

/// Longest that a call may take. Kubernetes' bounds on costs end every expression long before.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Try an expression in Kubernetes' dialect of CEL
///
/// Evaluates a device selector over a device, or a validation rule over a value of a custom resource, as Kubernetes
/// compiles and evaluates them, and prints the value with its cost in Kubernetes' units; for rules also what Kubernetes
/// would expect a rule to cost at most.
///
/// Exits with 0 when there is a value, also when it is false, and with 1 otherwise; with --batch, with 1 when a line
/// cannot be read.
#[derive(clap::Args, Debug)]
#[command(
    group = clap::ArgGroup::new("subject").args(["device", "this", "batch"]).required(true),
    after_long_help = "\
Examples:
  Try a selector of a ResourceClaim or a DeviceClass on a device, as its ResourceSlice has it
    sailplane cel \"device.driver == 'gpu.nvidia.com'\" --device device.yaml
  Try a validation rule on an object, by the schema that its definition has for it
    sailplane cel 'self.spec.replicas <= 8' --self widget.yaml --schema crd.yaml
  Try a transition rule on a part of an object, by the schema of that part
    sailplane cel 'self >= oldSelf' --self new.yaml --old-self old.yaml --schema schema.yaml
  Try many selectors
    sailplane cel --batch < trials.jsonl

Lines of --batch are {\"expr\": …, \"device\": …}; each is answered by {\"value\": true, \"cost\": 4}, or by
{\"error\": …, \"message\": …} with one of these errors:
  compile  it does not compile: its syntax, an unknown name, a type error
  type     it compiles, and is not boolean
  runtime  it failed as it was evaluated, or the device cannot be read
  cost     it would cost more than Kubernetes allows
  input    the line cannot be read"
)]
pub(super) struct Args {
    /// The expression
    #[arg(value_name = "EXPR", required_unless_present = "batch", conflicts_with = "batch")]
    expression: Option<String>,

    /// File with a device, with `driver`, `attributes` and `capacity`; `-` for standard input
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,

    /// File with the value that is `self` in a rule; `-` for standard input
    #[arg(long = "self", id = "this", value_name = "FILE", requires = "schema")]
    this: Option<PathBuf>,

    /// File with the value before an update, which is `oldSelf` in a rule
    #[arg(long, value_name = "FILE", requires = "this")]
    old_self: Option<PathBuf>,

    /// File with the OpenAPI v3 schema of the value, or with the definition (CRD or XRD) of its kind
    #[arg(long, value_name = "FILE", requires = "this")]
    schema: Option<PathBuf>,

    /// Read trials from standard input, one JSON object a line
    #[arg(long, conflicts_with = "output")]
    batch: bool,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output: Output,

    #[command(flatten)]
    modules: Modules,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Output {
    /// A few lines, for people
    Text,
    /// {"value", "cost", "estimate"}, or {"error", "message", "line", "column"}, for programs
    Json,
}

/// Tries. False when there is no value, or a line of a batch cannot be read.
pub(super) fn run(args: &Args) -> Result<bool> {
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
        Output::Json => super::print(&format!("{:#}\n", to_json(&outcome)?))?,
        Output::Text => match &outcome.value {
            Ok(value) => super::print(&to_text(value, &outcome, args.this.is_some()))?,
            Err(failure) => show(expression, failure),
        },
    }
    Ok(outcome.value.is_ok())
}

fn to_text(value: &str, outcome: &Outcome, rule: bool) -> String {
    let mut rows = vec![("value", value.to_owned())];
    rows.extend(outcome.cost.map(|cost| ("cost", cost.to_string())));
    // Of selectors Kubernetes bounds the cost itself.
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

/// What programs call the stage at which an evaluation stopped.
fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Compile => "compile",
        Stage::NotBoolean => "type",
        Stage::Runtime => "runtime",
        Stage::Cost => "cost",
    }
}

/// Reports a failure with the expression, marked where it is wrong.
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

/// The whole expression.
fn whole(expression: &str) -> Location {
    let line = number(expression.lines().count().max(1));
    let end_column = number(expression.lines().last().unwrap_or_default().chars().count() + 1);
    Location { text: 0, document: 0, line: 1, column: 1, end_line: line, end_column }
}

/// The name or character at a place; with a dot, the name after it.
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
