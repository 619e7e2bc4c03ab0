//! What a cluster becomes, beyond the golden cases: totals, and each value of each table.

use std::collections::BTreeMap;

use contract::admit::Operation;
use serde_json::{Value, json};

use super::KIND;
use super::derive::{ROWS, tables};
use crate::modelplane::platform::checks;

fn pool(name: &str) -> Value {
    json!({
        "name": name, "role": "GPU", "vmSize": "Standard_ND96isr_H100_v5", "nodeCount": 2, "minNodeCount": 1, "maxNodeCount": 4,
        "diskSizeGb": 200, "zones": ["1"], "gpu": {"acceleratorType": "nvidia-h100"},
    })
}

fn infiniband(name: &str) -> Value {
    let mut pool = pool(name);
    pool["fabric"] = json!("InfiniBand");
    pool
}

fn spec(pools: &[Value]) -> Value {
    json!({"location": "westeurope", "nodePools": pools})
}

fn made(spec: &Value) -> BTreeMap<String, Value> {
    let observed = BTreeMap::from([("cluster".to_owned(), json!({}))]);
    checks::objects(checks::answer(&KIND, spec, &observed))
}

#[test]
fn totals() {
    #[track_caller]
    fn check(pools: &[Value], first: usize, want: usize) {
        assert_eq!(checks::answer(&KIND, &spec(pools), &BTreeMap::new()).resources.len(), first);
        assert_eq!(made(&spec(pools)).len(), want);
    }
    // The StorageClass and the network operator wait for the control plane.
    check(&[pool("a")], 7, 8);
    check(&[pool("a"), pool("b")], 8, 9);
    check(&[infiniband("a"), infiniband("b")], 8, 10);
    check(&[pool("system")], 7, 8);
}

#[test]
fn rows_are_documented() {
    checks::rows(&KIND, ROWS, &tables(), &made(&spec(&[infiniband("a")])));
}

#[test]
fn what_is_observed_stays() {
    let spec = spec(&[infiniband("a"), pool("b")]);
    checks::what_is_observed_stays(&KIND, &spec, &made(&spec));
}

#[test]
fn every_value() {
    let same = json!({"matchControllerRef": true});
    let kubeconfig = "test-cluster-kubeconfig-55b57";
    let name = "modelplane-system-test-cluster-aks-1173e";
    let system =
        json!({"name": "cpu", "role": "System", "vmSize": "Standard_D8s_v5", "gpu": {"acceleratorType": "odd"}});
    let mut wanted = spec(&[infiniband("h100"), system]);
    wanted["credentials"] = json!({"type": "ProviderConfig", "name": "azure"});
    let made = made(&wanted);
    for (key, object) in
        made.iter().filter(|(_, it)| it["apiVersion"].as_str().is_some_and(|it| it.contains("azure.m.")))
    {
        assert_eq!(object["spec"]["providerConfigRef"], json!({"kind": "ProviderConfig", "name": "azure"}), "{key}");
    }
    #[rustfmt::skip]
    checks::values(&made, &[
        ("resource-group", "metadata", json!({"name": name})),
        ("resource-group", "spec.forProvider", json!({"location": "westeurope"})),
        ("virtual-network", "metadata", json!(null)),
        ("virtual-network", "spec.forProvider", json!({"location": "westeurope", "addressSpace": ["10.0.0.0/16"], "resourceGroupNameSelector": same})),
        ("subnet", "spec.forProvider", json!({"addressPrefixes": ["10.0.0.0/20"], "resourceGroupNameSelector": same, "virtualNetworkNameSelector": same})),
        ("cluster", "metadata", json!({"name": name})),
        ("cluster", "spec.writeConnectionSecretToRef", json!({"name": kubeconfig})),
        ("cluster", "spec.forProvider", json!({
            "location": "westeurope", "kubernetesVersion": "1.34", "dnsPrefix": name, "nodeResourceGroup": format!("{name}-nodes"),
            "resourceGroupNameSelector": same, "identity": {"type": "SystemAssigned"},
            "defaultNodePool": {
                "name": "system", "vmSize": "Standard_D4s_v5", "autoScalingEnabled": true, "minCount": 1, "maxCount": 2, "osDiskSizeGb": 100,
                "temporaryNameForRotation": "systemtmp", "nodeLabels": {"modelplane.ai/pool": "system"}, "vnetSubnetIdSelector": same,
            },
            "networkProfile": {
                "networkPlugin": "azure", "networkPluginMode": "overlay", "podCidr": "10.244.0.0/16", "serviceCidr": "10.96.0.0/16",
                "dnsServiceIp": "10.96.0.10",
            },
        })),
        ("nodepool-h100", "metadata", json!({"annotations": {"crossplane.io/external-name": "h100"}})),
        ("nodepool-h100", "spec.managementPolicies", json!(["Observe", "Create", "Update", "Delete"])),
        ("nodepool-h100", "spec.initProvider", json!({"nodeCount": 2})),
        ("nodepool-h100", "spec.forProvider", json!({
            "kubernetesClusterIdSelector": same, "vnetSubnetIdSelector": same, "mode": "User", "vmSize": "Standard_ND96isr_H100_v5",
            "osDiskSizeGb": 200, "orchestratorVersion": "1.34", "autoScalingEnabled": true, "minCount": 1, "maxCount": 4, "zones": ["1"],
            "nodeLabels": {"modelplane.ai/pool": "h100", "modelplane.ai/gpu": "nvidia-h100"}, "gpuDriver": "Install",
            "nodeTaints": ["nvidia.com/gpu=true:NoSchedule"],
        })),
        ("nodepool-cpu", "spec.forProvider.nodeLabels", json!({"modelplane.ai/pool": "cpu"})),
        ("nodepool-cpu", "spec.forProvider.gpuDriver", json!(null)),
        ("nodepool-cpu", "spec.forProvider.nodeTaints", json!(null)),
        ("nodepool-cpu", "spec.forProvider.zones", json!(null)),
        ("release-network-operator", "metadata", json!({"namespace": "modelplane-system"})),
        ("release-network-operator", "spec", json!({
            "providerConfigRef": {"kind": "ProviderConfig", "name": kubeconfig}, "managementPolicies": ["Observe", "Create", "Update"],
            "forProvider": {
                "chart": {"name": "network-operator", "repository": "https://helm.ngc.nvidia.com/nvidia", "version": "26.4.0"},
                "namespace": "network-operator",
                "values": {
                    "deployCR": true, "ofedDriver": {"deploy": true}, "rdmaSharedDevicePlugin": {"deploy": true},
                    "daemonsets": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]},
                },
            },
        })),
        ("provider-config-kubernetes", "spec.identity", json!(null)),
        ("provider-config-helm", "spec.credentials", json!({"source": "Secret", "secretRef": {"namespace": "modelplane-system", "name": kubeconfig, "key": "kubeconfig"}})),
        ("storage-class-rwx-fs", "spec.managementPolicies", json!(["Observe", "Create", "Update"])),
        ("storage-class-rwx-fs", "spec.readiness", json!({"policy": "SuccessfulCreate"})),
        ("storage-class-rwx-fs", "spec.forProvider.manifest", json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "modelplane-rwx-fs"}, "provisioner": "file.csi.azure.com",
            "parameters": {"skuName": "Premium_LRS"},
            "mountOptions": ["dir_mode=0777", "file_mode=0777", "uid=0", "gid=0", "mfsymlinks", "cache=strict", "actimeo=30", "nosharesock"],
            "reclaimPolicy": "Delete", "allowVolumeExpansion": true, "volumeBindingMode": "WaitForFirstConsumer",
        })),
    ]);
}

