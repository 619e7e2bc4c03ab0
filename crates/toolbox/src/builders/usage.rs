//! Usages of Crossplane: an object cannot be deleted while another one uses it. Cluster-scoped objects need a
//! ClusterUsage.

use serde_json::{Value, json};

use super::selectors;
use crate::resources::{CLUSTER_USAGE, USAGE};
use crate::rule::Plan;

/// Path of the protected object.
pub const OF: &str = "spec.of";

/// Path of the object that uses it.
pub const BY: &str = "spec.by";

/// Path of the reason for the protection, when no object uses it.
pub const REASON: &str = "spec.reason";

/// Path of the switch for repeating a refused deletion after the usage ends.
pub const REPLAY_DELETION: &str = "spec.replayDeletion";

/// The plan of a Usage, to add rules to.
pub fn usage() -> Plan {
    Plan::of_kind(USAGE)
}

/// The plan of a ClusterUsage, to add rules to.
pub fn cluster_usage() -> Plan {
    Plan::of_kind(CLUSTER_USAGE)
}

/// The object with this name, for [`OF`] or [`BY`].
pub fn named((api_version, kind): (&str, &str), name: &str) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "resourceRef": {"name": name}})
}

/// The object of the same composite with these labels, for [`OF`] or [`BY`].
pub fn selected((api_version, kind): (&str, &str), labels: &[(&str, &str)]) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "resourceSelector": selectors::same_composite(labels)})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use crate::resources::RELEASE;
    use crate::rule::{Rule, constant, rule};

    const CONFIG: (&str, &str) = (RELEASE.0, "ProviderConfig");

    #[rustfmt::skip]
    const RULES: &[Rule<&str>] = &[
        rule(OF, "the release is deleted with it", &[], |name| Some(named(CONFIG, name))),
        rule(BY, "the release", &[], |name| Some(selected(RELEASE, &[("example.org/release", name)]))),
        constant(REPLAY_DELETION, "nobody else would try again", data!(true)),
    ];

    #[test]
    fn usages() {
        let api_version = RELEASE.0;
        let labels = json!({"example.org/release": "net"});
        let spec = json!({
            "of": {"apiVersion": api_version, "kind": "ProviderConfig", "resourceRef": {"name": "net"}},
            "by": {
                "apiVersion": api_version, "kind": "Release",
                "resourceSelector": {"matchControllerRef": true, "matchLabels": labels},
            },
            "replayDeletion": true,
        });
        let want = |kind| json!({"apiVersion": "protection.crossplane.io/v1beta1", "kind": kind, "spec": spec});
        assert_eq!(*usage().and(RULES, &"net").object(), want("Usage"));
        assert_eq!(*cluster_usage().and(RULES, &"net").object(), want("ClusterUsage"));
    }
}
