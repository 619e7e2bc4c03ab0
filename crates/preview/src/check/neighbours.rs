//! What admission would find in the cluster, if the documents were applied in their order.

use std::collections::BTreeMap;

use contract::admit::LookupAnswers;
use contract::preview::{Role, Source};
use contract::types::{Code, KindRef, ObservedObject, Problem, Selector};
use toolbox::kind::Kinds;

use crate::cluster::{limit, matches};
use crate::texts::{Document, Identity};

/// The documents before the one that is judged, and those that exist already.
pub(super) struct Neighbours<'a> {
    kinds: &'a Kinds,
    /// The objects of kinds in the table, with their texts for the answers.
    objects: Vec<(Identity, &'a Document, ObservedObject)>,
    /// The subjects, by identity.
    subjects: BTreeMap<Identity, &'a Document>,
}

impl<'a> Neighbours<'a> {
    /// The documents that exist already: those that are not checked.
    pub(super) fn of(documents: &'a [Document], kinds: &'a Kinds) -> Self {
        let mut neighbours = Self { kinds, objects: Vec::new(), subjects: BTreeMap::new() };
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
        if self.kinds.find(&KindRef::of(&document.object)).is_some() {
            let text = document.object.to_string();
            let object = ObservedObject::from_text(text, BTreeMap::new());
            self.objects.push((Identity::of(&document.object), document, object));
        }
    }

    /// The answers to the lookups of admission. Lookups that find nothing have no answer: what is not in the documents may
    /// still be in the cluster. The same holds for kinds that are not in the table, of which documents seldom have all
    /// objects.
    pub(super) fn answers(&self, lookups: &BTreeMap<String, Selector>) -> LookupAnswers {
        let known = lookups.iter().filter(|(_, selector)| self.kinds.find(&selector.kind).is_some());
        let answers = known.map(|(name, selector)| {
            let is_found = |(identity, document, _): &&(Identity, &Document, ObservedObject)| {
                matches(self.kinds, selector, identity, &document.object)
            };
            let found = self.objects.iter().filter(is_found).take(limit(selector));
            (name.clone(), found.map(|(_, _, object)| object.clone()).collect::<Vec<_>>())
        });
        answers.filter(|(_, objects)| !objects.is_empty()).collect()
    }
}
