//! The answer: what is desired, the status, and what there is to say about the project.

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{Readiness, Severity};
use toolbox::composed::Composed;
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::admit::refused;
use super::derive::{CLUSTER_KEY, STATUS};
use super::inputs::GkeInputs;
use super::read::{GkeConfig, lookups};
use crate::modelplane::conditions::Report;
use crate::modelplane::platform::advice::advise;
use crate::modelplane::platform::answer::{Answered, fields};

/// The response with `resources` as the desired resources.
pub(super) fn respond(
    request: &ComposeRequest,
    observed: &Observed<'_>,
    inputs: &GkeInputs,
    config: GkeConfig,
    resources: Vec<Composed>,
) -> ComposeResponse {
    let mut report = Report::default();
    if let Some((severity, words)) = of_project(inputs, config) {
        report.say(severity, words);
    }
    advise(&mut report, request, &refused(&inputs.cluster.spec));
    let (is_empty, has_cluster) = (resources.is_empty(), resources.iter().any(|it| it.key == CLUSTER_KEY));
    let status = fields(Plan::of(STATUS, inputs).into_object());
    let answered = Answered { status, resources, lookups: lookups(inputs), report };
    let mut response = answered.respond_with_reasons(&inputs.cluster.options, observed);
    if is_empty {
        response.composite.status = None;
    }
    if !has_cluster {
        // What is desired may be ready, but there is no cluster.
        response.composite.readiness = Readiness::NotReady;
    }
    response
}

/// What to say while the provider configuration does not say the project. The first two are those of Modelplane v0.3.1.
fn of_project(inputs: &GkeInputs, config: GkeConfig) -> Option<(Severity, String)> {
    let credentials = &inputs.credentials;
    let named = format!("GCP {} {}", credentials.config_kind, credentials.name);
    let is_kept = inputs.project.name().is_some();
    match (config, is_kept) {
        (GkeConfig::NotNeeded | GkeConfig::Found, _) => None,
        (GkeConfig::Missing, false) => Some((Severity::Normal, format!("Waiting for {named}"))),
        (GkeConfig::Missing, true) => Some((
            Severity::Normal,
            format!("{named} not found; keeping the project the composed cluster already uses"),
        )),
        (GkeConfig::WithoutProject, false) => {
            Some((Severity::Warning, format!("{named} has no spec.projectID; waiting for the project of the cluster")))
        }
        (GkeConfig::WithoutProject, true) => {
            let words = format!("{named} has no spec.projectID; keeping the project the composed cluster already uses");
            Some((Severity::Warning, words))
        }
    }
}
