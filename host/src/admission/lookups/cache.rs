//! A cache of the objects of one kind.

use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use std::time::{Duration, Instant};

use kube::core::ApiResource;

use super::object::ReadObject;
use super::objects::{Objects, key};
use crate::wit::catalog::Index;
use crate::wit::types::{ObservedObject, Selector};

/// How long a cache is used after its watch failed.
const STALE_AFTER: Duration = Duration::from_secs(60);

/// The objects of a kind.
#[derive(Debug)]
pub(super) struct Cache {
    resource: ApiResource,
    indexes: Vec<Index>,
    state: RwLock<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    /// All objects. `None` until the first list is complete.
    objects: Option<Objects>,
    /// The objects of a list that is not complete yet.
    listed: Option<Objects>,
    /// When the watch failed, unless it works.
    broken: Option<Instant>,
    /// Whether the kind was not there when it was last asked for.
    absent: bool,
}

impl Cache {
    /// An empty cache for the objects of `resource`, with these indexes.
    pub(super) fn new(resource: ApiResource, indexes: Vec<Index>) -> Self {
        Self { resource, indexes, state: RwLock::default() }
    }

    /// The objects that `selector` selects, sorted by namespace and name. `None` when the cache may not know all of
    /// them, and when it has no such index.
    pub(super) fn select(&self, selector: &Selector) -> Option<Vec<ObservedObject>> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if state.broken.is_some_and(|since| since.elapsed() > STALE_AFTER) {
            return None;
        }
        state.objects.as_ref()?.select(selector)
    }

    /// Those of `objects` that `selector` selects, sorted by namespace and name.
    pub(super) fn select_among(&self, objects: Vec<ReadObject>, selector: &Selector) -> Option<Vec<ObservedObject>> {
        let mut all = Objects::new(&self.indexes);
        for object in objects {
            all.insert(&self.resource, object, None);
        }
        all.select(selector)
    }

    /// Whether a list has been complete at some time, or the kind is not there: then there is nothing to wait for.
    pub(super) fn is_settled(&self) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.objects.is_some() || state.absent
    }

    /// Whether the watch works, and the number of objects.
    pub(super) fn standing(&self) -> (bool, usize) {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        (state.objects.is_some() && state.broken.is_none(), state.objects.as_ref().map_or(0, Objects::len))
    }

    /// A list begins.
    pub(super) fn begin(&self) {
        self.write().listed = Some(Objects::new(&self.indexes));
    }

    /// An object of the list.
    pub(super) fn list(&self, object: ReadObject) {
        let mut state = self.write();
        let CacheState { objects, listed, .. } = &mut *state;
        if let Some(listed) = listed {
            listed.insert(&self.resource, object, objects.as_ref());
        }
    }

    /// The list is complete.
    pub(super) fn end(&self) {
        let mut state = self.write();
        state.objects = state.listed.take();
        state.broken = None;
        state.absent = false;
    }

    /// An object was added or modified.
    pub(super) fn put(&self, object: ReadObject) {
        if let Some(objects) = &mut self.write().objects {
            objects.insert(&self.resource, object, None);
        }
    }

    /// An object was deleted.
    pub(super) fn remove(&self, object: &ReadObject) {
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
        *self.write() = CacheState { absent: true, ..CacheState::default() };
    }

    fn write(&self) -> RwLockWriteGuard<'_, CacheState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}
