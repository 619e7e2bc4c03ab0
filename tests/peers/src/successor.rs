//! The crate `cel`, with its own extensions for texts and lists, optionals, and what can be registered besides.

mod domains;

use std::collections::HashMap;
use std::sync::Arc;

use cel_peer::common::ast::{ComprehensionExpr, Expr, ListExpr, LiteralValue};
use cel_peer::common::types::{CelMap, CelMapKey};
use cel_peer::common::value::Val;
use cel_peer::extractors::Arguments;
use cel_peer::objects::{Map, Opaque};
use cel_peer::parser::Macro;
use cel_peer::{Context, Env, ExecutionError, FunctionContext, Program, Value, extensions};

use domains::Domains;

use crate::engine::{Engine, Outcome, Subject};
use crate::kubernetes::{self, Answer, Argument, Held, Plain};

pub struct Successor;

pub struct PreparedInterpreter {
    env: Arc<Env>,
    /// `None` if the subject makes each evaluation fail.
    context: Option<Context<'static, 'static>>,
}

impl Engine for Successor {
    const NAME: &'static str = "`cel` 0.15.0";
    type Program = Program;
    type Subject = PreparedInterpreter;

    fn subject(subject: &Subject) -> PreparedInterpreter {
        let mut env = Env::stdlib();
        env.add_extension(extensions::strings).expect("its own extension");
        env.add_extension(extensions::lists).expect("its own extension");
        env.add_macro(bind()).expect("a new macro");
        let env = Arc::new(env);
        let context = kubernetes::variables(subject).map(|variables| {
            let mut context = Context::with_env(Arc::clone(&env));
            for name in kubernetes::FUNCTIONS {
                let call = |ftx: &FunctionContext, Arguments(arguments): Arguments| call(name, ftx, &arguments);
                context.add_function(name, call).expect("a new function");
            }
            for (name, value) in variables {
                context.add_variable_as_val(name, val_of(value));
            }
            context
        });
        PreparedInterpreter { env, context }
    }

    fn compile(subject: &PreparedInterpreter, text: &str) -> Option<Program> {
        subject.env.compile(text).ok()
    }

    fn run(program: &Program, subject: &PreparedInterpreter) -> Outcome {
        let Some(context) = &subject.context else { return Outcome::Error };
        match program.execute(context) {
            Ok(Value::Bool(value)) => Outcome::Bool(value),
            Ok(_) => Outcome::Other,
            Err(ExecutionError::UndeclaredReference(_)) => Outcome::NoFunction,
            Err(_) => Outcome::Error,
        }
    }
}

fn call(name: &str, ftx: &FunctionContext, arguments: &[Value]) -> Result<Value, ExecutionError> {
    let target = ftx.this.as_ref().map(|this| Value::try_from(this.as_ref())).transpose()?;
    let arguments: Vec<Argument> = target.iter().chain(arguments).map(argument).collect();
    let answer = kubernetes::call(name, &arguments).ok_or_else(|| ftx.error("no such overload, or not read"))?;
    Ok(match answer {
        Answer::Bool(value) => value.into(),
        Answer::Int(value) => value.into(),
        Answer::Double(value) => value.into(),
        Answer::Held(held) => Value::Opaque(Arc::new(held)),
    })
}

fn argument(value: &Value) -> Argument {
    match value {
        Value::String(text) => Argument::Text(text.to_string()),
        Value::Bool(value) => Argument::Bool(*value),
        Value::Int(value) => Argument::Int(*value),
        Value::Opaque(held) => held.downcast_ref::<Held>().cloned().map_or(Argument::Other, Argument::Held),
        _ => Argument::Other,
    }
}

impl Opaque for Held {
    fn runtime_type_name(&self) -> &str {
        match self {
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Version(_) => "kubernetes.Semver",
        }
    }
}

/// A value that the library may not know.
fn val_of(plain: Plain) -> Box<dyn Val> {
    match plain {
        Plain::Map(entries) => Box::new(map(entries)),
        Plain::Domains(entries) => Box::new(Domains { known: map(entries), empty: CelMap::default() }),
        other => value_of(other).try_into().expect("a value"),
    }
}

fn map(entries: Vec<(String, Plain)>) -> CelMap<'static> {
    let entries = entries.into_iter().map(|(key, value)| (CelMapKey::from(key), val_of(value)));
    CelMap::from(entries.collect::<HashMap<_, _>>())
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
            let entries: HashMap<_, _> = entries.into_iter().map(|(key, it)| (key.into(), value_of(it))).collect();
            Value::Map(Map { map: Arc::new(entries) })
        }
        Plain::Held(held) => Value::Opaque(Arc::new(held)),
    }
}

fn read(text: &str) -> Value {
    let program = Program::compile(text).expect("an expression");
    program.execute(&Context::default()).expect("a value")
}

/// `cel.bind(name, value, expression)`: no turn of a loop whose accumulator has the name and the value.
fn bind() -> Macro {
    Macro::receiver("bind", 3, |helper, target, arguments| {
        let is_cel = target.as_ref().is_some_and(|it| matches!(&it.expr, Expr::Ident(name) if name == "cel"));
        let Some(Expr::Ident(name)) = arguments.first().map(|it| it.expr.clone()) else { return Ok(None) };
        if !is_cel {
            return Ok(None);
        }
        let (result, value) = (arguments.pop().unwrap_or_default(), arguments.pop().unwrap_or_default());
        let comprehension = ComprehensionExpr {
            iter_range: helper.next_expr(Expr::List(ListExpr { elements: Vec::new(), optional_indices: Vec::new() })),
            iter_var: "#unused".to_owned(),
            iter_var2: None,
            accu_var: name.clone(),
            accu_init: value,
            loop_cond: helper.next_expr(Expr::Literal(LiteralValue::Boolean(false.into()))),
            loop_step: helper.next_expr(Expr::Ident(name)),
            result,
        };
        Ok(Some(helper.next_expr(Expr::Comprehension(Box::new(comprehension)))))
    })
}
