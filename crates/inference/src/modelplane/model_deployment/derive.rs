//! Derives every value of replicas, endpoints and status, as tables of rules.

use schedule::{EnginePlacement, MemberPlacement};
use serde_json::{Map, Value, json};
use toolbox::rule::{Element, Rule, Table, rule};

use super::decide::Candidate;
use super::read::Deployment;
use crate::modelplane::crowded::CrowdedPool;
use crate::modelplane::engines::{WantedDevice, WantedEngine, WantedMember};
use crate::modelplane::options::Backend;
use crate::modelplane::refusals::StatedRefusal;
use crate::modelplane::scheduling::keys;
use crate::modelplane::selectors::PublishedDevice;
use toolbox::held::HELD;

const NAME: &str = "metadata.name";
const NAMESPACE: &str = "metadata.namespace";
const ENGINES: &str = "spec.template.spec.engines[]";

/// A replica of a deployment, with its place.
pub struct PlacedReplica<'a> {
    deployment: &'a Deployment,
    candidate: &'a Candidate<'a>,
    /// Cluster and index.
    place: String,
}

/// An engine of a replica.
pub struct EngineOf<'a> {
    engine: &'a WantedEngine,
    index: [usize; 1],
}

/// A member of an engine of a replica, with its place.
pub struct MemberOf<'a> {
    member: &'a WantedMember,
    /// Its pool.
    pool: &'a str,
    /// The requests with the devices that they get.
    devices: Vec<(&'a WantedDevice, PublishedDevice<'a>)>,
    /// Engine and role.
    place: String,
    indexes: [usize; 2],
}

/// What the status says.
pub struct DeploymentAnswers {
    /// The numbers of replicas. `None` when they are not known.
    pub counts: Option<DeploymentCounts>,
    /// With full answers: a selector of the replicas.
    pub selector: Option<String>,
    /// With full answers: what is against the clusters, if replicas have no place.
    pub refusals: Vec<StatedRefusal>,
    /// With full answers: the pools of its replicas of which more is taken than there is.
    pub overcommitted: Vec<CrowdedPool>,
}

/// Numbers of replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeploymentCounts {
    /// How many replicas have a place.
    pub total: usize,
    /// How many of them are ready.
    pub ready: usize,
}

impl<'a> PlacedReplica<'a> {
    /// A replica of a deployment.
    pub(super) fn of(deployment: &'a Deployment, candidate: &'a Candidate<'a>) -> Self {
        Self { deployment, candidate, place: format!("{}/{}", candidate.cluster, candidate.index) }
    }

    /// Its name, which its endpoint has too.
    fn object_name(&self) -> String {
        keys::name(&self.deployment.name, self.candidate.cluster, self.candidate.index)
    }

    /// Its path at the gateway of its cluster.
    fn path(&self) -> String {
        self.candidate.backend.path(&self.deployment.namespace, &self.object_name())
    }

