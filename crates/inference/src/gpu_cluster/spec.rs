//! The fields that a user may write, and those of the status.
//!
//! The fields of dot-kubernetes 2.0.21 (2026-02-28) are here with its defaults. Bounds are ours: what a cloud or Kubernetes would
//! refuse has one.

use serde::{Deserialize, Serialize};

#[cfg(feature = "generate")]
use super::sizes;
use super::sizes::NodeSize;

/// What a cluster is made of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CloudClusterSpec {
    /// Parameters of the cluster.
    pub parameters: ClusterParameters,
}

/// Parameters of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ClusterParameters {
    /// Version of Kubernetes, e.g. `1.33`. The default is the cloud's.
    #[cfg_attr(feature = "generate", schemars(length(max = 63)))]
    pub version: Option<String>,

    /// Size of the nodes.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "small"), transform = sizes::describe_general))]
    pub node_size: NodeSize,

    /// The least number of nodes. On Google Cloud it is for each zone, on Azure at least 1. On AWS nothing adds more.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub min_node_count: u32,

    /// Region of the cluster, e.g. `eu-west-1`. The default is `us-east-1` on AWS, `eastus` on Azure and `us-east1` on Google Cloud.
    /// No cloud can change it later.
    #[cfg_attr(
        feature = "generate",
        schemars(length(min = 1, max = 40), regex(pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"))
    )]
    pub region: Option<String>,

    /// Zones of the nodes, as the cloud names them, e.g. `eu-west-1a`. AWS and Google Cloud have three by default.
    #[cfg_attr(
        feature = "generate",
        schemars(
            length(min = 1, max = 6),
            inner(length(min = 1, max = 40), regex(pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"))
        )
    )]
    pub zones: Option<Vec<String>>,

    /// Namespaces that are created in the cluster.
    #[serde(default = "namespaces")]
    #[cfg_attr(
        feature = "generate",
        schemars(
            length(max = 200),
            inner(length(min = 1, max = 63), regex(pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"))
        )
    )]
    pub namespaces: Vec<String>,

    /// Whether deletion has an order.
    #[serde(default)]
    pub usage: UsageSwitch,

    /// A pool of nodes with GPUs, beside the general one. Without it there is none.
    pub gpu: Option<GpuPool>,

    /// Applications that are installed in the cluster.
    #[serde(default)]
    pub apps: Apps,

    /// A Secret with cloud credentials, which is copied into the cluster.
    pub creds: Option<CloudCredentials>,
}

/// Whether deletion has an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct UsageSwitch {
    /// Whether Usages keep the cluster until everything in it is deleted. Without them a deletion can hang. The platform may turn
    /// them on for all clusters.
    pub enabled: bool,
}

/// A pool of nodes with GPUs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(transform = toolbox::structural::rule(
        "self.minNodeCount <= self.maxNodeCount",
        "minNodeCount may not be more than maxNodeCount, which is 10 by default"
    ))
)]
pub struct GpuPool {
    /// Whether the pool exists.
    #[serde(default)]
    pub enabled: bool,

    /// Size of its nodes. The platform chooses what a size is.
    #[serde(default = "small")]
    #[cfg_attr(feature = "generate", schemars(with = "NodeSize", extend("default" = "small"), transform = sizes::describe_gpus))]
    pub node_size: NodeSize,

    /// The accelerator, e.g. `H100`, in the smallest machine that is known here to have it. It comes before the size.
    pub accelerator: Option<AcceleratorName>,

    /// The machine type of the cloud, e.g. `g6.xlarge`. It comes before the accelerator and the size.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub machine_type: Option<String>,

    /// How the machines are bought. The default is the cloud's: on demand.
    pub capacity: Option<CapacityType>,

    /// The least number of its nodes. With 0 the pool can be empty. On Azure and Google Cloud nodes come when pods need them; on AWS
    /// nothing adds any, so the pool has exactly this number.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 1000)))]
    pub min_node_count: u32,

