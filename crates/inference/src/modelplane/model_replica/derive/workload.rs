//! The workloads of engines: a Deployment, or a LeaderWorkerSet for a gang.

use contract::types::{Code, Problem};
use serde_json::{Value, json};
use toolbox::data;
use toolbox::rule::{Element, Rule, constant, rule};

use super::pod::{EnginePod, QUEUE};
use crate::modelplane::engines::{PlacedEngine, Role};
use crate::modelplane::labels::WORKLOAD_NAMESPACE;
use crate::modelplane::model_replica::inputs::ReplicaInputs;
use crate::modelplane::queueing::Queueing;

/// The workload of an engine.
#[derive(Clone, Debug)]
pub struct EngineWorkload<'a> {
    pub(super) replica: &'a ReplicaInputs,
    pub(super) engine: &'a PlacedEngine,
    name: String,
    /// The pods.
    pub pods: WorkloadPods<'a>,
    /// The indexes of the engine, and of the member that says how many nodes there are.
    indexes: [usize; 2],
}

/// The pods of a copy of an engine.
#[derive(Clone, Debug)]
pub enum WorkloadPods<'a> {
    /// One.
    Single(EnginePod<'a>),
    /// One that leads, and others that follow.
    Gang {
        /// The pod that leads.
        leader: EnginePod<'a>,
        /// The others, which are alike.
        worker: EnginePod<'a>,
    },
}

impl Element for EngineWorkload<'_> {
    const WORD: &'static str = "engine";

    fn name(&self) -> &str {
        &self.engine.name
    }

    fn indexes(&self) -> &[usize] {
        &self.indexes
    }
}

const NAMES: &[&str] = &["metadata.name", "spec.engines[].name"];
const NAMED: &str = "names of replica and engine `{engine}`, with a hash";

/// Why a workload is in a queue.
pub(super) const IN_QUEUE: &str = "the cluster has Kueue, with a queue for each namespace";

impl<'a> EngineWorkload<'a> {
    /// The Deployment of an engine with one pod.
    #[rustfmt::skip]
    pub const DEPLOYMENT: &'a [Rule<Self>] = &[
        // A LeaderWorkerSet creates a Service with its name, and names of workloads are made alike.
        rule("metadata.name", NAMED, NAMES, |it| Some(json!(it.name))),
        constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
        rule("metadata.labels[kueue.x-k8s.io/queue-name]", IN_QUEUE, QUEUE, |it| it.queue()),
        rule("spec.replicas", "the copies of engine `{engine}`", &["spec.engines[].copies"], |it| Some(json!(it.engine.copies))),
        rule("spec.selector.matchLabels[modelplane.ai/workload]", "its own pods", NAMES, |it| Some(json!(it.name))),
    ];

    /// The LeaderWorkerSet of a gang.
    #[rustfmt::skip]
    pub const GANG: &'a [Rule<Self>] = &[
        rule("metadata.name", NAMED, NAMES, |it| Some(json!(it.name))),
        constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
        rule("metadata.labels[kueue.x-k8s.io/queue-name]", IN_QUEUE, QUEUE, |it| it.queue()),
        rule("spec.replicas", "the copies of engine `{engine}`", &["spec.engines[].copies"], |it| Some(json!(it.engine.copies))),
        rule("spec.leaderWorkerTemplate.size", "the leader and its workers", &["spec.engines[].members[].worker.nodes"], |it| Some(json!(1 + it.workers()))),
    ];

    /// The workloads of all engines.
    ///
    /// # Errors
    /// What is wrong with the first engine that nothing can be made of.
    pub fn all(replica: &'a ReplicaInputs) -> Result<Vec<Self>, Problem> {
        replica.spec.engines.iter().enumerate().map(|(index, engine)| Self::of(replica, index, engine)).collect()
    }

    fn of(replica: &'a ReplicaInputs, index: usize, engine: &'a PlacedEngine) -> Result<Self, Problem> {
        let pod = |role: Role| {
            let (at, member) = engine.members.iter().enumerate().find(|(_, member)| member.role == role)?;
            Some((at, EnginePod::of(replica, engine, member, [index, at])))
        };
        let (at, pods) = match (pod(Role::Standalone), pod(Role::Leader), pod(Role::Worker)) {
            (Some((at, pod)), _, _) => (at, WorkloadPods::Single(pod?)),
            (None, Some((_, leader)), Some((at, worker))) => {
                (at, WorkloadPods::Gang { leader: leader?, worker: worker? })
            }
            _ => {
                let message = format!(
                    "engine {:?} has neither a Standalone member, nor a Leader and a Worker; give it one or the others",
                    engine.name
                );
                return Err(Problem::new("spec.engines", Code::Required, message));
            }
        };
        Ok(Self { replica, engine, name: replica.workload(engine), pods, indexes: [index, at] })
    }

    /// The name of the engine.
    pub fn engine(&self) -> &'a str {
        &self.engine.name
    }

    /// The different pods.
    pub fn pods(&self) -> impl Iterator<Item = &EnginePod<'a>> {
        match &self.pods {
            WorkloadPods::Single(pod) => [Some(pod), None],
            WorkloadPods::Gang { leader, worker } => [Some(leader), Some(worker)],
        }
        .into_iter()
        .flatten()
    }

    /// The pod that serves: the only one, or the leader.
    pub fn serving(&self) -> &EnginePod<'a> {
        match &self.pods {
            WorkloadPods::Single(pod) | WorkloadPods::Gang { leader: pod, .. } => pod,
        }
    }

    fn queue(&self) -> Option<Value> {
        self.replica.queue(Queueing::Kueue).map(Value::String)
    }

    /// How many workers each leader has.
    pub(super) fn workers(&self) -> u32 {
        let worker = self.engine.members.iter().find(|member| member.role == Role::Worker);
        worker.and_then(|member| member.worker).map_or(1, |worker| worker.nodes)
    }
}
