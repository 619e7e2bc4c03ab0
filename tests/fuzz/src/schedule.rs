//! Bytes → a small fleet, what is wanted of it, and replicas. A schedule is the same each time and in any order of clusters and
//! replicas; it takes only nodes that are free; what it places stays there.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use libfuzzer_sys::{Corpus, fuzz_target};
use schedule::{
    Accounting, Claim, Cluster, Demand, Device, Effect, Engine, Fit, Fleet, Member, Outcome, Placement, Pool, Replica,
    ReplicaEngine, ReplicaMember, Request, Role, Situation, Strategy, Taint, schedule,
};

const CLUSTERS: [&str; 4] = ["a", "b", "c", "d"];
const POOLS: [&str; 4] = ["p", "q", "r", "s"];
const ENGINES: [&str; 3] = ["x", "y", "z"];
const REPLICAS: [&str; 8] = ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"];

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut numbers = Numbers { bytes };
    let case = Case::read(&mut numbers);
    let outcome = case.schedule(&case.fleet, &case.replicas);
    assert_eq!(outcome, case.schedule(&case.fleet, &case.replicas), "equal questions have equal answers");
    let mut turned = (case.fleet.clone(), case.replicas.clone());
    turned.0.clusters.reverse();
    turned.1.reverse();
    let turned = case.schedule(&turned.0, &turned.1);
    assert_eq!(outcome.placements, turned.placements, "the order is irrelevant");
    assert_eq!(outcome.overcommitted, turned.overcommitted, "the order is irrelevant");

    let places: BTreeSet<_> = outcome.placements.iter().map(place).collect();
    assert!(outcome.placements.iter().map(place).eq(places.iter().copied()), "each place is given once, in order");
    assert!(places.len() <= case.demand.replicas, "no more than are wanted");
    let missing = places.len() < case.demand.replicas && case.fill;
    let refused: Vec<_> = outcome.refused.iter().map(|it| it.cluster).collect();
    assert!(refused.iter().copied().eq(0..if missing { case.fleet.clusters.len() } else { 0 }), "each has a reason");
    let kept: BTreeMap<_, _> = outcome.placements.iter().filter_map(|it| Some((it.retained?, place(it)))).collect();
    for (name, place) in &kept {
        let was = case.replicas.iter().find(|it| it.ours && it.name == *name).map(|it| (it.cluster, it.index));
        assert_eq!(Some(*place), was, "what stays does not move");
    }

    let counted = case.replicas.iter().filter(|it| !it.ours || kept.values().any(|at| *at == (it.cluster, it.index)));
    let counted: Vec<_> = counted.cloned().collect();
    let new: Vec<_> = outcome.placements.iter().filter(|it| it.retained.is_none()).map(|it| case.placed(it)).collect();
    if case.accounting == Accounting::Nodes {
        let (before, after) = (taken(&counted), taken(&new));
        for ((cluster, pool), nodes) in after {
            let published = case.pool(cluster, pool).map_or(0, |pool| pool.nodes);
            let already = before.get(&(cluster, pool)).copied().unwrap_or_default();
            assert!(nodes == 0 || already + nodes <= published, "{cluster}/{pool} is overcommitted");
        }
    }

    let there: Vec<_> = counted.into_iter().chain(new).collect();
    let again = case.schedule(&case.fleet, &there);
    assert!(again.placements.iter().all(|it| it.retained.is_some()) || missing, "nothing is placed besides");
    let stays = |it: &&(&str, i64)| again.placements.iter().any(|at| at.retained.is_some() && place(at) == **it);
    assert_eq!(places.iter().filter(stays).count(), places.len(), "what is placed stays there");
    Corpus::Keep
});

fn place<'f>(placement: &Placement<'f>) -> (&'f str, i64) {
    (placement.cluster, placement.index)
}

fn taken<'f>(replicas: &[Replica<'f>]) -> BTreeMap<(&'f str, &'f str), u64> {
    let mut taken = BTreeMap::new();
    for replica in replicas {
        for member in replica.engines.iter().flat_map(|engine| &engine.members) {
            *taken.entry((replica.cluster, member.pool.unwrap_or_default())).or_default() += member.nodes;
        }
    }
    taken
}

/// The bytes as numbers. When there are none left, all are 0.
struct Numbers<'b> {
    bytes: &'b [u8],
}

impl Numbers<'_> {
    /// A number below `most`.
    fn below(&mut self, most: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % most
    }

    fn some<T>(&mut self, most: usize, mut one: impl FnMut(&mut Self, usize) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|index| one(self, index)).collect()
    }
}

struct Case {
    demand: Demand,
    fleet: Fleet<'static>,
    /// Whether a device suits a selector, by bits.
    suits: [usize; 3],
    replicas: Vec<Replica<'static>>,
    fill: bool,
    strategy: Strategy,
    accounting: Accounting,
    budget: u64,
}

