//! The network: in each zone a public subnet for load balancers and a private one for nodes.

use serde_json::{Value, json};
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rows::{Each, ObjectRow};
use toolbox::rule::{Rule, constant, rule};

use super::parts::{EksPart, EksRow, EksShared, IN_REGION, IN_VPC, labelled, row};
use crate::clouds::resources::{
    EIPS, INTERNET_GATEWAYS, NAT_GATEWAYS, ROUTE_TABLE_ASSOCIATIONS, ROUTE_TABLES, ROUTES, SUBNETS, VPCS,
};
use crate::modelplane::eks_cluster::inputs::EksZone;
use crate::modelplane::labels::{SUBNET_TIER, ZONE};
use crate::modelplane::platform::names;
use crate::modelplane::platform::tables::SAME;

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[EksRow] = &[
    row(&VPCS, "vpc", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, VPC)]),
    in_zones(row(&SUBNETS, "subnet-{e}", &[("", EksShared::IN_CLOUD), ("", PUBLIC_SUBNET), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)])),
    in_zones(row(&SUBNETS, "private-subnet-{e}", &[("", EksShared::IN_CLOUD), ("", PRIVATE_SUBNET), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)])),
    row(&INTERNET_GATEWAYS, "internet-gateway", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)]),
    row(&EIPS, "nat-eip", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, ADDRESS)]),
    row(&NAT_GATEWAYS, "nat-gateway", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, NAT)]),
    row(&ROUTE_TABLES, "route-table", &[("", EksShared::IN_CLOUD), ("", PUBLIC), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)]),
    row(&ROUTES, "route-default", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, PUBLIC_ROUTE)]),
    row(&ROUTE_TABLES, "private-route-table", &[("", EksShared::IN_CLOUD), ("", PRIVATE), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC)]),
    row(&ROUTES, "private-route-default", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, PRIVATE_ROUTE)]),
    in_zones(row(&ROUTE_TABLE_ASSOCIATIONS, "route-table-association-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, PUBLIC_ASSOCIATION)])),
    in_zones(row(&ROUTE_TABLE_ASSOCIATIONS, "private-route-table-association-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, PRIVATE_ASSOCIATION)])),
];

/// A row with an object for each zone, by its place.
pub(super) const fn in_zones(row: EksRow) -> EksRow {
    ObjectRow { each: Each::Found(|of| (0..of.zones.len()).map(|place| place.to_string()).collect()), ..row }
}

const RANGE: &[&str] = &["spec.networking.subnetCidrs[]"];
const IN_ZONE: &[&str] = &["spec.region", "spec.networking.subnetCidrs"];

/// The tier of subnets for load balancers.
pub(super) const PUBLIC_TIER: &str = "public";
/// The tier of subnets for nodes.
pub(super) const PRIVATE_TIER: &str = "private";

#[rustfmt::skip]
pub(super) const VPC: &[Rule<EksPart>] = &[
    rule("cidrBlock", "the range of the network", &["spec.networking.vpcCidr"], |p| Some(json!(p.of.networking.vpc_cidr))),
    constant("enableDnsHostnames", "always: file systems are found by name", data!(true)),
    constant("enableDnsSupport", "always: nodes find the control plane by name", data!(true)),
];

#[rustfmt::skip]
pub(super) const PUBLIC_SUBNET: &[Rule<EksPart>] = &[
    rule("metadata.name", "cluster and zone", &["metadata.name", "spec.region"], |p| Some(json!(names::public_subnet(&p.of.cluster.name, &zone(p)?.name)))),
    rule("metadata.labels", "zone and tier, by which routes and gateways find it", IN_ZONE, |p| tiered(p, PUBLIC_TIER)),
    rule("spec.forProvider.availabilityZone", "the zone with number `{it}` of the region", IN_ZONE, |p| Some(json!(zone(p)?.name))),
    rule("spec.forProvider.cidrBlock", "the range with number `{it}`", RANGE, |p| Some(json!(zone(p)?.public))),
    constant("spec.forProvider.mapPublicIpOnLaunch", "always: load balancers are reached from outside", data!(true)),
    constant("spec.forProvider.tags", "always: load balancers of the cluster are here", data!({"kubernetes.io/role/elb": "1"})),
];

#[rustfmt::skip]
pub(super) const PRIVATE_SUBNET: &[Rule<EksPart>] = &[
    rule("metadata.name", "cluster and zone", &["metadata.name", "spec.region"], |p| Some(json!(names::private_subnet(&p.of.cluster.name, &zone(p)?.name)))),
    rule("metadata.labels", "zone and tier, by which routes and pools find it", IN_ZONE, |p| tiered(p, PRIVATE_TIER)),
    rule("spec.forProvider.availabilityZone", "the zone with number `{it}` of the region", IN_ZONE, |p| Some(json!(zone(p)?.name))),
    rule("spec.forProvider.cidrBlock", "the range with number `{it}`, with 48 more in the third number", RANGE, |p| Some(json!(zone(p)?.private))),
    constant("spec.forProvider.mapPublicIpOnLaunch", "always: nodes are not reached from outside", data!(false)),
];

#[rustfmt::skip]
pub(super) const ADDRESS: &[Rule<EksPart>] = &[
    constant("domain", "always: it is for the network", data!("vpc")),
];

#[rustfmt::skip]
pub(super) const NAT: &[Rule<EksPart>] = &[
    constant("allocationIdSelector", "always: the cluster's address", SAME),
    rule("subnetIdSelector", "the public subnet of the first zone: there is one gateway for all", &["spec.region"], |p| in_tier(p, p.of.zones.first(), PUBLIC_TIER)),
];

#[rustfmt::skip]
pub(super) const PUBLIC: &[Rule<EksPart>] = &[
    rule("metadata.labels", "the tier, by which its routes find it", &[], |_| Some(json!({SUBNET_TIER: PUBLIC_TIER}))),
];

#[rustfmt::skip]
pub(super) const PRIVATE: &[Rule<EksPart>] = &[
    rule("metadata.labels", "the tier, by which its routes find it", &[], |_| Some(json!({SUBNET_TIER: PRIVATE_TIER}))),
];

#[rustfmt::skip]
pub(super) const PUBLIC_ROUTE: &[Rule<EksPart>] = &[
    constant("destinationCidrBlock", "always: every address", EVERYWHERE),
    constant("gatewayIdSelector", "always: the cluster's gateway", SAME),
    rule("routeTableIdSelector", "the public route table", &[], |_| Some(labelled(SUBNET_TIER, PUBLIC_TIER))),
];

#[rustfmt::skip]
pub(super) const PRIVATE_ROUTE: &[Rule<EksPart>] = &[
    constant("destinationCidrBlock", "always: every address", EVERYWHERE),
    constant("natGatewayIdSelector", "always: the cluster's NAT gateway", SAME),
    rule("routeTableIdSelector", "the private route table", &[], |_| Some(labelled(SUBNET_TIER, PRIVATE_TIER))),
];

const EVERYWHERE: toolbox::data::Data = data!("0.0.0.0/0");

#[rustfmt::skip]
pub(super) const PUBLIC_ASSOCIATION: &[Rule<EksPart>] = &[
    rule("routeTableIdSelector", "the public route table", &[], |_| Some(labelled(SUBNET_TIER, PUBLIC_TIER))),
    rule("subnetIdSelector", "the public subnet of the zone with number `{it}`", IN_ZONE, |p| in_tier(p, zone(p), PUBLIC_TIER)),
];

#[rustfmt::skip]
pub(super) const PRIVATE_ASSOCIATION: &[Rule<EksPart>] = &[
    rule("routeTableIdSelector", "the private route table", &[], |_| Some(labelled(SUBNET_TIER, PRIVATE_TIER))),
    rule("subnetIdSelector", "the private subnet of the zone with number `{it}`", IN_ZONE, |p| in_tier(p, zone(p), PRIVATE_TIER)),
];

/// The zone of a part.
pub(super) fn zone(part: &EksPart) -> Option<&EksZone> {
    part.of.zones.get(part.place())
}

fn tiered(part: &EksPart, tier: &str) -> Option<Value> {
    Some(json!({ZONE: zone(part)?.name, SUBNET_TIER: tier}))
}

/// A selector: the subnet of a zone and a tier.
fn in_tier(_part: &EksPart, zone: Option<&EksZone>, tier: &str) -> Option<Value> {
    Some(toolbox::builders::selectors::same_composite(&[(ZONE, &zone?.name), (SUBNET_TIER, tier)]))
}
