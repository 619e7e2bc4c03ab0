//! How long schedules of large fleets take: `cargo test --release -p schedule -- --ignored --nocapture speed`. The bounds are
//! those of a machine that does nothing else.

#![expect(clippy::disallowed_types, reason = "it takes the time")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use schedule::{
    Accounting, Claim, Cluster, Demand, Device, Engine, Fit, Fleet, Member, Outcome, Pool, Refusal, Replica,
    ReplicaEngine, ReplicaMember, Request, Role, Situation, Strategy, schedule,
};

use crate::fleets::{BUDGET, other, ours, text};

/// A fleet with so many clusters, each of which has three pools of so many nodes, and each node so many entries of 8 devices.
/// Lists of devices are repeated after so many pools.
fn fleet(clusters: usize, nodes: u64, entries: usize, lists: usize) -> Fleet<'static> {
    let pool = |cluster: usize, number: usize| Pool {
        name: text(&format!("p{number}")),
        nodes,
        devices: (3 * cluster + number) % lists,
        free: Vec::new(),
    };
    let cluster = |number: usize| Cluster {
        name: text(&format!("c{number:04}")),
        ready: true,
        gateway: true,
        taints: Vec::new(),
        pools: (0..3).map(|it| pool(number, it)).collect(),
    };
    let device = Device { count: 8, claimed: true };
    Fleet { clusters: (0..clusters).map(cluster).collect(), devices: vec![vec![device; entries]; lists] }
}

fn engine(name: &str, requests: &[u64]) -> Engine {
    let requests = requests.iter().enumerate().map(|(selectors, count)| Request { count: *count, selectors });
    let member = Member { role: Role::Standalone, pods: 1, requests: requests.collect() };
    Engine { name: name.to_owned(), copies: 1, members: vec![member] }
}

struct Timed<'t> {
    fleet: &'t Fleet<'static>,
    fit: &'t Fit,
    replicas: &'t [Replica<'static>],
    engines: Vec<Engine>,
    accounting: Accounting,
}

impl Timed<'_> {
    /// Takes the shortest of five runs.
    #[track_caller]
    fn check(&self, what: &str, most: Duration) -> Outcome<'static> {
        let demand = Demand { replicas: 3, tolerations: Vec::new(), engines: self.engines.clone() };
        let situation = Situation {
            demand: &demand,
            fleet: self.fleet,
            fit: self.fit,
            replicas: self.replicas,
            taken: &BTreeMap::new(),
            fill: true,
            strategy: Strategy::Complete,
            accounting: self.accounting,
            budget: BUDGET,
        };
        let mut shortest = Duration::MAX;
        let mut outcome = Outcome::default();
        for _ in 0..5 {
            let start = Instant::now();
            outcome = schedule(&situation);
            shortest = shortest.min(start.elapsed());
        }
        println!("{what}, {:?}: {shortest:?}", self.accounting);
        assert!(shortest <= most, "{what} takes {shortest:?}, and may take {most:?}");
        outcome
    }
}

const BOTH: [Accounting; 2] = [Accounting::Nodes, Accounting::Devices];

#[test]
#[ignore = "it needs a machine that does nothing else"]
fn speed_of_large_fleets() {
    let fleet = fleet(1_000, 4, 2, 6);
    let fit = Fit::judge(2, &fleet, |selectors, _, device| device == selectors);
    // On each cluster a replica of another deployment has half of the first pool.
    let others = fleet.clusters.iter().map(|cluster| {
        let mut replica = other(cluster.name, "p0", 2);
        replica.name = text(&format!("other-{}", cluster.name));
        replica.engines[0].members[0].claims = vec![Claim { device: 0, count: 4 }];
        replica
    });
    let others: Vec<_> = others.collect();
    let run = ["c0000", "c0500", "c0999"].map(|cluster| {
        let mut replica = ours(cluster, 0, "p1");
        replica.engines[0].members[0].claims = vec![Claim { device: 0, count: 8 }, Claim { device: 1, count: 1 }];
        replica
    });
    let there: Vec<_> = others.iter().cloned().chain(run).collect();
    for accounting in BOTH {
        let timed =
            |replicas| Timed { fleet: &fleet, fit: &fit, replicas, engines: vec![engine("main", &[8, 1])], accounting };
        let placed = timed(&others).check("3 placed, 1,000 clusters of 3 pools", Duration::from_millis(3));
        assert_eq!(placed.placements.len(), 3);
        let kept = timed(&there).check("3 retained, 1,000 clusters of 3 pools", Duration::from_millis(1));
        assert!(kept.placements.iter().all(|it| it.retained.is_some()) && kept.placements.len() == 3);
    }
}

