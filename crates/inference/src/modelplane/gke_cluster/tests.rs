//! What a cluster becomes, beyond the golden cases: totals, and each value of each table.

use std::collections::BTreeMap;

use contract::admit::Operation;
use serde_json::{Value, json};

use super::derive::{ROWS, tables};
use super::{KIND, derive};
use crate::modelplane::platform::checks;

fn pool(name: &str) -> Value {
    json!({
        "name": name, "role": "GPU", "machineType": "g2-standard-8", "nodeCount": 2, "minNodeCount": 1, "maxNodeCount": 4,
        "diskSizeGb": 50, "zones": ["us-central1-a"], "gpu": {"acceleratorType": "nvidia-l4", "acceleratorCount": 2},
    })
}

fn spec(pools: &[Value]) -> Value {
    json!({"region": "us-central1", "project": "ml-prod", "nodePools": pools})
}

/// What Google has chosen, as providers report it.
fn chosen() -> BTreeMap<String, Value> {
    let network = json!({"metadata": {"annotations": {"crossplane.io/external-name": "net-1"}}});
    let account = json!({"status": {"atProvider": {"email": "a@ml-prod.iam.gserviceaccount.com"}}});
    BTreeMap::from([("network".to_owned(), network), ("service-account".to_owned(), account)])
}

fn made(spec: &Value) -> BTreeMap<String, Value> {
    checks::objects(checks::answer(&KIND, spec, &chosen()))
}

#[test]
fn totals() {
    for count in 1..=8 {
        let pools: Vec<_> = (0..count).map(|index| pool(&format!("p{index}"))).collect();
        assert_eq!(made(&spec(&pools)).len(), 11 + count);
        // Two objects wait for what Google chooses.
        assert_eq!(checks::answer(&KIND, &spec(&pools), &BTreeMap::new()).resources.len(), 9 + count);
    }
    assert_eq!(made(&spec(&[pool("system")])).len(), 11, "it takes the place of the other");
}

#[test]
fn rows_are_documented() {
    checks::rows(&KIND, ROWS, &tables(), &made(&spec(&[pool("l4")])));
}

#[test]
fn what_is_observed_stays() {
    let all = made(&spec(&[pool("l4")]));
    let mut unknown = spec(&[pool("l4")]);
    if let Some(fields) = unknown.as_object_mut() {
        fields.remove("project");
    }
    for spec in [spec(&[pool("l4")]), unknown] {
        checks::what_is_observed_stays(&KIND, &spec, &all);
    }
}

#[test]
fn what_a_pool_has_begun_with_stays() {
    let mut observed = made(&spec(&[pool("l4")]));
    let mut grown = pool("l4");
    grown["nodeCount"] = json!(3);
    //   what Google says      what is composed
    for (said, want) in [(None, 2), (Some(1), 1)] {
        if let Some(said) = said {
            let object = observed.get_mut("nodepool-l4").expect("it is composed");
            object["status"] = json!({"atProvider": {"initialNodeCount": said}});
        }
        let composed = checks::objects(checks::answer(&KIND, &spec(&[grown.clone()]), &observed));
        assert_eq!(composed["nodepool-l4"]["spec"]["forProvider"]["initialNodeCount"], json!(want), "{said:?}");
    }
    assert_eq!(made(&spec(&[grown]))["nodepool-l4"]["spec"]["forProvider"]["initialNodeCount"], json!(3));
}

