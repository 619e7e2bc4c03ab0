//! The scheduling vectors of Modelplane v0.3.1: which replicas a deployment has where.

use crate::fleets::{Fleets, engine, gang, other, ours, pinned};
use schedule::{Device, Effect, Engine, ReplicaMember, Request, Role, Strategy, Taint};

/// Checks a schedule with the greedy choice, and that a search places the same where it places anything.
#[track_caller]
fn check(what: &str, replicas: usize, engines: &[Engine], fleet: &Fleets, want: &str) {
    assert_eq!(fleet.places(replicas, engines, Strategy::FirstFit), want, "{what}");
    if !want.is_empty() {
        assert_eq!(fleet.places(replicas, engines, Strategy::Complete), want, "{what}, with a search");
    }
}

#[test]
fn spreading_and_packing() {
    let main = [engine("main", 80)];
    let five =
        |names: &[&str]| names.iter().fold(Fleets::default(), |fleet, name| fleet.cluster(name, &[("p", 5, 141)]));
    check("V1", 3, &main, &five(&["b", "a"]), "a/0 a/1 b/0");
    let fleet = Fleets::default().cluster("a", &[("p", 3, 141)]).cluster("b", &[("p", 1, 141)]);
    check("V2", 4, &main, &fleet, "a/0 a/1 a/2 b/0");
    let fleet = Fleets::default().cluster("a", &[("p", 1, 141)]).cluster("b", &[("p", 1, 141)]);
    check("V3", 4, &main, &fleet, "a/0 b/0");
    let fleet = Fleets::default().cluster("a", &[("z", 5, 141), ("b", 5, 141)]);
    check("V9", 1, &main, &fleet, "a/0:z");
}

#[test]
fn gangs() {
    let fleet = Fleets::default().cluster("a", &[("p", 7, 141)]).cluster("b", &[("p", 8, 141)]);
    check("V4", 1, &[gang("main", 2, 3, true)], &fleet, "b/0");
    let fleet = Fleets::default().cluster("a", &[("p", 6, 141)]);
    check("V5", 1, &[gang("main", 2, 3, false)], &fleet, "a/0");
    let placed = fleet.schedule(1, &[gang("main", 2, 3, false)], Strategy::FirstFit);
    let members = &placed.placements[0].engines[0].members;
    assert_eq!((members[0].devices.len(), members[1].devices.len()), (0, 1), "V5: the leader has no requests");
}

#[test]
fn scaling_down() {
    let main = [engine("main", 80)];
    let a = Fleets::default().cluster("a", &[("p", 9, 141)]);
    let both = a.clone().cluster("b", &[("p", 9, 141)]);
    let on = |fleet: &Fleets, places: &[(&str, i64)]| {
        places.iter().fold(fleet.clone(), |fleet, (cluster, index)| fleet.replica(ours(cluster, *index, "p")))
    };
    check("V6", 3, &main, &on(&a, &[("a", 0), ("a", 2)]), "a/0 a/1 a/2");
    check("V7", 2, &main, &on(&both, &[("a", 0), ("a", 1), ("b", 0), ("b", 3)]), "a/0 b/0");
    check("V8", 1, &main, &on(&both, &[("a", 0), ("b", 0)]), "a/0");
}

#[test]
fn several_engines_and_requests() {
    let fleet = Fleets::default().cluster("a", &[("p", 1, 141), ("q", 1, 141)]);
    check("V10", 1, &[engine("x", 80), engine("y", 80)], &fleet, "a/0:p,q");
    let fleet = Fleets::default().cluster("a", &[("big", 1, 141), ("small", 1, 80)]);
    let (x, y) = (engine("x", 80), engine("y", 141));
    assert_eq!(fleet.places(1, &[x.clone(), y.clone()], Strategy::FirstFit), "", "V11");
    assert_eq!(fleet.places(1, &[x, y], Strategy::Complete), "a/0:small,big", "V11, with a search");
    let mut two = engine("main", 80);
    two.members[0].requests = vec![Request { count: 4, selectors: 0 }; 2];
    let fleet = Fleets::default().cluster("a", &[("p", 1, 141)]);
    check("V21", 1, &[two.clone()], &fleet, "a/0");
    let placed = fleet.schedule(1, &[two], Strategy::FirstFit);
    assert_eq!(placed.placements[0].engines[0].members[0].devices, [0, 0], "V21");
}

