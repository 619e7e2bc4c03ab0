//! What the rules read.

use std::collections::BTreeMap;

use toolbox::rows::Named;

use super::spec::{EksClusterSpec, EksFabric, EksNetworking, EksNodePool};
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::names;
use crate::modelplane::platform::releases::{ShortNames, WithReleases};
use crate::modelplane::platform::tables::CloudCluster;
use crate::modelplane::subject::Subject;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct EksInputs {
    /// The composite.
    pub cluster: Subject<EksClusterSpec>,
    /// The credentials for AWS.
    pub credentials: Credentials,
    /// The zones, each with the ranges of its subnets.
    pub zones: Vec<EksZone>,
    /// The ranges of addresses.
    pub networking: EksNetworking,
    /// What was observed.
    pub seen: EksSeen,
    /// The names for Helm of Releases whose own would be too long.
    pub shortened: ShortNames,
}

/// A zone, with its subnets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EksZone {
    /// Its name at AWS.
    pub name: String,
    /// The range of the public subnet.
    pub public: String,
    /// The range of the private subnet, where nodes are.
    pub private: String,
}

/// What was observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EksSeen {
    /// Whether the control plane is observed.
    pub has_cluster: bool,
    /// The file system for ModelCaches, as AWS calls it.
    pub file_system: Option<String>,
    /// The security group of Elastic Fabric Adapter.
    pub efa_group: Option<String>,
    /// The security group that EKS has made for the cluster.
    pub cluster_group: Option<String>,
    /// The security groups of each launch template, by its composition resource name.
    pub template_groups: BTreeMap<String, Vec<String>>,
    /// The descriptions of security groups, by their composition resource names.
    pub descriptions: BTreeMap<String, String>,
}

impl EksInputs {
    /// Name of the cluster in AWS.
    pub fn cluster_name(&self) -> String {
        names::cloud_cluster(&self.cluster.namespace, &self.cluster.name, "eks")
    }

    /// The pools of the composite.
    pub fn pools(&self) -> &[EksNodePool] {
        &self.cluster.spec.node_pools
    }

    /// Whether any pool has Elastic Fabric Adapter.
    pub fn has_efa(&self) -> bool {
        self.pools().iter().any(EksNodePool::has_efa)
    }

    /// The security groups of the interfaces in a launch template: that of Elastic Fabric Adapter, then that of the cluster. One that
    /// cannot be read is as the template has it.
    pub fn security_groups(&self, template: &str) -> Vec<&str> {
        let seen = &self.seen;
        let has: Vec<&str> = seen.template_groups.get(template).into_iter().flatten().map(String::as_str).collect();
        let other = |known: &str| has.iter().copied().find(|group| *group != known);
        match (seen.efa_group.as_deref(), seen.cluster_group.as_deref()) {
            (None, None) => has,
            (efa, cluster) => {
                let first = efa.or_else(|| other(cluster.unwrap_or_default()));
                let second = cluster.or_else(|| other(efa.unwrap_or_default()));
                first.into_iter().chain(second).collect()
            }
        }
    }
}

impl EksNodePool {
    /// Whether it has Elastic Fabric Adapter.
    pub fn has_efa(&self) -> bool {
        self.fabric == EksFabric::Efa
    }

    /// Whether its nodes are made by a launch template: they need more than a node group can say.
    pub fn has_template(&self) -> bool {
        self.capacity_block.is_some() || self.has_efa()
    }
}

impl Named for EksInputs {
    fn name(&self) -> &str {
        &self.cluster.name
    }
}

impl CloudCluster for EksInputs {
    fn namespace(&self) -> &str {
        &self.cluster.namespace
    }

    fn credentials(&self) -> &Credentials {
        &self.credentials
    }
}

impl WithReleases for EksInputs {
    fn shortened(&self) -> &ShortNames {
        &self.shortened
    }
}

/// The zones of a region that have subnets: the first letters.
pub fn zones<'r>(region: &'r str, networking: &EksNetworking) -> impl Iterator<Item = String> + use<'r> {
    ('a'..='z').take(networking.subnet_cidrs.len()).map(move |letter| format!("{region}{letter}"))
}

/// The range of the private subnet beside a public one: its third number is larger by 48, as in Modelplane v0.3.1. Above 207 it is no
/// range any more. `None` when there is no third number.
pub fn private_range(public: &str) -> Option<String> {
    let mut numbers = public.splitn(4, '.');
    let (first, second, third, rest) = (numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?);
    let third: u32 = third.parse().ok().filter(|third| *third < 1000)?;
    Some(format!("{first}.{second}.{}.{rest}", third + 48))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_ranges() {
        let check = |public, want: Option<&str>| assert_eq!(private_range(public).as_deref(), want, "{public}");
        check("10.0.0.0/20", Some("10.0.48.0/20"));
        check("10.0.16.0/20", Some("10.0.64.0/20"));
        check("10.0.32.0/20", Some("10.0.80.0/20"));
        check("10.0.207.0/24", Some("10.0.255.0/24"));
        check("10.0.255.0/24", Some("10.0.303.0/24"));
        check("10.0.0.0/33", Some("10.0.48.0/33"));
        check("", None);
        check("10.0.0/20", None);
        check("10.0.x.0/20", None);
        check("10.0.99999999999.0/20", None);
    }

    #[test]
    fn zones_are_the_first_letters() {
        let networking =
            |count: usize| EksNetworking { subnet_cidrs: vec![String::new(); count], ..EksNetworking::default() };
        let of = |count| zones("us-west-2", &networking(count)).collect::<Vec<_>>();
        assert_eq!(of(2), ["us-west-2a", "us-west-2b"]);
        assert_eq!(of(6).last().map(String::as_str), Some("us-west-2f"));
        assert_eq!(zones("eu-north-1", &EksNetworking::default()).count(), 3);
    }
}
