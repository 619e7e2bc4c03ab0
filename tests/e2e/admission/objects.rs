//! What the API server is sent, and where.

use serde_json::{Value, json};
pub(crate) use tests::refused::{named, refused, sound, with, within};

/// A provider configuration for all namespaces.
pub(crate) fn provider_config(name: &str) -> Value {
    json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "ClusterProviderConfig",
        "metadata": {"name": name},
        "spec": {"credentials": {"source": "InjectedIdentity"}},
    })
}

/// The path of all composites of a namespace.
pub(crate) fn collection(namespace: &str) -> String {
    format!("/apis/inference.devopstoolkit.ai/v1alpha1/namespaces/{namespace}/llminferences")
}

/// The path that judges new composites and stores none.
pub(crate) fn dry_run(namespace: &str) -> String {
    format!("{}?dryRun=All&fieldValidation=Strict", collection(namespace))
}
