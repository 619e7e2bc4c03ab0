//! The kinds of the API, and kinds of others that its composites compose, wrap or look up.

use contract::catalog::ApiResource;
pub use toolbox::resources::kind;
use toolbox::resources::{cluster_scoped, namespaced};

/// Group and version of the kinds.
pub const API_VERSION: &str = "modelplane.ai/v1alpha1";

/// A hardware type of nodes: their devices, and how to create such nodes.
pub const INFERENCE_CLASSES: ApiResource = cluster_scoped(API_VERSION, "InferenceClass", "inferenceclasses");
/// A GPU cluster of the fleet.
pub const INFERENCE_CLUSTERS: ApiResource = cluster_scoped(API_VERSION, "InferenceCluster", "inferenceclusters");
/// The gateway of the control plane.
pub const INFERENCE_GATEWAYS: ApiResource = cluster_scoped(API_VERSION, "InferenceGateway", "inferencegateways");
/// Weights of a model on clusters.
pub const MODEL_CACHES: ApiResource = namespaced(API_VERSION, "ModelCache", "modelcaches");
/// A model with a number of replicas.
pub const MODEL_DEPLOYMENTS: ApiResource = namespaced(API_VERSION, "ModelDeployment", "modeldeployments");
/// A URL where a model is served.
pub const MODEL_ENDPOINTS: ApiResource = namespaced(API_VERSION, "ModelEndpoint", "modelendpoints");
/// A replica of a model on one cluster.
pub const MODEL_REPLICAS: ApiResource = namespaced(API_VERSION, "ModelReplica", "modelreplicas");
/// A route to the endpoints of models.
pub const MODEL_SERVICES: ApiResource = namespaced(API_VERSION, "ModelService", "modelservices");

/// Group and version of the kinds that clusters of the fleet are made of.
pub const INFRASTRUCTURE: &str = "infrastructure.modelplane.ai/v1alpha1";

/// A cluster in Google Kubernetes Engine.
pub const GKE_CLUSTERS: ApiResource = namespaced(INFRASTRUCTURE, "GKECluster", "gkeclusters");
/// A cluster in Amazon EKS.
pub const EKS_CLUSTERS: ApiResource = namespaced(INFRASTRUCTURE, "EKSCluster", "eksclusters");
/// A cluster in Azure Kubernetes Service.
pub const AKS_CLUSTERS: ApiResource = namespaced(INFRASTRUCTURE, "AKSCluster", "aksclusters");
/// A cluster in Nebius Managed Kubernetes.
pub const NEBIUS_CLUSTERS: ApiResource = namespaced(INFRASTRUCTURE, "NebiusCluster", "nebiusclusters");
/// A cluster in Vultr Kubernetes Engine.
pub const VULTR_CLUSTERS: ApiResource = namespaced(INFRASTRUCTURE, "VultrCluster", "vultrclusters");
/// What serves models on a cluster.
pub const SERVING_STACKS: ApiResource = namespaced(INFRASTRUCTURE, "ServingStack", "servingstacks");

/// The configuration of an endpoint picker.
pub const CONFIG_MAPS: ApiResource = namespaced("v1", "ConfigMap", "configmaps");
/// What runs on every node.
pub const DAEMON_SETS: ApiResource = namespaced("apps/v1", "DaemonSet", "daemonsets");
/// Engines with one node, and endpoint pickers.
pub const DEPLOYMENTS: ApiResource = namespaced("apps/v1", "Deployment", "deployments");
/// Where a Service without selector leads.
pub const ENDPOINT_SLICES: ApiResource = namespaced("discovery.k8s.io/v1", "EndpointSlice", "endpointslices");
/// Routes of both gateways: that of the control plane, and those of workload clusters.
pub const HTTP_ROUTES: ApiResource = namespaced("gateway.networking.k8s.io/v1", "HTTPRoute", "httproutes");
/// Routes of others on the control plane.
pub const GRPC_ROUTES: ApiResource = namespaced("gateway.networking.k8s.io/v1", "GRPCRoute", "grpcroutes");
/// Routes of others on the control plane, for connections that they encrypt themselves.
pub const TLS_ROUTES: ApiResource = namespaced("gateway.networking.k8s.io/v1", "TLSRoute", "tlsroutes");
/// The addresses that MetalLB gives.
pub const ADDRESS_POOLS: ApiResource = namespaced("metallb.io/v1beta1", "IPAddressPool", "ipaddresspools");
/// Which addresses MetalLB makes known in the network.
pub const L2_ADVERTISEMENTS: ApiResource = namespaced("metallb.io/v1beta1", "L2Advertisement", "l2advertisements");
/// How the proxies of Envoy Gateway are.
pub const ENVOY_PROXIES: ApiResource = namespaced("gateway.envoyproxy.io/v1alpha1", "EnvoyProxy", "envoyproxies");
/// The pods of a replica, as a gateway sees them.
pub const INFERENCE_POOLS: ApiResource =
    namespaced("inference.networking.k8s.io/v1", "InferencePool", "inferencepools");
/// Weights are copied by these.
pub const JOBS: ApiResource = namespaced("batch/v1", "Job", "jobs");
/// Engines with several nodes.
pub const LEADER_WORKER_SETS: ApiResource =
    namespaced("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "leaderworkersets");
/// Replicas that KServe serves.
pub const LLM_INFERENCE_SERVICES: ApiResource =
    namespaced("serving.kserve.io/v1alpha1", "LLMInferenceService", "llminferenceservices");
/// The storage of a cache on a cluster.
pub const PERSISTENT_VOLUME_CLAIMS: ApiResource = namespaced("v1", "PersistentVolumeClaim", "persistentvolumeclaims");
/// The devices that a pod claims.
pub const RESOURCE_CLAIM_TEMPLATES: ApiResource =
    namespaced("resource.k8s.io/v1", "ResourceClaimTemplate", "resourceclaimtemplates");
/// How many pods a namespace has.
pub const RESOURCE_QUOTAS: ApiResource = namespaced("v1", "ResourceQuota", "resourcequotas");
/// The rights of an endpoint picker.
pub const ROLES: ApiResource = namespaced("rbac.authorization.k8s.io/v1", "Role", "roles");
/// The rights of an endpoint picker, bound to it.
pub const ROLE_BINDINGS: ApiResource = namespaced("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings");
/// Tokens for the downloads of weights.
pub const SECRETS: ApiResource = namespaced("v1", "Secret", "secrets");
/// The backend of an endpoint, and the address of an endpoint picker.
pub const SERVICES: ApiResource = namespaced("v1", "Service", "services");
/// The identity of an endpoint picker.
pub const SERVICE_ACCOUNTS: ApiResource = namespaced("v1", "ServiceAccount", "serviceaccounts");

/// How volumes are made on a cluster.
pub const STORAGE_CLASSES: ApiResource = cluster_scoped("storage.k8s.io/v1", "StorageClass", "storageclasses");
