use std::collections::BTreeMap;

use crate::fleet::{Cluster, Device, Fleet, Pool, Replica};
use crate::load::Load;
use crate::packing::{self, Packed, Pods};
use crate::search::Budget;
use crate::situation::Accounting;

/// What is taken of every pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger<'s, 'f> {
    /// By cluster, in the order of its pools.
    accounts: BTreeMap<&'f str, Vec<Account<'s, 'f>>>,
}

/// What is taken of a pool.
#[derive(Clone, Debug)]
pub(crate) struct Account<'s, 'f> {
    pub(crate) pool: &'s Pool<'f>,
    devices: &'s [Device],
    accounting: Accounting,
    /// The nodes that are taken, if each pod has one of its own.
    pub(crate) nodes: i128,
    /// The pods that take a whole node although devices are counted.
    whole: u64,
    /// The other pods, if devices are counted.
    pods: Vec<Pods>,
    /// What was taken since the pool was observed: nodes, and devices by entry.
    since: (u64, Vec<u64>),
}

impl<'s, 'f> Ledger<'s, 'f> {
    /// What these replicas take. Pods that are pinned to a pool that no cluster publishes never run, so they take nothing.
    pub(crate) fn new<'r>(
        fleet: &'s Fleet<'f>,
        accounting: Accounting,
        replicas: impl Iterator<Item = &'r Replica<'r>>,
    ) -> Self {
        let account = |pool: &'s Pool<'f>| {
            let devices = fleet.devices.get(pool.devices).map(Vec::as_slice).unwrap_or_default();
            let since = (0, Vec::new());
            Account { pool, devices, accounting, nodes: 0, whole: 0, pods: Vec::new(), since }
        };
        let accounts = |cluster: &'s Cluster<'f>| (cluster.name, cluster.pools.iter().map(account).collect::<Vec<_>>());
        let mut ledger = Self { accounts: fleet.clusters.iter().map(accounts).collect() };
        for replica in replicas {
            for member in replica.engines.iter().flat_map(|engine| &engine.members) {
                let account = ledger.account(replica.cluster, member.pool.unwrap_or_default());
                let Some(account) = account.filter(|_| member.nodes > 0) else { continue };
                let mut load = Load { nodes: member.nodes, ..Load::default() };
                if accounting == Accounting::Devices {
                    load.add(account.devices, member.claims.iter().copied(), member.nodes);
                }
                account.add(&load);
            }
        }
        ledger
    }

    /// Whether a pool has room for this load.
    pub(crate) fn has_room(&self, cluster: &str, pool: &str, load: &Load, budget: &mut Budget) -> Packed {
        self.get(cluster, pool).map_or(Packed::No, |account| account.has_room(load, budget))
    }

    /// Takes room in a pool.
    pub(crate) fn take(&mut self, cluster: &str, pool: &str, load: &Load) {
        if let Some(account) = self.account(cluster, pool) {
            account.add(load);
            account.since.0 = account.since.0.saturating_add(load.nodes);
            for device in 0..account.devices.len() {
                let more = account.claimed(load, device);
                account.since.1.resize(account.devices.len(), 0);
                if let Some(since) = account.since.1.get_mut(device) {
                    *since = since.saturating_add(more);
                }
            }
        }
    }

    /// Gives back what was taken last.
    pub(crate) fn give_back(&mut self, cluster: &str, pool: &str, load: &Load) {
        if let Some(account) = self.account(cluster, pool) {
            account.nodes -= i128::from(load.nodes);
            account.whole -= load.whole;
            account.pods.truncate(account.pods.len() - load.pods.len());
            account.since.0 = account.since.0.saturating_sub(load.nodes);
            for device in 0..account.since.1.len() {
                let less = account.claimed(load, device);
                if let Some(since) = account.since.1.get_mut(device) {
                    *since = since.saturating_sub(less);
                }
            }
        }
    }

    /// Of several pools with one name the last one.
    pub(crate) fn get(&self, cluster: &str, pool: &str) -> Option<&Account<'s, 'f>> {
        self.accounts.get(cluster)?.iter().rfind(|account| account.pool.name == pool)
    }

    fn account(&mut self, cluster: &str, pool: &str) -> Option<&mut Account<'s, 'f>> {
        self.accounts.get_mut(cluster)?.iter_mut().rfind(|account| account.pool.name == pool)
    }

    /// All accounts, by cluster.
    pub(crate) fn accounts(&self) -> impl Iterator<Item = (&'f str, &Account<'s, 'f>)> {
        self.accounts.iter().flat_map(|(cluster, accounts)| accounts.iter().map(|account| (*cluster, account)))
    }
}

