//! The charts of a stack: names and places. Their versions are those of the stack, with the defaults in `spec`.

use toolbox::builders::helm::Chart;

use super::spec::StackVersions;

/// A chart, and where it is installed.
#[derive(Clone, Copy, Debug)]
pub struct StackChart {
    /// Its composition resource name.
    pub key: &'static str,
    /// Its name in the repository.
    pub name: &'static str,
    /// Its repository.
    pub repository: &'static str,
    /// Its namespace on the cluster.
    pub namespace: &'static str,
    /// Its version.
    pub version: fn(&StackVersions) -> &str,
}

const ENVOY: &str = "oci://docker.io/envoyproxy";

/// The charts of Modelplane v0.3.1, with the schedulers that a cluster may ask for (charts of KAI v0.13.0 and of Kueue v0.19.2).
#[rustfmt::skip]
pub const CHARTS: &[StackChart] = &[
    StackChart { key: "cert-manager", name: "cert-manager", repository: "https://charts.jetstack.io", namespace: "cert-manager", version: |v| &v.cert_manager },
    StackChart { key: "envoy-gateway", name: "gateway-helm", repository: ENVOY, namespace: "envoy-gateway-system", version: |v| &v.envoy_gateway },
    StackChart { key: "ai-gateway-crds", name: "ai-gateway-crds-helm", repository: ENVOY, namespace: "envoy-ai-gateway-system", version: ai_gateway },
    StackChart { key: "ai-gateway", name: "ai-gateway-helm", repository: ENVOY, namespace: "envoy-ai-gateway-system", version: ai_gateway },
    StackChart { key: "prometheus", name: "kube-prometheus-stack", repository: "https://prometheus-community.github.io/helm-charts", namespace: "monitoring", version: |v| &v.prometheus },
    StackChart { key: "leader-worker-set", name: "lws", repository: "oci://registry.k8s.io/lws/charts", namespace: "lws-system", version: |v| &v.leader_worker_set },
    StackChart { key: "node-feature-discovery", name: "node-feature-discovery", repository: "oci://registry.k8s.io/nfd/charts", namespace: "node-feature-discovery", version: |v| &v.node_feature_discovery },
    StackChart { key: "dra-driver", name: "dra-driver-nvidia-gpu", repository: "oci://registry.k8s.io/dra-driver-nvidia/charts", namespace: "dra-driver-nvidia-gpu", version: |v| &v.nvidia_dra_driver },
    StackChart { key: "kai", name: "kai-scheduler", repository: "oci://ghcr.io/nvidia/kai-scheduler", namespace: "kai-scheduler", version: |v| v.scheduler.as_deref().unwrap_or("v0.13.0") },
    StackChart { key: "kueue", name: "kueue", repository: "oci://registry.k8s.io/kueue/charts", namespace: "kueue-system", version: |v| v.scheduler.as_deref().unwrap_or("0.19.2") },
];

fn ai_gateway(versions: &StackVersions) -> &str {
    versions.ai_gateway.as_deref().unwrap_or("v0.7.0")
}

impl StackChart {
    /// The chart with this composition resource name.
    pub fn of(key: &str) -> Option<&'static Self> {
        CHARTS.iter().find(|chart| chart.key == key)
    }

    /// The chart as a Release has it.
    pub fn value(&self, versions: &StackVersions) -> serde_json::Value {
        let mut chart = Chart { name: self.name, repository: self.repository, ..Chart::default() }.to_value();
        chart["version"] = (self.version)(versions).into();
        chart
    }
}
