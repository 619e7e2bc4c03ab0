//! The section for `InferenceModel` in the platform's options.

use std::collections::BTreeMap;

use quantity::Quantity;
use serde::{Deserialize, Serialize};

/// Constants and switches of a platform for `InferenceModel`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct InferenceModelOptions {
    /// The memory of each pool, e.g. `160Gi`, by the pool's key or by the value of its label `inference-pool`. A pool without one
    /// has no limit.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pools: BTreeMap<String, MemoryTotal>,

    /// An object with the memory of further pools, by the same keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pools_from: Option<PoolsFrom>,

    /// The memory of all pools together, e.g. `96Gi`. It holds beside that of each pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_model_memory: Option<MemoryTotal>,

    /// Whether a pool that has no memory by the options above has that of its nodes. Every heartbeat of a node is a call for each
    /// model then.
    pub node_discovery: bool,

    /// Whether models that something else serves are ready when their backend is a Service with a ready endpoint.
    pub endpoint_discovery: bool,

    /// Whether models may depend on others. Without it, models are not looked up where there is no budget.
    pub dependencies: bool,

    /// A model that uses less of its memory, in percent, gets a recommendation.
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 100)))]
    pub recommend_below_percent: i32,

    /// Whether models have a Service.
    pub service: bool,

    /// Whether a model without pods counts as ready.
    pub zero_is_ready: bool,

    /// Whether containers have half an hour to load a model before they are restarted, instead of two minutes.
    pub startup_probe: bool,

    /// The port of containers and Services.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 65535)))]
    pub container_port: i32,

    /// The extended resource that GPUs are, and the taint of nodes with GPUs, e.g. `amd.com/gpu`.
    #[cfg_attr(
        feature = "generate",
        schemars(regex(
            pattern = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){1,3}/[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$"
        ))
    )]
    pub gpu_resource_name: String,

    /// The time of every call, e.g. `2026-01-31T12:00:00Z`, for tests. It stands still: a model that is awake at
    /// this time stays awake, and a claim of this time is not confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "generate",
        schemars(regex(
            pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
        ))
    )]
    pub now: Option<String>,

    /// What happens to a model that is larger than its whole pool.
    pub budget_advice: BudgetAdvice,
}

impl Default for InferenceModelOptions {
    fn default() -> Self {
        Self {
            pools: BTreeMap::new(),
            pools_from: None,
            max_model_memory: None,
            node_discovery: false,
            endpoint_discovery: false,
            dependencies: true,
            recommend_below_percent: 95,
            service: true,
            zero_is_ready: true,
            startup_probe: false,
            container_port: 8080,
            gpu_resource_name: "nvidia.com/gpu".to_owned(),
            now: None,
            budget_advice: BudgetAdvice::default(),
        }
    }
}

/// So much memory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct MemoryTotal(pub Quantity);

#[cfg(feature = "generate")]
impl schemars::JsonSchema for MemoryTotal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MemoryTotal".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string", "pattern": r"^[0-9]{1,15}(\.[0-9]{1,3})?(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"
        })
    }
}

/// An object with the memory of pools.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct PoolsFrom {
    /// What it is.
    #[serde(default)]
    pub kind: PoolsFromKind,
    /// Its name; of the context, the key.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
    /// The namespace of a ConfigMap. The default is that of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub namespace: Option<String>,
}

/// What may have the memory of pools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum PoolsFromKind {
    /// An EnvironmentConfig: its `data`, or `pools` there.
    #[default]
    EnvironmentConfig,
    /// A ConfigMap: its `data`.
    ConfigMap,
    /// The context of the pipeline, as an earlier step left it: the value at the key, or `pools` there.
    Context,
}

impl PoolsFromKind {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EnvironmentConfig => "EnvironmentConfig",
            Self::ConfigMap => "ConfigMap",
            Self::Context => "Context",
        }
    }
}

/// What happens to a model that is larger than its whole pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum BudgetAdvice {
    /// It gets a warning, and waits.
    #[default]
    Warn,
    /// Admission refuses it.
    Refuse,
}
