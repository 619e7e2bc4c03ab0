//! What clusters become, against what dot-kubernetes makes of them, which is written down apart from our code.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use contract::compose::ComposeRequest;
use inference::gpu_cluster::options::ClusterOptions;
use native::dot_kubernetes::{LIVE, all_rows, composed, rows};
use native::files::workspace;
use native::golden::documents;
use serde_json::{Value, json};

/// What Sailplane composes of a cluster in its group, with the options of a package's Composition.
fn ours(package: &str, api_version: &str, provider: &str, parameters: &Value) -> BTreeMap<String, Value> {
    let end = if package == "gpu-cluster" { "" } else { ".devopstoolkit.ai" };
    let composition = workspace().join(format!("package/{package}/composition-cluster-{provider}{end}.yaml"));
    let composition = documents(&fs::read_to_string(composition).expect("a file")).expect("YAML").remove(0);
    let live = LIVE.iter().find(|live| live.provider == provider).expect("a cloud");
    let request = ComposeRequest {
        composite: Some(
            json!({
                "apiVersion": api_version,
                "kind": "Cluster",
                "metadata": {"name": live.name, "namespace": "clusters"},
                "spec": {"parameters": parameters},
            })
            .into(),
        ),
        input: Some(composition["spec"]["pipeline"][0]["input"].clone()),
        ..ComposeRequest::default()
    };
    let response = module::compose(&request).expect("it can be composed");
    response.resources.into_iter().map(|(key, desired)| (key, desired.object)).collect()
}

/// Every object of the live clusters, but for what docs/differences.md tells. dot-kubernetes leaves it to the definitions of managed
/// resources to say which credentials of the cloud they use.
#[test]
fn live_clusters() {
    let mut told = BTreeSet::new();
    for live in &LIVE {
        let mut theirs = composed(live.provider, "clusters", live.name).expect("files");
        for object in
            theirs.values_mut().filter(|it| it["apiVersion"].as_str().is_some_and(|it| it.contains("upbound")))
        {
            object["spec"]["providerConfigRef"] = json!({"kind": "ClusterProviderConfig", "name": "default"});
        }
        let ours = ours("gpu-cluster-devopstoolkit", "devopstoolkit.ai/v2", live.provider, &(live.parameters)());
        told.extend(rows(live, &theirs, &ours).unwrap_or_else(|wrong| panic!("{wrong}")));
    }
    assert_eq!(told, all_rows());
}

