//! Searches for devices and pools where the first choice finds none. The work is counted, so it ends.

use crate::demand::{Member, Request};
use crate::fit::{Fit, Match};
use crate::fleet::Device;

/// The steps that searches may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    pub(crate) fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    /// Takes a step. Returns false when there are none left.
    pub(crate) fn step(&mut self) -> bool {
        let any = self.left > 0;
        self.left = self.left.saturating_sub(1);
        any
    }

    /// Takes at most so many steps for a search of its own.
    pub(crate) fn split(&mut self, most: u64) -> Self {
        let left = self.left.min(most);
        self.left -= left;
        Self { left }
    }

    /// Gives back what a search of its own did not need.
    pub(crate) fn give_back(&mut self, other: Self) {
        self.left = self.left.saturating_add(other.left);
    }

    pub(crate) fn is_spent(self) -> bool {
        self.left == 0
    }
}

/// The first devices, in the order of requests and devices, that suit all requests together and of which one is claimed.
pub(crate) fn devices(
    member: &Member,
    list: usize,
    devices: &[Device],
    fit: &Fit,
    budget: &mut Budget,
) -> Option<Match> {
    let serves = |request: &Request, (device, row): (usize, &Device)| {
        row.count >= request.count && fit.suits(request, list, device)
    };
    if !member.requests.iter().all(|request| devices.iter().enumerate().any(|device| serves(request, device))) {
        return None;
    }
    let left = devices.iter().map(|device| device.count).collect();
    let mut search = DeviceSearch { member, list, devices, fit, left, chosen: Vec::new(), claimed: true };
    if search.finds(budget) {
        return Some(Match { devices: search.chosen, claims: true });
    }
    search.claimed = false;
    search.finds(budget).then_some(Match { devices: search.chosen, claims: false })
}

struct DeviceSearch<'s> {
    member: &'s Member,
    list: usize,
    devices: &'s [Device],
    fit: &'s Fit,
    /// What is left of each device.
    left: Vec<u64>,
    /// The devices of the first requests.
    chosen: Vec<usize>,
    /// Whether one of the devices must be claimed.
    claimed: bool,
}

impl DeviceSearch<'_> {
    /// Chooses devices for the remaining requests.
    fn finds(&mut self, budget: &mut Budget) -> bool {
        let Some(request) = self.member.requests.get(self.chosen.len()) else {
            let is_claimed = |device: &usize| self.devices.get(*device).is_some_and(|device| device.claimed);
            return !self.claimed || self.chosen.iter().any(is_claimed);
        };
        for device in 0..self.left.len() {
            if !budget.step() {
                return false;
            }
            let Some(left) = self.left.get_mut(device) else { continue };
            if *left < request.count || !self.fit.suits(request, self.list, device) {
                continue;
            }
            *left -= request.count;
            self.chosen.push(device);
            if self.finds(budget) {
                return true;
            }
            self.chosen.pop();
            if let Some(left) = self.left.get_mut(device) {
                *left += request.count;
            }
        }
        false
    }
}
