//! The fields that a user may write, and those of the status.

use serde::Deserialize;
use serde_json::{Map, Value};
#[cfg(feature = "generate")]
use std::collections::BTreeMap;
#[cfg(feature = "generate")]
use toolbox::shapes::{AnyQuantity, AnyToleration, EnvVar, LocalObjectReference, ResourceRequirements};

/// A model that is served in the cluster itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServingSpec {
    /// The model, and where its weights are.
    pub model: ServedModel,

    /// The model server.
    pub engine: ServingEngine,

    /// The devices that the model runs on.
    pub accelerator: ServingAccelerator,

    /// The pods that answer. Without `prefill` they do everything.
    pub decode: RoleSpec,

    /// Pods that only read prompts. With them the work is divided: decode pods get what these have computed.
    pub prefill: Option<RoleSpec>,

    /// A proxy in decode pods, which sends prompts to prefill pods. Without it they never get work.
    pub routing_proxy: Option<RoutingProxy>,

    /// The pool of the pods, and what picks a pod for a request. Without it there are both too, with defaults.
    pub inference_pool: Option<PoolSpec>,

    /// The route to the pool. The default is a route of the platform's gateway.
    pub http_route: Option<RouteSpec>,

    /// Metrics.
    pub monitoring: Option<ServingMonitoring>,
}

/// A model, and where its weights are.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServedModel {
    /// The name by which clients ask for it, e.g. `qwen/Qwen3-32B`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1, max = 253)))]
    pub name: String,

    /// The OCI artifact with the weights, e.g. `ghcr.io/org/qwen3:v1`.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub image: String,

    /// The folder of the weights in the container.
    #[serde(default = "models")]
    pub mount_path: String,

    /// How the weights reach pods. Without it, an init container unpacks them.
    pub delivery: Option<ModelDelivery>,

    /// Secrets for registries. The first one is also for the artifact.
    #[cfg_attr(feature = "generate", schemars(with = "Option<Vec<LocalObjectReference>>"))]
    pub image_pull_secrets: Option<Vec<Value>>,
}

/// How weights reach pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ModelDelivery {
    /// An init container pulls the artifact and unpacks it, for each pod anew.
    InitContainer,
    /// The artifact is mounted as an image volume, which the node keeps. It needs Kubernetes 1.35, or an earlier one with the
    /// feature `ImageVolume`.
    ImageVolume,
}

/// The model server: vLLM.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServingEngine {
    /// Its image. The default is that of the platform.
    pub image: Option<String>,

    /// When the image is pulled: `Always`, `IfNotPresent` or `Never`.
    pub image_pull_policy: Option<String>,

    /// Further arguments. They come last, so they win.
    pub args: Option<Vec<String>>,

    /// Further variables. They come last, so they win.
    #[cfg_attr(feature = "generate", schemars(with = "Option<Vec<EnvVar>>"))]
    pub env: Option<Vec<Value>>,

    /// The port at which pods answer.
    #[serde(default = "port_8000")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 65535)))]
    pub port: i32,

    /// Whether pods are ready only once the model is loaded, and restarted when they do not answer any more. Without it they
    /// are ready as soon as they run.
    pub probes: Option<bool>,

    /// The size of the memory that processes of a pod share, e.g. `8Gi`. Pods whose devices share layers get it. It counts as
    /// memory of the pod.
    #[cfg_attr(feature = "generate", schemars(with = "Option<AnyQuantity>"))]
    pub shared_memory: Option<Value>,
}

/// The devices that a model runs on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServingAccelerator {
    /// Their family.
    #[serde(rename = "type")]
    pub family: DeviceFamily,
}

/// A family of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum DeviceFamily {
    /// GPUs of NVIDIA: `nvidia.com/gpu`.
    Nvidia,
    /// GPUs of AMD: `amd.com/gpu`.
    Amd,
    /// Gaudi of Intel: `habana.ai/gaudi`.
    IntelGaudi,
    /// TPUs of Google: `google.com/tpu`.
    Google,
    /// No devices.
    Cpu,
}

