//! What a cluster becomes, beyond the golden cases: totals, and each value of each table.

use std::collections::BTreeMap;

use contract::admit::Operation;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::ObservedObject;
use serde_json::{Value, json};

use super::KIND;
use super::derive::{ROWS, tables};
use crate::modelplane::platform::checks;

fn pool(name: &str) -> Value {
    json!({
        "name": name, "role": "GPU", "platform": "gpu-h100-sxm", "preset": "8gpu-128vcpu-1600gb", "diskSizeGb": 200,
        "nodeCount": 2, "gpu": {"acceleratorType": "nvidia-h100"},
    })
}

fn infiniband(name: &str, fabric: &str) -> Value {
    let mut pool = pool(name);
    pool["fabric"] = json!({"type": "InfiniBand", "infiniband": {"fabric": fabric}});
    pool
}

fn spec(pools: &[Value]) -> Value {
    json!({"nodePools": pools})
}

/// A provider configuration whose credentials are in a Secret.
fn config() -> Value {
    let reference = json!({"namespace": "crossplane-system", "name": "nebius-credentials", "key": "credentials.json"});
    json!({"metadata": {"name": "default"}, "spec": {"credentials": {"source": "Secret", "secretRef": reference}}})
}

/// The answer with these observed resources, and provider configurations: `None` when nobody has looked yet.
fn answer(spec: &Value, observed: &BTreeMap<String, Value>, configs: Option<Vec<Value>>) -> ComposeResponse {
    let object = |(key, object): (&String, &Value)| (key.clone(), ObservedObject::from(object.clone()));
    let configs =
        configs.map(|found| ("nebius-provider-config".to_owned(), found.into_iter().map(Into::into).collect()));
    let request = ComposeRequest {
        composite: Some(checks::composite(&KIND, "test-cluster", spec).into()),
        observed: observed.iter().map(object).collect(),
        lookups: configs.into_iter().collect(),
        ..ComposeRequest::default()
    };
    crate::KINDS.compose(&request).expect("it can be composed")
}

fn made(spec: &Value) -> BTreeMap<String, Value> {
    let observed = BTreeMap::from([("cluster".to_owned(), json!({}))]);
    checks::objects(answer(spec, &observed, Some(vec![config()])))
}

#[test]
fn totals() {
    #[track_caller]
    fn check(pools: &[Value], without: usize, first: usize, want: usize) {
        // Without the credentials there is nothing on the cluster, and nothing that leads to it.
        assert_eq!(answer(&spec(pools), &BTreeMap::new(), None).resources.len(), without);
        assert_eq!(answer(&spec(pools), &BTreeMap::new(), Some(vec![config()])).resources.len(), first);
        assert_eq!(made(&spec(pools)).len(), want);
    }
    check(&[pool("a")], 7, 9, 11);
    check(&[pool("a"), infiniband("b", "fabric-2")], 9, 11, 13);
    check(&[infiniband("a", "fabric-2"), infiniband("b", "fabric-2")], 9, 11, 13);
    check(&[infiniband("a", "fabric-2"), infiniband("b", "fabric-7")], 10, 12, 14);
    check(&[pool("system")], 6, 8, 10);
}

#[test]
fn rows_are_documented() {
    checks::rows(&KIND, ROWS, &tables(), &made(&spec(&[infiniband("a", "fabric-2")])));
}

#[test]
fn what_is_observed_stays() {
    let spec = spec(&[infiniband("a", "fabric-2"), pool("b")]);
    checks::what_is_observed_stays(&KIND, &spec, &made(&spec));
}

