//! The gateway of the control plane.

use serde_json::json;

use super::{Given, Want, check, desired, with};

const DEFINITIONS: &[&str] = &[
    "gateway-api-crd-backendtlspolicies.gateway.networking.k8s.io",
    "gateway-api-crd-gatewayclasses.gateway.networking.k8s.io",
    "gateway-api-crd-gateways.gateway.networking.k8s.io",
    "gateway-api-crd-grpcroutes.gateway.networking.k8s.io",
    "gateway-api-crd-httproutes.gateway.networking.k8s.io",
    "gateway-api-crd-listenersets.gateway.networking.k8s.io",
    "gateway-api-crd-referencegrants.gateway.networking.k8s.io",
    "gateway-api-crd-tlsroutes.gateway.networking.k8s.io",
];
const METALLB: &[&str] = &["metallb", "metallb-l2", "metallb-pool", "namespace-metallb", "usage-pc-by-metallb"];
const TRAEFIK: &[&str] =
    &["traefik", "usage-gateway-by-traefik", "usage-gateway-class-by-traefik", "usage-pc-by-traefik"];
const GATEWAY: &[&str] = &["gateway", "gateway-class"];
const CONFIG: &[&str] = &["provider-config-helm"];

#[test]
fn rows_of_the_gateway() {
    let spec = json!({"backend": "Traefik", "traefik": {"version": "40.2.0"}});
    let plain = Given::new("InferenceGateway", spec.clone());
    let mut spec = spec;
    spec["traefik"]["loadBalancer"] = "MetalLB".into();
    spec["traefik"]["metallb"] = json!({"addressPool": "10.0.0.0/24"});
    let metallb = Given::new("InferenceGateway", spec);
    let installs = ["ControllerReady false Installing"];
    let empty = json!({});
    let first = Want { keys: &[CONFIG, DEFINITIONS], ready: CONFIG, status: empty.clone(), says: &installs };
    let response = check("first pass", &plain, &first);
    assert_eq!(desired(&response, DEFINITIONS[0])["status"]["acceptedNames"], json!({"kind": "", "plural": ""}));
    let ready = ["namespace-metallb", "provider-config-helm"];
    let keys: &[&[&str]] = &[CONFIG, DEFINITIONS, &["namespace-metallb"]];
    check("with MetalLB", &metallb, &Want { keys, ready: &ready, status: empty.clone(), says: &installs });

    let definitions: Vec<_> = DEFINITIONS.iter().map(|key| (*key, with(&["Established"]))).collect();
    let sees = |given: &Given| given.sees(&definitions).sees(&[("provider-config-helm", json!({}))]);
    let mut ready = DEFINITIONS.to_vec();
    ready.extend(["provider-config-helm"]);
    ready.extend(&TRAEFIK[1..]);
    check(
        "definitions",
        &sees(&plain),
        &Want { keys: &[CONFIG, DEFINITIONS, TRAEFIK], ready: &ready, status: empty.clone(), says: &installs },
    );
    let runs = ["ControllerReady true ControllerHealthy", "Traefik ready, composing Gateway"];
    let given = sees(&plain).sees(&[("traefik", with(&["Ready"]))]);
    ready.insert(9, "traefik");
    check(
        "Traefik",
        &given,
        &Want { keys: &[CONFIG, DEFINITIONS, TRAEFIK, GATEWAY], ready: &ready, status: empty, says: &runs },
    );
    let given = sees(&metallb).sees(&[("traefik", with(&["Ready"])), ("metallb", with(&["Ready"]))]);
    let mut gateway = with(&["Accepted"]);
    gateway["status"]["addresses"] = json!([{"value": "10.0.0.42"}]);
    let keys: &[&[&str]] = &[CONFIG, DEFINITIONS, METALLB, TRAEFIK, GATEWAY];
    let mut ready = keys.concat();
    ready.sort_unstable();
    check(
        "everything",
        &given.sees(&[("gateway", gateway), ("gateway-class", with(&["Accepted"]))]),
        &Want { keys, ready: &ready, status: json!({"address": "10.0.0.42"}), says: &runs[..1] },
    );
    // Traefik stays when a definition is not established any more.
    let given = plain.sees(&[("traefik", json!({}))]);
    let ready: Vec<_> = CONFIG.iter().chain(&TRAEFIK[1..]).copied().collect();
    let keys: &[&[&str]] = &[CONFIG, DEFINITIONS, TRAEFIK];
    check("kept", &given, &Want { keys, ready: &ready, status: json!({}), says: &installs });
}
