//! Applications, as Helm releases on the new cluster.

use serde_json::{Value, json};
use toolbox::builders::helm;
use toolbox::data;
use toolbox::rule::{Rule, constant, rule};

use super::control_plane::{azure, google};
use super::kinds::RELEASES;
use super::parts::{ClusterPart, Each, LEFT_BEHIND, ON_CLUSTER, ObjectRow, some_text};
use crate::envoy::{EXTENSION_APIS, EXTENSION_MANAGER};
use crate::gpu_cluster::charts;
use crate::gpu_cluster::inputs::ClusterInputs;
use crate::gpu_cluster::spec::{App, ArgoCd};

/// The releases.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    app(crossplane, &[("crossplane", &[])], &[("", LEFT_BEHIND), ("", RELEASE), ("", ON_CLUSTER)]),
    app(|of| argocd(of).is_some(), &[("argo-cd", &[])], &[("", LEFT_BEHIND), ("", RELEASE), (helm::VALUES, ARGO_CD), ("", ON_CLUSTER)]),
    app(|of| of.parameters.apps.openfunction.enabled, &[("openfunction", &[])], &[("", LEFT_BEHIND), ("", RELEASE), (helm::VALUES, OPENFUNCTION), ("", ON_CLUSTER)]),
    app(|of| of.parameters.apps.dapr.enabled, &[("dapr", &[])], &[("", LEFT_BEHIND), ("", RELEASE), ("", ON_CLUSTER)]),
    app(|of| of.parameters.apps.traefik.enabled, &[("traefik", &[])], &[("", LEFT_BEHIND), ("", RELEASE), ("", ON_CLUSTER)]),
    app(|of| of.parameters.apps.external_secrets.as_ref().is_some_and(|it| it.enabled), &[("external-secrets", &[])], &[("", LEFT_BEHIND), ("", RELEASE), (helm::VALUES, EXTERNAL_SECRETS), ("", ON_CLUSTER)]),
    app(|of| of.parameters.apps.nvidia.enabled, &[("gpu-operator", &[])], &[("", LEFT_BEHIND), ("", RELEASE), (helm::VALUES, GPU_OPERATOR), ("", ON_CLUSTER)]),
    ObjectRow { each: Each::Of(&[("cilium", &[])]), exists: azure, tables: &[("", RELEASE), ("", CILIUM_ON_AZURE), ("", CILIUM), ("", ON_CLUSTER)], ..CILIUM_ROW },
    ObjectRow { each: Each::Of(&[("cilium", &[])]), exists: google, tables: &[("", RELEASE), ("", CILIUM_ON_GOOGLE), ("", CILIUM), ("", ON_CLUSTER)], ..CILIUM_ROW },
    app(envoy, &[("gateway-helm", &[])], &[("", LEFT_BEHIND), ("", RELEASE), (helm::VALUES, ENVOY_GATEWAY), ("", ON_CLUSTER)]),
    app(envoy, &[("ai-gateway-crds-helm", &[]), ("ai-gateway-helm", &[])], &[("", LEFT_BEHIND), ("", RELEASE), ("", ON_CLUSTER)]),
    app(prometheus, &[("kube-prometheus-stack", &[])], &[("", LEFT_BEHIND), ("", RELEASE), ("", ON_CLUSTER)]),
    app(|of| of.parameters.apps.keda.enabled, &[("keda", &[]), ("keda-add-ons-http", &[])], &[("", LEFT_BEHIND), ("", RELEASE), ("", ON_CLUSTER)]),
];

/// Its key and its name differ, as in live clusters. It may be deleted.
const CILIUM_ROW: ObjectRow =
    ObjectRow { external: "{e}", needs_cluster: true, ..ObjectRow::of(&RELEASES, "{n}-app-{e}", "{n}-{e}") };

const fn app(
    exists: fn(&ClusterInputs) -> bool,
    releases: &'static [(&'static str, &'static [&'static str])],
    tables: &'static [(&'static str, &'static [Rule<ClusterPart>])],
) -> ObjectRow {
    let row = ObjectRow::of(&RELEASES, "{n}-app-{e}", "{n}-app-{e}");
    ObjectRow { external: "{e}", each: Each::Of(releases), exists, tables, needs_cluster: true, ..row }
}

/// What every release has.
#[rustfmt::skip]
pub(super) const RELEASE: &[Rule<ClusterPart>] = &[
    rule(helm::CHART, "the catalogue, with the platform's version if it states one", &["input.cluster.chartVersions"], chart),
    rule(helm::NAMESPACE, "the namespace of `{it}` in the catalogue", &[], |p| charts::release(&p.element).map(|it| it.namespace.into())),
    constant("spec.rollbackLimit", "always: enough to go back", data!(3)),
];

