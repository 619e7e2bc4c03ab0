//! Third-party kinds that several kinds compose, wrap or look up.

use contract::catalog::{ApiResource, Scope};

/// The namespaced Object of provider-kubernetes, which wraps a manifest for another cluster.
pub const OBJECTS: ApiResource = ApiResource {
    api_version: "kubernetes.m.crossplane.io/v1alpha1",
    kind: "Object",
    plural: "objects",
    scope: Scope::Namespaced,
};

/// Ingresses, which wrapped manifests use.
pub const INGRESSES: ApiResource =
    ApiResource { api_version: "networking.k8s.io/v1", kind: "Ingress", plural: "ingresses", scope: Scope::Namespaced };

/// API version and kind of the namespaced Object of provider-kubernetes.
pub const OBJECT: (&str, &str) = (OBJECTS.api_version, OBJECTS.kind);

/// API version and kind of the namespaced Release of provider-helm.
pub const RELEASE: (&str, &str) = ("helm.m.crossplane.io/v1beta1", "Release");

/// API version and kind of a Usage of Crossplane, which protects an object from deletion.
pub const USAGE: (&str, &str) = ("protection.crossplane.io/v1beta1", "Usage");

/// API version and kind of a ClusterUsage: a Usage for cluster-scoped objects.
pub const CLUSTER_USAGE: (&str, &str) = ("protection.crossplane.io/v1beta1", "ClusterUsage");
