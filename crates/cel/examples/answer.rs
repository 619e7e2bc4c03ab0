//! Answers JSON lines as `tests/e2e/tools/cel-oracle` does, so that both can be held against each other:
//! `{"expr", "device"}`, or `{"expr", "schema", "root", "self", "oldSelf", "optionalOldSelf"}`.

use std::io::{self, BufRead as _, Write as _};

use cel::device::BUDGET;
use cel::{CompileError, Declared, Device, Environment, Program, Reason, RunError, Selector, Stage, Type};
use serde_json::{Value as Json, json};

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    for line in io::stdin().lock().lines() {
        let asked: Json = serde_json::from_str(&line?)?;
        let expr = asked["expr"].as_str().unwrap_or_default();
        let answer = if asked["schema"].is_null() { selector(expr, &asked) } else { rule(expr, &asked) };
        writeln!(out, "{}", answer.unwrap_or_else(|error| error))?;
    }
    Ok(())
}

fn selector(expr: &str, asked: &Json) -> Result<Json, Json> {
    let selector = Selector::compile(expr).map_err(refused)?;
    let device =
        Device::read(&asked["device"]).map_err(|error| json!({"error": "question", "message": error.to_string()}))?;
    let found = selector.matches(&device, BUDGET);
    Ok(answer(found.outcome, found.cost, selector.worst_cost()))
}

fn rule(expr: &str, asked: &Json) -> Result<Json, Json> {
    let question = |message: &str| json!({"error": "question", "message": message});
    let root = asked["root"].as_bool().unwrap_or(false);
    let declared = Declared::from_schema(&asked["schema"], root).ok_or_else(|| question("no type"))?;
    let environment = Environment::rule(&declared, asked["optionalOldSelf"].as_bool().unwrap_or(false));
    let accept = |ty: &Type| match ty {
        Type::Bool => Ok(()),
        _ => Err("cel expression must evaluate to a bool".to_owned()),
    };
    let program = Program::compile_if(&environment, expr, accept).map_err(refused)?;
    let mut bindings = Vec::new();
    for name in ["self", "oldSelf"] {
        if let Some(json) = asked.get(name) {
            match declared.read(json) {
                Ok(value) => bindings.push((name, value)),
                Err(error) => return Ok(answer(Err(error), 0, program.estimate().max)),
            }
        }
    }
    let run = program.run(&bindings, BUDGET);
    let outcome = run.outcome.and_then(|value| {
        let message = "not boolean".to_owned();
        value.as_bool().ok_or(RunError { reason: Reason::WrongType, message })
    });
    Ok(answer(outcome, run.cost, program.estimate().max))
}

fn answer(outcome: Result<bool, RunError>, cost: u64, worst: u64) -> Json {
    match outcome {
        Ok(value) => json!({"value": value, "cost": cost, "worst": worst}),
        Err(error) => json!({"error": "runtime", "message": error.message, "cost": cost, "worst": worst}),
    }
}

fn refused(error: CompileError) -> Json {
    // What the API server puts before the text of each step.
    let prefix = match error.problems.first().map(|problem| problem.stage) {
        Some(Stage::Syntax | Stage::Check) => "compilation failed: ",
        Some(Stage::Plan) => "program instantiation failed: ",
        Some(Stage::Result) | None => "",
    };
    json!({"error": "compile", "message": format!("{prefix}{error}")})
}
