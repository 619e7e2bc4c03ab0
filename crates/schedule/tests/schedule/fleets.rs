//! Fleets of a few words.

use std::collections::{BTreeMap, BTreeSet};

use schedule::{
    Accounting, Cluster, Demand, Device, Engine, Fit, Fleet, Member, Outcome, Placement, Pool, Replica, ReplicaEngine,
    ReplicaMember, Request, Role, Situation, Strategy, schedule,
};

/// The memory of the devices of each list, in Gi. Lists with negative memory have synthetic devices.
const LISTS: &[i64] = &[141, 80, -141];

/// The selectors: the least memory, in Gi.
const SELECTORS: &[i64] = &[80, 141];

/// The steps that a search may take.
pub(crate) const BUDGET: u64 = 100_000;

/// A fleet, and the replicas in it.
#[derive(Clone, Debug)]
pub(crate) struct Fleets {
    /// The fleet. Each list of devices has one entry of 8.
    pub(crate) fleet: Fleet<'static>,
    /// The replicas.
    pub(crate) replicas: Vec<Replica<'static>>,
    /// Indices that new replicas must not get, by cluster.
    pub(crate) taken: BTreeMap<String, BTreeSet<i64>>,
    /// What pods take of a pool.
    pub(crate) accounting: Accounting,
}

impl Default for Fleets {
    fn default() -> Self {
        let devices = LISTS.iter().map(|memory| vec![Device { count: 8, claimed: *memory > 0 }]).collect();
        Self {
            fleet: Fleet { clusters: Vec::new(), devices },
            replicas: Vec::new(),
            taken: BTreeMap::new(),
            accounting: Accounting::Nodes,
        }
    }
}

impl Fleets {
    /// Adds a usable cluster with pools: name, nodes, and the memory of their devices.
    pub(crate) fn cluster(mut self, name: &str, pools: &[(&str, u64, i64)]) -> Self {
        let pool = |&(name, nodes, memory): &(&str, u64, i64)| Pool {
            name: text(name),
            nodes,
            devices: LISTS.iter().position(|list| *list == memory).expect("a known list"),
            free: Vec::new(),
        };
        let pools = pools.iter().map(pool).collect();
        self.fleet.clusters.push(Cluster { name: text(name), ready: true, gateway: true, taints: Vec::new(), pools });
        self
    }

    /// Adds a replica.
    pub(crate) fn replica(mut self, replica: Replica<'static>) -> Self {
        self.replicas.push(replica);
        self
    }

    /// Schedules replicas of these engines.
    pub(crate) fn schedule(&self, replicas: usize, engines: &[Engine], strategy: Strategy) -> Outcome<'static> {
        let demand = Demand { replicas, tolerations: Vec::new(), engines: engines.to_vec() };
        let fit = fit(&self.fleet);
        let (fleet, replicas) = (&self.fleet, &self.replicas[..]);
        let taken = self.taken.iter().map(|(cluster, indices)| (cluster.as_str(), indices.clone())).collect();
        let (fit, taken) = (&fit, &taken);
        let (accounting, budget) = (self.accounting, BUDGET);
        schedule(&Situation { demand: &demand, fleet, fit, replicas, taken, fill: true, strategy, accounting, budget })
    }

    /// The places of replicas as `CLUSTER/INDEX`, with pools where a cluster has several.
    pub(crate) fn places(&self, replicas: usize, engines: &[Engine], strategy: Strategy) -> String {
        let placements = self.schedule(replicas, engines, strategy).placements;
        placements.iter().map(|placement| self.place(placement)).collect::<Vec<_>>().join(" ")
    }

    fn place(&self, placement: &Placement<'_>) -> String {
        let Placement { cluster, index, engines, .. } = placement;
        let published = self.fleet.clusters.iter().find(|it| it.name == *cluster);
        if published.is_none_or(|cluster| cluster.pools.len() < 2) {
            return format!("{cluster}/{index}");
        }
        let pools: Vec<_> = engines.iter().map(|engine| engine.members[0].pool).collect();
        format!("{cluster}/{index}:{}", pools.join(","))
    }
}

/// Judges all devices.
pub(crate) fn fit(fleet: &Fleet<'_>) -> Fit {
    Fit::judge(SELECTORS.len(), fleet, |selectors, list, _| LISTS[list].abs() >= SELECTORS[selectors])
}

/// An engine of one pod that needs 8 devices with so much memory.
pub(crate) fn engine(name: &str, memory: i64) -> Engine {
    let member = Member { role: Role::Standalone, pods: 1, requests: vec![request(memory)] };
    Engine { name: name.to_owned(), copies: 1, members: vec![member] }
}

/// An engine of a leader and workers. The workers need 8 devices each; the leader may.
pub(crate) fn gang(name: &str, copies: u64, workers: u64, leader: bool) -> Engine {
    let requests = |any: bool| if any { vec![request(80)] } else { Vec::new() };
    let leader = Member { role: Role::Leader, pods: 1, requests: requests(leader) };
    let workers = Member { role: Role::Worker, pods: workers, requests: requests(true) };
    Engine { name: name.to_owned(), copies, members: vec![leader, workers] }
}

fn request(memory: i64) -> Request {
    Request { count: 8, selectors: SELECTORS.iter().position(|least| *least == memory).expect("known selectors") }
}

/// A replica of the deployment with engine `main`, on one node.
pub(crate) fn ours(cluster: &str, index: i64, pool: &str) -> Replica<'static> {
    pinned(&format!("ours-{cluster}-{index}"), cluster, index, pool)
}

/// The same with a name.
pub(crate) fn pinned(name: &str, cluster: &str, index: i64, pool: &str) -> Replica<'static> {
    let member = ReplicaMember { role: Role::Standalone, pool: Some(text(pool)), nodes: 1, claims: Vec::new() };
    let engines = vec![ReplicaEngine { name: "main", members: vec![member] }];
    Replica { name: text(name), cluster: text(cluster), index, ours: true, held: false, engines }
}

/// A replica of another deployment that takes nodes.
pub(crate) fn other(cluster: &str, pool: &str, nodes: u64) -> Replica<'static> {
    let mut replica = Replica { ours: false, ..pinned("other", cluster, 0, pool) };
    replica.engines[0].members[0].nodes = nodes;
    replica
}

/// A text that lasts as long as the tests.
pub(crate) fn text(text: &str) -> &'static str {
    text.to_owned().leak()
}
