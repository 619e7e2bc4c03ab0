//! Admission of objects in earlier shapes.

use contract::admit::{AdmitRequest, Deletion, Operation, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::AdmissionRule;
use toolbox::validation::Validator;

use super::as_released::{as_released, of};
use super::shaped::{Dropped, Misshapen, Shaped};

/// An object that is no shape.
pub const MIXTURE: AdmissionRule = AdmissionRule {
    action: Deny,
    path: "spec",
    meaning: "a mixture of shapes of several versions, or an earlier shape that cannot become that of v0.3.1",
    beyond_policies: Some("the message names both fields"),
};
/// A field that v0.3.1 has nothing for.
pub const LEFT_OUT: AdmissionRule = AdmissionRule {
    action: Warn,
    path: "spec",
    meaning: "a field of an earlier version that is left out",
    beyond_policies: Some("the message names it"),
};

/// Judges an operation on objects of any shape: brings them into that of v0.3.1 for `admit`, and gives its answer with the paths
/// that were written. What is stored in the same way already is tolerated.
///
/// # Errors
/// Those of `admit`.
pub fn admitted(
    kind: &str,
    definition: &Validator,
    request: &AdmitRequest,
    admit: fn(&AdmitRequest) -> Result<Verdict, Fault>,
) -> Result<Verdict, Fault> {
    let (object, old) = match &request.operation {
        Operation::Create(object) => (object, None),
        Operation::Update { old, new } => (new, Some(old)),
        Operation::Delete(Deletion { object, propagation }) => {
            let Ok(Some(Shaped { object, .. })) = of(kind, object) else { return admit(request) };
            let operation = Operation::Delete(Deletion { object, propagation: *propagation });
            return admit(&AdmitRequest { operation, ..request.clone() });
        }
    };
    let known = old.map(|old| as_released(kind, old));
    let stored = |old: &Value| of(kind, old).err().unwrap_or_default();
    let shaped = match of(kind, object) {
        Ok(shaped) => shaped,
        Err(wrong) => {
            let stored = old.map(stored).unwrap_or_default();
            let new = wrong.iter().filter(|it| !stored.contains(it));
            return Ok(Verdict { denials: new.map(Misshapen::problem).collect(), ..Verdict::default() });
        }
    };
    let is_old = known.as_ref().zip(old).is_some_and(|(known, old)| known.as_ref() != old);
    if shaped.is_none() && !is_old {
        return admit(request);
    }
    let Shaped { object, written } = shaped.unwrap_or_else(|| Shaped { object: object.clone(), ..Shaped::default() });
    // The API server validates an earlier shape by little more than its types.
    let of_spec = |object: &Value| -> Vec<Problem> {
        let problems = definition.validate(object);
        problems.into_iter().filter(|problem| problem.path.starts_with("spec")).collect()
    };
    let before = known.as_ref().map(|old| of_spec(old)).unwrap_or_default();
    let invalid: Vec<_> = of_spec(&object).into_iter().filter(|it| !before.contains(it)).collect();
    let operation = match known {
        Some(old) => Operation::Update { old: old.into_owned(), new: object },
        None => Operation::Create(object),
    };
    let mut verdict = admit(&AdmitRequest { operation, ..request.clone() })?;
    verdict.denials = written.renamed(invalid.into_iter().chain(verdict.denials).collect());
    verdict.warnings = written.renamed(verdict.warnings);
    let left_out = |Dropped { path, message }: &Dropped| {
        Problem::new(path, Code::Invalid, format!("left out, because this version has nothing for it: {message}"))
    };
    verdict.warnings.extend(written.dropped.iter().map(left_out));
    Ok(verdict)
}
