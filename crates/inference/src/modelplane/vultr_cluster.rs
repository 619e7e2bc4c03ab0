//! `VultrCluster`: a cluster in Vultr Kubernetes Engine, with the node pools of an InferenceCluster.
//!
//! It becomes the cluster and its node pools, what leads to it, and an Object that sees whether Vultr's GPU Operator has validated the
//! GPUs. There is no storage for ModelCaches: Vultr's file system fails on nodes with GPUs. The kind follows Modelplane v0.3.1.

use std::rc::Rc;

use contract::catalog::{ApiResource, Example};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::{Areas, Kind};
use toolbox::reasons::Reasons;
use toolbox::resources::{KUBERNETES_CONFIGS, OBJECTS};

use self::read::{definition, read};
use super::platform::advice::CONDITIONS;
use super::platform::gates;
use super::resources::{DAEMON_SETS, VULTR_CLUSTERS as CLUSTERS};
use crate::clouds::resources::{VULTR_CLUSTERS, VULTR_NODE_POOLS};

pub mod admit;
pub mod derive;
#[cfg(feature = "generate")]
mod published;
mod read;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["vke"],
    api: "modelplane",
    composes: COMPOSES,
    wraps_on_own: &[DAEMON_SETS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: CONDITIONS,
    areas: Some(Areas { names: &derive::AREA_NAMES, of: derive::area }),
    waits_for: |composite, key| gates::waits_for(derive::ROWS, composite, key),
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(CLUSTERS.api_version, CLUSTERS.kind, CLUSTERS.plural, definition, compose)
};

const COMPOSES: &[ApiResource] = &[OBJECTS, KUBERNETES_CONFIGS, VULTR_CLUSTERS, VULTR_NODE_POOLS];

const EXAMPLES: &[Example] = &[example!("modelplane", "vultr-cluster", "what an InferenceCluster in Vultr becomes")];

/// Composes everything that the cluster is made of.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let (inputs, observed) = read(request)?;
    let inputs = Rc::new(inputs);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = gates::reasons(request, &resources, derive::STATUS, &*inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
