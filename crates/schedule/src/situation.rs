use std::collections::{BTreeMap, BTreeSet};

use crate::demand::Demand;
use crate::fit::Fit;
use crate::fleet::{Fleet, Replica};

/// Everything that a schedule depends on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'s, 'f> {
    /// What the deployment wants.
    pub demand: &'s Demand,
    /// The clusters that it may use.
    pub fleet: &'s Fleet<'f>,
    /// Which devices suit which selectors.
    pub fit: &'s Fit,
    /// The replicas that exist, of this deployment and of others.
    pub replicas: &'s [Replica<'f>],
    /// Indices that new replicas must not get, by cluster: others have what such a replica would be called.
    pub taken: &'s BTreeMap<&'s str, BTreeSet<i64>>,
    /// Whether missing replicas are placed.
    pub fill: bool,
    /// How places are found.
    pub strategy: Strategy,
    /// What pods take of a pool.
    pub accounting: Accounting,
    /// The steps that searches may take in one schedule.
    pub budget: u64,
}

/// What pods that claim devices take of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accounting {
    /// A node for each pod, whatever it claims there.
    #[default]
    Nodes,
    /// The devices that they claim. A pod finds a place when it and all others of the pool can be packed on its nodes. Nobody
    /// here sees on which node a pod runs, so it may still have to wait until others move.
    Devices,
}

/// How places are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// The first device and the first pool that suit.
    #[default]
    FirstFit,
    /// As the first fit. A replica that finds no place so is placed by a search.
    Complete,
}
