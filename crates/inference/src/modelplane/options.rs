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
