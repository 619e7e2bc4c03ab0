//! Judges what a schema cannot state: what no pod can have, models that need one another, and what does not fit.
//!
//! No verdict depends on the time: what fits is judged by reservations alone.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::catalog::Action;
use contract::types::{Fault, Problem};
use toolbox::kind::{AdmissionRow, OTHERS, rule};

use self::fields::{BACKEND, COOLDOWN, MEMORY, NODE_SELECTOR};
use super::amounts::RESOURCES;
use super::resources::{CONFIG_MAPS, ENVIRONMENT_CONFIGS, INFERENCE_MODELS, NODES};
use crate::long_names;
use crate::options::Options;

mod fields;
mod policies;
mod siblings;

/// What `admit` does for the kind.
#[rustfmt::skip]
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[ENVIRONMENT_CONFIGS, INFERENCE_MODELS, CONFIG_MAPS, NODES],
    defaults: || None,
    judges_deletion: true,
    policy_variables: &[],
    policies: policies::POLICIES,
    rules: &[
        long_names::RULE,
        rule(Action::Deny, MEMORY, "memory that no model can have: 0, or 8Ei and more", None),
        rule(Action::Deny, RESOURCES, "amounts that are no quantities, or negative; a part of a GPU", Some(AMOUNTS)),
        rule(Action::Deny, RESOURCES, "requests that no pod can have: over their limits, or of GPUs beside another limit", None),
        rule(Action::Deny, NODE_SELECTOR, "labels that no node can have", Some(TEXTS)),
        rule(Action::Deny, BACKEND, "a list; an API server takes one where a text has a format", None),
        rule(Action::Deny, "spec.containerImage", "an image with a blank at its start or end", None),
        rule(Action::Deny, "spec.dependencies", "dependencies that close a circle", Some(OTHERS)),
        rule(Action::Deny, MEMORY, "with option `budgetAdvice: refuse`: more than the whole pool has", Some(OTHERS)),
        rule(Action::Warn, MEMORY, "more than the whole pool has", Some(OTHERS)),
        rule(Action::Warn, MEMORY, "memory that does not fit now, or growth that the pool cannot take", Some(OTHERS)),
        rule(Action::Warn, NODE_SELECTOR, "a move to a pool that has no memory for the model", Some(OTHERS)),
        rule(Action::Warn, "spec.dependencies", "a dependency that does not exist", Some(OTHERS)),
        rule(Action::Warn, "spec.modelName", "a name that another model of the namespace has", Some(OTHERS)),
        rule(Action::Warn, "metadata.name", "a name with which another model has the Service", Some(OTHERS)),
        rule(Action::Warn, "metadata.name", "a deletion of what others depend on", Some(OTHERS)),
        rule(Action::Warn, COOLDOWN, "a cooldown that is no duration over 0", Some(TEXTS)),
        rule(Action::Warn, BACKEND, "a port of the model's own Service that is not that of its container", Some(TEXTS)),
        rule(Action::Warn, "metadata.finalizers", "the finalizer of the Inference Budget Controller", None),
    ],
};

const AMOUNTS: &str = "a policy with all of Kubernetes' rules for amounts would be long";
const TEXTS: &str = "a policy with all of Kubernetes' rules for such texts would be long";

/// Judges an operation. What the stored object has too is tolerated.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let options = Options::read(request.input.as_ref())?.inference_model;
    let mut verdict = Verdict::default();
    let (object, old) = match &request.operation {
        Operation::Create(object) => (object, None),
        Operation::Update { old, new } => (new, Some(old)),
        Operation::Delete(deletion) => {
            siblings::judge_deletion(&deletion.object, &request.lookups, &mut verdict);
            return Ok(verdict);
        }
    };
    match old {
        None => verdict.denials = long_names::judge(object).into_iter().chain(fields::denials(object)).collect(),
        Some(old) => verdict.denials = without(fields::denials(object), &fields::denials(old)),
    }
    verdict.warnings = fields::warnings(object, &options);
    siblings::judge(object, old, &options, &request.lookups, &mut verdict);
    Ok(verdict)
}

/// The problems that are new.
fn without(problems: Vec<Problem>, before: &[Problem]) -> Vec<Problem> {
    problems.into_iter().filter(|problem| !before.contains(problem)).collect()
}

#[cfg(test)]
mod tests;
