//! The cluster that the texts amount to: what lookups find and compositions observe.

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::{get, text};
use super::texts::{Document, Identity};
use contract::preview::Role;
use contract::types::{KindRef, MatchBy, ObservedObject, Selector};

/// Every object of the texts. Of two with one identity the later one counts.
pub(super) struct Cluster<'a> {
    objects: BTreeMap<Identity, &'a Value>,
    schemas: Vec<&'a Value>,
}

impl<'a> Cluster<'a> {
    /// The cluster of these documents.
    pub(super) fn of(documents: &'a [Document]) -> Self {
        let (schemas, objects): (Vec<_>, Vec<_>) = documents.iter().partition(|document| document.role == Role::Schema);
        Self {
            objects: objects.into_iter().map(|document| (Identity::of(&document.object), &document.object)).collect(),
            schemas: schemas.into_iter().map(|document| &document.object).collect(),
        }
    }

    /// The object with this identity.
    pub(super) fn get(&self, identity: &Identity) -> Option<&'a Value> {
        self.objects.get(identity).copied()
    }

    /// What a lookup finds, by namespace and name.
    pub(super) fn find(&self, selector: &Selector) -> Vec<ObservedObject> {
        let namespace = selector.namespace.as_deref();
        let wanted = |identity: &Identity, object: &Value| match &selector.match_by {
            MatchBy::Name(name) => identity.name == *name && identity.namespace == namespace.unwrap_or_default(),
            MatchBy::Labels(labels) => {
                namespace.is_none_or(|namespace| identity.namespace == namespace)
                    && labels.iter().all(|(label, value)| {
                        get(object, &["metadata", "labels", label]).and_then(Value::as_str) == Some(value)
                    })
            }
        };
        let mut found: Vec<_> = self
            .objects
            .iter()
            .filter(|(identity, object)| identity.kind == selector.kind && wanted(identity, object))
            .collect();
        found.sort_by_key(|(identity, _)| format!("{}/{}", identity.namespace, identity.name));
        found.into_iter().map(|(_, object)| ObservedObject::from((*object).clone())).collect()
    }

    /// The OpenAPI schema of a kind.
    pub(super) fn schema(&self, kind: &KindRef) -> Option<Value> {
        let components =
            self.schemas.iter().filter_map(|document| get(document, &["components", "schemas"])?.as_object());
        components.flat_map(|schemas| schemas.values()).find(|schema| describes(schema, kind)).cloned()
    }
}

/// Whether a schema says that it is of this kind alone.
fn describes(schema: &Value, kind: &KindRef) -> bool {
    let Some([only]) = get(schema, &["x-kubernetes-group-version-kind"]).and_then(Value::as_array).map(Vec::as_slice)
    else {
        return false;
    };
    let (group, version) = (text(only, &["group"]), text(only, &["version"]));
    let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    api_version == kind.api_version && text(only, &["kind"]) == kind.kind
}
