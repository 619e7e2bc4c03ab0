//! Kinds of others that more than one kind composes, looks up or reads, with their paths in the API.

use contract::catalog::{ApiResource, Scope};

/// provider-kubernetes' namespaced wrapper.
pub const OBJECTS: ApiResource = ApiResource {
    api_version: "kubernetes.m.crossplane.io/v1alpha1",
    kind: "Object",
    plural: "objects",
    scope: Scope::Namespaced,
};

/// Routes from outside to Services.
pub const INGRESSES: ApiResource =
    ApiResource { api_version: "networking.k8s.io/v1", kind: "Ingress", plural: "ingresses", scope: Scope::Namespaced };
