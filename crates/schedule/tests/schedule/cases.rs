//! Random fleets, what is wanted of them, and what is true of them, by trying everything.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use schedule::{
    Accounting, Claim, Cluster, Demand, Device, Effect, Engine, Fit, Fleet, Member, Outcome, Placement, Pool, Replica,
    ReplicaEngine, ReplicaMember, Request, Role, Situation, Strategy as Placing, Taint, schedule,
};

use crate::fleets::{BUDGET, Fleets, text};

/// A fleet of a few clusters with few and small pools, what is wanted, and replicas that exist.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) demand: Demand,
    pub(crate) fleet: Fleet<'static>,
    pub(crate) fit: Fit,
    pub(crate) replicas: Vec<Replica<'static>>,
    pub(crate) accounting: Accounting,
}

impl Case {
    pub(crate) fn schedule(&self, strategy: Placing) -> Outcome<'static> {
        let Self { demand, fleet, fit, replicas, accounting } = self;
        let taken = &BTreeMap::new();
        let (accounting, budget) = (*accounting, BUDGET);
        schedule(&Situation { demand, fleet, fit, replicas, taken, fill: true, strategy, accounting, budget })
    }

    /// The replicas after a schedule, as they will be observed: those of others, and ours in their places.
    pub(crate) fn after(&self, outcome: &Outcome<'static>) -> Vec<Replica<'static>> {
        let mut replicas: Vec<_> = self.replicas.iter().filter(|replica| !replica.ours).cloned().collect();
        for placement in &outcome.placements {
            let engines = placement.engines.iter().map(|placed| {
                let engine = &self.demand.engines[placed.engine];
                let members = engine.members.iter().zip(&placed.members).map(|(member, at)| {
                    let nodes =
                        if self.claims(placement, at.pool, &at.devices) { member.pods * engine.copies } else { 0 };
                    let claim = |(request, device): (&Request, &usize)| Claim { device: *device, count: request.count };
                    let claims = member.requests.iter().zip(&at.devices).map(claim).collect();
                    ReplicaMember { role: member.role, pool: Some(at.pool), nodes, claims }
                });
                ReplicaEngine { name: text(&engine.name), members: members.collect() }
            });
            let Placement { cluster, index, .. } = placement;
            let (name, engines) = (text(&format!("ours-{cluster}-{index}")), engines.collect());
            replicas.push(Replica { name, cluster, index: *index, ours: true, held: false, engines });
        }
        replicas
    }

    fn claims(&self, placement: &Placement<'_>, pool: &str, devices: &[usize]) -> bool {
        let list = &self.fleet.devices[self.pool(placement.cluster, pool).devices];
        devices.iter().any(|device| list[*device].claimed)
    }

    pub(crate) fn pool(&self, cluster: &str, pool: &str) -> &Pool<'static> {
        let cluster = self.fleet.clusters.iter().find(|it| it.name == cluster).expect("a cluster of the fleet");
        cluster.pools.iter().find(|it| it.name == pool).expect("a pool of the cluster")
    }

    /// The nodes that replicas take, by cluster and pool.
    pub(crate) fn taken(&self, replicas: &[Replica<'static>]) -> BTreeMap<(&'static str, &'static str), u64> {
        let mut taken = BTreeMap::new();
        for replica in replicas {
            for member in replica.engines.iter().flat_map(|engine| &engine.members) {
                let pool = member.pool.unwrap_or_default();
                *taken.entry((replica.cluster, pool)).or_default() += member.nodes;
            }
        }
        taken
    }
}

