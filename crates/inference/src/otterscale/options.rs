//! The section for ModelService and ModelArtifact in the platform's options. Its defaults are those of the operator.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Constants and switches of a platform for `ModelService` and `ModelArtifact`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ModelServiceOptions {
    /// Value of the label `app.kubernetes.io/version`. Without a value there is no label. It is on pods too, so another value
    /// restarts them.
    pub version: String,

    /// Images, for composites that do not state them.
    pub images: ServingImages,

    /// The gateway of services that state no route.
    pub default_gateway: DefaultGateway,

    /// What the gateways are made of.
    pub provider: GatewayProvider,

    /// Whether the metrics of endpoint pickers need a token.
    pub metrics_endpoint_auth: bool,

    /// Whether also services without `spec.inferencePool` get what reads those metrics: the token, and the grant for the picker.
    pub always_metrics_auth: bool,

    /// How the grant of endpoint pickers, which is cluster-scoped, comes into being. The default is `wrapped` with a
    /// `providerConfigRef`, and `none` without.
    #[serde(rename = "clusterRBAC", skip_serializing_if = "Option::is_none")]
    pub cluster_rbac: Option<ClusterRbac>,

    /// The configuration of provider-kubernetes for the cluster itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_config_ref: Option<OwnClusterConfig>,

    /// Monitors of the Prometheus operator.
    pub monitoring: MonitoringOptions,

    /// Traces of endpoint pickers and routing proxies.
    pub tracing: TracingOptions,

    /// Further flags of endpoint pickers, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub endpoint_picker_flags: BTreeMap<String, String>,

    /// Whether models may come from a registry without TLS.
    pub plain_http: bool,

    /// The script that unpacks a model, instead of ours. Pods keep running when it is the one that they have.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub unpack_script: Option<String>,
}

impl Default for ModelServiceOptions {
    fn default() -> Self {
        Self {
            version: "devel".to_owned(),
            images: ServingImages::default(),
            default_gateway: DefaultGateway::default(),
            provider: GatewayProvider::default(),
            metrics_endpoint_auth: true,
            always_metrics_auth: false,
            cluster_rbac: None,
            provider_config_ref: None,
            monitoring: MonitoringOptions::default(),
            tracing: TracingOptions::default(),
            endpoint_picker_flags: BTreeMap::new(),
            plain_http: true,
            unpack_script: None,
        }
    }
}

impl ModelServiceOptions {
    /// How the grant comes into being.
    pub fn grant(&self) -> ClusterRbac {
        let configured = if self.provider_config_ref.is_some() { ClusterRbac::Wrapped } else { ClusterRbac::None };
        self.cluster_rbac.unwrap_or(configured)
    }
}

/// Images.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServingImages {
    /// Of model servers.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub engine: String,
    /// Of endpoint pickers.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub endpoint_picker: String,
    /// Of routing proxies.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub routing_proxy: String,
    /// Of KitOps, which unpacks models and packs artifacts. Without it nothing is unpacked.
    pub kit: String,
}

impl Default for ServingImages {
    fn default() -> Self {
        Self {
            engine: "ghcr.io/llm-d/llm-d-cuda:v0.5.1".to_owned(),
            endpoint_picker: "ghcr.io/llm-d/llm-d-inference-scheduler:v0.6.0".to_owned(),
            routing_proxy: "ghcr.io/llm-d/llm-d-routing-sidecar:v0.6.0".to_owned(),
            kit: "ghcr.io/kitops-ml/kitops:v1.11.0".to_owned(),
        }
    }
}

/// A Gateway.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct DefaultGateway {
    /// Its name. Without a name, services that state no route have none.
    pub name: String,
    /// Its namespace.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub namespace: String,
}

impl Default for DefaultGateway {
    fn default() -> Self {
        Self { name: "otterscale-llm-d-infra-inference-gateway".to_owned(), namespace: "llm-d".to_owned() }
    }
}

/// What gateways are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum GatewayProvider {
    /// Istio, which gets a rule for its way to each endpoint picker.
    #[default]
    Istio,
    /// GKE, which reads metrics without a token.
    Gke,
    /// Anything else.
    None,
}

/// How the cluster-scoped grant of endpoint pickers comes into being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ClusterRbac {
    /// ClusterRole and ClusterRoleBinding are composed as they are. It is for offline rendering: in a cluster, Crossplane
    /// refuses all that the service becomes.
    Direct,
    /// provider-kubernetes makes both.
    Wrapped,
    /// The platform binds a ClusterRole of its own.
    None,
}

/// A configuration of provider-kubernetes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct OwnClusterConfig {
    /// Its kind.
    #[serde(default)]
    pub kind: OwnClusterConfigKind,
    /// Its name.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
}

/// Kinds of configurations of provider-kubernetes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum OwnClusterConfigKind {
    /// Cluster-scoped: for all namespaces.
    #[default]
    ClusterProviderConfig,
    /// Namespaced: in the namespace of the service.
    ProviderConfig,
}

impl OwnClusterConfigKind {
    /// Its name in Kubernetes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClusterProviderConfig => "ClusterProviderConfig",
            Self::ProviderConfig => "ProviderConfig",
        }
    }

    /// Whether its objects are in the namespaces of services.
    pub fn is_namespaced(self) -> bool {
        self == Self::ProviderConfig
    }
}

/// Monitors of the Prometheus operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct MonitoringOptions {
    /// Whether services may have monitors.
    pub enabled: bool,
}

impl Default for MonitoringOptions {
    fn default() -> Self {
        Self { enabled: true }
    }
}

/// Traces, which are sent by OTLP.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct TracingOptions {
    /// Whether there are any.
    pub enabled: bool,
    /// Where they are sent.
    pub endpoint: String,
    /// The sampler. Without one, that of the container decides.
    pub sampler: String,
    /// The argument of the sampler.
    pub sampler_arg: String,
}

impl Default for TracingOptions {
    fn default() -> Self {
        Self {
            enabled: false,
            endpoint: String::new(),
            sampler: "parentbased_traceidratio".to_owned(),
            sampler_arg: "0.01".to_owned(),
        }
    }
}
