//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::types::Fault;
use toolbox::kind::AdmissionRow;

use crate::long_names;
use crate::modelplane::shapes;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[],
    defaults: || None,
    judges_deletion: false,
    policies: &[long_names::POLICY],
    policy_variables: &[],
    rules: &[long_names::RULE, shapes::judge::LEFT_OUT],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    if let Operation::Create(stack) = &request.operation {
        verdict.denials.extend(long_names::judge(stack));
    }
    Ok(verdict)
}

#[cfg(test)]
mod tests {
    use contract::admit::LookupAnswers;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn names() {
        #[track_caller]
        fn check(operation: Operation, denials: usize) {
            let verdict = admit(&AdmitRequest { operation, input: None, lookups: LookupAnswers::new() });
            assert_eq!(verdict.expect("a verdict").denials.len(), denials);
        }
        let stack = |length: usize| json!({"metadata": {"name": "a".repeat(length), "namespace": "b"}, "spec": {}});
        let edit = |stack: Value| Operation::Update { old: stack.clone(), new: stack };
        check(Operation::Create(stack(63)), 0);
        check(Operation::Create(stack(64)), 1);
        check(edit(stack(64)), 0);
        check(Operation::Delete(stack(64).into()), 0);
    }
}