#[test]
fn synthetic_devices() {
    let main = [engine("main", 80)];
    let fleet = Fleets::default().cluster("a", &[("s", 5, -141)]);
    check("V12", 1, &main, &fleet, "");
    let fleet = Fleets::default().cluster("a", &[("s", 5, -141), ("d", 5, 141)]);
    check("V13", 1, &main, &fleet, "a/0:d");
}

#[test]
fn nodes_that_are_taken() {
    let main = [engine("main", 80)];
    let one = Fleets::default().cluster("a", &[("p", 1, 141)]);
    check("V14", 1, &main, &one.clone().replica(other("a", "gone", 1)), "a/0");
    check("V15", 1, &main, &one.clone().replica(other("a", "p", 1)), "");
    let overcommitted = one.replica(ours("a", 0, "p")).replica(ours("a", 1, "p")).replica(other("a", "p", 1));
    check("V20", 2, &main, &overcommitted, "a/0 a/1");
    check("V22", 1, &main, &Fleets::default().cluster("a", &[("p", 0, 141)]), "");
}

#[test]
fn replicas_that_stay() {
    let main = [engine("main", 80)];
    let (p, q) = (("p", 5, 141), ("q", 5, 141));
    let twice =
        Fleets::default().cluster("a", &[p, q]).replica(pinned("z", "a", 0, "q")).replica(pinned("y", "a", 0, "p"));
    check("V16", 2, &main, &twice, "a/0:p a/1:p");
    let both = Fleets::default().cluster("a", &[p]).cluster("b", &[p]).replica(ours("a", 0, "p"));
    let mut not_ready = both.clone();
    not_ready.fleet.clusters[0].ready = false;
    check("V17", 2, &main, &not_ready, "a/0 b/0");
    let mut tainted = both;
    let taint = Taint { key: "drain".to_owned(), value: String::new(), effect: Effect::NoExecute };
    tainted.fleet.clusters[0].taints.push(taint);
    check("V18", 1, &main, &tainted, "b/0");
    let moved = Fleets::default().cluster("a", &[("old", 1, 80), ("p", 1, 141)]).replica(ours("a", 0, "old"));
    check("V19", 1, &[engine("main", 141)], &moved, "a/0:p");
}

/// A replica that cannot be judged stays where it is, unless there are too many. It takes its nodes.
#[test]
fn replicas_that_are_held() {
    let main = [engine("main", 80)];
    let fleet = Fleets::default().cluster("a", &[("p", 1, 141)]).cluster("b", &[("p", 1, 141)]);
    let held = |cluster: &str, index: i64| {
        let mut replica = ours(cluster, index, "p");
        (replica.held, replica.engines[0].name) = (true, "other");
        replica
    };
    check("not judged", 2, &main, &fleet.clone().replica(held("a", 3)), "a/3 b/0");
    let elsewhere = fleet.clone().replica(held("gone", 0));
    check("a cluster that is not listed", 2, &main, &elsewhere, "a/0 gone/0");
    check("surplus", 1, &main, &fleet.clone().replica(held("a", 0)).replica(held("b", 0)), "a/0");
    let placed = fleet.replica(held("a", 3)).schedule(1, &main, Strategy::FirstFit);
    assert_eq!((placed.placements.len(), placed.placements[0].engines.len()), (1, 0));
}

/// New replicas step past indices that are taken. Those that run keep theirs.
#[test]
fn indices_that_are_taken() {
    let main = [engine("main", 80)];
    let mut fleet = Fleets::default().cluster("a", &[("p", 9, 141)]).replica(ours("a", 1, "p"));
    fleet.taken.insert("a".to_owned(), [0, 1, 3].into());
    check("stepped past", 3, &main, &fleet, "a/1 a/2 a/4");
}

