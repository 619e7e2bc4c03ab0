//! Two workload clusters, and what is said about them on the control plane. Their InferenceClusters, and the InferenceGateway, are
//! paused: nobody installs charts here, so the tests say what a ServingStack and Traefik would lead to.
//!
//! Both clusters have their own API server and controllers, in the etcd of the control plane. provider-kubernetes reaches
//! them with the rights that are shipped for it.

mod cluster;
mod definitions;
mod players;

use std::path::Path;

use anyhow::Result;
use inference::modelplane::resources::{API_VERSION, INFERENCE_CLASSES, INFERENCE_CLUSTERS, INFERENCE_GATEWAYS};
use serde_json::{Value, json};
use tests::real::kubectl::Kubectl;
use tests::real::processes::progress;
use tests::real::tools::Tools;
use tests::real::watching::Which;

pub(crate) use self::cluster::{GpuCluster, POD_CONTROLLERS};
pub(crate) use self::players::{DIGEST, ENDED, LONG_MESSAGE, Players, REFUSED, SLOW, STUCK};
use crate::names::SOON;

/// The namespace of the platform side.
pub(crate) const NAMESPACE: &str = "modelplane-system";
/// The name of the only InferenceGateway.
pub(crate) const GATEWAY: &str = "default";
/// The address of the gateway of the control plane.
pub(crate) const ADDRESS: &str = "198.51.100.7";
/// The class of all nodes, and their number in the only pool of each cluster.
const CLASS: &str = "h200-8";
const NODES: u32 = 6;

/// The running clusters.
pub(crate) struct GpuClusters {
    /// The players end before the clusters.
    _players: Vec<Players>,
    pub(crate) east: GpuCluster,
    pub(crate) west: GpuCluster,
    /// Whether both have the kinds of KServe.
    pub(crate) with_kserve: bool,
    administrator: Kubectl,
}

impl GpuClusters {
    /// Starts both, registers them with the control plane, and says that they are ready.
    pub(crate) fn start(tools: &Tools, administrator: &Kubectl, etcd: &str, dir: &Path) -> Result<Self> {
        progress("starting two workload clusters");
        let kserve = definitions::kserve()?;
        let start = |name, gateway| GpuCluster::start(name, gateway, tools, etcd, dir, kserve.as_ref());
        let (east, west) = (start("gpu-east", "10.0.0.1")?, start("gpu-west", "10.0.0.2")?);
        let players = [&east.kubectl, &west.kubectl].map(Players::start).into_iter().collect();
        let with_kserve = kserve.is_some();
        let clusters = Self { _players: players, east, west, with_kserve, administrator: administrator.clone() };
        clusters.register()?;
        progress("two workload clusters are registered");
        Ok(clusters)
    }

    /// Both.
    pub(crate) fn all(&self) -> [&GpuCluster; 2] {
        [&self.east, &self.west]
    }

    /// Says what the platform side would say of a cluster that is ready. `change` makes something else of it.
    pub(crate) fn says(&self, cluster: &GpuCluster, change: &Value) -> Result<()> {
        let mut status = json!({
            "conditions": [condition("True")],
            "namespace": NAMESPACE,
            "providerConfigRef": {"name": cluster.provider_config()},
            "gateway": {"address": cluster.gateway},
            "cache": {"storageClassName": "shared-rwx"},
            "gpuPools": [{"name": "h200", "nodes": NODES, "devices": devices()}],
        });
        for (key, value) in change.as_object().into_iter().flatten() {
            status[key] = value.clone();
        }
        let which = Which::all(&INFERENCE_CLUSTERS).named(cluster.name);
        self.administrator.watching()?.patch_status(which, &status)
    }

    /// Hands both clusters, and the gateway, to whoever composes them, with the rights of an administrator there: what
    /// [`Self::says`] has said is said by stacks and gateways from now on. Nothing is ready until they say so.
    pub(crate) fn hand_over(&self) -> Result<()> {
        let administrator = &self.administrator;
        let unready = json!({"conditions": [condition("False")]});
        administrator.watching()?.patch_status(Which::all(&INFERENCE_GATEWAYS).named(GATEWAY), &unready)?;
        for cluster in self.all() {
            self.says(cluster, &unready)?;
            administrator.apply(&cluster.credentials_of_administrator(NAMESPACE)?)?;
            administrator.patch(&["inferencecluster", cluster.name], &resumed())?;
        }
        let gateway = "examples/modelplane/gateway-metallb.yaml";
        administrator.apply_path(&tests::files::workspace().join(gateway))?;
        administrator.patch(&["inferencegateway", GATEWAY], &resumed())
    }

