//! What is said about a live cluster that would be refused today.

use contract::types::Severity;
use toolbox::composed::Composed;
use toolbox::observed::Observed;

use crate::modelplane::conditions::Report;

/// Says it while something of the cluster is created. The kinds have no condition that would remember what was said, and the same
/// events on every pass help nobody.
pub fn warn(
    report: &mut Report,
    resources: &[Composed],
    observed: &Observed<'_>,
    warnings: impl IntoIterator<Item = String>,
) {
    if resources.iter().any(|it| !observed.has(&it.key)) {
        warnings.into_iter().for_each(|words| report.say(Severity::Warning, words));
    }
}
