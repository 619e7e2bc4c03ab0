//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::types::Fault;
use toolbox::kind::AdmissionRow;

use crate::long_names;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[],
    defaults: || None,
    judges_deletion: false,
    policies: &[long_names::POLICY],
    policy_variables: &[],
    rules: &[long_names::RULE],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    if let Operation::Create(object) = &request.operation {
        verdict.denials.extend(long_names::judge(object));
    }
    Ok(verdict)
}