/// Any of them.
pub(crate) fn cases() -> impl proptest::strategy::Strategy<Value = Case> {
    let device = (0u64..5, any::<bool>()).prop_map(|(count, claimed)| Device { count, claimed: claimed || count > 2 });
    let devices = vec(vec(device, 0..3), 3);
    let pools = vec((0u64..4, 0usize..3), 0..4);
    let clusters = vec((pools, 0u8..8), 1..4);
    let requests = vec((1u64..4, 0usize..2), 0..3);
    let engine = (1u64..3, vec((1u64..3, requests), 1..3));
    let suits = vec(proptest::bool::weighted(0.75), 2 * 3 * 3);
    let claims = vec((0usize..2, 0u64..3), 0..2);
    let existing = vec((0usize..4, 0i64..3, any::<bool>(), 0usize..4, 0u64..3, claims), 0..5);
    (0usize..4, vec(engine, 1..3), clusters, devices, suits, existing).prop_map(
        |(replicas, engines, clusters, devices, suits, existing)| {
            let mut fleets = Fleets::default();
            fleets.fleet.devices = devices;
            for (number, (pools, state)) in clusters.iter().enumerate() {
                fleets = fleets.cluster(&format!("c{number}"), &[]);
                let cluster = fleets.fleet.clusters.last_mut().expect("it was added");
                (cluster.ready, cluster.gateway) = (*state != 0, *state != 1);
                if *state == 2 {
                    let taint = |effect| Taint { key: "k".to_owned(), value: String::new(), effect };
                    cluster.taints.push(taint(if number == 0 { Effect::NoExecute } else { Effect::NoSchedule }));
                }
                let pools = pools.iter().enumerate();
                let pool = |(at, (nodes, devices)): (usize, &(u64, usize))| Pool {
                    name: text(&format!("p{at}")),
                    nodes: *nodes,
                    devices: *devices,
                    free: Vec::new(),
                };
                cluster.pools = pools.map(pool).collect();
            }
            let engines = engines.into_iter().enumerate().map(|(index, (copies, members))| {
                let roles = if members.len() > 1 { [Role::Leader, Role::Worker] } else { [Role::Standalone; 2] };
                let members = members.into_iter().zip(roles).map(|((pods, requests), role)| {
                    let requests = requests.into_iter().map(|(count, selectors)| Request { count, selectors });
                    Member { role, pods, requests: requests.collect() }
                });
                Engine { name: format!("e{index}"), copies, members: members.collect() }
            });
            let demand = Demand { replicas, tolerations: Vec::new(), engines: engines.collect() };
            let fit = Fit::judge(2, &fleets.fleet, |selectors, list, device| suits[selectors * 9 + list * 3 + device]);
            let existing =
                existing.into_iter().enumerate().map(|(number, (cluster, index, ours, pool, nodes, claims))| {
                    let member = |role| ReplicaMember {
                        role,
                        pool: Some(text(&format!("p{pool}"))),
                        nodes,
                        claims: claims.iter().map(|&(device, count)| Claim { device, count }).collect(),
                    };
                    let engine = |engine: &Engine| ReplicaEngine {
                        name: text(&engine.name),
                        members: engine.members.iter().map(|it| member(it.role)).collect(),
                    };
                    Replica {
                        name: text(&format!("r{number}")),
                        cluster: text(&format!("c{cluster}")),
                        index,
                        ours,
                        held: false,
                        engines: demand.engines.iter().map(engine).collect(),
                    }
                });
            let replicas = existing.collect();
            Case { demand, fleet: fleets.fleet, fit, replicas, accounting: Accounting::Nodes }
        },
    )
}

/// The pools in which an engine could be, and the nodes that it takes there, by trying every assignment of devices. Each member
/// that can claim devices on the cluster claims some.
pub(crate) fn suitable(case: &Case, cluster: &Cluster<'_>, engine: &Engine) -> Vec<(usize, u64)> {
    let can = |member: &Member, pool: &Pool, claim: bool| assigns(case, &member.requests, pool, claim);
    let claimable: Vec<_> =
        engine.members.iter().map(|it| cluster.pools.iter().any(|pool| can(it, pool, true))).collect();
    if !claimable.contains(&true) {
        return Vec::new();
    }
    let fits = |pool: &Pool| engine.members.iter().zip(&claimable).all(|(it, claims)| can(it, pool, *claims));
    let nodes = engine.members.iter().zip(&claimable).filter(|(_, claims)| **claims);
    let nodes: u64 = nodes.map(|(member, _)| member.pods * engine.copies).sum();
    cluster.pools.iter().enumerate().filter(|(_, pool)| fits(pool)).map(|(at, _)| (at, nodes)).collect()
}