/// A release: the application, its name, what its chart is found by, the namespace, and the values.
type Release = (&'static str, &'static str, (&'static str, &'static str), &'static str, Option<fn() -> Value>);

/// The catalogue of releases. Versions are in the table of the code alone.
const RELEASES: &[Release] = &[
    ("crossplane", "crossplane", ("repository", "https://charts.crossplane.io/stable"), "crossplane-system", None),
    ("argocd", "argo-cd", ("repository", "https://argoproj.github.io/argo-helm"), "argocd", Some(argocd)),
    (
        "openfunction",
        "openfunction",
        ("url", "https://openfunction.github.io/charts/openfunction-v1.2.0-v0.7.0.tgz"),
        "openfunction",
        Some(|| json!({"revisionController": {"enable": true}})),
    ),
    ("dapr", "dapr", ("repository", "https://dapr.github.io/helm-charts/"), "dapr-system", None),
    ("traefik", "traefik", ("repository", "https://helm.traefik.io/traefik"), "traefik", None),
    (
        "externalSecrets",
        "external-secrets",
        ("repository", "https://charts.external-secrets.io"),
        "external-secrets",
        Some(|| json!({"installCRDs": true})),
    ),
    (
        "nvidia",
        "gpu-operator",
        ("repository", "https://helm.ngc.nvidia.com/nvidia"),
        "gpu-operator",
        Some(|| json!({"driver": {"enabled": false}})),
    ),
    (
        "envoyGateway",
        "gateway-helm",
        ("url", "oci://docker.io/envoyproxy/gateway-helm"),
        "envoy-gateway-system",
        Some(envoy_gateway),
    ),
    (
        "envoyGateway",
        "ai-gateway-crds-helm",
        ("url", "oci://docker.io/envoyproxy/ai-gateway-crds-helm"),
        "envoy-ai-gateway-system",
        None,
    ),
    (
        "envoyGateway",
        "ai-gateway-helm",
        ("url", "oci://docker.io/envoyproxy/ai-gateway-helm"),
        "envoy-ai-gateway-system",
        None,
    ),
    (
        "prometheus",
        "kube-prometheus-stack",
        ("repository", "https://prometheus-community.github.io/helm-charts"),
        "prometheus-system",
        None,
    ),
    ("keda", "keda", ("repository", "https://kedacore.github.io/charts"), "keda", None),
    ("keda", "keda-add-ons-http", ("repository", "https://kedacore.github.io/charts"), "keda", None),
];

fn argocd() -> Value {
    json!({
        "global": {"domain": "acme.com"},
        "configs": {
            "secret": {
                "argocdServerAdminPassword": "$2a$10$m3eTlEdRen0nS86c5Zph5u/bDFQMcWZYdG3NVdiyaACCqoxLJaz16",
                "argocdServerAdminPasswordMtime": "2021-11-08T15:04:05Z",
            },
            "cm": {"application.resourceTrackingMethod": "annotation", "timeout.reconciliation": "60s"},
            "params": {"server.insecure": true},
        },
        "server": {"extraArgs": ["--insecure"]},
    })
}

fn envoy_gateway() -> Value {
    let all = json!({"includeAll": true});
    let resource = json!({"group": "inference.networking.k8s.io", "kind": "InferencePool", "version": "v1"});
    json!({"config": {"envoyGateway": {
        "extensionApis": {"enableBackend": true},
        "extensionManager": {
            "hooks": {"xdsTranslator": {
                "translation": {"listener": all, "route": all, "cluster": all, "secret": all},
                "post": ["Translation", "Cluster", "Route"],
            }},
            "service": {"fqdn": {
                "hostname": "ai-gateway-controller.envoy-ai-gateway-system.svc.cluster.local", "port": 1063,
            }},
            "backendResources": [resource],
        },
    }}})
}

/// The clouds, with the kind of the control plane.
const CLOUDS: &[(&str, &str, &str)] = &[
    ("aws", "eks.aws.m.upbound.io/v1beta1", "Cluster"),
    ("azure", "containerservice.azure.m.upbound.io/v1beta1", "KubernetesCluster"),
    ("google", "container.gcp.m.upbound.io/v1beta1", "Cluster"),
];

/// A cluster of the group that dot-kubernetes was planned for, with an application.
fn with(provider: &str, app: &str) -> BTreeMap<String, Value> {
    let parameters = json!({"usage": {"enabled": true}, "apps": {app: {"enabled": true}}});
    ours("gpu-cluster", "devopstoolkitseries.com/v2", provider, &parameters)
}

/// The name of the cluster in a cloud.
fn name(provider: &str) -> &'static str {
    LIVE.iter().find(|live| live.provider == provider).expect("a cloud").name
}

/// The Usage of the control plane by an object.
fn usage(provider: &str, base: &str, by: &Value) -> Value {
    let (_, api, kind) = CLOUDS.iter().find(|it| it.0 == provider).expect("a cloud");
    let usage = format!("{base}-usage");
    json!({
        "apiVersion": "protection.crossplane.io/v1beta1",
        "kind": "Usage",
        "metadata": {"name": usage, "annotations": {"crossplane.io/external-name": usage}},
        "spec": {
            "of": {"apiVersion": api, "kind": kind, "resourceRef": {"name": name(provider)}},
            "by": {"apiVersion": by["apiVersion"], "kind": by["kind"], "resourceRef": {"name": by["metadata"]["name"]}},
            // The only difference.
            "replayDeletion": true,
        },
    })
}

/// Each release, and its Usage, in each cloud.
#[test]
fn releases() {
    for (provider, ..) in CLOUDS {
        for (app, release, (place, chart), namespace, values) in RELEASES {
            let objects = with(provider, app);
            let cluster = name(provider);
            let key = format!("{cluster}-app-{release}");
            let found = objects.get(&key).unwrap_or_else(|| panic!("{provider}: no {key}"));
            let mut provided = json!({
                "chart": {"name": release, *place: chart},
                "namespace": namespace,
            });
            let version = &found["spec"]["forProvider"]["chart"]["version"];
            assert_eq!(version.is_null(), *release == "openfunction", "{key}");
            if !version.is_null() {
                provided["chart"]["version"] = version.clone();
            }
            if let Some(values) = values {
                provided["values"] = values();
            }
            let expected = json!({
                "apiVersion": "helm.m.crossplane.io/v1beta1",
                "kind": "Release",
                "metadata": {"name": key, "annotations": {"crossplane.io/external-name": release}},
                "spec": {
                    "forProvider": provided,
                    "managementPolicies": ["Create", "Update", "Observe"],
                    "rollbackLimit": 3,
                    "providerConfigRef": {"kind": "ProviderConfig", "name": cluster},
                },
            });
            assert_eq!(*found, expected, "{provider}: {key}");
            let usage = usage(provider, &key, found);
            assert_eq!(objects[&format!("{key}-usage")], usage, "{provider}: {key}");
        }
    }
}

