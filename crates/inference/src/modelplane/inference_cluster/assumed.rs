//! What a preview makes of a cluster that has no status: it is up, as its spec and its classes say.

use serde_json::{Value, json};
use toolbox::builders::selectors::lookup_of;
use toolbox::hashed::child;
use toolbox::kind::{Assumed, Find};
use toolbox::path;

use crate::modelplane::classes;
use crate::modelplane::labels::SYSTEM_NAMESPACE;
use crate::modelplane::made_up::address;
use crate::modelplane::resources::{INFERENCE_CLASSES, INFERENCE_CLUSTERS, kind};
use crate::modelplane::shapes;

/// The row of the kind says this.
pub(super) const ASSUMED: Assumed =
    Assumed { status, counts_as: "up, with the pools of its classes and a made-up address" };

/// The storage classes for caches that come with a cluster in a cloud, by source.
const STORAGE_CLASSES: &[(&str, &str)] = &[
    ("AKS", "modelplane-rwx-fs"),
    ("EKS", "modelplane-rwx-efs"),
    ("GKE", "modelplane-rwx"),
    ("Nebius", "modelplane-rwx-fs"),
];

/// The status of a cluster that is up. `None` for one without a name.
fn status(cluster: &Value, find: &Find<'_>) -> Option<Value> {
    let cluster = &*shapes::as_released(INFERENCE_CLUSTERS.kind, cluster);
    let name = Some(text(cluster, "metadata.name")).filter(|name| !name.is_empty())?;
    let source = text(cluster, "spec.cluster.source");
    let built_in = STORAGE_CLASSES.iter().find(|(cloud, _)| *cloud == source).map(|(_, class)| *class);
    let storage = built_in.unwrap_or_else(|| text(cluster, "spec.cluster.existing.cache.storageClassName"));
    let pools = path::get(cluster, "spec.nodePools").and_then(Value::as_array).into_iter().flatten();
    let mut status = json!({
        "conditions": [{"type": "Ready", "status": "True", "reason": "Available"}],
        "namespace": SYSTEM_NAMESPACE,
        "providerConfigRef": {"name": child(&[name, "cluster-kubeconfig"])},
        "gateway": {"address": address(name)},
        "gpuPools": pools.filter_map(|it| pool(it, find)).collect::<Vec<_>>(),
    });
    if let (false, Some(fields)) = (storage.is_empty(), status.as_object_mut()) {
        fields.insert("cache".to_owned(), json!({"storageClassName": storage}));
    }
    Some(status)
}

/// A pool as a cluster publishes it. `None` without its class, or when the class has no devices.
fn pool(pool: &Value, find: &Find<'_>) -> Option<Value> {
    let class = find(&lookup_of(kind(&INFERENCE_CLASSES), None, text(pool, "className"))).into_iter().next()?;
    let class = shapes::as_released(INFERENCE_CLASSES.kind, &class);
    let devices = classes::devices(&class)?;
    let most = pool.get("maxNodeCount").and_then(Value::as_u64).filter(|most| *most > 0);
    let nodes = most.or_else(|| pool.get("nodeCount")?.as_u64());
    // The default of `nodeCount`.
    Some(json!({"name": text(pool, "name"), "nodes": nodes.unwrap_or(1), "devices": devices}))
}

fn text<'v>(object: &'v Value, at: &str) -> &'v str {
    path::get(object, at).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(devices: &Value) -> Value {
        json!({"spec": {"devices": devices}})
    }

    #[test]
    fn pools() {
        #[track_caller]
        fn check(written: Value, devices: Value, want: Option<Value>) {
            assert_eq!(pool(&written, &|_| vec![class(&devices)]), want, "{written}");
        }
        let gpu = || json!([{"name": "gpu", "driver": "d", "deviceClassName": "c"}]);
        let whole = || json!([{"name": "gpu", "driver": "d", "deviceClassName": "c", "claim": "DRA", "count": 1}]);
        let want = |nodes: u64| Some(json!({"name": "p", "nodes": nodes, "devices": whole()}));
        check(json!({"name": "p", "className": "a"}), gpu(), want(1));
        check(json!({"name": "p", "className": "a", "nodeCount": 0}), gpu(), want(0));
        check(json!({"name": "p", "className": "a", "nodeCount": 2, "maxNodeCount": 8}), gpu(), want(8));
        check(json!({"name": "p", "className": "a"}), json!([]), None);
        assert_eq!(pool(&json!({"name": "p", "className": "gone"}), &|_| Vec::new()), None);
        let described = json!([{"claim": "Synthetic", "count": 4}]);
        let found = pool(&json!({"name": "p"}), &|_| vec![class(&described)]).map(|pool| pool["devices"].clone());
        assert_eq!(found, Some(described));
    }

    #[test]
    fn storage_classes() {
        #[track_caller]
        fn check(cluster: Value, want: Option<&str>) {
            let object = json!({"metadata": {"name": "a"}, "spec": {"cluster": cluster}});
            let status = status(&object, &|_| Vec::new()).expect("it has a name");
            assert_eq!(status.pointer("/cache/storageClassName").and_then(Value::as_str), want, "{object}");
        }
        check(json!({"source": "GKE"}), Some("modelplane-rwx"));
        check(json!({"source": "EKS"}), Some("modelplane-rwx-efs"));
        check(json!({"source": "Vultr"}), None);
        check(json!({"source": "Existing"}), None);
        check(json!({"source": "Existing", "existing": {"cache": {"storageClassName": "nfs"}}}), Some("nfs"));
        assert_eq!(status(&json!({"metadata": {}}), &|_| Vec::new()), None);
    }

    #[test]
    fn addresses_are_of_no_cluster() {
        assert!(["a", "gke-eu", ""].iter().all(|name| {
            let address = address(name);
            address.starts_with("198.18.") || address.starts_with("198.19.")
        }));
        assert_ne!(address("a"), address("b"));
    }
}