#[test]
#[ignore = "it needs a machine that does nothing else"]
fn speed_of_the_deepest_searches() {
    let second = Duration::from_secs(1);
    // No selector of the last request holds on any device, and all others on all.
    let distinct = fleet(5_000 / 3 + 1, 4, 16, 5_000);
    let fit = Fit::judge(16, &distinct, |selectors, _, device| selectors < 15 || device == 99);
    let many: Vec<u64> = vec![8; 16];
    for accounting in BOTH {
        let engines: Vec<_> = (0..8).map(|index| engine(&format!("e{index}"), &many)).collect();
        let timed = Timed { fleet: &distinct, fit: &fit, replicas: &[], engines, accounting };
        let outcome = timed.check("no device at last, 5,000 pools of distinct devices", second);
        assert_eq!((outcome.placements.len(), outcome.refused.len()), (0, distinct.clusters.len()));
    }
    // Each request has a device alone, and all together have none.
    let fit = Fit::judge(16, &distinct, |selectors, _, device| selectors < 14 || device == 15);
    for accounting in BOTH {
        let engines: Vec<_> = (0..8).map(|index| engine(&format!("e{index}"), &many)).collect();
        let timed = Timed { fleet: &distinct, fit: &fit, replicas: &[], engines, accounting };
        let outcome = timed.check("devices that suit alone, 5,000 pools of distinct devices", second);
        assert_eq!((outcome.placements.len(), outcome.refused.len()), (0, distinct.clusters.len()));
    }
    // Eight engines each have a pool alone, and seven pools have a node.
    let mut short = fleet(1_000, 1, 1, 1);
    for cluster in &mut short.clusters {
        let first = cluster.pools[0].clone();
        cluster.pools.extend((3..7).map(|number| Pool { name: text(&format!("p{number}")), ..first.clone() }));
    }
    let fit = Fit::judge(1, &short, |_, _, _| true);
    for accounting in BOTH {
        let engines: Vec<_> = (0..8).map(|index| engine(&format!("e{index}"), &[8])).collect();
        let timed = Timed { fleet: &short, fit: &fit, replicas: &[], engines, accounting };
        let outcome = timed.check("eight engines on seven nodes, 1,000 clusters", second);
        assert!(outcome.placements.is_empty());
        assert!(outcome.refused.iter().all(|it| [Refusal::Budget, Refusal::NotTogether].contains(&it.why)));
    }
    // Pods of many different sizes, which only just cannot be packed.
    let crowded = fleet(1_000, 11, 2, 1);
    let crowded = Fleet { devices: vec![vec![Device { count: 1_000, claimed: true }; 2]], ..crowded };
    let fit = Fit::judge(1, &crowded, |_, _, device| device == 0);
    let there = crowded.clusters.iter().flat_map(|cluster| {
        ["p0", "p1", "p2"].map(|pool| {
            let pod = |index: u64| {
                let claims = [(0, 334 + 7 * index), (1, 500 - 5 * index)];
                let claims = claims.into_iter().map(|(device, count)| Claim { device, count }).collect();
                ReplicaMember { role: Role::Standalone, pool: Some(pool), nodes: 1, claims }
            };
            let members = (0..24).map(pod).collect();
            let engines = vec![ReplicaEngine { name: "main", members }];
            let name = text(&format!("there-{}-{pool}", cluster.name));
            Replica { name, cluster: cluster.name, engines, ..Replica::default() }
        })
    });
    let there: Vec<_> = there.collect();
    let engines = vec![engine("main", &[350])];
    let timed = Timed { fleet: &crowded, fit: &fit, replicas: &there, engines, accounting: Accounting::Devices };
    let outcome = timed.check("3,000 pools that are nearly full", second);
    assert!(outcome.refused.iter().all(|it| it.why == Refusal::Budget), "{:?}", outcome.refused.first());
}
