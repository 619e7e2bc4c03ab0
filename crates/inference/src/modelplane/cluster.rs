//! Reads what the other kinds need of an InferenceCluster. A deployment reads a thousand of them in one call, so everything is
//! borrowed from the text, and nothing is validated: a field of the wrong type counts as absent.

use serde::{Deserialize, Deserializer};
use toolbox::fields::{field, list, optional};

use super::lookups::{Source, raw};

/// What others need of an InferenceCluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether its condition `Ready` is true.
    pub ready: bool,
    /// The address of its gateway. Empty when it has none.
    pub gateway: &'a str,
    /// The name of its ClusterProviderConfig. Empty until it is known.
    pub provider_config: &'a str,
    /// The storage class for caches. Empty when it has none.
    pub storage_class: &'a str,
    /// Its taints, in order.
    pub taints: Vec<ClusterTaint<'a>>,
    /// Whether it has a field for taints, of whatever type.
    pub has_taints: bool,
    /// Its node pools with GPUs, in order.
    pub pools: Vec<ClusterPool<'a>>,
    /// What somebody in the cluster has seen of the capacity of its pools.
    pub capacity: Vec<PoolSnapshot<'a>>,
}

/// A taint of an InferenceCluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterTaint<'a> {
    /// Its key.
    #[serde(deserialize_with = "field")]
    pub key: &'a str,
    /// Its value. Empty when it has none.
    #[serde(deserialize_with = "field")]
    pub value: &'a str,
    /// `NoSchedule` or `NoExecute`.
    #[serde(deserialize_with = "field")]
    pub effect: &'a str,
}

/// A node pool, as the status of an InferenceCluster publishes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterPool<'a> {
    /// Its name.
    #[serde(deserialize_with = "field")]
    pub name: &'a str,
    /// The number of its nodes. `None` when it is not published, or no integer.
    #[serde(deserialize_with = "optional")]
    pub nodes: Option<i64>,
    /// The devices of each node, as JSON text. Empty when none are published. Pools of one class have equal texts, so who
    /// needs the devices parses each text once.
    #[serde(borrow, deserialize_with = "raw")]
    pub devices: &'a str,
}

/// What was seen of the capacity of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PoolSnapshot<'a> {
    /// The name of the pool.
    #[serde(deserialize_with = "field")]
    pub name: &'a str,
    /// Its resources.
    #[serde(borrow, deserialize_with = "list")]
    pub resources: Vec<ResourceSnapshot<'a>>,
}

/// What was seen of a resource of a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ResourceSnapshot<'a> {
    /// Its name, e.g. `nvidia.com/gpu`.
    #[serde(deserialize_with = "field")]
    pub name: &'a str,
    /// How much of it is available on all nodes together. `None` when that is not known.
    #[serde(deserialize_with = "optional")]
    pub available: Option<i64>,
}

impl ResourceSnapshot<'_> {
    /// How many devices of a driver are available, if the resource is of that driver: `nvidia.com/gpu` is of `gpu.nvidia.com`.
    pub fn devices_of(&self, driver: &str) -> Option<u64> {
        let (domain, name) = self.name.split_once('/')?;
        let rest = driver.strip_prefix(name)?.strip_prefix('.')?;
        // Less than nothing is nothing.
        (rest == domain).then(|| self.available.map(|available| u64::try_from(available).unwrap_or_default()))?
    }
}

impl<'a> Cluster<'a> {
    /// Reads a cluster. `None` when it is malformed: not JSON, or without a name.
    pub fn read(source: &'a Source<'_>) -> Option<Self> {
        let ReadCluster { metadata, spec, status } = source.read()?;
        // The first condition of the type counts.
        let ready = status.conditions.iter().find(|it| it.condition_type == "Ready");
        let cluster = Self {
            name: metadata.name,
            ready: ready.is_some_and(|it| it.status == "True"),
            gateway: status.gateway.address,
            provider_config: status.provider_config_ref.name,
            storage_class: status.cache.storage_class_name,
            taints: spec.taints.0,
            has_taints: spec.taints.1,
            pools: status.gpu_pools,
            capacity: status.capacity.pools,
        };
        Some(cluster).filter(|it| !it.name.is_empty())
    }

    /// Whether new replicas can be placed on it: it is ready, and its gateway has an address.
    pub fn is_usable(&self) -> bool {
        self.ready && !self.gateway.is_empty()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadCluster<'a> {
    #[serde(borrow, deserialize_with = "field")]
    metadata: ReadReference<'a>,
    #[serde(borrow, deserialize_with = "field")]
    spec: ReadClusterSpec<'a>,
    #[serde(borrow, deserialize_with = "field")]
    status: ReadClusterStatus<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadClusterSpec<'a> {
    #[serde(borrow)]
    taints: ReadTaints<'a>,
}

/// Taints, and whether there is a field for them.
#[derive(Default)]
struct ReadTaints<'a>(Vec<ClusterTaint<'a>>, bool);

impl<'de: 'a, 'a> Deserialize<'de> for ReadTaints<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(list(from)?, true))
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadClusterStatus<'a> {
    #[serde(borrow, deserialize_with = "list")]
    conditions: Vec<ReadCondition<'a>>,
    #[serde(borrow, deserialize_with = "field")]
    gateway: ReadReference<'a>,
    #[serde(borrow, deserialize_with = "field")]
    provider_config_ref: ReadReference<'a>,
    #[serde(borrow, deserialize_with = "field")]
    cache: ReadReference<'a>,
    #[serde(borrow, deserialize_with = "list")]
    gpu_pools: Vec<ClusterPool<'a>>,
    #[serde(borrow, deserialize_with = "field")]
    capacity: ReadCapacity<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadCapacity<'a> {
    #[serde(borrow, deserialize_with = "list")]
    pools: Vec<PoolSnapshot<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReadCondition<'a> {
    #[serde(rename = "type", deserialize_with = "field")]
    condition_type: &'a str,
    #[serde(deserialize_with = "field")]
    status: &'a str,
}

