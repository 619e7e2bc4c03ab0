//! The answer: what is desired, and the status.

use contract::compose::ComposeResponse;
use toolbox::composed::Composed;
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::derive::{STATUS, VultrInputs};
use crate::modelplane::conditions::Report;
use crate::modelplane::platform::advice::warn;
use crate::modelplane::platform::answer::{Answered, fields};
use crate::modelplane::platform::pools::clash;

/// The response with `resources` as the desired resources.
pub(super) fn respond(observed: &Observed<'_>, inputs: &VultrInputs, resources: Vec<Composed>) -> ComposeResponse {
    let mut report = Report::default();
    warn(&mut report, &resources, observed, clash(inputs.pools().iter().map(|pool| pool.name.as_str())));
    let status = fields(Plan::of(STATUS, inputs).into_object());
    let answered = Answered { status, resources, report, ..Answered::default() };
    answered.respond_with_reasons(&inputs.cluster.options, observed)
}