#[test]
fn what_leads_to_the_cluster_keeps_its_identity() {
    #[track_caller]
    fn check(observed: &[&str], config: Option<Vec<Value>>, identity: Option<&str>, event: Option<&str>) {
        let spec = spec(&[pool("a")]);
        let all = made(&spec);
        let observed = observed.iter().map(|key| ((*key).to_owned(), all[*key].clone())).collect();
        let response = answer(&spec, &observed, config);
        let said: Vec<_> = response.results.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(said, event.as_slice());
        let status = response.composite.status.clone().expect("a status");
        assert_eq!(status["secrets"][1]["name"].as_str(), identity);
        let made = checks::objects(response);
        let named = |key: &str| made.get(key).and_then(|it| it["spec"]["identity"]["secretRef"]["name"].as_str());
        assert_eq!((named("provider-config-kubernetes"), named("provider-config-helm")), (identity, identity));
    }
    let credentials = Some("nebius-credentials");
    let with = |source: &str, namespace: Value| {
        let mut config = config();
        config["spec"]["credentials"]["source"] = json!(source);
        config["spec"]["credentials"]["secretRef"]["namespace"] = namespace;
        Some(vec![config])
    };
    let both = ["provider-config-kubernetes", "provider-config-helm"];
    let waits = Some("Waiting for Nebius ClusterProviderConfig default");
    let kept = Some(
        "Nebius ClusterProviderConfig default not found; keeping the credentials the composed ProviderConfig already carries",
    );
    let no_secret = Some(
        "Nebius ClusterProviderConfig default doesn't source credentials from a Secret; consumers can't authenticate to the cluster without one",
    );
    let nowhere = Some("Nebius ClusterProviderConfig default has no namespace; cannot locate credentials Secret");
    check(&[], Some(vec![config()]), credentials, None);
    check(&[], None, None, waits);
    check(&[], Some(Vec::new()), None, waits);
    check(&[], with("Environment", json!("a")), None, no_secret);
    check(&[], with("Secret", json!(null)), None, nowhere);
    check(&[], Some(vec![json!({"kind": "Pod"})]), None, no_secret);
    check(&both, Some(vec![config()]), credentials, None);
    check(&both, None, credentials, kept);
    check(&both, Some(Vec::new()), credentials, kept);
    check(&both, with("Environment", json!("a")), credentials, no_secret);
    check(&both, with("Secret", json!(null)), credentials, nowhere);
}

