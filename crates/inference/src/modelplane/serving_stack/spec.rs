//! The fields that a user may write, and those of the status.

use serde::Deserialize;

/// What serves models, on one cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(transform = toolbox::structural::rule(
        "self.secrets.exists(s, s.type == 'Kubeconfig')",
        "spec.secrets must include a Kubeconfig entry."
    ))
)]
pub struct StackSpec {
    /// The Secrets that lead to the cluster: a kubeconfig, and an identity in its cloud where the kubeconfig has none.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 8)))]
    pub secrets: Vec<StackSecret>,

    /// Where nodes have the driver of GPUs.
    #[serde(default = "driver_root")]
    #[cfg_attr(feature = "generate", schemars(length(max = 512)))]
    pub nvidia_driver_root: String,

    /// Versions of what is installed. The defaults fit together.
    pub versions: Option<StackVersions>,

    /// The gateway for what models answer.
    pub gateway: Option<StackGateway>,

    /// A scheduler that is installed too. Without it, that of Kubernetes admits pods.
    pub scheduler: Option<StackScheduler>,
}

/// A Secret that leads to the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct StackSecret {
    /// What is in it. `GCPServiceAccountKey` is what an earlier version of the API called `GoogleApplicationCredentials`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "generate", schemars(extend("enum" = [
        "Kubeconfig", "GoogleApplicationCredentials", "AWSWebIdentityCredentials", "NebiusServiceAccountCredentials",
        "GCPServiceAccountKey",
    ])))]
    pub secret_type: String,
    /// Its name.
    #[cfg_attr(feature = "generate", schemars(length(max = 253)))]
    pub name: String,
    /// The key in it.
    #[cfg_attr(feature = "generate", schemars(length(max = 253)))]
    pub key: String,
    /// Its namespace, where it is another one than that of the stack. It counts for identities only.
    #[cfg_attr(feature = "generate", schemars(length(max = 253)))]
    pub namespace: Option<String>,
}

/// Versions of what is installed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct StackVersions {
    /// Version of Gateway API. Nothing reads it: the chart of Envoy Gateway brings its own.
    #[serde(default = "gateway_api")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub gateway_api: String,
    /// Version of the chart of cert-manager.
    #[serde(default = "cert_manager")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub cert_manager: String,
    /// Version of the chart of Envoy Gateway. AI Gateway v0.7 needs at least 1.8.
    #[serde(default = "envoy_gateway")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub envoy_gateway: String,
    /// Version of the two charts of Envoy AI Gateway. Without it, `v0.7.0`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub ai_gateway: Option<String>,
    /// Version of the chart kube-prometheus-stack.
    #[serde(default = "prometheus")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub prometheus: String,
    /// Version of the chart of LeaderWorkerSet.
    #[serde(default = "leader_worker_set")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub leader_worker_set: String,
    /// Version of the chart of Node Feature Discovery, whose labels lead the driver to nodes with GPUs.
    #[serde(default = "node_feature_discovery")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub node_feature_discovery: String,
    /// Version of the chart of NVIDIA's DRA driver, by which pods claim GPUs.
    #[serde(default = "nvidia_dra_driver")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub nvidia_dra_driver: String,
    /// Version of the chart of the scheduler. Without it, one that was tried.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 32)))]
    pub scheduler: Option<String>,
    /// Of an earlier version of the API, which installed KServe. It is left out.
    #[cfg_attr(feature = "generate", schemars(length(max = 32)))]
    pub kserve: Option<String>,
    /// Of an earlier version of the API, which installed KEDA. It is left out.
    #[cfg_attr(feature = "generate", schemars(length(max = 32)))]
    pub keda: Option<String>,
}

/// The gateway of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct StackGateway {
    /// Name of its GatewayClass. Choose another one where the cluster has a class of that name.
    #[serde(default = "class_name")]
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub class_name: String,
    /// Its listeners. Without any, HTTP on port 80.
    #[cfg_attr(feature = "generate", schemars(length(max = 8), transform = toolbox::structural::list_map("name")))]
    pub listeners: Option<Vec<StackListener>>,
}

/// A listener of a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct StackListener {
    /// Its name.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 63)))]
    pub name: String,
    /// Its port.
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 65535)))]
    pub port: u32,
    /// Its protocol.
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["HTTP", "TCP"])))]
    pub protocol: String,
}

/// A scheduler of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct StackScheduler {
    /// Which one: `managed-kai` or `managed-kueue`.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "generate", schemars(extend("enum" = ["managed-kai", "managed-kueue"])))]
    pub scheduler_type: String,
}

fn driver_root() -> String {
    "/".to_owned()
}

fn gateway_api() -> String {
    "v1.5.1".to_owned()
}

fn cert_manager() -> String {
    "v1.17.1".to_owned()
}

fn envoy_gateway() -> String {
    "v1.8.1".to_owned()
}

fn prometheus() -> String {
    "72.6.2".to_owned()
}

fn leader_worker_set() -> String {
    "v0.8.0".to_owned()
}

fn node_feature_discovery() -> String {
    "0.18.3".to_owned()
}

fn nvidia_dra_driver() -> String {
    "0.4.0".to_owned()
}

fn class_name() -> String {
    "envoy".to_owned()
}

impl Default for StackVersions {
    fn default() -> Self {
        Self {
            gateway_api: gateway_api(),
            cert_manager: cert_manager(),
            envoy_gateway: envoy_gateway(),
            ai_gateway: None,
            prometheus: prometheus(),
            leader_worker_set: leader_worker_set(),
            node_feature_discovery: node_feature_discovery(),
            nvidia_dra_driver: nvidia_dra_driver(),
            scheduler: None,
            kserve: None,
            keda: None,
        }
    }
}

impl Default for StackGateway {
    fn default() -> Self {
        Self { class_name: class_name(), listeners: None }
    }
}

/// The observed state of a stack.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct StackStatus {
    /// Its gateway.
    gateway: Option<StackAddress>,
}

/// Where a gateway is.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct StackAddress {
    /// Its address, once a load balancer has given it one.
    #[schemars(length(max = 256))]
    address: Option<String>,
}
