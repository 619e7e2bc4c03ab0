//! What admission would find in the cluster, if the documents were applied in their order.

use std::collections::{BTreeMap, BTreeSet};

use contract::admit::LookupAnswers;
use contract::preview::{Role, Source};
use contract::types::{Code, KindRef, MatchBy, ObservedObject, Problem, Selector};
use serde_json::Value;
use toolbox::entries::by_key;
use toolbox::index;
use toolbox::kind::{Kind, Kinds};

use crate::cluster::{limit, matches};
use crate::texts::{Document, Identity};

/// The documents before the one that is judged, and those that exist already.
pub(super) struct Neighbours<'a> {
    kinds: &'a Kinds,
    /// The objects of kinds in the table, with their texts for the answers.
    objects: Vec<(Identity, &'a Document, ObservedObject)>,
    /// The indexes of the objects that a lookup by this key may find, in order.
    by_key: BTreeMap<String, Vec<usize>>,
    /// The subjects, by identity.
    subjects: BTreeMap<Identity, &'a Document>,
}

impl<'a> Neighbours<'a> {
    /// The documents that exist already: those that are not checked.
    pub(super) fn of(documents: &'a [Document], kinds: &'a Kinds) -> Self {
        let mut neighbours = Self { kinds, objects: Vec::new(), by_key: BTreeMap::new(), subjects: BTreeMap::new() };
        for document in documents.iter().filter(|it| !matches!(it.role, Role::Subject | Role::Schema)) {
            neighbours.remember(document);
        }
        neighbours
    }

    /// Adds a subject, after it was judged. Returns a warning when the same object was there before.
    pub(super) fn add(&mut self, document: &'a Document, sources: &[Source]) -> Option<Problem> {
        let identity = Identity::of(&document.object);
        if identity.name.is_empty() {
            return None;
        }
        self.remember(document);
        let first = self.subjects.insert(identity, document)?;
        let name = first.source(sources).map_or("", |source| source.name.as_str());
        let place = format!("{name}:{}", first.location().line);
        let message = format!("the same object is at {place}; when both are applied, only this one stays");
        Some(Problem::new("metadata.name", Code::Duplicate, message))
    }

    fn remember(&mut self, document: &'a Document) {
        let kind = KindRef::of(&document.object);
        if let Some(row) = self.kinds.find(&kind) {
            let text = document.object.to_string();
            let object = ObservedObject::from_text(text, BTreeMap::new());
            let identity = Identity::of(&document.object);
            for key in keys(row, &kind, &identity, &document.object) {
                self.by_key.entry(key).or_default().push(self.objects.len());
            }
            self.objects.push((identity, document, object));
        }
    }

    /// The answers to the lookups of admission. Lookups that find nothing have no answer: what is not in the documents may
    /// still be in the cluster. The same holds for kinds that are not in the table, of which documents seldom have all
    /// objects.
    pub(super) fn answers(&self, lookups: &BTreeMap<String, Selector>) -> LookupAnswers {
        let known = lookups.iter().filter(|(_, selector)| self.kinds.find(&selector.kind).is_some());
        let answers = known.map(|(name, selector)| {
            let found: BTreeSet<usize> = match wanted(selector) {
                None => self.first(0..self.objects.len(), selector).collect(),
                Some(keys) => {
                    let lists = keys.iter().filter_map(|key| self.by_key.get(key));
                    lists.flat_map(|list| self.first(list.iter().copied(), selector)).collect()
                }
            };
            let objects = found.into_iter().take(limit(selector)).filter_map(|at| self.objects.get(at));
            (name.clone(), objects.map(|(_, _, object)| object.clone()).collect::<Vec<_>>())
        });
        by_key(answers.filter(|(_, objects)| !objects.is_empty()))
    }

    /// The first of these objects that a lookup finds.
    fn first(&self, objects: impl Iterator<Item = usize>, selector: &Selector) -> impl Iterator<Item = usize> {
        let is_found = |at: &usize| {
            self.objects
                .get(*at)
                .is_some_and(|(identity, document, _)| matches(self.kinds, selector, identity, &document.object))
        };
        objects.filter(is_found).take(limit(selector))
    }
}

/// The keys of an object: whoever looks for it has one of them. So few objects are compared with a lookup, however many
/// documents there are.
fn keys(row: &Kind, kind: &KindRef, identity: &Identity, object: &Value) -> Vec<String> {
    let mut keys = vec![key(kind, "", Some(&identity.namespace), &[&identity.name])];
    for index in row.found_by {
        let value = index::value(index, object);
        for length in 1..=value.len() {
            let part = value.get(..length).unwrap_or_default();
            keys.extend(
                [None, Some(identity.namespace.as_str())].map(|namespace| key(kind, index.name, namespace, part)),
            );
        }
    }
    keys
}

/// The keys that objects of a lookup have, at least one. `None` when they may have any.
fn wanted(selector: &Selector) -> Option<Vec<String>> {
    let Selector { kind, match_by, namespace, .. } = selector;
    match match_by {
        MatchBy::Name(name) => Some(vec![key(kind, "", Some(namespace.as_deref().unwrap_or_default()), &[name])]),
        MatchBy::Values(by) => {
            let key = |value: &Vec<String>| {
                let parts: Vec<_> = value.iter().map(String::as_str).collect();
                key(kind, &by.index, namespace.as_deref(), &parts)
            };
            Some(by.values.iter().map(key).collect())
        }
        MatchBy::Labels(_) => None,
    }
}

/// The text of a key. Several objects may have it; whether a lookup finds them is decided by their fields.
fn key(kind: &KindRef, index: &str, namespace: Option<&str>, parts: &[&str]) -> String {
    let namespace = namespace.unwrap_or("*");
    format!("{} {} {index} {namespace} {}", kind.api_version, kind.kind, parts.join("\n"))
}
