//! Asks the scheduler where replicas go.

use std::collections::{BTreeMap, BTreeSet};

use schedule::{
    Accounting, Demand, Device, Effect, Engine, Fit, Fleet, Member, Outcome, Placement, Pool, Replica, ReplicaEngine,
    ReplicaMember, Request, Role, Situation, Strategy, Taint, Toleration,
};

use super::claimed::Claimed;
use super::classes::{self, ClassTerms, CompiledTerms};
use super::keys;
use super::neighbours::{FleetCluster, Neighbour, NeighbourEngine, NeighbourMember, Neighbours};
use crate::modelplane::engines::{self, WantedEngine, WantedMember};
use crate::modelplane::options::SelectorMode;
use crate::modelplane::refusals::{MissedDevice, MissedRequest, Suitability};
use crate::modelplane::selectors::{Evaluation, Selectors};
use crate::modelplane::shapes::{ClassTerm, Written};
use toolbox::entries::set;

/// The steps that a search for devices may take in one call.
pub const MOST_STEPS: u64 = 100_000;

/// What a deployment asks the scheduler for.
#[derive(Clone, Debug)]
pub struct Asked<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its namespace.
    pub namespace: &'d str,
    /// The number of replicas.
    pub replicas: u32,
    /// The taints of clusters that it tolerates.
    pub tolerations: Vec<Toleration>,
    /// The engines of each replica.
    pub engines: &'d [WantedEngine],
    /// What its author wrote in an earlier shape. `None` where nobody asks for fields.
    pub written: Option<&'d Written>,
    /// How places are found.
    pub strategy: Strategy,
    /// What pods take of a pool.
    pub accounting: Accounting,
    /// Which selectors are accepted.
    pub selectors: SelectorMode,
    /// Expressions about the classes of pools, and the classes. `None` when nobody knows them: then they hold.
    pub terms: Option<(&'d [ClassTerm], &'d ClassTerms)>,
    /// The clusters that have what new replicas need besides nodes. `None` when they need nothing.
    pub staged: Option<BTreeSet<&'d str>>,
}

/// What a deployment wants, with its selectors compiled.
pub struct Wanted<'d> {
    demand: Demand,
    selectors: Selectors<'d>,
    terms: CompiledTerms,
    /// The engines of selectors that come with an expression about the class.
    with_term: Vec<(usize, usize)>,
}

/// Where the replicas go, and what is known of selectors and devices.
pub struct Placed<'w, 'n> {
    /// The schedule.
    pub outcome: Outcome<'n>,
    judged: JudgedSelectors<'w>,
    neighbours: &'n Neighbours<'n>,
}

/// The selectors of a deployment, judged on the devices of a fleet.
pub struct JudgedSelectors<'w> {
    /// Which devices suit which selectors.
    pub fit: Fit,
    wanted: &'w Wanted<'w>,
    evaluation: Evaluation<'w>,
}

/// A selector that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSelector {
    /// Its path in the deployment.
    pub path: String,
    /// What is wrong.
    pub why: String,
}

impl Asked<'_> {
    /// Whether a cluster is ready, and only counts as not ready because it lacks what new replicas need besides nodes.
    pub fn lacks_weights(&self, ready: bool, cluster: &str) -> bool {
        ready && self.staged.as_ref().is_some_and(|staged| !staged.contains(cluster))
    }
}

impl<'d> Wanted<'d> {
    /// Reads what the deployment wants.
    ///
    /// # Errors
    /// The first selector that is invalid.
    pub fn read(asked: &Asked<'d>) -> Result<Self, BadSelector> {
        let mut selectors = Selectors::new(asked.selectors);
        let terms = asked.terms.map(|(terms, _)| terms).unwrap_or_default();
        let terms = CompiledTerms::compile(terms).map_err(|(path, why)| BadSelector { path, why })?;
        let mut with_term = Vec::new();
        let engines = asked.engines.iter().enumerate().map(|(number, engine)| {
            let engine = demanded(engine, number, &mut selectors, terms.of_engine(number).is_some())?;
            if terms.of_engine(number).is_some() {
                let requests = engine.members.iter().flat_map(|member| &member.requests);
                with_term.extend(requests.map(|request| (request.selectors, number)));
            }
            Ok(engine)
        });
        let demand = Demand {
            replicas: asked.replicas as usize,
            tolerations: asked.tolerations.clone(),
            engines: engines.collect::<Result<_, _>>()?,
        };
        Ok(Self { demand, selectors, terms, with_term })
    }

