//! Kinds of the providers of clouds, which kinds of this project compose or look up.

use contract::catalog::ApiResource;
use toolbox::resources::{cluster_scoped, namespaced};

const EC2: &str = "ec2.aws.m.upbound.io/v1beta1";
const EKS: &str = "eks.aws.m.upbound.io/v1beta1";
const IAM: &str = "iam.aws.m.upbound.io/v1beta1";
const AKS: &str = "containerservice.azure.m.upbound.io/v1beta1";
const EFS: &str = "efs.aws.m.upbound.io/v1beta1";
const AZURE_NETWORK: &str = "network.azure.m.upbound.io/v1beta1";
const GKE: &str = "container.gcp.m.upbound.io/v1beta1";
const GCP_COMPUTE: &str = "compute.gcp.m.upbound.io/v1beta1";
const GCP_PLATFORM: &str = "cloudplatform.gcp.m.upbound.io/v1beta1";
const NEBIUS_COMPUTE: &str = "compute.nebius.m.upbound.io/v1beta1";
const NEBIUS_KUBERNETES: &str = "mk8s.nebius.m.upbound.io/v1beta1";
const NEBIUS_NETWORK: &str = "vpc.nebius.m.upbound.io/v1beta1";
const VULTR_KUBERNETES: &str = "vke.vultr.m.upbound.io/v1beta1";

/// API version of the provider configurations for AWS.
pub const AWS_FAMILY: &str = "aws.m.upbound.io/v1beta1";
/// API version of the provider configurations for Azure.
pub const AZURE_FAMILY: &str = "azure.m.upbound.io/v1beta1";
/// API version of the provider configurations for Google Cloud.
pub const GCP_FAMILY: &str = "gcp.m.upbound.io/v1beta1";
/// API version of the provider configurations for Nebius.
pub const NEBIUS_FAMILY: &str = "nebius.m.upbound.io/v1beta1";
/// API version of the provider configurations for Vultr.
pub const VULTR_FAMILY: &str = "vultr.m.upbound.io/v1beta1";

#[rustfmt::skip]
#[expect(missing_docs, reason = "they are kinds of others")]
mod rows {
    use super::*;

    pub const AKS_CLUSTERS: ApiResource = namespaced(AKS, "KubernetesCluster", "kubernetesclusters");
    pub const AKS_NODE_POOLS: ApiResource = namespaced(AKS, "KubernetesClusterNodePool", "kubernetesclusternodepools");
    pub const RESOURCE_GROUPS: ApiResource = namespaced(AZURE_FAMILY, "ResourceGroup", "resourcegroups");
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
    pub const IAM_POLICIES: ApiResource = namespaced(IAM, "Policy", "policies");
    pub const EIPS: ApiResource = namespaced(EC2, "EIP", "eips");
    pub const LAUNCH_TEMPLATES: ApiResource = namespaced(EC2, "LaunchTemplate", "launchtemplates");
    pub const NAT_GATEWAYS: ApiResource = namespaced(EC2, "NATGateway", "natgateways");
    pub const SECURITY_GROUP_EGRESS_RULES: ApiResource = namespaced(EC2, "SecurityGroupEgressRule", "securitygroupegressrules");
    pub const SECURITY_GROUP_INGRESS_RULES: ApiResource = namespaced(EC2, "SecurityGroupIngressRule", "securitygroupingressrules");
    pub const EFS_FILE_SYSTEMS: ApiResource = namespaced(EFS, "FileSystem", "filesystems");
    pub const MOUNT_TARGETS: ApiResource = namespaced(EFS, "MountTarget", "mounttargets");
    pub const AZURE_SUBNETS: ApiResource = namespaced(AZURE_NETWORK, "Subnet", "subnets");
    pub const VIRTUAL_NETWORKS: ApiResource = namespaced(AZURE_NETWORK, "VirtualNetwork", "virtualnetworks");
    pub const NETWORKS: ApiResource = namespaced(GCP_COMPUTE, "Network", "networks");
    pub const SUBNETWORKS: ApiResource = namespaced(GCP_COMPUTE, "Subnetwork", "subnetworks");
    pub const PROJECT_IAM_MEMBERS: ApiResource = namespaced(GCP_PLATFORM, "ProjectIAMMember", "projectiammembers");
    pub const PROJECT_SERVICES: ApiResource = namespaced(GCP_PLATFORM, "ProjectService", "projectservices");
    pub const GCP_SERVICE_ACCOUNTS: ApiResource = namespaced(GCP_PLATFORM, "ServiceAccount", "serviceaccounts");
    pub const GCP_SERVICE_ACCOUNT_KEYS: ApiResource = namespaced(GCP_PLATFORM, "ServiceAccountKey", "serviceaccountkeys");
    pub const NEBIUS_NETWORKS: ApiResource = namespaced(NEBIUS_NETWORK, "Network", "networks");
    pub const NEBIUS_SUBNETS: ApiResource = namespaced(NEBIUS_NETWORK, "Subnet", "subnets");
    pub const NEBIUS_CLUSTERS: ApiResource = namespaced(NEBIUS_KUBERNETES, "Cluster", "clusters");
    pub const NEBIUS_NODE_GROUPS: ApiResource = namespaced(NEBIUS_KUBERNETES, "NodeGroup", "nodegroups");
    pub const NEBIUS_FILESYSTEMS: ApiResource = namespaced(NEBIUS_COMPUTE, "Filesystem", "filesystems");
    pub const NEBIUS_GPU_CLUSTERS: ApiResource = namespaced(NEBIUS_COMPUTE, "GpuCluster", "gpuclusters");
    pub const VULTR_CLUSTERS: ApiResource = namespaced(VULTR_KUBERNETES, "Kubernetes", "kubernetes");
    pub const VULTR_NODE_POOLS: ApiResource = namespaced(VULTR_KUBERNETES, "KubernetesNodePool", "kubernetesnodepools");

    pub const AWS_CLUSTER_CONFIGS: ApiResource = cluster_scoped(AWS_FAMILY, "ClusterProviderConfig", "clusterproviderconfigs");
    pub const AWS_CONFIGS: ApiResource = namespaced(AWS_FAMILY, "ProviderConfig", "providerconfigs");
    pub const AZURE_CLUSTER_CONFIGS: ApiResource = cluster_scoped(AZURE_FAMILY, "ClusterProviderConfig", "clusterproviderconfigs");
    pub const AZURE_CONFIGS: ApiResource = namespaced(AZURE_FAMILY, "ProviderConfig", "providerconfigs");
    pub const GCP_CLUSTER_CONFIGS: ApiResource = cluster_scoped(GCP_FAMILY, "ClusterProviderConfig", "clusterproviderconfigs");
    pub const GCP_CONFIGS: ApiResource = namespaced(GCP_FAMILY, "ProviderConfig", "providerconfigs");
    pub const NEBIUS_CLUSTER_CONFIGS: ApiResource = cluster_scoped(NEBIUS_FAMILY, "ClusterProviderConfig", "clusterproviderconfigs");
    pub const NEBIUS_CONFIGS: ApiResource = namespaced(NEBIUS_FAMILY, "ProviderConfig", "providerconfigs");
    pub const VULTR_CLUSTER_CONFIGS: ApiResource = cluster_scoped(VULTR_FAMILY, "ClusterProviderConfig", "clusterproviderconfigs");
    pub const VULTR_CONFIGS: ApiResource = namespaced(VULTR_FAMILY, "ProviderConfig", "providerconfigs");
}
pub use rows::*;