/// Pods with one task.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct RoleSpec {
    /// How many there are.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 2_147_483_647)))]
    pub replicas: i32,

    /// Whether a scaler of another kind decides how many there are, e.g. one of KEDA. Then `replicas` does not count.
    pub external_scaler: Option<bool>,

    /// How pods are replaced. The default is that of Kubernetes: others come before they go.
    pub strategy: Option<RolloutStrategy>,

    /// How many pods may be missing while nodes are drained. Without it there is no limit.
    pub disruption_budget: Option<DisruptionBudget>,

    /// Further arguments of the model server in these pods, after those of `engine.args`.
    pub args: Option<Vec<String>>,

    /// Further variables of the model server in these pods. They win over those of `engine.env`.
    #[cfg_attr(feature = "generate", schemars(with = "Option<Vec<EnvVar>>"))]
    pub env: Option<Vec<Value>>,

    /// How a model is divided.
    pub parallelism: Option<Parallelism>,

    /// Processor, memory and others. The number of devices follows from the parallelism.
    #[cfg_attr(feature = "generate", schemars(with = "Option<ResourceRequirements>"))]
    pub resources: Option<Map<String, Value>>,

    /// Labels of the nodes where they may run.
    #[cfg_attr(feature = "generate", schemars(with = "Option<BTreeMap<String, String>>"))]
    pub node_selector: Option<Map<String, Value>>,

    /// Taints of nodes where they may run.
    #[cfg_attr(feature = "generate", schemars(with = "Option<Vec<AnyToleration>>"))]
    pub tolerations: Option<Vec<Value>>,

    /// Annotations of the pods.
    #[cfg_attr(feature = "generate", schemars(with = "Option<BTreeMap<String, String>>"))]
    pub annotations: Option<Map<String, Value>>,
}

/// How pods are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum RolloutStrategy {
    /// Others come before they go, for which there must be free devices.
    RollingUpdate,
    /// One goes before another comes, in its place. Nothing is needed beside what they have.
    InPlace,
}

/// How many pods may be missing while nodes are drained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct DisruptionBudget {
    /// The most pods that may be missing.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 2_147_483_647)))]
    pub max_unavailable: i32,
}

/// How a model is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct Parallelism {
    /// Devices that share each layer.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 2_147_483_647)))]
    pub tensor: i32,

    /// Copies of the model in all pods together.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 2_147_483_647)))]
    pub data: i32,

    /// Copies of the model in each pod.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 2_147_483_647)))]
    pub data_local: i32,
}

/// A proxy in decode pods, which sends prompts to prefill pods.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "generate",
    schemars(transform = toolbox::structural::rule(
        "!has(self.certSecretRef) || has(self.certPath) && self.certPath != ''",
        "certSecretRef is mounted in certPath, which is missing"
    ))
)]
pub struct RoutingProxy {
    /// Its image. The default is that of the platform.
    pub image: Option<String>,

    /// How caches move from prefill pods to decode pods.
    #[serde(default = "nixl")]
    pub connector: String,

    /// The port of the model server behind the proxy.
    #[serde(default = "port_8200")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 65535)))]
    pub target_port: i32,

    /// The format of its log, e.g. `json`.
    pub zap_encoder: Option<String>,

    /// The level of its log, e.g. `info`.
    pub zap_log_level: Option<String>,

    /// Whether it listens with TLS.
    pub secure_proxy: Option<bool>,

    /// Whether prefill pods listen with TLS.
    #[serde(rename = "prefillerUseTLS")]
    pub prefiller_use_tls: Option<bool>,

    /// The folder of its certificate.
    pub cert_path: Option<String>,

    /// A Secret of type `kubernetes.io/tls` with its certificate, which is mounted in that folder.
    pub cert_secret_ref: Option<CertificateSecret>,
}

/// A Secret in the namespace of the service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct CertificateSecret {
    /// Its name.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,
}

