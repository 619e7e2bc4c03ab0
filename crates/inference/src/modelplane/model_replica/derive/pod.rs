//! The pods of engines, and what they claim.

use contract::types::{Code, Problem};
use serde_json::{Value, json};
use toolbox::data;
use toolbox::hashed::child;
use toolbox::rule::{Element, Rule, constant, rule};

use super::claim::ClaimedDevices;
use crate::modelplane::engines::{
    Container, PORT_BEHIND_SIDECAR, Phase, PlacedEngine, PlacedMember, Role, SERVING_PORT, first_of, integer,
};
use crate::modelplane::labels::{LEADER, WORKLOAD_NAMESPACE};
use crate::modelplane::model_replica::inputs::ReplicaInputs;
use crate::modelplane::queueing::Queueing;

/// The pods of a member of an engine.
#[derive(Clone, Debug)]
pub struct EnginePod<'a> {
    pub(super) replica: &'a ReplicaInputs,
    engine: &'a PlacedEngine,
    pub(super) member: &'a PlacedMember,
    pub(super) container: Container<'a>,
    /// Engine and role, e.g. `main/leader`.
    name: String,
    indexes: [usize; 2],
    /// The port of the engine.
    port: i64,
}

/// The scheduler KAI, as pods name it.
pub(super) const KAI: &str = "kai-scheduler";

/// Where the weights of a cache are.
pub(super) const CACHE_FOLDER: &str = "/mnt/models";

/// The variables by which NIXL finds other pods. What the user sets has precedence.
pub(super) const SIDE_CHANNEL_HOST: &str = "VLLM_NIXL_SIDE_CHANNEL_HOST";
pub(super) const SIDE_CHANNEL_PORT: &str = "VLLM_NIXL_SIDE_CHANNEL_PORT";

impl Element for EnginePod<'_> {
    const WORD: &'static str = "member";

    fn name(&self) -> &str {
        &self.name
    }

    fn indexes(&self) -> &[usize] {
        &self.indexes
    }
}

pub(super) const NAME: &str = "metadata.name";
pub(super) const CACHE: &str = "spec.modelCacheRef.name";
pub(super) const MODE: &str = "spec.serving.mode";
pub(super) const PHASE: &str = "spec.engines[].phase";
pub(super) const ROLE: &str = "spec.engines[].members[].role";
pub(super) const ARGUMENTS: &str = "spec.engines[].members[].template.spec.containers[0].args";
pub(super) const COMMAND: &str = "spec.engines[].members[].template.spec.containers[0].command";
pub(super) const VARIABLES: &str = "spec.engines[].members[].template.spec.containers[0].env";
pub(super) const DEVICES: &str = "spec.engines[].members[].deviceRequests";
/// Where a queue comes from.
pub(super) const QUEUE: &[&str] = &["metadata.namespace", "spec.clusterName"];
pub(super) const RESOURCES: &str = "spec.engines[].members[].resources";
pub(super) const OWN_RESOURCES: &str = "processor and memory of `{member}`";
const CLAIM_NAME: &str = "names of replica, engine and role, with a hash";

impl<'a> EnginePod<'a> {
    /// The template of the pods.
    #[rustfmt::skip]
    pub const TEMPLATE: &'a [Rule<Self>] = &[
        rule("metadata.labels", "the labels of `{member}`", &["spec.engines[].members[].template.metadata.labels"], |it| it.member.template.labels().cloned().map(Value::Object)),
        rule("metadata.labels[modelplane.ai/serving]", "it serves", &[NAME, ROLE], |it| it.serves().then(|| json!(it.replica.label()))),
        rule("metadata.labels[modelplane.ai/workload]", "the Deployment finds its pods by it", &[NAME, "spec.engines[].name", ROLE], |it| it.is(Role::Standalone).then(|| json!(it.replica.workload(it.engine)))),
        rule("metadata.labels[modelplane.ai/lws-role]", "it leads the gang", &[ROLE], |it| it.is(Role::Leader).then(|| json!(LEADER))),
        rule("metadata.labels[kai.scheduler/queue]", "the cluster has KAI, with a queue for each namespace", QUEUE, |it| it.kai_queue()),
        rule("metadata.labels[llm-d.ai/role]", "the endpoint picker chooses by the phase", &[MODE, PHASE], |it| it.phase().map(|phase| json!(phase.as_str().to_lowercase()))),
        rule("metadata.labels[llm-d.ai/inference-serving]", "prefill and decode are apart", &[MODE], |it| it.phase().map(|_| json!("true"))),
        rule("metadata.labels.app", "prefill and decode are apart", &[MODE, NAME], |it| it.phase().map(|_| json!(it.replica.label()))),
        rule("metadata.annotations", "the annotations of `{member}`", &["spec.engines[].members[].template.metadata.annotations"], |it| it.member.template.annotations().cloned().map(Value::Object)),

