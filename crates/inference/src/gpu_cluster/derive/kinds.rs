//! The kinds that a cluster is made of, and those on it.

use contract::catalog::ApiResource;
use toolbox::resources::OBJECTS;

use super::parts::{cluster_scoped, namespaced};

const EC2: &str = "ec2.aws.m.upbound.io/v1beta1";
const EKS: &str = "eks.aws.m.upbound.io/v1beta1";
const IAM: &str = "iam.aws.m.upbound.io/v1beta1";
const AKS: &str = "containerservice.azure.m.upbound.io/v1beta1";
const GKE: &str = "container.gcp.m.upbound.io/v1beta1";
const RBAC: &str = "rbac.authorization.k8s.io/v1";

/// Every kind that the cluster composes.
pub const COMPOSED: &[ApiResource] = &[
    AKS_CLUSTERS,
    AKS_NODE_POOLS,
    RESOURCE_GROUPS,
    GKE_CLUSTERS,
    GKE_NODE_POOLS,
    INTERNET_GATEWAYS,
    MAIN_ROUTE_TABLE_ASSOCIATIONS,
    ROUTES,
    ROUTE_TABLES,
    ROUTE_TABLE_ASSOCIATIONS,
    SECURITY_GROUPS,
    SECURITY_GROUP_RULES,
    SUBNETS,
    VPCS,
    ADDONS,
    EKS_CLUSTERS,
    CLUSTER_AUTHS,
    NODE_GROUPS,
    POD_IDENTITY_ASSOCIATIONS,
    HELM_CONFIGS,
    RELEASES,
    IAM_ROLES,
    ROLE_POLICY_ATTACHMENTS,
    OBJECTS,
    KUBERNETES_CONFIGS,
    USAGES,
];

/// Every kind that it creates on the new cluster, with that cluster's own kubeconfig.
pub const WRAPPED: &[ApiResource] = &[
    CRDS,
    DEPLOYMENTS,
    APPLICATIONS,
    EXTERNAL_SECRETS,
    EXTERNAL_SECRETS_V1,
    SECRET_STORES,
    SECRET_STORES_V1,
    GATEWAYS,
    GATEWAY_CLASSES,
    POD_MONITORS,
    CLUSTER_ROLES,
    CLUSTER_ROLE_BINDINGS,
    ROLES,
    ROLE_BINDINGS,
    NAMESPACES,
    SECRETS,
    SERVICES,
    SERVICE_ACCOUNTS,
];

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
    pub const HELM_CONFIGS: ApiResource = namespaced("helm.m.crossplane.io/v1beta1", "ProviderConfig", "providerconfigs");
    pub const RELEASES: ApiResource = namespaced("helm.m.crossplane.io/v1beta1", "Release", "releases");
    pub const IAM_ROLES: ApiResource = namespaced(IAM, "Role", "roles");
    pub const ROLE_POLICY_ATTACHMENTS: ApiResource = namespaced(IAM, "RolePolicyAttachment", "rolepolicyattachments");
    pub const KUBERNETES_CONFIGS: ApiResource = namespaced("kubernetes.m.crossplane.io/v1alpha1", "ProviderConfig", "providerconfigs");
    pub const USAGES: ApiResource = namespaced("protection.crossplane.io/v1beta1", "Usage", "usages");

    pub const CRDS: ApiResource = cluster_scoped("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions");
    pub const DEPLOYMENTS: ApiResource = namespaced("apps/v1", "Deployment", "deployments");
    pub const APPLICATIONS: ApiResource = namespaced("argoproj.io/v1alpha1", "Application", "applications");
    pub const EXTERNAL_SECRETS: ApiResource = namespaced("external-secrets.io/v1beta1", "ExternalSecret", "externalsecrets");
    pub const EXTERNAL_SECRETS_V1: ApiResource = namespaced("external-secrets.io/v1", "ExternalSecret", "externalsecrets");
    pub const SECRET_STORES: ApiResource = cluster_scoped("external-secrets.io/v1beta1", "ClusterSecretStore", "clustersecretstores");
    pub const SECRET_STORES_V1: ApiResource = cluster_scoped("external-secrets.io/v1", "ClusterSecretStore", "clustersecretstores");
    pub const GATEWAYS: ApiResource = namespaced("gateway.networking.k8s.io/v1", "Gateway", "gateways");
    pub const GATEWAY_CLASSES: ApiResource = cluster_scoped("gateway.networking.k8s.io/v1", "GatewayClass", "gatewayclasses");
    pub const POD_MONITORS: ApiResource = namespaced("monitoring.coreos.com/v1", "PodMonitor", "podmonitors");
    pub const CLUSTER_ROLES: ApiResource = cluster_scoped(RBAC, "ClusterRole", "clusterroles");
    pub const CLUSTER_ROLE_BINDINGS: ApiResource = cluster_scoped(RBAC, "ClusterRoleBinding", "clusterrolebindings");
    pub const ROLES: ApiResource = namespaced(RBAC, "Role", "roles");
    pub const ROLE_BINDINGS: ApiResource = namespaced(RBAC, "RoleBinding", "rolebindings");
    pub const NAMESPACES: ApiResource = cluster_scoped("v1", "Namespace", "namespaces");
    pub const SECRETS: ApiResource = namespaced("v1", "Secret", "secrets");
    pub const SERVICES: ApiResource = namespaced("v1", "Service", "services");
    pub const SERVICE_ACCOUNTS: ApiResource = namespaced("v1", "ServiceAccount", "serviceaccounts");
}
pub use rows::*;