    /// What a replica and its endpoint have in common.
    #[rustfmt::skip]
    pub(super) const METADATA: &'a [Rule<Self>] = &[
        rule("metadata.name", "the deployment, with a hash of the place `{replica}`", &[NAME], |it| Some(json!(it.object_name()))),
        rule("metadata.namespace", "the deployment's own", &[NAMESPACE], |it| Some(json!(it.deployment.namespace))),
        rule("metadata.labels", "the labels of the template", &["spec.template.metadata.labels"], |it| {
            let labels = it.deployment.spec.template.metadata.as_ref()?.labels.as_ref()?;
            (!labels.is_empty()).then(|| json!(labels))
        }),
        rule("metadata.labels[modelplane.ai/deployment]", "the deployment", &[NAME], |it| Some(json!(it.deployment.name))),
        rule("metadata.labels[modelplane.ai/cluster]", "the cluster of the place `{replica}`", &[], |it| Some(json!(it.candidate.cluster))),
        rule("metadata.labels[modelplane.ai/replica-index]", "the index of the place `{replica}`", &[], |it| Some(json!(it.candidate.index.to_string()))),
    ];

    /// The ModelReplica, without its engines.
    #[rustfmt::skip]
    pub(super) const REPLICA: &'a [Rule<Self>] = &[
        rule("metadata.annotations[modelplane.ai/backend]", "what serves the replica `{replica}`, from when it was placed; absent for what is usual", &["input.modelplane.backend"], |it| {
            (it.candidate.backend != Backend::Direct).then(|| json!(it.candidate.backend.as_str()))
        }),
        rule("spec.clusterName", "the scheduler's choice: the cluster with the fewest replicas of the deployment that has devices and nodes for one more",
            &["spec.replicas", "spec.template.spec.clusterSelector", "spec.template.spec.tolerations", "spec.template.spec.engines"], |it| Some(json!(it.candidate.cluster))),
        rule("spec.modelCacheRef", "the deployment's cache", &["spec.template.spec.modelCacheRef"], |it| {
            Some(json!(it.deployment.spec.template.spec.model_cache_ref.as_ref()?))
        }),
        rule("spec.serving", "how the deployment serves", &["spec.template.spec.serving"], |it| {
            Some(json!(it.deployment.spec.template.spec.serving.as_ref()?))
        }),
    ];

    /// The ModelEndpoint.
    #[rustfmt::skip]
    pub(super) const ENDPOINT: &'a [Rule<Self>] = &[
        rule("spec.url", "the path of the replica at the gateway of its cluster", &[NAME, NAMESPACE], |it| {
            let gateway = it.candidate.gateway.unwrap_or_default();
            Some(json!(format!("http://{gateway}{}v1", it.path())))
        }),
        rule("spec.rewritePath", "the replica's own route has this path", &[NAME, NAMESPACE], |it| {
            Some(json!(it.path()))
        }),
    ];
}

impl Element for PlacedReplica<'_> {
    const WORD: &'static str = "replica";

    fn name(&self) -> &str {
        &self.place
    }
}

impl<'a> EngineOf<'a> {
    /// The engine of a placement.
    pub(super) fn of(deployment: &'a Deployment, placement: &EnginePlacement<'_>) -> Option<Self> {
        let engine = deployment.spec.template.spec.engines.get(placement.engine)?;
        Some(Self { engine, index: [placement.engine] })
    }

    /// An engine of a ModelReplica, without its members.
    #[rustfmt::skip]
    pub(super) const ENGINE: &'a [Rule<Self>] = &[
        rule("name", "engine `{engine}` of the deployment", &["spec.template.spec.engines[].name"], |it| Some(json!(it.engine.name))),
        rule("copies", "as many as the deployment says, or one", &["spec.template.spec.engines[].copies"], |it| Some(json!(it.engine.copies))),
        rule("phase", "what the engine does", &["spec.template.spec.engines[].phase"], |it| Some(json!(it.engine.phase?))),
    ];
}

impl Element for EngineOf<'_> {
    const WORD: &'static str = "engine";

    fn name(&self) -> &str {
        &self.engine.name
    }

    fn indexes(&self) -> &[usize] {
        &self.index
    }
}