/// An Object: the applications that it needs, the end of its name, its external name, the manifest, and whether it is left behind.
type Wrapped = (&'static [&'static str], &'static str, &'static str, fn() -> Value, bool);

/// The Objects of gateways and monitors.
const OBJECTS: &[Wrapped] = &[
    (
        &["envoyGateway"],
        "envoy-gateway-class",
        "envoy-gateway-class",
        || {
            json!({
                "apiVersion": "gateway.networking.k8s.io/v1",
                "kind": "GatewayClass",
                "metadata": {"name": "eg"},
                "spec": {"controllerName": "gateway.envoyproxy.io/gatewayclass-controller"},
            })
        },
        false,
    ),
    (
        &["envoyGateway"],
        "envoy-gateway",
        "envoy-gateway",
        || {
            let listener = json!({"name": "http", "protocol": "HTTP", "port": 80, "allowedRoutes": {"namespaces": {"from": "All"}}});
            json!({
                "apiVersion": "gateway.networking.k8s.io/v1",
                "kind": "Gateway",
                "metadata": {"name": "eg", "namespace": "envoy-gateway-system"},
                "spec": {"gatewayClassName": "eg", "listeners": [listener]},
            })
        },
        false,
    ),
    (
        &["envoyGateway"],
        "inference-crd-inferencepools",
        "inferencepools.inference.networking.k8s.io",
        || permissive(("inference.networking.k8s.io", "v1"), ("InferencePool", "inferencepools"), &["infpool"]),
        true,
    ),
    (
        &["envoyGateway"],
        "inference-crd-inferenceobjectives",
        "inferenceobjectives.inference.networking.x-k8s.io",
        || {
            permissive(
                ("inference.networking.x-k8s.io", "v1alpha2"),
                ("InferenceObjective", "inferenceobjectives"),
                &[],
            )
        },
        true,
    ),
    (
        &["prometheus", "envoyGateway"],
        "envoy-gateway-pod-monitor",
        "envoy-gateway-pod-monitor",
        || {
            json!({
                "apiVersion": "monitoring.coreos.com/v1",
                "kind": "PodMonitor",
                "metadata": {
                    "name": "envoy-gateway-proxy",
                    "namespace": "envoy-gateway-system",
                    "labels": {"release": "kube-prometheus-stack"},
                },
                "spec": {
                    "selector": {"matchLabels": {"app.kubernetes.io/component": "proxy"}},
                    "podMetricsEndpoints": [{"port": "metrics", "path": "/stats/prometheus"}],
                },
            })
        },
        false,
    ),
];

/// Where the API of the inference extension was reviewed.
const APPROVED: &str = "https://github.com/kubernetes-sigs/gateway-api-inference-extension/pull/1173";

/// A definition of the inference extension that keeps every field.
fn permissive((group, version): (&str, &str), (kind, plural): (&str, &str), short: &[&str]) -> Value {
    let mut names =
        json!({"kind": kind, "listKind": format!("{kind}List"), "plural": plural, "singular": kind.to_lowercase()});
    if !short.is_empty() {
        names["shortNames"] = json!(short);
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": format!("{plural}.{group}"),
            "annotations": {
                "api-approved.kubernetes.io": APPROVED,
                "inference.networking.k8s.io/bundle-version": "v1.3.1",
            },
        },
        "spec": {
            "group": group,
            "names": names,
            "scope": "Namespaced",
            "versions": [{
                "name": version,
                "served": true,
                "storage": true,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
            }],
        },
    })
}

/// An Object for the new cluster.
fn wrapped(cluster: &str, key: &str, external: &str, manifest: &Value, left_behind: bool) -> Value {
    let mut object = json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "metadata": {"name": key, "annotations": {"crossplane.io/external-name": external}},
        "spec": {
            "forProvider": {"manifest": manifest},
            "providerConfigRef": {"kind": "ProviderConfig", "name": cluster},
        },
    });
    if left_behind {
        object["spec"]["managementPolicies"] = json!(["Create", "Update", "Observe"]);
    }
    object
}

/// Each Object of gateways and monitors, and its Usage, in each cloud.
#[test]
fn gateways_and_monitors() {
    for (provider, ..) in CLOUDS {
        for (apps, end, external, manifest, left_behind) in OBJECTS {
            let enabled: BTreeMap<_, _> = apps.iter().map(|app| (*app, json!({"enabled": true}))).collect();
            let parameters = json!({"usage": {"enabled": true}, "apps": enabled});
            let objects = ours("gpu-cluster", "devopstoolkitseries.com/v2", provider, &parameters);
            let key = format!("{}-app-{end}", name(provider));
            let expected = wrapped(name(provider), &key, external, &manifest(), *left_behind);
            assert_eq!(objects[&key], expected, "{provider}: {key}");
            assert_eq!(objects[&format!("{key}-usage")], usage(provider, &key, &expected), "{provider}: {key}");
        }
    }
}

