//! The simulated cluster: objects of the texts, and composed objects. Lookups find them, and compositions observe them.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::crossplane::owner::controller_uid;
use super::fields::{get, merge, set, text};
use super::texts::{Document, Identity};
use contract::preview::Role;
use contract::types::{ConnectionDetails, KindRef, MatchBy, ObservedObject, Selector};
use quantity::order;
use toolbox::entries::by_key;
use toolbox::index;
use toolbox::kind::Kinds;

/// The objects in the simulated cluster, by identity.
#[derive(Clone)]
pub(super) struct Cluster<'a> {
    /// The objects of the texts. Of two with the same identity the later one is used.
    written: BTreeMap<Identity, Rc<Spelled<&'a Value>>>,
    /// The composed objects, each merged into the object of the texts with its identity.
    composed: BTreeMap<Identity, Rc<Spelled<Value>>>,
    /// The objects of the texts that keep the status which they have, or which is assumed.
    kept: BTreeSet<Identity>,
    schemas: Vec<&'a Value>,
    /// The kinds, which say what their objects are found by.
    kinds: &'a Kinds,
}

/// An object, and its text once a lookup has found it. Many lookups find the same objects, and readers of a few fields take
/// these from the text.
struct Spelled<T> {
    object: T,
    text: OnceCell<Arc<String>>,
}

impl<T: Borrow<Value>> Spelled<T> {
    fn of(object: T) -> Rc<Self> {
        Rc::new(Self { object, text: OnceCell::new() })
    }

    fn found(&self) -> FoundObject<'_> {
        FoundObject { object: self.object.borrow(), text: &self.text }
    }
}

/// An object that a lookup finds.
#[derive(Clone, Copy)]
struct FoundObject<'c> {
    object: &'c Value,
    text: &'c OnceCell<Arc<String>>,
}

impl<'a> Cluster<'a> {
    /// The cluster with the objects of these documents.
    pub(super) fn of(documents: impl IntoIterator<Item = &'a Document>, kinds: &'a Kinds) -> Self {
        let (schemas, objects): (Vec<_>, Vec<_>) =
            documents.into_iter().partition(|document| document.role == Role::Schema);
        Self {
            written: by_key(objects.into_iter().map(|it| (Identity::of(&it.object), Spelled::of(&it.object)))),
            composed: BTreeMap::new(),
            kept: BTreeSet::new(),
            schemas: schemas.into_iter().map(|document| &document.object).collect(),
            kinds,
        }
    }

    /// The cluster with this object instead of the one of the texts with its identity.
    pub(super) fn with(mut self, identity: Identity, object: &'a Value) -> Self {
        self.written.insert(identity, Spelled::of(object));
        self
    }

    /// The cluster with this object, whose status is assumed.
    pub(super) fn assuming(self, identity: Identity, object: &'a Value) -> Self {
        self.keeping(identity.clone()).with(identity, object)
    }

    /// The cluster in which an object keeps the status that it has, whatever composing makes of it: that knows of nothing that
    /// is up.
    pub(super) fn keeping(mut self, identity: Identity) -> Self {
        self.kept.insert(identity);
        self
    }

    /// Whether an object keeps its status.
    pub(super) fn keeps_status(&self, identity: &Identity) -> bool {
        self.kept.contains(identity)
    }

    /// The cluster with the same texts, and with these composed objects instead of earlier ones. Of two with the same
    /// identity the later one is used. If they have different controllers, the choice does not depend on the order.
    pub(super) fn after<'c>(&self, composed: impl Iterator<Item = &'c Value>) -> Self {
        let mut after = Self {
            written: self.written.clone(),
            composed: BTreeMap::new(),
            kept: self.kept.clone(),
            schemas: self.schemas.clone(),
            kinds: self.kinds,
        };
        composed.for_each(|object| after.apply(object));
        after
    }

    /// Adds a composed object, by the same rule.
    pub(super) fn apply(&mut self, object: &Value) {
        let identity = Identity::of(object);
        if self.composed.get(&identity).is_some_and(|known| controller_uid(&known.object) > controller_uid(object)) {
            return;
        }
        // Server-side apply keeps fields that it does not set.
        let mut whole = self.get(&identity).cloned().unwrap_or_default();
        merge(&mut whole, object);
        if let Some(stated) = self.get(&identity).filter(|_| self.keeps_status(&identity)) {
            set(&mut whole, &["status"], stated["status"].clone());
        }
        // They are for Crossplane alone, and another one would make everything that finds the object be composed again.
        if let Some(for_crossplane) = whole.pointer_mut("/spec/crossplane").and_then(Value::as_object_mut) {
            for_crossplane.remove("resourceRefs");
        }
        self.composed.insert(identity, Spelled::of(whole));
    }

    /// The objects of the texts.
    pub(super) fn objects(&self) -> impl Iterator<Item = (&Identity, &'a Value)> {
        self.written.iter().map(|(identity, known)| (identity, known.object))
    }

    /// The object of the texts with this identity, as observed before composing.
    pub(super) fn get(&self, identity: &Identity) -> Option<&'a Value> {
        self.written.get(identity).map(|known| known.object)
    }

    /// The objects that a lookup finds, sorted by namespace and name.
    pub(super) fn find(&self, selector: &Selector) -> Vec<&Value> {
        self.found(selector).into_iter().map(|found| found.object).collect()
    }

    /// The texts of these objects: they are equal when the objects are.
    pub(super) fn texts(&self, selector: &Selector) -> Vec<Arc<String>> {
        let text = |FoundObject { object, text }: FoundObject<'_>| {
            Arc::clone(text.get_or_init(|| serde_json::to_string(object).unwrap_or_default().into()))
        };
        self.found(selector).into_iter().map(text).collect()
    }

    /// The same as an answer.
    pub(super) fn answer(&self, selector: &Selector) -> Vec<ObservedObject> {
        let answer = |text| ObservedObject::from_shared(text, ConnectionDetails::new());
        self.texts(selector).into_iter().map(answer).collect()
    }

    fn found(&self, selector: &Selector) -> Vec<FoundObject<'_>> {
        let written = self.written.iter().filter(|(identity, _)| !self.composed.contains_key(identity));
        let written = written.map(|(identity, known)| (identity, known.found()));
        let all = written.chain(self.composed.iter().map(|(identity, known)| (identity, known.found())));
        let found = all.filter(|(identity, found)| matches(self.kinds, selector, identity, found.object));
        let keyed = found.map(|(identity, found)| (format!("{}/{}", identity.namespace, identity.name), found));
        let sorted = order::sorted(keyed.collect(), |(one, _), (other, _)| one.cmp(other));
        sorted.into_iter().take(limit(selector)).map(|(_, found)| found).collect()
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
    // It is for each object and lookup, so nothing is allocated.
    if object["kind"] != *selector.kind.kind || object["apiVersion"] != *selector.kind.api_version {
        return false;
    }
    let namespace = selector.namespace.as_deref();
    let here = namespace.is_none_or(|namespace| identity.namespace == namespace);
    match &selector.match_by {
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
    }
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
