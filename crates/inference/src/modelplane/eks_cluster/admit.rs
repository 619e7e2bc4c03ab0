//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Verdict};
use contract::catalog::Action::Deny;
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, AdmissionRule, rule};
use toolbox::policy::{PolicyRule, deny};

use super::inputs::private_range;
use super::places::odd;
use super::read::definition;
use super::spec::{EksClusterSpec, EksNetworking};
use crate::clouds::fabrics::lacks_efa;
use crate::clouds::resources::{AWS_CLUSTER_CONFIGS, AWS_CONFIGS, AWS_FAMILY};
use crate::modelplane::platform::judge::{self, Judge, JudgedPool, advised_pools, ranges, refused_pools};

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[AWS_CLUSTER_CONFIGS, AWS_CONFIGS],
    defaults: || None,
    judges_deletion: false,
    policies: POLICIES,
    policy_variables: &[],
    rules: RULES,
};

#[rustfmt::skip]
const POLICIES: &[PolicyRule] = &{
    let [long, system, bounds] = judge::POLICIES;
    let efa = deny(
        "object.spec.nodePools.all(p, p.fabric != 'EFA' || !(p.instanceType in ['g4dn.xlarge', 'g5.xlarge', 'g5.2xlarge', 'g6.xlarge', 'g6.2xlarge', 'g6e.xlarge']) || request.operation == 'UPDATE' && oldObject.spec.nodePools.exists(o, o.name == p.name && o.fabric == 'EFA' && o.instanceType == p.instanceType))",
        "'the instance type of a pool has no Elastic Fabric Adapter'",
    );
    [long, system, bounds, judge::ZONES_POLICY, efa]
};

#[rustfmt::skip]
const RULES: &[AdmissionRule] = &{
    let [long, system, bounds, count, place, credentials, config] = judge::RULES;
    [
        long, system, bounds, judge::ZONES_RULE, count, place, credentials, config,
        rule(Deny, "spec.nodePools[].fabric", "Elastic Fabric Adapter with an instance type that is known to have none, unless it is stored so", None),
        rule(Deny, "spec.networking", "ranges that are none, that overlap, or that are not in that of the network, unless they are stored so; private subnets have ranges too", Some(ranges::BEYOND)),
        rule(Deny, "spec.nodePools[].zones", "a zone without a subnet, unless it is stored so", Some(DEFAULTS)),
    ]
};

const DEFAULTS: &str = "absent ranges have defaults, and zones follow from them";

const JUDGE: Judge<EksClusterSpec> = Judge {
    definition,
    family: AWS_FAMILY,
    credentials: |spec| spec.credentials.as_ref(),
    refused,
    misnamed: |_| None,
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
fn fixed(spec: &EksClusterSpec) -> Vec<(&'static str, String)> {
    vec![
        ("spec.region", spec.region.clone()),
        ("spec.networking", format!("{:?}", spec.networking.clone().unwrap_or_default())),
    ]
}

fn pools(spec: &EksClusterSpec) -> impl Iterator<Item = JudgedPool<'_>> {
    spec.node_pools
        .iter()
        .map(|pool| (pool.name.as_str(), pool.size.counts(), pool.zones.as_deref().unwrap_or_default()))
}

/// What is refused.
pub(super) fn refused(spec: &EksClusterSpec) -> Vec<Problem> {
    let mut problems = refused_pools(pools(spec));
    for (index, pool) in spec.node_pools.iter().enumerate().filter(|(_, pool)| pool.has_efa()) {
        let message = format!("pool `{}` gets no Elastic Fabric Adapter: `{}` has none", pool.name, pool.instance_type);
        let lacks = lacks_efa(&pool.instance_type);
        let problem = || Problem::new(format!("spec.nodePools[{index}].fabric"), Code::NotSupported, message);
        problems.extend(lacks.then(problem));
    }
    problems.extend(refused_ranges(&spec.networking.clone().unwrap_or_default()));
    problems.extend(odd(spec).into_iter().map(|(path, words)| Problem::new(path, Code::Invalid, words)));
    problems
}

fn refused_ranges(networking: &EksNetworking) -> Vec<Problem> {
    let whole = ("spec.networking.vpcCidr".to_owned(), "the network", networking.vpc_cidr.as_str());
    let at = |index: usize| format!("spec.networking.subnetCidrs[{index}]");
    let private: Vec<String> = networking.subnet_cidrs.iter().filter_map(|public| private_range(public)).collect();
    let ours =
        networking.subnet_cidrs.iter().enumerate().map(|(index, text)| (at(index), "a public subnet", text.as_str()));
    // Ranges that are none are the problem of the public ones that they come from.
    let theirs = private.iter().enumerate().filter(|(_, text)| ranges::Range::of(text).is_some());
    let theirs = theirs.map(|(index, text)| (at(index), "a private subnet", text.as_str()));
    let subnets: Vec<_> = ours.chain(theirs).collect();
    let mut problems = ranges::apart(std::slice::from_ref(&whole));
    problems.extend(ranges::apart(&subnets));
    problems.extend(ranges::within(&whole, &subnets));
    problems
}