impl<'a> MemberOf<'a> {
    /// The members of a placement, in order. `devices` are those of a pool.
    pub(super) fn all(
        engine: &EngineOf<'a>,
        placement: &'a EnginePlacement<'a>,
        devices: impl Fn(&str) -> &'a [PublishedDevice<'a>],
    ) -> Vec<Self> {
        let EngineOf { engine, index: [number] } = *engine;
        let member = |(index, (member, at)): (usize, (&'a WantedMember, &'a MemberPlacement<'a>))| {
            let published = devices(at.pool);
            let requests = member.node_selector.iter().flat_map(|it| &it.devices).zip(&at.devices);
            Self {
                member,
                pool: at.pool,
                devices: requests.filter_map(|(wanted, device)| Some((wanted, *published.get(*device)?))).collect(),
                place: format!("{}/{}", engine.name, member.role.as_str()),
                indexes: [number, index],
            }
        };
        engine.members.iter().zip(&placement.members).enumerate().map(member).collect()
    }

    /// The requests for devices that pods claim. Devices that are only described are not claimed.
    fn requests(&self) -> Option<Value> {
        let claimed = self.devices.iter().filter(|(_, device)| device.claimed);
        let requests: Vec<_> = claimed.map(|(wanted, device)| request(wanted, device)).collect();
        (!requests.is_empty()).then(|| requests.into())
    }

    /// A member of an engine of a ModelReplica.
    #[rustfmt::skip]
    pub(super) const MEMBER: &'a [Rule<Self>] = &[
        rule("role", "the role of the member, or `Standalone`", &["spec.template.spec.engines[].members[].role"], |it| Some(json!(it.member.role))),
        rule("nodePoolName", "the scheduler's choice for {member}: the first pool of the cluster that has devices and nodes for the whole engine", &[ENGINES], |it| Some(json!(it.pool))),
        rule("deviceRequests", "what the pods claim of the devices that the pool has for them", &["spec.template.spec.engines[].members[].nodeSelector"], Self::requests),
        rule("worker", "on how many nodes the worker is", &["spec.template.spec.engines[].members[].worker"], |it| Some(json!(it.member.worker?))),
        rule("resources", "processor and memory of {member}", &["spec.template.spec.engines[].members[].resources"], |it| it.member.resources.clone()),
        rule("template", "the template of {member}, as it is", &["spec.template.spec.engines[].members[].template"], |it| Some(it.member.template.written().clone())),
    ];
}

impl Element for MemberOf<'_> {
    const WORD: &'static str = "member";

    fn name(&self) -> &str {
        &self.place
    }

    fn indexes(&self) -> &[usize] {
        &self.indexes
    }
}

impl DeploymentAnswers {
    /// The status of the deployment.
    #[rustfmt::skip]
    pub(super) const STATUS: &'static [Rule<Self>] = &[
        rule("replicas.total", "the replicas that have a place", &["spec.replicas"], |it| Some(json!(it.counts?.total))),
        rule("replicas.ready", "those of them that are ready", &[], |it| Some(json!(it.counts?.ready))),
        rule("selector", "the label of the replicas; autoscalers refuse a scale without a selector", &[NAME, "input.modelplane.answers"], |it| Some(json!(it.selector.as_ref()?))),
        rule("refusals", "what is against the clusters, by reason; those with most clusters first",
            &["spec.replicas", "spec.template.spec", "input.modelplane.answers"], |it| (!it.refusals.is_empty()).then(|| json!(it.refusals))),
        rule("overcommitted", "node pools with replicas of the deployment, of which all replicas together need more than there is",
            &["spec.template.spec", "input.modelplane.answers", "input.modelplane.accounting"], |it| (!it.overcommitted.is_empty()).then(|| json!(it.overcommitted))),
    ];
}

/// A request for devices, with the class of the pool's.
fn request(wanted: &WantedDevice, device: &PublishedDevice<'_>) -> Value {
    let selectors = wanted.selectors.iter().filter(|selector| selector.cel.is_some());
    let mut request = Map::new();
    let fields = [
        ("name", json!(wanted.name)),
        ("deviceClassName", json!(device.class)),
        ("count", json!(wanted.count)),
        ("selectors", selectors.map(|selector| json!(selector)).collect()),
    ];
    request.extend(fields.map(|(key, value)| (key.to_owned(), value)));
    Value::Object(request)
}

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let own = [
        Table::each("ModelReplica and ModelEndpoint", PlacedReplica::METADATA),
        Table::each("ModelReplica", PlacedReplica::REPLICA),
        Table::each("ModelReplica, spec.engines[]", EngineOf::ENGINE),
        Table::each("ModelReplica, spec.engines[].members[]", MemberOf::MEMBER),
        Table::each("ModelEndpoint", PlacedReplica::ENDPOINT),
        Table::of("ModelReplica or ModelEndpoint, while it is held", HELD),
        Table::of("status", DeploymentAnswers::STATUS),
    ];
    own.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modelplane::engines::Role;

    #[test]
    fn roles_have_the_names_of_the_definition() {
        for role in [Role::Standalone, Role::Leader, Role::Worker] {
            assert_eq!(json!(role), role.as_str());
        }
    }
}
