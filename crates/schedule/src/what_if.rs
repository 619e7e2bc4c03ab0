//! What a change of a fleet would move.

use std::fmt;

use crate::fleet::{Cluster, Fleet, Pool, Replica};
use crate::plan::{self, Plan, Settled};
use crate::refusal::Refused;
use crate::taint::Taint;

/// A change of a fleet or of a deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<'f> {
    /// A cluster is lost, or one of its pools.
    Lose {
        /// The name of the cluster.
        cluster: &'f str,
        /// The name of the pool. `None` for all of the cluster.
        pool: Option<&'f str>,
    },
    /// A cluster gets a taint.
    Drain {
        /// The name of the cluster.
        cluster: &'f str,
        /// The taint. It moves the replicas that do not tolerate it if its effect is `NoExecute`.
        taint: Taint,
    },
    /// A pool gets nodes. One that the cluster does not have is added after the others.
    Add {
        /// The name of the cluster.
        cluster: &'f str,
        /// The name of the pool.
        pool: &'f str,
        /// The devices of each node: an index in [`Fleet::devices`].
        devices: usize,
        /// How many nodes.
        nodes: u64,
    },
    /// A deployment wants another number of replicas.
    Scale {
        /// The deployment: an index in [`Plan::deployments`].
        deployment: usize,
        /// How many.
        replicas: usize,
    },
}

/// A change of something that the fleet does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSuch {
    /// No cluster has this name.
    Cluster(String),
    /// The cluster has no pool with this name.
    Pool(String, String),
    /// The pool of the cluster has nodes with other devices.
    Devices(String, String),
    /// There is no deployment with this index.
    Deployment(usize),
}

/// A fleet before and after changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf<'f> {
    /// The fleet before.
    pub before: Settled<'f>,
    /// The fleet after.
    pub after: Settled<'f>,
    /// What changes for each deployment, in the order of [`Plan::deployments`].
    pub deployments: Vec<Changed<'f>>,
}

/// The place of a replica.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<'f> {
    /// The name of the cluster.
    pub cluster: &'f str,
    /// The index on that cluster.
    pub index: i64,
    /// The pools of its members, by engine and member.
    pub pools: Vec<&'f str>,
}

/// What changes for a deployment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed<'f> {
    /// The replicas that it wants afterwards.
    pub wanted: usize,
    /// The replicas that move: from where, to where.
    pub moved: Vec<(Place<'f>, Place<'f>)>,
    /// New replicas.
    pub added: Vec<Place<'f>>,
    /// Replicas that are not wanted any more.
    pub dropped: Vec<Place<'f>>,
    /// Replicas that had a place and find none. Why is in `refused`.
    pub lost: Vec<Place<'f>>,
    /// If replicas are missing: what is against each cluster. Clusters are indices among those that the deployment may use,
    /// without those that are lost.
    pub refused: Vec<Refused>,
}

impl WhatIf<'_> {
    /// Whether something that runs would have no place.
    pub fn loses(&self) -> bool {
        self.deployments.iter().any(|changed| !changed.lost.is_empty())
    }
}

