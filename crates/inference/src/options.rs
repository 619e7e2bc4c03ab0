//! The platform's options: what a pipeline step's input may say.
//!
//! The defaults give exactly what the references of the APIs describe. One type serves every kind, so that a
//! platform states its registry or its TTL once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::types::{Cause, Fault};
use quantity::Quantity;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolbox::duration::Duration;
use toolbox::kind::Input;
use toolbox::validation::Validator;

/// API version of the step's input.
pub const API_VERSION: &str = "sailplane.fn.crossplane.io/v1alpha1";
/// Kind of the step's input.
pub const KIND: &str = "Options";

/// The input's row.
pub(crate) const INPUT: Input = Input { api_version: API_VERSION, kind: KIND, definition };

/// The constants and switches of a platform.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Options {
    /// How long a response stays good once everything is settled, e.g. `1m`.
    pub ttl: Duration,

    /// How long a response stays good while something is awaited, e.g. `10s`.
    pub ttl_waiting: Duration,

    /// Release of the vLLM Production Stack operator on the target clusters. It decides how a VLLMRuntime names
    /// the secret with the Hugging Face token.
    pub vllm_operator: VllmOperator,

    /// Kind of the provider-kubernetes configuration where a composite does not say.
    pub provider_config_kind: ProviderConfigKind,

    /// When a composite is ready.
    pub readiness: ReadinessPolicy,

    /// Memory of one GPU, e.g. `80Gi`, for advice on models that do not fit. Without it only what fits no card
    /// is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "generate",
        schemars(
            with = "Option<String>",
            regex(pattern = r"^[0-9]{1,15}(\.[0-9]{1,3})?(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$")
        )
    )]
    pub gpu_memory: Option<Quantity>,

    /// What happens to a composite whose model cannot fit its GPUs.
    pub memory_advice: MemoryAdvice,

    /// Registry that images are pulled from, e.g. `docker.io`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub image_registry: String,

    /// The secret on the target cluster that holds the Hugging Face token.
    pub token_secret: TokenSecret,

    /// What every Ingress gets.
    pub ingress: IngressOptions,

    /// Tolerations of the model servers. The operator of `2025-12` does not read them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<Toleration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ttl: Duration::from_millis(60_000),
            ttl_waiting: Duration::from_millis(10_000),
            vllm_operator: VllmOperator::default(),
            provider_config_kind: ProviderConfigKind::default(),
            readiness: ReadinessPolicy::default(),
            gpu_memory: None,
            memory_advice: MemoryAdvice::default(),
            image_registry: "docker.io".to_owned(),
            token_secret: TokenSecret::default(),
            ingress: IngressOptions::default(),
            tolerations: Vec::new(),
        }
    }
}

impl Options {
    /// Reads a step's input; the defaults when there is none.
    ///
    /// # Errors
    /// A [`Fault`] with everything that is wrong with the input, unknown fields included.
    pub fn read(input: Option<&Value>) -> Result<Self, Fault> {
        let Some(input) = input else { return Ok(Self::default()) };
        definition().whole(input).map_err(|problems| Fault::many(Cause::Input, problems))
    }
}

/// The generated CustomResourceDefinition of the step's input.
pub fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("options.json")));
    &DEFINITION
}

/// The input's CustomResourceDefinition, out of its types.
#[cfg(feature = "generate")]
pub fn generated() -> Value {
    use toolbox::definition::input_definition;
    use toolbox::structural::schema_of;
    input_definition(API_VERSION, KIND, "options", schema_of::<Options>())
}

/// Releases of the vLLM Production Stack operator that differ in what they read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum VllmOperator {
    /// Up to 2026-02-14: `hfTokenSecret.name` and `hfTokenName`.
    #[default]
    #[serde(rename = "2025-12")]
    December2025,
    /// After it: `hfTokenSecret.hfTokenSecretName` and `.hfTokenKeyName`.
    #[serde(rename = "2026-02")]
    February2026,
}

/// Kinds of a provider-kubernetes configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ProviderConfigKind {
    /// Cluster-scoped: usable from every namespace.
    #[default]
    ClusterProviderConfig,
    /// Namespaced: in the namespace of the composite.
    ProviderConfig,
}

impl ProviderConfigKind {
    /// The kind that Kubernetes spells as `name`.
    pub fn named(name: &str) -> Option<Self> {
        [Self::ClusterProviderConfig, Self::ProviderConfig].into_iter().find(|kind| kind.as_str() == name)
    }

    /// How Kubernetes spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClusterProviderConfig => "ClusterProviderConfig",
            Self::ProviderConfig => "ProviderConfig",
        }
    }
}

/// What ready means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ReadinessPolicy {
    /// The objects exist on the target cluster.
    #[default]
    Created,
    /// The operator reports that the model is ready. It must run on the target cluster.
    Serving,
}

/// What happens to a composite whose model cannot fit its GPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum MemoryAdvice {
    /// A warning.
    #[default]
    Warn,
    /// Admission refuses to create it.
    Refuse,
}

/// A key of a secret.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct TokenSecret {
    /// Name of the secret, e.g. `huggingface-token`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
    /// The key in it, e.g. `token`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub key: String,
}

impl Default for TokenSecret {
    fn default() -> Self {
        Self { name: "huggingface-token".to_owned(), key: "token".to_owned() }
    }
}

/// What every Ingress gets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct IngressOptions {
    /// Its class, e.g. `traefik`. Without one the target cluster's default class counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub class_name: Option<String>,
    /// Its annotations.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Its certificates. With one, endpoints are `https`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tls: Vec<IngressTls>,
}

/// A certificate of an Ingress.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct IngressTls {
    /// Host names it is for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// The secret that holds it, in the namespace of the Ingress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_name: Option<String>,
}

/// A toleration of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Toleration {
    /// Key of the taint; every key when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How the value is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<TolerationOperator>,
    /// Value of the taint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Effect of the taint; every effect when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<TaintEffect>,
    /// How long a taint with effect `NoExecute` is tolerated; for ever when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 2_147_483_647)))]
    pub toleration_seconds: Option<i64>,
}

/// How the value of a taint is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum TolerationOperator {
    /// Any value will do.
    Exists,
    /// The value must be equal.
    Equal,
}

/// What a taint does to pods that do not tolerate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum TaintEffect {
    /// They are not scheduled.
    NoSchedule,
    /// They are scheduled elsewhere if possible.
    PreferNoSchedule,
    /// They are evicted.
    NoExecute,
}
