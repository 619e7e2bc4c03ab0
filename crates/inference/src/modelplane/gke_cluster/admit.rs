//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::Action::Deny;
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, AdmissionRule, rule};
use toolbox::policy::PolicyRule;

use super::read::definition;
use super::spec::GkeClusterSpec;
use crate::clouds::resources::{GCP_CLUSTER_CONFIGS, GCP_CONFIGS, GCP_FAMILY};
use crate::modelplane::platform::judge::{
    self, Judge, JudgedCluster, JudgedPool, advised_pools, ranges, refused_pools,
};
use crate::modelplane::platform::names;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[GCP_CLUSTER_CONFIGS, GCP_CONFIGS],
    defaults: || None,
    judges_deletion: false,
    policies: POLICIES,
    policy_variables: &[judge::ROOT_VARIABLE],
    rules: RULES,
};

#[rustfmt::skip]
const POLICIES: &[PolicyRule] = &{
    let [long, system, bounds] = judge::POLICIES;
    [
        long, system, bounds, judge::ZONES_POLICY,
        PolicyRule { action: Deny, only_new: true,
            holds: "size(variables.root) <= 17",
            says: "'Google refuses the name: at most 17 characters fit into the name of a service account, with those that Crossplane appends'" },
        PolicyRule { action: Deny, only_new: true,
            holds: "variables.root.matches('^([a-z]|$)')",
            says: "'Google refuses the name: it must begin with a letter'" },
    ]
};

#[rustfmt::skip]
const RULES: &[AdmissionRule] = &{
    let [long, system, bounds, count, place, credentials, config] = judge::RULES;
    [
        long, system, bounds, judge::ZONES_RULE, count, place, credentials, config,
        rule(Deny, "metadata.name", "a new name with more than 17 characters, or that of the InferenceCluster: Google's service accounts have 30, of which Crossplane appends 13", None),
        rule(Deny, "metadata.name", "a new name that does not begin with a letter", None),
        rule(Deny, "spec.networking", "ranges that are none, or that overlap, unless they are stored so", Some(ranges::BEYOND)),
    ]
};

const JUDGE: Judge<GkeClusterSpec> = Judge {
    definition,
    family: GCP_FAMILY,
    credentials: |spec| spec.credentials.as_ref(),
    refused,
    misnamed,
    advised: |cluster| advised_pools(pools(&cluster.spec)),
    fixed,
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    Ok(JUDGE.admit(request))
}

/// What is refused in a new cluster that another composite becomes.
pub fn refusals(cluster: &Value) -> Vec<Problem> {
    JUDGE.refusals(cluster)
}

/// What the cloud cannot change in place.
fn fixed(spec: &GkeClusterSpec) -> Vec<(&'static str, String)> {
    vec![
        ("spec.region", spec.region.clone()),
        ("spec.project", spec.project.clone().unwrap_or_default()),
        ("spec.networking", format!("{:?}", spec.networking.clone().unwrap_or_default())),
    ]
}

fn pools(spec: &GkeClusterSpec) -> impl Iterator<Item = JudgedPool<'_>> {
    spec.node_pools
        .iter()
        .map(|pool| (pool.name.as_str(), pool.size.counts(), pool.zones.as_deref().unwrap_or_default()))
}

/// What is refused.
pub(super) fn refused(spec: &GkeClusterSpec) -> Vec<Problem> {
    let networking = spec.networking.clone().unwrap_or_default();
    let field = |name: &str, what, text| (format!("spec.networking.{name}"), what, text);
    let mut problems = refused_pools(pools(spec));
    problems.extend(ranges::apart(&[
        field("nodeCidr", "nodes", networking.node_cidr.as_str()),
        field("podCidr", "pods", &networking.pod_cidr),
        field("serviceCidr", "Services", &networking.service_cidr),
    ]));
    problems
}

/// Its service account, cluster and pools are named after the root, with what Crossplane appends.
fn misnamed(cluster: &JudgedCluster<GkeClusterSpec>) -> Option<Problem> {
    names::refused_by_google(&cluster.root).map(|message| Problem::new("metadata.name", Code::Invalid, message))
}
