//! What admission would find in the cluster, if the documents were applied in their order: those before an object, and wherever
//! they are those that it only names.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use contract::admit::LookupAnswers;
use contract::catalog::{ApiResource, Index};
use contract::preview::{Role, Source};
use contract::types::{Code, KindRef, MatchBy, ObservedObject, Problem, Selector};
use serde_json::Value;
use toolbox::entries::{by_key, set};
use toolbox::index;
use toolbox::kind::{Kind, Kinds};

use crate::cluster::{Spelled, limit, matches};
use crate::fields::text;
use crate::texts::{Document, Identity};

/// The most bytes of objects that are given to admission in one check. Ten large objects with the host of thousands of
/// small ones would be read thousands of times otherwise.
const MOST: usize = 64 << 20;

/// What lookups find.
pub(super) struct Neighbours<'a> {
    kinds: &'a Kinds,
    /// The documents before the one that is judged, and those that exist already.
    before: Known<'a>,
    /// All documents of kinds whose objects others name ([`Kind::names`]).
    named: Known<'a>,
    /// The subjects, by identity.
    subjects: BTreeMap<Identity, &'a Document>,
    /// The bytes of objects that lookups may still find.
    left: Cell<usize>,
}

/// A kind whose objects lookups find: one of the table, or another one that kinds of the table name.
#[derive(Clone, Copy)]
struct Findable {
    api_version: &'static str,
    kind: &'static str,
    indexes: &'static [Index],
}

impl Findable {
    fn of(kinds: &Kinds, kind: &KindRef) -> Option<Self> {
        let row =
            kinds.find(kind).map(|row| Self { api_version: row.api_version, kind: row.kind, indexes: row.found_by });
        let mut named = kinds.rows.iter().flat_map(|row| row.names);
        let is_it = |it: &&ApiResource| (it.api_version, it.kind) == (&*kind.api_version, &*kind.kind);
        row.or_else(|| named.find(is_it).map(|it| Self { api_version: it.api_version, kind: it.kind, indexes: &[] }))
    }
}

/// Objects that lookups find.
#[derive(Default)]
struct Known<'a> {
    objects: Vec<Neighbour<'a>>,
    /// The indexes of the objects that a lookup by this key may find, in order.
    by_key: BTreeMap<Key<'a>, Vec<usize>>,
}

struct Neighbour<'a> {
    identity: Identity,
    document: &'a Document,
    /// The object for answers, from when it is first found.
    found: OnceCell<ObservedObject>,
}

impl<'a> Neighbours<'a> {
    /// The documents that exist already, which are those that are not checked, and all that others name.
    pub(super) fn of(documents: &'a [Document], kinds: &'a Kinds) -> Self {
        let (mut before, mut named) = (Known::default(), Known::default());
        for document in documents.iter().filter(|it| it.role != Role::Schema) {
            let Some(row) = Findable::of(kinds, &KindRef::of(&document.object)) else { continue };
            if document.role != Role::Subject {
                before.add(row, document);
            }
            if kinds.rows.iter().any(|it| is_named(it, &KindRef::of(&document.object))) {
                named.add(row, document);
            }
        }
        Self { kinds, before, named, subjects: BTreeMap::new(), left: Cell::new(MOST) }
    }

    /// Adds a subject, after it was judged. Returns a warning when the same object was there before.
    pub(super) fn add(&mut self, document: &'a Document, sources: &[Source]) -> Option<Problem> {
        let identity = Identity::of(&document.object);
        if identity.name.is_empty() {
            return None;
        }
        if let Some(row) = Findable::of(self.kinds, &KindRef::of(&document.object)) {
            self.before.add(row, document);
        }
        let first = self.subjects.insert(identity, document)?;
        let name = first.source(sources).map_or("", |source| source.name.as_str());
        let place = format!("{name}:{}", first.location().line);
        let message = format!("the same object is at {place}; when both are applied, only this one stays");
        Some(Problem::new("metadata.name", Code::Duplicate, message))
    }

    /// The answers to the lookups of admission for an object of the kind in `judged`. Lookups that find nothing have no answer: what
    /// is not in the documents may still be in the cluster. The same holds for kinds that nobody names, of which documents seldom
    /// have all objects.
    pub(super) fn answers(&self, judged: &Kind, lookups: &BTreeMap<String, Selector>) -> LookupAnswers {
        let answers = lookups.iter().filter_map(|(name, selector)| {
            let row = Findable::of(self.kinds, &selector.kind)?;
            let known = if is_named(judged, &selector.kind) { &self.named } else { &self.before };
            let objects = known.find(self.kinds, row, selector).into_iter();
            Some((name.clone(), objects.map_while(|object| self.given(object)).collect::<Vec<_>>()))
        });
        by_key(answers.filter(|(_, objects)| !objects.is_empty()))
    }

