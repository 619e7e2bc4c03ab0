//! What a user may write, and what a user may read back.
//!
//! These types are the source of the kind's schema: doc comments become descriptions, the bounds beside the
//! fields become the schema's, and the kind checks composites against that very schema.

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

    /// Number of GPUs. Drives compute sizing, tensor parallelism and probe timing.
    #[serde(default = "one_gpu")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1024)))]
    pub gpu: u16,

    /// Host name for access from outside the cluster, e.g. `qwen.127.0.0.1.nip.io`. Without one there is no
    /// Ingress.
    // A DNS-1123 subdomain, with or without `*.` before it, or nothing.
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

    /// Kind of that configuration. Without one it is what the platform's options say, `ClusterProviderConfig`
    /// unless they say otherwise.
    // No default in the schema: the API server would write it, and the platform's options would never count.
    pub provider_config_kind: Option<ProviderConfigKind>,

    /// Namespace on the target cluster. Without one it is the namespace of this object.
    pub target_namespace: Option<String>,
}

fn one_gpu() -> u16 {
    1
}

/// What is known of the endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Status {
    /// Base URL of the OpenAI-compatible API.
    pub endpoint: Option<String>,

    /// What the operator on the target cluster says about the model: `Ready`, `NotReady`, `Updating` or
    /// `Unknown`.
    pub model_status: Option<String>,
}
