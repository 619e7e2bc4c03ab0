//! The section for `Cluster` in the platform's options.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Constants and switches of a platform for `Cluster`. The defaults are what dot-kubernetes was asked to be in February 2026; the
/// Compositions that we ship set what works.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ClusterOptions {
    /// The cloud. The default is what the composite selects by the label `provider`, else what the name of its Composition says after
    /// `cluster-`, else `aws`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderName>,

    /// What the sizes of nodes with GPUs are.
    pub gpu_sizes: GpuSizes,

    /// Whether nodes with GPUs have their taint stated on Google Cloud, which adds one of its own. Its key is the same.
    pub google_gpu_taint: bool,

    /// Who installs the driver of GPUs.
    pub drivers: DriverSource,

    /// When deletion has an order.
    pub usages: UsagePolicy,

    /// API version of the objects for External Secrets Operator. The version of its chart serves `v1` only.
    pub external_secrets: SecretsApi,

    /// How the EBS add-on on AWS gets its rights. Without them it can make no volume.
    pub ebs_rights: EbsRights,

    /// Hash (bcrypt) of the password of Argo CD's administrator. Everybody knows the password of the default.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub argocd_password_hash: String,

    /// Versions of charts, by the name of the release, e.g. `traefik: 39.0.1`. Each has a default.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub chart_versions: BTreeMap<String, String>,

    /// Image of the operator of the vLLM Production Stack.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub vllm_operator_image: String,
}

/// The hash of the password that the documents of Argo CD demos have.
pub const PUBLIC_PASSWORD_HASH: &str = "$2a$10$m3eTlEdRen0nS86c5Zph5u/bDFQMcWZYdG3NVdiyaACCqoxLJaz16";

/// The image of the operator, as of December 2025.
const VLLM_OPERATOR: &str = "lmcache/production-stack-operator:2025-12-12";

impl Default for ClusterOptions {
    fn default() -> Self {
        Self {
            provider: None,
            gpu_sizes: GpuSizes::default(),
            google_gpu_taint: true,
            drivers: DriverSource::default(),
            usages: UsagePolicy::default(),
            external_secrets: SecretsApi::default(),
            ebs_rights: EbsRights::default(),
            argocd_password_hash: PUBLIC_PASSWORD_HASH.to_owned(),
            chart_versions: BTreeMap::new(),
            vllm_operator_image: VLLM_OPERATOR.to_owned(),
        }
    }
}

/// A cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ProviderName {
    /// Amazon Web Services.
    Aws,
    /// Microsoft Azure.
    Azure,
    /// Google Cloud.
    Google,
}

/// What the sizes of nodes with GPUs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum GpuSizes {
    /// The first ones: a size is about the same price in all clouds.
    #[default]
    Seed,
    /// Those of dot-kubernetes 2.0.21: a size has the same number of GPUs in all clouds.
    ByCount,
}

/// Who installs the driver of GPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum DriverSource {
    /// The cloud.
    #[default]
    Cloud,
    /// The GPU Operator. Only on Azure: it has no driver for the nodes of the others. A pool takes this when it is made.
    Operator,
}

/// When deletion has an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum UsagePolicy {
    /// When the composite asks for it.
    #[default]
    Asked,
    /// Always.
    Always,
}

/// API version of the objects for External Secrets Operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum SecretsApi {
    /// As dot-kubernetes has it. External Secrets Operator serves it up to its version 0.16.
    #[default]
    #[serde(rename = "v1beta1")]
    V1beta1,
    /// As External Secrets Operator serves it from its version 0.16 on.
    #[serde(rename = "v1")]
    V1,
}

/// How the EBS add-on gets its rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum EbsRights {
    /// It gets none, as in dot-kubernetes.
    #[default]
    None,
    /// Through EKS Pod Identity: an agent, a role and an association.
    PodIdentity,
}
