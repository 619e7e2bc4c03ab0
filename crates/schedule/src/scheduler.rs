use std::collections::{BTreeMap, BTreeSet};

use quantity::order::sorted_by_key;

use crate::fill;
use crate::fleet::{Cluster, Replica};
use crate::ledger::Ledger;
use crate::matching::Matches;
use crate::overcommit::{self, Overcommitted};
use crate::placement::Placement;
use crate::refusal::{self, Refusal, Refused};
use crate::retain;
use crate::search::Budget;
use crate::situation::{Situation, Strategy};
use crate::taint;

/// A schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome<'f> {
    /// The places of the replicas, sorted by cluster and index.
    pub placements: Vec<Placement<'f>>,
    /// If replicas are missing although they should be placed: what is against each cluster, in the order of the fleet.
    pub refused: Vec<Refused>,
    /// The pools of which the replicas that stay, and those of others, take more than there is, sorted by cluster and pool.
    pub overcommitted: Vec<Overcommitted<'f>>,
}

/// Schedules the replicas of a deployment.
pub fn schedule<'f>(situation: &Situation<'_, 'f>) -> Outcome<'f> {
    let Situation { demand, fleet, fit, .. } = *situation;
    let mut budget = Budget::new(situation.budget);
    // A replica that a search placed stays, also when the strategy changes.
    let searched = Matches::searched(demand, fleet, fit, &mut budget);
    let first_fit = Matches::first_fit(demand, fleet, fit);
    let placements = retain::retained(situation, &first_fit, &searched);
    let mut outcome = Outcome { placements, ..Outcome::default() };
    retain::scale_down(&mut outcome.placements, demand.replicas);
    let counted = counted(situation, &outcome.placements);
    outcome.overcommitted = overcommit::overcommitted(situation.accounting, fleet, &counted, situation.budget);
    if situation.fill && outcome.placements.len() < demand.replicas {
        Filling::new(situation, (first_fit, searched), &outcome.placements, &counted, budget).fill(&mut outcome);
    }
    outcome.placements = sorted_by_key(outcome.placements, |placement| (placement.cluster, placement.index));
    outcome
}

/// The replicas that take nodes: those of others, and ours that stay. Nodes of replicas that are dropped are free.
fn counted<'s, 'f>(situation: &Situation<'s, 'f>, retained: &[Placement<'_>]) -> Vec<&'s Replica<'f>> {
    let mut kept = BTreeSet::new();
    kept.extend(retained.iter().map(|placement| (placement.cluster, placement.index)));
    let stays = |replica: &&Replica<'_>| !replica.ours || kept.contains(&(replica.cluster, replica.index));
    situation.replicas.iter().filter(stays).collect()
}

/// The state while missing replicas are placed.
struct Filling<'s, 'f> {
    situation: Situation<'s, 'f>,
    ledger: Ledger<'f>,
    first_fit: Matches,
    searched: Matches,
    budget: Budget,
    /// The clusters that new replicas may use.
    open: Vec<&'s Cluster<'f>>,
    /// The indices of replicas, by cluster.
    used: BTreeMap<&'f str, BTreeSet<i64>>,
}

impl<'s, 'f> Filling<'s, 'f> {
    fn new(
        situation: &Situation<'s, 'f>,
        (first_fit, searched): (Matches, Matches),
        retained: &[Placement<'f>],
        counted: &[&Replica<'f>],
        budget: Budget,
    ) -> Self {
        let Situation { demand, fleet, .. } = *situation;
        let mut used: BTreeMap<&'f str, BTreeSet<i64>> = BTreeMap::new();
        for placement in retained {
            used.entry(placement.cluster).or_default().insert(placement.index);
        }
        let open = |cluster: &&Cluster<'_>| {
            cluster.ready && cluster.gateway && taint::repelling(&cluster.taints, &demand.tolerations).is_none()
        };
        Self {
            situation: *situation,
            ledger: Ledger::new(situation.accounting, fleet, &mut counted.iter().copied()),
            first_fit,
            searched,
            budget,
            open: fleet.clusters.iter().filter(open).collect(),
            used,
        }
    }

    /// Places replicas until there are enough, or until no cluster takes one.
    fn fill(mut self, outcome: &mut Outcome<'f>) {
        while outcome.placements.len() < self.situation.demand.replicas {
            let placed = match self.situation.strategy {
                Strategy::FirstFit => self.place(false),
                Strategy::Complete => self.place(false).or_else(|| self.place(true)),
            };
            let Some(placement) = placed else {
                outcome.refused = self.refused();
                return;
            };
            outcome.placements.push(placement);
        }
    }

    /// Places a replica on the cluster with the fewest replicas that takes it, of equals on the first by name.
    fn place(&mut self, search: bool) -> Option<Placement<'f>> {
        let load = |cluster: &Cluster<'_>| self.used.get(cluster.name).map_or(0, BTreeSet::len);
        for cluster in sorted_by_key(self.open.clone(), |cluster| (load(cluster), cluster.name)) {
            let engines = if search {
                fill::search(&self.situation, cluster, &self.searched, &mut self.ledger, &mut self.budget)
            } else {
                fill::first_fit(&self.situation, cluster, &self.first_fit, &mut self.ledger, &mut self.budget)
            };
            if let Some(engines) = engines {
                let used = self.used.entry(cluster.name).or_default();
                let taken = self.situation.taken.get(cluster.name);
                let is_taken = |index: &i64| used.contains(index) || taken.is_some_and(|taken| taken.contains(index));
                let index = (0..).find(|index| !is_taken(index)).unwrap_or_default();
                used.insert(index);
                return Some(Placement { cluster: cluster.name, index, engines, retained: None });
            }
        }
        None
    }

    fn refused(&self) -> Vec<Refused> {
        let matches = match self.situation.strategy {
            Strategy::FirstFit => &self.first_fit,
            Strategy::Complete => &self.searched,
        };
        let clusters = self.situation.fleet.clusters.iter().enumerate();
        let refused = clusters.map(|(index, cluster)| {
            let why = match refusal::of(&self.situation, cluster, matches, &self.ledger) {
                Refusal::NotTogether if self.budget.is_spent() => Refusal::Budget,
                why => why,
            };
            Refused { cluster: index, why }
        });
        refused.collect()
    }
}
