//! The fields of a replica. A deployment writes them; the API server accepts them from users too.

use serde::Deserialize;

#[cfg(feature = "generate")]
use crate::modelplane::engines::rules;
use crate::modelplane::engines::{CacheRef, PlacedEngine, Serving};

/// One serving instance of a model, on one cluster.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "generate", schemars(transform = rules::serving))]
pub struct ReplicaSpec {
    /// Name of the InferenceCluster where the replica runs, e.g. `gpu-east`. A replica never moves.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub cluster_name: String,

    /// The ModelCache that the engines mount, in the same namespace.
    pub model_cache_ref: Option<CacheRef>,

    /// How the engines serve together.
    pub serving: Option<Serving>,

    /// The engines. Each has the pools and the devices that the scheduler chose.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = rules::placed_engines))]
    pub engines: Vec<PlacedEngine>,
}

/// The observed state of the replica: nothing but its conditions.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
pub struct ReplicaStatus {}
