//! The table of the fields that earlier versions of the API had, and what becomes of them.

use super::rows::Becomes::{Dropped, Made, Same};

/// A field of an earlier version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierField {
    /// The kind.
    pub kind: &'static str,
    /// Its path. `ROLE` is the spec itself, `spec.decode`, `spec.prefill`, `spec.serving[0]` or one of these two inside it.
    pub old: &'static str,
    /// Its path in the shape of v0.3.1, or the paths of what is made of it. Empty when there is nothing for it. `ENGINE` is the
    /// engine of the role, and `MEMBER` each of its members.
    pub new: &'static str,
    /// What becomes of the value.
    pub becomes: Becomes,
}

/// What becomes of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Becomes {
    /// It stays as it is.
    Same,
    /// Something is made of it.
    Made(&'static str),
    /// It is left out, and this is said.
    Dropped(&'static str),
}

const fn row(kind: &'static str, old: &'static str, new: &'static str, becomes: Becomes) -> EarlierField {
    EarlierField { kind, old, new, becomes }
}

const DEPLOYMENT: &str = "ModelDeployment";
const REPLICA: &str = "ModelReplica";
const CLASS: &str = "InferenceClass";
const CLUSTER: &str = "InferenceCluster";
const GATEWAY: &str = "InferenceGateway";
const STACK: &str = "ServingStack";

/// Every field of an earlier version that v0.3.1 does not have, or has elsewhere or with other values. Rows that keep or drop a value
/// are applied as they are. All others are in `roles.rs`, `classes.rs` and `gateways.rs`, but for fields with other values alone, which
/// whoever reads them knows.
#[rustfmt::skip]
pub const ROWS: &[EarlierField] = &[
    row(DEPLOYMENT, "spec.engines", "spec.template.spec.engines", Same),
    row(DEPLOYMENT, "spec.serving", "spec.template.spec.serving", Made("the same object; a list has one profile, which is a role")),
    row(DEPLOYMENT, "spec.clusterSelector", "spec.template.spec.clusterSelector", Same),
    row(DEPLOYMENT, "spec.environmentSelector", "spec.template.spec.clusterSelector", Same),
    row(DEPLOYMENT, "spec.modelCacheRef", "spec.template.spec.modelCacheRef", Same),
    row(DEPLOYMENT, "spec.source", "", Dropped("the engine fetches its weights by itself, or from a ModelCache; its arguments name the model")),
    row(DEPLOYMENT, "spec.huggingFace", "", Dropped("the engine fetches its weights by itself, or from a ModelCache; its arguments name the model")),
    row(DEPLOYMENT, "spec.prefill, with the spec itself or spec.decode", "spec.template.spec.serving.mode", Made("`PrefillDecode`, with the engines `prefill` and `decode`; without `prefill` there is one engine, `main`")),
    row(DEPLOYMENT, "ROLE.workers.count", "ENGINE.copies", Made("the same number, or 1; also `instances` and `pods`")),
    row(DEPLOYMENT, "ROLE.workers.topology", "MEMBER.worker.nodes", Made("n = pipeline × (data / dataLocal) nodes: a `Standalone` member for one, else a `Leader` and a `Worker` with n − 1; also `topology` and `parallelism`")),
    row(DEPLOYMENT, "ROLE.workers.topology", "MEMBER.nodeSelector.devices[0].count", Made("tensor × dataLocal devices on each node")),
    row(DEPLOYMENT, "ROLE.workers.topology.strategy", "", Made("the numbers say the same; each strategy needs its own")),
    row(DEPLOYMENT, "ROLE.workers.resources", "MEMBER.resources", Made("the same, for each member")),
    row(DEPLOYMENT, "ROLE.workers.template", "MEMBER.template", Made("the same for each member, with or without the level `spec`; containers beside `engine` are dropped")),
    row(DEPLOYMENT, "ROLE.engine", "MEMBER.template.spec.containers[0]", Made("the container `engine`; its `imagePullSecrets` are those of the pod")),
    row(DEPLOYMENT, "ROLE.nodeSelector.devices", "MEMBER.nodeSelector.devices", Made("the same, for each member")),
    row(DEPLOYMENT, "ROLE.nodeSelector.cel", "MEMBER.nodeSelector.devices", Made("a request `gpu`, and a request `node` for terms about `modelplane.ai/…`; terms about `capabilities`, and those about both, are judged on the class of the pool; also `poolSelector`")),
    row(DEPLOYMENT, "ROLE.poolSelector.perNode", "", Made("it must be the number of devices that `parallelism` makes")),
    row(DEPLOYMENT, "ROLE.poolSelector.count", "", Made("`parallelism` says how many devices there are")),
    row(REPLICA, "spec.inferenceClusterRef.name", "spec.clusterName", Same),
    row(REPLICA, "spec.inferenceEnvironmentRef.name", "spec.clusterName", Same),
    row(REPLICA, "metadata.labels[modelplane.ai/environment]", "metadata.labels[modelplane.ai/cluster]", Made("the same, once its deployment is composed")),
    row(CLASS, "spec.resources.gpu", "spec.devices[]", Made("a device `gpu` of the driver `gpu.nvidia.com`: `count`, and `memory` as its capacity")),
    row(CLASS, "spec.attributes", "spec.devices[].attributes", Made("`DOMAIN/NAME` is the attribute NAME of the device whose driver is DOMAIN; those of `modelplane.ai` are of a Synthetic device `node`")),
    row(CLASS, "spec.attributes.*.boolean", "spec.devices[].attributes.*.bool", Made("the same value")),
    row(CLASS, "spec.attributes.*.integer", "spec.devices[].attributes.*.int", Made("the same value")),
    row(CLASS, "spec.capacity", "spec.devices[].capacity", Made("as attributes; `modelplane.ai/gpuCount` is the count of the GPU")),
    row(CLASS, "spec.capabilities", "spec.devices[]", Made("`gpu.count`, `gpu.vramGiB`, `gpu.architecture` and `gpu.product` make a device `gpu`; expressions about `capabilities` see all of them as they are")),
    row(CLASS, "spec.provisioning.gke.networking", "", Dropped("the network of a cluster belongs to the cluster")),
    row(CLUSTER, "spec.nodePools[].class", "spec.nodePools[].className", Same),
    row(CLUSTER, "spec.nodePools[].maxNodes", "spec.nodePools[].maxNodeCount", Same),
    row(CLUSTER, "spec.scheduler.type", "spec.scheduler.type", Made("`KAI` is `kai`, `Kueue` is `kueue`, and `None` is `none`")),
    row(GATEWAY, "spec.type", "spec.backend", Made("`Envoy` is `Traefik`")),
    row(GATEWAY, "spec.backend", "spec.backend", Made("`EnvoyGateway` is `Traefik`, whose routes rewrite paths for each backend")),
    row(GATEWAY, "spec.envoyGateway.version", "spec.traefik.version", Made("the version of Traefik's chart that v0.3.1 was released with; the old value is dropped")),
    row(GATEWAY, "spec.envoyGateway.loadBalancer", "spec.traefik.loadBalancer", Same),
    row(GATEWAY, "spec.envoyGateway.metallb", "spec.traefik.metallb", Same),
    row(GATEWAY, "spec.gateway.port", "", Dropped("the gateway serves at port 80")),
    row(STACK, "spec.secrets[].type", "spec.secrets[].type", Made("`GCPServiceAccountKey` is `GoogleApplicationCredentials`; also in the status of a GKECluster")),
    row(STACK, "spec.versions.kserve", "", Dropped("engines are Deployments and LeaderWorkerSets, so no KServe is installed")),
    row(STACK, "spec.versions.keda", "", Dropped("nothing that is installed scales by KEDA")),
];