/// The operator of models is fifteen Objects, which stay on the cluster, so they have no Usages.
#[test]
fn operator_of_models() {
    let file = workspace().join("tests/e2e/fixtures/dot-kubernetes/vllm.yaml");
    let text = fs::read_to_string(file).expect("a file");
    let text = text.replace("IMAGE", &ClusterOptions::default().vllm_operator_image);
    let manifests = documents(&text).expect("YAML").remove(0);
    let manifests = manifests.as_object().expect("manifests by their keys");
    assert_eq!(manifests.len(), 15);
    for (provider, ..) in CLOUDS {
        let objects = with(provider, "vllm");
        let prefix = format!("{}-app-vllm-op-", name(provider));
        assert_eq!(objects.keys().filter(|key| key.starts_with(&prefix)).count(), 15);
        for (end, manifest) in manifests {
            let (key, external) = (format!("{prefix}{end}"), manifest["metadata"]["name"].as_str().expect("a name"));
            assert_eq!(objects[&key], wrapped(name(provider), &key, external, manifest, true), "{provider}");
        }
    }
}

/// A size in each cloud: of general nodes, of nodes with GPUs by price, and by count. Of those with GPUs: the disk on AWS, and the
/// accelerators and the zone on Google Cloud.
#[test]
fn sizes() {
    #[track_caller]
    fn check(size: &str, provider: &str, general: &str, by_price: &Value, by_count: &Value) {
        let cluster = name(provider);
        let parameters = json!({"nodeSize": size, "gpu": {"enabled": true, "nodeSize": size}});
        let general_at = match provider {
            "aws" => ("eksnodegroup".to_owned(), "/instanceTypes/0"),
            "azure" => (format!("{cluster}-cluster"), "/defaultNodePool/vmSize"),
            _ => (format!("{cluster}-nodepool"), "/nodeConfig/machineType"),
        };
        for (package, api_version, gpu) in [
            ("gpu-cluster", "devopstoolkitseries.com/v2", by_price),
            ("gpu-cluster-devopstoolkit", "devopstoolkit.ai/v2", by_count),
        ] {
            let objects = ours(package, api_version, provider, &parameters);
            let (key, path) = &general_at;
            assert_eq!(objects[key]["spec"]["forProvider"].pointer(path), Some(&json!(general)), "{size}");
            let key = if provider == "aws" { "eksnodegroup-gpu".to_owned() } else { format!("{cluster}-gpu") };
            let provided = &objects[&key]["spec"]["forProvider"];
            let found = match provider {
                "aws" => json!([provided["instanceTypes"], provided["diskSize"]]),
                "azure" => provided["vmSize"].clone(),
                _ => json!([
                    provided["nodeConfig"]["machineType"],
                    provided["nodeConfig"]["guestAccelerator"],
                    provided["nodeLocations"],
                ]),
            };
            assert_eq!(found, *gpu, "{package}: {size}");
        }
    }
    let aws = |machine: &str, disk: u32| json!([[machine], disk]);
    check("small", "aws", "t3.small", &aws("g5.xlarge", 100), &aws("g5.xlarge", 100));
    check("medium", "aws", "t3.medium", &aws("g5.2xlarge", 200), &aws("g5.12xlarge", 200));
    check("large", "aws", "t3.large", &aws("g5.12xlarge", 500), &aws("p4d.24xlarge", 500));
    let azure = |machine: &str| json!(machine);
    check("small", "azure", "Standard_D2_v2", &azure("Standard_NC4as_T4_v3"), &azure("Standard_NC4as_T4_v3"));
    check("medium", "azure", "Standard_D3_v2", &azure("Standard_NC8as_T4_v3"), &azure("Standard_NC64as_T4_v3"));
    check("large", "azure", "Standard_D4_v2", &azure("Standard_NC24ads_A100_v4"), &azure("Standard_ND96asr_v4"));
    // T4 are in one zone, and A100 in another.
    let t4 = |machine: &str| json!([machine, [{"type": "nvidia-tesla-t4", "count": 1}], ["us-east1-c"]]);
    let a100 =
        |machine: &str, count: u32| json!([machine, [{"type": "nvidia-tesla-a100", "count": count}], ["us-east1-b"]]);
    check("small", "google", "e2-standard-2", &t4("n1-standard-4"), &t4("n1-standard-4"));
    check("medium", "google", "e2-standard-4", &t4("n1-standard-8"), &a100("a2-highgpu-4g", 4));
    check("large", "google", "e2-standard-16", &a100("a2-highgpu-1g", 1), &a100("a2-highgpu-8g", 8));
}
