//! The new clusters: each is an API server in the etcd of the control plane. It starts when a cloud has made the control
//! plane, and ends when that is deleted. No controller runs on it, unless pods are to run there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use tests::real::cluster::{Cluster, Extras};
use tests::real::kubectl::Kubectl;
use tests::real::processes::{Process, progress};
use tests::real::tools::Tools;

use crate::gpu_clusters::{POD_CONTROLLERS, Players};

/// The clusters that there are and were, by name.
pub(crate) struct NewClusters {
    etcd: String,
    dir: PathBuf,
    with_pods: BTreeSet<&'static str>,
    states: Mutex<BTreeMap<String, ServerState>>,
}

enum ServerState {
    Starting,
    /// With what ends when it is dropped: who plays its nodes, and then the processes.
    Running(Kubectl, #[expect(dead_code, reason = "it is kept to be dropped")] (Option<Players>, Vec<Process>)),
    /// It runs by itself.
    Adopted(Kubectl),
    Failed(String),
    Ended,
}

impl NewClusters {
    /// There are none yet. Theirs will be the etcd at this address, and their files under `dir`.
    pub(crate) fn new(etcd: &str, dir: PathBuf) -> Arc<Self> {
        Self::with_pods(etcd, dir, BTreeSet::new())
    }

    /// The same, where pods run on those with these names.
    pub(crate) fn with_pods(etcd: &str, dir: PathBuf, names: BTreeSet<&'static str>) -> Arc<Self> {
        Arc::new(Self { etcd: etcd.to_owned(), dir, with_pods: names, states: Mutex::default() })
    }

    /// Starts one, unless that has been done. Returns whether it runs.
    pub(crate) fn started(self: &Arc<Self>, name: &str) -> Result<bool> {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        match states.get(name) {
            Some(ServerState::Running(..) | ServerState::Adopted(_)) => return Ok(true),
            Some(ServerState::Failed(why)) => anyhow::bail!("the API server of {name}: {why}"),
            Some(ServerState::Ended) => anyhow::bail!("{name} has ended, and no test starts one again"),
            Some(ServerState::Starting) => return Ok(false),
            None => {}
        }
        states.insert(name.to_owned(), ServerState::Starting);
        let (clusters, name) = (Arc::clone(self), name.to_owned());
        std::thread::spawn(move || {
            let state = clusters.start(&name).unwrap_or_else(|error| ServerState::Failed(format!("{error:#}")));
            progress(&format!("clusters: the API server of {name} has started"));
            clusters.states.lock().unwrap_or_else(PoisonError::into_inner).insert(name, state);
        });
        Ok(false)
    }

    /// Takes in one that runs by itself, and is not ended.
    pub(crate) fn adopt(&self, name: &str, kubectl: &Kubectl) {
        let adopted = ServerState::Adopted(kubectl.clone());
        self.states.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), adopted);
    }

    fn start(&self, name: &str) -> Result<ServerState> {
        let dir = self.dir.join(name);
        std::fs::create_dir_all(&dir)?;
        let prefix = format!("--etcd-prefix=/{name}");
        let has_pods = self.with_pods.contains(name);
        let controllers = if has_pods { POD_CONTROLLERS } else { &[] };
        let extras = Extras { etcd: Some(&self.etcd), api_server: &[&prefix], controllers, ..Extras::default() };
        let Cluster { kubectl, mut processes, .. } = Cluster::start_with(&Tools::find()?, &dir, extras)?;
        ensure!(processes.len() == 2, "a controller manager, and an API server without etcd");
        if !has_pods {
            // The controller manager is first. Nothing here is collected.
            drop(processes.remove(0));
        }
        let players = has_pods.then(|| Players::start(&kubectl));
        Ok(ServerState::Running(kubectl, (players, processes)))
    }

    /// Ends one. What it had is lost.
    pub(crate) fn end(&self, name: &str) {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let before = states.insert(name.to_owned(), ServerState::Ended);
        drop(states);
        drop(before);
    }

    /// Its administrator, while it runs.
    pub(crate) fn kubectl(&self, name: &str) -> Option<Kubectl> {
        match self.states.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
            Some(ServerState::Running(kubectl, _) | ServerState::Adopted(kubectl)) => Some(kubectl.clone()),
            _ => None,
        }
    }

    /// The kubeconfig that its provider writes: in Google Cloud without credentials.
    pub(crate) fn kubeconfig(&self, name: &str, with_credentials: bool) -> Result<String> {
        let kubectl = self.kubectl(name).context("it does not run")?;
        let text = std::fs::read_to_string(kubectl.kubeconfig())?;
        if with_credentials {
            return Ok(text);
        }
        let mut config: Value = serde_json::from_str(&text)?;
        config["users"][0]["user"] = serde_json::json!({});
        Ok(config.to_string())
    }
}