    /// The places of the replicas: of those that stay, and of those that are missing. When there are too few, what is against
    /// each cluster, in the order of the neighbours.
    ///
    /// # Errors
    /// The selector at which the evaluations became too much work for one call.
    pub fn place<'w, 'n: 'w>(
        &'w self,
        asked: &Asked<'_>,
        neighbours: &'n Neighbours<'n>,
    ) -> Result<Placed<'w, 'n>, BadSelector> {
        let mut fleet = fleet(neighbours);
        if let Some(staged) = &asked.staged {
            // What is not ready gets no new replica, and keeps those that it has.
            fleet.clusters.iter_mut().for_each(|cluster| cluster.ready &= staged.contains(cluster.name));
        }
        let judged = self.judge(asked, neighbours, &fleet)?;
        let stays = |replica: &Neighbour<'_>| !is_evicted(replica);
        let replicas: Vec<_> =
            there(asked.accounting, neighbours, &mut fleet, stays).map(|(_, replica)| replica).collect();
        let taken = taken(asked, neighbours);
        let outcome = schedule::schedule(&Situation {
            demand: &self.demand,
            fleet: &fleet,
            fit: &judged.fit,
            replicas: &replicas,
            taken: &taken,
            fill: true,
            strategy: asked.strategy,
            accounting: asked.accounting,
            budget: MOST_STEPS,
        });
        Ok(Placed { outcome, judged, neighbours })
    }

    /// Which devices suit the selectors, and the evaluations that say so.
    ///
    /// # Errors
    /// The selector at which the evaluations became too much work for one call.
    pub fn judge<'w, 'n: 'w>(
        &'w self,
        asked: &Asked<'_>,
        neighbours: &'n Neighbours<'n>,
        fleet: &Fleet<'_>,
    ) -> Result<JudgedSelectors<'w>, BadSelector> {
        let mut evaluation = Evaluation::new(&self.selectors, &neighbours.devices);
        let mut spent = None;
        let mut known: Vec<(usize, usize, bool)> = Vec::new();
        let mut left = classes::MOST;
        let mut of_class = |group, list| {
            let engine = self.with_term.iter().find(|(of, _)| *of == group).map(|(_, engine)| *engine);
            let (Some(engine), Some((_, classes))) = (engine, asked.terms) else { return Some(true) };
            // Devices are judged list by list, so the last answer is most often the next one.
            if let Some((.., holds)) = known.iter().rev().find(|it| (it.0, it.1) == (engine, list)) {
                return Some(*holds);
            }
            let class = neighbours.classes.get(list);
            let Some((term, class)) = self.terms.of_engine(engine).zip(class) else { return Some(false) };
            let holds = classes.holds(term, class, &mut left)?;
            known.push((engine, list, holds));
            Some(holds)
        };
        let fit = Fit::judge(self.selectors.count(), fleet, |group, list, device| {
            if spent.is_some() {
                return false;
            }
            match of_class(group, list) {
                Some(true) => {}
                Some(false) => return false,
                None => {
                    spent = Some(group);
                    return false;
                }
            }
            evaluation.suits(group, list, device).unwrap_or_else(|too_much| {
                spent = Some(too_much.group);
                false
            })
        });
        match spent {
            Some(group) => Err(self.too_much_work(group)),
            None => Ok(JudgedSelectors { fit, wanted: self, evaluation }),
        }
    }

    /// What is demanded.
    pub fn demand(&self) -> &Demand {
        &self.demand
    }

    /// The selectors of a request.
    fn group(&self, MissedRequest { engine, member, request }: MissedRequest) -> Option<usize> {
        Some(self.demand.engines.get(engine)?.members.get(member)?.requests.get(request)?.selectors)
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

impl JudgedSelectors<'_> {
    /// What is known of the selectors, where `list` gives the list of devices of a pool of a cluster.
    pub fn suitability(&self, list: impl Fn(usize, usize) -> Option<usize>) -> impl Suitability {
        KnownDevices { judged: self, list }
    }
}

impl Placed<'_, '_> {
    /// What is known of the selectors and the devices of the neighbours.
    pub fn suitability(&self) -> impl Suitability {
        self.judged.suitability(|cluster, pool| self.neighbours.clusters.get(cluster)?.devices.get(pool).copied())
    }
}

/// What is known of selectors and of the devices of pools.
struct KnownDevices<'j, L> {
    judged: &'j JudgedSelectors<'j>,
    list: L,
}

impl<L: Fn(usize, usize) -> Option<usize>> Suitability for KnownDevices<'_, L> {
    fn mistake(&self, request: MissedRequest) -> Option<(usize, String)> {
        self.judged.wanted.selectors.mistake(self.judged.wanted.group(request)?)
    }

    fn nearest(&self, cluster: usize, pool: usize, request: MissedRequest) -> Option<MissedDevice> {
        let (group, list) = (self.judged.wanted.group(request)?, (self.list)(cluster, pool)?);
        let missed = self.judged.evaluation.nearest(group, list)?;
        Some(MissedDevice { missing: missed.0, list, device: missed.1 })
    }

    fn why(&self, request: MissedRequest, missed: MissedDevice) -> Option<(usize, String)> {
        let group = self.judged.wanted.group(request)?;
        self.judged.evaluation.why_not(group, missed.list, missed.device)
    }
}

