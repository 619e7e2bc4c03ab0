//! Judges what a schema cannot say, with the words that composing has for it.

use serde_json::Value;

use super::advice::{advice, too_large};
use super::derive::Inputs;
use super::{KIND, inputs};
use crate::admit::{Operation, Request, Verdict};
use crate::names::ServiceName;
use crate::options::{MemoryAdvice, Options};
use crate::path;
use crate::problem::{Code, Fault, Problem};

/// The door `admit`.
pub(super) fn admit(request: &Request) -> Result<Verdict, Fault> {
    let options = Options::read(request.input.as_ref())?;
    Ok(match &request.operation {
        Operation::Create(object) => judge(object, options, true, &[]),
        Operation::Update { old, new } => judge(new, options, false, &KIND.validate(old)),
        Operation::Delete(_) => Verdict::default(),
    })
}

/// `tolerated` are problems that the stored object has already. What can only be chosen on creation is held
/// against new objects alone: an object that runs stays editable.
fn judge(object: &Value, options: Options, is_new: bool, tolerated: &[Problem]) -> Verdict {
    let mut denials = KIND.validate(object);
    denials.retain(|problem| !tolerated.contains(problem));
    let name = path::get(object, "metadata.name").and_then(Value::as_str).unwrap_or_default();
    let refuse_memory = is_new && options.memory_advice == MemoryAdvice::Refuse;
    if is_new {
        denials.splice(0..0, ServiceName::problems(name).into_iter().map(|problem| name_problem(name, problem)));
    }
    let Ok(inputs) = inputs(object, options, None) else {
        return Verdict { denials, ..Verdict::default() };
    };
    if refuse_memory {
        denials.extend(too_large(&inputs).map(|words| Problem::new("spec.gpu", Code::Invalid, words)));
    }
    let warnings = if denials.is_empty() { warnings(&inputs) } else { Vec::new() };
    Verdict { denials, warnings, defaults: KIND.defaults(object), ..Verdict::default() }
}

fn warnings(inputs: &Inputs) -> Vec<String> {
    advice(inputs).iter().filter_map(|advice| advice.warning().map(str::to_owned)).collect()
}

fn name_problem(name: &str, problem: ServiceName) -> Problem {
    let code = if problem == ServiceName::TooLong { Code::TooLong } else { Code::Invalid };
    let message = format!(
        "no Service can be named `{name}`: the name {}; use at most 63 lower-case letters, digits and `-`, starting with a letter",
        problem.words(),
    );
    Problem::new("metadata.name", code, message)
}
