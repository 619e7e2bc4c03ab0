//! Nothing is composed before what it waits for, and then it is (Modelplane v0.3.1).

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use tests::real::processes::eventually;

use super::cascade::Objects;
use super::life::{FleetLife, LIMIT};
use crate::clusters::managed::is_ready;
use crate::composites::condition;
use crate::gpu_clusters::NAMESPACE;

/// What waits for an object of a cloud.
struct FleetGate {
    /// The example of the cluster.
    of: &'static str,
    /// The kind of the object.
    behind: &'static str,
    /// The keys of what waits.
    waits: &'static [&'static str],
}

/// Every gate between a cluster and what its cloud makes, that of its control plane last. What waits only until an object exists
/// does so for a moment that nobody can prolong: `existence.rs` has those gates.
const GATES: &[FleetGate] = &[
    gate("cluster-aks", "KubernetesCluster", &[]),
    gate("cluster-eks", "FileSystem", &["EKSCluster/storage-class-rwx-efs"]),
    gate("cluster-eks", "Cluster", &[]),
    gate("cluster-gke", "Network", &["GKECluster/storage-class-rwx"]),
    gate("cluster-gke", "ServiceAccount", &["GKECluster/iam-binding"]),
    gate("cluster-gke", "Cluster", &[]),
    gate("cluster-nebius", "Cluster", &[]),
    gate("cluster-vultr", "Kubernetes", BEHIND_VULTR),
];
/// What waits for the control plane in Vultr to be ready.
const BEHIND_VULTR: &[&str] =
    &["VultrCluster/gpu-observer", "VultrCluster/node-pool-l40s", "VultrCluster/provider-config-kubernetes"];
/// What waits for the cluster as a whole.
const BEHIND_THE_CLUSTER: &[&str] =
    &["InferenceCluster/cluster-provider-config-kubernetes", "InferenceCluster/serving-stack"];
/// What waits in Google Cloud until somebody writes the configuration of its provider, which says the project. All the rest waits for
/// some of it. In Nebius the identity waits in the same way, and what needs it needs the control plane too: the one gate would hide
/// the other, so it is a case of the corpus alone.
const BEHIND_THE_PROJECT: &[&str] = &[
    "GKECluster/cluster",
    "GKECluster/network",
    "GKECluster/nodepool-l4",
    "GKECluster/nodepool-system",
    "GKECluster/projectservice-filestore",
    "GKECluster/provider-config-helm",
    "GKECluster/provider-config-kubernetes",
    "GKECluster/service-account-key",
    "GKECluster/service-account",
    "GKECluster/subnet",
];
/// The chart that is installed last.
const LAST: &str = "prometheus";

const fn gate(of: &'static str, behind: &'static str, waits: &'static [&'static str]) -> FleetGate {
    FleetGate { of, behind, waits }
}

impl FleetLife<'_> {
    /// Each gate is seen shut, and then open.
    pub(super) fn passes_gates(&self) -> Result<()> {
        let name = self.source.name;
        let gates: Vec<_> = GATES.iter().filter(|gate| gate.of == self.source.example).collect();
        gates.iter().map(|gate| gate.behind).chain([LAST]).for_each(|held| self.stand_in.hold(held, name));
        if self.is_provisioned() {
            self.waits_for_project()?;
            self.plane.administrator.apply(&self.source.manifest()?)?;
            self.asks_for(&gates)?;
            self.waits_without_provider()?;
        } else {
            self.exists()?;
        }
        for (place, gate) in gates.iter().enumerate() {
            let found = self.found()?;
            let shut = gates[place..].iter().flat_map(|gate| gate.waits).chain(BEHIND_THE_CLUSTER);
            let mut early: Vec<_> = shut.copied().filter(|key| found.contains_key(*key)).collect();
            // The order of deletion begins with what the cluster is used by.
            early.extend(found.keys().map(String::as_str).filter(|key| key.ends_with("-by-backend")));
            ensure!(early.is_empty(), "{early:?} did not wait for the {} or what comes after it", gate.behind);
            self.stand_in.relent(gate.behind, name);
            self.has(gate.waits)?;
        }
        self.has(BEHIND_THE_CLUSTER)?;
        if self.is_provisioned() {
            let cloud = self.source.example.trim_start_matches("cluster-");
            self.has(&[&format!("InferenceCluster/usage-{cloud}-by-backend")])?;
        }
        self.says("its backend is being installed", |cluster| {
            let backend = condition(cluster, "BackendReady");
            ensure!(backend["status"] == "False" && backend["reason"] == "Installing", "BackendReady is {backend}");
            ensure!(condition(cluster, "ClusterReady")["status"] == "True", "its cluster is not ready");
            ensure!(!is_ready(cluster), "it is ready");
            Ok(())
        })?;
        self.stand_in.relent(LAST, name);
        Ok(())
    }

    /// In Google Cloud nothing is made before the project is known.
    fn waits_for_project(&self) -> Result<()> {
        let kubectl = &self.plane.administrator;
        let Some((kind, name, provided)) = self.provider()?.filter(|_| self.source.example == "cluster-gke") else {
            return Ok(());
        };
        kubectl.run(&["delete", &kind, &name])?;
        kubectl.apply(&self.source.manifest()?)?;
        eventually("the layer below has been composed", LIMIT, || {
            let (kind, name) = self.layer()?;
            let layer = kubectl.get(&[&kind, &name, "--namespace", NAMESPACE])?;
            let synced = condition(&layer, "Synced");
            ensure!(synced["status"] == "True", "Synced is {synced}");
            Ok(())
        })?;
        let found = self.found()?;
        ensure!(found.len() == 1, "without a project there are {:?}", found.keys());
        kubectl.apply(&provided)?;
        self.nudge_layer()?;
        self.has(BEHIND_THE_PROJECT)
    }

    /// Waits until its cloud is asked for all that opens gates.
    fn asks_for(&self, gates: &[&FleetGate]) -> Result<()> {
        let is_asked = |found: &Objects, gate: &FleetGate| found.values().any(|it| it["kind"] == gate.behind);
        eventually("what opens its gates is asked for", LIMIT, || {
            let found = self.found()?;
            ensure!(gates.iter().all(|gate| is_asked(&found, gate)), "there are {:?}", found.keys());
            Ok(())
        })?;
        self.says("its cluster is awaited", |cluster| {
            let ready = condition(cluster, "ClusterReady");
            ensure!(ready["status"] == "False", "ClusterReady is {ready}");
            ensure!(!is_ready(cluster), "it is ready");
            Ok(())
        })
    }

    fn has(&self, keys: &[&str]) -> Result<()> {
        eventually(&format!("{keys:?} are composed"), LIMIT, || {
            let found = self.found()?;
            ensure!(keys.iter().all(|key| found.contains_key(*key)), "there are {:?}", found.keys());
            Ok(())
        })
    }

    /// Somebody has made the cluster, and brings its kubeconfig.
    fn exists(&self) -> Result<()> {
        let (name, kubectl) = (self.source.name, &self.plane.administrator);
        eventually("its API server runs", LIMIT, || {
            ensure!(self.stand_in.clusters.started(name)?, "it is starting");
            Ok(())
        })?;
        let manifest = self.source.manifest()?;
        let secret = manifest["spec"]["cluster"]["existing"]["secretRef"]["name"].as_str().context("a Secret")?;
        kubectl.apply(&json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": secret, "namespace": NAMESPACE},
            "stringData": {"kubeconfig": self.stand_in.clusters.kubeconfig(name, true)?},
        }))?;
        kubectl.apply(&manifest)
    }
}
