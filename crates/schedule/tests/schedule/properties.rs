//! What is true of every schedule, on random fleets.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use schedule::{
    Accounting, Demand, Device, Engine, Fit, Fleet, Member, Outcome, Placement, Pool, Replica, ReplicaEngine,
    ReplicaMember, Request, Role, Situation, Strategy as Placing, schedule,
};

use crate::fleets::{BUDGET, Fleets, text};

/// A fleet of a few clusters with few and small pools, what is wanted, and replicas that exist.
#[derive(Clone, Debug)]
struct Case {
    demand: Demand,
    fleet: Fleet<'static>,
    fit: Fit,
    replicas: Vec<Replica<'static>>,
}

impl Case {
    fn schedule(&self, strategy: Placing) -> Outcome<'static> {
        let Self { demand, fleet, fit, replicas } = self;
        let taken = &BTreeMap::new();
        schedule(&Situation {
            demand,
            fleet,
            fit,
            replicas,
            taken,
            fill: true,
            strategy,
            accounting: Accounting::Nodes,
            budget: BUDGET,
        })
    }

    /// The replicas after a schedule, as they will be observed: those of others, and ours in their places.
    fn after(&self, outcome: &Outcome<'static>) -> Vec<Replica<'static>> {
        let mut replicas: Vec<_> = self.replicas.iter().filter(|replica| !replica.ours).cloned().collect();
        for placement in &outcome.placements {
            let engines = placement.engines.iter().map(|placed| {
                let engine = &self.demand.engines[placed.engine];
                let members = engine.members.iter().zip(&placed.members).map(|(member, at)| {
                    let nodes =
                        if self.claims(placement, at.pool, &at.devices) { member.pods * engine.copies } else { 0 };
                    ReplicaMember { role: member.role, pool: Some(at.pool), nodes, claims: Vec::new() }
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

    fn pool(&self, cluster: &str, pool: &str) -> &Pool<'static> {
        let cluster = self.fleet.clusters.iter().find(|it| it.name == cluster).expect("a cluster of the fleet");
        cluster.pools.iter().find(|it| it.name == pool).expect("a pool of the cluster")
    }

    /// The nodes that replicas take, by cluster and pool.
    fn taken(&self, replicas: &[Replica<'static>]) -> BTreeMap<(&'static str, &'static str), u64> {
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

fn cases() -> impl proptest::strategy::Strategy<Value = Case> {
    let device = (0u64..5, any::<bool>()).prop_map(|(count, claimed)| Device { count, claimed: claimed || count > 2 });
    let devices = vec(vec(device, 0..3), 3);
    let pools = vec((0u64..4, 0usize..3), 0..4);
    let clusters = vec((pools, 0u8..8), 1..4);
    let requests = vec((1u64..4, 0usize..2), 0..3);
    let engine = (1u64..3, vec((1u64..3, requests), 1..3));
    let suits = vec(any::<bool>(), 2 * 3 * 3);
    let existing = vec((0usize..4, 0i64..3, any::<bool>(), 0usize..4, 0u64..3), 0..5);
    (0usize..4, vec(engine, 1..3), clusters, devices, suits, existing).prop_map(
        |(replicas, engines, clusters, devices, suits, existing)| {
            let mut fleets = Fleets::default();
            fleets.fleet.devices = devices;
            for (number, (pools, state)) in clusters.iter().enumerate() {
                fleets = fleets.cluster(&format!("c{number}"), &[]);
                let cluster = fleets.fleet.clusters.last_mut().expect("it was added");
                (cluster.ready, cluster.gateway) = (*state != 0, *state != 1);
                let pools = pools.iter().enumerate();
                let pool = |(at, (nodes, devices)): (usize, &(u64, usize))| Pool {
                    name: text(&format!("p{at}")),
                    nodes: *nodes,
                    devices: *devices,
                    available: Vec::new(),
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
            let existing = existing.into_iter().enumerate().map(|(number, (cluster, index, ours, pool, nodes))| {
                let member =
                    |role| ReplicaMember { role, pool: Some(text(&format!("p{pool}"))), nodes, claims: Vec::new() };
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
            Case { demand, fleet: fleets.fleet, fit, replicas }
        },
    )
}

/// Whether a replica could be placed on any cluster, by trying every assignment of pools and devices.
fn has_a_place(case: &Case) -> bool {
    let taken = case.taken(&case.replicas);
    case.fleet.clusters.iter().filter(|cluster| cluster.ready && cluster.gateway).any(|cluster| {
        let free: Vec<i128> = cluster
            .pools
            .iter()
            .map(|pool| {
                let key = (cluster.name, pool.name);
                i128::from(pool.nodes) - i128::from(taken.get(&key).copied().unwrap_or_default())
            })
            .collect();
        let can = |member: &Member, pool: &Pool, claim: bool| assigns(case, &member.requests, pool, claim);
        let engines: Vec<Vec<(usize, u64)>> = case
            .demand
            .engines
            .iter()
            .map(|engine| {
                let claimable: Vec<_> =
                    engine.members.iter().map(|it| cluster.pools.iter().any(|pool| can(it, pool, true))).collect();
                if !claimable.contains(&true) {
                    return Vec::new();
                }
                let fits =
                    |pool: &Pool| engine.members.iter().zip(&claimable).all(|(it, claims)| can(it, pool, *claims));
                let nodes = engine.members.iter().zip(&claimable).filter(|(_, claims)| **claims);
                let nodes: u64 = nodes.map(|(member, _)| member.pods * engine.copies).sum();
                cluster.pools.iter().enumerate().filter(|(_, pool)| fits(pool)).map(|(at, _)| (at, nodes)).collect()
            })
            .collect();
        packs(&engines, free)
    })
}

/// Whether requests can have devices of a pool, of which one is claimed if `claim`.
fn assigns(case: &Case, requests: &[Request], pool: &Pool, claim: bool) -> bool {
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
fn suits(case: &Case, requests: &[Request], list: usize, device: usize) -> bool {
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
    let one = Case { demand, fleet: fleets.fleet, fit: case.fit.clone(), replicas: Vec::new() };
    !one.schedule(Placing::FirstFit).placements.is_empty()
}

fn packs(engines: &[Vec<(usize, u64)>], free: Vec<i128>) -> bool {
    let Some((pools, rest)) = engines.split_first() else { return true };
    pools.iter().any(|(pool, nodes)| {
        let mut free = free.clone();
        free[*pool] -= i128::from(*nodes);
        free[*pool] >= 0 && packs(rest, free)
    })
}

/// Whether a replica has its place since this schedule.
fn is_new(first: &Outcome<'static>, place: &Placement<'static>) -> bool {
    first.placements.iter().any(|it| (it.cluster, it.index) == (place.cluster, place.index) && it.retained.is_none())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// New replicas take only free nodes.
    #[test]
    fn nothing_is_overcommitted(case in cases(), complete: bool) {
        let outcome = case.schedule(if complete { Placing::Complete } else { Placing::FirstFit });
        let kept: Vec<_> = outcome.placements.iter().filter(|placement| placement.retained.is_some()).cloned().collect();
        let stays = |replica: &&Replica| {
            !replica.ours || kept.iter().any(|it| (&it.cluster, it.index) == (&replica.cluster, replica.index))
        };
        let before = case.taken(&case.replicas.iter().filter(stays).cloned().collect::<Vec<_>>());
        let new = Outcome { placements: outcome.placements.into_iter().filter(|it| it.retained.is_none()).collect(), ..Outcome::default() };
        let placed: Vec<_> = case.after(&new).into_iter().filter(|replica| replica.ours).collect();
        for ((cluster, pool), nodes) in case.taken(&placed).into_iter().filter(|(_, nodes)| *nodes > 0) {
            let already = before.get(&(cluster, pool)).copied().unwrap_or_default();
            prop_assert!(already + nodes <= case.pool(cluster, pool).nodes, "{cluster}/{pool}");
        }
    }

    /// A replica that is where the schedule says stays there, whatever the strategy, and nothing is placed besides.
    #[test]
    fn scheduling_again_changes_nothing(case in cases(), complete: bool, then_complete: bool) {
        let strategy = |complete| if complete { Placing::Complete } else { Placing::FirstFit };
        let first = case.schedule(strategy(complete));
        let again = Case { replicas: case.after(&first), ..case.clone() }.schedule(strategy(then_complete));
        let places = |outcome: &Outcome<'static>| -> Vec<_> {
            outcome.placements.iter().map(|it| (it.cluster, it.index)).collect()
        };
        let kept: Vec<_> = again.placements.iter().filter(|it| it.retained.is_some()).collect();
        prop_assert_eq!(kept.len(), first.placements.len());
        if complete == then_complete {
            let engines = |outcome: &Outcome<'static>| -> Vec<_> {
                outcome.placements.iter().filter(|it| is_new(&first, it)).map(|it| it.engines.clone()).collect()
            };
            prop_assert_eq!(engines(&again), engines(&first));
        }
        if complete || !then_complete {
            prop_assert_eq!(places(&again), places(&first));
        }
    }

    #[test]
    fn the_order_of_clusters_and_replicas_is_irrelevant(case in cases(), complete: bool) {
        let strategy = if complete { Placing::Complete } else { Placing::FirstFit };
        let mut turned = case.clone();
        turned.fleet.clusters.reverse();
        turned.replicas.reverse();
        prop_assert_eq!(turned.schedule(strategy).placements, case.schedule(strategy).placements);
    }

    /// What the greedy choice places, the search places the same. It may place more.
    #[test]
    fn a_search_only_adds(case in cases()) {
        let (greedy, complete) = (case.schedule(Placing::FirstFit), case.schedule(Placing::Complete));
        for placement in &greedy.placements {
            prop_assert!(complete.placements.contains(placement));
        }
    }

    /// With a search, a replica is refused only if there is no place.
    #[test]
    fn a_search_finds_every_place(mut case in cases()) {
        case.demand.replicas = 1;
        case.replicas.retain(|replica| !replica.ours);
        let outcome = case.schedule(Placing::Complete);
        // The greedy choice may describe devices where the search claims some, and so need fewer nodes.
        let greedy = !case.schedule(Placing::FirstFit).placements.is_empty();
        prop_assert_eq!(outcome.placements.is_empty(), !greedy && !has_a_place(&case));
        prop_assert_eq!(outcome.refused.is_empty(), !outcome.placements.is_empty());
    }
}
