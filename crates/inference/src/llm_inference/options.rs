//! The section for `LLMInference` in the platform's options.

use std::collections::BTreeMap;

use quantity::Quantity;
use serde::{Deserialize, Serialize};
use toolbox::shapes::{IngressTls, Toleration};

/// Constants and switches of a platform for `LLMInference`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct LlmInferenceOptions {
    /// Release of the vLLM Production Stack operator on the target clusters. It decides in which fields a VLLMRuntime has
    /// the Secret with the Hugging Face token.
    pub vllm_operator: VllmOperator,

    /// Kind of the provider-kubernetes configuration, for composites that do not state it.
    pub provider_config_kind: ProviderConfigKind,

    /// When a composite becomes ready.
    pub readiness: ReadinessPolicy,

    /// Memory of one GPU, e.g. `80Gi`. A model that does not fit the GPUs gets a warning. Without this option, only models
    /// that are too large for every GPU get a warning.
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

    /// Registry for images, e.g. `docker.io`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub image_registry: String,

    /// The Secret with the Hugging Face token, on the target cluster.
    pub token_secret: TokenSecret,

    /// Settings for every Ingress.
    pub ingress: IngressOptions,

    /// Tolerations of the model servers. The operator of `2025-12` does not read them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<Toleration>,
}

impl Default for LlmInferenceOptions {
    fn default() -> Self {
        Self {
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

/// Releases of the vLLM Production Stack operator that read different fields.
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

/// Kinds of provider-kubernetes configurations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ProviderConfigKind {
    /// Cluster-scoped: for all namespaces.
    #[default]
    ClusterProviderConfig,
    /// Namespaced: in the namespace of the composite.
    ProviderConfig,
}

impl ProviderConfigKind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::ClusterProviderConfig, Self::ProviderConfig].into_iter().find(|kind| kind.as_str() == name)
    }

    /// Its name in Kubernetes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClusterProviderConfig => "ClusterProviderConfig",
            Self::ProviderConfig => "ProviderConfig",
        }
    }
}

/// When a composite is ready.
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
    /// It gets a warning.
    #[default]
    Warn,
    /// Admission refuses a new composite.
    Refuse,
}

/// A key of a Secret.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct TokenSecret {
    /// Name of the Secret, e.g. `huggingface-token`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
    /// Key in the Secret, e.g. `token`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub key: String,
}

impl Default for TokenSecret {
    fn default() -> Self {
        Self { name: "huggingface-token".to_owned(), key: "token".to_owned() }
    }
}

/// Settings for every Ingress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct IngressOptions {
    /// Its class, e.g. `traefik`. The default is the default class of the target cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub class_name: Option<String>,
    /// Its annotations.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Its certificates. With a certificate, endpoints are `https`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tls: Vec<IngressTls>,
}
