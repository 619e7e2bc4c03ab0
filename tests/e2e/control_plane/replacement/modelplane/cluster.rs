//! Clusters for models.

use std::collections::{BTreeMap, BTreeSet};

use function_sdk_rust::proto::v1::Ready;
use function_sdk_rust::response::ResourceMatch;
use function_sdk_rust::{resource, response};
use serde_json::{Map, Value, json};

use super::call::{Call, Composed};
use crate::replacement::rows::child_name;

const ROWS: &str = include_str!("../answers/inference-cluster.yaml");

/// The sources that make a cluster.
const CLOUDS: &[&str] = &["GKE", "EKS", "AKS", "Nebius", "Vultr"];
const EXISTING: &str = "Existing";
/// The namespace of all that is composed.
const NAMESPACE: &str = "modelplane-system";
const STACK: &str = "serving-stack";

/// How a cluster is reached.
struct ClusterAccess {
    /// Whether there is a cluster.
    ready: bool,
    kubeconfig: Value,
    identity: Value,
    /// The secrets for its ServingStack.
    secrets: Value,
    storage_class: Value,
}

impl Call {
    pub(super) fn inference_cluster(&mut self) -> Composed {
        let labels = [("modelplane.ai/cluster".to_owned(), self.meta("name"))].into();
        let replicas = self.require("model-replicas", "ModelReplica", Some(ResourceMatch::Labels(labels)));
        let mut values = json!({
            "replicas": !replicas.is_empty(),
            "source": {}, "pools": null, "kubeconfig": null, "identity": null, "secrets": null,
        });
        let Some(pools) = self.pools() else { return self.rows(ROWS, values) };
        let Some(source) = self.source() else { return self.rows(ROWS, values) };
        let invalid = self.invalid_pool(&source, &pools);
        let key = format!("{}-cluster", source.to_lowercase());
        let access = if source == EXISTING { self.existing() } else { self.provisioned(&source, &key) };

        values["source"] = json!({ source.as_str(): true });
        values["pools"] = pools.iter().cloned().collect();
        values["kubeconfig"] = access.kubeconfig.clone();
        values["identity"] = access.identity.clone();
        values["secrets"] = access.secrets.clone();
        self.rows(ROWS, values)?;
        if invalid {
            let desired = self.response.desired.get_or_insert_default();
            desired.resources.remove(&key);
            if access.ready {
                // A defect of v0.3.1: an object without anything, which is ready.
                resource::set_ready(response::desired_composed(&mut self.response, key), Ready::True);
            }
        }
        let stack = self.observed(STACK);
        if source != EXISTING && access.ready && stack.is_none() {
            response::normal(&mut self.response, format!("{source} cluster ready, composing backend"));
        }
        self.health(access.ready);
        let address = stack.unwrap_or_default()["status"]["gateway"]["address"].take();
        self.fleet_status(&access, &address, &pools)
    }

    /// The pools, each with the class that it names. `None` until all classes are there.
    fn pools(&mut self) -> Option<Vec<Value>> {
        let mut pools = self.composite["spec"]["nodePools"].as_array().cloned().unwrap_or_default();
        let named: BTreeSet<String> = pools.iter().map(class_of).collect();
        let mut classes = BTreeMap::new();
        for name in &named {
            let named = ResourceMatch::Name(name.clone());
            let found = self.require(&format!("class-{name}"), "InferenceClass", Some(named)).into_iter().next();
            classes.extend(found.map(|class| (name.clone(), class)));
        }
        let missing: Vec<_> = named.into_iter().filter(|name| !classes.contains_key(name)).collect();
        if !missing.is_empty() {
            let message = format!("Waiting for InferenceClasses: {}", missing.join(", "));
            self.condition("ClusterReady", false, "WaitingForClasses").message = Some(message.clone());
            response::normal(&mut self.response, message);
            return None;
        }
        for pool in &mut pools {
            let class = &classes[&class_of(pool)]["spec"];
            pool["class"] = class["provisioning"].clone();
            pool["devices"] = class["devices"].clone();
        }
        Some(pools)
    }

    /// The source of the cluster, where it has what it needs.
    fn source(&mut self) -> Option<String> {
        let cluster = self.composite["spec"]["cluster"].clone();
        let source = cluster["source"].as_str().unwrap_or_default();
        let problem = if cluster.is_null() {
            "spec.cluster is required".to_owned()
        } else if source != EXISTING && !CLOUDS.contains(&source) {
            format!("unsupported cluster source: {source}")
        } else if cluster[source.to_lowercase()].is_null() {
            let what = if source == EXISTING { "Existing cluster" } else { source };
            format!("{what} configuration is required when source is {source}")
        } else {
            return Some(source.to_owned());
        };
        response::warning(&mut self.response, problem);
        None
    }

