//! A small API server, for what a real one does not do on command: it lags, forbids, and goes away.

mod exchange;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use serde_json::{Value, json};

use crate::certificates::Directory;

/// A running server. Dropping it leaves its thread behind.
#[derive(Debug)]
pub struct ApiServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    directory: Directory,
}

/// What its connections share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Objects by collection, namespace and name.
    objects: BTreeMap<(String, String, String), Value>,
    /// What happened: revision, collection, and the event.
    events: Vec<(u64, String, Value)>,
    revision: u64,
    /// Collections that answer with a code of their own.
    refusing: BTreeMap<String, u16>,
    /// Collections that there are.
    served: BTreeSet<String>,
    /// Whether watches tell nothing.
    lagging: bool,
    /// Whether nobody is answered.
    down: bool,
    /// What was written, by verb and path.
    written: Vec<(String, String, Value)>,
}

impl ApiServer {
    /// Starts a server of these collections, such as `/api/v1/configmaps`.
    pub fn start(name: &str, collections: &[&str]) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback has free ports");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::<Shared>::default();
        shared.lock().served = collections.iter().map(|it| (*it).to_owned()).collect();
        let server = Self { address, shared: Arc::clone(&shared), directory: Directory::new(name) };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || exchange::serve(stream, &shared));
            }
        });
        server
    }

    /// A kubeconfig that leads to it.
    pub fn kubeconfig(&self) -> PathBuf {
        let config = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "clusters": [{"name": "test", "cluster": {"server": format!("http://{}", self.address)}}],
            "users": [{"name": "test", "user": {}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}],
        });
        let path = self.directory.path().join("kubeconfig");
        std::fs::write(&path, config.to_string()).expect("the directory can be written to");
        path
    }

    /// Stores an object in a collection.
    pub fn put(&self, collection: &str, object: &Value) {
        self.shared.lock().put(collection, object.clone());
        self.shared.changed.notify_all();
    }

    /// Removes an object.
    pub fn remove(&self, collection: &str, namespace: &str, name: &str) {
        self.shared.lock().remove(collection, namespace, name);
        self.shared.changed.notify_all();
    }

    /// The object, when there is one.
    pub fn get(&self, collection: &str, namespace: &str, name: &str) -> Option<Value> {
        self.shared.lock().objects.get(&key(collection, namespace, name)).cloned()
    }

    /// Answers for a collection with a code instead of objects.
    pub fn refuse(&self, collection: &str, code: u16) {
        self.shared.lock().refusing.insert(collection.to_owned(), code);
    }

    /// Serves a collection as it should.
    pub fn permit(&self, collection: &str) {
        self.shared.lock().refusing.remove(collection);
    }

    /// Whether watches tell nothing of what happens.
    pub fn lag(&self, lagging: bool) {
        self.shared.lock().lagging = lagging;
        self.shared.changed.notify_all();
    }

    /// Whether connections break off.
    pub fn go_down(&self, down: bool) {
        self.shared.lock().down = down;
        self.shared.changed.notify_all();
    }

    /// What was written to paths that contain `part`, by verb.
    pub fn written(&self, part: &str) -> Vec<(String, Value)> {
        let state = self.shared.lock();
        let written = state.written.iter().filter(|(_, path, _)| path.contains(part));
        written.map(|(verb, _, body)| (verb.clone(), body.clone())).collect()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    fn put(&mut self, collection: &str, mut object: Value) -> Value {
        self.revision += 1;
        object["metadata"]["resourceVersion"] = self.revision.to_string().into();
        let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default().to_owned();
        let key = key(collection, &text("namespace"), &text("name"));
        let kind = if self.objects.contains_key(&key) { "MODIFIED" } else { "ADDED" };
        self.events.push((self.revision, collection.to_owned(), json!({"type": kind, "object": object})));
        self.objects.insert(key, object.clone());
        object
    }

    fn remove(&mut self, collection: &str, namespace: &str, name: &str) {
        let object = self.objects.remove(&key(collection, namespace, name)).expect("it is there");
        self.revision += 1;
        self.events.push((self.revision, collection.to_owned(), json!({"type": "DELETED", "object": object})));
    }
}

fn key(collection: &str, namespace: &str, name: &str) -> (String, String, String) {
    (collection.to_owned(), namespace.to_owned(), name.to_owned())
}
