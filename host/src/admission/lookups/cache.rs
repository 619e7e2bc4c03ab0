//! The objects of one kind.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use kube::core::{ApiResource, DynamicObject, TypeMeta};

use crate::wit::types::{MatchBy, ObservedObject, Selector};

/// How long what was known still counts once changes no longer arrive.
const STALE_AFTER: Duration = Duration::from_secs(60);

/// An object, written out once.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    labels: BTreeMap<String, String>,
    text: Arc<str>,
}

/// Objects by namespace and name.
type Objects = BTreeMap<(String, String), Entry>;

/// What is known of a kind.
#[derive(Debug)]
pub(super) struct Cache {
    resource: ApiResource,
    state: RwLock<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Nothing before everything was known for the first time.
    objects: Option<Objects>,
    /// What has been listed so far, while everything is listed once more.
    listed: Objects,
    /// Since when changes do not arrive.
    broken: Option<Instant>,
}

impl Cache {
    /// Nothing is known yet of the objects of `resource`.
    pub(super) fn new(resource: ApiResource) -> Self {
        Self { resource, state: RwLock::default() }
    }

    /// The objects that `selector` selects, by namespace and name; nothing when not all of them may be known.
    pub(super) fn select(&self, selector: &Selector) -> Option<Vec<ObservedObject>> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if state.broken.is_some_and(|since| since.elapsed() > STALE_AFTER) {
            return None;
        }
        let objects = state.objects.as_ref()?;
        Some(select(
            objects.iter().map(|((namespace, name), entry)| (namespace.as_str(), name.as_str(), entry)),
            selector,
        ))
    }

    /// Whether everything was known at some time.
    pub(super) fn was_synced(&self) -> bool {
        self.state.read().unwrap_or_else(PoisonError::into_inner).objects.is_some()
    }

    /// Whether changes arrive, and how many objects are known.
    pub(super) fn standing(&self) -> (bool, usize) {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        (state.objects.is_some() && state.broken.is_none(), state.objects.as_ref().map_or(0, BTreeMap::len))
    }

    /// Everything is about to be listed.
    pub(super) fn begin(&self) {
        self.change(|state| state.listed.clear());
    }

    /// One of everything.
    pub(super) fn list(&self, object: DynamicObject) {
        if let Some((key, entry)) = entry(&self.resource, object) {
            self.change(|state| {
                state.listed.insert(key, entry);
            });
        }
    }

    /// That was everything.
    pub(super) fn end(&self) {
        self.change(|state| {
            state.objects = Some(std::mem::take(&mut state.listed));
            state.broken = None;
        });
    }

    /// An object is there, or is different.
    pub(super) fn put(&self, object: DynamicObject) {
        if let Some((key, entry)) = entry(&self.resource, object) {
            self.change(|state| drop(state.objects.as_mut().map(|objects| objects.insert(key, entry))));
        }
    }

    /// An object is gone.
    pub(super) fn remove(&self, object: &DynamicObject) {
        let key = key(object);
        self.change(|state| drop(state.objects.as_mut().map(|objects| objects.remove(&key))));
    }

    /// Changes no longer arrive.
    pub(super) fn break_off(&self) {
        self.change(|state| {
            state.broken.get_or_insert_with(Instant::now);
        });
    }

    /// The kind does not exist.
    pub(super) fn forget(&self) {
        self.change(|state| *state = State::default());
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Those of `objects`, given with their namespaces and names, that `selector` selects.
pub(super) fn select<'a>(
    objects: impl Iterator<Item = (&'a str, &'a str, &'a Entry)>,
    selector: &Selector,
) -> Vec<ObservedObject> {
    let selected = objects.filter(|(namespace, name, entry)| {
        let here = selector.namespace.as_ref().is_none_or(|wanted| wanted == namespace);
        here && match &selector.match_by {
            MatchBy::Name(wanted) => wanted == name,
            MatchBy::Labels(wanted) => wanted.iter().all(|(key, value)| entry.labels.get(key) == Some(value)),
        }
    });
    let observed = |(_, _, entry): (_, _, &Entry)| ObservedObject {
        object: entry.text.to_string(),
        connection_details: Vec::new(),
    };
    selected.map(observed).collect()
}

/// An object under its namespace and name, without what only tells who wrote which field. Those in lists need not
/// state their type.
pub(super) fn entry(resource: &ApiResource, mut object: DynamicObject) -> Option<((String, String), Entry)> {
    object.metadata.managed_fields = None;
    let ApiResource { api_version, kind, .. } = resource;
    object.types.get_or_insert_with(|| TypeMeta { api_version: api_version.clone(), kind: kind.clone() });
    let text = serde_json::to_string(&object).ok()?.into();
    let key = key(&object);
    Some((key, Entry { labels: object.metadata.labels.unwrap_or_default(), text }))
}

fn key(object: &DynamicObject) -> (String, String) {
    (object.metadata.namespace.clone().unwrap_or_default(), object.metadata.name.clone().unwrap_or_default())
}