    /// The largest number of its nodes. On AWS nothing makes the pool grow.
    #[serde(default = "ten")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1000)))]
    pub max_node_count: u32,
}

/// An accelerator. Not every cloud has each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum AcceleratorName {
    /// NVIDIA T4, with 16 GB.
    T4,
    /// NVIDIA A10G, with 24 GB. Only on AWS.
    A10G,
    /// NVIDIA L4, with 24 GB.
    L4,
    /// NVIDIA L40S, with 48 GB.
    L40S,
    /// NVIDIA A100, with 40 or 80 GB.
    A100,
    /// NVIDIA H100, with 80 or 94 GB.
    H100,
    /// NVIDIA H200, with 141 GB.
    H200,
    /// NVIDIA B200, with 180 GB.
    B200,
}

impl AcceleratorName {
    /// Its name in the tables of clouds.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::T4 => "T4",
            Self::A10G => "A10G",
            Self::L4 => "L4",
            Self::L40S => "L40S",
            Self::A100 => "A100",
            Self::H100 => "H100",
            Self::H200 => "H200",
            Self::B200 => "B200",
        }
    }
}

/// How machines are bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum CapacityType {
    /// At the list price, until they are given back.
    OnDemand,
    /// Cheaper, and the cloud may take them back at any time.
    Spot,
}

/// Applications of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Apps {
    /// Crossplane.
    pub crossplane: App,
    /// Argo CD, with an application that applies a repository.
    pub argocd: Option<ArgoCd>,
    /// OpenFunction. It brings Dapr.
    pub openfunction: App,
    /// Dapr. Not beside OpenFunction, which brings it.
    pub dapr: App,
    /// Traefik, an ingress controller.
    pub traefik: App,
    /// NVIDIA's GPU Operator. On AWS and Azure, GPUs cannot be used without it. Google Cloud does what it does.
    pub nvidia: App,
    /// The operator of the vLLM Production Stack, which serves models.
    pub vllm: App,
    /// KEDA, with its add-on for HTTP, which scales workloads.
    pub keda: App,
    /// Envoy Gateway with Envoy AI Gateway.
    pub envoy_gateway: App,
    /// Prometheus with its operator, Grafana and Alertmanager.
    pub prometheus: App,
    /// External Secrets Operator.
    pub external_secrets: Option<SecretsOperator>,
}

/// An application without settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct App {
    /// Whether it is installed.
    pub enabled: bool,
}

/// Argo CD.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ArgoCd {
    /// Whether it is installed.
    #[serde(default)]
    pub enabled: bool,
    /// Its host name, e.g. `argocd.example.org`.
    #[cfg_attr(feature = "generate", schemars(length(max = 253)))]
    #[serde(default = "host")]
    pub host: String,
    /// The repository that it applies, e.g. `https://github.com/acme/platform`.
    #[cfg_attr(feature = "generate", schemars(length(max = 2048)))]
    #[serde(rename = "repoURL", default = "repository")]
    pub repo_url: String,
    /// The namespace for what has none in the repository. It must exist.
    #[cfg_attr(feature = "generate", schemars(length(max = 63)))]
    #[serde(rename = "destinationNamespace", default = "destination")]
    pub destination_namespace: String,
    /// The folder in the repository.
    #[cfg_attr(feature = "generate", schemars(length(max = 1024)))]
    #[serde(rename = "sourcePath", default = "here")]
    pub source_path: String,
}

