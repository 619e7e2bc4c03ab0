//! The kinds that clouds make things of: how a provider treats an object of each.

use std::time::Duration;

use contract::catalog::ApiResource;
use inference::gpu_cluster::derive::kinds::{
    ADDONS, AKS_CLUSTERS, AKS_NODE_POOLS, CLUSTER_AUTHS, EKS_CLUSTERS, GKE_CLUSTERS, GKE_NODE_POOLS, IAM_ROLES,
    INTERNET_GATEWAYS, MAIN_ROUTE_TABLE_ASSOCIATIONS, NODE_GROUPS, POD_IDENTITY_ASSOCIATIONS, RESOURCE_GROUPS,
    ROLE_POLICY_ATTACHMENTS, ROUTE_TABLE_ASSOCIATIONS, ROUTE_TABLES, ROUTES, SECURITY_GROUP_RULES, SECURITY_GROUPS,
    SUBNETS, VPCS,
};
use serde_json::{Value, json};

/// A kind of a cloud.
pub(super) struct Row {
    pub(super) kind: &'static ApiResource,
    /// What the external name is, where the composite does not say it.
    pub(super) named: Named,
    /// How long the cloud takes to make it, and to delete it.
    pub(super) takes: Duration,
    /// What its selectors select.
    pub(super) references: &'static [Reference],
    /// What the provider says of it beside its ID: `status.atProvider`.
    pub(super) says: fn(&str) -> Value,
    /// Fields, below `spec.forProvider`, that the cloud changes only by making the object anew. The provider refuses that.
    pub(super) fixed: &'static [&'static str],
    /// What it is to a cluster.
    pub(super) part: Role,
}

/// What an object is to a cluster.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The control plane.
    ControlPlane,
    /// What makes the kubeconfig of another object.
    Access,
    /// Anything else.
    Other,
}

/// Who gives an object its external name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// The provider: `metadata.name`.
    Provider,
    /// The cloud, which makes one up, with this beginning.
    Cloud(&'static str),
}

/// A field that a selector fills.
pub(super) struct Reference {
    /// Its place, below `spec.forProvider`: names, separated by dots. The selector has `Selector` after it.
    pub(super) field: &'static str,
    /// Whether it is a list.
    pub(super) many: bool,
    /// The kind of what it selects.
    pub(super) to: &'static ApiResource,
    /// Where the value is in what it selects. Empty for the external name.
    pub(super) value: &'static str,
    /// Whether the cloud does not delete what is selected while this object exists.
    pub(super) holds: bool,
}

/// A reference to one object by its external name, which stays while this object exists.
const fn one(field: &'static str, to: &'static ApiResource) -> Reference {
    Reference { field, many: false, to, value: "", holds: true }
}

impl Reference {
    const fn arn(self) -> Self {
        Self { value: "/status/atProvider/arn", ..self }
    }

    const fn many(self) -> Self {
        Self { many: true, ..self }
    }

    /// The cloud deletes this object together with what is selected.
    const fn goes_along(self) -> Self {
        Self { holds: false, ..self }
    }
}

const fn row(kind: &'static ApiResource, named: Named, references: &'static [Reference]) -> Row {
    let takes = Duration::from_millis(300);
    Row { kind, named, takes, references, says: |_| json!({}), fixed: &[], part: Role::Other }
}

const LONG: Duration = Duration::from_secs(2);

