//! Regions, and the zones of a region that have an accelerator.

use super::Cloud;
use super::accelerators::{A100_40, GpuModel, L4, T4};

/// Zones of a region that have an accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The region.
    pub region: &'static str,
    /// The accelerator.
    pub accelerator: GpuModel,
    /// The zones. The first is where a pool is.
    pub zones: &'static [&'static str],
}

/// Google's zones with an accelerator, from `catalogs/v8/gcp/vms.csv` of `github.com/skypilot-org/skypilot-catalog` (006059e0, read on
/// 2026-11-23). It has T4 in us-east1-b too, where dot-kubernetes (2026-02-28) found none. A region that is not here is not known; other
/// clouds find a zone by themselves.
#[rustfmt::skip]
pub const OFFERS: &[Offer] = &[
    Offer { region: "us-east1", accelerator: T4, zones: &["us-east1-c", "us-east1-d"] },
    Offer { region: "us-east1", accelerator: A100_40, zones: &["us-east1-b"] },
    Offer { region: "us-east1", accelerator: L4, zones: &["us-east1-b", "us-east1-c", "us-east1-d"] },
];

/// The zones of a region of Google with an accelerator. `None` when that is not known.
pub fn with_accelerator(region: &str, accelerator: &GpuModel) -> Option<&'static [&'static str]> {
    let offer = OFFERS.iter().find(|it| it.region == region && it.accelerator == *accelerator);
    offer.map(|it| it.zones)
}

/// The region of a cloud that clusters are in when nobody says another: where dot-kubernetes has them (2026-02-28).
pub const fn region(cloud: Cloud) -> &'static str {
    match cloud {
        Cloud::Aws => "us-east-1",
        Cloud::Azure => "eastus",
        Cloud::Google => "us-east1",
    }
}

/// The letters of the zones in which nodes are when nobody says others, as dot-kubernetes has them (2026-02-28). AWS and Google
/// name a zone after its region, each in its own way; nodes of Azure are in none.
pub const fn letters(cloud: Cloud) -> &'static [&'static str] {
    match cloud {
        Cloud::Aws => &["a", "b", "c"],
        Cloud::Azure => &[],
        // There is no us-east1-a, by the catalogue of `OFFERS`.
        Cloud::Google => &["-b", "-c", "-d"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_those_of_their_region() {
        for offer in OFFERS {
            assert!(offer.zones.iter().all(|zone| zone.starts_with(offer.region)), "{offer:?}");
        }
        assert_eq!(with_accelerator("us-east1", &T4), Some(["us-east1-c", "us-east1-d"].as_slice()));
        assert_eq!(with_accelerator("us-west1", &T4), None);
    }
}