    /// Says so when objects were not compared with all others, since too many share what they are found by.
    pub(super) fn incomplete(&self) -> Option<Problem> {
        let message = "many large objects share a host or a target, so not all of them were compared with one another";
        (self.left.get() == 0).then(|| Problem::new("", Code::TooMany, message))
    }

    /// An object for an answer. `None` when too many bytes were given.
    fn given(&self, object: &Neighbour<'_>) -> Option<ObservedObject> {
        let found = object.found.get_or_init(|| Spelled::of(Arc::clone(&object.document.object)).observed());
        let left = self.left.get().saturating_sub(found.text().map_or(0, str::len));
        self.left.set(left);
        (left > 0).then(|| found.clone())
    }
}

impl<'a> Known<'a> {
    fn add(&mut self, row: Findable, document: &'a Document) {
        for key in keys(row, &document.object) {
            self.by_key.entry(key).or_default().push(self.objects.len());
        }
        let identity = Identity::of(&document.object);
        self.objects.push(Neighbour { identity, document, found: OnceCell::new() });
    }

    /// The objects of the kind in `row` that a lookup finds, in their order.
    fn find(&self, kinds: &Kinds, row: Findable, selector: &Selector) -> Vec<&Neighbour<'a>> {
        let is_found = |at: &usize| {
            self.objects.get(*at).is_some_and(|it| matches(kinds, selector, &it.identity, &it.document.object))
        };
        let found = match wanted(row, selector) {
            None => set((0..self.objects.len()).filter(is_found).take(limit(selector))),
            Some(keys) => {
                let lists = keys.iter().filter_map(|key| self.by_key.get(key));
                set(lists.flat_map(|list| list.iter().copied().filter(is_found).take(limit(selector))))
            }
        };
        found.into_iter().take(limit(selector)).filter_map(|at| self.objects.get(at)).collect()
    }
}

/// Whether objects of the kind in `row` name those of another kind.
fn is_named(row: &Kind, kind: &KindRef) -> bool {
    row.names.iter().any(|it| (it.api_version, it.kind) == (&*kind.api_version, &*kind.kind))
}

/// What an object is found by: the version and name of its kind in the table; the name of an index, which is empty for the name;
/// the namespace, unless it may be any; and the first parts of the value.
type Key<'a> = (&'a str, &'a str, &'a str, Option<&'a str>, Vec<&'a str>);

/// The keys of an object: whoever looks for it has one of them. So few objects are compared with a lookup, however many
/// documents there are. Several objects may have a key; whether a lookup finds them is decided by their fields.
fn keys<'a>(row: Findable, object: &'a Value) -> Vec<Key<'a>> {
    let [namespace, name] = ["namespace", "name"].map(|field| text(object, &["metadata", field]));
    let mut keys = vec![key(row, "", Some(namespace), vec![name])];
    for index in row.indexes {
        let value = index::value(index, object);
        for length in 1..=value.len() {
            let part = value.get(..length).unwrap_or_default();
            keys.extend([None, Some(namespace)].map(|namespace| key(row, index.name, namespace, part.to_vec())));
        }
    }
    keys
}

/// The keys that objects of a lookup have, at least one. `None` when they may have any.
fn wanted<'a>(row: Findable, selector: &'a Selector) -> Option<Vec<Key<'a>>> {
    let namespace = selector.namespace.as_deref();
    match &selector.match_by {
        MatchBy::Name(name) => Some(vec![key(row, "", Some(namespace.unwrap_or_default()), vec![name.as_str()])]),
        MatchBy::Values(by) => {
            let parts = |value: &'a Vec<String>| value.iter().map(String::as_str).collect();
            Some(by.values.iter().map(|value| key(row, &by.index, namespace, parts(value))).collect())
        }
        MatchBy::Labels(_) => None,
    }
}

fn key<'a>(row: Findable, index: &'a str, namespace: Option<&'a str>, parts: Vec<&'a str>) -> Key<'a> {
    (row.api_version, row.kind, index, namespace, parts)
}