/// The pool of the pods.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct PoolSpec {
    /// What picks a pod for a request.
    pub endpoint_picker: EndpointPicker,
}

/// What picks a pod for a request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct EndpointPicker {
    /// Its image. The default is that of the platform.
    pub image: Option<String>,

    /// How many there are. With several, one leads.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 0, max = 2_147_483_647)))]
    pub replicas: i32,

    /// Processor and memory. They are taken as a whole.
    #[cfg_attr(feature = "generate", schemars(with = "Option<ResourceRequirements>"))]
    pub resources: Option<Map<String, Value>>,

    /// The port at which gateways ask it.
    #[serde(default = "port_9002")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 65535)))]
    pub port: i32,

    /// What a gateway does when it does not answer.
    #[serde(default)]
    pub failure_mode: FailureMode,
}

/// What a gateway does when nothing picks a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum FailureMode {
    /// It picks one by itself.
    #[default]
    FailOpen,
    /// It refuses the request.
    FailClose,
}

/// A route to the pool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct RouteSpec {
    /// The gateway.
    pub gateway_ref: RouteGateway,

    /// Host names. Without any, all of the gateway.
    pub hostnames: Option<Vec<String>>,
}

/// A gateway.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct RouteGateway {
    /// Its name.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub name: String,

    /// Its namespace. The default is that of the service.
    pub namespace: Option<String>,
}

/// Metrics of a service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServingMonitoring {
    /// Monitors of the pods. Without this object there are some, with defaults; with it only when `enabled` is true.
    pub pod_monitor: Option<PodMonitorSpec>,
}

/// Monitors of the pods.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct PodMonitorSpec {
    /// Whether there are any, also for the endpoint picker.
    #[serde(default)]
    pub enabled: bool,

    /// The name of the port with metrics.
    #[serde(default = "http")]
    pub port_name: String,

    /// The path of metrics.
    #[serde(default = "metrics")]
    pub path: String,

    /// How often they are read.
    #[serde(default = "half_a_minute")]
    pub interval: String,
}

fn models() -> String {
    "/models".to_owned()
}

fn nixl() -> String {
    "nixlv2".to_owned()
}

fn http() -> String {
    "http".to_owned()
}

fn metrics() -> String {
    "/metrics".to_owned()
}

fn half_a_minute() -> String {
    "30s".to_owned()
}

fn one() -> i32 {
    1
}

fn port_8000() -> i32 {
    8000
}

fn port_8200() -> i32 {
    8200
}

fn port_9002() -> i32 {
    9002
}

/// The observed state of a service.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct ServingStatus {
    /// The generation that this status is about.
    observed_generation: Option<i64>,

    /// How far the service is.
    phase: Option<ServingPhase>,

    /// The number of decode pods that are ready. Left out when it is 0.
    decode_ready: Option<i32>,

    /// The number of decode pods that there should be. Left out when it is 0.
    decode_replicas: Option<i32>,

    /// The number of prefill pods that are ready. Left out when it is 0.
    prefill_ready: Option<i32>,

    /// The number of prefill pods that there should be. Left out when it is 0.
    prefill_replicas: Option<i32>,

    /// How clients call the service.
    access: Option<ServingAccess>,
}

/// How clients call a service.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
struct ServingAccess {
    /// The gateway, as `namespace/name`.
    gateway: Option<String>,

    /// The header of each request, as `name: value`.
    header: Option<String>,

    /// The host names. Without any, all of the gateway.
    hostnames: Option<Vec<String>>,
}

/// How far a service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum ServingPhase {
    /// There are no pods yet.
    Pending,
    /// Some pods are not ready.
    Running,
    /// All pods are ready.
    Ready,
    /// Pods do not become ready in time.
    Failed,
}

impl ServingPhase {
    /// As the status has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Running => "Running",
            Self::Ready => "Ready",
            Self::Failed => "Failed",
        }
    }
}
