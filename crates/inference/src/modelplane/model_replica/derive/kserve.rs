//! The object of KServe that serves a whole replica. KServe adds what it has defaults for: command, port, probes, shared memory,
//! the sidecar of decode, pool, route and endpoint picker.

use serde_json::{Value, json};
use toolbox::data;
use toolbox::rule::{Rule, constant, rule};

use super::pod::{
    ARGUMENTS, CACHE, CACHE_FOLDER, COMMAND, DEVICES, EnginePod, KAI, MODE, NAME, OWN_RESOURCES, QUEUE, RESOURCES,
    ROLE, SIDE_CHANNEL_HOST, SIDE_CHANNEL_PORT, VARIABLES, some,
};
use super::workload::{EngineWorkload, IN_QUEUE, WorkloadPods};
use crate::modelplane::engines::{Container, Phase, first_of, integer, position_of_model};
use crate::modelplane::labels::WORKLOAD_NAMESPACE;
use crate::modelplane::model_replica::inputs::ReplicaInputs;
use crate::modelplane::queueing::Queueing;

/// An LLMInferenceService.
#[derive(Clone, Debug)]
pub struct KserveService<'a> {
    replica: &'a ReplicaInputs,
    /// The engine that decodes, or does all.
    pub main: EngineWorkload<'a>,
    /// The engine that does prefill, where it is another one.
    pub prefill: Option<EngineWorkload<'a>>,
}

/// Arguments with the model and with its name for clients.
const MODEL: &str = "--model";
const SERVED_NAME: &str = "--served-model-name";

/// What KServe's own command has already. With it, the arguments of the engine come after.
const OF_KSERVE: [&str; 2] = [MODEL, "--port"];

const TENSOR: [&str; 2] = ["--tensor-parallel-size", "-tp"];
const DATA: [&str; 2] = ["--data-parallel-size", "-dp"];
const DATA_LOCAL: [&str; 2] = ["--data-parallel-size-local", "-dpl"];
const DATA_PORT: [&str; 2] = ["--data-parallel-rpc-port", "-dpp"];
const EXPERT: &str = "--enable-expert-parallel";

const NODES: &str = "spec.engines[].members[].worker.nodes";

impl<'a> KserveService<'a> {
    /// What the object says about the whole replica.
    #[rustfmt::skip]
    pub const SERVICE: &'a [Rule<Self>] = &[
        // Not after the deployment: two of its replicas may share a cluster.
        rule("metadata.name", "name of the replica", &[NAME], |it| Some(json!(it.replica.label()))),
        constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
        rule("metadata.labels[kueue.x-k8s.io/queue-name]", IN_QUEUE, QUEUE, |it| it.replica.queue(Queueing::Kueue).map(Value::String)),
        rule("spec.model.uri", "the volume of the cache, or else the model in the arguments of the engine", &[CACHE, "metadata.namespace", "spec.engines"], |it| Some(json!(it.uri()))),
        rule("spec.model.name", "clients call the model as the engine would, the same in each replica", &[CACHE, "spec.engines"], |it| it.model_name().map(Value::from)),
        rule("spec.storageInitializer.enabled", "engines with commands of their own load their weights by themselves", &[CACHE, "spec.engines"], |it| it.loads_by_itself().then_some(json!(false))),
        constant("spec.router.gateway", "always: the gateway of KServe on the cluster", data!({})),
        constant("spec.router.route", "always: a path with the name of the replica", data!({})),
        constant("spec.router.scheduler", "always: an endpoint picker chooses a pod for each request", data!({})),
    ];

    /// The object for these engines. `None` without an engine.
    pub fn of(replica: &'a ReplicaInputs, workloads: Vec<EngineWorkload<'a>>) -> Option<Self> {
        let of_prefill =
            |it: &EngineWorkload<'_>| replica.is_disaggregated() && it.engine.phase == Some(Phase::Prefill);
        let (prefill, main): (Vec<_>, Vec<_>) = workloads.into_iter().partition(of_prefill);
        Some(Self { replica, main: main.into_iter().next()?, prefill: prefill.into_iter().next() })
    }

    /// The container that decodes, or does all, and that of prefill.
    fn containers(&self) -> impl Iterator<Item = Container<'a>> {
        [Some(&self.main), self.prefill.as_ref()].into_iter().flatten().map(|workload| workload.serving().container)
    }

    /// An argument of the first engine that has it. Both engines have one model.
    fn argument(&self, name: &str) -> Option<&'a str> {
        self.containers().find_map(|container| first_of(&container.arguments(), &[name]))
    }

    /// The model of the first engine that names it. vLLM takes the option before the position.
    fn model(&self) -> Option<&'a str> {
        self.containers().find_map(|container| {
            let arguments = container.arguments();
            first_of(&arguments, &[MODEL]).or_else(|| arguments.get(by_position(container)?).copied())
        })
    }

    fn uri(&self) -> String {
        match (self.replica.cache_claim(), self.model()) {
            (Some(claim), _) => format!("pvc://{claim}"),
            (None, Some(uri)) if uri.contains("://") => uri.to_owned(),
            (None, model) => format!("hf://{}", model.unwrap_or("unknown")),
        }
    }

    fn model_name(&self) -> Option<&'a str> {
        let cached = self.replica.spec.model_cache_ref.as_ref().map(|_| CACHE_FOLDER);
        self.argument(SERVED_NAME).or_else(|| self.model()).or(cached)
    }

    fn loads_by_itself(&self) -> bool {
        let with_commands = self.containers().all(|container| !container.command().is_empty());
        self.replica.spec.model_cache_ref.is_none() && with_commands
    }
}