/// Every change that drops a replica, so that it is placed anew.
#[test]
fn replicas_that_move() {
    let fleet = Fleets::default().cluster("a", &[("p", 5, 141)]).cluster("b", &[("p", 5, 141)]);
    let main = [engine("main", 80)];
    let stays = |replica: schedule::Replica<'static>, engines: &[Engine]| {
        let fleet = fleet.clone().replica(replica);
        fleet.schedule(1, engines, Strategy::FirstFit).placements[0].retained.is_some()
    };
    assert!(stays(ours("b", 7, "p"), &main));
    let mut roles = [gang("main", 1, 1, true)];
    assert!(!stays(ours("b", 7, "p"), &roles), "another number of members");
    roles[0].members.truncate(1);
    assert!(!stays(ours("b", 7, "p"), &roles), "another role");
    assert_eq!(roles[0].members[0].role, Role::Leader);
    assert!(!stays(ours("b", 7, "p"), &[engine("other", 80)]), "another name of the engine");
    assert!(!stays(ours("b", 7, "p"), &[engine("main", 80), engine("y", 80)]), "a further engine");
    assert!(!stays(ours("b", 7, "gone"), &main), "a pool that nobody publishes");
    assert!(!stays(ours("", 7, "p"), &main), "no cluster");
    assert!(!stays(ours("c", 7, "p"), &main), "a cluster that is not listed");
    let mut unpinned = ours("b", 7, "p");
    unpinned.engines[0].members[0].pool = None;
    assert!(!stays(unpinned, &main), "no pool");
}

/// A replica that runs keeps the devices that it has. What it claims depends on nothing but how it was placed.
#[test]
fn devices_that_stay() {
    let mut fleet = Fleets::default().cluster("a", &[("p", 9, 141)]);
    fleet.fleet.devices[0] = vec![Device { count: 4, claimed: false }, Device { count: 8, claimed: true }];
    let mut main = gang("main", 1, 1, true);
    main.members[1].requests[0].count = 4;
    let main = [main];
    for strategy in [Strategy::FirstFit, Strategy::Complete] {
        let placed = fleet.schedule(1, &main, strategy).placements;
        let devices: Vec<_> = placed[0].engines[0].members.iter().map(|member| member.devices.clone()).collect();
        assert_eq!(devices, [[1], [0]], "the workers' devices are only described");
        let mut there = ours("a", 0, "p");
        let worker = ReplicaMember { role: Role::Worker, nodes: 0, ..there.engines[0].members[0].clone() };
        there.engines[0].members[0].role = Role::Leader;
        there.engines[0].members.push(worker);
        let kept = fleet.clone().replica(there).schedule(1, &main, strategy).placements;
        assert_eq!(kept[0].engines, placed[0].engines, "{strategy:?}");
    }
}

/// The same for a replica that a search placed. The first devices that suit would only be described.
#[test]
fn devices_that_stay_as_a_search_found_them() {
    let mut fleet = Fleets::default().cluster("a", &[("big", 1, 141), ("small", 2, 80)]);
    for list in &mut fleet.fleet.devices[..2] {
        *list = vec![Device { count: 4, claimed: false }, Device { count: 8, claimed: true }];
    }
    let mut engines = [gang("main", 1, 1, true), engine("y", 141)];
    engines[0].members[1].requests[0].count = 4;
    let placed = fleet.schedule(1, &engines, Strategy::Complete).placements;
    let members = |placement: &schedule::Placement<'static>| -> Vec<_> {
        let members = placement.engines.iter().flat_map(|engine| &engine.members);
        members.map(|member| (member.pool, member.devices.clone())).collect()
    };
    assert_eq!(members(&placed[0]), [("small", vec![1]), ("small", vec![1]), ("big", vec![1])]);
    let mut there = ours("a", 0, "small");
    let mut y = there.engines[0].clone();
    (y.name, y.members[0].pool) = ("y", Some("big"));
    let worker = ReplicaMember { role: Role::Worker, ..there.engines[0].members[0].clone() };
    there.engines[0].members[0].role = Role::Leader;
    there.engines[0].members.push(worker);
    there.engines.push(y);
    let kept = fleet.replica(there).schedule(1, &engines, Strategy::Complete).placements;
    assert_eq!((kept[0].retained, members(&kept[0])), (Some("ours-a-0"), members(&placed[0])));
}
