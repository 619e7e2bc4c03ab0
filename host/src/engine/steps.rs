//! A preview with pipeline steps of several modules: the other modules run their steps, and the module that previews is
//! called again with the answers.

use std::collections::BTreeMap;

use crate::wit::compose;
use crate::wit::preview::{Diagnostic, ForeignStep, Gravity, Request, Response, StepAnswer};
use crate::wit::types::{Fault, KindRef, Problem, ProblemCode};

/// How often a module is called again because of steps of other modules. Lookups of a step and rounds of a cascade count
/// too, so it is large.
const MAX_CALLS: usize = 1_000;

/// Previews with `ask`. `foreign_inputs` are the kinds of step input for which other modules compose; `run` has them run a
/// step.
///
/// # Errors
/// When a module gives no answer.
pub(super) fn preview<E>(
    foreign_inputs: Vec<KindRef>,
    request: &Request,
    ask: impl Fn(&Request) -> Result<Response, E>,
    run: impl Fn(&ForeignStep) -> Result<Result<compose::Response, Fault>, E>,
) -> Result<Response, E> {
    if foreign_inputs.is_empty() {
        return ask(request);
    }
    let mut request = Request { foreign_inputs, ..request.clone() };
    let mut answers: BTreeMap<String, StepAnswer> = BTreeMap::new();
    for _ in 0..MAX_CALLS {
        let response = ask(&request)?;
        if response.foreign_steps.is_empty() {
            return Ok(response);
        }
        for step in response.foreign_steps {
            let answer = run(&step)?;
            answers.insert(step.name.clone(), StepAnswer { name: step.name, answer });
        }
        request.foreign_steps = answers.values().cloned().collect();
    }
    let problem = Problem {
        path: String::new(),
        code: ProblemCode::Invalid,
        message: format!("steps of other modules are not complete after {MAX_CALLS} calls"),
        fix: None,
        hint: None,
    };
    let mut response = ask(&request)?;
    response.diagnostics.push(Diagnostic { gravity: Gravity::Error, problem, location: None });
    Ok(response)
}
