//! Third-party kinds that several kinds compose, wrap or look up.

use contract::catalog::{ApiResource, Scope};

/// The namespaced Object of provider-kubernetes, which wraps a manifest for another cluster.
pub const OBJECTS: ApiResource = namespaced("kubernetes.m.crossplane.io/v1alpha1", "Object", "objects");

/// How provider-kubernetes reaches a cluster.
pub const KUBERNETES_CONFIGS: ApiResource =
    namespaced("kubernetes.m.crossplane.io/v1alpha1", "ProviderConfig", "providerconfigs");

/// The same for Objects in every namespace.
pub const CLUSTER_KUBERNETES_CONFIGS: ApiResource =
    cluster_scoped("kubernetes.m.crossplane.io/v1alpha1", "ClusterProviderConfig", "clusterproviderconfigs");

/// The namespaced Release of provider-helm, which installs a chart on another cluster.
pub const RELEASES: ApiResource = namespaced("helm.m.crossplane.io/v1beta1", "Release", "releases");

/// How provider-helm reaches a cluster.
pub const HELM_CONFIGS: ApiResource = namespaced("helm.m.crossplane.io/v1beta1", "ProviderConfig", "providerconfigs");

/// Usages of Crossplane, which protect objects of a namespace from deletion.
pub const USAGES: ApiResource = namespaced("protection.crossplane.io/v1beta1", "Usage", "usages");

/// The same for cluster-scoped objects.
pub const CLUSTER_USAGES: ApiResource =
    cluster_scoped("protection.crossplane.io/v1beta1", "ClusterUsage", "clusterusages");

/// Definitions of custom resources.
pub const CRDS: ApiResource =
    cluster_scoped("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions");

/// Gateways.
pub const GATEWAYS: ApiResource = namespaced("gateway.networking.k8s.io/v1", "Gateway", "gateways");

/// Classes of gateways.
pub const GATEWAY_CLASSES: ApiResource =
    cluster_scoped("gateway.networking.k8s.io/v1", "GatewayClass", "gatewayclasses");

/// Namespaces.
pub const NAMESPACES: ApiResource = cluster_scoped("v1", "Namespace", "namespaces");

/// Ingresses, which wrapped manifests use.
pub const INGRESSES: ApiResource = namespaced("networking.k8s.io/v1", "Ingress", "ingresses");

/// API version and kind of the namespaced Object of provider-kubernetes.
pub const OBJECT: (&str, &str) = kind(&OBJECTS);

/// API version and kind of the namespaced Release of provider-helm.
pub const RELEASE: (&str, &str) = kind(&RELEASES);

/// API version and kind of a Usage of Crossplane, which protects an object from deletion.
pub const USAGE: (&str, &str) = kind(&USAGES);

/// API version and kind of a ClusterUsage: a Usage for cluster-scoped objects.
pub const CLUSTER_USAGE: (&str, &str) = kind(&CLUSTER_USAGES);

/// API version and kind, for plans and lookups.
pub const fn kind(resource: &ApiResource) -> (&'static str, &'static str) {
    (resource.api_version, resource.kind)
}

/// A namespaced kind.
pub const fn namespaced(api_version: &'static str, kind: &'static str, plural: &'static str) -> ApiResource {
    ApiResource { api_version, kind, plural, scope: Scope::Namespaced }
}

/// A cluster-scoped kind.
pub const fn cluster_scoped(api_version: &'static str, kind: &'static str, plural: &'static str) -> ApiResource {
    ApiResource { api_version, kind, plural, scope: Scope::Cluster }
}
