//! Requests for measurements of Modelplane's kinds that make and equip clusters, with all that they compose observed and up.

use std::collections::BTreeMap;

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use serde_json::{Value, json};
use toolbox::ready;

use crate::workload::example;

/// The most rounds until nothing is composed any more that was not there before.
const ROUNDS: usize = 8;

/// The request for an example, once nothing changes any more.
///
/// # Panics
/// When it cannot be composed, or changes for ever.
pub fn settled(name: &str) -> ComposeRequest {
    up(&ComposeRequest { composite: Some(example(name).into()), ..ComposeRequest::default() })
}

/// The request for a cluster of one's own, once nothing changes any more, with so many replicas on it.
pub fn with_replicas(many: usize) -> ComposeRequest {
    let replica = |at: usize| {
        let container =
            json!({"name": "engine", "image": "vllm/vllm-openai:v0.11.0", "args": ["--model=Qwen/Qwen3-8B"]});
        json!({
            "apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelReplica",
            "metadata": {
                "name": format!("qwen-{at}"), "namespace": "ml", "uid": format!("uid-{at}"),
                "labels": {"modelplane.ai/cluster": "on-premises", "modelplane.ai/deployment": "qwen"},
            },
            "spec": {
                "clusterName": "on-premises",
                "engines": [{"name": "main", "members": [{
                    "role": "Standalone", "nodeSelector": {"devices": [{"name": "gpu", "count": 1}]},
                    "template": {"spec": {"containers": [container]}},
                }]}],
            },
            "status": {"conditions": [{"type": "Ready", "status": "True", "reason": "Available"}]},
        })
    };
    let cluster = example("cluster-existing");
    let pools = cluster["spec"]["nodePools"].as_array().into_iter().flatten();
    let names = pools.filter_map(|pool| pool["className"].as_str());
    let class = |name: &str| {
        json!({
            "apiVersion": "modelplane.ai/v1alpha1", "kind": "InferenceClass", "metadata": {"name": name},
            "spec": {"devices": [{
                "name": "gpu", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com", "count": 8,
                "capacity": {"memory": {"value": "81559Mi"}},
            }]},
        })
    };
    let mut lookups: BTreeMap<_, _> =
        names.map(|name| (format!("class-{name}"), vec![ObservedObject::from(class(name))])).collect();
    lookups.insert("model-replicas".to_owned(), (0..many).map(|at| replica(at).into()).collect());
    up(&ComposeRequest { composite: Some(cluster.into()), lookups, ..ComposeRequest::default() })
}

fn up(request: &ComposeRequest) -> ComposeRequest {
    let mut known = request.clone();
    for _ in 0..ROUNDS {
        let response = module::compose(&known).expect("it can be composed");
        let observed: BTreeMap<_, _> =
            response.resources.into_iter().map(|(key, desired)| (key, whole(desired.object))).collect();
        if observed.keys().eq(known.observed.keys()) {
            return ComposeRequest { observed, ..known };
        }
        known.observed = observed;
    }
    panic!("it still changes after {ROUNDS} rounds");
}

/// An object as it is once it is up.
fn whole(mut object: Value) -> ObservedObject {
    let added = ready::added(&object);
    object["status"] = added["status"].clone();
    if let Some(annotations) = added["metadata"]["annotations"].as_object() {
        for (key, value) in annotations {
            object["metadata"]["annotations"][key] = value.clone();
        }
    }
    object.into()
}