#[rustfmt::skip]
pub(super) const ARGO_CD: &[Rule<ClusterPart>] = &[
    rule("global.domain", "the host name", &["spec.parameters.apps.argocd.host"], |p| argocd(&p.of).map(|it| json!(it.host))),
    rule("configs.secret.argocdServerAdminPassword", "the platform's password, as a hash", &["input.cluster.argocdPasswordHash"], |p| Some(json!(p.of.options.argocd_password_hash))),
    constant("configs.secret.argocdServerAdminPasswordMtime", "always: a time in the past", data!("2021-11-08T15:04:05Z")),
    constant("configs.cm", "always: resources are tracked by annotation, and looked at every minute", data!({"application.resourceTrackingMethod": "annotation", "timeout.reconciliation": "60s"})),
    constant("configs.params", "always: TLS ends at the ingress", data!({"server.insecure": true})),
    constant("server.extraArgs", "always: TLS ends at the ingress", data!(["--insecure"])),
    rule("server.ingress", "Traefik leads to it", &["spec.parameters.apps.traefik.enabled"], |p| p.of.parameters.apps.traefik.enabled.then(|| json!({"enabled": true, "ingressClassName": "traefik"}))),
];

#[rustfmt::skip]
pub(super) const OPENFUNCTION: &[Rule<ClusterPart>] = &[
    constant("revisionController", "always: functions follow their sources", data!({"enable": true})),
];

#[rustfmt::skip]
pub(super) const EXTERNAL_SECRETS: &[Rule<ClusterPart>] = &[
    constant("installCRDs", "always: stores and secrets are of its kinds", data!(true)),
];

#[rustfmt::skip]
pub(super) const GPU_OPERATOR: &[Rule<ClusterPart>] = &[
    rule("driver", "the cloud brings the driver", &["input.cluster.drivers"], |p| (!p.of.drivers_by_operator()).then(|| json!({"enabled": false}))),
];

#[rustfmt::skip]
pub(super) const CILIUM_ON_AZURE: &[Rule<ClusterPart>] = &[
    constant(SETS, "always: the cluster has no network of pods", data!([{"name": "aksbyocni.enabled", "value": "true"}, {"name": "nodeinit.enabled", "value": "true"}])),
];

#[rustfmt::skip]
pub(super) const CILIUM_ON_GOOGLE: &[Rule<ClusterPart>] = &[
    constant(SETS, "always: it takes the place of the cloud's network of pods", data!([
        {"name": "nodeinit.enabled", "value": "true"}, {"name": "nodeinit.reconfigureKubelet", "value": "true"},
        {"name": "nodeinit.removeCbrBridge", "value": "true"}, {"name": "cni.binPath", "value": "/home/kubernetes/bin"},
        {"name": "gke.enabled", "value": "true"}, {"name": "ipam.mode", "value": "kubernetes"},
    ])),
    rule(helm::SET, "the range of pods, as the cluster says it once it has nodes", &[], |p| Some(pod_range(p))),
];

/// It encrypts and authenticates in both clouds. The chart wants the first since 1.19.
#[rustfmt::skip]
pub(super) const CILIUM: &[Rule<ClusterPart>] = &[
    constant(SETS, "always: pods prove who they are", data!([
        {"name": "authentication.enabled", "value": "true"}, {"name": "authentication.mutual.spire.enabled", "value": "true"},
        {"name": "authentication.mutual.spire.install.enabled", "value": "true"},
    ])),
];

#[rustfmt::skip]
pub(super) const ENVOY_GATEWAY: &[Rule<ClusterPart>] = &[
    constant("config.envoyGateway.extensionApis", "always: backends outside the cluster", EXTENSION_APIS),
    constant("config.envoyGateway.extensionManager", "always: AI Gateway changes what the gateway is told", EXTENSION_MANAGER),
];

/// The values that Cilium gets as `helm --set` has them, in order.
const SETS: &str = "spec.forProvider.set[..]";

/// Whether Crossplane is installed.
fn crossplane(of: &ClusterInputs) -> bool {
    let App { enabled } = of.parameters.apps.crossplane;
    enabled
}

/// Argo CD, if it is installed.
pub fn argocd(of: &ClusterInputs) -> Option<&ArgoCd> {
    of.parameters.apps.argocd.as_ref().filter(|it| it.enabled)
}

/// Whether Envoy Gateway is installed.
pub fn envoy(of: &ClusterInputs) -> bool {
    of.parameters.apps.envoy_gateway.enabled
}

/// Whether Prometheus is installed.
pub fn prometheus(of: &ClusterInputs) -> bool {
    of.parameters.apps.prometheus.enabled
}

fn chart(part: &ClusterPart) -> Option<Value> {
    let mut chart = charts::release(&part.element)?.chart.to_value();
    if let Some(version) = part.of.options.chart_versions.get(&part.element) {
        chart["version"] = json!(version);
    }
    Some(chart)
}

/// The entry has no value until there are nodes, as in live clusters.
fn pod_range(part: &ClusterPart) -> Value {
    let mut entry = json!({"name": "ipv4NativeRoutingCIDR"});
    let known = part.of.seen.pod_range.as_deref().filter(|_| part.of.seen.has_nodes).and_then(some_text);
    if let Some(range) = known {
        entry["value"] = range;
    }
    entry
}