impl<'a> EngineWorkload<'a> {
    /// What an LLMInferenceService says about an engine, in `spec` or `spec.prefill`.
    #[rustfmt::skip]
    pub const IN_KSERVE: &'a [Rule<Self>] = &[
        rule("replicas", "the copies of engine `{engine}`", &["spec.engines[].copies"], |it| Some(json!(it.engine.copies))),
        rule("labels", "the labels of the pods that serve", &["spec.engines[].members[].template.metadata.labels"], |it| it.serving().member.template.labels().cloned().map(Value::Object)),
        rule("labels[kai.scheduler/queue]", "the cluster has KAI, with a queue for each namespace", QUEUE, |it| it.serving().kai_queue()),
        rule("annotations", "the annotations of the pods that serve", &["spec.engines[].members[].template.metadata.annotations"], |it| it.serving().member.template.annotations().cloned().map(Value::Object)),
        rule("parallelism.tensor", "the argument of a gang", &[NODES], |it| it.gang_number(&TENSOR)),
        rule("parallelism.data", "the argument of a gang whose nodes are as many as it makes", &[NODES], |it| it.data().map(|(data, _)| json!(data))),
        rule("parallelism.dataLocal", "the argument of a gang whose nodes are as many as it makes", &[NODES], |it| it.data().map(|(_, local)| json!(local))),
        rule("parallelism.dataRPCPort", "the argument of a gang", &[NODES], |it| it.data().and_then(|_| it.gang_number(&DATA_PORT))),
        rule("parallelism.expert", "the argument of a gang", &[NODES], |it| it.data().and_then(|_| it.serving().container.arguments().contains(&EXPERT).then_some(json!(true)))),
        // The size of the gang is made of it, so it is stated whatever the arguments say.
        rule("parallelism.pipeline", "the leader and its workers, unless they are parallel in data", &[NODES], |it| (it.is_gang() && it.data().is_none()).then_some(json!(1 + it.workers()))),
    ];

    fn is_gang(&self) -> bool {
        matches!(self.pods, WorkloadPods::Gang { .. })
    }

    fn argument(&self, names: &[&str]) -> Option<i64> {
        first_of(&self.serving().container.arguments(), names)
            .and_then(integer)
            .filter(|number| (1..=65_535).contains(number))
    }

    fn gang_number(&self, names: &[&str]) -> Option<Value> {
        self.argument(names).filter(|_| self.is_gang()).map(Value::from)
    }

    /// Ranks in all, and on each node, where they make as many nodes as the gang has.
    fn data(&self) -> Option<(i64, i64)> {
        let (data, local) = (self.argument(&DATA)?, self.argument(&DATA_LOCAL).unwrap_or(1));
        (self.is_gang() && data == local * (1 + i64::from(self.workers()))).then_some((data, local))
    }
}

