//! Asks the scheduler where replicas go.

use std::collections::{BTreeMap, BTreeSet};

use schedule::{
    Accounting, Demand, Device, Effect, Engine, Fit, Fleet, Member, Placement, Pool, Replica, ReplicaEngine,
    ReplicaMember, Request, Role, Situation, Strategy, Taint, Toleration,
};

use super::keys;
use super::neighbours::{FleetCluster, Neighbour, NeighbourEngine, NeighbourMember, Neighbours};
use super::read::Deployment;
use super::spec::{DeploymentToleration, ToleratedEffect, TolerationOperator};
use crate::modelplane::engines::{self, WantedEngine, WantedMember};
use crate::modelplane::selectors::{Evaluation, Selectors};

/// The steps that a search for devices may take in one call.
const MOST_STEPS: u64 = 100_000;

/// What a deployment wants, with its selectors compiled.
pub(super) struct Wanted<'d> {
    demand: Demand,
    selectors: Selectors<'d>,
}

/// A selector that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadSelector {
    /// Its path in the deployment.
    pub(super) path: String,
    /// What is wrong.
    pub(super) why: String,
}

impl<'d> Wanted<'d> {
    /// Reads what the deployment wants.
    ///
    /// # Errors
    /// The first selector that cannot be parsed.
    pub(super) fn read(deployment: &'d Deployment) -> Result<Self, BadSelector> {
        let spec = &deployment.spec.template.spec;
        let mut selectors = Selectors::default();
        let engines = spec.engines.iter().enumerate().map(|(number, engine)| demanded(engine, number, &mut selectors));
        let tolerations = spec.tolerations.iter().flatten().map(tolerated);
        let demand = Demand {
            replicas: deployment.spec.replicas as usize,
            tolerations: tolerations.collect(),
            engines: engines.collect::<Result<_, _>>()?,
        };
        Ok(Self { demand, selectors })
    }

    /// The places of the replicas: of those that stay, and of those that are missing.
    ///
    /// # Errors
    /// The selector at which the evaluations became too much work for one call.
    pub(super) fn place<'n>(
        &self,
        deployment: &Deployment,
        neighbours: &'n Neighbours<'n>,
    ) -> Result<Vec<Placement<'n>>, BadSelector> {
        let fleet = fleet(neighbours);
        let mut evaluation = Evaluation::new(&self.selectors, &neighbours.devices);
        let mut spent = None;
        let fit = Fit::judge(self.selectors.count(), &fleet, |group, list, device| {
            if spent.is_some() {
                return false;
            }
            evaluation.suits(group, list, device).unwrap_or_else(|too_much| {
                spent = Some(too_much.group);
                false
            })
        });
        if let Some(group) = spent {
            return Err(self.too_much_work(group));
        }
        let replicas: Vec<_> = neighbours.replicas.iter().filter(|it| !is_evicted(it)).map(existing).collect();
        let taken = taken(deployment, neighbours);
        let outcome = schedule::schedule(&Situation {
            demand: &self.demand,
            fleet: &fleet,
            fit: &fit,
            replicas: &replicas,
            taken: &taken,
            fill: true,
            strategy: Strategy::FirstFit,
            accounting: Accounting::Nodes,
            budget: MOST_STEPS,
        });
        Ok(outcome.placements)
    }

    /// The first selector of the requests with these selectors.
    fn too_much_work(&self, group: usize) -> BadSelector {
        let requests = self.demand.engines.iter().enumerate().flat_map(|(engine, it)| {
            let members = it.members.iter().enumerate();
            members.flat_map(move |(member, it)| {
                let requests = it.requests.iter().enumerate();
                requests.map(move |(index, request)| (selector_path(engine, member, index, 0), request))
            })
        });
        let path = requests.into_iter().find(|(_, request)| request.selectors == group).map(|(path, _)| path);
        BadSelector {
            path: path.unwrap_or_default(),
            why: "evaluating it for all devices of the fleet is too much work; make it simpler".to_owned(),
        }
    }
}

/// The places of the replicas that exist, none of which is judged. Of more than `most` the surplus has none.
pub(super) fn hold<'n>(neighbours: &'n [Neighbour<'n>], most: usize) -> Vec<Placement<'n>> {
    let demand = Demand { replicas: most, ..Demand::default() };
    let held = |replica: &'n Neighbour<'n>| Replica { held: true, ..existing(replica) };
    let replicas: Vec<_> = neighbours.iter().filter(|it| it.ours && !it.cluster.is_empty()).map(held).collect();
    let outcome = schedule::schedule(&Situation {
        demand: &demand,
        fleet: &Fleet::default(),
        fit: &Fit::default(),
        replicas: &replicas,
        taken: &BTreeMap::new(),
        fill: false,
        strategy: Strategy::FirstFit,
        accounting: Accounting::Nodes,
        budget: 0,
    });
    outcome.placements
}

/// The path of a selector in a deployment.
pub(super) fn selector_path(engine: usize, member: usize, device: usize, selector: usize) -> String {
    format!(
        "spec.template.spec.engines[{engine}].members[{member}].nodeSelector.devices[{device}].selectors[{selector}].cel"
    )
}

fn demanded<'d>(engine: &'d WantedEngine, number: usize, selectors: &mut Selectors<'d>) -> Result<Engine, BadSelector> {
    let mut members = Vec::new();
    for (index, member) in engine.members.iter().enumerate() {
        let mut requests = Vec::new();
        for (device, wanted) in member.node_selector.iter().flat_map(|it| &it.devices).enumerate() {
            // One without an expression says nothing.
            let texts = wanted.selectors.iter().filter_map(|selector| selector.cel.as_deref());
            let group = selectors.add(texts).map_err(|unparsed| {
                let stated = wanted.selectors.iter().enumerate().filter(|(_, selector)| selector.cel.is_some());
                let place = stated.map(|(place, _)| place).nth(unparsed.index).unwrap_or_default();
                BadSelector { path: selector_path(number, index, device, place), why: unparsed.why }
            })?;
            requests.push(Request { count: wanted.count.into(), selectors: group });
        }
        members.push(Member { role: role(member.role), pods: pods(member), requests });
    }
    Ok(Engine { name: engine.name.clone(), copies: engine.copies.into(), members })
}