impl Case {
    fn read(numbers: &mut Numbers<'_>) -> Self {
        let mut devices =
            numbers.some(2, |it, _| it.some(3, |it, _| Device { count: it.below(9) as u64, claimed: it.below(4) > 0 }));
        devices.push(vec![Device { count: 8, claimed: true }]);
        let lists = devices.len();
        let clusters = numbers.some(CLUSTERS.len(), |it, index| Cluster {
            name: CLUSTERS[index],
            ready: it.below(8) > 0,
            gateway: it.below(8) > 0,
            taints: it.some(1, |it, _| Taint {
                key: "k".to_owned(),
                value: String::new(),
                effect: if it.below(2) > 0 { Effect::NoExecute } else { Effect::NoSchedule },
            }),
            pools: it.some(POOLS.len(), |it, index| Pool {
                name: POOLS[index],
                nodes: it.below(6) as u64,
                devices: it.below(lists),
                free: it.some(2, |it, _| Some(it.below(20) as u64)),
            }),
        });
        let engines = numbers.some(ENGINES.len(), |it, index| {
            let roles = if it.below(2) > 0 { [Role::Leader, Role::Worker] } else { [Role::Standalone; 2] };
            let members = roles.into_iter().take(if roles[0] == Role::Leader { 2 } else { 1 }).map(|role| Member {
                role,
                pods: 1 + it.below(3) as u64,
                requests: it.some(3, |it, _| Request { count: 1 + it.below(8) as u64, selectors: it.below(3) }),
            });
            let members = members.collect();
            Engine { name: ENGINES[index].to_owned(), copies: 1 + it.below(3) as u64, members }
        });
        let replicas = numbers.some(REPLICAS.len(), |it, index| {
            let member = |it: &mut Numbers<'_>, role| ReplicaMember {
                role,
                pool: POOLS.get(it.below(POOLS.len() + 1)).copied(),
                nodes: it.below(4) as u64,
                claims: it.some(2, |it, _| Claim { device: it.below(4), count: it.below(9) as u64 }),
            };
            Replica {
                name: REPLICAS[index],
                cluster: CLUSTERS[it.below(CLUSTERS.len())],
                index: it.below(4) as i64,
                ours: it.below(2) > 0,
                held: it.below(8) == 1,
                engines: engines
                    .iter()
                    .zip(ENGINES)
                    .map(|(engine, name)| ReplicaEngine {
                        name,
                        members: engine.members.iter().map(|wanted| member(it, wanted.role)).collect(),
                    })
                    .collect(),
            }
        });
        Self {
            demand: Demand { replicas: numbers.below(6), tolerations: Vec::new(), engines },
            fleet: Fleet { clusters, devices },
            suits: [numbers.below(256), numbers.below(256), numbers.below(256)],
            replicas,
            fill: numbers.below(8) != 1,
            strategy: if numbers.below(2) > 0 { Strategy::Complete } else { Strategy::FirstFit },
            accounting: if numbers.below(2) > 0 { Accounting::Devices } else { Accounting::Nodes },
            budget: [100_000, 0, 10, 100][numbers.below(4)],
        }
    }

    fn schedule(&self, fleet: &Fleet<'static>, replicas: &[Replica<'static>]) -> Outcome<'static> {
        let suits = |selectors: usize, list: usize, device: usize| {
            self.suits.get(selectors).is_some_and(|bits| bits >> ((3 * list + device) % 8) & 1 == 0)
        };
        schedule(&Situation {
            demand: &self.demand,
            fleet,
            fit: &Fit::judge(3, fleet, suits),
            replicas,
            taken: &BTreeMap::new(),
            fill: self.fill,
            strategy: self.strategy,
            accounting: self.accounting,
            budget: self.budget,
        })
    }

    fn pool(&self, cluster: &str, pool: &str) -> Option<&Pool<'static>> {
        self.fleet.clusters.iter().find(|it| it.name == cluster)?.pools.iter().find(|it| it.name == pool)
    }

    /// A new replica, as it will be observed.
    fn placed(&self, placement: &Placement<'static>) -> Replica<'static> {
        let engines = placement.engines.iter().filter_map(|placed| {
            let engine = self.demand.engines.get(placed.engine)?;
            let members = engine.members.iter().zip(&placed.members).map(|(member, at)| {
                let list = self.pool(placement.cluster, at.pool).and_then(|pool| self.fleet.devices.get(pool.devices));
                let chosen = member.requests.iter().zip(&at.devices);
                let claimed = chosen.filter(|(_, device)| list.is_some_and(|list| list[**device].claimed));
                let claims: Vec<_> =
                    claimed.map(|(request, device)| Claim { device: *device, count: request.count }).collect();
                let nodes = if claims.is_empty() { 0 } else { member.pods * engine.copies };
                ReplicaMember { role: member.role, pool: Some(at.pool), nodes, claims }
            });
            let name = ENGINES.into_iter().find(|name| *name == engine.name)?;
            Some(ReplicaEngine { name, members: members.collect() })
        });
        let engines = engines.collect();
        Replica { name: "new", cluster: placement.cluster, index: placement.index, ours: true, held: false, engines }
    }
}
