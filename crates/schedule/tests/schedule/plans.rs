//! Several deployments on one fleet, and what changes would move.

use proptest::collection::vec;
use proptest::prelude::*;
use schedule::{
    Accounting, Change, Demand, Deployment, Effect, Engine, Fit, Fleet, NoSuch, Plan, Replica, Settled,
    Strategy as Placing, Taint, WhatIf, headroom, settle, what_if,
};

use crate::fleets::{BUDGET, Fleets, engine, fit, gang, text};

/// A fleet with deployments: name, replicas, engines.
#[derive(Debug)]
struct Shared {
    fleet: &'static Fleet<'static>,
    deployments: Vec<Deployment<'static>>,
    accounting: Accounting,
}

impl Shared {
    fn new(fleet: Fleet<'static>, deployments: &[(&str, usize, &[Engine])]) -> Self {
        let fleet: &'static _ = Box::leak(Box::new(fleet));
        let fit: &'static Fit = Box::leak(Box::new(fit(fleet)));
        let deployment = |(name, replicas, engines): &(&str, usize, &[Engine])| Deployment {
            namespace: "default",
            name: text(name),
            demand: Box::leak(Box::new(Demand {
                replicas: *replicas,
                tolerations: Vec::new(),
                engines: engines.to_vec(),
            })),
            fit,
            clusters: None,
            replicas: Vec::new(),
        };
        let deployments = deployments.iter().map(deployment).collect();
        Self { fleet, deployments, accounting: Accounting::Nodes }
    }

    fn plan(&self) -> Plan<'static> {
        let Self { fleet, accounting, .. } = *self;
        let deployments = self.deployments.clone().leak();
        Plan { fleet, deployments, strategy: Placing::Complete, accounting, budget: BUDGET }
    }

    /// The same with the replicas that a settled fleet has.
    fn with(&self, settled: &Settled<'static>) -> Self {
        let mut deployments = self.deployments.clone();
        for (deployment, replicas) in deployments.iter_mut().zip(&settled.replicas) {
            deployment.replicas.clone_from(replicas);
        }
        Self { deployments, ..*self }
    }
}

/// Where the replicas of each deployment are.
fn places(replicas: &[Vec<Replica<'_>>]) -> String {
    let of = |replicas: &Vec<Replica<'_>>| {
        let places = replicas.iter().map(|replica| format!("{}/{}", replica.cluster, replica.index));
        places.collect::<Vec<_>>().join(" ")
    };
    replicas.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// What changes for each deployment.
fn changes(what: &WhatIf<'_>) -> String {
    let place = |place: &schedule::Place<'_>| format!("{}/{}", place.cluster, place.index);
    let of = |changed: &schedule::Changed<'_>| {
        let moved = changed.moved.iter().map(|(from, to)| format!("{}>{}", place(from), place(to)));
        let added = changed.added.iter().map(|it| format!("+{}", place(it)));
        let dropped = changed.dropped.iter().map(|it| format!("-{}", place(it)));
        let lost = changed.lost.iter().map(|it| format!("!{}", place(it)));
        moved.chain(added).chain(dropped).chain(lost).collect::<Vec<_>>().join(" ")
    };
    what.deployments.iter().map(of).collect::<Vec<_>>().join("; ")
}

fn two_clusters() -> Shared {
    let fleet = Fleets::default().cluster("a", &[("p", 2, 141)]).cluster("b", &[("p", 2, 141), ("q", 1, 80)]);
    Shared::new(fleet.fleet, &[("y", 2, &[engine("main", 141)]), ("x", 2, &[engine("main", 80)])])
}

#[test]
fn deployments_share_a_fleet() {
    let shared = two_clusters();
    let settled = settle(&shared.plan());
    assert_eq!(places(&settled.replicas), "a/0 b/0; a/0 b/0", "in the order of their names");
    assert_eq!(settled.free, [0, 1, 0], "by list of devices");
    let mut seen = shared.deployments;
    seen[1].clusters = Some(["b"].into());
    let settled = settle(&Shared { deployments: seen, ..two_clusters() }.plan());
    assert_eq!(places(&settled.replicas), "a/0 a/1; b/0 b/1", "only on clusters that it may use");
}

