//! What is true of every schedule, on random fleets.

use proptest::collection::vec;
use proptest::prelude::*;
use schedule::{Accounting, Outcome, Placement, Replica, Strategy as Placing};

use crate::cases::{Case, cases, has_a_place, packs_on};

fn accounting(devices: bool) -> Accounting {
    if devices { Accounting::Devices } else { Accounting::Nodes }
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

    /// Where devices are counted, all pods of a pool that gets new ones can be packed on its nodes.
    #[test]
    fn what_is_placed_can_be_packed(case in cases(), complete: bool) {
        let case = Case { accounting: Accounting::Devices, ..case };
        let outcome = case.schedule(if complete { Placing::Complete } else { Placing::FirstFit });
        let after = case.after(&outcome);
        let kept = |replica: &&Replica<'static>| {
            replica.ours && outcome.placements.iter().any(|it| it.retained.is_some() && (it.cluster, it.index) == (replica.cluster, replica.index))
        };
        // Those that stay are counted as they are.
        let counted: Vec<_> = case.replicas.iter().filter(|it| !it.ours || kept(it)).cloned().collect();
        let new: Vec<_> = after
            .into_iter()
            .filter(|it| it.ours && outcome.placements.iter().any(|at| at.retained.is_none() && (at.cluster, at.index) == (it.cluster, it.index)))
            .collect();
        for (cluster, pool) in case.taken(&new).into_iter().filter(|(_, nodes)| *nodes > 0).map(|(key, _)| key) {
            let published = case.pool(cluster, pool);
            let capacity: Vec<u64> =
                case.fleet.devices[published.devices].iter().map(|it| if it.claimed { it.count } else { 0 }).collect();
            let mut pods = Vec::new();
            for member in counted.iter().chain(&new).filter(|it| it.cluster == cluster).flat_map(|it| &it.engines).flat_map(|it| &it.members) {
                if member.pool == Some(pool) {
                    let known = !member.claims.is_empty() && member.claims.iter().all(|it| it.device < capacity.len());
                    let mut claims = if known { vec![0; capacity.len()] } else { capacity.clone() };
                    for claim in &member.claims {
                        if let Some(claimed) = claims.get_mut(claim.device) {
                            *claimed = (*claimed + claim.count).min(capacity[claim.device]);
                        }
                    }
                    pods.extend((0..member.nodes).map(|_| claims.clone()));
                }
            }
            pods.sort();
            pods.reverse();
            prop_assert!(packs_on(&mut vec![capacity; published.nodes as usize], &pods), "{cluster}/{pool}: {pods:?}");
        }
    }

    /// Where devices are counted, the first replica finds a place wherever it does when nodes are.
    #[test]
    fn sharing_nodes_only_adds_places(mut case in cases()) {
        case.demand.replicas = 1;
        let nodes = case.schedule(Placing::Complete);
        let devices = Case { accounting: Accounting::Devices, ..case }.schedule(Placing::Complete);
        prop_assert!(devices.placements.len() >= nodes.placements.len());
    }

    /// A snapshot lowers what is free, and never raises it. Replicas that run stay.
    #[test]
    fn a_snapshot_only_takes_places(mut case in cases(), free in vec(prop::option::of(0u64..6), 0..3), devices: bool) {
        case.demand.replicas = 1;
        case.accounting = accounting(devices);
        let without = case.schedule(Placing::Complete);
        case.fleet.clusters.iter_mut().flat_map(|it| &mut it.pools).for_each(|pool| pool.free = free.clone());
        let with = case.schedule(Placing::Complete);
        prop_assert!(with.placements.len() <= without.placements.len());
        let retained = |outcome: &Outcome<'static>| outcome.placements.iter().filter(|it| it.retained.is_some()).count();
        prop_assert_eq!(retained(&with), retained(&without));
    }

    /// What is reported as overcommitted is, and nothing else.
    #[test]
    fn overcommitted_pools(case in cases()) {
        let outcome = case.schedule(Placing::FirstFit);
        let kept = |replica: &&Replica<'static>| {
            !replica.ours || outcome.placements.iter().any(|it| it.retained.is_some() && (it.cluster, it.index) == (replica.cluster, replica.index))
        };
        let taken = case.taken(&case.replicas.iter().filter(kept).cloned().collect::<Vec<_>>());
        let mut want = Vec::new();
        for cluster in &case.fleet.clusters {
            for pool in &cluster.pools {
                let nodes = taken.get(&(cluster.name, pool.name)).copied().unwrap_or_default();
                if nodes > pool.nodes {
                    want.push((cluster.name, pool.name, pool.nodes, nodes));
                }
            }
        }
        let found: Vec<_> = outcome.overcommitted.iter().map(|it| (it.cluster, it.pool, it.nodes, it.taken)).collect();
        prop_assert_eq!(found, want);
        prop_assert!(outcome.overcommitted.iter().all(|it| !it.by.is_empty()));
    }

    /// A replica that is where the schedule says stays there, whatever the strategy, and nothing is placed besides.
    #[test]
    fn scheduling_again_changes_nothing(mut case in cases(), complete: bool, then_complete: bool, devices: bool) {
        case.accounting = accounting(devices);
        let strategy = |complete| if complete { Placing::Complete } else { Placing::FirstFit };
        // Replicas that nobody scheduled take what they say until they are written: two with one index take nodes both, and one
        // without claims takes all devices of its nodes.
        case.replicas = case.after(&case.schedule(strategy(complete)));
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
    fn the_order_of_clusters_and_replicas_is_irrelevant(mut case in cases(), complete: bool, devices: bool) {
        case.accounting = accounting(devices);
        let strategy = if complete { Placing::Complete } else { Placing::FirstFit };
        let mut turned = case.clone();
        turned.fleet.clusters.reverse();
        turned.replicas.reverse();
        let (turned, straight) = (turned.schedule(strategy), case.schedule(strategy));
        prop_assert_eq!(&turned.placements, &straight.placements);
        prop_assert_eq!(&turned.overcommitted, &straight.overcommitted);
        let reasons = |outcome: Outcome<'static>| outcome.refused.into_iter().map(|it| it.why);
        prop_assert!(reasons(turned).rev().eq(reasons(straight)));
    }

    /// A replica that stays is where it was, and which ones stay does not depend on how places are found and what is counted.
    #[test]
    fn a_retained_replica_never_moves(case in cases(), filled: bool) {
        // Once what was just placed has to stay, and once what anybody may have written.
        let case = if filled { Case { replicas: case.after(&case.schedule(Placing::Complete)), ..case } } else { case };
        let kept = |complete, devices| {
            let strategy = if complete { Placing::Complete } else { Placing::FirstFit };
            let outcome = Case { accounting: accounting(devices), ..case.clone() }.schedule(strategy);
            outcome.placements.into_iter().filter(|it| it.retained.is_some()).collect::<Vec<_>>()
        };
        let first = kept(false, false);
        for placement in &first {
            let is_it = |it: &&Replica<'static>| it.ours && Some(it.name) == placement.retained;
            let before = case.replicas.iter().find(is_it).expect("it was there");
            prop_assert_eq!((placement.cluster, placement.index), (before.cluster, before.index));
            for (engine, was) in placement.engines.iter().zip(&before.engines) {
                let pools: Vec<_> = engine.members.iter().map(|it| Some(it.pool)).collect();
                prop_assert_eq!(pools, was.members.iter().map(|it| it.pool).collect::<Vec<_>>());
            }
        }
        let names = |kept: &[Placement<'static>]| kept.iter().map(|it| it.retained).collect::<Vec<_>>();
        for (complete, devices) in [(false, true), (true, false), (true, true)] {
            prop_assert_eq!(names(&kept(complete, devices)), names(&first));
        }
    }

    /// What the greedy choice places, the search places the same. It may place more. A replica that runs stays in its pools. There
    /// a member that has nodes claims devices also where the greedy choice would claim none.
    #[test]
    fn a_search_only_adds(case in cases()) {
        let pools = |placement: &Placement<'static>| {
            let engines = placement.engines.iter();
            engines.map(|it| (it.engine, it.members.iter().map(|it| it.pool).collect::<Vec<_>>())).collect::<Vec<_>>()
        };
        let (greedy, complete) = (case.schedule(Placing::FirstFit), case.schedule(Placing::Complete));
        for placement in &greedy.placements {
            let same = |it: &Placement<'static>| match placement.retained {
                None => it == placement,
                name => it.retained == name && (it.cluster, it.index, pools(it)) == (placement.cluster, placement.index, pools(placement)),
            };
            prop_assert!(complete.placements.iter().any(same));
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
        let usable = |it: &&schedule::Cluster<'_>| it.ready && it.gateway && it.taints.is_empty();
        let any = case.fleet.clusters.iter().filter(usable).any(|cluster| has_a_place(&case, cluster, &case.replicas));
        prop_assert_eq!(outcome.placements.is_empty(), !greedy && !any);
        prop_assert_eq!(outcome.refused.is_empty(), !outcome.placements.is_empty());
    }
}
