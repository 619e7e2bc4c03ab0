//! What there is in the namespace of all clusters, as the API server says it, and when what went.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use contract::catalog::ApiResource;
use serde_json::Value;
use tests::real::access::named;

use super::connection::Change;

/// The objects of the namespace, and their past.
#[derive(Default)]
pub(crate) struct World {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    objects: BTreeMap<Key, Value>,
    moments: Vec<Moment>,
}

/// `PLURAL.GROUP`, and the name.
pub(crate) type Key = (String, String);

/// A moment in the end of an object.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) what: Key,
    pub(crate) step: Step,
    /// When it was seen.
    pub(crate) at: Instant,
    /// The version that the API server gave to it, which orders changes of all kinds: watches of two kinds may be late by
    /// different times.
    pub(crate) version: u64,
}

/// A step in the end of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It has a deletion time.
    Asked,
    Gone,
}

impl World {
    /// Takes a change in, unless it is older than what there is.
    pub(crate) fn take(&self, kind: &ApiResource, change: Change) {
        let mut state = self.state();
        let key = |object: &Value| (named(kind), object["metadata"]["name"].as_str().unwrap_or_default().to_owned());
        let moment =
            |step, object: &Value| Moment { what: key(object), step, at: Instant::now(), version: version(object) };
        match change {
            Change::Is(object) => {
                let key = key(&object);
                let before = state.objects.get(&key);
                if before.is_some_and(|before| version(before) > version(&object)) {
                    return;
                }
                let asked = |object: &Value| !object["metadata"]["deletionTimestamp"].is_null();
                if asked(&object) && !before.is_some_and(asked) {
                    state.moments.push(moment(Step::Asked, &object));
                }
                state.objects.insert(key, object);
            }
            Change::Gone(object) => {
                state.objects.remove(&key(&object));
                state.moments.push(moment(Step::Gone, &object));
            }
        }
    }

    /// Those of a kind.
    pub(crate) fn of_kind(&self, kind: &ApiResource) -> Vec<Value> {
        let kind = named(kind);
        let state = self.state();
        let all = state.objects.iter().filter(|((of, _), _)| *of == kind);
        all.map(|(_, object)| object.clone()).collect()
    }

    /// An object.
    pub(crate) fn object(&self, kind: &ApiResource, name: &str) -> Option<Value> {
        self.state().objects.get(&(named(kind), name.to_owned())).cloned()
    }

    /// What an object controls, by composition resource name.
    pub(crate) fn composed_by(&self, owner: &Value) -> BTreeMap<String, Value> {
        let uid = &owner["metadata"]["uid"];
        let state = self.state();
        let theirs = state.objects.values().filter(|object| {
            let owners = object["metadata"]["ownerReferences"].as_array();
            owners.into_iter().flatten().any(|it| it["controller"] == true && it["uid"] == *uid)
        });
        let keyed = theirs.filter_map(|object| {
            let key = object["metadata"]["annotations"]["crossplane.io/composition-resource-name"].as_str()?;
            Some((key.to_owned(), object.clone()))
        });
        keyed.collect()
    }

    /// What went, in this order.
    pub(crate) fn moments(&self) -> Vec<Moment> {
        self.state().moments.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn version(object: &Value) -> u64 {
    object["metadata"]["resourceVersion"].as_str().and_then(|it| it.parse().ok()).unwrap_or_default()
}
