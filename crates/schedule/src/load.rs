//! What pods take in a pool.

use crate::fleet::{Claim, Device};
use crate::packing::Pods;

/// What pods take in a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Load {
    /// The nodes, if each pod has one of its own.
    pub(crate) nodes: u64,
    /// What they claim. Only known when devices are counted.
    pub(crate) pods: Vec<Pods>,
    /// Those of the pods that take a whole node each because of their claims. Only known when devices are counted.
    pub(crate) whole: u64,
}

impl Load {
    /// Adds pods that claim these devices. More than a node has are all that it has.
    ///
    /// Pods that claim nothing, or a device that the pool does not have, take a whole node each.
    pub(crate) fn add(&mut self, devices: &[Device], claims: impl Iterator<Item = Claim>, count: u64) {
        let mut claimed = vec![0u64; devices.len()];
        let mut known = true;
        for claim in claims {
            match (claimed.get_mut(claim.device), devices.get(claim.device)) {
                (Some(sum), Some(device)) if device.claimed => {
                    *sum = sum.saturating_add(claim.count).min(device.count);
                }
                // Devices that are only described are never claimed.
                (Some(_), Some(_)) => {}
                _ => known = false,
            }
        }
        if known && claimed.iter().any(|count| *count > 0) {
            self.pods.push(Pods { claims: claimed, count });
        } else {
            self.whole = self.whole.saturating_add(count);
        }
    }

    /// The first so many of the pods.
    pub(crate) fn first(&self, count: u64) -> Self {
        let mut left = count;
        let mut some = |count: u64| {
            let taken = count.min(left);
            left -= taken;
            taken
        };
        let pods = self.pods.iter().map(|pods| Pods { count: some(pods.count), ..pods.clone() }).collect();
        Self { nodes: count.min(self.nodes), pods, whole: some(self.whole) }
    }
}
