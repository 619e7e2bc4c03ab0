//! Kinds of the providers of clouds, which kinds of several APIs compose. All of them are namespaced.

use contract::catalog::ApiResource;
use toolbox::resources::namespaced;

const EC2: &str = "ec2.aws.m.upbound.io/v1beta1";
const EKS: &str = "eks.aws.m.upbound.io/v1beta1";
const IAM: &str = "iam.aws.m.upbound.io/v1beta1";
const AKS: &str = "containerservice.azure.m.upbound.io/v1beta1";
const GKE: &str = "container.gcp.m.upbound.io/v1beta1";

#[rustfmt::skip]
#[expect(missing_docs, reason = "they are kinds of others")]
mod rows {
    use super::*;

    pub const AKS_CLUSTERS: ApiResource = namespaced(AKS, "KubernetesCluster", "kubernetesclusters");
    pub const AKS_NODE_POOLS: ApiResource = namespaced(AKS, "KubernetesClusterNodePool", "kubernetesclusternodepools");
    pub const RESOURCE_GROUPS: ApiResource = namespaced("azure.m.upbound.io/v1beta1", "ResourceGroup", "resourcegroups");
    pub const GKE_CLUSTERS: ApiResource = namespaced(GKE, "Cluster", "clusters");
    pub const GKE_NODE_POOLS: ApiResource = namespaced(GKE, "NodePool", "nodepools");
    pub const INTERNET_GATEWAYS: ApiResource = namespaced(EC2, "InternetGateway", "internetgateways");
    pub const MAIN_ROUTE_TABLE_ASSOCIATIONS: ApiResource = namespaced(EC2, "MainRouteTableAssociation", "mainroutetableassociations");
    pub const ROUTES: ApiResource = namespaced(EC2, "Route", "routes");
    pub const ROUTE_TABLES: ApiResource = namespaced(EC2, "RouteTable", "routetables");
    pub const ROUTE_TABLE_ASSOCIATIONS: ApiResource = namespaced(EC2, "RouteTableAssociation", "routetableassociations");
    pub const SECURITY_GROUPS: ApiResource = namespaced(EC2, "SecurityGroup", "securitygroups");
    pub const SECURITY_GROUP_RULES: ApiResource = namespaced(EC2, "SecurityGroupRule", "securitygrouprules");
    pub const SUBNETS: ApiResource = namespaced(EC2, "Subnet", "subnets");
    pub const VPCS: ApiResource = namespaced(EC2, "VPC", "vpcs");
    pub const ADDONS: ApiResource = namespaced(EKS, "Addon", "addons");
    pub const EKS_CLUSTERS: ApiResource = namespaced(EKS, "Cluster", "clusters");
    pub const CLUSTER_AUTHS: ApiResource = namespaced(EKS, "ClusterAuth", "clusterauths");
    pub const NODE_GROUPS: ApiResource = namespaced(EKS, "NodeGroup", "nodegroups");
    pub const POD_IDENTITY_ASSOCIATIONS: ApiResource = namespaced(EKS, "PodIdentityAssociation", "podidentityassociations");
    pub const IAM_ROLES: ApiResource = namespaced(IAM, "Role", "roles");
    pub const ROLE_POLICY_ATTACHMENTS: ApiResource = namespaced(IAM, "RolePolicyAttachment", "rolepolicyattachments");
}
pub use rows::*;
