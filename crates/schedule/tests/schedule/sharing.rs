//! Pods that share nodes, and what was observed to be available.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use schedule::{
    Accounting, Claim, Cluster, Demand, Device, Engine, Fit, Fleet, Member, Outcome, Pool, Refusal, Replica,
    ReplicaEngine, ReplicaMember, Request, Role, Situation, Strategy as Placing, schedule,
};

use crate::fleets::{BUDGET, text};

/// A pool with some devices, pods that are there, and a deployment whose pods claim so many.
#[derive(Clone, Debug)]
struct SharedPool {
    /// The devices of a node, by entry. All selectors suit all of them.
    devices: Vec<Device>,
    nodes: u64,
    available: Option<u64>,
    /// How many pods claim how many of each entry.
    there: Vec<(u64, Vec<u64>)>,
    /// How many pods claim how many of one entry.
    wanted: Vec<(u64, u64)>,
}

impl SharedPool {
    fn schedule(&self, replicas: usize, accounting: Accounting, strategy: Placing) -> Outcome<'static> {
        let pool = Pool { name: "p", nodes: self.nodes, devices: 0, free: vec![self.available] };
        let cluster = Cluster { name: "c", ready: true, gateway: true, taints: Vec::new(), pools: vec![pool] };
        let fleet = Fleet { clusters: vec![cluster], devices: vec![self.devices.clone()] };
        let members = self.wanted.iter().map(|(pods, count)| {
            let requests = vec![Request { count: *count, selectors: 0 }];
            Member { role: Role::Standalone, pods: *pods, requests }
        });
        let engine = Engine { name: "main".to_owned(), copies: 1, members: members.collect() };
        let demand = Demand { replicas, tolerations: Vec::new(), engines: vec![engine] };
        let replicas: Vec<_> = self.there.iter().enumerate().map(|(index, it)| other(index, it)).collect();
        schedule(&Situation {
            demand: &demand,
            fleet: &fleet,
            fit: &Fit::judge(1, &fleet, |_, _, _| true),
            replicas: &replicas,
            taken: &BTreeMap::new(),
            fill: true,
            strategy,
            accounting,
            budget: BUDGET,
        })
    }

    /// What each pod claims, with those of so many replicas, which claim the first entry.
    fn pods(&self, replicas: usize) -> Vec<Vec<u64>> {
        let one = |count: u64| {
            let mut claims = vec![0; self.devices.len()];
            claims[0] = count;
            claims
        };
        let there = self.there.iter().flat_map(|(pods, claims)| (0..*pods).map(|_| claims.clone()));
        let new = self.wanted.iter().flat_map(|(pods, count)| (0..*pods).map(move |_| one(*count)));
        there.chain((0..replicas).flat_map(|_| new.clone())).collect()
    }

    /// Whether pods have places, by trying each pod on each node.
    fn packs(&self, pods: &[Vec<u64>]) -> bool {
        fn go(pods: &[Vec<u64>], nodes: &mut [Vec<u64>]) -> bool {
            let Some((pod, rest)) = pods.split_first() else { return true };
            (0..nodes.len()).any(|node| {
                let before = nodes[node].clone();
                if before.iter().zip(pod).any(|(left, claim)| left < claim) {
                    return false;
                }
                nodes[node].iter_mut().zip(pod).for_each(|(left, claim)| *left -= claim);
                let found = go(rest, nodes);
                nodes[node] = before;
                found
            })
        }
        let capacity: Vec<_> = self.devices.iter().map(|device| device.count).collect();
        go(pods, &mut vec![capacity; usize::try_from(self.nodes).expect("few nodes")])
    }
}

fn other(index: usize, (pods, claims): &(u64, Vec<u64>)) -> Replica<'static> {
    let claims = claims.iter().enumerate().filter(|(_, count)| **count > 0);
    let claims = claims.map(|(device, count)| Claim { device, count: *count }).collect();
    let member = ReplicaMember { role: Role::Standalone, pool: Some("p"), nodes: *pods, claims };
    let engines = vec![ReplicaEngine { name: "main", members: vec![member] }];
    Replica { name: text(&format!("r{index}")), cluster: "c", engines, ..Replica::default() }
}

fn pool(nodes: u64, devices: &[u64], there: &[(u64, &[u64])], wanted: &[(u64, u64)]) -> SharedPool {
    let devices = devices.iter().map(|count| Device { count: *count, claimed: true }).collect();
    let there = there.iter().map(|(pods, claims)| (*pods, claims.to_vec())).collect();
    SharedPool { devices, nodes, available: None, there, wanted: wanted.to_vec() }
}

#[test]
fn pods_share_nodes() {
    let check = |what: &str, shared: &SharedPool, whole: usize, sharing: usize| {
        let placed = |accounting| shared.schedule(50, accounting, Placing::FirstFit).placements.len();
        assert_eq!((placed(Accounting::Nodes), placed(Accounting::Devices)), (whole, sharing), "{what}");
    };
    //                             nodes devices there            wanted       whole sharing
    check("one of eight", &pool(2, &[8], &[], &[(1, 1)]), 2, 16);
    check("three of eight", &pool(2, &[8], &[], &[(1, 3)]), 2, 4);
    check("beside another", &pool(1, &[8], &[(1, &[6])], &[(1, 2)]), 0, 1);
    check("too large beside another", &pool(1, &[8], &[(1, &[6])], &[(1, 3)]), 0, 0);
    check("a gang", &pool(2, &[8], &[], &[(1, 4), (3, 4)]), 0, 1);
    check("other devices", &pool(1, &[8, 1], &[(1, &[0, 1])], &[(1, 8)]), 0, 1);
    check("unknown claims take the node", &pool(2, &[8], &[(1, &[])], &[(1, 4)]), 1, 2);
    check("a device that is gone", &pool(2, &[8], &[(1, &[0, 1])], &[(1, 4)]), 1, 2);
    check("more than a node has", &pool(2, &[8], &[(1, &[9])], &[(1, 4)]), 1, 2);
    check("overcommitted", &pool(1, &[8], &[(3, &[4])], &[(1, 1)]), 0, 0);
    check("a first fit fails", &pool(2, &[10], &[(2, &[4]), (2, &[3])], &[(2, 3)]), 0, 1);
}