#[test]
fn every_value() {
    let same = json!({"matchControllerRef": true});
    let kubeconfig = "test-cluster-kubeconfig-55b57";
    let key = "test-cluster-sa-key-3295c";
    let secret = |name: &str, key: &str| json!({"namespace": "modelplane-system", "name": name, "key": key});
    let class = "spec.forProvider.manifest";
    let system =
        json!({"name": "cpu", "role": "System", "machineType": "e2-standard-8", "gpu": {"acceleratorType": "odd"}});
    let mut spec = spec(&[pool("l4"), system]);
    spec["credentials"] = json!({"type": "ProviderConfig", "name": "gcp"});
    #[rustfmt::skip]
    checks::values(&made(&spec), &[
        ("network", "spec.providerConfigRef", json!({"kind": "ProviderConfig", "name": "gcp"})),
        ("network", "spec.forProvider.project", json!("ml-prod")),
        ("network", "spec.forProvider.autoCreateSubnetworks", json!(false)),
        ("network", "metadata", json!(null)),
        ("projectservice-filestore", "spec.forProvider", json!({"project": "ml-prod", "service": "file.googleapis.com", "disableOnDestroy": false})),
        ("subnet", "spec.forProvider.region", json!("us-central1")),
        ("subnet", "spec.forProvider.networkSelector", same.clone()),
        ("subnet", "spec.forProvider.ipCidrRange", json!("10.0.0.0/24")),
        ("subnet", "spec.forProvider.secondaryIpRange", json!([{"rangeName": "pods", "ipCidrRange": "10.1.0.0/16"}, {"rangeName": "services", "ipCidrRange": "10.2.0.0/16"}])),
        ("cluster", "spec.writeConnectionSecretToRef", json!({"name": kubeconfig})),
        ("cluster", "spec.forProvider.location", json!("us-central1")),
        ("cluster", "spec.forProvider.deletionProtection", json!(false)),
        ("cluster", "spec.forProvider.removeDefaultNodePool", json!(true)),
        ("cluster", "spec.forProvider.initialNodeCount", json!(1)),
        ("cluster", "spec.forProvider.minMasterVersion", json!("1.35")),
        ("cluster", "spec.forProvider.networkSelector", same.clone()),
        ("cluster", "spec.forProvider.subnetworkSelector", same.clone()),
        ("cluster", "spec.forProvider.ipAllocationPolicy", json!({"clusterSecondaryRangeName": "pods", "servicesSecondaryRangeName": "services"})),
        ("cluster", "spec.forProvider.releaseChannel", json!({"channel": "REGULAR"})),
        ("cluster", "spec.forProvider.workloadIdentityConfig", json!({"workloadPool": "ml-prod.svc.id.goog"})),
        ("cluster", "spec.forProvider.addonsConfig", json!({"gcpFilestoreCsiDriverConfig": {"enabled": true}})),
        ("nodepool-system", "spec.forProvider", json!({
            "project": "ml-prod", "location": "us-central1", "clusterSelector": same, "initialNodeCount": 1,
            "autoscaling": {"minNodeCount": 1, "maxNodeCount": 2},
            "nodeConfig": {
                "machineType": "e2-standard-4", "imageType": "COS_CONTAINERD", "labels": {"modelplane.ai/pool": "system"},
                "oauthScopes": ["https://www.googleapis.com/auth/cloud-platform"],
            },
        })),
        ("nodepool-l4", "spec.forProvider.location", json!("us-central1")),
        ("nodepool-l4", "spec.forProvider.clusterSelector", same.clone()),
        ("nodepool-l4", "spec.forProvider.initialNodeCount", json!(2)),
        ("nodepool-l4", "spec.forProvider.autoscaling", json!({"minNodeCount": 1, "maxNodeCount": 4})),
        ("nodepool-l4", "spec.forProvider.nodeLocations", json!(["us-central1-a"])),
        ("nodepool-l4", "spec.forProvider.nodeConfig", json!({
            "machineType": "g2-standard-8", "diskSizeGb": 50, "imageType": "COS_CONTAINERD",
            "oauthScopes": ["https://www.googleapis.com/auth/cloud-platform"],
            "labels": {"modelplane.ai/gpu": "nvidia-l4", "modelplane.ai/pool": "l4", "cloud.google.com/gke-nvidia-gpu-dra-driver": "true"},
            "guestAccelerator": [{"type": "nvidia-l4", "count": 2, "gpuDriverInstallationConfig": {"gpuDriverVersion": "DEFAULT"}}],
        })),
        ("nodepool-cpu", "spec.forProvider.nodeLocations", json!(null)),
        ("nodepool-cpu", "spec.forProvider.nodeConfig.labels", json!({"modelplane.ai/pool": "cpu"})),
        ("nodepool-cpu", "spec.forProvider.nodeConfig.guestAccelerator", json!(null)),
        ("service-account", "spec.forProvider", json!({"project": "ml-prod", "displayName": "Crossplane GKECluster test-cluster"})),
        ("service-account-key", "spec.writeConnectionSecretToRef", json!({"name": key})),
        ("service-account-key", "spec.forProvider", json!({"serviceAccountIdSelector": same})),
        ("iam-binding", "spec.forProvider", json!({"project": "ml-prod", "role": "roles/container.admin", "member": "serviceAccount:a@ml-prod.iam.gserviceaccount.com"})),
        ("provider-config-kubernetes", "metadata", json!({"name": kubeconfig})),
        ("provider-config-kubernetes", "spec.credentials", json!({"source": "Secret", "secretRef": secret(kubeconfig, "kubeconfig")})),
        ("provider-config-kubernetes", "spec.identity", json!({"type": "GoogleApplicationCredentials", "source": "Secret", "secretRef": secret(key, "private_key")})),
        ("provider-config-helm", "spec.identity.secretRef", secret(key, "private_key")),
        ("storage-class-rwx", "metadata", json!({"namespace": "modelplane-system"})),
        ("storage-class-rwx", "spec.providerConfigRef", json!({"kind": "ProviderConfig", "name": kubeconfig})),
        ("storage-class-rwx", "spec.managementPolicies", json!(["Observe", "Create", "Update"])),
        ("storage-class-rwx", "spec.readiness", json!({"policy": "SuccessfulCreate"})),
        ("storage-class-rwx", class, json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "modelplane-rwx"},
            "provisioner": "filestore.csi.storage.gke.io", "parameters": {"tier": "enterprise", "network": "net-1"},
            "volumeBindingMode": "Immediate", "allowVolumeExpansion": true,
        })),
    ]);
}

