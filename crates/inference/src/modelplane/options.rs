//! The section for Modelplane's kinds in the platform's options.
//!
//! With the defaults, every answer is that of Modelplane v0.3.1. What can be better, and can be seen, is an option.

use serde::{Deserialize, Serialize};

/// Switches of a platform for Modelplane's kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ModelplaneOptions {
    /// What is said about replicas without a place, and about what autoscalers ask for.
    pub answers: Answers,

    /// How a replica finds a place.
    pub placement: ReplicaPlacement,

    /// What pods take of a node pool.
    pub accounting: PoolAccounting,

    /// Where new replicas of a deployment with a ModelCache may be.
    pub cache_placement: CachePlacement,

    /// Which device selectors are accepted, and what they mean.
    pub selectors: SelectorMode,

    /// What serves new replicas on their clusters. Set it for ModelDeployment and for ModelReplica.
    pub backend: Backend,

    /// Who installs the definitions of Gateway API on the control plane.
    pub gateway_api: GatewayApi,
}

impl ModelplaneOptions {
    /// Whether a ModelDeployment says all that there is to say about its replicas.
    pub fn is_full(&self) -> bool {
        self.answers == Answers::Full
    }
}

/// What a ModelDeployment says about its replicas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum Answers {
    /// As Modelplane v0.3.1: with one replica placed, the deployment counts as scheduled.
    #[default]
    #[serde(rename = "v0.3.1")]
    V0_3_1,
    /// Until all replicas have a place, the deployment is not scheduled and not ready, and says why. Its status has
    /// `refusals`, and the `selector` that autoscalers need.
    #[serde(rename = "full")]
    Full,
}

/// How a replica finds a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ReplicaPlacement {
    /// As Modelplane v0.3.1: each request takes the first device that suits it, and each engine the first pool.
    #[default]
    FirstFit,
    /// As `firstFit`. Only a replica that finds no place so is placed by a search over devices and pools. Replicas that run
    /// stay where they are, whatever the option.
    Complete,
}

/// What pods take of a node pool. Replicas that run stay where they are, whatever the option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum PoolAccounting {
    /// As Modelplane v0.3.1: a node for each pod that claims devices, also when it claims one of eight.
    #[default]
    Nodes,
    /// The devices that it claims. A replica has a place when its pods and all others of the pool can be packed on the nodes of
    /// the pool. Nobody sees on which node a pod runs, so a node need not be free at once. What `status.capacity` of the cluster
    /// says lowers what is free.
    Devices,
}

/// Where new replicas of a deployment with a ModelCache may be. Replicas that run stay where they are, whatever the option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum CachePlacement {
    /// As Modelplane v0.3.1: on every cluster that the cache selects.
    #[default]
    Matched,
    /// Only where the weights are, so that no pod starts with a volume that is still being filled.
    Staged,
}

/// Which device selectors are accepted, and what they mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum SelectorMode {
    /// As in Kubernetes, and also as Modelplane v0.3.1 accepts them: member and global functions have both spellings, a suffix
    /// without a number is no quantity, and a selector that can be parsed but has a wrong type matches nothing.
    #[default]
    Tolerant,
    /// As in Kubernetes. A selector that Kubernetes refuses is invalid.
    Strict,
}

/// What serves new replicas on their clusters. Replicas that run stay as they are, whatever the option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum Backend {
    /// As Modelplane v0.3.1: a workload for each engine, with a pool, a route and an endpoint picker.
    #[default]
    Direct,
    /// KServe, which must be installed on the clusters: one LLMInferenceService. A replica with several engines that do all
    /// is served as with `direct`.
    Kserve,
}

/// Who installs the definitions of Gateway API on the control plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum GatewayApi {
    /// As Modelplane v0.3.1: the InferenceGateway. Its deletion takes every Gateway and route on the control plane with it.
    #[default]
    Composed,
    /// The platform. The InferenceGateway waits for them. Those that it has composed already stay.
    Existing,
}
