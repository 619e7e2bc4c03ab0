//! The door `expressions`: tries expressions in Kubernetes' dialect of CEL.

use std::collections::BTreeMap;

use cel::{CompileError, Declared, Device, Environment, Program, Reason, RunError, Selector, Type, device};
use serde_json::Value;

/// Tries expressions. There is an outcome for each trial, in their order.
pub fn evaluate(request: &Request) -> Vec<Outcome> {
    let mut subjects: Vec<_> = request.subjects.iter().map(Known::read).collect();
    let mut selectors = BTreeMap::new();
    let mut outcomes = Vec::new();
    for trial in &request.trials {
        let subject = usize::try_from(trial.subject).ok().and_then(|index| subjects.get_mut(index));
        outcomes.push(match subject {
            Some(Known::Device(device)) => {
                let compile = || Selector::compile(&trial.expression);
                select(selectors.entry(trial.expression.as_str()).or_insert_with(compile), device)
            }
            Some(Known::Value(value)) => value.judge(&trial.expression),
            Some(Known::Unreadable(message)) => Outcome::failed(Stage::Runtime, message.clone()),
            None => Outcome::failed(Stage::Runtime, format!("there is no subject {}", trial.subject)),
        });
    }
    outcomes
}

/// What an expression is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A device as a ResourceSlice publishes it, for selectors.
    Device(Value),
    /// A value of a custom resource, for validation rules.
    Value {
        /// The value, `self` in the rule.
        this: Value,
        /// The value before an update, `oldSelf` in the rule.
        before: Option<Value>,
        /// The structural schema of the value.
        schema: Value,
    },
}

/// An expression and what it is tried on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The expression.
    pub expression: String,
    /// Index of its subject.
    pub subject: u32,
}

/// Expressions to try.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// What they are about.
    pub subjects: Vec<Subject>,
    /// The expressions.
    pub trials: Vec<Trial>,
}

/// Where an evaluation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The expression does not compile.
    Compile,
    /// Its type is not boolean.
    NotBoolean,
    /// It failed as it was evaluated, or its subject cannot be read.
    Runtime,
    /// It would have cost more than Kubernetes allows.
    Cost,
}

/// A place in an expression; both count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it stopped.
    pub stage: Stage,
    /// What is wrong.
    pub message: String,
    /// Where it is wrong.
    pub place: Option<Place>,
    /// The name that was probably meant.
    pub meant: Option<String>,
}

/// What came of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its value.
    pub value: Result<Value, Failure>,
    /// What it cost, when it was evaluated.
    pub cost: Option<u64>,
    /// The most that Kubernetes would expect it to cost, when it compiles.
    pub estimate: Option<u64>,
}

impl Outcome {
    fn failed(stage: Stage, message: String) -> Self {
        Self { value: Err(Failure { stage, message, place: None, meant: None }), cost: None, estimate: None }
    }

    fn uncompiled(error: &CompileError) -> Self {
        let wrong_type = error.problems.iter().any(|problem| problem.stage == cel::Stage::Result);
        let stage = if wrong_type { Stage::NotBoolean } else { Stage::Compile };
        let messages: Vec<_> = error.problems.iter().map(|problem| problem.message.as_str()).collect();
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let place = error.problems.first().and_then(|problem| problem.place);
        let place = place.map(|place| Place { line: count(place.line), column: count(place.column) });
        let meant = error.problems.iter().find_map(|problem| problem.meant.clone());
        let failure = Failure { stage, message: messages.join("; "), place, meant };
        Self { value: Err(failure), cost: None, estimate: None }
    }

    fn ran(value: Result<bool, RunError>, cost: u64, estimate: u64) -> Self {
        let failure = |error: RunError| {
            let stage = match error.reason {
                Reason::Failed => Stage::Runtime,
                Reason::CostExceeded => Stage::Cost,
                Reason::WrongType => Stage::NotBoolean,
            };
            Failure { stage, message: error.message, place: None, meant: None }
        };
        Self { value: value.map(Value::Bool).map_err(failure), cost: Some(cost), estimate: Some(estimate) }
    }
}

/// A subject, read.
enum Known<'a> {
    Device(Device),
    Value(Judged<'a>),
    /// Why it cannot be read.
    Unreadable(String),
}

impl<'a> Known<'a> {
    fn read(subject: &'a Subject) -> Self {
        match subject {
            Subject::Device(device) => match Device::read(device) {
                Ok(device) => Self::Device(device),
                Err(error) => Self::Unreadable(format!("the device cannot be read: {error}")),
            },
            Subject::Value { this, before, schema } => match Declared::from_schema(schema, is_resource(schema)) {
                Some(declared) => {
                    Self::Value(Judged { this, before: before.as_ref(), declared, programs: BTreeMap::new() })
                }
                None => Self::Unreadable("expressions cannot reach values of this schema: it has no type".to_owned()),
            },
        }
    }
}

/// Whether a schema is that of a whole resource, which has metadata whatever its schema says.
fn is_resource(schema: &Value) -> bool {
    ["apiVersion", "kind", "metadata"].iter().all(|name| schema["properties"].get(name).is_some())
}

fn select(selector: &Result<Selector, CompileError>, device: &Device) -> Outcome {
    match selector {
        Ok(selector) => {
            let found = selector.matches(device, device::BUDGET);
            Outcome::ran(found.outcome, found.cost, selector.worst_cost())
        }
        Err(error) => Outcome::uncompiled(error),
    }
}

/// A value that rules judge.
struct Judged<'a> {
    this: &'a Value,
    before: Option<&'a Value>,
    declared: Declared,
    programs: BTreeMap<String, Result<Program, CompileError>>,
}

impl Judged<'_> {
    /// What a rule says of it, for at most what one rule may cost.
    fn judge(&mut self, expression: &str) -> Outcome {
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
            Err(error) => return Outcome::uncompiled(error),
        };
        let mut bindings = Vec::new();
        for (name, value) in [("self", Some(self.this)), ("oldSelf", self.before)] {
            let Some(value) = value else { continue };
            match self.declared.read(value) {
                Ok(value) => bindings.push((name, value)),
                Err(error) => return Outcome::failed(Stage::Runtime, format!("{name}: {}", error.message)),
            }
        }
        if self.before.is_none() && program.uses("oldSelf") {
            let message = "the rule is about updates: without an old value Kubernetes does not ask it";
            return Outcome::failed(Stage::Runtime, message.to_owned());
        }
        let run = program.run(&bindings, CALL_LIMIT);
        let value = run.outcome.and_then(|value| {
            let message = format!("the result is of type {}, not bool", value.ty());
            value.as_bool().ok_or(RunError { reason: Reason::WrongType, message })
        });
        Outcome::ran(value, run.cost, program.estimate().max)
    }
}