impl Account<'_, '_> {
    fn add(&mut self, load: &Load) {
        self.nodes += i128::from(load.nodes);
        self.whole = self.whole.saturating_add(load.whole);
        self.pods.extend_from_slice(&load.pods);
    }

    /// Whether there is room for this load too.
    pub(crate) fn has_room(&self, load: &Load, budget: &mut Budget) -> Packed {
        if !self.is_available(load) {
            return Packed::No;
        }
        match self.accounting {
            Accounting::Nodes if self.free() >= i128::from(load.nodes) => Packed::Yes,
            Accounting::Nodes => Packed::No,
            Accounting::Devices if load.nodes == 0 => Packed::Yes,
            Accounting::Devices => {
                let whole = u128::from(self.whole) + u128::from(load.whole);
                let Some(nodes) = u128::from(self.pool.nodes).checked_sub(whole) else { return Packed::No };
                let pods: Vec<_> = self.pods.iter().chain(&load.pods).cloned().collect();
                packing::pack(u64::try_from(nodes).unwrap_or(u64::MAX), &self.capacity(), &pods, budget)
            }
        }
    }

    /// What a load needs and finds: pods if devices are counted, otherwise nodes. `None` if the budget ends before that is
    /// known.
    pub(crate) fn found(&self, load: &Load, budget: &mut Budget) -> Option<i128> {
        if self.accounting == Accounting::Nodes {
            return Some(self.free());
        }
        // The most pods that have room: so many have, and that many have not.
        let (mut few, mut many) = (0, load.nodes.saturating_add(1));
        while many - few > 1 {
            let middle = few + (many - few) / 2;
            match self.has_room(&load.first(middle), budget) {
                Packed::Yes => few = middle,
                Packed::No => many = middle,
                Packed::Unknown => return None,
            }
        }
        Some(few.into())
    }

    /// The nodes that nobody takes, if each pod has one of its own. Negative where more is taken than there is.
    fn free(&self) -> i128 {
        let free = i128::from(self.pool.nodes) - self.nodes;
        let observed = self.pool.available.iter().filter_map(|available| {
            let each = available.entries.iter().map(|entry| self.device(*entry)).fold(0, u64::saturating_add);
            Some(i128::from(available.devices.checked_div(each)?) - i128::from(self.since.0))
        });
        observed.fold(free, i128::min)
    }

    /// Whether the load and what was taken since is not more than was observed to be available.
    fn is_available(&self, load: &Load) -> bool {
        if self.accounting == Accounting::Nodes {
            return true;
        }
        self.pool.available.iter().all(|available| {
            let claimed = available.entries.iter().map(|entry| {
                let since = self.since.1.get(*entry).copied().unwrap_or_default();
                since.saturating_add(self.claimed(load, *entry))
            });
            claimed.fold(0, u64::saturating_add) <= available.devices
        })
    }

    /// The devices of an entry that a load claims.
    fn claimed(&self, load: &Load, device: usize) -> u64 {
        let pods = load.pods.iter().map(|pods| {
            let claim = pods.claims.get(device).copied().unwrap_or_default();
            claim.saturating_mul(pods.count)
        });
        pods.fold(self.device(device).saturating_mul(load.whole), u64::saturating_add)
    }

    /// The devices of an entry that a node has, if they are claimed.
    fn device(&self, device: usize) -> u64 {
        self.devices.get(device).filter(|device| device.claimed).map_or(0, |device| device.count)
    }

    fn capacity(&self) -> Vec<u64> {
        (0..self.devices.len()).map(|device| self.device(device)).collect()
    }

    /// The nodes that are taken, if that is more than the pool has: of pods that share nodes, those that a first fit takes.
    pub(crate) fn overcommitted(&self, budget: &mut Budget) -> Option<i128> {
        let size = i128::from(self.pool.nodes);
        if self.nodes <= size {
            return None;
        }
        if self.accounting == Accounting::Nodes {
            return Some(self.nodes);
        }
        let left = size - i128::from(self.whole);
        let fits = u64::try_from(left).map(|nodes| packing::pack(nodes, &self.capacity(), &self.pods, budget));
        match fits {
            Ok(Packed::Yes | Packed::Unknown) => None,
            _ => Some(i128::from(packing::nodes_of(&self.capacity(), &self.pods)) + i128::from(self.whole)),
        }
    }
}
