//! What the objects of the webhooks have in common.

use serde_json::{Value, json};

/// Where its files are.
pub(super) const FOLDER: &str = "package/admission";
/// Where the webhooks run.
pub(super) const NAMESPACE: &str = "crossplane-system";
/// The name of all that belongs to them, also where the binary has it as a default.
pub(super) const NAME: &str = "sailplane-admission";
/// The Secret with the serving certificate.
pub(super) const SECRET: &str = "sailplane-admission-tls";

/// Metadata of something that belongs to the webhooks.
pub(super) fn metadata(name: &str) -> Value {
    json!({"name": name, "namespace": NAMESPACE, "labels": labels()})
}

/// Metadata of something outside of namespaces.
pub(super) fn cluster_metadata(name: &str) -> Value {
    json!({"name": name, "labels": labels()})
}

pub(super) fn labels() -> Value {
    json!({"app.kubernetes.io/name": NAME})
}