        constant("spec.containers[0].name", "always: the engine", data!("engine")),
        rule("spec.containers[0].image", "the image of `{member}`", &["spec.engines[].members[].template.spec.containers[0].image"], |it| Some(json!(it.container.image()))),
        rule("spec.containers[0].command", "the command of `{member}`", &[COMMAND], |it| some(it.container.command())),
        rule("spec.containers[0].args", "the arguments of `{member}`", &[ARGUMENTS], |it| Some(it.container.arguments()).filter(|list| it.is(Role::Standalone) || !list.is_empty()).map(|list| json!(list))),
        rule("spec.containers[0].args[]", "the weights are in the cache, and no argument names a model", &[CACHE, COMMAND, ARGUMENTS], |it| it.needs_model().then(|| json!(format!("--model={CACHE_FOLDER}")))),
        rule("spec.containers[0].env[]", "the pods of a gang find their leader by it", &[ROLE], |it| it.in_gang(json!({"name": "MODELPLANE_LEADER_ADDRESS", "value": "$(LWS_LEADER_ADDRESS)"}))),
        rule("spec.containers[0].env[]", "the pods of a gang count themselves by it", &[ROLE], |it| it.in_gang(json!({"name": "MODELPLANE_RANK", "value": "$(LWS_WORKER_INDEX)"}))),
        rule("spec.containers[0].env[..]", "the variables of `{member}`", &[VARIABLES], |it| Some(json!(it.container.variables()))),
        rule("spec.containers[0].env[]", "NIXL is found at the address of the pod", &[MODE, VARIABLES], |it| it.variable(SIDE_CHANNEL_HOST, json!({"valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}))),
        rule("spec.containers[0].env[]", "NIXL is found at this port", &[MODE, VARIABLES], |it| it.variable(SIDE_CHANNEL_PORT, json!({"value": "5557"}))),
        rule("spec.containers[0].ports", "it serves here; behind a sidecar, at the port of its arguments", &[ROLE, MODE, PHASE, ARGUMENTS], |it| it.serves().then(|| json!([{"containerPort": it.port}]))),
        rule("spec.containers[0].readinessProbe", "it serves here; behind a sidecar, at the port of its arguments", &[ROLE, MODE, PHASE, ARGUMENTS], |it| it.serves().then(|| probe(it.port))),
        rule("spec.containers[0].resources", "the devices that the pod claims", &[DEVICES], |it| it.claims().then(|| json!({"claims": [{"name": "devices"}]}))),
        rule("spec.containers[0].resources.requests", OWN_RESOURCES, &[RESOURCES], Self::resources),
        rule("spec.containers[0].resources.limits", OWN_RESOURCES, &[RESOURCES], Self::resources),
        constant("spec.containers[0].volumeMounts[]", "always: processes of an engine share memory", data!({"name": "dshm", "mountPath": "/dev/shm"})),
        rule("spec.containers[0].volumeMounts[]", "the weights are in the cache", &[CACHE], |it| it.cached(|_| json!({"name": "model-cache", "mountPath": CACHE_FOLDER}))),

        rule("spec.containers[1].name", "decode gets its requests from a sidecar", &[MODE, PHASE], |it| it.in_sidecar(json!("pd-sidecar"))),
        // An upgrade is a change here.
        rule("spec.containers[1].image", "the sidecar of llm-d", &[MODE, PHASE], |it| it.in_sidecar(json!("ghcr.io/llm-d/llm-d-router-disagg-sidecar:v0.9.0"))),
        rule("spec.containers[1].args", "the port of the engine", &[MODE, PHASE, ARGUMENTS], |it| it.in_sidecar(json!(["--secure-proxy=false", "--kv-connector=nixlv2", format!("--vllm-port={}", it.port)]))),
        rule("spec.containers[1].ports", "the pod serves here", &[MODE, PHASE], |it| it.in_sidecar(json!([{"containerPort": SERVING_PORT}]))),
        rule("spec.containers[1].readinessProbe", "the pod serves here", &[MODE, PHASE], |it| it.in_sidecar(probe(SERVING_PORT))),

        constant("spec.volumes[]", "always: processes of an engine share memory", data!({"name": "dshm", "emptyDir": {"medium": "Memory"}})),
        rule("spec.volumes[]", "the weights are in the cache", &[CACHE, "metadata.namespace"], |it| it.cached(|claim| json!({"name": "model-cache", "persistentVolumeClaim": {"claimName": claim}}))),
        rule("spec.volumes[]", "NIXL has memory of its own", &[MODE], |it| it.phase().map(|_| json!({"name": "nixl-shm", "emptyDir": {"medium": "Memory"}}))),
        rule("spec.nodeSelector[modelplane.ai/pool]", "the pool that the scheduler chose", &["spec.engines[].members[].nodePoolName"], |it| Some(json!(it.member.node_pool_name))),
        rule("spec.resourceClaims", "the devices that the pod claims", &[DEVICES, NAME], |it| it.claims().then(|| json!([{"name": "devices", "resourceClaimTemplateName": it.claim_name()}]))),
        rule("spec.schedulerName", "the cluster has KAI", QUEUE, |it| it.kai_queue().map(|_| json!(KAI))),
        constant("spec.tolerations", "always: nodes with GPUs have this taint", data!([{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}])),
        rule("spec.imagePullSecrets", "the credentials for the image", &["spec.engines[].members[].template.spec.imagePullSecrets"], |it| some(it.member.template.image_pull_secrets())),
    ];

    /// The ResourceClaimTemplate of the pods, but for its requests.
    #[rustfmt::skip]
    pub const CLAIM: &'a [Rule<Self>] = &[
        rule("metadata.name", CLAIM_NAME, &[NAME, "spec.engines[].name", ROLE], |it| Some(json!(it.claim_name()))),
        constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    ];

    /// The pods of a member.
    ///
    /// # Errors
    /// What is wrong with the member, so that nothing can be made of it.
    pub fn of(
        replica: &'a ReplicaInputs,
        engine: &'a PlacedEngine,
        member: &'a PlacedMember,
        indexes: [usize; 2],
    ) -> Result<Self, Problem> {
        let name = format!("{}/{}", engine.name, member.role.lower_case());
        let Some(container) = member.template.container() else {
            let message = format!("member {name:?} has no container; give one in `template.spec.containers`");
            return Err(Problem::new("spec.engines", Code::Required, message));
        };
        let mut pod = Self { replica, engine, member, container, name, indexes, port: SERVING_PORT };
        if pod.phase() == Some(Phase::Decode) {
            pod.port = pod.port_behind_sidecar()?;
        }
        Ok(pod)
    }

    /// The name of the engine.
    pub fn engine(&self) -> &'a str {
        &self.engine.name
    }

    /// The role, as in names of objects.
    pub fn role(&self) -> &'static str {
        self.member.role.lower_case()
    }

