//! Which devices of a node the requests of a pod get.

use crate::demand::{Demand, Engine, Member, Request, Role};
use crate::fit::{Fit, Match};
use crate::fleet::{Cluster, Device, Fleet, Pool};
use crate::ledger::Needs;
use crate::search::{self, Budget};

/// The most steps of a search for the entries of requests.
const MOST_STEPS: u64 = 1_000;

/// The entries of a node's devices that requests for so many devices get: the first ones that suit, or those that a search finds
/// where a request has none then. `suits` gets the indices of request and device. `None` when a request has none.
pub fn entries(devices: &[Device], counts: &[u64], suits: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let fleet = Fleet { clusters: Vec::new(), devices: vec![devices.to_vec()] };
    let fit = Fit::judge(counts.len(), &fleet, |request, _, device| suits(request, device));
    let requests = counts.iter().enumerate().map(|(selectors, count)| Request { count: *count, selectors });
    let member = Member { role: Role::Standalone, pods: 1, requests: requests.collect() };
    let found = first_fit(&member, 0, devices, &fit)
        .or_else(|| search::devices(&member, 0, devices, &fit, &mut Budget::new(MOST_STEPS)));
    found.map(|found| found.devices)
}

/// The matches of all members on all lists of devices.
#[derive(Clone, Debug)]
pub(crate) struct Matches {
    /// By engine, member and list.
    rows: Vec<Vec<Vec<Option<Match>>>>,
}

impl Matches {
    /// Each request takes the first device that suits it and has enough left.
    pub(crate) fn first_fit(demand: &Demand, fleet: &Fleet<'_>, fit: &Fit) -> Self {
        Self::of(demand, fleet, |member, list, devices| first_fit(member, list, devices, fit))
    }

    /// As the first fit, but a search finds devices where that finds none, or none that are claimed.
    pub(crate) fn searched(demand: &Demand, fleet: &Fleet<'_>, fit: &Fit, budget: &mut Budget) -> Self {
        Self::of(demand, fleet, |member, list, devices| match first_fit(member, list, devices, fit) {
            Some(found) if found.claims => Some(found),
            found => search::devices(member, list, devices, fit, budget).or(found),
        })
    }

    fn of(
        demand: &Demand,
        fleet: &Fleet<'_>,
        mut find: impl FnMut(&Member, usize, &[Device]) -> Option<Match>,
    ) -> Self {
        let mut rows = Vec::new();
        for engine in &demand.engines {
            let mut members = Vec::new();
            for member in &engine.members {
                let lists = fleet.devices.iter().enumerate();
                members.push(lists.map(|(list, devices)| find(member, list, devices)).collect());
            }
            rows.push(members);
        }
        Self { rows }
    }

    /// The match of a member on a list of devices. `None` when a request finds no device.
    pub(crate) fn get(&self, engine: usize, member: usize, list: usize) -> Option<&Match> {
        self.rows.get(engine)?.get(member)?.get(list)?.as_ref()
    }
}

fn first_fit(member: &Member, list: usize, devices: &[Device], fit: &Fit) -> Option<Match> {
    let mut left: Vec<_> = devices.iter().map(|device| device.count).collect();
    let mut found = Match { devices: Vec::new(), claims: false };
    for request in &member.requests {
        let suits = |(device, left): &(usize, &mut u64)| **left >= request.count && fit.suits(request, list, *device);
        let (device, left) = left.iter_mut().enumerate().find(suits)?;
        *left -= request.count;
        found.devices.push(device);
        found.claims |= devices.get(device).is_some_and(|device| device.claimed);
    }
    Some(found)
}

/// About an engine, and a pool of a cluster.
impl Matches {
    /// Whether all members find devices in a pool.
    pub(crate) fn suits(&self, index: usize, engine: &Engine, cluster: &Cluster<'_>, pool: usize) -> bool {
        let Some(pool) = cluster.pools.get(pool) else { return false };
        (0..engine.members.len()).all(|member| self.get(index, member, pool.devices).is_some())
    }

    /// For each member, whether it claims devices in a pool of the cluster, whatever is free there.
    pub(crate) fn claimable(&self, index: usize, engine: &Engine, cluster: &Cluster<'_>) -> Vec<bool> {
        let anywhere = |member| cluster.pools.iter().any(|pool| self.claims(index, member, pool));
        (0..engine.members.len()).map(anywhere).collect()
    }

    /// Whether each member that can claim devices in the cluster claims some in this pool. Otherwise its pods would get
    /// devices that are only described.
    pub(crate) fn claims_as(
        &self,
        index: usize,
        engine: &Engine,
        cluster: &Cluster<'_>,
        pool: usize,
        claimable: &[bool],
    ) -> bool {
        let Some(pool) = cluster.pools.get(pool) else { return false };
        let claims = |member| self.claims(index, member, pool) || claimable.get(member) != Some(&true);
        (0..engine.members.len()).all(claims)
    }

    /// What the engine takes in a pool: the pods of the members that claim devices there, and what each of them claims.
    pub(crate) fn needs(
        &self,
        fleet: &Fleet<'_>,
        index: usize,
        engine: &Engine,
        cluster: &Cluster<'_>,
        pool: usize,
    ) -> Needs {
        let Some(pool) = cluster.pools.get(pool) else { return Needs::new() };
        let devices = fleet.devices.get(pool.devices).map(Vec::as_slice).unwrap_or_default();
        let of_member = |(number, member): (usize, &Member)| {
            let found = self.get(index, number, pool.devices).filter(|found| found.claims)?;
            let mut claims = vec![0; devices.len()];
            for (request, device) in member.requests.iter().zip(&found.devices) {
                if let Some(claimed) = claims.get_mut(*device)
                    && devices.get(*device).is_some_and(|device| device.claimed)
                {
                    *claimed += request.count;
                }
            }
            Some((engine.nodes(member), claims))
        };
        engine.members.iter().enumerate().filter_map(of_member).collect()
    }

    /// Whether a member claims devices in a pool.
    fn claims(&self, engine: usize, member: usize, pool: &Pool<'_>) -> bool {
        self.get(engine, member, pool.devices).is_some_and(|found| found.claims)
    }
}