impl<'a> EnginePod<'a> {
    /// What an LLMInferenceService says about the pods of a member. KServe knows the container by its name.
    #[rustfmt::skip]
    pub const IN_KSERVE: &'a [Rule<Self>] = &[
        constant("containers[0].name", "always: the engine, as KServe calls it", data!("main")),
        rule("containers[0].image", "the image of `{member}`", &["spec.engines[].members[].template.spec.containers[0].image"], |it| Some(json!(it.container.image()))),
        rule("containers[0].command", "the command of `{member}`", &[COMMAND], |it| some(it.container.command())),
        rule("containers[0].args", "the arguments of `{member}`, without model and port when the command is KServe's", &[COMMAND, ARGUMENTS], |it| it.own_arguments()),
        rule("containers[0].env[]", "the pods of a gang find their leader by it", &[ROLE], |it| it.in_gang(json!({"name": "MODELPLANE_LEADER_ADDRESS", "value": "$(LWS_LEADER_ADDRESS)"}))),
        rule("containers[0].env[]", "the pods of a gang count themselves by it", &[ROLE], |it| it.in_gang(json!({"name": "MODELPLANE_RANK", "value": "$(LWS_WORKER_INDEX)"}))),
        rule("containers[0].env[..]", "the variables of `{member}`", &[VARIABLES], |it| some(it.container.variables())),
        rule("containers[0].env[]", "NIXL is found at the address of the pod", &[MODE, VARIABLES], |it| it.variable(SIDE_CHANNEL_HOST, json!({"valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}))),
        rule("containers[0].env[]", "NIXL is found at this port", &[MODE, VARIABLES], |it| it.variable(SIDE_CHANNEL_PORT, json!({"value": "5557"}))),
        constant("containers[0].securityContext", "always: images of engines expect it", data!({"runAsUser": 0, "runAsNonRoot": false})),
        rule("containers[0].resources", "the devices that the pod claims", &[DEVICES], |it| it.claims().then(|| json!({"claims": [{"name": "devices"}]}))),
        rule("containers[0].resources.requests", OWN_RESOURCES, &[RESOURCES], Self::resources),
        rule("containers[0].resources.limits", OWN_RESOURCES, &[RESOURCES], Self::resources),
        rule("nodeSelector[modelplane.ai/pool]", "the pool that the scheduler chose", &["spec.engines[].members[].nodePoolName"], |it| Some(json!(it.member.node_pool_name))),
        rule("resourceClaims", "the devices that the pod claims", &[DEVICES, NAME], |it| it.claims().then(|| json!([{"name": "devices", "resourceClaimTemplateName": it.claim_name()}]))),
        rule("schedulerName", "the cluster has KAI", QUEUE, |it| it.kai_queue().map(|_| json!(KAI))),
        constant("tolerations", "always: nodes with GPUs have this taint", data!([{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}])),
        rule("imagePullSecrets", "the credentials for the image", &["spec.engines[].members[].template.spec.imagePullSecrets"], |it| some(it.member.template.image_pull_secrets())),
    ];

    fn own_arguments(&self) -> Option<Value> {
        let mut arguments = self.container.arguments();
        if self.container.command().is_empty() {
            // KServe's command has the subcommand and the model before them.
            arguments.drain(..by_position(self.container).map_or(0, |at| at + 1));
            arguments = without(&arguments, &OF_KSERVE);
        }
        (!arguments.is_empty()).then(|| json!(arguments))
    }
}

/// The place of the model among the arguments of a container that name it by its position.
fn by_position(container: Container<'_>) -> Option<usize> {
    let command: Vec<_> = container.command().iter().filter_map(Value::as_str).collect();
    position_of_model(&command, &container.arguments())
}

/// The arguments without those with these names, and without their values.
fn without<'t>(arguments: &[&'t str], names: &[&str]) -> Vec<&'t str> {
    let mut rest = arguments.iter();
    let mut kept = Vec::new();
    while let Some(argument) = rest.next() {
        let (name, value) = argument.split_once('=').map_or((*argument, None), |(name, value)| (name, Some(value)));
        if !names.contains(&name) {
            kept.push(*argument);
        } else if value.is_none() {
            rest.next();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_kserve_are_left_out() {
        #[track_caller]
        fn check(arguments: &[&str], want: &[&str]) {
            assert_eq!(without(arguments, &OF_KSERVE), want);
        }
        check(&[], &[]);
        check(&["--model=a", "--model-impl=b", "--port", "8000", "-q"], &["--model-impl=b", "-q"]);
        check(&["--a", "--model", "b", "--c=--model=d"], &["--a", "--c=--model=d"]);
        check(&["--a", "--port"], &["--a"]);
    }
}
