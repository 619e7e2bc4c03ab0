//! The fields that a user may write, and those of the status.
//!
//! The schema of the kind is generated from these types: doc comments become descriptions, and bounds beside the fields
//! become bounds of the schema. The kind validates composites by this schema.

use serde::{Deserialize, Serialize};

use super::options::ProviderConfigKind;

/// An OpenAI-compatible endpoint for one model on one target cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Spec {
    /// Hugging Face model identifier, e.g. `Qwen/Qwen2.5-1.5B-Instruct`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub model: String,

    /// Number of GPUs. CPU, memory, tensor parallelism and the delay of probes follow from it.
    #[serde(default = "one_gpu")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1024)))]
    pub gpu: u16,

    /// Host name for access from outside the cluster, e.g. `qwen.127.0.0.1.nip.io`. Without a host name there is no
    /// Ingress.
    // A DNS-1123 subdomain, optionally with `*.` before it, or the empty text.
    #[cfg_attr(
        feature = "generate",
        schemars(
            length(max = 253),
            regex(pattern = r"^$|^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
        )
    )]
    pub ingress_host: Option<String>,

    /// Name of the provider-kubernetes configuration of the target cluster, e.g. `gpu-cluster`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub provider_config_name: String,

    /// Kind of that configuration. The default is the option `llmInference.providerConfigKind` of the platform, which
    /// itself has the default `ClusterProviderConfig`.
    // The schema has no default, because the API server would write it, and the platform's option would have no effect.
    pub provider_config_kind: Option<ProviderConfigKind>,

    /// Namespace on the target cluster. The default is the namespace of this object.
    pub target_namespace: Option<String>,
}

fn one_gpu() -> u16 {
    1
}

/// The observed state of the endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Status {
    /// Base URL of the OpenAI-compatible API.
    pub endpoint: Option<String>,

    /// State of the model, as the operator on the target cluster reports it: `Ready`, `NotReady`, `Updating` or
    /// `Unknown`.
    pub model_status: Option<String>,
}
