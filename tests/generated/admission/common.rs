//! Constants and metadata for all objects of the webhooks.

use serde_json::{Value, json};

/// The folder of the files.
pub(super) const FOLDER: &str = "package/admission";
/// The namespace of the webhooks.
pub(super) const NAMESPACE: &str = "crossplane-system";
/// The name of all objects. The binary has it as a default.
pub(super) const NAME: &str = "sailplane-admission";
/// The Secret with the serving certificate.
pub(super) const SECRET: &str = "sailplane-admission-tls";

/// Metadata of a namespaced object.
pub(super) fn metadata(name: &str) -> Value {
    json!({"name": name, "namespace": NAMESPACE, "labels": labels()})
}

/// Metadata of a cluster-scoped object.
pub(super) fn cluster_metadata(name: &str) -> Value {
    json!({"name": name, "labels": labels()})
}

pub(super) fn labels() -> Value {
    json!({"app.kubernetes.io/name": NAME})
}