#[test]
fn the_status() {
    let status = checks::answer(&KIND, &spec(&[pool("a")]), &BTreeMap::new()).composite.status;
    let secret = json!({"type": "Kubeconfig", "name": "test-cluster-kubeconfig-55b57", "key": "kubeconfig"});
    assert_eq!(status, Some(json!({"secrets": [secret], "cache": {"storageClassName": "modelplane-rwx-fs"}})));
}

#[test]
fn admission() {
    let create = |name: &str, spec: &Value| Operation::Create(checks::composite(&KIND, name, spec));
    let check = |name: &str, spec: Value, denials: &[&str], warnings: &[&str]| {
        checks::admitted(&KIND, create(name, &spec), denials, warnings)
    };
    let with = |at: &str, value: Value| {
        let mut spec = spec(&[infiniband("a")]);
        toolbox::path::set(&mut spec, at, value);
        spec
    };
    check("a", spec(&[infiniband("a")]), &[], &[]);
    check(&"a".repeat(26), spec(&[pool("a")]), &[], &[]);
    check(&"a".repeat(27), spec(&[pool("a")]), &["metadata.name"], &[]);
    check("a", spec(&[pool("system")]), &["spec.nodePools[0].name"], &[]);
    check("a", with("nodePools[0].minNodeCount", json!(5)), &["spec.nodePools[0].minNodeCount"], &[]);
    check("a", with("nodePools[0].minNodeCount", json!(0)), &[], &["spec.nodePools[0].minNodeCount"]);
    check("a", with("nodePools[0].vmSize", json!("Standard_NV36ads_A10_v5")), &[], &["spec.nodePools[0].fabric"]);
    check("a", with("networking.subnetCidr", json!("10.1.0.0/20")), &["spec.networking.subnetCidr"], &[]);
    check("a", with("networking.subnetCidr", json!("odd")), &["spec.networking.subnetCidr"], &[]);
    let network = |whole: &str, subnet: &str| with("networking", json!({"vnetCidr": whole, "subnetCidr": subnet}));
    check("a", network("10.96.0.0/12", "10.97.0.0/20"), &["spec.networking.vnetCidr"], &[]);
    check("a", network("10.244.8.0/21", "10.244.8.0/24"), &["spec.networking.vnetCidr"], &[]);
    check("a", network("10.0.0.0/33", "10.0.0.0/24"), &["spec.networking.vnetCidr"], &[]);
    check("a", network("172.16.0.0/16", "172.16.0.0/20"), &[], &[]);
    let elsewhere = checks::composite(&KIND, "a", &with("location", json!("elsewhere1")));
    let here = checks::composite(&KIND, "a", &with("location", json!("here1")));
    let moved = Operation::Update { old: here, new: elsewhere };
    checks::admitted(&KIND, moved, &[], &["spec.location"]);
    checks::credentials(&KIND, &spec(&[pool("a")]));
}
