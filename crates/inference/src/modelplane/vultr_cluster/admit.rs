//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Verdict};
use contract::types::{Fault, Problem};
use serde_json::Value;
use toolbox::kind::AdmissionRow;

use super::read::definition;
use super::spec::VultrClusterSpec;
use crate::clouds::resources::{VULTR_CLUSTER_CONFIGS, VULTR_CONFIGS, VULTR_FAMILY};
use crate::modelplane::platform::judge::{self, Judge, JudgedPool, advised_pools, refused_pools};

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[VULTR_CLUSTER_CONFIGS, VULTR_CONFIGS],
    defaults: || None,
    judges_deletion: false,
    policies: &judge::POLICIES,
    policy_variables: &[],
    rules: &judge::RULES,
};

const JUDGE: Judge<VultrClusterSpec> = Judge {
    definition,
    family: VULTR_FAMILY,
    credentials: |spec| spec.credentials.as_ref(),
    refused,
    misnamed: |_| None,
    advised: |cluster| advised_pools(pools(&cluster.spec)),
    fixed: |spec| vec![("spec.region", spec.region.clone())],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    Ok(JUDGE.admit(request))
}

/// What is refused in a new cluster that another composite becomes.
pub fn refusals(cluster: &Value) -> Vec<Problem> {
    JUDGE.refusals(cluster)
}

fn pools(spec: &VultrClusterSpec) -> impl Iterator<Item = JudgedPool<'_>> {
    spec.node_pools.iter().map(|pool| (pool.name.as_str(), pool.counts(), &[][..]))
}

/// What is refused.
pub(super) fn refused(spec: &VultrClusterSpec) -> Vec<Problem> {
    refused_pools(pools(spec))
}
