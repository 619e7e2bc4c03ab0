//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Verdict};
use contract::types::Fault;
use toolbox::kind::AdmissionRow;

use crate::long_names;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[],
    defaults: || None,
    judges_deletion: false,
    policies: &[long_names::POLICY],
    rules: &[long_names::RULE],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let denials = long_names::judge(request.operation.object()).into_iter().collect();
    Ok(Verdict { denials, ..Verdict::default() })
}
