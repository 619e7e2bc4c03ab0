//! The kinds that a cluster is made of, and those on it.

use contract::catalog::ApiResource;
use toolbox::resources::{OBJECTS, cluster_scoped, namespaced};

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


    pub const DEPLOYMENTS: ApiResource = namespaced("apps/v1", "Deployment", "deployments");
    pub const APPLICATIONS: ApiResource = namespaced("argoproj.io/v1alpha1", "Application", "applications");
    pub const EXTERNAL_SECRETS: ApiResource = namespaced("external-secrets.io/v1beta1", "ExternalSecret", "externalsecrets");
    pub const EXTERNAL_SECRETS_V1: ApiResource = namespaced("external-secrets.io/v1", "ExternalSecret", "externalsecrets");
    pub const SECRET_STORES: ApiResource = cluster_scoped("external-secrets.io/v1beta1", "ClusterSecretStore", "clustersecretstores");
    pub const SECRET_STORES_V1: ApiResource = cluster_scoped("external-secrets.io/v1", "ClusterSecretStore", "clustersecretstores");
    pub const POD_MONITORS: ApiResource = namespaced("monitoring.coreos.com/v1", "PodMonitor", "podmonitors");
    pub const CLUSTER_ROLES: ApiResource = cluster_scoped(RBAC, "ClusterRole", "clusterroles");
    pub const CLUSTER_ROLE_BINDINGS: ApiResource = cluster_scoped(RBAC, "ClusterRoleBinding", "clusterrolebindings");
    pub const ROLES: ApiResource = namespaced(RBAC, "Role", "roles");
    pub const ROLE_BINDINGS: ApiResource = namespaced(RBAC, "RoleBinding", "rolebindings");
    pub const SECRETS: ApiResource = namespaced("v1", "Secret", "secrets");
    pub const SERVICES: ApiResource = namespaced("v1", "Service", "services");
    pub const SERVICE_ACCOUNTS: ApiResource = namespaced("v1", "ServiceAccount", "serviceaccounts");
}
pub use crate::clouds::resources::*;
pub use rows::*;
pub use toolbox::resources::{
    CRDS, GATEWAY_CLASSES, GATEWAYS, HELM_CONFIGS, KUBERNETES_CONFIGS, NAMESPACES, RELEASES, USAGES,
};
