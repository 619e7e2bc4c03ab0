//! Constants and metadata for all objects of the webhooks.

use serde_json::{Value, json};

/// The folder of the files.
pub(super) const FOLDER: &str = "package/admission";
/// The namespace of the webhooks, unless a parameter says otherwise.
pub(super) const NAMESPACE: &str = "crossplane-system";
/// The name of all objects. The binary has it as a default.
pub(super) const NAME: &str = "sailplane-admission";
/// The Secret with the serving certificate.
pub(super) const SECRET: &str = "sailplane-admission-tls";

/// The name of all objects that make the certificate.
pub(super) const MAKER: &str = "sailplane-admission-certificate";

/// Metadata of a namespaced object.
pub(super) fn metadata(name: &str) -> Value {
    json!({"name": name, "namespace": NAMESPACE, "labels": labels()})
}

/// Metadata of a cluster-scoped object.
pub(super) fn cluster_metadata(name: &str) -> Value {
    json!({"name": name, "labels": labels()})
}

/// The labels of all objects, by which the parameters find them.
pub(super) const LABELS: &[(&str, &str)] = &[("app.kubernetes.io/name", NAME)];

pub(super) fn labels() -> Value {
    LABELS.iter().map(|(key, value)| ((*key).to_owned(), Value::from(*value))).collect()
}

/// A document for Kustomize.
pub(super) fn kustomize(kind: &str, fields: Value) -> Value {
    let version = if kind == "Component" { "v1alpha1" } else { "v1beta1" };
    let mut document = json!({"apiVersion": format!("kustomize.config.k8s.io/{version}"), "kind": kind});
    document.as_object_mut().expect("an object").extend(fields.as_object().cloned().unwrap_or_default());
    document
}
