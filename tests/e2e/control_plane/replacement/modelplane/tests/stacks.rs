//! What serves models on a cluster, in both steps.

use function_sdk_rust::proto::v1::Ready;
use serde_json::json;

use super::super::answer;
use super::{CONFIGS, Given, Want, check, desired, sorted, with};

const STACK_USAGES: &[&str] = &["usage-envoy-gw-by-gateway-class", "usage-gateway-class-by-gateway"];
/// The Releases and the Objects of a ServingStack.
const STACK: &[&str] = &[
    "ai-gateway",
    "ai-gateway-crds",
    "cert-manager",
    "dra-driver",
    "dra-driver-critical-pods-quota",
    "envoy-gateway",
    "gaie-crd-inferenceobjectives.inference.networking.x-k8s.io",
    "gaie-crd-inferencepools.inference.networking.k8s.io",
    "gaie-crd-inferencepools.inference.networking.x-k8s.io",
    "gateway",
    "gateway-class",
    "gateway-namespace",
    "gateway-proxy",
    "leader-worker-set",
    "node-feature-discovery",
    "prometheus",
];

#[test]
fn rows_of_stacks() {
    let secret = |kind: &str| json!({"type": kind, "name": "its", "key": "it"});
    let spec =
        json!({"secrets": [secret("Kubeconfig"), secret("GoogleApplicationCredentials")], "nvidiaDriverRoot": "/"});
    let given = Given::new("ServingStack", spec);
    let ready = [CONFIGS, STACK_USAGES].concat();
    let status = json!({});
    let keys: &[&[&str]] = &[CONFIGS, STACK_USAGES];
    check("first pass", &given, &Want { keys, ready: &ready, status: status.clone(), ..Want::default() });
    let given = given.sees(&[("provider-config-helm", json!({})), ("provider-config-kubernetes", json!({}))]);
    let keys: &[&[&str]] = &[CONFIGS, STACK_USAGES, STACK];
    let first = check("ProviderConfigs", &given, &Want { keys, ready: &ready, status, ..Want::default() });
    assert_eq!(STACK.len() + ready.len(), 20);
    let addresses = json!({"status": {"addresses": [{"value": "10.0.0.1"}]}});
    let gateway = json!({"status": {"atProvider": {"manifest": addresses}}});
    let status = json!({"gateway": {"address": "10.0.0.1"}});
    let second = check(
        "the gateway",
        &given.sees(&[("gateway", gateway), ("cert-manager", with(&["Ready"]))]),
        &Want { keys, ready: &[&["cert-manager"], ready.as_slice()].concat(), status, ..Want::default() },
    );
    let identity = &desired(&second, "provider-config-helm")["spec"]["identity"]["secretRef"];
    assert_eq!(*identity, json!({"name": "its", "key": "it", "namespace": "modelplane-system"}));
    let values = &desired(&second, "dra-driver")["spec"]["forProvider"]["values"];
    assert!(values["nvidiaDriverRoot"].is_null() && values["gpuResourcesEnabledOverride"] == true, "{values}");

    // The second step adds to what the first one desires.
    let mut request = given.request();
    request.desired.clone_from(&first.desired);
    let response = answer(request.clone()).expect("an answer");
    let resources = &response.desired.as_ref().expect("an answer").resources;
    let usages: Vec<String> = STACK.iter().map(|key| format!("usage-pc-{key}")).collect();
    let mut wanted: Vec<&str> = [CONFIGS, STACK_USAGES, STACK].concat();
    wanted.extend(usages.iter().map(String::as_str));
    wanted.sort_unstable();
    assert_eq!((sorted(resources, |_| true), resources.len()), (wanted, 36));
    let labels = json!({"modelplane.ai/resource": "gateway", "modelplane.ai/usage-consumer": "gateway"});
    assert_eq!(desired(&response, "gateway")["metadata"]["labels"], labels);
    let usage = desired(&response, "usage-pc-gateway");
    assert_eq!(usage["spec"]["of"]["resourceRef"]["name"], desired(&first, "provider-config-helm")["metadata"]["name"]);
    assert_eq!(usage["spec"]["by"]["apiVersion"], "kubernetes.m.crossplane.io/v1alpha1");
    assert_eq!(usage["metadata"], json!({"namespace": "modelplane-system"}));
    for (key, it) in resources {
        let before = first.desired.as_ref().and_then(|it| it.resources.get(key)).map(|it| it.ready);
        assert_eq!(it.ready, before.unwrap_or(Ready::True as i32), "{key}");
    }
    // It does so once.
    request.desired.clone_from(&response.desired);
    let again = answer(request).expect("an answer");
    assert_eq!((again.desired.expect("an answer").resources.len(), again.results.len()), (36, 16));
}
