//! The fields that a user may write, and those of the status.

use std::collections::BTreeMap;

use budget::pool;
use serde::Deserialize;

/// A model with a memory budget.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ModelSpec {
    /// The name by which clients ask for it, e.g. `qwen3-32b`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub model_name: String,

    /// The memory that it takes of its pool while it runs, e.g. `80Gi`. Its container gets as much, unless `resources` says
    /// otherwise.
    #[cfg_attr(feature = "generate", schemars(regex(pattern = r"^[0-9]+(Ki|Mi|Gi|Ti)$")))]
    pub memory: String,

    /// Where requests go, e.g. `http://qwen3.models.svc:8080`.
    #[cfg_attr(feature = "generate", schemars(extend("format" = "uri")))]
    pub backend_url: String,

    /// Labels of the nodes where it may run. They are its pool too: with `inference-pool` that label alone, otherwise all of
    /// them. Without labels it may run on any node, and its pool is the default one.
    #[serde(default = "default_pool")]
    pub node_selector: BTreeMap<String, String>,

    /// How long it stays up without a request, e.g. `10m`. Nothing and what is no duration are 10 minutes.
    #[serde(default = "ten_minutes")]
    pub cooldown_period: String,

    /// The pods while it is active. With 0 it never runs.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1)))]
    pub max_replicas: i32,

    /// Models of the same namespace that must be ready first, by `spec.modelName` or by name.
    #[serde(default)]
    pub dependencies: Vec<String>,

    /// The image of its container. Without one, something else serves the model.
    #[serde(default)]
    pub container_image: String,

    /// What its container asks for.
    #[serde(default)]
    pub resources: Option<ModelResources>,
}

impl ModelSpec {
    /// Whether something else runs it.
    pub fn is_external(&self) -> bool {
        self.container_image.is_empty()
    }
}

/// What the container of a model asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ModelResources {
    /// What it gets in any case.
    pub requests: Option<ModelAmounts>,
    /// What it gets at most.
    pub limits: Option<ModelAmounts>,
}

/// Amounts for a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ModelAmounts {
    /// Processors, e.g. `4`.
    pub cpu: Option<String>,
    /// Memory, e.g. `32Gi`. The default is that of the model.
    pub memory: Option<String>,
    /// GPUs, e.g. `1`. Request and limit are the same, so one of them is enough.
    pub gpu: Option<String>,
}

/// The pool of models that state none.
fn default_pool() -> BTreeMap<String, String> {
    pool::pairs(pool::DEFAULT).map(|(label, value)| (label.to_owned(), value.to_owned())).collect()
}

fn ten_minutes() -> String {
    "10m".to_owned()
}

fn one() -> i32 {
    1
}

/// The observed state of a model.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct ModelStatus {
    /// Whether a pod is ready.
    ready: Option<bool>,

    /// The pods that the Deployment reports.
    replicas: Option<i32>,

    /// The memory that the model declares.
    declared_memory: Option<String>,

    /// The most memory that was seen. It never decreases.
    observed_peak_memory: Option<String>,

    /// How much of the declared memory that is, in percent.
    #[schemars(range(min = 0, max = 100))]
    utilization_percent: Option<i32>,

    /// How much memory would be enough.
    recommendation: Option<String>,

    /// When the peak last changed.
    #[schemars(extend("format" = "date-time"))]
    last_observation: Option<String>,

    /// The memory that is reserved for the model. Without it, nothing is.
    reserved_memory: Option<String>,

    /// The pool where it is reserved.
    reserved_pool: Option<String>,

    /// How firm the reservation is.
    reservation: Option<budget::model::Reservation>,

    /// When the memory was claimed.
    #[schemars(extend("format" = "date-time"))]
    claimed_at: Option<String>,

    /// The pool that the model is about to move to, where the same memory is claimed.
    claimed_pool: Option<String>,

    /// The pool that it moved away from, where its last pods still have the same memory.
    leaving_pool: Option<String>,
}
