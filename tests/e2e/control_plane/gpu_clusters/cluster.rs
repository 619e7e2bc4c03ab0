//! A workload cluster: an API server with the controllers of Kubernetes, and the CRDs that models need.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::real::cluster::{Cluster, Extras};
use tests::real::kubectl::Kubectl;
use tests::real::tools::Tools;
use tests::real::watching::Which;
use toolbox::hashed;

use crate::names::{NAMESPACE as CROSSPLANE, SOON};
use crate::resources::DEFINITIONS;

/// The controllers of what models become. Nodes and their kubelets are played.
pub(crate) const POD_CONTROLLERS: &[&str] = &[
    "deployment-controller",
    "replicaset-controller",
    "job-controller",
    "persistentvolumeclaim-protection-controller",
];
/// The CRDs: a folder of sources, and a file.
const CRDS: &[(&str, &str)] = &[
    ("gateway-api", "gateway.networking.k8s.io_httproutes.yaml"),
    ("inference-extension", "inference.networking.k8s.io_inferencepools.yaml"),
    ("inference-extension", "inference.networking.x-k8s.io_inferenceobjectives.yaml"),
    ("lws", "leaderworkerset.x-k8s.io_leaderworkersets.yaml"),
];
/// The ServiceAccount of provider-kubernetes, as in the file with its rights.
const PROVIDER: &str = "crossplane-provider-kubernetes";

/// A running workload cluster.
pub(crate) struct GpuCluster {
    /// The name of its InferenceCluster.
    pub(crate) name: &'static str,
    /// The address of its gateway.
    pub(crate) gateway: &'static str,
    /// Acts as its administrator.
    pub(crate) kubectl: Kubectl,
    /// Acts as provider-kubernetes.
    provider: Kubectl,
    dir: PathBuf,
    cluster: Mutex<Cluster>,
}

impl GpuCluster {
    /// Starts it with its state under `dir`, in the etcd at `etcd`, and with one more definition.
    pub(super) fn start(
        name: &'static str,
        gateway: &'static str,
        tools: &Tools,
        etcd: &str,
        dir: &Path,
        definition: Option<&Value>,
    ) -> Result<Self> {
        let dir = dir.join(name);
        std::fs::create_dir_all(&dir)?;
        let prefix = format!("--etcd-prefix=/{name}");
        let api_server = [prefix.as_str()];
        let extras =
            Extras { etcd: Some(etcd), api_server: &api_server, controllers: POD_CONTROLLERS, ..Extras::default() };
        let cluster = Cluster::start_with(tools, &dir, extras)?;
        let kubectl = cluster.kubectl.clone();
        for (module, file) in CRDS {
            // Applying the whole of them with kubectl would store them twice.
            let path = tools.sources.join(module).join(file);
            kubectl.run(&["create", "-f", &path.display().to_string()])?;
        }
        if let Some(definition) = definition {
            let file = dir.join("definition.json");
            std::fs::write(&file, definition.to_string())?;
            kubectl.run(&["create", "-f", &file.display().to_string()])?;
        }
        let all = CRDS.len() + usize::from(definition.is_some());
        kubectl.until("its CRDs are established", Which::all(DEFINITIONS), SOON, |definitions| {
            let found = definitions.values().filter(|it| is_established(it)).count();
            ensure!(found == all, "{found} of {all}");
            Ok(())
        })?;
        kubectl.run(&["create", "namespace", CROSSPLANE])?;
        kubectl.run(&["create", "serviceaccount", PROVIDER, "-n", CROSSPLANE])?;
        kubectl.apply_path(&workspace().join("package/install/rbac-least-privilege.yaml"))?;
        let provider = kubectl.of_service_account(CROSSPLANE, PROVIDER)?;
        Ok(Self { name, gateway, kubectl, provider, dir, cluster: cluster.into() })
    }

    /// The name of its provider configuration: what v0.3.1 calls it.
    pub(crate) fn provider_config(&self) -> String {
        hashed::child(&[self.name, "cluster-kubeconfig"])
    }

    /// The Secret with the kubeconfig for provider-kubernetes.
    pub(super) fn credentials(&self, namespace: &str) -> Result<Value> {
        self.secret(namespace, &self.provider)
    }

    /// The same Secret, with the kubeconfig of the administrator: stacks need it.
    pub(super) fn credentials_of_administrator(&self, namespace: &str) -> Result<Value> {
        self.secret(namespace, &self.kubectl)
    }

    fn secret(&self, namespace: &str, who: &Kubectl) -> Result<Value> {
        Ok(json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": self.provider_config(), "namespace": namespace},
            "stringData": {"kubeconfig": std::fs::read_to_string(who.kubeconfig())?},
        }))
    }

    /// The provider configuration with this Secret.
    pub(super) fn provider_configuration(&self, namespace: &str) -> Value {
        let name = self.provider_config();
        let secret = json!({"namespace": namespace, "name": name, "key": "kubeconfig"});
        json!({
            "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
            "kind": "ClusterProviderConfig",
            "metadata": {"name": name},
            "spec": {"credentials": {"source": "Secret", "secretRef": secret}},
        })
    }

    /// Ends its API server. What is in etcd stays.
    pub(crate) fn lose(&self) {
        self.cluster.lock().unwrap_or_else(PoisonError::into_inner).lose_api_server();
    }

    /// Starts its API server again, and waits until it is ready.
    pub(crate) fn come_back(&self) -> Result<()> {
        self.cluster.lock().unwrap_or_else(PoisonError::into_inner).start_api_server(&self.dir)
    }
}

fn is_established(definition: &Value) -> bool {
    let conditions = definition["status"]["conditions"].as_array();
    conditions.into_iter().flatten().any(|it| it["type"] == "Established" && it["status"] == "True")
}