#[test]
fn what_a_change_moves() {
    let check = |list: &[Change<'static>], want: &str, loses: bool| {
        let what = what_if(&two_clusters().plan(), list).expect("they exist");
        assert_eq!((changes(&what).as_str(), what.loses()), (want, loses), "{list:?}");
        for changed in &what.deployments {
            assert_eq!(changed.refused.is_empty(), changed.lost.is_empty());
        }
    };
    let scale = |deployment, replicas| Change::Scale { deployment, replicas };
    let add = Change::Add { cluster: "b", pool: "r", devices: 0, nodes: 2 };
    let taint = Taint { key: "drain".to_owned(), value: String::new(), effect: Effect::NoExecute };
    check(&[], "; ", false);
    check(&[scale(1, 1)], "; -b/0", false);
    check(&[scale(1, 3)], "; +b/1", false);
    check(&[Change::Lose { cluster: "a", pool: None }], "!a/0; a/0>b/1", true);
    check(&[Change::Drain { cluster: "a", taint }], "!a/0; a/0>b/1", true);
    check(&[Change::Lose { cluster: "a", pool: Some("p") }, add.clone()], "a/0>b/1; a/0>b/1", false);
    check(&[Change::Lose { cluster: "b", pool: Some("q") }], "; ", false);
    check(&[add, scale(0, 3)], "+b/1; ", false);

    let no =
        |change| what_if(&two_clusters().plan(), &[change]).map(|_| ()).expect_err("it does not exist").to_string();
    assert_eq!(no(Change::Lose { cluster: "c", pool: None }), "there is no cluster `c`");
    assert_eq!(no(Change::Lose { cluster: "a", pool: Some("q") }), "cluster `a` has no pool `q`");
    let other = Change::Add { cluster: "a", pool: "p", devices: 1, nodes: 1 };
    assert_eq!(no(other), "pool `p` of cluster `a` has other devices; use a pool of another name");
    assert_eq!(no(Change::Scale { deployment: 2, replicas: 1 }), NoSuch::Deployment(2).to_string());
}

#[test]
fn how_many_more_fit() {
    let check =
        |deployment: usize, most: usize, want: (usize, bool), nearest: Option<(&str, &str, u64, i128, usize)>| {
            let shared = two_clusters();
            let settled = settle(&shared.plan());
            let found = headroom(&shared.plan(), &settled, deployment, most).expect("a deployment");
            assert_eq!((found.more, found.is_open), want);
            let near = found.nearest.map(|it| (it.cluster, it.pool, it.needed, it.found, it.with_one_more));
            assert_eq!(near, nearest);
            assert_eq!(found.refused.is_empty(), found.is_open);
        };
    check(1, 9, (1, false), Some(("a", "p", 1, 0, 1)));
    check(1, 1, (1, true), None);
    check(0, 9, (0, false), Some(("a", "p", 1, 0, 1)));
    // A gang lacks two nodes: one more is not enough.
    let fleet = Fleets::default().cluster("a", &[("p", 2, 141)]);
    let shared = Shared::new(fleet.fleet, &[("x", 0, &[gang("main", 1, 3, true)])]);
    let found = headroom(&shared.plan(), &settle(&shared.plan()), 0, 5).expect("a deployment");
    let near = found.nearest.expect("a pool");
    assert_eq!((found.more, near.needed, near.found, near.with_one_more), (0, 4, 2, 0));
}

