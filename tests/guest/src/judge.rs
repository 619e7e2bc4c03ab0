//! What a puppet has to say about itself when it is judged.

use serde::Deserialize;
use serde_json::Value;

use crate::wit::exports::sailplane::composition::{admit, types};
use crate::{Puppet, fault, problem, read, spec};

/// What is thought of a puppet.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Opinion {
    /// Nothing.
    Allow,
    /// It is wrong.
    Deny(Vec<types::Problem>),
    /// It should be looked at.
    Warn(Vec<String>),
    /// It lacks these values, by pointer.
    Default(Vec<(String, Value)>),
    /// It is wrong while these objects exist.
    Lookup(types::Selector),
    /// There is no verdict once these objects are known.
    LookupAndRefuse(types::Selector, types::Fault),
    /// Something else has to be looked up, whenever there was an answer.
    Wander,
    /// There is no verdict.
    Refuse(types::Fault),
    /// Stops.
    Trap,
    /// Never ends.
    Spin,
}

impl admit::Guest for Puppet {
    fn admit(request: admit::Request) -> Result<admit::Verdict, types::Fault> {
        let object = match &request.operation {
            admit::Operation::Create(object) => object,
            admit::Operation::Update(update) => &update.new,
            admit::Operation::Delete(deletion) => &deletion.object,
        };
        let opinion = match spec(read(object)?)?["act"].take() {
            Value::Null => Opinion::Allow,
            act => serde_json::from_value(act)
                .map_err(|error| fault(types::FaultCause::Composite, "spec.act", &error.to_string()))?,
        };
        let mut verdict = admit::Verdict {
            denials: Vec::new(),
            warnings: Vec::new(),
            unjudged: Vec::new(),
            defaults: Vec::new(),
            lookups: Vec::new(),
        };
        match opinion {
            Opinion::Allow => {}
            Opinion::Deny(problems) => verdict.denials = problems,
            Opinion::Warn(lines) => verdict.warnings = lines.iter().map(|line| problem("", line)).collect(),
            Opinion::Default(values) => verdict.defaults = values.into_iter().map(default).collect(),
            Opinion::Lookup(selector) => look_up(selector, &request.lookups, &mut verdict)?,
            Opinion::LookupAndRefuse(_, fault) if !request.lookups.is_empty() => return Err(fault),
            Opinion::LookupAndRefuse(selector, _) => look_up(selector, &[], &mut verdict)?,
            Opinion::Wander => verdict.lookups = (0..=request.lookups.len()).map(step).collect(),
            Opinion::Refuse(fault) => return Err(fault),
            #[expect(clippy::panic, reason = "a panic is a trap")]
            Opinion::Trap => panic!("as told"),
            Opinion::Spin => loop {
                std::hint::spin_loop();
            },
        }
        Ok(verdict)
    }
}

fn default((pointer, value): (String, Value)) -> admit::DefaultValue {
    admit::DefaultValue { pointer, value: value.to_string(), because: "as told".to_owned() }
}

/// Says what it was answered: a denial that names what was found, nothing when nothing was.
fn look_up(
    selector: types::Selector,
    answers: &[types::LookupAnswer],
    verdict: &mut admit::Verdict,
) -> Result<(), types::Fault> {
    match answers.iter().find(|answer| answer.name == "wanted") {
        None => verdict.unjudged.push("not looked up: what is wanted".to_owned()),
        Some(answer) => {
            let mut names = Vec::new();
            for found in &answer.objects {
                let object = read(&found.object)?;
                let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default().to_owned();
                names.push(format!("{}/{}", text("namespace"), text("name")));
            }
            if !names.is_empty() {
                verdict.denials.push(types::Problem {
                    path: "spec".to_owned(),
                    code: types::ProblemCode::Duplicate,
                    message: format!("there is {}", names.join(", ")),
                    fix: None,
                    hint: None,
                });
            }
        }
    }
    verdict.lookups.push(types::Lookup { name: "wanted".to_owned(), selector });
    Ok(())
}

fn step(index: usize) -> types::Lookup {
    let kind = types::KindRef { api_version: "v1".to_owned(), kind: "ConfigMap".to_owned() };
    let selector = types::Selector { kind, match_by: types::MatchBy::Labels(Vec::new()), namespace: None, limit: None };
    types::Lookup { name: format!("step-{index}"), selector }
}