#[test]
fn every_value() {
    let same = json!({"matchControllerRef": true});
    let kubeconfig = "test-cluster-kubeconfig-55b57";
    let reference = json!({"namespace": "crossplane-system", "name": "nebius-credentials", "key": "credentials.json"});
    let on_fabric = json!({"matchControllerRef": true, "matchLabels": {"modelplane.ai/fabric": "fabric-2"}});
    let file_systems = json!([{"attachMode": "READ_WRITE", "mountTag": "modelplane-cache", "existingFilesystem": {"idSelector": same}}]);
    let system = json!({"name": "cpu", "role": "System", "platform": "cpu-d3", "preset": "8vcpu-32gb", "gpu": {"acceleratorType": "odd"}});
    let grown = |name: &str, least: Value, most: u32| {
        let mut pool = pool(name);
        pool["minNodeCount"] = least;
        pool["maxNodeCount"] = json!(most);
        pool
    };
    let pools = [infiniband("h100", "fabric-2"), system, grown("more", json!(null), 4), grown("less", json!(0), 4)];
    let made = made(&spec(&pools));
    for (key, object) in made.iter().filter(|(_, it)| it["apiVersion"].as_str().is_some_and(|it| it.contains("nebius")))
    {
        assert_eq!(
            object["spec"]["providerConfigRef"],
            json!({"kind": "ClusterProviderConfig", "name": "default"}),
            "{key}"
        );
    }
    let init = json!({"name": "test-cluster-cloud-init-fd2f2", "key": "userData"});
    #[rustfmt::skip]
    checks::values(&made, &[
        ("network", "metadata", json!(null)),
        ("network", "spec.forProvider", json!({"name": "test-cluster"})),
        ("subnet", "spec.forProvider", json!({"name": "test-cluster", "networkIdSelector": same, "ipv4PrivatePools": {"useNetworkPools": true}})),
        ("cluster", "spec.writeConnectionSecretToRef", json!({"name": kubeconfig})),
        ("cluster", "spec.forProvider", json!({"name": "test-cluster", "controlPlane": {"version": "1.34", "subnetIdSelector": same, "endpoints": {"publicEndpoint": {}}}})),
        ("filesystem", "spec.forProvider", json!({"name": "test-cluster-cache", "type": "NETWORK_SSD", "sizeGibibytes": 1024})),
        ("cloud-init", "metadata", json!({"name": "test-cluster-cloud-init-fd2f2", "namespace": "modelplane-system"})),
        ("cloud-init", "type", json!("Opaque")),
        ("cloud-init", "stringData", json!({"userData": "#cloud-config\nruncmd:\n  - mkdir -p /mnt/data\n  - mount -t virtiofs modelplane-cache /mnt/data\n  - printf \"modelplane-cache /mnt/data virtiofs defaults,nofail 0 2\\n\" >> /etc/fstab\n"})),
        ("gpu-cluster-fabric-2", "metadata", json!({"labels": {"modelplane.ai/fabric": "fabric-2"}})),
        ("gpu-cluster-fabric-2", "spec.forProvider", json!({"name": "test-cluster-fabric-2", "infinibandFabric": "fabric-2"})),
        ("nodegroup-system", "spec.forProvider", json!({
            "name": "test-cluster-system", "parentIdSelector": same, "version": "1.34", "autoscaling": {"minNodeCount": 1, "maxNodeCount": 2},
            "template": {
                "resources": {"platform": "cpu-d3", "preset": "4vcpu-16gb"}, "bootDisk": {"sizeGibibytes": 100, "type": "NETWORK_SSD"},
                "networkInterfaces": [{"subnetIdSelector": same}], "filesystems": file_systems, "cloudInitUserDataSecretRef": init,
                "metadata": {"labels": {"modelplane.ai/pool": "system"}},
            },
        })),
        ("nodegroup-h100", "metadata", json!(null)),
        ("nodegroup-h100", "spec.forProvider", json!({
            "name": "test-cluster-h100", "parentIdSelector": same, "version": "1.34", "fixedNodeCount": 2,
            "template": {
                "resources": {"platform": "gpu-h100-sxm", "preset": "8gpu-128vcpu-1600gb"}, "bootDisk": {"sizeGibibytes": 200, "type": "NETWORK_SSD"},
                "networkInterfaces": [{"subnetIdSelector": same}], "filesystems": file_systems, "cloudInitUserDataSecretRef": init,
                "metadata": {"labels": {"modelplane.ai/pool": "h100", "modelplane.ai/gpu": "nvidia-h100"}},
                "gpuSettings": {"driversPreset": "cuda13.0"},
                "taints": [{"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}],
                "gpuCluster": {"idSelector": on_fabric},
            },
        })),
        ("nodegroup-cpu", "spec.forProvider.template.metadata.labels", json!({"modelplane.ai/pool": "cpu"})),
        ("nodegroup-cpu", "spec.forProvider.template.taints", json!(null)),
        ("nodegroup-cpu", "spec.forProvider.template.gpuSettings", json!(null)),
        ("nodegroup-cpu", "spec.forProvider.template.gpuCluster", json!(null)),
        ("nodegroup-cpu", "spec.forProvider.fixedNodeCount", json!(1)),
        ("nodegroup-more", "spec.forProvider.autoscaling", json!({"minNodeCount": 2, "maxNodeCount": 4})),
        ("nodegroup-more", "spec.forProvider.fixedNodeCount", json!(null)),
        ("nodegroup-less", "spec.forProvider.autoscaling", json!({"minNodeCount": 0, "maxNodeCount": 4})),
        ("provider-config-kubernetes", "metadata", json!({"name": kubeconfig})),
        ("provider-config-kubernetes", "spec.credentials", json!({"source": "Secret", "secretRef": {"namespace": "modelplane-system", "name": kubeconfig, "key": "kubeconfig"}})),
        ("provider-config-kubernetes", "spec.identity", json!({"type": "NebiusServiceAccountCredentials", "source": "Secret", "secretRef": reference})),
        ("provider-config-helm", "spec.identity.secretRef", reference.clone()),
        ("release-csi-mounted-fs-path", "metadata", json!({"namespace": "modelplane-system"})),
        ("release-csi-mounted-fs-path", "spec", json!({
            "providerConfigRef": {"kind": "ProviderConfig", "name": kubeconfig}, "managementPolicies": ["Observe", "Create", "Update"],
            "forProvider": {
                "chart": {"name": "csi-mounted-fs-path", "repository": "oci://cr.eu-north1.nebius.cloud/mk8s/helm", "version": "0.1.6"},
                "namespace": "kube-system",
                "values": {
                    "dataDir": "/mnt/data/csi-mounted-fs-path-data/",
                    "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
                },
            },
        })),
        ("storage-class-rwx-fs", "spec.managementPolicies", json!(["Observe", "Create", "Update"])),
        ("storage-class-rwx-fs", "spec.readiness", json!({"policy": "SuccessfulCreate"})),
        ("storage-class-rwx-fs", "spec.forProvider.manifest", json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "modelplane-rwx-fs"},
            "provisioner": "mounted-fs-path.csi.nebius.ai", "volumeBindingMode": "WaitForFirstConsumer",
        })),
    ]);
}

