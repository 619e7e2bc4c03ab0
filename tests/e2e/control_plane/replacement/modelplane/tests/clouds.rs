//! Clusters in clouds.

use serde_json::json;

use super::super::answer;
use super::{CONFIGS, Given, Want, check, desired, with};

const GKE: &[&str] = &[
    "cluster",
    "network",
    "nodepool-system",
    "projectservice-filestore",
    "provider-config-helm",
    "provider-config-kubernetes",
    "service-account",
    "service-account-key",
    "subnet",
];
const VULTR: &[&str] = &["cluster", "gpu-observer", "node-pool-l40s", "provider-config-kubernetes"];

#[test]
fn rows_of_clouds() {
    let gpu = json!({"acceleratorType": "nvidia-l4", "acceleratorCount": 1});
    let pool = json!({"name": "l4", "role": "GPU", "machineType": "g2", "nodeCount": 1, "gpu": gpu, "zones": ["a"]});
    let plain = json!({"name": "more", "role": "System", "machineType": "e2", "nodeCount": 1});
    let gke = Given::new("GKECluster", json!({"region": "here", "nodePools": [pool, plain]}));
    check("no project", &gke, &Want { says: &["Waiting for GCP ClusterProviderConfig default"], ..Want::default() });
    let lookup = "gcp-provider-config";
    check("an empty project", &gke.finds(lookup, &[json!({"spec": {"projectID": ""}})]), &Want::default());
    let aborts = answer(gke.finds(lookup, &[json!({"spec": {}})]).request());
    assert!(aborts.is_err(), "a configuration without a project");
    let secret = |kind: &str, name: &str, key: &str| json!({"type": kind, "name": name, "key": key});
    let kubeconfig = secret("Kubeconfig", "test-cluster-kubeconfig-55b57", "kubeconfig");
    let account = secret("GoogleApplicationCredentials", "test-cluster-sa-key-3295c", "private_key");
    let status = json!({"secrets": [kubeconfig, account], "cache": {"storageClassName": "modelplane-rwx"}});
    let pools = ["nodepool-l4", "nodepool-more"];
    let found = gke.finds(lookup, &[json!({"spec": {"projectID": "mine"}})]);
    let keys: &[&[&str]] = &[GKE, &pools];
    check("GKE at first", &found, &Want { keys, ready: CONFIGS, status: status.clone(), ..Want::default() });
    let cluster = json!({"spec": {"forProvider": {"workloadIdentityConfig": {"workloadPool": "mine.svc.id.goog"}}}});
    let says = ["GCP ClusterProviderConfig default not found; keeping the project the composed cluster already uses"];
    let want = Want { keys, ready: CONFIGS, status: status.clone(), says: &says };
    check("its project", &gke.finds(lookup, &[]).sees(&[("cluster", cluster)]), &want);
    let network = json!({"metadata": {"annotations": {"crossplane.io/external-name": "vpc"}}});
    let service_account = json!({"status": {"atProvider": {"email": "a@b"}}});
    let seen = found.sees(&[("network", network), ("service-account", service_account)]);
    let late = ["iam-binding", "storage-class-rwx"];
    let keys: &[&[&str]] = &[GKE, &pools, &late];
    let ready = [CONFIGS, &late[1..]].concat();
    let response = check("GKE later", &seen, &Want { keys, ready: &ready, status: status.clone(), ..Want::default() });
    let member = desired(&response, "iam-binding");
    assert_eq!(member["spec"]["forProvider"]["member"], "serviceAccount:a@b");
    // A pool called system takes the place of the one that every cluster has.
    let own = json!({"name": "system", "role": "System", "machineType": "own"});
    let given = Given::new("GKECluster", json!({"region": "here", "nodePools": [own]}));
    let given = given.finds(lookup, &[json!({"spec": {"projectID": "mine"}})]);
    let response = check("system", &given, &Want { keys: &[GKE], ready: CONFIGS, status, ..Want::default() });
    let system = desired(&response, "nodepool-system");
    assert_eq!(system["spec"]["forProvider"]["nodeConfig"]["machineType"], "own");

    let pool = json!({"name": "l40s", "role": "GPU", "plan": "vcg", "nodeCount": 2, "maxNodeCount": 3, "gpu": gpu});
    let vultr = Given::new("VultrCluster", json!({"region": "ewr", "nodePools": [pool]}));
    let status = json!({"secrets": [secret("Kubeconfig", "test-cluster-kubeconfig-55b57", "kubeconfig")]});
    let first = Want { keys: &[&["cluster"]], status: status.clone(), ..Want::default() };
    check("Vultr at first", &vultr, &first);
    check("an observer keeps nothing", &vultr.sees(&[("gpu-observer", with(&["Ready"]))]), &first);
    let ready = ["cluster", "provider-config-kubernetes"];
    let later = Want { keys: &[VULTR], ready: &ready, status: status.clone(), ..Want::default() };
    let response = check("Vultr is ready", &vultr.sees(&[("cluster", with(&["Ready"]))]), &later);
    let pool = desired(&response, "node-pool-l40s");
    let pool = &pool["spec"]["forProvider"];
    assert_eq!((&pool["autoScaler"], &pool["minNodes"], &pool["maxNodes"]), (&json!(true), &json!(2), &json!(3)));
    let kept = Want { keys: &[VULTR], ready: &ready[1..], status, ..Want::default() };
    check("pools keep it", &vultr.sees(&[("node-pool-other", json!({}))]), &kept);
}
