//! The module as native functions: every interface of the contract, for the table of kinds.
//!
//! Each function is pure: equal requests give equal answers.

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::Contents;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::plan::{PlanRequest, PlanResponse};
use contract::preview::{Findings, PreviewRequest, PreviewResponse, Source};
use contract::types::{Fault, KindRef};
use inference::KINDS;
use toolbox::kind::Input;

mod expressions;

pub use expressions::evaluate;

/// Describes the module and its kinds (interface `catalog`).
pub fn catalog() -> Contents {
    Contents {
        name: "sailplane".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kinds: KINDS.entries(),
        inputs: KINDS.inputs.iter().map(Input::entry).collect(),
    }
}

/// Composes (interface `compose`). The kind of the step input decides what composes, if it acts on composites of any kind,
/// and the kind of the composite otherwise.
///
/// # Errors
/// A [`Fault`] when there is no composite, when its kind is unknown, and when the composite or the step input is invalid.
pub fn compose(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    KINDS.compose(request)
}

/// Judges an operation (interface `admit`). The kind of the object decides which rules apply.
///
/// # Errors
/// A [`Fault`] when the kind is unknown or the platform's options are invalid.
pub fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let kind = KindRef::of(request.operation.object());
    let row = KINDS.find(&kind).ok_or_else(|| KINDS.unknown(&kind))?;
    (row.admit)(request)
}

/// Previews the composites in the texts of `request` (interface `preview`).
pub fn preview(request: &PreviewRequest) -> PreviewResponse {
    preview::preview(request, &KINDS)
}

/// Plans the places of what is in the texts of `request` (interface `plan`).
pub fn plan(request: &PlanRequest) -> PlanResponse {
    preview::plan(request, &KINDS)
}

/// Checks each object in the subjects (interface `preview`, function `check`).
pub fn check(sources: &[Source], input: Option<&str>) -> Findings {
    preview::check(sources, input, &KINDS)
}
