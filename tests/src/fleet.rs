//! Large fleets for measurements: a ModelDeployment, its clusters and their pools, as Crossplane sends them.

use std::collections::BTreeMap;

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use serde_json::{Value, json};

/// The classes of node pools: a GPU, its memory and its number in a node. Only the first one suits [`Fleet::deployment`].
const CLASSES: [(&str, &str, u64); 5] =
    [("h200", "141Gi", 8), ("h100", "80Gi", 8), ("a100", "40Gi", 8), ("l40s", "48Gi", 4), ("l4", "24Gi", 1)];

/// The pools of a cluster.
const POOLS: usize = 3;

/// A fleet.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// Its number of clusters, each with three pools.
    pub clusters: usize,
    /// Whether objects have `metadata.managedFields`, as an API server stores them.
    pub managed: bool,
    /// Whether each pool has devices of its own, which no other pool has.
    pub distinct: bool,
}

impl Fleet {
    /// A fleet whose pools have devices of a few classes.
    pub const fn of(clusters: usize) -> Self {
        Self { clusters, managed: false, distinct: false }
    }

    /// The request for [`deployment`] when nothing is composed yet.
    pub fn new_replicas(self) -> ComposeRequest {
        ComposeRequest {
            composite: Some(deployment().into()),
            input: Some(options()),
            lookups: BTreeMap::from([
                ("clusters".to_owned(), self.objects().map(ObservedObject::from).collect()),
                ("all-replicas".to_owned(), Vec::new()),
            ]),
            ..ComposeRequest::default()
        }
    }

    /// The request when all replicas have their places.
    ///
    /// # Panics
    /// When they have none.
    pub fn retained_replicas(self) -> ComposeRequest {
        let mut request = self.new_replicas();
        let response = module::compose(&request).expect("the deployment is valid");
        let composed = response.resources.into_iter().map(|(name, desired)| (name, desired.object));
        request.observed = composed
            .map(|(name, mut object)| {
                object["metadata"]["namespace"] = json!("ml");
                (name, ObservedObject::from(object))
            })
            .collect();
        let replicas: Vec<_> = request
            .observed
            .values()
            .filter(|it| it.object().is_ok_and(|it| it["kind"] == "ModelReplica"))
            .cloned()
            .collect();
        assert_eq!(replicas.len(), 3, "each replica has a place");
        request.lookups.insert("all-replicas".to_owned(), replicas);
        request
    }

    /// The InferenceClusters.
    pub fn objects(self) -> impl Iterator<Item = Value> {
        (0..self.clusters).map(move |number| self.cluster(number))
    }

    /// Every third cluster has a pool of the first class; the last clusters are tainted.
    fn cluster(self, number: usize) -> Value {
        let pools: Vec<_> = (0..POOLS).map(|pool| self.pool(number, pool)).collect();
        let mut cluster = json!({
            "apiVersion": "modelplane.ai/v1alpha1",
            "kind": "InferenceCluster",
            "metadata": {
                "name": format!("cluster-{number:05}"),
                "uid": format!("00000000-0000-0000-0000-{number:012}"),
                "resourceVersion": number.to_string(),
                "labels": {"region": format!("region-{}", number % 7), "tier": "production"},
            },
            "spec": {"cluster": {"source": "Existing", "existing": {"secretRef": {"name": format!("kubeconfig-{number}")}}}},
            "status": {
                "conditions": [{"type": "Ready", "status": "True", "reason": "Available", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
                "namespace": "modelplane-system",
                "providerConfigRef": {"name": format!("cluster-{number:05}")},
                "gateway": {"address": format!("10.{}.{}.1", number / 250, number % 250)},
                "gpuPools": pools,
            },
        });
        if self.managed {
            let fields: BTreeMap<_, _> = (0..40).map(|n| (format!("f:field-{n}"), json!({"f:value": {}}))).collect();
            cluster["metadata"]["managedFields"] =
                json!([{"manager": "crossplane", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": fields}]);
        }
        cluster
    }

    fn pool(self, cluster: usize, pool: usize) -> Value {
        let (class, memory, count) = CLASSES[(cluster + 2 * pool) % CLASSES.len()];
        let mark = if self.distinct { cluster * POOLS + pool } else { 0 };
        json!({
            "name": format!("{class}-{pool}"),
            "nodes": 1 + (cluster * 7 + pool) % 4,
            "devices": [
                {
                    "name": "gpu", "claim": "DRA", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com", "count": count,
                    "attributes": {
                        "productName": {"string": format!("NVIDIA {class}")},
                        "architecture": {"string": if class.starts_with('h') { "Hopper" } else { "Ada" }},
                        "cudaComputeCapability": {"version": "9.0.0"},
                        "index": {"int": mark},
                    },
                    "capacity": {"memory": {"value": memory}},
                },
                {
                    "name": "nic", "claim": "DRA", "driver": "dra.net", "deviceClassName": "dra.net", "count": 1,
                    "attributes": {"rdma": {"bool": class.starts_with('h')}},
                },
            ],
        })
    }
}

/// A deployment of three replicas. Its request has two selectors.
pub fn deployment() -> Value {
    with_selectors(&[
        r#"device.attributes["gpu.nvidia.com"].architecture == "Hopper""#,
        r#"device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("141Gi")) >= 0"#,
    ])
}

/// The same with other selectors.
pub fn with_selectors(selectors: &[&str]) -> Value {
    let selectors: Vec<_> = selectors.iter().map(|cel| json!({"cel": cel})).collect();
    json!({
        "apiVersion": "modelplane.ai/v1alpha1",
        "kind": "ModelDeployment",
        "metadata": {"name": "kimi", "namespace": "ml", "uid": "5f0c4a8e-0000-0000-0000-000000000000"},
        "spec": {
            "replicas": 3,
            "template": {"spec": {"engines": [{"name": "main", "members": [{
                "nodeSelector": {"devices": [{"name": "gpu", "count": 8, "selectors": selectors}]},
                "template": {"spec": {"containers": [
                    {"name": "engine", "image": "vllm/vllm-openai:v0.11.0", "args": ["--model=moonshotai/Kimi-K2.5"]},
                ]}},
            }]}]}},
        },
    })
}

/// The options of the Composition that is shipped.
fn options() -> Value {
    let composition = include_str!("../../package/modelplane/composition-modeldeployments.modelplane.ai.yaml");
    let documents = crate::golden::documents(composition).expect("the package is YAML");
    documents[0]["spec"]["pipeline"][0]["input"].clone()
}
