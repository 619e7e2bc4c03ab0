//! What would become of a fleet.

use schedule::plan::{Deployed, Edit, Settled, Stock, World, difference, edited, headroom, settle, stock};
use schedule::{Accounting, Demand, Engine, Fit, Strategy};

use crate::fleets::{BUDGET, Fleets, engine, fit, gang};

fn world(fleets: Fleets, deployments: &[(usize, Engine)]) -> World<'static> {
    let fit: Fit = fit(&fleets.fleet);
    let deployed = |(replicas, engine): &(usize, Engine)| Deployed {
        demand: Demand { replicas: *replicas, tolerations: Vec::new(), engines: vec![engine.clone()] },
        clusters: None,
        staged: None,
        fit: fit.clone(),
        replicas: Vec::new(),
    };
    World {
        deployments: deployments.iter().map(deployed).collect(),
        fleet: fleets.fleet,
        accounting: Accounting::Nodes,
        strategy: Strategy::Complete,
        budget: BUDGET,
    }
}

fn places(settled: &Settled<'_>) -> String {
    let row = |row: &Vec<schedule::Placement<'_>>| {
        row.iter().map(|it| format!("{}/{}", it.cluster, it.index)).collect::<Vec<_>>().join(" ")
    };
    settled.places.iter().map(row).collect::<Vec<_>>().join("; ")
}

/// Two deployments on two clusters of two nodes each.
fn two() -> World<'static> {
    let fleets = Fleets::default().cluster("a", &[("p", 2, 141)]).cluster("b", &[("p", 2, 141)]);
    world(fleets, &[(2, engine("main", 80)), (1, engine("main", 80))])
}

/// Each row: what changes, where all are afterwards, and for each deployment how many replicas moved, are gone, are new, and lost.
#[test]
fn changes() {
    #[track_caller]
    fn check(edits: &[Edit<'static>], want: &str, counts: &[(usize, usize, usize, usize)]) {
        let world = two();
        let before = settle(&world);
        assert_eq!(places(&before), "a/0 b/0; a/0");
        let changed = edited(&world, &before, edits).expect("changes of what exists");
        let after = settle(&changed);
        assert_eq!(places(&after), want, "{edits:?}");
        let differs = difference(&changed, &before, &after);
        let found: Vec<_> = differs.iter().map(|it| (it.moves.len(), it.gone.len(), it.new.len(), it.lost)).collect();
        assert_eq!(found, counts, "{edits:?}");
        for (differs, refused) in differs.iter().zip(&after.refused) {
            assert_eq!(differs.without_place == 0, refused.is_empty(), "each that is missing has reasons: {edits:?}");
        }
    }
    let none = (0, 0, 0, 0);
    check(&[], "a/0 b/0; a/0", &[none, none]);
    let lose = Edit::Lose { cluster: "a", pool: None };
    check(std::slice::from_ref(&lose), "b/0 b/1; ", &[(1, 0, 0, 0), (0, 1, 0, 1)]);
    check(&[Edit::Lose { cluster: "a", pool: Some("p") }], "b/0 b/1; ", &[(1, 0, 0, 0), (0, 1, 0, 1)]);
    check(&[Edit::Drain { cluster: "b" }], "a/0; a/0", &[(0, 1, 0, 1), none]);
    let add = Edit::Add { cluster: "b", pool: "q", devices: 1, nodes: 1 };
    check(&[lose, add], "b/0 b/1; b/0", &[(1, 0, 0, 0), (1, 0, 0, 0)]);
    check(&[Edit::Scale { deployment: 0, replicas: 0 }], "; a/0", &[(0, 2, 0, 0), none]);
    check(&[Edit::Scale { deployment: 1, replicas: 3 }], "a/0 b/0; a/0 b/0", &[none, (0, 0, 1, 0)]);
}

#[test]
fn changes_of_what_does_not_exist() {
    let world = two();
    let before = settle(&world);
    for edit in [
        Edit::Lose { cluster: "c", pool: None },
        Edit::Lose { cluster: "a", pool: Some("q") },
        Edit::Drain { cluster: "c" },
        Edit::Add { cluster: "a", pool: "p", devices: 1, nodes: 1 },
        Edit::Add { cluster: "a", pool: "q", devices: 9, nodes: 1 },
        Edit::Scale { deployment: 2, replicas: 1 },
    ] {
        let fine = Edit::Drain { cluster: "a" };
        assert_eq!(edited(&world, &before, &[fine, edit]).map(drop), Err(1));
    }
}

#[test]
fn how_many_more_fit() {
    let world = two();
    let settled = settle(&world);
    let found = headroom(&world, &settled, 0, 10);
    let scarce = found.scarce.expect("nodes are short");
    assert_eq!((found.more, found.at_least, scarce.needed, scarce.found, scarce.with_one_more), (1, false, 1, 0, 1));
    assert_eq!((scarce.cluster, scarce.pool, scarce.devices), (0, 0, 0));
    let enough = headroom(&world, &settled, 0, 1);
    assert_eq!((enough.more, enough.at_least, enough.scarce), (1, true, None));
    assert_eq!(stock(&world, &settled), [Stock { nodes: 4, free: 1 }, Stock::default(), Stock::default()]);
    // One more node does not make a gang of three fit where one of three is free.
    let fleets = Fleets::default().cluster("a", &[("p", 4, 141)]);
    let gangs = self::world(fleets, &[(1, gang("main", 1, 2, true))]);
    let found = headroom(&gangs, &settle(&gangs), 0, 10);
    assert_eq!(found.scarce.map(|it| (it.needed, it.found, it.with_one_more)), Some((3, 1, 0)));
}
