//! The fields that a user may write, and those of the status.
//!
//! Engines, and what their members have, are in `modelplane/engines.rs`: a replica has them too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
#[cfg(feature = "generate")]
use toolbox::structural::{list_atomic, rule};

#[cfg(feature = "generate")]
use crate::modelplane::engines::rules;
use crate::modelplane::engines::{CacheRef, Serving, WantedEngine};
#[cfg(feature = "generate")]
use crate::modelplane::package::integer;

/// A model with a number of replicas on the fleet.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct DeploymentSpec {
    /// Number of replicas. Each is complete by itself, and runs on one cluster.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 10)))]
    pub replicas: u32,

    /// Template of the replicas.
    pub template: ReplicaTemplate,
}

/// Template of the replicas: all that a deployment says, except how many there are.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ReplicaTemplate {
    /// Labels of the replicas and of their endpoints.
    pub metadata: Option<ReplicaTemplateMetadata>,

    /// What each replica runs, and where it may.
    pub spec: ReplicaTemplateSpec,
}

/// Labels of the replicas and of their endpoints.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema), schemars(transform = rules::replica_metadata))]
pub struct ReplicaTemplateMetadata {
    /// Labels, e.g. for a ModelService that routes to some of the endpoints. Keys that start with `modelplane.ai/` are
    /// reserved.
    #[cfg_attr(feature = "generate", schemars(transform = rules::labels))]
    pub labels: Option<BTreeMap<String, String>>,
}

/// What each replica runs, and where it may.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema), schemars(transform = rules::serving))]
pub struct ReplicaTemplateSpec {
    /// The clusters that replicas may use. Without it, all of them.
    pub cluster_selector: Option<DeploymentClusters>,

    /// A ModelCache in the same namespace, which has the weights. Replicas only use clusters that it selects. An engine with
    /// several nodes needs one.
    pub model_cache_ref: Option<CacheRef>,

    /// How the engines serve. Without it, each does all.
    #[cfg_attr(feature = "generate", schemars(transform = rules::with_mode))]
    pub serving: Option<Serving>,

    /// Taints of clusters that the replicas tolerate. They work like the tolerations of pods.
    #[cfg_attr(feature = "generate", schemars(transform = list_atomic))]
    pub tolerations: Option<Vec<DeploymentToleration>>,

    /// The engines of each replica.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8), transform = rules::wanted_engines))]
    pub engines: Vec<WantedEngine>,
}

/// The clusters that replicas may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct DeploymentClusters {
    /// Labels that the InferenceClusters must have. Without any, all clusters are selected.
    pub match_labels: Option<BTreeMap<String, String>>,
}

/// A taint that replicas tolerate.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    feature = "generate",
    derive(schemars::JsonSchema),
    schemars(
        transform = rule("self.operator != 'Equal' || (has(self.key) && self.key != '')", "an Equal toleration must set a key"),
        transform = rule("self.operator != 'Exists' || !has(self.value)", "an Exists toleration must not set a value"),
    )
)]
pub struct DeploymentToleration {
    /// Key of the taint. With the operator `Exists`, no key means every taint.
    pub key: Option<String>,

    /// Whether the value of the taint matters.
    #[serde(default)]
    pub operator: TolerationOperator,

    /// Value of the taint, for the operator `Equal`.
    pub value: Option<String>,

    /// Effect of the taint. Without it, every effect.
    pub effect: Option<ToleratedEffect>,
}

/// Whether the value of a taint matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum TolerationOperator {
    /// Any value.
    Exists,
    /// The same value.
    #[default]
    Equal,
}

/// Effect of a taint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ToleratedEffect {
    /// New replicas stay away.
    NoSchedule,
    /// Replicas that run leave too.
    NoExecute,
}

/// The observed state of a deployment.
// `selector` is for the scale subresource. A HorizontalPodAutoscaler needs one.
#[cfg(feature = "generate")]
#[expect(dead_code, reason = "only its schema is used: the status is made of rules")]
#[derive(schemars::JsonSchema)]
pub(super) struct DeploymentStatus {
    /// Numbers of replicas.
    replicas: Option<ReplicaNumbers>,

    /// A label selector for the replicas, which autoscalers ask for.
    selector: Option<String>,

    /// Why replicas have no place: what is against the clusters, by reason.
    #[schemars(length(max = 10), transform = list_atomic)]
    refusals: Option<Vec<DeploymentRefusal>>,

    /// Node pools with replicas of the deployment, of which all replicas together need more than there is.
    #[schemars(length(max = 10), transform = list_atomic)]
    overcommitted: Option<Vec<DeploymentPool>>,
}

/// A node pool of which more is needed than there is.
#[cfg(feature = "generate")]
#[expect(dead_code, reason = "only its schema is used: the status is made of rules")]
#[derive(schemars::JsonSchema)]
struct DeploymentPool {
    /// Cluster and pool, e.g. `gpu-west/h200`.
    pool: String,
    /// The nodes of the pool.
    #[schemars(transform = integer)]
    nodes: i64,
    /// The nodes that its pods need.
    #[schemars(transform = integer)]
    taken: i64,
    /// How many replicas these are of.
    #[schemars(transform = integer)]
    replicas: i64,
    /// The first ten of them, with their namespaces.
    #[schemars(length(max = 10))]
    by: Vec<String>,
}

/// What is against some clusters.
#[cfg(feature = "generate")]
#[expect(dead_code, reason = "only its schema is used: the status is made of rules")]
#[derive(schemars::JsonSchema)]
struct DeploymentRefusal {
    /// The reason, e.g. `NodesShort`.
    reason: String,
    /// How many clusters.
    #[schemars(transform = integer)]
    clusters: i64,
    /// What is against them.
    message: String,
    /// The cluster and pool that lack least, e.g. `gpu-west/h200`.
    nearest: Option<String>,
    /// What is needed there: nodes, or devices of a node.
    #[schemars(transform = integer)]
    needed: Option<i64>,
    /// What there is.
    #[schemars(transform = integer)]
    found: Option<i64>,
}

/// Numbers of replicas.
#[cfg(feature = "generate")]
#[expect(dead_code, reason = "only its schema is used: the status is made of rules")]
#[derive(schemars::JsonSchema)]
struct ReplicaNumbers {
    /// How many replicas have a place.
    #[schemars(transform = integer)]
    total: Option<i64>,
    /// How many of them are ready.
    #[schemars(transform = integer)]
    ready: Option<i64>,
}
