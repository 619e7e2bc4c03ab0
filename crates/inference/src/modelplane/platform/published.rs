//! What the definitions of several kinds have in common.

use schemars::JsonSchema;

/// The storage for ModelCaches that a cluster has.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(crate) struct PublishedStorage {
    /// The StorageClass with `ReadWriteMany` for the volumes of caches.
    #[schemars(length(max = 253))]
    storage_class_name: Option<String>,
}

/// A Secret with the kubeconfig of a cluster.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(crate) struct PublishedKubeconfig {
    /// What is in it.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["Kubeconfig"]))]
    secret_type: String,
    /// Its name.
    #[schemars(length(max = 253))]
    name: String,
    /// The key in it.
    #[schemars(length(max = 253))]
    key: String,
}
