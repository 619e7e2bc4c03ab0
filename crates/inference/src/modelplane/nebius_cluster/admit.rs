//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Verdict};
use contract::types::{Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, AdmissionRule};

use super::read::definition;
use super::spec::NebiusClusterSpec;
use crate::clouds::resources::{NEBIUS_CLUSTER_CONFIGS, NEBIUS_CONFIGS, NEBIUS_FAMILY};
use crate::modelplane::platform::judge::{self, Judge, JudgedPool, advised_pools, refused_pools};

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[NEBIUS_CLUSTER_CONFIGS, NEBIUS_CONFIGS],
    defaults: || None,
    judges_deletion: false,
    policies: &judge::POLICIES,
    policy_variables: &[],
    rules: RULES,
};

const RULES: &[AdmissionRule] = &{
    // Nothing in it says where the cluster is: its credentials do.
    let [long, system, bounds, count, _, credentials, config] = judge::RULES;
    [long, system, bounds, count, credentials, config]
};

const JUDGE: Judge<NebiusClusterSpec> = Judge {
    definition,
    family: NEBIUS_FAMILY,
    credentials: |spec| spec.credentials.as_ref(),
    refused,
    misnamed: |_| None,
    advised: |cluster| advised_pools(pools(&cluster.spec)),
    fixed: |_| Vec::new(),
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    Ok(JUDGE.admit(request))
}

/// What is refused in a new cluster that another composite becomes.
pub fn refusals(cluster: &Value) -> Vec<Problem> {
    JUDGE.refusals(cluster)
}

fn pools(spec: &NebiusClusterSpec) -> impl Iterator<Item = JudgedPool<'_>> {
    spec.node_pools.iter().map(|pool| (pool.name.as_str(), pool.counts(), &[][..]))
}

/// What is refused.
pub(super) fn refused(spec: &NebiusClusterSpec) -> Vec<Problem> {
    refused_pools(pools(spec))
}
