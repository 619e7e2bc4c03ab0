//! The order in which models get memory, by what the API server stores.

use serde_json::Value;
use tests::real::watching::Objects;

use super::namespaces::reason;

/// The names of models whose condition `ModelReady` has this reason, the oldest first.
pub(super) fn of(models: &Objects, wanted: &str) -> Vec<String> {
    let mut found: Vec<&Value> = models.values().filter(|model| reason(model, "ModelReady") == wanted).collect();
    let text = |model: &Value, field: &str| model["metadata"][field].as_str().unwrap_or_default().to_owned();
    found.sort_by_key(|model| (text(model, "creationTimestamp"), text(model, "namespace"), text(model, "name")));
    found.into_iter().map(|model| text(model, "name")).collect()
}