    /// Sets the taints of a cluster.
    pub(crate) fn taint(&self, cluster: &GpuCluster, taints: &Value) -> Result<()> {
        self.administrator.patch(&["inferencecluster", cluster.name], &json!({"spec": {"taints": taints}}))
    }

    /// Sets the scheduler of a cluster. By default it has that of Kubernetes.
    pub(crate) fn schedule(&self, cluster: &GpuCluster, scheduler: Option<&str>) -> Result<()> {
        let scheduler = scheduler.map(|name| json!({"type": name}));
        self.administrator.patch(&["inferencecluster", cluster.name], &json!({"spec": {"scheduler": scheduler}}))
    }

    /// Deletes all Jobs, as the controller does when their time has passed.
    pub(crate) fn expire_jobs(&self) -> Result<()> {
        self.all().into_iter().try_for_each(|cluster| {
            cluster.kubectl.run(&["delete", "jobs", "--all", "-n", "default", "--wait=false"]).map(drop)
        })
    }

    /// Deletes what [`Self::start`] has created on the control plane.
    pub(crate) fn deregister(&self) -> Result<()> {
        for (resource, name) in [
            (&INFERENCE_CLUSTERS, self.east.name),
            (&INFERENCE_CLUSTERS, self.west.name),
            (&INFERENCE_GATEWAYS, GATEWAY),
            (&INFERENCE_CLASSES, CLASS),
        ] {
            self.administrator.run(&["delete", "--wait=false", "--ignore-not-found", resource.plural, name])?;
            self.administrator.gone(Which::all(resource).named(name), SOON)?;
        }
        Ok(())
    }

    fn register(&self) -> Result<()> {
        let administrator = &self.administrator;
        administrator.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))?;
        let class = json!({"description": "8x H200 141GB", "devices": devices()});
        let traefik = json!({"backend": "Traefik", "traefik": {"version": "40.2.0"}});
        let mut objects =
            vec![object("InferenceClass", CLASS, class), self::paused(object("InferenceGateway", GATEWAY, traefik))];
        for cluster in self.all() {
            let secret = cluster.provider_config();
            let cluster_spec = json!({"source": "Existing", "existing": {"secretRef": {"name": secret}}});
            let pool = json!({"name": "h200", "className": CLASS, "nodeCount": NODES});
            let spec = json!({"cluster": cluster_spec, "nodePools": [pool]});
            let mut registered = paused(object("InferenceCluster", cluster.name, spec));
            registered["metadata"]["labels"] = json!({"side": cluster.name, "location": "own"});
            objects.extend([registered, cluster.credentials(NAMESPACE)?, cluster.provider_configuration(NAMESPACE)]);
        }
        administrator.apply_all(&objects)?;
        for cluster in self.all() {
            self.says(cluster, &json!({}))?;
        }
        let gateway = Which::all(&INFERENCE_GATEWAYS).named(GATEWAY);
        let status = json!({"address": ADDRESS, "conditions": [condition("True")]});
        administrator.watching()?.patch_status(gateway, &status)?;
        administrator.condition("Ready", Which::all(&INFERENCE_CLASSES).named(CLASS), SOON)
    }
}

/// The condition Ready with a status.
pub(crate) fn condition(status: &str) -> Value {
    let reason = if status == "True" { "Available" } else { "Unavailable" };
    json!({"type": "Ready", "status": status, "reason": reason, "lastTransitionTime": players::LONG_AGO})
}

fn object(kind: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": API_VERSION, "kind": kind, "metadata": {"name": name}, "spec": spec})
}

/// Crossplane leaves it alone, and composes nothing of it.
fn paused(mut object: Value) -> Value {
    object["metadata"]["annotations"] = json!({"crossplane.io/paused": "true"});
    object
}

fn resumed() -> Value {
    json!({"metadata": {"annotations": {"crossplane.io/paused": null}}})
}

fn devices() -> Value {
    json!([{
        "name": "gpu",
        "claim": "DRA",
        "driver": "gpu.nvidia.com",
        "deviceClassName": "gpu.nvidia.com",
        "count": 8,
        "attributes": {"architecture": {"string": "Hopper"}},
        "capacity": {"memory": {"value": "141Gi"}},
    }])
}
