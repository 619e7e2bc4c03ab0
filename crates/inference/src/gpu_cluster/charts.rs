//! The catalogue of charts: versions stand here, and nowhere else.

use toolbox::builders::helm::Chart;

/// A chart, and where it is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChartRelease {
    /// Name of the release.
    pub name: &'static str,
    /// The chart.
    pub chart: Chart,
    /// The namespace on the new cluster.
    pub namespace: &'static str,
}

const fn repository(
    name: &'static str,
    repository: &'static str,
    version: &'static str,
    namespace: &'static str,
) -> ChartRelease {
    ChartRelease { name, chart: Chart { name, repository, version, url: "" }, namespace }
}

const fn archive(
    name: &'static str,
    url: &'static str,
    version: &'static str,
    namespace: &'static str,
) -> ChartRelease {
    ChartRelease { name, chart: Chart { name, repository: "", version, url }, namespace }
}

/// The charts, with the versions that dot-kubernetes had in February 2026. Those of Envoy depend on one another.
#[rustfmt::skip]
pub const RELEASES: &[ChartRelease] = &[
    repository("crossplane", "https://charts.crossplane.io/stable", "2.1.4", "crossplane-system"),
    repository("argo-cd", "https://argoproj.github.io/argo-helm", "9.4.1", "argocd"),
    archive("openfunction", "https://openfunction.github.io/charts/openfunction-v1.2.0-v0.7.0.tgz", "", "openfunction"),
    repository("dapr", "https://dapr.github.io/helm-charts/", "1.16.8", "dapr-system"),
    repository("traefik", "https://helm.traefik.io/traefik", "39.0.0", "traefik"),
    repository("external-secrets", "https://charts.external-secrets.io", "2.0.0", "external-secrets"),
    repository("gpu-operator", "https://helm.ngc.nvidia.com/nvidia", "v25.10.1", "gpu-operator"),
    repository("cilium", "https://helm.cilium.io", "1.19.0", "kube-system"),
    archive("gateway-helm", "oci://docker.io/envoyproxy/gateway-helm", "1.7.0", "envoy-gateway-system"),
    archive("ai-gateway-crds-helm", "oci://docker.io/envoyproxy/ai-gateway-crds-helm", "0.5.0", "envoy-ai-gateway-system"),
    archive("ai-gateway-helm", "oci://docker.io/envoyproxy/ai-gateway-helm", "0.5.0", "envoy-ai-gateway-system"),
    repository("kube-prometheus-stack", "https://prometheus-community.github.io/helm-charts", "82.2.1", "prometheus-system"),
    repository("keda", "https://kedacore.github.io/charts", "2.19.0", "keda"),
    repository("keda-add-ons-http", "https://kedacore.github.io/charts", "0.12.2", "keda"),
];

/// The release with this name.
pub fn release(name: &str) -> Option<&'static ChartRelease> {
    RELEASES.iter().find(|it| it.name == name)
}
