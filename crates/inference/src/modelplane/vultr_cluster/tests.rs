//! What a cluster becomes, beyond the golden cases: totals, and each value of each table.

use std::collections::BTreeMap;

use contract::admit::Operation;
use serde_json::{Value, json};

use super::KIND;
use super::derive::{ROWS, tables};
use crate::modelplane::platform::checks;

fn pool(name: &str) -> Value {
    json!({
        "name": name, "role": "GPU", "plan": "vcg-l40s-16c-180g-48vram", "nodeCount": 2,
        "gpu": {"acceleratorType": "nvidia-l40s"},
    })
}

fn spec(pools: &[Value]) -> Value {
    json!({"region": "ewr", "nodePools": pools})
}

fn cluster(ready: &str) -> Value {
    json!({"status": {"conditions": [{"type": "Ready", "status": ready}]}})
}

fn made(spec: &Value) -> BTreeMap<String, Value> {
    let observed = BTreeMap::from([("cluster".to_owned(), cluster("True"))]);
    checks::objects(checks::answer(&KIND, spec, &observed))
}

#[test]
fn totals() {
    for count in 1..=8 {
        let pools: Vec<_> = (0..count).map(|index| pool(&format!("p{index}"))).collect();
        assert_eq!(checks::answer(&KIND, &spec(&pools), &BTreeMap::new()).resources.len(), 1);
        assert_eq!(made(&spec(&pools)).len(), 3 + count);
    }
    assert_eq!(made(&spec(&[pool("system")])).len(), 4);
}

#[test]
fn what_waits_for_the_cluster() {
    #[track_caller]
    fn check(ready: &str, others: &[&str], want: &[&str]) {
        let spec = spec(&[pool("a"), pool("b")]);
        let all = made(&spec);
        let mut observed: BTreeMap<_, _> =
            others.iter().filter_map(|key| Some(((*key).to_owned(), all.get(*key)?.clone()))).collect();
        observed.extend(others.iter().filter(|key| !all.contains_key(**key)).map(|key| ((*key).to_owned(), json!({}))));
        observed.insert("cluster".to_owned(), cluster(ready));
        let desired = checks::answer(&KIND, &spec, &observed).resources;
        assert_eq!(desired.keys().map(String::as_str).collect::<Vec<_>>(), want);
    }
    let all = ["cluster", "gpu-observer", "node-pool-a", "node-pool-b", "provider-config-kubernetes"];
    check("False", &[], &["cluster"]);
    check("True", &[], &all);
    check("False", &["provider-config-kubernetes"], &all);
    check("Unknown", &["node-pool-a"], &all);
    // A pool that is no longer asked for goes, and the others stay.
    check("False", &["node-pool-gone"], &all);
    check("False", &["gpu-observer"], &["cluster", "gpu-observer"]);
}

#[test]
fn rows_are_documented() {
    checks::rows(&KIND, ROWS, &tables(), &made(&spec(&[pool("a")])));
}

#[test]
fn what_is_observed_stays() {
    let spec = spec(&[pool("a"), pool("b")]);
    checks::what_is_observed_stays(&KIND, &spec, &made(&spec));
}