/// The places of the replicas that exist, none of which is judged. Of more than `most` the surplus has none.
pub fn hold<'n>(neighbours: &'n [Neighbour<'n>], most: usize) -> Vec<Placement<'n>> {
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
pub fn selector_path(engine: usize, member: usize, device: usize, selector: usize) -> String {
    format!(
        "spec.template.spec.engines[{engine}].members[{member}].nodeSelector.devices[{device}].selectors[{selector}].cel"
    )
}

fn demanded<'d>(
    engine: &'d WantedEngine,
    number: usize,
    selectors: &mut Selectors<'d>,
    apart: bool,
) -> Result<Engine, BadSelector> {
    let mut members = Vec::new();
    for (index, member) in engine.members.iter().enumerate() {
        let mut requests = Vec::new();
        for (device, wanted) in member.node_selector.iter().flat_map(|it| &it.devices).enumerate() {
            // One without an expression says nothing.
            let texts = wanted.selectors.iter().filter_map(|selector| selector.cel.as_deref());
            let added = if apart { selectors.add_apart(texts) } else { selectors.add(texts) };
            let group = added.map_err(|unparsed| {
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

/// How many pods of a member one copy of its engine has.
pub fn pods(member: &WantedMember) -> u64 {
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

/// The clusters as the scheduler sees them.
pub fn fleet<'n>(neighbours: &'n Neighbours<'n>) -> Fleet<'n> {
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
        free: Vec::new(),
    });
    schedule::Cluster {
        name: read.name,
        ready: read.ready,
        gateway: !read.gateway.is_empty(),
        taints: taints.collect(),
        pools: pools.collect(),
    }
}

/// Lowers what is free in the pools of a cluster to what somebody has seen there.
fn lower(cluster: &mut schedule::Cluster<'_>, FleetCluster { read, devices }: &FleetCluster<'_>, all: &Neighbours<'_>) {
    for (pool, devices) in cluster.pools.iter_mut().zip(devices) {
        let seen = read.capacity.iter().filter(|seen| seen.name == pool.name).flat_map(|seen| &seen.resources);
        let seen: Vec<_> = seen.collect();
        let free = |driver| seen.iter().filter_map(|resource| resource.devices_of(driver)).min();
        let free: Vec<_> = all.devices.list(*devices).iter().map(|device| free(device.driver)).collect();
        if free.iter().any(Option::is_some) {
            pool.free = free;
        }
    }
}

/// The replicas that exist and for which `counts` holds, as the scheduler sees them. Where devices are counted, with what their pods
/// claim; and what is free in the fleet is lowered to what somebody has seen there.
pub fn there<'a, 'n: 'a>(
    accounting: Accounting,
    neighbours: &'n Neighbours<'n>,
    fleet: &mut Fleet<'_>,
    counts: impl Fn(&Neighbour<'n>) -> bool + 'a,
) -> impl Iterator<Item = (&'n Neighbour<'n>, Replica<'n>)> + 'a {
    let mut claimed = match accounting {
        Accounting::Nodes => None,
        Accounting::Devices => {
            let clusters = fleet.clusters.iter_mut().zip(&neighbours.clusters);
            clusters.for_each(|(cluster, it)| lower(cluster, it, neighbours));
            Some(Claimed::new(neighbours))
        }
    };
    neighbours.replicas.iter().filter(move |replica| counts(replica)).map(move |replica| {
        let seen = existing(replica);
        let seen = match &mut claimed {
            Some(claimed) => claimed.with_claims(seen, replica),
            None => seen,
        };
        (replica, seen)
    })
}

/// A replica that exists, without what its pods claim.
pub(super) fn existing<'n>(replica: &'n Neighbour<'n>) -> Replica<'n> {
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
fn taken<'n>(asked: &Asked<'_>, neighbours: &'n Neighbours<'_>) -> BTreeMap<&'n str, BTreeSet<i64>> {
    let mut taken: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for replica in neighbours.replicas.iter().filter(|it| is_evicted(it)) {
        taken.entry(replica.cluster).or_default().insert(replica.index);
    }
    let others: Vec<_> =
        neighbours.replicas.iter().filter(|it| !it.ours && keys::may_be_name(asked.name, it.name)).collect();
    // A replica needs an index of at most so much.
    let most = i64::from(asked.replicas) + i64::try_from(others.len()).unwrap_or(i64::MAX);
    for cluster in neighbours.clusters.iter().map(|cluster| cluster.read.name) {
        // In the namespace of the deployment, a name is taken whatever the cluster.
        let here = others.iter().filter(|it| it.cluster == cluster || it.namespace == asked.namespace);
        let names = set(here.map(|it| it.name));
        if !names.is_empty() {
            let indices = (0..=most).filter(|index| names.contains(keys::name(asked.name, cluster, *index).as_str()));
            taken.entry(cluster).or_default().extend(indices);
        }
    }
    taken
}
