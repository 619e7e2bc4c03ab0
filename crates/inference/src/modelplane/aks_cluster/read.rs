//! Reads a request into the inputs of the rules.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::Fault;
use toolbox::observed::Observed;
use toolbox::validation::Validator;

use super::derive::{AksInputs, CLUSTER_KEY, ROWS};
use super::spec::AksClusterSpec;
use crate::modelplane::platform::gates;
use crate::modelplane::platform::judge::root;
use crate::modelplane::platform::releases::shortened;
use crate::modelplane::subject::Subject;

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the inputs, and the composed resources.
pub(super) fn read(request: &ComposeRequest) -> Result<(AksInputs, Observed<'_>), Fault> {
    let cluster: Subject<AksClusterSpec> = Subject::read(request, definition())?;
    let observed = gates::observed(request, ROWS, &cluster.name)?;
    let inputs = AksInputs {
        credentials: cluster.spec.credentials.clone().unwrap_or_default(),
        networking: cluster.spec.networking.clone().unwrap_or_default(),
        has_cluster: observed.has(CLUSTER_KEY),
        shortened: shortened(root(request.composite()?), &observed),
        cluster,
    };
    Ok((inputs, observed))
}
