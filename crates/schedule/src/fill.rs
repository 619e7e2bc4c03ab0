//! Where missing replicas go.

use crate::demand::Engine;
use crate::fleet::{Cluster, Fleet};
use crate::ledger::Ledger;
use crate::matching::Matches;
use crate::placement::{EnginePlacement, MemberPlacement};
use crate::search::Budget;
use crate::situation::Situation;

/// Places every engine of a replica on a cluster: each on the first pool that suits it and has enough free nodes after
/// the engines before it. Takes the nodes from the ledger. `None` when an engine finds no pool; the ledger is as before
/// then.
pub(crate) fn first_fit<'f>(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'f>,
    matches: &Matches,
    ledger: &mut Ledger<'_>,
    budget: &mut Budget,
) -> Option<Vec<EnginePlacement<'f>>> {
    place(situation, cluster, matches, ledger, (false, budget))
}

/// As [`first_fit`], but when an engine finds no pool the engines before it try their other pools.
pub(crate) fn search<'f>(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'f>,
    matches: &Matches,
    ledger: &mut Ledger<'_>,
    budget: &mut Budget,
) -> Option<Vec<EnginePlacement<'f>>> {
    place(situation, cluster, matches, ledger, (true, budget))
}

fn place<'f>(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'f>,
    matches: &Matches,
    ledger: &mut Ledger<'_>,
    // Whether engines try all pools that suit, and not only the first one.
    (all, budget): (bool, &mut Budget),
) -> Option<Vec<EnginePlacement<'f>>> {
    let engines = &situation.demand.engines;
    let claimable: Vec<_> =
        engines.iter().enumerate().map(|(index, engine)| matches.claimable(index, engine, cluster)).collect();
    let mut pools = Vec::new();
    if !choose((situation.fleet, cluster), matches, ledger, (all, budget), (engines, &claimable), &mut pools) {
        return None;
    }
    let placement =
        |(index, (engine, pool)): (usize, (&Engine, usize))| placed(matches, cluster, (index, engine), pool);
    engines.iter().zip(pools).enumerate().map(placement).collect()
}

/// Chooses pools for the engines after those that have one.
fn choose(
    (fleet, cluster): (&Fleet<'_>, &Cluster<'_>),
    matches: &Matches,
    ledger: &mut Ledger<'_>,
    (all, budget): (bool, &mut Budget),
    (engines, claimable): (&[Engine], &[Vec<bool>]),
    pools: &mut Vec<usize>,
) -> bool {
    let index = pools.len();
    let (Some(engine), Some(claimed)) = (engines.get(index), claimable.get(index)) else { return true };
    if !claimed.contains(&true) {
        return false;
    }
    for (number, pool) in cluster.pools.iter().enumerate() {
        if all && !budget.step() {
            return false;
        }
        if !matches.suits(index, engine, cluster, number) || !matches.claims_as(index, engine, cluster, number, claimed)
        {
            continue;
        }
        let needs = matches.needs(fleet, index, engine, cluster, number);
        let Ok(taken) = ledger.take(cluster.name, pool.name, &needs, budget) else { continue };
        pools.push(number);
        if choose((fleet, cluster), matches, ledger, (all, budget), (engines, claimable), pools) {
            return true;
        }
        pools.pop();
        ledger.give_back(cluster.name, pool.name, taken);
        if !all {
            return false;
        }
    }
    false
}

fn placed<'f>(
    matches: &Matches,
    cluster: &Cluster<'f>,
    (index, engine): (usize, &Engine),
    pool: usize,
) -> Option<EnginePlacement<'f>> {
    let pool = cluster.pools.get(pool)?;
    let member = |number| {
        let devices = matches.get(index, number, pool.devices)?.devices.clone();
        Some(MemberPlacement { pool: pool.name, devices })
    };
    let members = (0..engine.members.len()).map(member).collect::<Option<_>>()?;
    Some(EnginePlacement { engine: index, members })
}
