//! What is free in every pool.

use std::collections::BTreeMap;

use crate::fleet::{Device, Fleet, Pool, Replica, ReplicaMember};
use crate::packing::{self, Packed, Pods};
use crate::search::Budget;
use crate::situation::Accounting;

/// What is free in the pools of a fleet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger<'f> {
    /// By cluster and pool.
    pools: BTreeMap<&'f str, BTreeMap<&'f str, Account>>,
}

/// A pool.
#[derive(Clone, Debug)]
enum Account {
    /// The free nodes. Negative where more is taken than there is.
    Nodes(i128),
    Devices(Box<Shared>),
}

/// A pool of which pods share the nodes.
#[derive(Clone, Debug)]
struct Shared {
    nodes: u64,
    capacity: Vec<u64>,
    pods: Pods,
    /// What new pods may claim at most.
    left: Vec<Option<u64>>,
}

/// What an engine takes in a pool: how many pods, and what each of them claims of every entry of the pool's devices.
pub(crate) type Needs = Vec<(u64, Vec<u64>)>;

/// What was taken of a pool, to give it back.
pub(crate) struct Taken(Account);

impl<'f> Ledger<'f> {
    /// All pools of the fleet, without what these replicas take. Pods that are pinned to a pool that no cluster publishes never
    /// run, so they take nothing.
    pub(crate) fn new<'r>(
        accounting: Accounting,
        fleet: &Fleet<'f>,
        replicas: &mut dyn Iterator<Item = &'r Replica<'r>>,
    ) -> Self {
        // Inserted: collecting them would sort them first, with code of its own for each of the two maps.
        let mut ledger = Self { pools: BTreeMap::new() };
        for cluster in &fleet.clusters {
            let mut pools = BTreeMap::new();
            pools.extend(cluster.pools.iter().map(|pool| (pool.name, account(accounting, fleet, pool))));
            ledger.pools.insert(cluster.name, pools);
        }
        for replica in replicas {
            let Some(pools) = ledger.pools.get_mut(replica.cluster) else { continue };
            for member in replica.engines.iter().flat_map(|engine| &engine.members) {
                if let Some(account) = pools.get_mut(member.pool.unwrap_or_default()) {
                    account.charge(member);
                }
            }
        }
        for cluster in &fleet.clusters {
            for pool in cluster.pools.iter().filter(|pool| !pool.free.is_empty()) {
                let devices = fleet.devices.get(pool.devices).map(Vec::as_slice).unwrap_or_default();
                if let Some(account) = ledger.account_mut(cluster.name, pool.name) {
                    account.lower(&pool.free, devices);
                }
            }
        }
        ledger
    }

    /// Takes what an engine needs of a pool, if it is free.
    ///
    /// # Errors
    /// That it is not, or that nobody knows.
    pub(crate) fn take(
        &mut self,
        cluster: &str,
        pool: &str,
        needs: &Needs,
        budget: &mut Budget,
    ) -> Result<Taken, Packed> {
        let account = self.account_mut(cluster, pool).ok_or(Packed::No)?;
        let before = account.clone();
        match account.take(needs, budget) {
            Packed::Yes => Ok(Taken(before)),
            no => {
                *account = before;
                Err(no)
            }
        }
    }

    /// Gives back what was taken last of a pool.
    pub(crate) fn give_back(&mut self, cluster: &str, pool: &str, taken: Taken) {
        if let Some(account) = self.account_mut(cluster, pool) {
            *account = taken.0;
        }
    }

    /// What an engine lacks in a pool: how many of its pods find a place, or how many nodes are free. `Ok` when it lacks
    /// nothing, an error when nobody knows.
    pub(crate) fn shortage(
        &self,
        cluster: &str,
        pool: &str,
        needs: &Needs,
        budget: &mut Budget,
    ) -> Result<Result<(), i128>, Packed> {
        let account = self.pools.get(cluster).and_then(|pools| pools.get(pool)).ok_or(Packed::No)?;
        match account.clone().take(needs, budget) {
            Packed::Yes => return Ok(Ok(())),
            Packed::Unknown => return Err(Packed::Unknown),
            Packed::No => {}
        }
        if let Account::Nodes(free) = account {
            return Ok(Err(*free));
        }
        // All of the first so many pods find a place, of those before `found` or `short`.
        let (mut found, mut short) = (0, needs.iter().map(|(pods, _)| *pods).fold(0, u64::saturating_add));
        while short - found > 1 {
            let middle = found + (short - found) / 2;
            match account.clone().take(&first(needs, middle), budget) {
                Packed::Yes => found = middle,
                _ => short = middle,
            }
        }
        Ok(Err(found.into()))
    }

    /// The free nodes of a pool: those that nothing is on, as the pods are packed by the greedy choice. Negative where more is
    /// taken than there is.
    pub(crate) fn free_nodes(&self, cluster: &str, pool: &str) -> i128 {
        match self.pools.get(cluster).and_then(|pools| pools.get(pool)) {
            None => 0,
            Some(Account::Nodes(free)) => *free,
            Some(Account::Devices(shared)) => i128::from(shared.nodes) - i128::from(shared.taken()),
        }
    }

    /// The nodes that are taken, if that is more than there are.
    pub(crate) fn overcommitted(&self, cluster: &str, pool: &Pool<'_>, budget: &mut Budget) -> Option<u64> {
        match self.pools.get(cluster)?.get(pool.name)? {
            Account::Nodes(free) if *free >= 0 => None,
            Account::Nodes(free) => u64::try_from(i128::from(pool.nodes) - free).ok(),
            Account::Devices(shared) => {
                let found = packing::packs(shared.nodes, &shared.capacity, &shared.pods, budget);
                (found == Packed::No).then(|| shared.taken().max(shared.nodes.saturating_add(1)))
            }
        }
    }

    fn account_mut(&mut self, cluster: &str, pool: &str) -> Option<&mut Account> {
        self.pools.get_mut(cluster)?.get_mut(pool)
    }
}

