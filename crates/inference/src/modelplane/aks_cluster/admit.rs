//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, AdmissionRule, rule};
use toolbox::policy::PolicyRule;

use super::derive::{PODS, SERVICES};
use super::read::definition;
use super::spec::{AksClusterSpec, AksFabric};
use crate::clouds::fabrics::has_infiniband;
use crate::clouds::resources::{AZURE_CLUSTER_CONFIGS, AZURE_CONFIGS, AZURE_FAMILY};
use crate::modelplane::platform::judge::{
    self, Judge, JudgedCluster, JudgedPool, advised_pools, ranges, refused_pools,
};
use crate::modelplane::platform::names;
use crate::modelplane::platform::pools::PoolRole;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[AZURE_CLUSTER_CONFIGS, AZURE_CONFIGS],
    defaults: || None,
    judges_deletion: false,
    policies: POLICIES,
    policy_variables: &[],
    rules: RULES,
};

#[rustfmt::skip]
const POLICIES: &[PolicyRule] = &{
    let [long, system, bounds] = judge::POLICIES;
    // Between namespace, name, the ending `aks` and the hash there are hyphens.
    let prefix = PolicyRule { action: Deny, only_new: true, holds: "size(object.metadata.namespace) + size(variables.name) + 11 <= 54",
        says: "'Azure refuses the prefix in DNS: 54 characters fit, which are namespace, name and 11 more; choose a shorter name'" };
    [long, system, bounds, judge::ZONES_POLICY, prefix]
};

#[rustfmt::skip]
const RULES: &[AdmissionRule] = &{
    let [long, system, bounds, count, place, credentials, config] = judge::RULES;
    [
        long, system, bounds, judge::ZONES_RULE, count, place, credentials, config,
        rule(Deny, "metadata.name", "a new name with more characters than fit: Azure takes 54 for the prefix in DNS, which has namespace, name and 11 more", None),
        rule(Deny, "spec.networking", "ranges that are none, a subnet that is not in that of the network, and a network that overlaps those of pods and Services, unless they are stored so", Some(ranges::BEYOND)),
        rule(Warn, "spec.nodePools[].minNodeCount", "a pool with GPUs that may be empty: the autoscaler of AKS makes no first node for claimed devices", Some(NAMED)),
        rule(Warn, "spec.nodePools[].fabric", "InfiniBand with a size of machines whose name says that it has none", Some(NAMED)),
    ]
};

const NAMED: &str = "the message names the pool";

const JUDGE: Judge<AksClusterSpec> = Judge {
    definition,
    family: AZURE_FAMILY,
    credentials: |spec| spec.credentials.as_ref(),
    refused,
    misnamed,
    advised,
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
fn fixed(spec: &AksClusterSpec) -> Vec<(&'static str, String)> {
    vec![
        ("spec.location", spec.location.clone()),
        ("spec.networking", format!("{:?}", spec.networking.clone().unwrap_or_default())),
    ]
}

fn pools(spec: &AksClusterSpec) -> impl Iterator<Item = JudgedPool<'_>> {
    spec.node_pools
        .iter()
        .map(|pool| (pool.name.as_str(), pool.size.counts(), pool.zones.as_deref().unwrap_or_default()))
}

/// What is refused.
pub(super) fn refused(spec: &AksClusterSpec) -> Vec<Problem> {
    let networking = spec.networking.clone().unwrap_or_default();
    let field = |name: &str, what, text| (format!("spec.networking.{name}"), what, text);
    let whole = field("vnetCidr", "the network", networking.vnet_cidr.as_str());
    let subnet = field("subnetCidr", "nodes", &networking.subnet_cidr);
    let mut problems = refused_pools(pools(spec));
    problems.extend(ranges::apart(&[field("", "pods", PODS), field("", "Services", SERVICES), whole.clone()]));
    problems.extend(ranges::apart(std::slice::from_ref(&subnet)));
    problems.extend(ranges::within(&whole, &[subnet]));
    problems
}

fn misnamed(cluster: &JudgedCluster<AksClusterSpec>) -> Option<Problem> {
    let message = names::refused_by_azure(&cluster.namespace, &cluster.name)?;
    Some(Problem::new("metadata.name", Code::Invalid, message))
}

fn advised(cluster: &JudgedCluster<AksClusterSpec>) -> Vec<Problem> {
    let mut problems = advised_pools(pools(&cluster.spec));
    for (index, pool) in cluster.spec.node_pools.iter().enumerate() {
        let (name, size) = (&pool.name, &pool.vm_size);
        let mut warn = |field: &str, message: String| {
            problems.push(Problem::new(format!("spec.nodePools[{index}].{field}"), Code::Invalid, message));
        };
        if pool.role == PoolRole::Gpu && pool.size.min_node_count == 0 {
            let words = format!(
                "pool `{name}` may be empty, and then stays so: the autoscaler of AKS makes no first node for devices that pods claim"
            );
            warn("minNodeCount", words);
        }
        if pool.fabric == AksFabric::InfiniBand && !has_infiniband(size) {
            warn(
                "fabric",
                format!("pool `{name}` gets no InfiniBand: the name of `{size}` has no `r`, as those have that do"),
            );
        }
    }
    problems
}
