//! Which devices of a node the requests of a pod get.

use crate::demand::{Demand, Engine, Member};
use crate::fit::{Fit, Match};
use crate::fleet::{Claim, Cluster, Device, Fleet, Pool};
use crate::load::Load;
use crate::search::{self, Budget};
use crate::situation::{Accounting, Situation};

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

    /// What the pods of an engine take in a pool: those of the members that claim devices there.
    pub(crate) fn load(&self, situation: &Situation<'_, '_>, index: usize, engine: &Engine, pool: &Pool<'_>) -> Load {
        let mut load = Load::default();
        for (number, member) in engine.members.iter().enumerate() {
            let found = self.get(index, number, pool.devices).filter(|found| found.claims);
            let Some(found) = found else { continue };
            let nodes = engine.nodes(member);
            load.nodes = load.nodes.saturating_add(nodes);
            if situation.accounting == Accounting::Devices {
                let devices = situation.fleet.devices.get(pool.devices).map(Vec::as_slice).unwrap_or_default();
                let requests = member.requests.iter().zip(&found.devices);
                let claims = requests.map(|(request, device)| Claim { device: *device, count: request.count });
                let claimed = |claim: &Claim| devices.get(claim.device).is_some_and(|device| device.claimed);
                load.add(devices, claims.filter(claimed), nodes);
            }
        }
        load
    }

    /// Whether a member claims devices in a pool.
    fn claims(&self, engine: usize, member: usize, pool: &Pool<'_>) -> bool {
        self.get(engine, member, pool.devices).is_some_and(|found| found.claims)
    }
}