fn fleets() -> impl proptest::strategy::Strategy<Value = (Shared, Vec<Change<'static>>)> {
    let pools = vec((0u64..4, 0usize..3), 1..3);
    let deployments = vec((0usize..4, 0usize..4), 1..4);
    let changes = vec((0usize..4, 0usize..3, 0usize..3), 0..3);
    (vec(pools, 1..4), deployments, changes, any::<bool>()).prop_map(|(clusters, deployments, changes, devices)| {
        let mut fleet = Fleets::default();
        for (number, pools) in clusters.iter().enumerate() {
            let names = ["p", "q"];
            let memories = [141, 80, -141];
            let pools: Vec<_> = pools.iter().zip(names).map(|(it, name)| (name, it.0, memories[it.1])).collect();
            fleet = fleet.cluster(&format!("c{number}"), &pools);
        }
        let mut half = engine("main", 80);
        half.members[0].requests[0].count = 4;
        let engines = [
            vec![engine("main", 141)],
            vec![half],
            vec![gang("main", 1, 2, true)],
            vec![engine("x", 80), engine("y", 141)],
        ];
        let names = ["d", "b", "c"];
        let rows: Vec<_> =
            deployments.iter().zip(names).map(|(it, name)| (name, it.0, engines[it.1].as_slice())).collect();
        let mut shared = Shared::new(fleet.fleet, &rows);
        shared.accounting = if devices { Accounting::Devices } else { Accounting::Nodes };
        let taint = Taint { key: "drain".to_owned(), value: String::new(), effect: Effect::NoExecute };
        let change = |(kind, cluster, more): (usize, usize, usize)| {
            let name = text(&format!("c{}", cluster % clusters.len()));
            match kind {
                0 => Change::Drain { cluster: name, taint: taint.clone() },
                1 => Change::Add { cluster: name, pool: "new", devices: 0, nodes: more as u64 },
                2 => Change::Lose { cluster: name, pool: Some("p") },
                _ => Change::Scale { deployment: cluster % rows.len(), replicas: more },
            }
        };
        (shared, changes.into_iter().map(change).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// What is settled stays, nothing is overcommitted, and the order of deployments is irrelevant.
    #[test]
    fn a_settled_fleet_stays((shared, _) in fleets()) {
        let settled = settle(&shared.plan());
        prop_assert_eq!(&settled.overcommitted, &[]);
        let again = settle(&shared.with(&settled).plan());
        prop_assert_eq!(&again.replicas, &settled.replicas);
        let mut turned = Shared { deployments: shared.deployments.clone(), ..shared };
        turned.deployments.reverse();
        let mut turned = settle(&turned.plan());
        turned.replicas.reverse();
        prop_assert_eq!(&turned.replicas, &settled.replicas);
    }

    /// Every replica stays, moves, is dropped or is lost, and those that are there afterwards stayed, moved or are new.
    #[test]
    fn changes_add_up((shared, list) in fleets()) {
        if let Ok(what) = what_if(&shared.plan(), &list) {
            prop_assert_eq!(&what.after.overcommitted, &[]);
            let rows = what.deployments.iter().zip(what.before.replicas.iter().zip(&what.after.replicas));
            for (changed, (before, after)) in rows {
                let left = changed.moved.len() + changed.dropped.len() + changed.lost.len();
                let came = changed.moved.len() + changed.added.len();
                prop_assert_eq!(before.len() - left, after.len() - came);
                prop_assert!(after.len() <= changed.wanted);
                prop_assert_eq!(changed.refused.is_empty(), after.len() == changed.wanted);
                prop_assert!(changed.lost.is_empty() || after.len() < changed.wanted);
            }
        }
    }

    /// There is room for exactly as many as headroom says.
    #[test]
    fn headroom_is_what_fits((shared, _) in fleets()) {
        let settled = settle(&shared.plan());
        let held = shared.with(&settled);
        let has = settled.replicas[0].len();
        let found = headroom(&held.plan(), &settled, 0, 3).expect("a deployment");
        // Only this one, so that the others do not take what it could have.
        let scaled = |replicas| {
            let scale = Change::Scale { deployment: 0, replicas };
            let others = (1..held.deployments.len())
                .map(|index| Change::Scale { deployment: index, replicas: settled.replicas[index].len() });
            let what = what_if(&held.plan(), &others.chain([scale]).collect::<Vec<_>>()).expect("they exist");
            what.after.replicas[0].len()
        };
        prop_assert_eq!(scaled(has + 3), has + found.more);
        prop_assert_eq!(found.is_open, found.more == 3);
    }
}