#[test]
fn the_status() {
    let status = checks::answer(&KIND, &spec(&[pool("l4")]), &BTreeMap::new()).composite.status;
    let secret = |kind: &str, name: &str, key: &str| json!({"type": kind, "name": name, "key": key});
    let want = json!({
        "secrets": [
            secret("Kubeconfig", "test-cluster-kubeconfig-55b57", "kubeconfig"),
            secret("GoogleApplicationCredentials", "test-cluster-sa-key-3295c", "private_key"),
        ],
        "cache": {"storageClassName": "modelplane-rwx"},
    });
    assert_eq!(status, Some(want));
    assert_eq!(derive::STATUS.len(), 2);
}

#[test]
fn admission() {
    let create = |name: &str, spec: &Value| Operation::Create(checks::composite(&KIND, name, spec));
    let check = |name: &str, spec: Value, denials: &[&str]| checks::admitted(&KIND, create(name, &spec), denials, &[]);
    let with = |at: &str, value: Value| {
        let mut spec = spec(&[pool("l4")]);
        toolbox::path::set(&mut spec, at, value);
        spec
    };
    check("a", spec(&[pool("l4")]), &[]);
    check(&"a".repeat(17), spec(&[pool("l4")]), &[]);
    check(&"a".repeat(18), spec(&[pool("l4")]), &["metadata.name"]);
    check(&"a".repeat(64), spec(&[pool("l4")]), &["metadata.name"]);
    check("1a", spec(&[pool("l4")]), &["metadata.name"]);
    check("a", spec(&[pool("system")]), &["spec.nodePools[0].name"]);
    check("a", with("nodePools[0].minNodeCount", json!(5)), &["spec.nodePools[0].minNodeCount"]);
    check(
        "a",
        with("networking.podCidr", json!("10.0.0.0/8")),
        &["spec.networking.podCidr", "spec.networking.serviceCidr"],
    );
    check("a", with("networking.podCidr", json!("10.300.0.0/16")), &["spec.networking.podCidr"]);
    check("a", with("networking.nodeCidr", json!("10.1.2.0/33")), &["spec.networking.nodeCidr"]);
    checks::admitted(
        &KIND,
        create("a", &with("nodePools[0].nodeCount", json!(9))),
        &[],
        &["spec.nodePools[0].nodeCount"],
    );
    // The name is made of that of the root.
    let mut composed = checks::composite(&KIND, "a", &spec(&[pool("l4")]));
    composed["metadata"]["labels"] = json!({"crossplane.io/composite": "a".repeat(18)});
    checks::admitted(&KIND, Operation::Create(composed), &["metadata.name"], &[]);
    // What is stored is tolerated, also when its place changes.
    let stored = checks::composite(&KIND, &"a".repeat(40), &spec(&[pool("system")]));
    let edited = checks::composite(&KIND, &"a".repeat(40), &spec(&[pool("l4"), pool("system")]));
    checks::admitted(&KIND, Operation::Update { old: stored, new: edited }, &[], &["spec.nodePools[1].name"]);
    let elsewhere = checks::composite(&KIND, "a", &with("region", json!("elsewhere1")));
    let here = checks::composite(&KIND, "a", &with("region", json!("here1")));
    let moved = Operation::Update { old: here, new: elsewhere };
    checks::admitted(&KIND, moved, &[], &["spec.region"]);
    checks::credentials(&KIND, &spec(&[pool("l4")]));
}