/// The free nodes of the pools of a cluster, with these replicas.
pub(crate) fn free(case: &Case, cluster: &Cluster<'_>, replicas: &[Replica<'static>]) -> Vec<i128> {
    let taken = case.taken(replicas);
    let free = |pool: &Pool| {
        let taken = taken.get(&(cluster.name, pool.name)).copied().unwrap_or_default();
        i128::from(pool.nodes) - i128::from(taken)
    };
    cluster.pools.iter().map(free).collect()
}

/// Whether a replica could be placed on a cluster, by trying every assignment of pools and devices.
pub(crate) fn has_a_place(case: &Case, cluster: &Cluster<'_>, replicas: &[Replica<'static>]) -> bool {
    let engines: Vec<_> = case.demand.engines.iter().map(|engine| suitable(case, cluster, engine)).collect();
    packs(&engines, free(case, cluster, replicas))
}

/// Whether requests can have devices of a pool, of which one is claimed if `claim`.
pub(crate) fn assigns(case: &Case, requests: &[Request], pool: &Pool, claim: bool) -> bool {
    fn go(case: &Case, requests: &[Request], list: usize, left: &mut Vec<u64>, claim: bool) -> bool {
        let Some((request, rest)) = requests.split_first() else { return !claim };
        (0..left.len()).any(|device| {
            let one = [Request { count: 1, ..*request }];
            let suits = suits(case, &one, list, device);
            if !suits || left[device] < request.count {
                return false;
            }
            left[device] -= request.count;
            let found = go(case, rest, list, left, claim && !case.fleet.devices[list][device].claimed);
            left[device] += request.count;
            found
        })
    }
    let mut left = case.fleet.devices[pool.devices].iter().map(|device| device.count).collect();
    go(case, requests, pool.devices, &mut left, claim)
}

/// Whether a device suits the selectors of a request: a schedule on a fleet of this device alone has a place.
pub(crate) fn suits(case: &Case, requests: &[Request], list: usize, device: usize) -> bool {
    let mut fleets = Fleets::default().cluster("one", &[("p", 1, 141)]);
    fleets.fleet.devices = case.fleet.devices.clone();
    for (at, devices) in fleets.fleet.devices.iter_mut().enumerate() {
        for (number, it) in devices.iter_mut().enumerate() {
            *it = Device { count: u64::from((at, number) == (list, device)), claimed: true };
        }
    }
    fleets.fleet.clusters[0].pools[0].devices = list;
    let member = Member { role: Role::Standalone, pods: 1, requests: requests.to_vec() };
    let engines = vec![Engine { name: "e".to_owned(), copies: 1, members: vec![member] }];
    let demand = Demand { replicas: 1, tolerations: Vec::new(), engines };
    let one = Case {
        demand,
        fleet: fleets.fleet,
        fit: case.fit.clone(),
        replicas: Vec::new(),
        accounting: Accounting::Nodes,
    };
    !one.schedule(Placing::FirstFit).placements.is_empty()
}

/// Whether each engine finds one of its pools, with the nodes that it takes there.
pub(crate) fn packs(engines: &[Vec<(usize, u64)>], free: Vec<i128>) -> bool {
    let Some((pools, rest)) = engines.split_first() else { return true };
    pools.iter().any(|(pool, nodes)| {
        let mut free = free.clone();
        free[*pool] -= i128::from(*nodes);
        free[*pool] >= 0 && packs(rest, free)
    })
}

/// Whether pods can be put on nodes, by trying every node for each.
pub(crate) fn packs_on(nodes: &mut [Vec<u64>], pods: &[Vec<u64>]) -> bool {
    let Some((claims, rest)) = pods.split_first() else { return true };
    (0..nodes.len()).any(|node| {
        let before = nodes[node].clone();
        // An empty node is as good as any other one.
        if nodes[..node].contains(&before) || before.iter().zip(claims).any(|(left, claimed)| left < claimed) {
            return false;
        }
        nodes[node].iter_mut().zip(claims).for_each(|(left, claimed)| *left -= claimed);
        let found = packs_on(nodes, rest);
        nodes[node] = before;
        found
    })
}
