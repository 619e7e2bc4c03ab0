//! Usages: an object is not deleted while another one uses it. What has no namespace is protected by a ClusterUsage
//! alone.

use serde_json::{Value, json};

use super::selectors;
use crate::names::{CLUSTER_USAGE, USAGE};
use crate::rule::Plan;

/// Path of what is protected.
pub const OF: &str = "spec.of";

/// Path of what uses it.
pub const BY: &str = "spec.by";

/// Path of why it is protected, where nothing uses it.
pub const REASON: &str = "spec.reason";

/// Path of whether a deletion that was refused is tried again at the end of the usage.
pub const REPLAY_DELETION: &str = "spec.replayDeletion";

/// The start of a Usage.
pub fn usage() -> Plan {
    Plan::of_kind(USAGE)
}

/// The start of a ClusterUsage.
pub fn cluster_usage() -> Plan {
    Plan::of_kind(CLUSTER_USAGE)
}

/// The object of that API version and kind with this name.
pub fn named((api_version, kind): (&str, &str), name: &str) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "resourceRef": {"name": name}})
}

/// The object of that API version and kind that the same composite has, and that has these labels.
pub fn selected((api_version, kind): (&str, &str), labels: &[(&str, &str)]) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "resourceSelector": selectors::controlled(labels)})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use crate::names::RELEASE;
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
