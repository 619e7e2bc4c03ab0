//! The fields that a user may write, and those of the status.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Weights of a model on clusters, downloaded before replicas need them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(transform = toolbox::structural::rule(
        "self.source != 'HuggingFace' || has(self.huggingFace)",
        "spec.huggingFace is required when spec.source is HuggingFace."
    ))
)]
pub struct ModelCacheSpec {
    /// Where the weights come from. The fields of that source must be set too.
    pub source: CacheSource,

    /// A repository of Hugging Face.
    pub hugging_face: Option<HuggingFaceSource>,

    /// Which InferenceClusters get the weights. Without a selector, all of them.
    pub cluster_selector: Option<CacheClusterSelector>,
}

/// Where weights come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum CacheSource {
    /// A repository of Hugging Face.
    HuggingFace,
}

/// A repository of Hugging Face.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct HuggingFaceSource {
    /// The repository, e.g. `Qwen/Qwen3-32B`. All of its files are downloaded.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub repo: String,

    /// Branch, tag or commit. The default is the default branch of the repository.
    pub revision: Option<String>,

    /// A token, which gated and private repositories need.
    pub auth_secret: Option<CacheTokenSecret>,

    /// Size of the volume on each cluster, in GiB.
    #[serde(rename = "sizeGiB")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 100_000)))]
    pub size_gib: u32,
}

/// A Secret with a token of Hugging Face, in the namespace of the cache. The token is copied to each cluster until the
/// weights are there.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CacheTokenSecret {
    /// Name of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,

    /// The key in the Secret.
    #[serde(default = "token_key")]
    pub key: String,
}

/// InferenceClusters by labels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CacheClusterSelector {
    /// The labels that they have, e.g. `modelplane.ai/tier: prod`.
    pub match_labels: Option<BTreeMap<String, String>>,
}

fn token_key() -> String {
    "HF_TOKEN".to_owned()
}

/// The observed state of a cache.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct ModelCacheStatus {
    /// What is known about the cache, for people and programs.
    conditions: Option<Vec<crate::modelplane::package::StatusCondition>>,

    /// On how many clusters the weights are.
    summary: Option<CacheSummary>,

    /// The clusters, each with its state.
    clusters: Option<Vec<CacheOnCluster>>,
}

/// Numbers of clusters.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct CacheSummary {
    /// The number of clusters with the weights, and the number of all that shall have them, e.g. `2/3`.
    ready: Option<String>,
}

/// The state on one cluster.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct CacheOnCluster {
    /// Name of the InferenceCluster.
    name: String,

    /// How far the download is.
    phase: Option<CachePhase>,

    /// Why, for people. It is not set at present.
    message: Option<String>,
}

/// How far the download to a cluster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum CachePhase {
    /// The volume does not exist yet.
    Pending,
    /// The volume exists, and the weights are not there yet.
    Hydrating,
    /// The weights are there.
    Ready,
    /// The download failed, and is not tried again.
    Failed,
}

impl CachePhase {
    /// As the status has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Hydrating => "Hydrating",
            Self::Ready => "Ready",
            Self::Failed => "Failed",
        }
    }
}
