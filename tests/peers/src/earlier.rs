//! The crate `cel-interpreter`, which became `cel`. It has no values of one's own, so that those of Kubernetes are maps
//! and a missing domain of a device is an error, and no macros of one's own.

use std::collections::HashMap;
use std::sync::Arc;

use cel_interpreter::extractors::Arguments;
use cel_interpreter::objects::{Key, Map};
use cel_interpreter::{Context, ExecutionError, FunctionContext, Program, Value};

use crate::engine::{Engine, Outcome, Subject};
use crate::kubernetes::{self, Answer, Argument, Held, Plain};

pub struct Earlier;

impl Engine for Earlier {
    const NAME: &'static str = "`cel-interpreter` 0.10.0";
    type Program = Program;
    /// `None` if the subject makes each evaluation fail.
    type Subject = Option<Context<'static>>;

    fn subject(subject: &Subject) -> Option<Context<'static>> {
        let mut context = Context::default();
        for name in kubernetes::FUNCTIONS {
            context.add_function(name, |ftx: &FunctionContext, Arguments(arguments): Arguments| {
                call(name, ftx, &arguments)
            });
        }
        for (name, value) in kubernetes::variables(subject)? {
            context.add_variable_from_value(name, value_of(value));
        }
        Some(context)
    }

    fn compile(_: &Option<Context<'static>>, text: &str) -> Option<Program> {
        Program::compile(text).ok()
    }

    fn run(program: &Program, subject: &Option<Context<'static>>) -> Outcome {
        let Some(context) = subject else { return Outcome::Error };
        match program.execute(context) {
            Ok(Value::Bool(value)) => Outcome::Bool(value),
            Ok(_) => Outcome::Other,
            Err(ExecutionError::UndeclaredReference(_)) => Outcome::NoFunction,
            Err(_) => Outcome::Error,
        }
    }
}

fn call(name: &str, ftx: &FunctionContext, arguments: &[Value]) -> Result<Value, ExecutionError> {
    let arguments: Vec<Argument> = ftx.this.iter().chain(arguments).map(argument).collect();
    let answer = kubernetes::call(name, &arguments).ok_or_else(|| ftx.error("no such overload, or not read"))?;
    Ok(match answer {
        Answer::Bool(value) => value.into(),
        Answer::Int(value) => value.into(),
        Answer::Double(value) => value.into(),
        Answer::Held(held) => value_of(Plain::Held(held)),
    })
}

fn argument(value: &Value) -> Argument {
    match value {
        Value::String(text) => Argument::Text(text.to_string()),
        Value::Bool(value) => Argument::Bool(*value),
        Value::Int(value) => Argument::Int(*value),
        Value::Map(map) => held(map).map_or(Argument::Other, Argument::Held),
        _ => Argument::Other,
    }
}

const QUANTITY: &str = "kubernetes.Quantity";
const VERSION: &str = "kubernetes.Semver";

fn held(map: &Map) -> Option<Held> {
    let text = |kind: &str| match map.get(&Key::from(kind)) {
        Some(Value::String(text)) => Some(Arc::clone(text)),
        _ => None,
    };
    let quantity = || text(QUANTITY)?.parse().ok().map(Held::Quantity);
    let version = || text(VERSION)?.parse().ok().map(Held::Version);
    quantity().or_else(version)
}

fn value_of(plain: Plain) -> Value {
    match plain {
        Plain::Null => Value::Null,
        Plain::Bool(value) => value.into(),
        Plain::Int(value) => value.into(),
        Plain::Double(value) => value.into(),
        Plain::Text(text) => text.into(),
        Plain::Bytes(bytes) => bytes.into(),
        Plain::Timestamp(text) => read(&format!("timestamp('{text}')")),
        Plain::Duration(text) => read(&format!("duration('{text}')")),
        Plain::List(items) => items.into_iter().map(value_of).collect::<Vec<_>>().into(),
        Plain::Map(entries) | Plain::Domains(entries) => {
            map(entries.into_iter().map(|(key, value)| (key, value_of(value))))
        }
        Plain::Held(Held::Quantity(quantity)) => map([(QUANTITY.to_owned(), quantity.to_string().into())]),
        Plain::Held(Held::Version(version)) => map([(VERSION.to_owned(), version.to_string().into())]),
    }
}

fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
    let entries: HashMap<String, Value> = entries.into_iter().collect();
    Value::Map(Map::from(entries))
}

fn read(text: &str) -> Value {
    let program = Program::compile(text).expect("an expression");
    program.execute(&Context::default()).expect("a value")
}
