//! What admission would say of the composites of a preview.

use std::collections::BTreeSet;

use crate::engine::{Engine, Failure};
use crate::wit::preview::{Diagnostic, Gravity, Location, Role, Source};
use crate::wit::types::ProblemCode;

/// Composites with the same options.
pub(super) struct Advised {
    /// The text of the platform's options.
    pub(super) options: Option<String>,
    /// Where the composites are.
    pub(super) places: Vec<Location>,
}

/// The warnings that admission would give about composites in `sources`, and what it would refuse, which is a warning too:
/// the composites can be composed.
///
/// # Errors
/// When a call fails.
pub(super) fn of(engine: &Engine, sources: &[Source], judged: &Advised) -> Result<Vec<Diagnostic>, Failure> {
    let sources: Vec<_> = sources.iter().filter(|source| source.role != Role::Schema).cloned().collect();
    let findings = engine.check(&sources, judged.options.as_deref())?;
    let places: BTreeSet<_> = judged.places.iter().map(|at| (at.text, at.document)).collect();
    let is_about = |found: &Diagnostic| found.location.is_some_and(|at| places.contains(&(at.text, at.document)));
    let warning = |mut diagnostic: Diagnostic| {
        if diagnostic.gravity == Gravity::Error {
            diagnostic.gravity = Gravity::Warning;
            diagnostic.problem.message = format!("admission would refuse it: {}", diagnostic.problem.message);
        }
        diagnostic
    };
    Ok(findings.diagnostics.into_iter().filter(is_about).map(warning).collect())
}

/// Whether a warning is that about the missing namespace.
pub(super) fn is_about_namespace(diagnostic: &Diagnostic) -> bool {
    diagnostic.problem.code == ProblemCode::Required && diagnostic.problem.path.ends_with("metadata.namespace")
}
