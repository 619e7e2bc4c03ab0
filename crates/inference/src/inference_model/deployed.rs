//! What the observed Deployment of a model says.

use budget::activity::LAST_REQUEST;
use budget::pool;
use serde_json::Value;
use toolbox::path;

/// The annotation that marks a Deployment whose model has a reservation. Its value is the time of the claim, with
/// ` confirmed` once it is.
pub const CLAIMED_AT: &str = "inference.eh-ops.io/claimed-at";
/// The annotation with the memory that something has seen in use.
pub const OBSERVED_MEMORY: &str = "inference.eh-ops.io/observed-memory";

/// What an observed Deployment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeployedModel<'a> {
    /// The pods that there should be.
    pub desired: i64,
    /// The pods that there are.
    pub replicas: i64,
    /// The pods that are ready.
    pub ready: i64,
    /// The pods that are not available.
    pub unavailable: i64,
    /// The pods of its latest change.
    updated: i64,
    /// The pods that are going.
    terminating: i64,
    /// Whether it says so about an earlier generation of itself.
    lags: bool,
    /// The mark of a reservation.
    pub mark: Option<&'a str>,
    /// The stamps of requests, on the Deployment and on its pods.
    pub stamps: Vec<&'a str>,
    /// The memory that something has seen in use.
    pub observed_memory: Option<&'a str>,
    /// The labels of the nodes where its pods run.
    pub node_selector: Option<&'a Value>,
}

impl<'a> DeployedModel<'a> {
    /// Reads an observed Deployment. What it does not say is 0.
    pub fn of(deployment: &'a Value) -> Self {
        let number = |path: &str| deployment.pointer(path).and_then(Value::as_i64).unwrap_or_default();
        let count = |path: &str| number(path).max(0);
        let annotation = |at: &str, name: &str| path::get(deployment, at)?.get(name)?.as_str();
        let stamps = ["metadata.annotations", "spec.template.metadata.annotations"];
        Self {
            desired: count("/spec/replicas"),
            replicas: count("/status/replicas"),
            ready: count("/status/readyReplicas"),
            unavailable: count("/status/unavailableReplicas"),
            updated: count("/status/updatedReplicas"),
            terminating: count("/status/terminatingReplicas"),
            lags: number("/status/observedGeneration") < number("/metadata/generation"),
            mark: annotation("metadata.annotations", CLAIMED_AT),
            stamps: stamps.into_iter().filter_map(|at| annotation(at, LAST_REQUEST)).collect(),
            observed_memory: annotation("metadata.annotations", OBSERVED_MEMORY),
            node_selector: path::get(deployment, "spec.template.spec.nodeSelector"),
        }
    }

    /// Whether its pods were told to go, and are gone. Where the cluster does not report pods that are going, their last seconds
    /// are not seen.
    pub fn is_gone(&self) -> bool {
        self.desired == 0 && !self.lags && self.replicas == 0 && self.terminating == 0
    }

    /// Whether all of its pods are of its latest change, and those before are gone.
    pub fn is_rolled_out(&self) -> bool {
        !self.lags && self.replicas <= self.updated && self.updated >= self.desired && self.terminating == 0
    }

    /// The key of the pool where its pods run.
    pub fn pool(&self) -> Option<String> {
        let labels = self.node_selector?.as_object()?;
        let pairs = labels.iter().filter_map(|(label, value)| Some((label.as_str(), value.as_str()?)));
        Some(pool::key(pairs))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pods_that_are_gone() {
        #[track_caller]
        fn check(spec: Value, status: Value, gone: bool, rolled_out: bool) {
            let deployment = json!({"metadata": {"generation": 3}, "spec": spec, "status": status});
            let deployed = DeployedModel::of(&deployment);
            assert_eq!((deployed.is_gone(), deployed.is_rolled_out()), (gone, rolled_out));
        }
        let zero = || json!({"replicas": 0});
        check(zero(), json!({"observedGeneration": 3}), true, true);
        check(zero(), json!({"observedGeneration": 2}), false, false);
        check(zero(), json!({"observedGeneration": 3, "replicas": 1}), false, false);
        check(zero(), json!({"observedGeneration": 3, "terminatingReplicas": 1}), false, false);
        let one = || json!({"replicas": 1});
        check(one(), json!({"observedGeneration": 3}), false, false);
        check(one(), json!({"observedGeneration": 3, "replicas": 1, "updatedReplicas": 1}), false, true);
        check(one(), json!({"observedGeneration": 3, "replicas": 2, "updatedReplicas": 1}), false, false);
        check(json!({"replicas": -1}), json!({"observedGeneration": 3, "replicas": -1}), true, true);
    }
}