#[test]
fn the_status() {
    let secrets = |spec: &Value, config: Value| {
        let status = answer(spec, &BTreeMap::new(), Some(vec![config])).composite.status.expect("a status");
        assert_eq!(status["cache"], json!({"storageClassName": "modelplane-rwx-fs"}));
        status["secrets"].clone()
    };
    let kubeconfig = json!({"type": "Kubeconfig", "name": "test-cluster-kubeconfig-55b57", "key": "kubeconfig"});
    let identity = json!({
        "type": "NebiusServiceAccountCredentials", "name": "nebius-credentials", "key": "credentials.json",
    });
    let mut elsewhere = identity.clone();
    elsewhere["namespace"] = json!("crossplane-system");
    let mut wanted = spec(&[pool("a")]);
    assert_eq!(secrets(&wanted, config()), json!([kubeconfig, elsewhere]));
    // That of a ProviderConfig is in the namespace of the composite.
    wanted["credentials"] = json!({"type": "ProviderConfig"});
    let mut own = config();
    own["metadata"]["namespace"] = json!("modelplane-system");
    assert_eq!(secrets(&wanted, own), json!([kubeconfig, identity]));
}

#[test]
fn admission() {
    let create = |name: &str, spec: &Value| Operation::Create(checks::composite(&KIND, name, spec));
    let check = |name: &str, spec: Value, denials: &[&str], warnings: &[&str]| {
        checks::admitted(&KIND, create(name, &spec), denials, warnings)
    };
    let with = |at: &str, value: Value| {
        let mut spec = spec(&[pool("a")]);
        toolbox::path::set(&mut spec, at, value);
        spec
    };
    check("a", spec(&[pool("a")]), &[], &[]);
    check(&"a".repeat(64), spec(&[pool("a")]), &["metadata.name"], &[]);
    check("a", spec(&[pool("system")]), &["spec.nodePools[0].name"], &[]);
    check("a", with("nodePools[0].maxNodeCount", json!(1)), &["spec.nodePools[0].nodeCount"], &[]);
    check("a", with("nodePools[0].maxNodeCount", json!(2)), &[], &[]);
    let mut spec_of_more = with("nodePools[0].maxNodeCount", json!(4));
    spec_of_more["nodePools"][0]["minNodeCount"] = json!(5);
    check("a", spec_of_more.clone(), &["spec.nodePools[0].minNodeCount"], &[]);
    spec_of_more["nodePools"][0]["minNodeCount"] = json!(3);
    check("a", spec_of_more, &[], &["spec.nodePools[0].nodeCount"]);
    checks::credentials(&KIND, &spec(&[pool("a")]));
}
