//! A cache of the objects of one kind.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::time::{Duration, Instant};

use kube::core::{ApiResource, DynamicObject, TypeMeta};

use crate::wit::types::{MatchBy, ObservedObject, Selector};

/// How long a cache is used after its watch failed.
const STALE_AFTER: Duration = Duration::from_secs(60);

/// An object as JSON, with its labels.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    labels: BTreeMap<String, String>,
    text: Arc<str>,
}

/// Objects by namespace and name.
type Objects = BTreeMap<(String, String), Entry>;

/// The objects of a kind.
#[derive(Debug)]
pub(super) struct Cache {
    resource: ApiResource,
    state: RwLock<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    /// All objects. `None` until the first list is complete.
    objects: Option<Objects>,
    /// The objects of a list that is not complete yet.
    listed: Objects,
    /// When the watch failed, unless it works.
    broken: Option<Instant>,
}

impl Cache {
    /// An empty cache for the objects of `resource`.
    pub(super) fn new(resource: ApiResource) -> Self {
        Self { resource, state: RwLock::default() }
    }

    /// The objects that `selector` selects, sorted by namespace and name. `None` when the cache may not know all of
    /// them.
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

    /// Whether a list has been complete at some time.
    pub(super) fn was_synced(&self) -> bool {
        self.state.read().unwrap_or_else(PoisonError::into_inner).objects.is_some()
    }

    /// Whether the watch works, and the number of objects.
    pub(super) fn standing(&self) -> (bool, usize) {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        (state.objects.is_some() && state.broken.is_none(), state.objects.as_ref().map_or(0, BTreeMap::len))
    }

    /// A list begins.
    pub(super) fn begin(&self) {
        self.write().listed.clear();
    }

    /// An object of the list.
    pub(super) fn list(&self, object: DynamicObject) {
        if let Some((key, entry)) = entry(&self.resource, object) {
            self.write().listed.insert(key, entry);
        }
    }

    /// The list is complete.
    pub(super) fn end(&self) {
        let mut state = self.write();
        state.objects = Some(std::mem::take(&mut state.listed));
        state.broken = None;
    }

    /// An object was added or modified.
    pub(super) fn put(&self, object: DynamicObject) {
        if let Some((key, entry)) = entry(&self.resource, object)
            && let Some(objects) = &mut self.write().objects
        {
            objects.insert(key, entry);
        }
    }

    /// An object was deleted.
    pub(super) fn remove(&self, object: &DynamicObject) {
        if let Some(objects) = &mut self.write().objects {
            objects.remove(&key(object));
        }
    }

    /// The watch failed.
    pub(super) fn break_off(&self) {
        self.write().broken.get_or_insert_with(Instant::now);
    }

    /// The kind does not exist.
    pub(super) fn forget(&self) {
        *self.write() = CacheState::default();
    }

    fn write(&self) -> RwLockWriteGuard<'_, CacheState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The objects that `selector` selects. `objects` are given as namespace, name and entry.
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

/// The entry of an object, with its key. Managed fields are left out. Objects in lists may lack `apiVersion` and
/// `kind`, so these are added.
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