#[test]
fn what_was_observed_lowers_what_is_free() {
    let check = |available: Option<u64>, whole: usize, sharing: usize| {
        let shared = SharedPool { available, ..pool(3, &[8], &[(1, &[4])], &[(1, 4)]) };
        let placed = |accounting| shared.schedule(50, accounting, Placing::FirstFit).placements.len();
        assert_eq!((placed(Accounting::Nodes), placed(Accounting::Devices)), (whole, sharing), "{available:?}");
    };
    check(None, 2, 5);
    check(Some(24), 2, 5);
    check(Some(12), 1, 3);
    check(Some(7), 0, 1);
    check(Some(0), 0, 0);
}

#[test]
fn how_many_pods_find_a_place() {
    let outcome = pool(2, &[8], &[(1, &[4])], &[(4, 4)]).schedule(1, Accounting::Devices, Placing::FirstFit);
    let why = Refusal::NodesShort { engine: 0, pool: 0, needed: 4, found: 3 };
    assert_eq!(outcome.refused.iter().map(|it| &it.why).collect::<Vec<_>>(), [&why]);
}

/// Far too many ways to fill the nodes. The question ends, and nothing is placed.
#[test]
fn packing_that_is_too_long() {
    let there: Vec<_> = (0..24).map(|index| (1, vec![334 + 7 * index, 500 - 5 * index])).collect();
    let devices = vec![Device { count: 1_000, claimed: true }; 2];
    let shared = SharedPool { devices, nodes: 11, available: None, there, wanted: vec![(1, 350)] };
    let outcome = shared.schedule(1, Accounting::Devices, Placing::Complete);
    assert_eq!(outcome.placements, []);
    assert_eq!(outcome.refused[0].why, Refusal::Budget);
}

fn pools() -> impl proptest::strategy::Strategy<Value = SharedPool> {
    let there = vec((1u64..3, (0u64..7, 0u64..3)), 0..4);
    let wanted = vec((1u64..3, 1u64..7), 1..3);
    (0u64..4, 6u64..11, there, wanted, any::<bool>()).prop_map(|(nodes, count, there, wanted, two)| {
        let devices = [count, 2].into_iter().take(1 + usize::from(two));
        let devices: Vec<_> = devices.map(|count| Device { count, claimed: true }).collect();
        let there = there.into_iter().map(|(pods, (first, second))| {
            let claims = if two { vec![first, second] } else { vec![first] };
            (pods, claims)
        });
        // Pods that claim nothing take a whole node, which is tested above.
        let there = there.filter(|(_, claims)| claims.iter().any(|count| *count > 0)).collect();
        // A request is served by the first entry.
        let wanted = wanted.into_iter().map(|(pods, count)| (pods, count.max(3))).collect();
        SharedPool { devices, nodes, available: None, there, wanted }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// A replica is placed exactly if all pods can be packed, by a packer that tries everything.
    #[test]
    fn a_pool_is_full_when_no_pod_can_be_packed(shared in pools(), complete: bool) {
        let strategy = if complete { Placing::Complete } else { Placing::FirstFit };
        let outcome = shared.schedule(2, Accounting::Devices, strategy);
        let most = (0..=2).take_while(|replicas| *replicas == 0 || shared.packs(&shared.pods(*replicas))).count() - 1;
        prop_assert_eq!(outcome.placements.len(), most);
        if let Some(refused) = outcome.refused.first()
            && let Refusal::NodesShort { needed, found, .. } = refused.why
        {
            let all = shared.pods(most + 1);
            let before = shared.pods(most).len();
            let fits = (before + 1..=all.len()).take_while(|pods| shared.packs(&all[..*pods])).count();
            prop_assert_eq!((needed, found), ((all.len() - before) as u64, fits as i128));
        }
        let there = shared.pods(0);
        prop_assert_eq!(outcome.overcommitted.is_empty(), shared.packs(&there));
    }

    /// Sharing nodes never takes a place away.
    #[test]
    fn sharing_only_adds(shared in pools()) {
        let placed = |accounting| shared.schedule(2, accounting, Placing::FirstFit).placements.len();
        prop_assert!(placed(Accounting::Devices) >= placed(Accounting::Nodes));
    }

    #[test]
    fn the_order_of_replicas_is_irrelevant(shared in pools()) {
        let mut turned = shared.clone();
        turned.there.reverse();
        let (a, b) = (shared, turned);
        let all = |it: &SharedPool| it.schedule(2, Accounting::Devices, Placing::FirstFit);
        prop_assert_eq!((all(&a).placements, all(&a).refused), (all(&b).placements, all(&b).refused));
    }
}
