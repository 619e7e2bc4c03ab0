use crate::demand::Request;
use crate::fleet::{Device, Fleet};

/// Whether the devices of a list suit selectors. Selectors and lists repeat in a fleet, so each pair is judged once.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// By selectors, list, and device.
    rows: Vec<Vec<Vec<bool>>>,
}

impl Fit {
    /// Judges every device of the fleet. `suits` gets the selectors as [`Request::selectors`] has them, below
    /// `selectors`, and the indices of list and device.
    pub fn judge(selectors: usize, fleet: &Fleet<'_>, mut suits: impl FnMut(usize, usize, usize) -> bool) -> Self {
        let mut list_of = |selectors, (list, devices): (usize, &Vec<Device>)| {
            (0..devices.len()).map(|device| suits(selectors, list, device)).collect()
        };
        let rows = (0..selectors).map(|it| fleet.devices.iter().enumerate().map(|list| list_of(it, list)).collect());
        Self { rows: rows.collect() }
    }

    /// Whether a device suits the selectors of a request.
    pub(crate) fn suits(&self, request: &Request, list: usize, device: usize) -> bool {
        let row = self.rows.get(request.selectors).and_then(|lists| lists.get(list));
        row.and_then(|devices| devices.get(device)).copied().unwrap_or_default()
    }
}

/// The devices that the requests of a member get, in the order of the requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Indices in the list of devices.
    pub(crate) devices: Vec<usize>,
    /// Whether one of the devices is claimed. Such a pod takes its node.
    pub(crate) claims: bool,
}
