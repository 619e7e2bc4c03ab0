//! The network and the identities of a cluster on AWS. Azure and Google Cloud make them with the cluster.

use serde_json::{Value, json};
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rule::{Rule, constant, rule};

use super::kinds::{
    IAM_ROLES, INTERNET_GATEWAYS, MAIN_ROUTE_TABLE_ASSOCIATIONS, ROLE_POLICY_ATTACHMENTS, ROUTE_TABLE_ASSOCIATIONS,
    ROUTE_TABLES, ROUTES, SECURITY_GROUP_RULES, SECURITY_GROUPS, SUBNETS, VPCS,
};
use super::parts::{ClusterPart, Each, IN_CLOUD, NAME, ObjectRow, REGION, SAME, region, with_role};
use crate::clouds::{Cloud, aws};
use crate::gpu_cluster::inputs::ClusterInputs;
use crate::gpu_cluster::options::EbsRights;

/// What AWS has for a cluster besides the cluster.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, VPC)], ..ObjectRow::of(&VPCS, "vpc-nodepool", "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, SECURITY_GROUP), (FOR_PROVIDER, IN_VPC)], ..ObjectRow::of(&SECURITY_GROUPS, "sg-nodepool", "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, SECURITY_GROUP_RULE)], ..ObjectRow::of(&SECURITY_GROUP_RULES, "securityGroupRule", "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)], ..ObjectRow::of(&INTERNET_GATEWAYS, "gateway", "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)], ..ObjectRow::of(&ROUTE_TABLES, "routeTable", "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, ROUTE), (FOR_PROVIDER, OF_ROUTE_TABLE)], ..ObjectRow::of(&ROUTES, "route", "{n}") },
    ObjectRow { exists: aws, tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_ROUTE_TABLE), (FOR_PROVIDER, IN_VPC)], ..ObjectRow::of(&MAIN_ROUTE_TABLE_ASSOCIATIONS, "mainRouteTableAssociation", "{n}") },
    ObjectRow { exists: aws, each: Each::Found(zones), tables: &[("", IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_ROUTE_TABLE), (FOR_PROVIDER, OF_SUBNET)], ..ObjectRow::of(&ROUTE_TABLE_ASSOCIATIONS, "routeTableAssociation{e}", "{n}-{e}") },
    ObjectRow { exists: aws, each: Each::Found(zones), tables: &[("", IN_CLOUD), ("metadata", PUBLIC), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, SUBNET), (FOR_PROVIDER, IN_VPC)], ..ObjectRow::of(&SUBNETS, "subnet-nodepool-{e}", "{n}-{e}") },
    ObjectRow { exists: aws, each: Each::Of(&[("controlplane", &[aws::EKS]), ("nodegroup", &[aws::EC2])]), tables: &[("", IN_CLOUD), ("metadata", ROLE_LABEL), (FOR_PROVIDER, ROLE)], ..ObjectRow::of(&IAM_ROLES, "iamrole-{e}", "{n}-{e}") },
    ObjectRow { exists: aws, each: Each::Of(ATTACHMENTS), tables: &[("", IN_CLOUD), (FOR_PROVIDER, ATTACHMENT)], ..ObjectRow::of(&ROLE_POLICY_ATTACHMENTS, "iamattachment-{e}", "{n}-{e}") },
    ObjectRow { exists: pod_identity, each: Each::Of(&[("ebs", &[aws::PODS, aws::TAG_SESSION])]), tables: &[("", IN_CLOUD), ("metadata", ROLE_LABEL), (FOR_PROVIDER, ROLE)], ..ObjectRow::of(&IAM_ROLES, "iamrole-{e}", "{n}-{e}") },
    ObjectRow { exists: pod_identity, each: Each::Of(&[("ebs", &["ebs", "service-role/AmazonEBSCSIDriverPolicy"])]), tables: &[("", IN_CLOUD), (FOR_PROVIDER, ATTACHMENT)], ..ObjectRow::of(&ROLE_POLICY_ATTACHMENTS, "iamattachment-{e}", "{n}-{e}") },
];

/// Policies for roles: each with the role, and the policy after the prefix of AWS' own.
const ATTACHMENTS: &[(&str, &[&str])] = &[
    ("controlplane", &["controlplane", aws::CLUSTER_POLICY]),
    ("service", &["controlplane", "AmazonEKSServicePolicy"]),
    ("worker", &["nodegroup", aws::WORKER_NODE_POLICY]),
    ("cni", &["nodegroup", aws::CNI_POLICY]),
    ("registry", &["nodegroup", aws::REGISTRY_POLICY]),
];

/// What all objects of EC2 and EKS have.
#[rustfmt::skip]
pub const IN_REGION: &[Rule<ClusterPart>] = &[
    rule("region", "the region, else the usual one", REGION, region),
];

#[rustfmt::skip]
pub(super) const VPC: &[Rule<ClusterPart>] = &[
    constant("cidrBlock", "always: room for 256 subnets", data!("10.0.0.0/16")),
    constant("enableDnsSupport", "always: nodes find the control plane by name", data!(true)),
];

#[rustfmt::skip]
pub(super) const IN_VPC: &[Rule<ClusterPart>] = &[
    constant("vpcIdSelector", "always: the cluster's network", SAME),
];

