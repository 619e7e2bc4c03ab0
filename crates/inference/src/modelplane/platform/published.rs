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
