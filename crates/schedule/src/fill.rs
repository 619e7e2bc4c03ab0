//! Where missing replicas go.

use crate::demand::Engine;
use crate::fleet::Cluster;
use crate::ledger::Ledger;
use crate::matching::Matches;
use crate::packing::Packed;
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
    ledger: &mut Ledger<'_, '_>,
    budget: &mut Budget,
) -> Option<Vec<EnginePlacement<'f>>> {
    place(situation, cluster, matches, ledger, (Alternatives::First, budget))
}

/// As [`first_fit`], but when an engine finds no pool the engines before it try their other pools.
pub(crate) fn search<'f>(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'f>,
    matches: &Matches,
    ledger: &mut Ledger<'_, '_>,
    budget: &mut Budget,
) -> Option<Vec<EnginePlacement<'f>>> {
    place(situation, cluster, matches, ledger, (Alternatives::All, budget))
}

/// Which pools an engine may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alternatives {
    /// The first one that suits.
    First,
    /// Every one that suits, within the budget.
    All,
}

fn place<'f>(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'f>,
    matches: &Matches,
    ledger: &mut Ledger<'_, '_>,
    (alternatives, budget): (Alternatives, &mut Budget),
) -> Option<Vec<EnginePlacement<'f>>> {
    let engines = &situation.demand.engines;
    let claimable: Vec<_> =
        engines.iter().enumerate().map(|(index, engine)| matches.claimable(index, engine, cluster)).collect();
    let mut pools = Vec::new();
    if !choose(situation, cluster, matches, ledger, (alternatives, budget), &claimable, &mut pools) {
        return None;
    }
    let placement =
        |(index, (engine, pool)): (usize, (&Engine, usize))| placed(matches, cluster, (index, engine), pool);
    engines.iter().zip(pools).enumerate().map(placement).collect()
}

/// Chooses pools for the engines after those that have one.
fn choose(
    situation: &Situation<'_, '_>,
    cluster: &Cluster<'_>,
    matches: &Matches,
    ledger: &mut Ledger<'_, '_>,
    (alternatives, budget): (Alternatives, &mut Budget),
    claimable: &[Vec<bool>],
    pools: &mut Vec<usize>,
) -> bool {
    let index = pools.len();
    let engine = situation.demand.engines.get(index);
    let (Some(engine), Some(claimed)) = (engine, claimable.get(index)) else { return true };
    if !claimed.contains(&true) {
        return false;
    }
    for (number, pool) in cluster.pools.iter().enumerate() {
        if alternatives == Alternatives::All && !budget.step() {
            return false;
        }
        if !matches.suits(index, engine, cluster, number) || !matches.claims_as(index, engine, cluster, number, claimed)
        {
            continue;
        }
        let load = matches.load(situation, index, engine, pool);
        if ledger.has_room(cluster.name, pool.name, &load, budget) != Packed::Yes {
            continue;
        }
        ledger.take(cluster.name, pool.name, &load);
        pools.push(number);
        if choose(situation, cluster, matches, ledger, (alternatives, budget), claimable, pools) {
            return true;
        }
        pools.pop();
        ledger.give_back(cluster.name, pool.name, &load);
        if alternatives == Alternatives::First {
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
