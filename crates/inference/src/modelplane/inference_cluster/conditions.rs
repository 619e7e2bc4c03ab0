//! The conditions of a cluster.

use contract::types::ConditionStatus::{False, True};
use toolbox::conditions::{ConditionRow, note, warning};

/// All conditions with all of their reasons, also for documentation.
pub(super) const CONDITIONS: &[ConditionRow] = &[
    CLUSTER_RUNNING,
    PROVISIONING,
    WAITING_FOR_CLASSES,
    INVALID_NODE_POOL,
    MISSING_CONFIGURATION,
    SOURCE_CHANGED,
    OPTION_IGNORED,
    OPTIONS_FIT,
    DELETION_HELD,
    BACKEND_HEALTHY,
    INSTALLING,
    WAITING_FOR_CLUSTER,
];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(in super::super) const CLUSTER_RUNNING: ConditionRow = note("ClusterReady", True, "ClusterRunning", "the cluster is there");
    pub(in super::super) const PROVISIONING: ConditionRow = note("ClusterReady", False, "Provisioning", "the cloud makes the cluster");
    pub(in super::super) const WAITING_FOR_CLASSES: ConditionRow = note("ClusterReady", False, "WaitingForClasses", "a class of its pools does not exist; what runs stays as it is");
    pub(in super::super) const INVALID_NODE_POOL: ConditionRow = warning("ClusterReady", False, "InvalidNodePool", "a pool cannot be made in the cloud; what runs stays as it is");
    pub(in super::super) const MISSING_CONFIGURATION: ConditionRow = warning("ClusterReady", False, "MissingConfiguration", "the block of the source is missing; what runs stays as it is");
    pub(in super::super) const SOURCE_CHANGED: ConditionRow = warning("ClusterReady", False, "SourceChanged", "the source is another one, whose cluster would take the place of this one; what runs stays as it is");
    pub(in super::super) const OPTION_IGNORED: ConditionRow = warning("NodePoolsFit", False, "OptionIgnored", "the cluster runs with a pool that has an option which its source does not have, or numbers of nodes that contradict each other");
    pub(in super::super) const OPTIONS_FIT: ConditionRow = note("NodePoolsFit", True, "Fit", "every option of every pool fits its source again");
    pub(in super::super) const DELETION_HELD: ConditionRow = warning("DeletionHeld", True, "InUse", "a deletion was tried, and replicas or caches hold it");
    pub(in super::super) const BACKEND_HEALTHY: ConditionRow = note("BackendReady", True, "BackendHealthy", "what serves models is installed");
    pub(in super::super) const INSTALLING: ConditionRow = note("BackendReady", False, "Installing", "what serves models is being installed");
    pub(in super::super) const WAITING_FOR_CLUSTER: ConditionRow = note("BackendReady", False, "WaitingForCluster", "what serves models is installed once the cluster is there");
}
pub(super) use rows::*;
