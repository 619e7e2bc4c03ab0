//! Engines, and how a replica serves with them.

use serde::{Deserialize, Serialize};
#[cfg(feature = "generate")]
use toolbox::structural::list_atomic;

use super::members::{PlacedMember, WantedMember};

/// The port where pods serve.
pub const SERVING_PORT: i64 = 8000;

/// The port of an engine behind a sidecar, which serves for it. Its arguments may give another one.
pub const PORT_BEHIND_SIDECAR: i64 = 8001;

/// An engine of a deployment.
pub type WantedEngine = Engine<WantedMember>;

/// An engine of a replica.
pub type PlacedEngine = Engine<PlacedMember>;

/// One serving unit: a single pod, or a gang of pods on several nodes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Engine<M> {
    /// Name of the engine, a DNS label. It becomes part of the names of workloads, e.g. `main`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub name: String,

    /// How many identical copies of the engine each replica runs. Add replicas to scale, not copies.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 64)))]
    pub copies: u32,

    /// What the engine does in serving mode `PrefillDecode`, where one engine has each phase.
    pub phase: Option<Phase>,

    /// The pods of the engine: a single `Standalone` member, or a `Leader` and a `Worker`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 2), transform = list_atomic))]
    pub members: Vec<M>,
}

/// A phase of inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum Phase {
    /// Reads the prompt.
    Prefill,
    /// Writes the answer.
    Decode,
}

impl Phase {
    /// Its name in Kubernetes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prefill => "Prefill",
            Self::Decode => "Decode",
        }
    }
}

/// How a replica serves with its engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Serving {
    /// Whether one engine does all, or prefill and decode are apart.
    #[serde(default)]
    pub mode: ServingMode,
}

/// Which engine does what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ServingMode {
    /// Every engine does both phases.
    #[default]
    Unified,
    /// One engine does prefill, and another one decode.
    PrefillDecode,
}

impl ServingMode {
    /// Its name in Kubernetes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unified => "Unified",
            Self::PrefillDecode => "PrefillDecode",
        }
    }
}

/// A ModelCache in the same namespace.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CacheRef {
    /// Name of the ModelCache.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
}

fn one() -> u32 {
    1
}
