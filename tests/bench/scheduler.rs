//! The scheduler alone, natively: what of placing replicas is neither reading nor evaluating.

use std::collections::BTreeMap;
use std::hint::black_box;

use schedule::{
    Accounting, Claim, Cluster, Demand, Device, Engine, Fit, Fleet, Member, Pool, Replica, ReplicaEngine,
    ReplicaMember, Request, Role, Situation, Strategy, schedule,
};

use crate::clock::{in_turns, millis};
use crate::report::{Bound, Report};

const ROUNDS: usize = 21;
const CLUSTERS: usize = 1_000;
const POOLS: [&str; 3] = ["p0", "p1", "p2"];
/// The different lists of devices. The first one suits.
const LISTS: usize = 5;
/// The devices of a node, and what a replica claims.
const DEVICES: u64 = 8;

pub(crate) fn measure(report: &mut Report) {
    let names: Vec<_> = (0..CLUSTERS).map(|number| format!("cluster-{number:05}")).collect();
    let fleet = fleet(&names);
    let fit = Fit::judge(1, &fleet, |_, list, _| list == 0);
    let there: Vec<_> = [0, CLUSTERS / 2, CLUSTERS - LISTS].map(|number| running(&fleet.clusters[number])).into();
    let [placed, retained] =
        in_turns(ROUNDS, [&mut || scheduled(&fleet, &fit, &[], 0), &mut || scheduled(&fleet, &fit, &there, 3)]);
    report.add("  of it, the scheduler natively: 3 placed", &placed, "ms", Bound::Most(3.0));
    report.add("  of it, the scheduler natively: 3 retained", &retained, "ms", Bound::Most(1.0));
}

/// Schedules three replicas, and checks how many of them were there before.
fn scheduled(fleet: &Fleet<'_>, fit: &Fit, replicas: &[Replica<'_>], stay: usize) -> f64 {
    let requests = vec![Request { count: DEVICES, selectors: 0 }];
    let members = vec![Member { role: Role::Standalone, pods: 1, requests }];
    let engines = vec![Engine { name: "main".to_owned(), copies: 1, members }];
    let demand = Demand { replicas: 3, tolerations: Vec::new(), engines };
    // As in the Composition that is shipped.
    let situation = Situation {
        demand: &demand,
        fleet,
        fit,
        replicas,
        taken: &BTreeMap::new(),
        fill: true,
        strategy: Strategy::Complete,
        accounting: Accounting::Devices,
        budget: 100_000,
    };
    let (took, outcome) = millis(|| black_box(schedule(black_box(&situation))));
    let stayed = outcome.placements.iter().filter(|placement| placement.retained.is_some()).count();
    assert_eq!((outcome.placements.len(), stayed), (3, stay));
    took
}

/// Lists of devices are repeated, so that the first pool of every fifth cluster suits.
fn fleet<'f>(names: &'f [String]) -> Fleet<'f> {
    let cluster = |(number, name): (usize, &'f String)| {
        let pool = |(place, name): (usize, &&'static str)| Pool {
            name,
            nodes: 4,
            devices: (number + 2 * place) % LISTS,
            free: Vec::new(),
        };
        let pools = POOLS.iter().enumerate().map(pool).collect();
        Cluster { name, ready: true, gateway: true, taints: Vec::new(), pools }
    };
    let clusters = names.iter().enumerate().map(cluster);
    let devices = vec![vec![Device { count: DEVICES, claimed: true }, Device { count: 1, claimed: true }]; LISTS];
    Fleet { clusters: clusters.collect(), devices }
}

/// A replica of the deployment in the first pool of a cluster.
fn running<'f>(cluster: &Cluster<'f>) -> Replica<'f> {
    let claims = vec![Claim { device: 0, count: DEVICES }];
    let members = vec![ReplicaMember { role: Role::Standalone, pool: Some(POOLS[0]), nodes: 1, claims }];
    Replica {
        name: cluster.name,
        cluster: cluster.name,
        index: 0,
        ours: true,
        held: false,
        engines: vec![ReplicaEngine { name: "main", members }],
    }
}
