//! The simulated cluster: objects of the texts, and composed objects. Lookups find them, and compositions observe them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::crossplane::owner::controller_uid;
use super::fields::{get, merge, set, text};
use super::texts::{Document, Identity};
use contract::preview::Role;
use contract::types::{KindRef, MadeOnce, MatchBy, ObservedObject, Selector};
use quantity::order;
use toolbox::entries::by_key;
use toolbox::index;
use toolbox::kind::Kinds;

/// The objects in the simulated cluster, by identity.
#[derive(Clone)]
pub(super) struct Cluster<'a> {
    /// The objects of the texts. Of two with the same identity the later one is used.
    written: BTreeMap<Identity, Rc<Spelled>>,
    /// The composed objects, each merged into the object of the texts with its identity.
    composed: BTreeMap<Identity, Rc<Spelled>>,
    /// Those of them that were added since the cluster was made.
    applied: Applied,
    /// The objects of the texts that keep the status which they have, or which is assumed.
    kept: BTreeSet<Identity>,
    schemas: Vec<&'a Value>,
    /// The kinds, which say what their objects are found by.
    kinds: &'a Kinds,
}

/// The observed resources of a composite, by composition resource name.
pub(super) type ObservedResources = BTreeMap<String, Rc<Spelled>>;

/// What lookups have found.
pub(super) type FoundObjects = BTreeMap<Selector, Vec<Rc<Spelled>>>;

/// What a round has composed, for the next one.
#[derive(Clone, Default)]
pub(super) struct Applied(BTreeMap<Identity, Rc<Spelled>>);

/// An object, and its text once somebody needs it. Many lookups find the same objects.
pub(super) struct Spelled {
    object: Arc<Value>,
    text: OnceCell<Arc<String>>,
    read: MadeOnce,
}

impl Spelled {
    pub(super) fn of(object: Arc<Value>) -> Rc<Self> {
        Rc::new(Self { object, text: OnceCell::new(), read: MadeOnce::default() })
    }

    pub(super) fn object(&self) -> &Value {
        &self.object
    }

    /// Its text: the texts of two objects are equal when these are.
    pub(super) fn text(&self) -> Arc<String> {
        let text = || serde_json::to_string(&*self.object).unwrap_or_default().into();
        Arc::clone(self.text.get_or_init(text))
    }

    /// The same as compositions get it.
    pub(super) fn observed(&self) -> ObservedObject {
        ObservedObject::from_parsed(self.text(), Arc::clone(&self.object), self.read.clone())
    }
}

impl PartialEq for Spelled {
    fn eq(&self, other: &Self) -> bool {
        self.object == other.object
    }
}

// What is shared is then equal without a look at it.
impl Eq for Spelled {}

impl<'a> Cluster<'a> {
    /// The cluster with the objects of these documents.
    pub(super) fn of(documents: impl IntoIterator<Item = &'a Document>, kinds: &'a Kinds) -> Self {
        let (schemas, objects): (Vec<_>, Vec<_>) =
            documents.into_iter().partition(|document| document.role == Role::Schema);
        Self {
            written: by_key(
                objects.into_iter().map(|it| (Identity::of(&it.object), Spelled::of(Arc::clone(&it.object)))),
            ),
            composed: BTreeMap::new(),
            applied: Applied::default(),
            kept: BTreeSet::new(),
            schemas: schemas.into_iter().map(|document| &*document.object).collect(),
            kinds,
        }
    }

    /// The cluster with this object instead of the one of the texts with its identity.
    pub(super) fn with(mut self, identity: Identity, object: Rc<Spelled>) -> Self {
        self.written.insert(identity, object);
        self
    }

    /// The cluster with this object, whose status is assumed.
    pub(super) fn assuming(self, identity: Identity, object: &Arc<Value>) -> Self {
        self.keeping(identity.clone()).with(identity, Spelled::of(Arc::clone(object)))
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

    /// The cluster with the same texts, and with what a round composed instead of anything earlier.
    pub(super) fn after(&self, round: &Applied) -> Self {
        Self {
            written: self.written.clone(),
            composed: round.0.clone(),
            applied: Applied::default(),
            kept: self.kept.clone(),
            schemas: self.schemas.clone(),
            kinds: self.kinds,
        }
    }

    /// The cluster with these composed objects too.
    pub(super) fn applying<'c>(mut self, composed: impl IntoIterator<Item = &'c Value>) -> Self {
        composed.into_iter().for_each(|object| self.apply(object));
        self
    }

    /// Adds a composed object. Of two with the same identity the later one is used. If they have different controllers, the
    /// choice does not depend on the order.
    pub(super) fn apply(&mut self, object: &Value) {
        let identity = Identity::of(object);
        if let Some(whole) = self.whole(&identity, object)
            && !gives_way(object, self.composed.get(&identity))
        {
            self.composed.insert(identity, whole);
        }
    }

    /// Adds a composed object for what comes after: lookups do not find it here.
    pub(super) fn apply_afterwards(&mut self, object: &Value) {
        self.whole(&Identity::of(object), object);
    }

