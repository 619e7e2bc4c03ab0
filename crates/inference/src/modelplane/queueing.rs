//! Which scheduler admits the pods of a cluster, besides Kubernetes itself.

use serde_json::Value;

/// What admits pods on a cluster, besides Kubernetes itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queueing {
    /// Nothing.
    #[default]
    None,
    /// The scheduler KAI. It makes the PodGroups of gangs by itself, so none are composed.
    Kai,
    /// Kueue. It holds pods by scheduling gates. `suspend` is its own, and never composed.
    Kueue,
}

impl Queueing {
    /// The scheduler of an InferenceCluster. One that does not say so has no queues.
    pub fn of_cluster(cluster: &Value) -> Self {
        Self::of(cluster["spec"]["scheduler"]["type"].as_str().unwrap_or_default())
    }

    /// A scheduler, by both spellings. `auto` is settled where the cluster is set up, so it adds nothing.
    pub fn of(scheduler: &str) -> Self {
        match scheduler {
            "managed-kai" | "kai" | "KAI" => Self::Kai,
            "managed-kueue" | "kueue" | "Kueue" => Self::Kueue,
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedulers() {
        #[track_caller]
        fn check(scheduler: &str, want: Queueing) {
            assert_eq!(Queueing::of(scheduler), want, "{scheduler}");
        }
        for kai in ["managed-kai", "kai", "KAI"] {
            check(kai, Queueing::Kai);
        }
        for kueue in ["managed-kueue", "kueue", "Kueue"] {
            check(kueue, Queueing::Kueue);
        }
        for none in ["none", "None", "auto", "", "volcano"] {
            check(none, Queueing::None);
        }
    }
}