#[test]
fn every_value() {
    let same = json!({"matchControllerRef": true});
    let kubeconfig = "test-cluster-kubeconfig-55b57";
    let label = |key: &str, value: &str| json!({"key": key, "value": value});
    let grown = |name: &str, least: Value, most: u32| {
        let mut pool = pool(name);
        pool["minNodeCount"] = least;
        pool["maxNodeCount"] = json!(most);
        pool
    };
    let system = json!({"name": "cpu", "role": "System", "plan": "vc2-4c-8gb", "gpu": {"acceleratorType": "odd"}});
    let bare = json!({"name": "bare", "role": "GPU", "plan": "vcg-a16"});
    let mut wanted = spec(&[pool("l40s"), system, bare, grown("more", json!(null), 4), grown("less", json!(1), 4)]);
    wanted["credentials"] = json!({"type": "ProviderConfig", "name": "vultr"});
    let made = made(&wanted);
    for key in ["cluster", "node-pool-l40s"] {
        assert_eq!(made[key]["spec"]["providerConfigRef"], json!({"kind": "ProviderConfig", "name": "vultr"}), "{key}");
    }
    let taint = json!([{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}]);
    #[rustfmt::skip]
    checks::values(&made, &[
        ("cluster", "metadata", json!(null)),
        ("cluster", "spec.writeConnectionSecretToRef", json!({"name": kubeconfig})),
        ("cluster", "spec.forProvider", json!({
            "label": "test-cluster", "region": "ewr", "version": "v1.36.1+3", "haControlplanes": true,
            "nodePools": {
                "label": "system", "plan": "vc2-6c-16gb", "nodeQuantity": 1, "autoScaler": true, "minNodes": 1, "maxNodes": 2,
                "labels": [label("modelplane.ai/pool", "system")],
            },
        })),
        ("node-pool-l40s", "metadata", json!(null)),
        ("node-pool-l40s", "spec.forProvider", json!({
            "label": "l40s", "plan": "vcg-l40s-16c-180g-48vram", "nodeQuantity": 2, "clusterIdSelector": same, "taints": taint,
            "labels": [label("modelplane.ai/pool", "l40s"), label("modelplane.ai/gpu", "nvidia-l40s")],
        })),
        ("node-pool-cpu", "spec.forProvider.labels", json!([label("modelplane.ai/pool", "cpu")])),
        ("node-pool-cpu", "spec.forProvider.taints", json!(null)),
        ("node-pool-bare", "spec.forProvider.labels", json!([label("modelplane.ai/pool", "bare")])),
        ("node-pool-bare", "spec.forProvider.taints", taint.clone()),
        ("node-pool-more", "spec.forProvider.autoScaler", json!(true)),
        ("node-pool-more", "spec.forProvider.minNodes", json!(2)),
        ("node-pool-more", "spec.forProvider.maxNodes", json!(4)),
        ("node-pool-more", "spec.forProvider.nodeQuantity", json!(2)),
        ("node-pool-less", "spec.forProvider.minNodes", json!(1)),
        ("provider-config-kubernetes", "metadata", json!({"name": kubeconfig, "namespace": "modelplane-system"})),
        ("provider-config-kubernetes", "spec", json!({"credentials": {"source": "Secret", "secretRef": {"namespace": "modelplane-system", "name": kubeconfig, "key": "kubeconfig"}}})),
        ("gpu-observer", "metadata", json!({"namespace": "modelplane-system"})),
        ("gpu-observer", "spec", json!({
            "providerConfigRef": {"kind": "ProviderConfig", "name": kubeconfig}, "managementPolicies": ["Observe"],
            "readiness": {
                "policy": "DeriveFromCelQuery",
                "celQuery": "has(object.status.numberReady) && object.status.desiredNumberScheduled >= 1 && object.status.numberReady == object.status.desiredNumberScheduled",
            },
            "forProvider": {"manifest": {
                "apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "nvidia-operator-validator", "namespace": "gpu-operator"},
            }},
        })),
    ]);
}

#[test]
fn the_status() {
    let status = checks::answer(&KIND, &spec(&[pool("a")]), &BTreeMap::new()).composite.status;
    let secret = json!({"type": "Kubeconfig", "name": "test-cluster-kubeconfig-55b57", "key": "kubeconfig"});
    assert_eq!(status, Some(json!({"secrets": [secret]})));
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
    let here = checks::composite(&KIND, "a", &spec(&[pool("a")]));
    let elsewhere = checks::composite(&KIND, "a", &with("region", json!("fra")));
    checks::admitted(&KIND, Operation::Update { old: here, new: elsewhere }, &[], &["spec.region"]);
    checks::credentials(&KIND, &spec(&[pool("a")]));
}
