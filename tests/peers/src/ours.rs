//! Our own engine.

use cel::device::BUDGET;
use cel::{Declared, Device, Environment, Program, Selector, Type};
use serde_json::Value as Json;

use crate::engine::{Costs, Engine, Outcome, Subject};

pub struct Sailplane;

pub enum Prepared {
    Device(Device),
    Rule { environment: Environment, declared: Declared, this: Json, old: Json },
}

pub enum Compiled {
    Selector(Selector),
    Rule(Program),
}

impl Engine for Sailplane {
    const NAME: &'static str = "Sailplane";
    type Program = Compiled;
    type Subject = Prepared;

    fn subject(subject: &Subject) -> Prepared {
        match subject {
            Subject::Device(device) => Prepared::Device(Device::read(device).expect("a device")),
            Subject::Rule { schema, this, old } => {
                let declared = Declared::from_schema(schema, false).expect("a type");
                let environment = Environment::rule(&declared, false);
                Prepared::Rule { environment, declared, this: this.clone(), old: old.clone() }
            }
        }
    }

    fn compile(subject: &Prepared, text: &str) -> Option<Compiled> {
        let boolean = |ty: &Type| if *ty == Type::Bool { Ok(()) } else { Err("not boolean".to_owned()) };
        match subject {
            Prepared::Device(_) => Selector::compile(text).ok().map(Compiled::Selector),
            Prepared::Rule { environment, .. } => {
                Program::compile_if(environment, text, boolean).ok().map(Compiled::Rule)
            }
        }
    }

    fn run(program: &Compiled, subject: &Prepared) -> Outcome {
        let (value, _) = run(program, subject);
        value.map_or(Outcome::Error, Outcome::Bool)
    }

    fn costs(program: &Compiled, subject: &Prepared) -> Option<Costs> {
        let worst = match program {
            Compiled::Selector(selector) => selector.worst_cost(),
            Compiled::Rule(program) => program.estimate().max,
        };
        Some(Costs { cost: run(program, subject).1, worst })
    }
}

fn run(program: &Compiled, subject: &Prepared) -> (Option<bool>, u64) {
    match (program, subject) {
        (Compiled::Selector(selector), Prepared::Device(device)) => {
            let found = selector.matches(device, BUDGET);
            (found.outcome.ok(), found.cost)
        }
        (Compiled::Rule(program), Prepared::Rule { declared, this, old, .. }) => {
            let bindings = [("self", this), ("oldSelf", old)];
            let bindings = bindings.map(|(name, json)| (name, declared.read(json).expect("a value")));
            let run = program.run(&bindings, BUDGET);
            (run.outcome.ok().and_then(|value| value.as_bool()), run.cost)
        }
        _ => panic!("a program of another subject"),
    }
}
