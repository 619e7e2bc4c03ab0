//! The answer: what is desired, the status, and what there is to say about the credentials.

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Severity;
use toolbox::composed::Composed;
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::admit::refused;
use super::derive::STATUS;
use super::inputs::{NebiusConfig, NebiusInputs};
use super::read::lookups;
use crate::modelplane::conditions::Report;
use crate::modelplane::platform::advice::advise;
use crate::modelplane::platform::answer::{Answered, fields};

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &NebiusInputs,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let mut report = Report::default();
    if let Some((severity, words)) = of_credentials(inputs) {
        report.say(severity, words);
    }
    advise(&mut report, request, &refused(&inputs.cluster.spec));
    let status = fields(Plan::of(STATUS, inputs).into_object());
    let answered = Answered { status, resources, lookups: lookups(inputs), report };
    answered.respond_with_reasons(&inputs.cluster.options, observed)
}

/// What to say while the provider configuration does not say its Secret, in the words of Modelplane v0.3.1.
fn of_credentials(inputs: &NebiusInputs) -> Option<(Severity, String)> {
    let credentials = &inputs.credentials;
    let named = format!("Nebius {} {}", credentials.config_kind, credentials.name);
    match inputs.config {
        NebiusConfig::Found => None,
        NebiusConfig::WithoutSecret => Some((
            Severity::Warning,
            format!(
                "{named} doesn't source credentials from a Secret; consumers can't authenticate to the cluster without one"
            ),
        )),
        NebiusConfig::WithoutNamespace => {
            Some((Severity::Warning, format!("{named} has no namespace; cannot locate credentials Secret")))
        }
        NebiusConfig::Missing if inputs.secret.is_some() => Some((
            Severity::Normal,
            format!("{named} not found; keeping the credentials the composed ProviderConfig already carries"),
        )),
        NebiusConfig::Missing => Some((Severity::Normal, format!("Waiting for {named}"))),
    }
}
