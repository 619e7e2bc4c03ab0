//! The kinds of the API, and kinds of others that its composites compose, wrap or look up.

use contract::catalog::ApiResource;
pub use toolbox::resources::kind;
use toolbox::resources::{cluster_scoped, namespaced};

/// Group and version of the kinds.
pub const API_VERSION: &str = "model.otterscale.io/v1alpha1";

/// A model that is served in the cluster itself.
pub const MODEL_SERVICES: ApiResource = namespaced(API_VERSION, "ModelService", "modelservices");
/// The weights of a model as an OCI artifact.
pub const MODEL_ARTIFACTS: ApiResource = namespaced(API_VERSION, "ModelArtifact", "modelartifacts");

/// The kinds of API groups that the cluster serves.
pub const API_SERVICES: ApiResource = cluster_scoped("apiregistration.k8s.io/v1", "APIService", "apiservices");
/// The grants that are cluster-scoped.
pub const CLUSTER_ROLES: ApiResource = cluster_scoped(RBAC, "ClusterRole", "clusterroles");
/// The same, bound to the endpoint picker.
pub const CLUSTER_ROLE_BINDINGS: ApiResource = cluster_scoped(RBAC, "ClusterRoleBinding", "clusterrolebindings");
/// The configuration of an endpoint picker.
pub const CONFIG_MAPS: ApiResource = namespaced("v1", "ConfigMap", "configmaps");
/// Model servers and endpoint pickers.
pub const DEPLOYMENTS: ApiResource = namespaced("apps/v1", "Deployment", "deployments");
/// How the mesh reaches an endpoint picker.
pub const DESTINATION_RULES: ApiResource =
    namespaced("networking.istio.io/v1beta1", "DestinationRule", "destinationrules");
/// What routes are attached to.
pub const GATEWAYS: ApiResource = namespaced("gateway.networking.k8s.io/v1", "Gateway", "gateways");
/// The way from a gateway to the pods.
pub const HTTP_ROUTES: ApiResource = namespaced("gateway.networking.k8s.io/v1", "HTTPRoute", "httproutes");
/// The pods, as a gateway sees them.
pub const INFERENCE_POOLS: ApiResource =
    namespaced("inference.networking.k8s.io/v1", "InferencePool", "inferencepools");
/// Imports of weights.
pub const JOBS: ApiResource = namespaced("batch/v1", "Job", "jobs");
/// Where an import works.
pub const PERSISTENT_VOLUME_CLAIMS: ApiResource = namespaced("v1", "PersistentVolumeClaim", "persistentvolumeclaims");
/// What an import says at its end.
pub const PODS: ApiResource = namespaced("v1", "Pod", "pods");
/// How many model servers may be missing while nodes are drained.
pub const POD_DISRUPTION_BUDGETS: ApiResource = namespaced("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets");
/// The metrics of model servers.
pub const POD_MONITORS: ApiResource = namespaced("monitoring.coreos.com/v1", "PodMonitor", "podmonitors");
/// The rights of an endpoint picker.
pub const ROLES: ApiResource = namespaced(RBAC, "Role", "roles");
/// The same, bound to it.
pub const ROLE_BINDINGS: ApiResource = namespaced(RBAC, "RoleBinding", "rolebindings");
/// The token by which metrics of an endpoint picker are read.
pub const SECRETS: ApiResource = namespaced("v1", "Secret", "secrets");
/// The address of an endpoint picker.
pub const SERVICES: ApiResource = namespaced("v1", "Service", "services");
/// The identity of an endpoint picker.
pub const SERVICE_ACCOUNTS: ApiResource = namespaced("v1", "ServiceAccount", "serviceaccounts");
/// The metrics of an endpoint picker.
pub const SERVICE_MONITORS: ApiResource = namespaced("monitoring.coreos.com/v1", "ServiceMonitor", "servicemonitors");

const RBAC: &str = "rbac.authorization.k8s.io/v1";
