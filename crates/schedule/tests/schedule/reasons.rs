//! Every reason is true of the fleet, on random fleets: it is compared with what trying everything finds.

use proptest::prelude::*;
use schedule::{Accounting, Cluster, Member, Refusal, Replica, Request, Strategy as Placing};

use crate::cases::{Case, assigns, cases, free, packs, suitable, suits};

/// What is wrong with a reason. `replicas` are those that count.
fn lie(case: &Case, cluster: &Cluster<'static>, why: &Refusal, replicas: &[Replica<'static>]) -> Option<String> {
    let open = cluster.ready && cluster.gateway && cluster.taints.is_empty();
    let engines = &case.demand.engines;
    let free = || free(case, cluster, replicas);
    let alone = |engine: usize| {
        let pools = suitable(case, cluster, &engines[engine]);
        case.accounting == Accounting::Devices || packs(&[pools], free())
    };
    let suits_all = |engine: usize, pool: &schedule::Pool<'_>| {
        engines[engine].members.iter().all(|member| assigns(case, &member.requests, pool, false))
    };
    let is_true = match why {
        Refusal::NotReady => !cluster.ready,
        Refusal::NoGateway => cluster.ready && !cluster.gateway,
        Refusal::Taint(taint) => cluster.ready && cluster.gateway && cluster.taints.contains(taint),
        Refusal::NoDevice { engine, member, request, pool, needed, found } => {
            // The most devices of an entry that suits a request.
            let most = |pool: usize, wanted: &Request| {
                let list = cluster.pools[pool].devices;
                let one = [Request { count: 1, ..*wanted }];
                let devices = case.fleet.devices[list].iter().enumerate();
                let suitable = devices.filter(|(at, it)| it.count > 0 && suits(case, &one, list, *at));
                suitable.map(|(_, device)| device.count).max().unwrap_or_default()
            };
            let requests = |member: &Member| member.requests.clone();
            let wanted = engines[*engine].members.get(*member).and_then(|member| member.requests.get(*request));
            let is_told = match (pool, wanted) {
                (Some(pool), Some(wanted)) => {
                    let mut all = engines[*engine].members.iter().flat_map(requests);
                    // One that has devices alone finds only what those before it leave.
                    let is_last = *request > 0 && all.all(|it| most(*pool, &it) >= it.count);
                    (*needed, *found) == (wanted.count, most(*pool, wanted)) && (found < needed || is_last)
                }
                (pool, _) => pool.is_none() && cluster.pools.is_empty(),
            };
            open && is_told && cluster.pools.iter().all(|pool| !suits_all(*engine, pool))
        }
        Refusal::NodesShort { engine, pool, needed, found } => {
            let row = suitable(case, cluster, &engines[*engine]).into_iter().find(|(at, _)| at == pool);
            let is_free = case.accounting == Accounting::Devices || free()[*pool] == *found;
            open && row == Some((*pool, *needed))
                && *found < i128::from(*needed)
                && is_free
                && (case.accounting == Accounting::Devices || !alone(*engine))
        }
        Refusal::Stranded { engine } => {
            open && suitable(case, cluster, &engines[*engine]).is_empty()
                && cluster.pools.iter().any(|pool| suits_all(*engine, pool))
        }
        Refusal::NotTogether => {
            let pools: Vec<_> = engines.iter().map(|engine| suitable(case, cluster, engine)).collect();
            open && (0..engines.len()).all(alone) && (case.accounting == Accounting::Devices || !packs(&pools, free()))
        }
        Refusal::Budget => false,
    };
    (!is_true).then(|| format!("{}: {why:?}", cluster.name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_reason_is_true(mut case in cases(), devices: bool) {
        case.accounting = if devices { Accounting::Devices } else { Accounting::Nodes };
        let outcome = case.schedule(Placing::Complete);
        let placed = |it: &Replica<'static>, retained: bool| {
            let same = |at: &&schedule::Placement<'_>| (at.cluster, at.index) == (it.cluster, it.index);
            outcome.placements.iter().find(same).is_some_and(|at| at.retained.is_some() == retained)
        };
        // Those that stay take what they take, those that are new what they were given.
        let stay = case.replicas.iter().filter(|it| !it.ours || placed(it, true)).cloned();
        let new = case.after(&outcome).into_iter().filter(|it| it.ours && placed(it, false));
        let replicas: Vec<_> = stay.chain(new).collect();
        for refused in &outcome.refused {
            let lie = lie(&case, &case.fleet.clusters[refused.cluster], &refused.why, &replicas);
            prop_assert_eq!(lie, None);
        }
    }
}