fn pods(member: &WantedMember) -> u64 {
    let worker = member.worker.filter(|_| member.role == engines::Role::Worker);
    worker.map_or(1, |worker| worker.nodes.into())
}

fn role(role: engines::Role) -> Role {
    match role {
        engines::Role::Standalone => Role::Standalone,
        engines::Role::Leader => Role::Leader,
        engines::Role::Worker => Role::Worker,
    }
}

fn tolerated(toleration: &DeploymentToleration) -> Toleration {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Toleration {
        key: text(&toleration.key),
        exists: toleration.operator == TolerationOperator::Exists,
        value: text(&toleration.value),
        effect: toleration.effect.map(|effect| match effect {
            ToleratedEffect::NoSchedule => Effect::NoSchedule,
            ToleratedEffect::NoExecute => Effect::NoExecute,
        }),
    }
}

fn fleet<'n>(neighbours: &'n Neighbours<'n>) -> Fleet<'n> {
    let devices = neighbours
        .devices
        .lists()
        .map(|list| list.iter().map(|device| Device { count: device.count, claimed: device.claimed }).collect());
    Fleet { clusters: neighbours.clusters.iter().map(cluster).collect(), devices: devices.collect() }
}

fn cluster<'n>(FleetCluster { read, devices }: &FleetCluster<'n>) -> schedule::Cluster<'n> {
    let taints = read.taints.iter().map(|taint| Taint {
        key: taint.key.to_owned(),
        value: taint.value.to_owned(),
        effect: if taint.effect == "NoExecute" { Effect::NoExecute } else { Effect::NoSchedule },
    });
    let pools = read.pools.iter().zip(devices).map(|(pool, devices)| Pool {
        name: pool.name,
        nodes: pool.nodes.and_then(|nodes| u64::try_from(nodes).ok()).unwrap_or_default(),
        devices: *devices,
        available: Vec::new(),
    });
    schedule::Cluster {
        name: read.name,
        ready: read.ready,
        gateway: !read.gateway.is_empty(),
        taints: taints.collect(),
        pools: pools.collect(),
    }
}

fn existing<'n>(replica: &'n Neighbour<'n>) -> Replica<'n> {
    Replica {
        name: replica.name,
        cluster: replica.cluster,
        index: replica.index,
        ours: replica.ours,
        held: replica.engines.is_none(),
        engines: replica.engines.iter().flatten().map(existing_engine).collect(),
    }
}

fn existing_engine<'n>(engine: &'n NeighbourEngine<'n>) -> ReplicaEngine<'n> {
    let member = |member: &NeighbourMember<'n>| ReplicaMember {
        role: match member.role {
            Some("Leader") => Role::Leader,
            Some("Worker") => Role::Worker,
            _ => Role::Standalone,
        },
        pool: member.node_pool_name.filter(|pool| !pool.is_empty()),
        nodes: engine.nodes(member),
        claims: Vec::new(),
    };
    ReplicaEngine { name: &engine.name, members: engine.members().iter().map(member).collect() }
}

/// Whether a replica of the deployment must leave its place. It cannot when nobody knows whether it fits another one.
fn is_evicted(replica: &Neighbour<'_>) -> bool {
    replica.ours && replica.evicted && replica.engines.is_some()
}

/// The indices that new replicas must not get, by cluster: those of replicas that are evicted, and those with which a
/// replica would be called as one of another deployment. Everything that a replica has on its cluster is named after it.
fn taken<'n>(deployment: &Deployment, neighbours: &'n Neighbours<'_>) -> BTreeMap<&'n str, BTreeSet<i64>> {
    let mut taken: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for replica in neighbours.replicas.iter().filter(|it| is_evicted(it)) {
        taken.entry(replica.cluster).or_default().insert(replica.index);
    }
    let others: Vec<_> =
        neighbours.replicas.iter().filter(|it| !it.ours && keys::may_be_name(&deployment.name, it.name)).collect();
    // A replica needs an index of at most so much.
    let most = i64::from(deployment.spec.replicas) + i64::try_from(others.len()).unwrap_or(i64::MAX);
    for cluster in neighbours.clusters.iter().map(|cluster| cluster.read.name) {
        // In the namespace of the deployment, a name is taken whatever the cluster.
        let here = others.iter().filter(|it| it.cluster == cluster || it.namespace == deployment.namespace);
        let names: BTreeSet<_> = here.map(|it| it.name).collect();
        if !names.is_empty() {
            let indices =
                (0..=most).filter(|index| names.contains(keys::name(&deployment.name, cluster, *index).as_str()));
            taken.entry(cluster).or_default().extend(indices);
        }
    }
    taken
}