/// What changes of a fleet would do, in this order. Deployments are settled before them, and after all of them.
///
/// # Errors
/// [`NoSuch`] when something that is changed does not exist.
pub fn what_if<'f>(plan: &Plan<'f>, changes: &[Change<'f>]) -> Result<WhatIf<'f>, NoSuch> {
    let before = plan::settle(plan);
    let mut fleet = plan.fleet.clone();
    let mut wanted: Vec<_> = plan.deployments.iter().map(|deployment| deployment.demand.replicas).collect();
    for change in changes {
        apply(change, &mut fleet, &mut wanted)?;
    }
    let after = plan::settle_in(plan, &fleet, before.replicas.clone(), &wanted);
    let rows = before.replicas.iter().zip(&after.replicas).zip(after.deployments.iter().zip(&wanted));
    let rows = rows.map(|((before, after), (outcome, wanted))| Changed {
        refused: outcome.refused.clone(),
        ..changed(before, after, *wanted)
    });
    let deployments = rows.collect();
    Ok(WhatIf { before, after, deployments })
}

fn apply<'f>(change: &Change<'f>, fleet: &mut Fleet<'f>, wanted: &mut [usize]) -> Result<(), NoSuch> {
    match change {
        Change::Lose { cluster, pool: None } => {
            find(fleet, cluster)?;
            fleet.clusters.retain(|it| it.name != *cluster);
        }
        Change::Lose { cluster, pool: Some(pool) } => {
            let found = find(fleet, cluster)?;
            if found.pool(pool).is_none() {
                return Err(NoSuch::Pool((*cluster).to_owned(), (*pool).to_owned()));
            }
            found.pools.retain(|it| it.name != *pool);
        }
        Change::Drain { cluster, taint } => find(fleet, cluster)?.taints.push(taint.clone()),
        Change::Add { cluster, pool, devices, nodes } => {
            let lists = Fleet { clusters: Vec::new(), devices: fleet.devices.clone() };
            let found = find(fleet, cluster)?;
            match found.pools.iter_mut().find(|it| it.name == *pool) {
                Some(row) if row.devices == *devices => plan::grow(&lists, row, *nodes),
                Some(_) => return Err(NoSuch::Devices((*cluster).to_owned(), (*pool).to_owned())),
                None => {
                    found.pools.push(Pool { name: pool, nodes: *nodes, devices: *devices, available: Vec::new() });
                }
            }
        }
        Change::Scale { deployment, replicas } => {
            *wanted.get_mut(*deployment).ok_or(NoSuch::Deployment(*deployment))? = *replicas;
        }
    }
    Ok(())
}

fn find<'s, 'f>(fleet: &'s mut Fleet<'f>, name: &str) -> Result<&'s mut Cluster<'f>, NoSuch> {
    let found = fleet.clusters.iter_mut().rfind(|cluster| cluster.name == name);
    found.ok_or_else(|| NoSuch::Cluster(name.to_owned()))
}

/// What changes between these replicas of a deployment. What leaves moves to what is new, both in the order of places.
fn changed<'f>(before: &[Replica<'f>], after: &[Replica<'f>], wanted: usize) -> Changed<'f> {
    let places = |replicas: &[Replica<'f>]| {
        let mut places: Vec<_> = replicas.iter().map(place).collect();
        places.sort();
        places
    };
    let (before, after) = (places(before), places(after));
    let mut left = before.iter().filter(|place| !after.contains(place)).cloned();
    let mut came = after.iter().filter(|place| !before.contains(place)).cloned();
    let mut changed = Changed { wanted, ..Changed::default() };
    loop {
        match (left.next(), came.next()) {
            (Some(from), Some(to)) => changed.moved.push((from, to)),
            (Some(from), None) => changed.dropped.push(from),
            (None, Some(to)) => changed.added.push(to),
            (None, None) => break,
        }
    }
    // Of those that left without a new place, so many are still wanted.
    let lost = wanted.saturating_sub(after.len()).min(changed.dropped.len());
    changed.lost = changed.dropped.split_off(changed.dropped.len() - lost);
    changed
}

fn place<'f>(replica: &Replica<'f>) -> Place<'f> {
    let members = replica.engines.iter().flat_map(|engine| &engine.members);
    let pools = members.map(|member| member.pool.unwrap_or_default()).collect();
    Place { cluster: replica.cluster, index: replica.index, pools }
}

impl fmt::Display for NoSuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSuch::Cluster(cluster) => write!(f, "there is no cluster `{cluster}`"),
            NoSuch::Pool(cluster, pool) => write!(f, "cluster `{cluster}` has no pool `{pool}`"),
            NoSuch::Devices(cluster, pool) => {
                write!(f, "pool `{pool}` of cluster `{cluster}` has other devices; use a pool of another name")
            }
            NoSuch::Deployment(index) => write!(f, "there is no deployment {index}"),
        }
    }
}

impl std::error::Error for NoSuch {}
