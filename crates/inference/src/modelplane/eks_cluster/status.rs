//! The answer: what is desired, and the status.

use contract::compose::{ComposeRequest, ComposeResponse};
use toolbox::composed::Composed;
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::admit::refused;
use super::derive::STATUS;
use super::inputs::EksInputs;
use crate::modelplane::conditions::Report;
use crate::modelplane::platform::advice::advise;
use crate::modelplane::platform::answer::{Answered, fields};

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &EksInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let mut report = Report::default();
    advise(&mut report, request, &refused(&inputs.cluster.spec));
    let status = fields(Plan::of(STATUS, inputs).into_object());
    let answered = Answered { status, resources, report, ..Answered::default() };
    answered.respond_with_reasons(&inputs.cluster.options, observed)
}
