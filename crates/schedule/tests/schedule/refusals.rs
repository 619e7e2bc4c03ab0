//! What is against clusters that get no replica.

use schedule::{Accounting, Claim, Effect, Engine, Overcommitted, Refusal, Request, Strategy, Taint};

use crate::fleets::{Fleets, engine, gang, other, ours};

#[track_caller]
fn check(fleet: &Fleets, engines: &[Engine], strategy: Strategy, want: Refusal) {
    let outcome = fleet.schedule(1, engines, strategy);
    assert_eq!(outcome.placements, [], "it has a place");
    assert_eq!(outcome.refused.len(), fleet.fleet.clusters.len());
    assert_eq!(outcome.refused[0].why, want);
}

#[test]
fn the_first_thing_against_a_cluster() {
    let main = [engine("main", 141)];
    let greedy = Strategy::FirstFit;
    let fleet = |pools: &[(&str, u64, i64)]| Fleets::default().cluster("a", pools);
    let mut broken = fleet(&[("p", 5, 141)]);
    let taint = Taint { key: "k".to_owned(), value: "v".to_owned(), effect: Effect::NoSchedule };
    broken.fleet.clusters[0].taints.push(taint.clone());
    check(&broken, &main, greedy, Refusal::Taint(taint));
    broken.fleet.clusters[0].gateway = false;
    check(&broken, &main, greedy, Refusal::NoGateway);
    broken.fleet.clusters[0].ready = false;
    check(&broken, &main, greedy, Refusal::NotReady);

    let none = |pool, found| Refusal::NoDevice { engine: 0, member: 0, request: 0, pool, needed: 8, found };
    check(&fleet(&[]), &main, greedy, none(None, 0));
    check(&fleet(&[("p", 5, 80)]), &main, greedy, none(Some(0), 0));
    let mut many = main.clone();
    many[0].members[0].requests[0].count = 16;
    let short = Refusal::NoDevice { engine: 0, member: 0, request: 0, pool: Some(0), needed: 16, found: 8 };
    check(&fleet(&[("p", 5, 141)]), &many, greedy, short);
    // The second request finds only what the first one left.
    many[0].members[0].requests = vec![Request { count: 5, selectors: 1 }; 2];
    let second = Refusal::NoDevice { engine: 0, member: 0, request: 1, pool: Some(0), needed: 5, found: 8 };
    check(&fleet(&[("p", 5, 141)]), &many, greedy, second);

    let short = Refusal::NodesShort { engine: 0, pool: 1, needed: 8, found: 7 };
    check(&fleet(&[("p", 6, 141), ("q", 7, 141)]), &[gang("main", 2, 3, true)], greedy, short);
    let taken = fleet(&[("p", 1, 141)]).replica(other("a", "p", 3));
    check(&taken, &main, greedy, Refusal::NodesShort { engine: 0, pool: 0, needed: 1, found: -2 });
    check(&fleet(&[("s", 5, -141)]), &main, greedy, Refusal::Stranded { engine: 0 });
}

#[test]
fn engines_that_find_a_place_alone() {
    let (x, y, z) = (engine("x", 80), engine("y", 141), engine("z", 80));
    let fleet = Fleets::default().cluster("a", &[("big", 1, 141), ("small", 1, 80)]);
    check(&fleet, &[x.clone(), y.clone()], Strategy::FirstFit, Refusal::NotTogether);
    check(&fleet, &[x, y, z], Strategy::Complete, Refusal::NotTogether);
}

/// Pods that claim a part of a node share it, where devices are counted.
#[test]
fn pods_that_share_nodes() {
    let mut half = engine("half", 80);
    half.members[0].requests[0].count = 4;
    let mut fleet = Fleets::default().cluster("a", &[("p", 2, 141)]);
    assert_eq!(fleet.places(9, std::slice::from_ref(&half), Strategy::FirstFit), "a/0 a/1");
    fleet.accounting = Accounting::Devices;
    assert_eq!(fleet.places(9, std::slice::from_ref(&half), Strategy::FirstFit), "a/0 a/1 a/2 a/3");
    // One that is there takes five devices of a node, of two pods in one place each finds one.
    let mut there = other("a", "p", 1);
    there.engines[0].members[0].claims = vec![Claim { device: 0, count: 5 }];
    let mut fleet = fleet.replica(there);
    half.copies = 3;
    let short = Refusal::NodesShort { engine: 0, pool: 0, needed: 3, found: 2 };
    check(&fleet, std::slice::from_ref(&half), Strategy::FirstFit, short);
    // What it claims is not known, so it takes its node. The cluster has seen only 7 free devices.
    fleet.replicas[0].engines[0].members[0].claims.clear();
    half.copies = 2;
    assert_eq!(fleet.places(1, std::slice::from_ref(&half), Strategy::FirstFit), "a/0");
    fleet.fleet.clusters[0].pools[0].free = vec![Some(7)];
    let short = Refusal::NodesShort { engine: 0, pool: 0, needed: 2, found: 1 };
    check(&fleet, std::slice::from_ref(&half), Strategy::FirstFit, short);
}

#[test]
fn pools_with_more_than_there_is() {
    let main = [engine("main", 80)];
    let mut fleet =
        Fleets::default().cluster("a", &[("p", 2, 141)]).replica(other("a", "p", 3)).replica(ours("a", 0, "p"));
    let found = fleet.schedule(1, &main, Strategy::FirstFit).overcommitted;
    let want = Overcommitted { cluster: "a", pool: "p", nodes: 2, taken: 4, by: vec!["other", "ours-a-0"] };
    assert_eq!(found, [want]);
    fleet.accounting = Accounting::Devices;
    assert_eq!(fleet.schedule(1, &main, Strategy::FirstFit).overcommitted[0].taken, 4);
    for (replica, count) in fleet.replicas.iter_mut().zip([2, 2]) {
        replica.engines[0].members[0].claims = vec![Claim { device: 0, count }];
    }
    assert_eq!(fleet.schedule(1, &main, Strategy::FirstFit).overcommitted, []);
}

/// A search ends. That it was ended is the reason then.
#[test]
fn a_search_that_is_too_long() {
    let pools: Vec<_> = (0..40).map(|index| format!("p{index}")).collect();
    let pools: Vec<_> = pools.iter().map(|name| (name.as_str(), 1, 141)).collect();
    let engines: Vec<_> = (0..41).map(|index| engine(&format!("e{index}"), 80)).collect();
    check(&Fleets::default().cluster("a", &pools), &engines, Strategy::Complete, Refusal::Budget);
}
