//! Reads a request into the inputs of the rules.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, Readiness};
use toolbox::observed::{Observed, ReadyWhen};
use toolbox::validation::Validator;

use super::derive::{CLUSTER_KEY, CONFIG_KEY, POOL_KEYS, ROWS, VultrInputs};
use super::spec::VultrClusterSpec;
use crate::modelplane::platform::gates;
use crate::modelplane::subject::Subject;

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the inputs, and the composed resources.
pub(super) fn read(request: &ComposeRequest) -> Result<(VultrInputs, Observed<'_>), Fault> {
    let cluster: Subject<VultrClusterSpec> = Subject::read(request, definition())?;
    let observed = gates::observed(request, ROWS, &cluster.name)?;
    let is_ready = observed.readiness(CLUSTER_KEY, ReadyWhen::Holds("Ready")) == Readiness::Ready;
    let is_later = |key: &str| key == CONFIG_KEY || key.starts_with(POOL_KEYS);
    let inputs = VultrInputs {
        credentials: cluster.spec.credentials.clone().unwrap_or_default(),
        has_begun: is_ready || observed.iter().any(|(key, _)| is_later(key)),
        cluster,
    };
    Ok((inputs, observed))
}