    /// Says so where a class cannot be made in the cloud. It is not known whether v0.3.1 says so of one class or of all.
    fn invalid_pool(&mut self, source: &str, pools: &[Value]) -> bool {
        let invalid = |pool: &&Value| source != EXISTING && pool["class"][source.to_lowercase()].is_null();
        let Some(pool) = pools.iter().find(invalid) else { return false };
        let message = format!("InferenceClass {} has no {source} provisioning block", class_of(pool));
        self.condition("ClusterReady", false, "InvalidNodePool").message = Some(message.clone());
        response::warning(&mut self.response, message);
        true
    }

    fn existing(&self) -> ClusterAccess {
        let existing = &self.composite["spec"]["cluster"]["existing"];
        let kubeconfig = existing["secretRef"].clone();
        let mut secrets = vec![secret(&kubeconfig, "Kubeconfig".into())];
        let mut identity = existing["identitySecretRef"].clone();
        if !identity.is_null() {
            secrets.push(secret(&identity, identity["type"].clone()));
            identity["namespace"] = NAMESPACE.into();
        }
        let storage_class = existing["cache"]["storageClassName"].clone();
        ClusterAccess { ready: true, kubeconfig, identity, secrets: secrets.into(), storage_class }
    }

    fn provisioned(&self, source: &str, key: &str) -> ClusterAccess {
        let (ready, cluster) = (self.ready(key), self.observed(key).unwrap_or_default());
        let mut secrets = cluster["status"]["secrets"].as_array().filter(|_| ready).cloned().unwrap_or_default();
        let found = |kind: &str| secrets.iter().find(|it| it["type"] == kind).cloned().unwrap_or_default();
        let kubeconfig = found("Kubeconfig");
        let mut identity = match source {
            "GKE" => found("GoogleApplicationCredentials"),
            "Nebius" => found("NebiusServiceAccountCredentials"),
            _ => Value::Null,
        };
        if !identity.is_null() && identity["namespace"].is_null() {
            identity["namespace"] = NAMESPACE.into();
        }
        if secrets.is_empty() {
            let stack = self.observed(STACK).unwrap_or_default();
            secrets = stack["spec"]["secrets"].as_array().cloned().unwrap_or_default();
        }
        let storage_class = match source {
            "Vultr" => Value::Null,
            _ => cluster["status"]["cache"]["storageClassName"].clone(),
        };
        ClusterAccess { ready, kubeconfig, identity, secrets: secrets.into(), storage_class }
    }

    /// The conditions of the cluster and of its stack.
    fn health(&mut self, cluster: bool) {
        self.condition("ClusterReady", cluster, if cluster { "ClusterRunning" } else { "Provisioning" });
        let stack = self.ready(STACK);
        let reason = match (cluster, stack) {
            (false, _) => "WaitingForCluster",
            (true, true) => "BackendHealthy",
            (true, false) => "Installing",
        };
        self.condition("BackendReady", stack, reason);
    }

    fn fleet_status(&mut self, access: &ClusterAccess, address: &Value, pools: &[Value]) -> Composed {
        let config = child_name(&self.meta("name"), "cluster-kubeconfig");
        let pools: Vec<_> = pools.iter().filter_map(gpu_pool).collect();
        let mut status = json!({"providerConfigRef": {"name": config}, "namespace": NAMESPACE, "gpuPools": pools});
        if !address.is_null() {
            status["gateway"] = json!({ "address": address });
        }
        if !access.storage_class.is_null() {
            status["cache"] = json!({"storageClassName": access.storage_class});
        }
        self.status(&status)
    }
}

fn class_of(pool: &Value) -> String {
    pool["className"].as_str().unwrap_or_default().to_owned()
}

fn secret(reference: &Value, kind: Value) -> Value {
    json!({"type": kind, "name": reference["name"], "key": reference["key"]})
}

/// What the status says of a pool with devices.
fn gpu_pool(pool: &Value) -> Option<Value> {
    let devices = pool["devices"].as_array().filter(|it| !it.is_empty())?;
    let devices: Vec<Map<String, Value>> = devices.iter().filter_map(Value::as_object).map(device).collect();
    let nodes = pool.get("maxNodeCount").filter(|it| !it.is_null()).unwrap_or(&pool["nodeCount"]);
    Some(json!({"name": pool["name"], "nodes": nodes, "devices": devices}))
}

fn device(device: &Map<String, Value>) -> Map<String, Value> {
    let mut all = Map::from_iter([("claim".to_owned(), "DRA".into()), ("count".to_owned(), 1.into())]);
    let stated = device.iter().filter(|(_, value)| !value.is_null());
    all.extend(stated.map(|(name, value)| (name.clone(), value.clone())));
    all
}
