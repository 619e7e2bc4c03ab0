//! A small API server that can do on request what a real one does not: its watches lag, it forbids requests, and it
//! stops.

mod exchange;
mod state;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};

use self::state::{Shared, key};
use crate::certificates::Directory;

/// A running server. When it is dropped, its thread continues.
#[derive(Debug)]
pub struct ApiServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    directory: Directory,
}

impl ApiServer {
    /// Starts a server with these collections, such as `/api/v1/configmaps`.
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

    /// A kubeconfig for the server.
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

    /// An object, if it exists.
    pub fn get(&self, collection: &str, namespace: &str, name: &str) -> Option<Value> {
        self.shared.lock().objects.get(&key(collection, namespace, name)).cloned()
    }

    /// Answers all requests for a collection with a code instead of objects.
    pub fn refuse(&self, collection: &str, code: u16) {
        self.shared.lock().refusing.insert(collection.to_owned(), code);
    }

    /// Serves a collection normally again.
    pub fn permit(&self, collection: &str) {
        self.shared.lock().refusing.remove(collection);
    }

    /// Sets whether watches send no events.
    pub fn lag(&self, lagging: bool) {
        self.shared.lock().lagging = lagging;
        self.shared.changed.notify_all();
    }

    /// Sets whether the server closes connections.
    pub fn go_down(&self, down: bool) {
        self.shared.lock().down = down;
        self.shared.changed.notify_all();
    }

    /// The paths and queries of reads since the last call, without watches.
    pub fn reads(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().read)
    }

    /// The verbs and bodies of writes to paths that contain `part`.
    pub fn written(&self, part: &str) -> Vec<(String, Value)> {
        let state = self.shared.lock();
        let written = state.written.iter().filter(|(_, path, _)| path.contains(part));
        written.map(|(verb, _, body)| (verb.clone(), body.clone())).collect()
    }
}
