//! The kind, and kinds of others that its composites compose or look up.

use contract::catalog::ApiResource;
pub use toolbox::resources::kind;
use toolbox::resources::{cluster_scoped, namespaced};

/// A model with a memory budget.
pub const INFERENCE_MODELS: ApiResource =
    namespaced("inference.eh-ops.io/v1alpha1", "InferenceModel", "inferencemodels");

/// What runs a model.
pub const DEPLOYMENTS: ApiResource = namespaced("apps/v1", "Deployment", "deployments");
/// The address of a model.
pub const SERVICES: ApiResource = namespaced("v1", "Service", "services");
/// Totals of pools.
pub const CONFIG_MAPS: ApiResource = namespaced("v1", "ConfigMap", "configmaps");
/// Totals of pools.
pub const ENVIRONMENT_CONFIGS: ApiResource =
    cluster_scoped("apiextensions.crossplane.io/v1beta1", "EnvironmentConfig", "environmentconfigs");
/// Totals of pools, by what nodes have.
pub const NODES: ApiResource = cluster_scoped("v1", "Node", "nodes");
/// Whether an external backend is ready.
pub const ENDPOINT_SLICES: ApiResource = namespaced("discovery.k8s.io/v1", "EndpointSlice", "endpointslices");
/// How much memory pods use.
pub const POD_METRICS: ApiResource = namespaced("metrics.k8s.io/v1beta1", "PodMetrics", "pods");
