//! Ranges and zones that cannot work together.

use super::inputs::{private_range, zones};
use super::spec::EksClusterSpec;
use crate::modelplane::platform::judge::ranges::Range;

/// What cannot work: the field, and why.
pub(super) fn odd(spec: &EksClusterSpec) -> Vec<(String, String)> {
    let networking = spec.networking.clone().unwrap_or_default();
    let zones: Vec<String> = zones(&spec.region, &networking).collect();
    let mut odd = Vec::new();
    for (index, (public, zone)) in networking.subnet_cidrs.iter().zip(&zones).enumerate() {
        let private =
            private_range(public).filter(|private| Range::of(public).is_some() && Range::of(private).is_none());
        let words = |private: String| {
            format!(
                "the private subnet of {zone} would have the range `{private}`, which is none: it is `{public}` with 48 more in \
                 the third number, so that is at most 207"
            )
        };
        odd.extend(private.map(words).map(|words| (format!("spec.networking.subnetCidrs[{index}]"), words)));
    }
    for (index, pool) in spec.node_pools.iter().enumerate() {
        let without = pool.zones.iter().flatten().find(|zone| !zones.contains(zone));
        let words = |zone: &String| {
            format!(
                "pool `{}` is in zone `{zone}`, which has no subnet: {} have one, as many as an EKSCluster has spec.networking.subnetCidrs",
                pool.name,
                zones.join(", ")
            )
        };
        odd.extend(without.map(words).map(|words| (format!("spec.nodePools[{index}].zones"), words)));
    }
    odd
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn odd_places() {
        #[track_caller]
        fn check(ranges: &[&str], zones: &[&str], want: &[&str]) {
            let pool = json!({"name": "a", "role": "System", "instanceType": "m6i.large", "zones": zones});
            let networking = json!({"vpcCidr": "10.0.0.0/16", "subnetCidrs": ranges});
            let spec = json!({"region": "us-west-2", "networking": networking, "nodePools": [pool]});
            let spec: EksClusterSpec = serde_json::from_value(spec).expect("a spec");
            let paths: Vec<_> = odd(&spec).into_iter().map(|it| it.0).collect();
            assert_eq!(paths, want);
        }
        check(&["10.0.0.0/20", "10.0.16.0/20"], &["us-west-2a", "us-west-2b"], &[]);
        check(&["10.0.0.0/20", "10.0.16.0/20"], &["us-west-2a", "us-west-2c"], &["spec.nodePools[0].zones"]);
        check(&["10.0.0.0/20", "10.0.208.0/20"], &[], &["spec.networking.subnetCidrs[1]"]);
        check(&["10.0.255.0/24", "10.0.207.0/24"], &[], &["spec.networking.subnetCidrs[0]"]);
        // What is no range at all is another matter.
        check(&["odd", "10.0.0.0/33"], &[], &[]);
    }
}
