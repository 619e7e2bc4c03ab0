//! The simulated cluster: objects of the texts, and composed objects. Lookups find them, and compositions observe them.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use super::crossplane::owner::controller_uid;
use super::fields::{get, merge, text};
use super::texts::{Document, Identity};
use contract::preview::Role;
use contract::types::{KindRef, MatchBy, Selector};
use toolbox::entries::by_key;
use toolbox::index;
use toolbox::kind::Kinds;

/// The objects in the simulated cluster, by identity.
#[derive(Clone)]
pub(super) struct Cluster<'a> {
    /// The objects of the texts. Of two with the same identity the later one is used.
    written: BTreeMap<Identity, &'a Value>,
    /// The composed objects, each merged into the object of the texts with its identity.
    composed: BTreeMap<Identity, Rc<Value>>,
    schemas: Vec<&'a Value>,
    /// The kinds, which say what their objects are found by.
    kinds: &'a Kinds,
}

impl<'a> Cluster<'a> {
    /// The cluster with the objects of these documents.
    pub(super) fn of(documents: impl IntoIterator<Item = &'a Document>, kinds: &'a Kinds) -> Self {
        let (schemas, objects): (Vec<_>, Vec<_>) =
            documents.into_iter().partition(|document| document.role == Role::Schema);
        Self {
            written: by_key(objects.into_iter().map(|document| (Identity::of(&document.object), &document.object))),
            composed: BTreeMap::new(),
            schemas: schemas.into_iter().map(|document| &document.object).collect(),
            kinds,
        }
    }

    /// The cluster with this object instead of the one of the texts with its identity.
    pub(super) fn with(mut self, identity: Identity, object: &'a Value) -> Self {
        self.written.insert(identity, object);
        self
    }

    /// The cluster with the same texts, and with these composed objects instead of earlier ones. Of two with the same
    /// identity the later one is used. If they have different controllers, the choice does not depend on the order.
    pub(super) fn after<'c>(&self, composed: impl Iterator<Item = &'c Value>) -> Self {
        let mut after = Self {
            written: self.written.clone(),
            composed: BTreeMap::new(),
            schemas: self.schemas.clone(),
            kinds: self.kinds,
        };
        composed.for_each(|object| after.apply(object));
        after
    }

    /// Adds a composed object, by the same rule.
    pub(super) fn apply(&mut self, object: &Value) {
        let identity = Identity::of(object);
        if self.composed.get(&identity).is_some_and(|known| controller_uid(known) > controller_uid(object)) {
            return;
        }
        // Server-side apply keeps fields that it does not set.
        let mut whole = self.get(&identity).cloned().unwrap_or_default();
        merge(&mut whole, object);
        self.composed.insert(identity, Rc::new(whole));
    }

    /// The object of the texts with this identity, as observed before composing.
    pub(super) fn get(&self, identity: &Identity) -> Option<&'a Value> {
        self.written.get(identity).copied()
    }

    /// The objects that a lookup finds, sorted by namespace and name.
    pub(super) fn find(&self, selector: &Selector) -> Vec<&Value> {
        let written = self.written.iter().filter(|(identity, _)| !self.composed.contains_key(identity));
        let composed = self.composed.iter().map(|(identity, object)| (identity, object.as_ref()));
        let all = written.map(|(identity, object)| (identity, *object)).chain(composed);
        let mut found: Vec<_> =
            all.filter(|(identity, object)| matches(self.kinds, selector, identity, object)).collect();
        found.sort_by_cached_key(|(identity, _)| format!("{}/{}", identity.namespace, identity.name));
        found.truncate(limit(selector));
        found.into_iter().map(|(_, object)| object).collect()
    }

    /// The OpenAPI schema of a kind. `None` when no text has it.
    pub(super) fn schema(&self, kind: &KindRef) -> Option<Value> {
        let components =
            self.schemas.iter().filter_map(|document| get(document, &["components", "schemas"])?.as_object());
        components.flat_map(|schemas| schemas.values()).find(|schema| describes(schema, kind)).cloned()
    }
}

/// The most objects that a lookup finds.
pub(super) fn limit(selector: &Selector) -> usize {
    selector.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// Whether a lookup finds an object.
pub(super) fn matches(kinds: &Kinds, selector: &Selector, identity: &Identity, object: &Value) -> bool {
    let namespace = selector.namespace.as_deref();
    let here = namespace.is_none_or(|namespace| identity.namespace == namespace);
    let wanted = match &selector.match_by {
        MatchBy::Name(name) => identity.name == *name && identity.namespace == namespace.unwrap_or_default(),
        MatchBy::Labels(labels) => {
            here && labels.iter().all(|(label, value)| {
                get(object, &["metadata", "labels", label]).and_then(Value::as_str) == Some(value)
            })
        }
        MatchBy::Values(by) => {
            let row = kinds.find(&selector.kind);
            let declared = row.and_then(|row| row.found_by.iter().find(|index| index.name == by.index));
            here && declared.is_some_and(|index| index::has_one_of(index, object, &by.values))
        }
    };
    wanted && KindRef::of(object) == selector.kind
}

/// Whether a schema is for this kind, and for no other.
fn describes(schema: &Value, kind: &KindRef) -> bool {
    let Some([only]) = get(schema, &["x-kubernetes-group-version-kind"]).and_then(Value::as_array).map(Vec::as_slice)
    else {
        return false;
    };
    let (group, version) = (text(only, &["group"]), text(only, &["version"]));
    let api_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
    api_version == kind.api_version && text(only, &["kind"]) == kind.kind
}