/// Every kind.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    Row { fixed: &["cidrBlock"], ..row(&VPCS, Named::Cloud("vpc-"), &[]) },
    row(&SECURITY_GROUPS, Named::Cloud("sg-"), &[one("vpcId", &VPCS)]),
    row(&SECURITY_GROUP_RULES, Named::Cloud("sgrule-"), &[one("securityGroupId", &SECURITY_GROUPS)]),
    row(&INTERNET_GATEWAYS, Named::Cloud("igw-"), &[one("vpcId", &VPCS)]),
    row(&ROUTE_TABLES, Named::Cloud("rtb-"), &[one("vpcId", &VPCS)]),
    row(&ROUTES, Named::Cloud("r-"), &[one("routeTableId", &ROUTE_TABLES), one("gatewayId", &INTERNET_GATEWAYS)]),
    row(&MAIN_ROUTE_TABLE_ASSOCIATIONS, Named::Cloud("rtbassoc-"), &[one("routeTableId", &ROUTE_TABLES), one("vpcId", &VPCS)]),
    row(&ROUTE_TABLE_ASSOCIATIONS, Named::Cloud("rtbassoc-"), &[one("routeTableId", &ROUTE_TABLES), one("subnetId", &SUBNETS)]),
    Row { says: |name| json!({"arn": arn("ec2", "subnet", name)}), fixed: &["availabilityZone", "cidrBlock"], ..row(&SUBNETS, Named::Cloud("subnet-"), &[one("vpcId", &VPCS)]) },
    Row { says: |name| json!({"arn": arn("iam", "role", name)}), ..row(&IAM_ROLES, Named::Provider, &[]) },
    row(&ROLE_POLICY_ATTACHMENTS, Named::Cloud("attachment-"), &[one("role", &IAM_ROLES)]),
    Row { says: |name| json!({"arn": arn("eks", "cluster", name), "status": "ACTIVE"}), takes: LONG, part: Role::ControlPlane, ..row(&EKS_CLUSTERS, Named::Provider, &[one("roleArn", &IAM_ROLES).arn(), one("vpcConfig.subnetId", &SUBNETS).many()]) },
    Row { part: Role::Access, ..row(&CLUSTER_AUTHS, Named::Provider, &[one("clusterName", &EKS_CLUSTERS).goes_along()]) },
    Row { fixed: &["instanceTypes", "amiType", "diskSize", "capacityType"], takes: LONG, ..row(&NODE_GROUPS, Named::Provider, &[one("clusterName", &EKS_CLUSTERS), one("nodeRoleArn", &IAM_ROLES).arn(), one("subnetId", &SUBNETS).many()]) },
    row(&ADDONS, Named::Cloud("addon-"), &[one("clusterName", &EKS_CLUSTERS).goes_along()]),
    row(&POD_IDENTITY_ASSOCIATIONS, Named::Cloud("a-"), &[one("clusterName", &EKS_CLUSTERS).goes_along(), one("roleArn", &IAM_ROLES).arn()]),
    Row { fixed: &["location"], ..row(&RESOURCE_GROUPS, Named::Provider, &[]) },
    Row { fixed: &["location", "dnsPrefix", "defaultNodePool.vmSize"], takes: LONG, part: Role::ControlPlane, ..row(&AKS_CLUSTERS, Named::Provider, &[]) },
    Row { fixed: &["vmSize", "priority"], takes: LONG, ..row(&AKS_NODE_POOLS, Named::Provider, &[one("kubernetesClusterId", &AKS_CLUSTERS).goes_along().at_id()]) },
    Row { says: |_| json!({"clusterIpv4Cidr": POD_RANGE}), fixed: &["location"], takes: LONG, part: Role::ControlPlane, ..row(&GKE_CLUSTERS, Named::Provider, &[]) },
    Row { fixed: &["nodeConfig.guestAccelerator", "nodeConfig.spot"], takes: LONG, ..row(&GKE_NODE_POOLS, Named::Provider, &[one("cluster", &GKE_CLUSTERS).goes_along()]) },
];

impl Reference {
    const fn at_id(self) -> Self {
        Self { value: "/status/atProvider/id", ..self }
    }
}

/// The range of pods of every cluster in Google Cloud.
pub(super) const POD_RANGE: &str = "10.8.0.0/14";

fn arn(service: &str, kind: &str, name: &str) -> String {
    format!("arn:aws:{service}:us-east-1:000000000000:{kind}/{name}")
}

/// The value at a place below `spec.forProvider`.
pub(super) fn field<'a>(object: &'a Value, place: &str) -> &'a Value {
    place.split('.').fold(&object["spec"]["forProvider"], |value, name| &value[name])
}