#[rustfmt::skip]
pub(super) const OF_ROUTE_TABLE: &[Rule<ClusterPart>] = &[
    constant("routeTableIdSelector", "always: the cluster's route table", SAME),
];

#[rustfmt::skip]
pub(super) const SECURITY_GROUP: &[Rule<ClusterPart>] = &[
    rule("name", "the cluster", NAME, |p| Some(json!(p.of.name))),
    // AWS cannot change it, so live groups would be made anew.
    constant("description", "always", data!("Cluster communication with worker nodes")),
];

#[rustfmt::skip]
pub(super) const SECURITY_GROUP_RULE: &[Rule<ClusterPart>] = &[
    constant("type", "always: nodes reach everything", data!("egress")),
    constant("fromPort", "always: every port", data!(0)),
    constant("toPort", "always: every port", data!(0)),
    constant("protocol", "always: every protocol", data!("-1")),
    constant("cidrBlocks", "always: every address", data!(["0.0.0.0/0"])),
    // As live rules have it: AWS would make the rule anew for another.
    constant("description", "always", data!("I am too lazy to write descriptions")),
    constant("securityGroupIdSelector", "always: the cluster's security group", SAME),
];

#[rustfmt::skip]
pub(super) const ROUTE: &[Rule<ClusterPart>] = &[
    constant("destinationCidrBlock", "always: every address", data!("0.0.0.0/0")),
    constant("gatewayIdSelector", "always: the cluster's gateway", SAME),
];

#[rustfmt::skip]
pub(super) const OF_SUBNET: &[Rule<ClusterPart>] = &[
    rule("subnetIdSelector", "the subnet of zone `{it}`", ZONES, |p| Some(json!({"matchControllerRef": true, "matchLabels": labels(p)}))),
];

#[rustfmt::skip]
pub(super) const PUBLIC: &[Rule<ClusterPart>] = &[
    rule("labels", "zone `{it}`, by which its route is found", ZONES, |p| Some(labels(p))),
];

#[rustfmt::skip]
pub(super) const SUBNET: &[Rule<ClusterPart>] = &[
    rule("availabilityZone", "zone `{it}`", ZONES, |p| Some(zone(p).into())),
    rule("cidrBlock", "the block of zone `{it}`, by its place", ZONES, |p| Some(json!(format!("10.0.{}.0/24", p.index[0])))),
    constant("mapPublicIpOnLaunch", "always: nodes have no other way out", data!(true)),
    constant("tags", "always: load balancers are here", data!({"kubernetes.io/role/elb": "1"})),
];

#[rustfmt::skip]
pub(super) const ROLE_LABEL: &[Rule<ClusterPart>] = &[
    rule("labels", "the role, by which it is found", NAME, |p| Some(json!({"role": p.object}))),
];

#[rustfmt::skip]
pub(super) const ROLE: &[Rule<ClusterPart>] = &[
    rule("assumeRolePolicy", "the service that takes the role `{it}`", &[], |p| Some(json!(trust(p.texts)))),
];

#[rustfmt::skip]
pub(super) const ATTACHMENT: &[Rule<ClusterPart>] = &[
    rule("policyArn", "AWS' own policy for `{it}`", &[], |p| Some(json!(format!("{}{}", aws::POLICY_PREFIX, p.text(1))))),
    rule("roleSelector", "the role that gets it", NAME, |p| Some(with_role(p, p.text(0)))),
];

const ZONES: &[&str] = &["spec.parameters.zones", "spec.parameters.region"];

/// Whether the cluster is on AWS.
pub fn aws(of: &ClusterInputs) -> bool {
    of.provider == Cloud::Aws
}

/// Whether the EBS add-on has rights through Pod Identity.
pub fn pod_identity(of: &ClusterInputs) -> bool {
    aws(of) && of.options.ebs_rights == EbsRights::PodIdentity
}

/// The zones, each by the end of its name: `1a` of `us-east-1a`. Other zones have their whole name: several can end with `1a`, as
/// `us-west-2-lax-1a` and `us-west-2-phx-1a` do.
fn zones(of: &ClusterInputs) -> Vec<String> {
    of.zones().iter().map(|zone| by_end(zone, of.region()).unwrap_or(zone).to_owned()).collect()
}

fn by_end<'z>(zone: &'z str, region: &str) -> Option<&'z str> {
    let letter = zone.strip_prefix(region)?;
    if letter.contains('-') { None } else { zone.rsplit('-').next() }
}

/// The zone of a part, as AWS names it.
fn zone(part: &ClusterPart) -> String {
    part.of.zones().get(part.index[0]).map(|zone| zone.clone().into_owned()).unwrap_or_default()
}

fn labels(part: &ClusterPart) -> Value {
    json!({"access": "public", "zone": zone(part)})
}

/// The trust policy of a role: the service that takes it, and what it may do besides. IAM gives the order of fields no meaning; it is the
/// one of dot-kubernetes.
fn trust(texts: &[&str]) -> String {
    let (principal, further) = texts.split_first().unwrap_or((&"", &[]));
    let actions: Vec<&str> = [aws::ASSUME_ROLE].into_iter().chain(further.iter().copied()).collect();
    let (principal, actions) = (json!([principal]), json!(actions));
    format!(
        r#"{{"Version":"2012-10-17","Statement":[{{"Effect":"Allow","Principal":{{"Service":{principal}}},"Action":{actions}}}]}}"#
    )
}