    /// Adds a composed object for what comes after. Returns the object as it is then, or `None` when it leaves its place.
    fn whole(&mut self, identity: &Identity, object: &Value) -> Option<Rc<Spelled>> {
        if gives_way(object, self.applied.0.get(identity)) {
            return None;
        }
        // Server-side apply keeps fields that it does not set.
        let mut whole = self.get(identity).cloned().unwrap_or_default();
        merge(&mut whole, object);
        if let Some(stated) = self.get(identity).filter(|_| self.keeps_status(identity)) {
            set(&mut whole, &["status"], stated["status"].clone());
        }
        // They are for Crossplane alone, and another one would make everything that finds the object be composed again.
        if let Some(for_crossplane) = whole.pointer_mut("/spec/crossplane").and_then(Value::as_object_mut) {
            for_crossplane.remove("resourceRefs");
        }
        // What the round before composed the same is not spelled, read and compared again.
        let before = self.composed.get(identity).filter(|before| *before.object() == whole);
        let whole = before.map_or_else(|| Spelled::of(Arc::new(whole)), Rc::clone);
        self.applied.0.insert(identity.clone(), Rc::clone(&whole));
        Some(whole)
    }

    /// What was added since the cluster was made.
    pub(super) fn into_applied(self) -> Applied {
        self.applied
    }

    /// The objects of the texts.
    pub(super) fn objects(&self) -> impl Iterator<Item = (&Identity, &Value)> {
        self.written.iter().map(|(identity, known)| (identity, known.object()))
    }

    /// The object of the texts with this identity, as observed before composing.
    pub(super) fn get(&self, identity: &Identity) -> Option<&Value> {
        self.spelled(identity).map(|known| known.object())
    }

    /// The same with its text.
    pub(super) fn spelled(&self, identity: &Identity) -> Option<&Rc<Spelled>> {
        self.written.get(identity)
    }

    /// The objects that a lookup finds, sorted by namespace and name.
    pub(super) fn find(&self, selector: &Selector) -> Vec<&Value> {
        self.found(selector).into_iter().map(|found| found.object()).collect()
    }

    /// The objects as an answer.
    pub(super) fn answer(&self, selector: &Selector) -> Vec<ObservedObject> {
        self.found(selector).into_iter().map(|found| found.observed()).collect()
    }

    /// The same for a composite, which finds the same until it is composed. All that it looks up is kept in `found`.
    pub(super) fn look_up<'f>(&self, selector: &Selector, found: &'f mut FoundObjects) -> &'f [Rc<Spelled>] {
        let search = || self.found(selector).into_iter().map(Rc::clone).collect();
        found.entry(selector.clone()).or_insert_with(search)
    }

    /// These objects, and what their texts are.
    pub(super) fn found(&self, selector: &Selector) -> Vec<&Rc<Spelled>> {
        let candidates = match &selector.match_by {
            MatchBy::Name(name) => {
                self.named(&selector.kind, selector.namespace.as_deref(), name).into_iter().collect()
            }
            _ => self.all(&selector.kind),
        };
        let matching =
            candidates.into_iter().filter(|(identity, it)| matches(self.kinds, selector, identity, it.object()));
        let sorted = order::sorted(matching.collect(), |(one, _), (other, _)| one.order(other));
        sorted.into_iter().take(limit(selector)).map(|(_, found)| found).collect()
    }

    /// The object of a kind with this name.
    fn named(&self, kind: &KindRef, namespace: Option<&str>, name: &str) -> Option<(&Identity, &Rc<Spelled>)> {
        let identity = Identity::new(kind, namespace.unwrap_or_default().to_owned(), name.to_owned());
        self.composed.get_key_value(&identity).or_else(|| self.written.get_key_value(&identity))
    }

    /// The objects of a kind. There may be thousands, which are beside one another, so no key is searched for.
    fn all(&self, kind: &KindRef) -> Vec<(&Identity, &Rc<Spelled>)> {
        let of_kind = Identity::all(kind);
        let mut composed = self.composed.range(of_kind.clone()).peekable();
        let mut all = Vec::new();
        for written in self.written.range(of_kind) {
            while let Some(before) = composed.next_if(|it| it.0.place() < written.0.place()) {
                all.push(before);
            }
            all.push(composed.next_if(|it| it.0.place() == written.0.place()).unwrap_or(written));
        }
        all.extend(composed);
        all
    }

    /// The OpenAPI schema of a kind. `None` when no text has it.
    pub(super) fn schema(&self, kind: &KindRef) -> Option<Value> {
        let components =
            self.schemas.iter().filter_map(|document| get(document, &["components", "schemas"])?.as_object());
        components.flat_map(|schemas| schemas.values()).find(|schema| describes(schema, kind)).cloned()
    }
}

/// Whether an object leaves its place to the one that is there.
fn gives_way(object: &Value, known: Option<&Rc<Spelled>>) -> bool {
    known.is_some_and(|known| controller_uid(known.object()) > controller_uid(object))
}

/// The most objects that a lookup finds.
pub(super) fn limit(selector: &Selector) -> usize {
    selector.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// Whether a lookup finds an object.
pub(super) fn matches(kinds: &Kinds, selector: &Selector, identity: &Identity, object: &Value) -> bool {
    // It is for each object and lookup, so nothing is allocated.
    if identity.kind != selector.kind.kind || object["apiVersion"] != *selector.kind.api_version {
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