    /// Whether the pods claim devices.
    pub fn claims(&self) -> bool {
        self.requests().next().is_some()
    }

    /// The devices that each pod claims.
    pub fn requests(&self) -> impl Iterator<Item = ClaimedDevices<'a>> {
        let (indexes, requests) = (self.indexes, self.member.device_requests.iter().flatten());
        requests.enumerate().map(move |(index, request)| ClaimedDevices::new(indexes, index, request))
    }

    fn port_behind_sidecar(&self) -> Result<i64, Problem> {
        let Some(text) = first_of(&self.container.arguments(), &["--port"]) else { return Ok(PORT_BEHIND_SIDECAR) };
        integer(text).ok_or_else(|| {
            let message = format!("member {:?} has the argument `--port` with {text:?}; give a number", self.name);
            Problem::new("spec.engines", Code::Invalid, message)
        })
    }

    fn is(&self, role: Role) -> bool {
        self.member.role == role
    }

    /// Whether requests reach the pods.
    pub(super) fn serves(&self) -> bool {
        !self.is(Role::Worker)
    }

    /// The phase of the pods, where engines have different ones. `None` for the workers of a gang: their leader serves.
    fn phase(&self) -> Option<Phase> {
        self.engine.phase.filter(|_| self.serves() && self.replica.is_disaggregated())
    }

    pub(super) fn in_gang(&self, value: Value) -> Option<Value> {
        (!self.is(Role::Standalone)).then_some(value)
    }

    fn in_sidecar(&self, value: Value) -> Option<Value> {
        (self.phase() == Some(Phase::Decode)).then_some(value)
    }

    fn cached(&self, value: fn(String) -> Value) -> Option<Value> {
        self.replica.cache_claim().map(value)
    }

    /// Whether the engine must be told that the weights are in the cache.
    fn needs_model(&self) -> bool {
        let arguments = self.container.arguments();
        let names_model = arguments.iter().any(|it| *it == "--model" || it.starts_with("--model="));
        self.replica.spec.model_cache_ref.is_some()
            && self.serves()
            && self.container.command().is_empty()
            && !names_model
    }

    /// Processor and memory of the engine, if they are given.
    pub(super) fn resources(&self) -> Option<Value> {
        self.member.resources.clone()
    }

    pub(super) fn kai_queue(&self) -> Option<Value> {
        self.replica.queue(Queueing::Kai).map(Value::String)
    }

    /// A variable for NIXL, unless the user sets it.
    pub(super) fn variable(&self, name: &str, mut variable: Value) -> Option<Value> {
        self.phase()?;
        variable["name"] = name.into();
        (!self.container.variables().iter().any(|it| it["name"] == name)).then_some(variable)
    }

    pub(super) fn claim_name(&self) -> String {
        child(&[&self.replica.name, &self.engine.name, self.role(), "devices"])
    }
}

/// A list, unless it is empty.
pub(super) fn some(list: &[Value]) -> Option<Value> {
    (!list.is_empty()).then(|| list.into())
}

/// Loading weights takes a while, and answers under load may be slow.
fn probe(port: i64) -> Value {
    json!({
        "httpGet": {"path": "/health", "port": port},
        "initialDelaySeconds": 30,
        "periodSeconds": 10,
        "timeoutSeconds": 5,
    })
}
