//! The module: every interface of the contract, natively callable, over the one table of kinds.
//!
//! Each is a pure function of its request: equal requests give equal answers.

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::Contents;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::preview::{Findings, PreviewRequest, PreviewResponse, Source};
use contract::types::{Fault, KindRef};
use inference::KINDS;
use toolbox::kind::Input;

mod expressions;

pub use expressions::evaluate;

/// Says what the module can do.
pub fn catalog() -> Contents {
    Contents {
        name: "sailplane".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kinds: KINDS.entries(),
        inputs: KINDS.inputs.iter().map(Input::entry).collect(),
    }
}

/// Composes the composite of `request` with the step that its input is of, or with the kind that it belongs to.
///
/// # Errors
/// A [`Fault`] when there is no composite, when its kind is unknown, and when it or the step's input
/// is invalid.
pub fn compose(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    (KINDS.step(request)?.compose)(request)
}

/// Judges an operation with the kind of its object.
///
/// # Errors
/// A [`Fault`] when the kind is unknown or the platform's options are invalid.
pub fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let kind = KindRef::of(request.operation.object());
    let row = KINDS.find(&kind).ok_or_else(|| KINDS.unknown(&kind))?;
    (row.admit)(request)
}

/// Previews the composites among the texts of `request`.
pub fn preview(request: &PreviewRequest) -> PreviewResponse {
    preview::preview(request, &KINDS)
}

/// Says of each object among the subjects what is wrong with it.
pub fn check(sources: &[Source], input: Option<&str>) -> Findings {
    preview::check(sources, input, &KINDS)
}
