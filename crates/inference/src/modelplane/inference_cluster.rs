//! `InferenceCluster`: a GPU cluster of the fleet, with its node pools.
//!
//! Deployments select clusters by labels. The status says what the other kinds need to know: [`super::cluster`] reads it.

use std::sync::LazyLock;

use contract::catalog::Example;
use toolbox::kind::Kind;
use toolbox::validation::Validator;

use super::found_by;
use super::resources::INFERENCE_CLUSTERS as CLUSTERS;
use super::shapes;

mod admit;
mod assumed;
mod capacities;
#[cfg(feature = "generate")]
mod published;
#[cfg(feature = "generate")]
mod spec;

/// The row of the kind. It is judged and looked up. Nothing composes it yet.
pub(crate) const KIND: Kind = Kind {
    short_names: &["ic"],
    api: "modelplane",
    scope: CLUSTERS.scope,
    examples: EXAMPLES,
    assumed: Some(assumed::ASSUMED),
    capacities: Some(capacities::capacities),
    found_by: found_by::CLASSES_OF_POOLS,
    admit: |request| shapes::judge::admitted(CLUSTERS.kind, definition(), request, admit::admit),
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::data(CLUSTERS.api_version, CLUSTERS.kind, CLUSTERS.plural, definition)
};

/// The definition of the kind, which validates objects.
fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> =
        LazyLock::new(|| Validator::read(include_str!("inference_cluster/definition.json")));
    &DEFINITION
}

const EXAMPLES: &[Example] = &[
    example!("modelplane", "cluster-existing", "a cluster of one's own, with two pools"),
    example!("modelplane", "cluster-gke", "a cluster in a cloud, which grows on demand"),
    example!("modelplane", "cluster-eks", "a cluster in a cloud, with its own fabric"),
];
