//! Interface `expressions`: evaluates expressions in Kubernetes' dialect of CEL.

use std::collections::BTreeMap;

use cel::{CompileError, Declared, Device, Environment, Program, Reason, RunError, Selector, Type, device};
use contract::expressions::{Evaluation, ExpressionsRequest, Failure, Place, Stage, Subject};
use serde_json::Value;

/// Evaluates expressions. There is an evaluation for each trial, in the same order.
pub fn evaluate(request: &ExpressionsRequest) -> Vec<Evaluation> {
    let mut subjects: Vec<_> = request.subjects.iter().map(Prepared::read).collect();
    let mut selectors = BTreeMap::new();
    let mut outcomes = Vec::new();
    for trial in &request.trials {
        let subject = usize::try_from(trial.subject).ok().and_then(|index| subjects.get_mut(index));
        outcomes.push(match subject {
            Some(Prepared::Device(device)) => {
                let compile = || Selector::compile(&trial.expression);
                evaluate_selector(selectors.entry(trial.expression.as_str()).or_insert_with(compile), device)
            }
            Some(Prepared::Value(value)) => value.evaluate(&trial.expression),
            Some(Prepared::Unreadable(message)) => failed(Stage::Runtime, message.clone()),
            None => failed(Stage::Runtime, format!("there is no subject {}", trial.subject)),
        });
    }
    outcomes
}

/// A subject, prepared for several expressions.
enum Prepared<'a> {
    Device(Device),
    Value(ValidatedValue<'a>),
    /// It cannot be read, for this reason.
    Unreadable(String),
}

impl<'a> Prepared<'a> {
    fn read(subject: &'a Subject) -> Self {
        match subject {
            Subject::Device(device) => match Device::read(device) {
                Ok(device) => Self::Device(device),
                Err(error) => Self::Unreadable(format!("the device cannot be read: {error}")),
            },
            Subject::Value { this, before, schema } => match Declared::from_schema(schema, is_resource(schema)) {
                Some(declared) => {
                    Self::Value(ValidatedValue { this, before: before.as_ref(), declared, programs: BTreeMap::new() })
                }
                None => Self::Unreadable("expressions cannot reach values of this schema: it has no type".to_owned()),
            },
        }
    }
}

/// Whether a schema is that of a whole object. CEL can then use some fields of `metadata` that the schema does not have.
fn is_resource(schema: &Value) -> bool {
    ["apiVersion", "kind", "metadata"].iter().all(|name| schema["properties"].get(name).is_some())
}

fn evaluate_selector(selector: &Result<Selector, CompileError>, device: &Device) -> Evaluation {
    match selector {
        Ok(selector) => {
            let found = selector.matches(device, device::BUDGET);
            evaluated(found.outcome, found.cost, selector.worst_cost())
        }
        Err(error) => compile_failure(error),
    }
}

/// A value, with the rules that were compiled for its schema.
struct ValidatedValue<'a> {
    this: &'a Value,
    before: Option<&'a Value>,
    declared: Declared,
    programs: BTreeMap<String, Result<Program, CompileError>>,
}

impl ValidatedValue<'_> {
    /// Evaluates a rule, within the cost limit for one rule.
    fn evaluate(&mut self, expression: &str) -> Evaluation {
        const CALL_LIMIT: u64 = 1_000_000; // apiextensions-apiserver's PerCallLimit
        let compile = || {
            let program = Program::compile(&Environment::rule(&self.declared, false), expression)?;
            match program.output() {
                Type::Bool => Ok(program),
                _ => Err(program.wrong_result("cel expression must evaluate to a bool".to_owned())),
            }
        };
        let program = match self.programs.entry(expression.to_owned()).or_insert_with(compile) {
            Ok(program) => &*program,
            Err(error) => return compile_failure(error),
        };
        let mut bindings = Vec::new();
        for (name, value) in [("self", Some(self.this)), ("oldSelf", self.before)] {
            let Some(value) = value else { continue };
            match self.declared.read(value) {
                Ok(value) => bindings.push((name, value)),
                Err(error) => return failed(Stage::Runtime, format!("{name}: {}", error.message)),
            }
        }
        if self.before.is_none() && program.uses("oldSelf") {
            let message = "the rule is about updates: without an old value Kubernetes does not ask it";
            return failed(Stage::Runtime, message.to_owned());
        }
        let run = program.run(&bindings, CALL_LIMIT);
        let value = run.outcome.and_then(|value| {
            let message = format!("the result is of type {}, not bool", value.ty());
            value.as_bool().ok_or(RunError { reason: Reason::WrongType, message })
        });
        evaluated(value, run.cost, program.estimate().max)
    }
}

fn failed(stage: Stage, message: String) -> Evaluation {
    Evaluation { value: Err(Failure { stage, message, place: None, meant: None }), cost: None, estimate: None }
}

fn compile_failure(error: &CompileError) -> Evaluation {
    let wrong_type = error.problems.iter().any(|problem| problem.stage == cel::Stage::Result);
    let stage = if wrong_type { Stage::NotBoolean } else { Stage::Compile };
    let messages: Vec<_> = error.problems.iter().map(|problem| problem.message.as_str()).collect();
    let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
    let place = error.problems.first().and_then(|problem| problem.place);
    let place = place.map(|place| Place { line: count(place.line), column: count(place.column) });
    let meant = error.problems.iter().find_map(|problem| problem.meant.clone());
    let failure = Failure { stage, message: messages.join("; "), place, meant };
    Evaluation { value: Err(failure), cost: None, estimate: None }
}

fn evaluated(value: Result<bool, RunError>, cost: u64, estimate: u64) -> Evaluation {
    let failure = |error: RunError| {
        let stage = match error.reason {
            Reason::Failed => Stage::Runtime,
            Reason::CostExceeded => Stage::Cost,
            Reason::WrongType => Stage::NotBoolean,
        };
        Failure { stage, message: error.message, place: None, meant: None }
    };
    Evaluation { value: value.map(Value::Bool).map_err(failure), cost: Some(cost), estimate: Some(estimate) }
}