/// The objects of which one text is needed. They are one type, because each type adds code to the component.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadReference<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(deserialize_with = "field")]
    address: &'a str,
    #[serde(deserialize_with = "field")]
    storage_class_name: &'a str,
}

#[cfg(test)]
mod tests {
    use contract::types::{ConnectionDetails, ObservedObject};
    use serde_json::{Value, json};

    use super::*;

    /// Reads the same from the text and from the parsed object.
    #[track_caller]
    fn check(object: Value, want: Option<Cluster<'_>>) {
        let text = ObservedObject::from_text(object.to_string(), ConnectionDetails::new());
        for object in [text, object.into()] {
            let source = Source::of(&object);
            assert_eq!(Cluster::read(&source), want);
        }
    }

    #[test]
    fn clusters() {
        let named = |name| Cluster { name, ..Cluster::default() };
        check(
            json!({
                "metadata": {"name": "gpu-east", "labels": {"tier": "a"}, "address": 1},
                "spec": {"taints": [{"key": "drain", "effect": "NoExecute"}, {"key": "a", "value": "b", "effect": "NoSchedule"}, 1]},
                "status": {
                    "conditions": [{"type": "Synced", "status": "False"}, {"type": "Ready", "status": "True"}],
                    "gateway": {"address": "203.0.113.7"},
                    "providerConfigRef": {"name": "gpu-east-cluster-kubeconfig-cbdda"},
                    "cache": {"storageClassName": "shared-rwx"},
                    "gpuPools": [
                        {"name": "h200", "nodes": 4, "devices": [{"name": "gpu", "driver": "gpu.nvidia.com", "count": 8}]},
                        {"name": "l4", "nodes": 0},
                        {"nodes": "four", "devices": null},
                    ],
                    "capacity": {"pools": [{"name": "h200", "resources": [{"name": "nvidia.com/gpu", "available": 20}, 1]}]},
                },
            }),
            Some(Cluster {
                ready: true,
                gateway: "203.0.113.7",
                provider_config: "gpu-east-cluster-kubeconfig-cbdda",
                storage_class: "shared-rwx",
                taints: vec![
                    ClusterTaint { key: "drain", value: "", effect: "NoExecute" },
                    ClusterTaint { key: "a", value: "b", effect: "NoSchedule" },
                ],
                pools: vec![
                    ClusterPool {
                        name: "h200",
                        nodes: Some(4),
                        devices: r#"[{"count":8,"driver":"gpu.nvidia.com","name":"gpu"}]"#,
                    },
                    ClusterPool { name: "l4", nodes: Some(0), devices: "" },
                    ClusterPool::default(),
                ],
                capacity: vec![PoolSnapshot {
                    name: "h200",
                    resources: vec![ResourceSnapshot { name: "nvidia.com/gpu", available: Some(20) }],
                }],
                has_taints: true,
                ..named("gpu-east")
            }),
        );
        check(json!({"metadata": {"name": "a"}}), Some(named("a")));
        check(
            json!({"metadata": {"name": "a"}, "spec": [], "status": {"gpuPools": {}, "gateway": "x"}}),
            Some(named("a")),
        );
        check(json!({"metadata": {}}), None);
        check(json!({"metadata": {"name": 1}}), None);
    }

    #[test]
    fn resources_of_drivers() {
        let check = |name, available, driver, want| {
            assert_eq!(ResourceSnapshot { name, available }.devices_of(driver), want, "{name} of {driver}");
        };
        check("nvidia.com/gpu", Some(20), "gpu.nvidia.com", Some(20));
        check("google.com/tpu", Some(0), "tpu.google.com", Some(0));
        check("nvidia.com/gpu", Some(-1), "gpu.nvidia.com", Some(0));
        check("nvidia.com/gpu", None, "gpu.nvidia.com", None);
        check("nvidia.com/mig-1g.5gb", Some(20), "gpu.nvidia.com", None);
        check("amd.com/gpu", Some(20), "gpu.nvidia.com", None);
        check("cpu", Some(20), "", None);
    }

    #[test]
    fn readiness_is_the_first_condition() {
        #[track_caller]
        fn check(conditions: Value, address: &str, ready: bool, usable: bool) {
            let status = json!({"conditions": conditions, "gateway": {"address": address}});
            let object = ObservedObject::from(json!({"metadata": {"name": "a"}, "status": status}));
            let source = Source::of(&object);
            let read = Cluster::read(&source).map(|it| (it.ready, it.is_usable()));
            assert_eq!(read, Some((ready, usable)), "{conditions}, {address}");
        }
        let ready = |status: &str| json!({"type": "Ready", "status": status});
        check(json!([ready("True")]), "203.0.113.7", true, true);
        check(json!([ready("True")]), "", true, false);
        check(json!([ready("False"), ready("True")]), "203.0.113.7", false, false);
        check(json!([ready("true")]), "203.0.113.7", false, false);
        check(json!([]), "203.0.113.7", false, false);
    }
}
