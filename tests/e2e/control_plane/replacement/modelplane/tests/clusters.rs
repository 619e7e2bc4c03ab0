//! Clusters for models.

use serde_json::{Value, json};

use super::{Given, Want, check, desired, with};

#[test]
fn rows_of_clusters() {
    let pool = json!({"name": "l4", "className": "l4-1", "nodeCount": 2, "maxNodeCount": 4, "zones": ["a"]});
    let cluster = |source: &str, block: Value| {
        Given::new(
            "InferenceCluster",
            json!({"cluster": {"source": source, source.to_lowercase(): block}, "nodePools": [pool]}),
        )
    };
    let gke = json!({"machineType": "g2", "diskSizeGb": 100, "accelerator": {"type": "nvidia-l4", "count": 1}});
    let provisioning = json!({"gke": gke, "eks": gke, "aks": gke, "nebius": gke, "vultr": gke});
    let gpu = json!({"name": "gpu", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com"});
    let class = [json!({"spec": {"provisioning": provisioning, "devices": [gpu]}})];
    let found = |given: &Given| given.finds("class-l4-1", &class);
    let status = |more: Value| {
        let device = json!({
            "name": "gpu", "claim": "DRA", "count": 1, "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com",
        });
        let mut status = json!({
            "providerConfigRef": {"name": "test-cluster-cluster-kubeconfig-d0f89"},
            "namespace": "modelplane-system",
            "gpuPools": [{"name": "l4", "nodes": 4, "devices": [device]}],
        });
        for (name, value) in more.as_object().into_iter().flatten() {
            status[name] = value.clone();
        }
        status
    };
    let waits = ["ClusterReady false Provisioning", "BackendReady false WaitingForCluster"];
    let gke = cluster("GKE", json!({"region": "here", "kubernetesVersion": "1.35"}));
    check(
        "no class",
        &gke.finds("model-replicas", &[json!({})]),
        &Want {
            keys: &[&["usage-replicas"]],
            ready: &["usage-replicas"],
            says: &["ClusterReady false WaitingForClasses", "Waiting for InferenceClasses: l4-1"],
            ..Want::default()
        },
    );
    check(
        "no source",
        &Given::new("InferenceCluster", json!({})),
        &Want { says: &["spec.cluster is required"], ..Want::default() },
    );
    check(
        "no block",
        &found(&cluster("GKE", json!(null))),
        &Want { says: &["GKE configuration is required when source is GKE"], ..Want::default() },
    );
    check(
        "another source",
        &found(&cluster("Mine", json!({}))),
        &Want { says: &["unsupported cluster source: Mine"], ..Want::default() },
    );
    for (source, key) in [
        ("GKE", "gke-cluster"),
        ("EKS", "eks-cluster"),
        ("AKS", "aks-cluster"),
        ("Nebius", "nebius-cluster"),
        ("Vultr", "vultr-cluster"),
    ] {
        let given = found(&cluster(source, json!({"region": "here"})));
        check(source, &given, &Want { keys: &[&[key]], status: status(json!({})), says: &waits, ..Want::default() });
    }

    let secret = |kind: &str, key: &str| json!({"type": kind, "name": "its", "key": key});
    let secrets = json!([secret("Kubeconfig", "kubeconfig"), secret("GoogleApplicationCredentials", "private_key")]);
    let mut runs = with(&["Ready"]);
    runs["status"]["secrets"] = secrets.clone();
    runs["status"]["cache"] = json!({"storageClassName": "modelplane-rwx"});
    let cached = json!({"cache": {"storageClassName": "modelplane-rwx"}});
    let given = found(&gke).sees(&[("gke-cluster", runs.clone())]);
    let four = ["cluster-provider-config-kubernetes", "gke-cluster", "serving-stack", "usage-gke-by-backend"];
    let response = check(
        "GKE is ready",
        &given,
        &Want {
            keys: &[&four],
            ready: &["cluster-provider-config-kubernetes", "gke-cluster", "usage-gke-by-backend"],
            status: status(cached.clone()),
            says: &[
                "ClusterReady true ClusterRunning",
                "BackendReady false Installing",
                "GKE cluster ready, composing backend",
            ],
        },
    );
    let spec = json!({
        "region": "here",
        "kubernetesVersion": "1.35",
        "nodePools": [{
            "name": "l4",
            "role": "GPU",
            "machineType": "g2",
            "diskSizeGb": 100,
            "nodeCount": 2,
            "maxNodeCount": 4,
            "gpu": {"acceleratorType": "nvidia-l4", "acceleratorCount": 1},
            "zones": ["a"],
        }],
    });
    assert_eq!(desired(&response, "gke-cluster")["spec"], spec);
    let spec = json!({"secrets": secrets, "nvidiaDriverRoot": "/home/kubernetes/bin/nvidia"});
    assert_eq!(desired(&response, "serving-stack")["spec"], spec);
    let reference = |key: &str| json!({"namespace": "modelplane-system", "name": "its", "key": key});
    let spec = json!({
        "credentials": {"source": "Secret", "secretRef": reference("kubeconfig")},
        "identity": {
            "type": "GoogleApplicationCredentials", "source": "Secret", "secretRef": reference("private_key"),
        },
    });
    assert_eq!(desired(&response, "cluster-provider-config-kubernetes")["spec"], spec);

    let mut stack = with(&["Ready"]);
    stack["spec"] = json!({"secrets": secrets});
    stack["status"]["gateway"] = json!({"address": "10.0.0.1"});
    let mut more = cached;
    more["gateway"] = json!({"address": "10.0.0.1"});
    let given = given.sees(&[("serving-stack", stack.clone())]);
    check(
        "its stack is ready",
        &given,
        &Want {
            keys: &[&four],
            ready: &four,
            status: status(more.clone()),
            says: &["ClusterReady true ClusterRunning", "BackendReady true BackendHealthy"],
        },
    );
    runs["status"]["conditions"] = json!([]);
    check(
        "it is not ready any more",
        &found(&gke).sees(&[("gke-cluster", runs), ("serving-stack", stack)]),
        &Want {
            keys: &[&["gke-cluster", "serving-stack", "usage-gke-by-backend"]],
            ready: &["serving-stack", "usage-gke-by-backend"],
            status: status(more),
            says: &["ClusterReady false Provisioning", "BackendReady true WaitingForCluster"],
        },
    );

    let without = [json!({"spec": {"devices": []}})];
    let mut none = status(json!({}));
    none["gpuPools"] = json!([]);
    check(
        "the class has no block",
        &gke.finds("class-l4-1", &without),
        &Want {
            status: none.clone(),
            says: &[
                "ClusterReady false InvalidNodePool",
                waits[0],
                waits[1],
                "InferenceClass l4-1 has no GKE provisioning block",
            ],
            ..Want::default()
        },
    );
    check(
        "and there is a cluster",
        &gke.finds("class-l4-1", &without).sees(&[("gke-cluster", with(&["Ready"]))]),
        &Want {
            keys: &[&["gke-cluster"]],
            ready: &["gke-cluster"],
            status: none,
            says: &[
                "ClusterReady false InvalidNodePool",
                "ClusterReady true ClusterRunning",
                "BackendReady false Installing",
                "InferenceClass l4-1 has no GKE provisioning block",
                "GKE cluster ready, composing backend",
            ],
        },
    );
    let identity = json!({"name": "id", "key": "private_key", "type": "GoogleApplicationCredentials"});
    let block = json!({"secretRef": {"name": "mine", "key": "kubeconfig"}, "identitySecretRef": identity});
    check(
        "it exists",
        &found(&cluster("Existing", block)),
        &Want {
            keys: &[&["cluster-provider-config-kubernetes", "serving-stack"]],
            ready: &["cluster-provider-config-kubernetes"],
            status: status(json!({})),
            says: &["ClusterReady true ClusterRunning", "BackendReady false Installing"],
        },
    );
}