/// External Secrets Operator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct SecretsOperator {
    /// Whether it is installed.
    #[serde(default)]
    pub enabled: bool,
    /// Whether there is a store of the cloud. It needs `creds`, except on Azure.
    pub store: Option<bool>,
    /// The key with Google's credentials in the Secret. Only on Google Cloud.
    #[cfg_attr(feature = "generate", schemars(length(max = 253), regex(pattern = r"^[-._a-zA-Z0-9]*$")))]
    pub google_credentials_key: Option<String>,
    /// The key with the access key ID in the Secret. Only on AWS.
    #[cfg_attr(feature = "generate", schemars(length(max = 253), regex(pattern = r"^[-._a-zA-Z0-9]+$")))]
    #[serde(rename = "awsAccessKeyIDKey", default = "access_key")]
    pub aws_access_key_id_key: String,
    /// The key with the secret access key in the Secret. Only on AWS.
    #[cfg_attr(feature = "generate", schemars(length(max = 253), regex(pattern = r"^[-._a-zA-Z0-9]+$")))]
    #[serde(default = "secret_key")]
    pub aws_secret_access_key_key: String,
    /// The URL of the vault, e.g. `https://acme.vault.azure.net`. Only on Azure.
    #[cfg_attr(feature = "generate", schemars(length(max = 2048)))]
    pub azure_vault_url: Option<String>,
    /// Secrets that come from the store.
    #[cfg_attr(feature = "generate", schemars(length(max = 500)))]
    #[serde(default)]
    pub secrets: Vec<StoredSecret>,
}

/// A Secret that comes from the store.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct StoredSecret {
    /// Its name or key in the store.
    #[cfg_attr(feature = "generate", schemars(length(max = 2048)))]
    pub from_secret: String,
    /// Name of the Secret.
    #[cfg_attr(
        feature = "generate",
        schemars(
            length(min = 1, max = 170),
            regex(pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
        )
    )]
    pub to_secret: String,
    /// Namespace of the Secret.
    #[cfg_attr(
        feature = "generate",
        schemars(length(min = 1, max = 63), regex(pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"))
    )]
    pub to_namespace: String,
    /// Type of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(max = 317)))]
    #[serde(rename = "type", default = "opaque")]
    pub secret_type: String,
}

/// A Secret with cloud credentials.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CloudCredentials {
    /// Name of the Secret.
    #[cfg_attr(feature = "generate", schemars(length(max = 253)))]
    pub name: String,
    /// Namespace of the Secret.
    #[cfg_attr(feature = "generate", schemars(extend("default" = "crossplane-system"), length(max = 63)))]
    pub namespace: String,
    /// The keys that are copied.
    #[cfg_attr(feature = "generate", schemars(length(max = 100), inner(length(max = 253))))]
    pub keys: Vec<String>,
}

impl Default for ArgoCd {
    fn default() -> Self {
        Self {
            enabled: false,
            host: host(),
            repo_url: repository(),
            destination_namespace: destination(),
            source_path: here(),
        }
    }
}

/// The repository that Argo CD has when nobody says another. It does not exist.
pub const PLACEHOLDER_REPOSITORY: &str = "https://github.com/vfarcic/SOMETHING";

fn one() -> u32 {
    1
}

fn ten() -> u32 {
    10
}

fn small() -> NodeSize {
    NodeSize::Small
}

fn namespaces() -> Vec<String> {
    ["dev", "production"].map(str::to_owned).into()
}

fn host() -> String {
    "acme.com".to_owned()
}

fn repository() -> String {
    PLACEHOLDER_REPOSITORY.to_owned()
}

fn destination() -> String {
    "argo-cd".to_owned()
}

fn here() -> String {
    ".".to_owned()
}

fn access_key() -> String {
    "accessKeyID".to_owned()
}

fn secret_key() -> String {
    "secretAccessKey".to_owned()
}

fn opaque() -> String {
    "Opaque".to_owned()
}

/// The observed state of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CloudClusterStatus {
    /// The cloud: `aws`, `azure` or `google`.
    pub provider: Option<String>,
    /// Name of the cluster.
    pub cluster_name: Option<String>,
    /// State of the control plane, as the provider reports it, e.g. `Available`.
    pub control_plane_status: Option<String>,
    /// State of the general nodes, as the provider reports it.
    pub node_pool_status: Option<String>,
    /// State of the nodes with GPUs, as the provider reports it.
    pub gpu_node_pool_status: Option<String>,
    /// The range of the addresses of pods. Only on Google Cloud.
    pub field1: Option<String>,
}