fn account(accounting: Accounting, fleet: &Fleet<'_>, pool: &Pool<'_>) -> Account {
    match accounting {
        Accounting::Nodes => Account::Nodes(pool.nodes.into()),
        Accounting::Devices => {
            let devices = fleet.devices.get(pool.devices).map(Vec::as_slice).unwrap_or_default();
            let capacity = devices.iter().map(|device| if device.claimed { device.count } else { 0 }).collect();
            Account::Devices(Box::new(Shared { nodes: pool.nodes, capacity, pods: Pods::new(), left: Vec::new() }))
        }
    }
}

/// The first so many pods.
fn first(needs: &Needs, mut most: u64) -> Needs {
    let mut some = Needs::new();
    for (pods, claims) in needs {
        let pods = most.min(*pods);
        most -= pods;
        some.push((pods, claims.clone()));
    }
    some
}

impl Account {
    /// Charges what a member of a replica takes that exists.
    fn charge(&mut self, member: &ReplicaMember<'_>) {
        match self {
            Self::Nodes(free) => *free -= i128::from(member.nodes),
            Self::Devices(shared) if member.nodes > 0 => {
                // What claims a device that is gone may be anything.
                let entries = shared.capacity.len();
                let is_known = !member.claims.is_empty() && member.claims.iter().all(|claim| claim.device < entries);
                let mut claims = if is_known { vec![0; entries] } else { shared.capacity.clone() };
                for claim in &member.claims {
                    if let (Some(claimed), Some(has)) =
                        (claims.get_mut(claim.device), shared.capacity.get(claim.device))
                    {
                        // A pod that runs takes at most its node.
                        *claimed = claimed.saturating_add(claim.count).min(*has);
                    }
                }
                let pods = shared.pods.entry(claims).or_default();
                *pods = pods.saturating_add(member.nodes);
            }
            Self::Devices(_) => {}
        }
    }

    /// Lowers what is free to what the cluster has observed.
    fn lower(&mut self, observed: &[Option<u64>], devices: &[Device]) {
        match self {
            Self::Nodes(free) => {
                let nodes = observed.iter().zip(devices).filter(|(_, device)| device.claimed);
                let nodes = nodes.filter_map(|(free, device)| (*free)?.checked_div(device.count)).min();
                *free = nodes.map_or(*free, |nodes| (*free).min(nodes.into()));
            }
            Self::Devices(shared) => shared.left = observed.to_vec(),
        }
    }

    /// Takes what new pods need. What it has taken when it finds that there is too little is not given back.
    fn take(&mut self, needs: &Needs, budget: &mut Budget) -> Packed {
        match self {
            Self::Nodes(free) => {
                let nodes = needs.iter().map(|(pods, _)| *pods).fold(0, u64::saturating_add);
                let is_free = *free >= i128::from(nodes);
                *free -= i128::from(nodes);
                if is_free { Packed::Yes } else { Packed::No }
            }
            Self::Devices(shared) => {
                for (pods, claims) in needs.iter().filter(|(pods, _)| *pods > 0) {
                    for (left, claimed) in shared.left.iter_mut().zip(claims) {
                        let Some(left) = left else { continue };
                        match left.checked_sub(claimed.saturating_mul(*pods)) {
                            Some(rest) => *left = rest,
                            None => return Packed::No,
                        }
                    }
                    let known = shared.pods.entry(claims.clone()).or_default();
                    *known = known.saturating_add(*pods);
                }
                packing::packs(shared.nodes, &shared.capacity, &shared.pods, budget)
            }
        }
    }
}

impl Shared {
    /// The nodes that something is on.
    fn taken(&self) -> u64 {
        packing::needed(&self.capacity, &self.pods)
    }
}
