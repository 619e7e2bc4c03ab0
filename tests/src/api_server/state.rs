//! The state of the small API server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard};

use serde_json::{Value, json};

/// The state, which its connections share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct State {
    /// Objects by collection, namespace and name.
    pub(super) objects: BTreeMap<(String, String, String), Value>,
    /// The events: revision, collection, and event.
    pub(super) events: Vec<(u64, String, Value)>,
    pub(super) revision: u64,
    /// Collections whose requests are answered with a code.
    pub(super) refusing: BTreeMap<String, u16>,
    /// The collections that exist.
    pub(super) served: BTreeSet<String>,
    /// Whether watches send no events.
    pub(super) lagging: bool,
    /// Whether the server closes all connections.
    pub(super) down: bool,
    /// The paths and queries of reads, without watches.
    pub(super) read: Vec<String>,
    /// The writes: verb, path and body.
    pub(super) written: Vec<(String, String, Value)>,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    pub(super) fn put(&mut self, collection: &str, mut object: Value) -> Value {
        self.revision += 1;
        object["metadata"]["resourceVersion"] = self.revision.to_string().into();
        let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
        let key = key(collection, &text("namespace"), &text("name"));
        let kind = if self.objects.contains_key(&key) { "MODIFIED" } else { "ADDED" };
        self.events.push((self.revision, collection.to_owned(), json!({"type": kind, "object": object})));
        self.objects.insert(key, object.clone());
        object
    }

    pub(super) fn remove(&mut self, collection: &str, namespace: &str, name: &str) {
        let object = self.objects.remove(&key(collection, namespace, name)).expect("it is there");
        self.revision += 1;
        self.events.push((self.revision, collection.to_owned(), json!({"type": "DELETED", "object": object})));
    }
}

pub(super) fn key(collection: &str, namespace: &str, name: &str) -> (String, String, String) {
    (collection.to_owned(), namespace.to_owned(), name.to_owned())
}
