//! Derives every value of what is installed, and of the status: a row for each object.

use serde_json::{Value, json};
use toolbox::builders::{helm, managed, remote, usage};
use toolbox::data;
use toolbox::data::Data;
use toolbox::observed::ReadyWhen;
use toolbox::resources::{
    CRDS, GATEWAY_CLASSES, GATEWAYS, HELM_CONFIGS, KUBERNETES_CONFIGS, NAMESPACES, OBJECT, OBJECTS, RELEASE, RELEASES,
    USAGES,
};
use toolbox::rows::{Each, Gate, Named, ObjectRow, Part};
use toolbox::rule::{Rule, Table, constant, rule};

use super::charts::StackChart;
use super::spec::{StackGateway, StackListener, StackSecret, StackSpec, StackVersions};
use crate::envoy::{EXTENSION_APIS, EXTENSION_MANAGER};
use crate::modelplane::labels::{RESOURCE, SYSTEM_NAMESPACE, WORKLOAD_GATEWAY};
use crate::modelplane::platform::secrets::{KUBECONFIG, current_type};
use crate::modelplane::platform::tables::GPU_TOLERATIONS;
use crate::modelplane::platform::{gates, names};
use crate::modelplane::resources::{ENVOY_PROXIES, RESOURCE_QUOTAS};
use crate::modelplane::subject::Subject;
use crate::vendored::INFERENCE_EXTENSION;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct StackInputs {
    /// The stack.
    pub stack: Subject<StackSpec>,
    /// What was observed.
    pub seen: SeenStack,
}

/// What was observed of a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenStack {
    /// Whether both provider configurations are.
    pub has_configs: bool,
    /// Whether the definitions of AI Gateway are.
    pub has_ai_gateway_crds: bool,
    /// Whether the driver of GPUs is.
    pub has_dra_driver: bool,
    /// The address of the gateway. `None` until it has one.
    pub address: Option<String>,
}

/// What a part of a stack is.
pub type StackPart = Part<StackInputs>;
type StackRow = ObjectRow<StackInputs>;

impl Named for StackInputs {
    fn name(&self) -> &str {
        &self.stack.name
    }
}

impl StackInputs {
    fn config(&self) -> String {
        names::stack_provider_config(&self.stack.name)
    }

    /// The reference of a provider configuration to a Secret. Those with a kubeconfig are in the namespace of the stack.
    fn reference(&self, secret: &StackSecret) -> Value {
        let other = secret.namespace.as_deref().filter(|_| secret.secret_type != KUBECONFIG);
        json!({"namespace": other.unwrap_or(&self.stack.namespace), "name": secret.name, "key": secret.key})
    }

    fn secret(&self, is_kubeconfig: bool) -> Option<&StackSecret> {
        self.stack.spec.secrets.iter().find(|secret| (secret.secret_type == KUBECONFIG) == is_kubeconfig)
    }

    fn versions(&self) -> StackVersions {
        self.stack.spec.versions.clone().unwrap_or_default()
    }

    fn gateway(&self) -> StackGateway {
        self.stack.spec.gateway.clone().unwrap_or_default()
    }

    fn listeners(&self) -> Value {
        let listeners = self.gateway().listeners.filter(|listeners| !listeners.is_empty());
        let http = || vec![StackListener { name: "http".to_owned(), protocol: "HTTP".to_owned(), port: 80 }];
        let listener = |it: &StackListener| json!({"name": it.name, "protocol": it.protocol, "port": it.port, "allowedRoutes": {"namespaces": {"from": "All"}}});
        listeners.unwrap_or_else(http).iter().map(listener).collect()
    }

    /// Whether a scheduler is installed too.
    fn has_scheduler(&self, scheduler: &str) -> bool {
        self.stack.spec.scheduler.as_ref().is_some_and(|it| it.scheduler_type == scheduler)
    }
}

/// The objects, in the order of areas.
pub const ROWS: &[&[StackRow]] = &[CONFIGS, CHARTS, MANIFESTS, TEARDOWN];

/// What people call the areas.
pub const AREA_NAMES: [&str; 4] = ["access", "charts", "objects", "order of deletion"];

/// The area of Usages: an index in [`AREA_NAMES`].
const DELETION: usize = 3;

/// The area of a composed resource. The Usages of the second step are in that of the others.
pub fn area(_: &Value, key: &str, object: &Value) -> Option<usize> {
    if object["kind"] == USAGES.kind { Some(DELETION) } else { gates::area(ROWS, key) }
}

#[rustfmt::skip]
const CONFIGS: &[StackRow] = &[
    StackRow { tables: &[("", CONFIG)], ready: ReadyWhen::Desired, ..StackRow::unnamed(&KUBERNETES_CONFIGS, "provider-config-kubernetes") },
    StackRow { tables: &[("", CONFIG)], ready: ReadyWhen::Desired, ..StackRow::unnamed(&HELM_CONFIGS, "provider-config-helm") },
];

#[rustfmt::skip]
const CHARTS: &[StackRow] = &[
    StackRow { tables: &[("", INSTALLED), (helm::VALUES, CERT_MANAGER)], ..chart("cert-manager") },
    StackRow { tables: &[("", INSTALLED), ("", LABELLED), (helm::VALUES, ENVOY_GATEWAY)], ..chart("envoy-gateway") },
    chart("ai-gateway-crds"),
    StackRow { gate: Gate::Until("the provider configurations", |i| i.seen.has_configs || i.seen.has_ai_gateway_crds), ..chart("ai-gateway") },
    StackRow { tables: &[("", INSTALLED), (helm::VALUES, PROMETHEUS)], ..chart("prometheus") },
    chart("leader-worker-set"),
    StackRow { tables: &[("", INSTALLED), (helm::VALUES, NODE_FEATURE_DISCOVERY)], ..chart("node-feature-discovery") },
    StackRow { tables: &[("", INSTALLED), (helm::VALUES, DRA_DRIVER)], ..chart("dra-driver") },
    StackRow { exists: |i| i.has_scheduler("managed-kai"), ..chart("kai") },
    StackRow { exists: |i| i.has_scheduler("managed-kueue"), ..chart("kueue") },
];

#[rustfmt::skip]
const MANIFESTS: &[StackRow] = &[
    StackRow { each: Each::Found(|_| INFERENCE_EXTENSION.names.iter().map(|&name| name.to_owned()).collect()), wraps: Some((&CRDS, DEFINITION)), ..object("gaie-crd-{e}") },
    StackRow { gate: Gate::Until("the provider configurations", |i| i.seen.has_configs || i.seen.has_dra_driver), wraps: Some((&RESOURCE_QUOTAS, QUOTA)), ..object("dra-driver-critical-pods-quota") },
    StackRow { wraps: Some((&NAMESPACES, NAMESPACE)), ..object("gateway-namespace") },
    StackRow { tables: &[("", ON_STACK), ("", LABELLED)], wraps: Some((&ENVOY_PROXIES, PROXY)), ..object("gateway-proxy") },
    StackRow { tables: &[("", ON_STACK), ("", LABELLED)], wraps: Some((&GATEWAY_CLASSES, GATEWAY_CLASS)), ..object("gateway-class") },
    StackRow { tables: &[("", ON_STACK), ("", LABELLED), ("", WITH_ADDRESS)], wraps: Some((&GATEWAYS, GATEWAY)), ..object("gateway") },
];

#[rustfmt::skip]
const TEARDOWN: &[StackRow] = &[
    StackRow { tables: &[("", CLASS_BY_GATEWAY), ("", REPLAYED)], ready: ReadyWhen::Desired, ..StackRow::unnamed(&USAGES, "usage-gateway-class-by-gateway") },
    StackRow { tables: &[("", ENVOY_BY_CLASS), ("", REPLAYED)], ready: ReadyWhen::Desired, ..StackRow::unnamed(&USAGES, "usage-envoy-gw-by-gateway-class") },
];

/// A chart. Like everything on the cluster it waits for what leads there.
const fn chart(key: &'static str) -> StackRow {
    StackRow {
        gate: Gate::Until("the provider configurations", |i| i.seen.has_configs),
        tables: &[("", INSTALLED)],
        ..StackRow::unnamed(&RELEASES, key)
    }
}

/// An Object on the cluster.
const fn object(key: &'static str) -> StackRow {
    StackRow {
        gate: Gate::Until("the provider configurations", |i| i.seen.has_configs),
        tables: &[("", ON_STACK)],
        ..StackRow::unnamed(&OBJECTS, key)
    }
}

const NAME: &[&str] = &["metadata.name"];
const SECRETS: &[&str] = &["spec.secrets", "metadata.namespace"];
const CLASS: &[&str] = &["spec.gateway.className"];

#[rustfmt::skip]
const CONFIG: &[Rule<StackPart>] = &[
    rule("metadata.name", "the stack, with a hash", NAME, |p| Some(json!(p.of.config()))),
    constant("spec.credentials.source", "always: a Secret", data!("Secret")),
    rule("spec.credentials.secretRef", "the first kubeconfig", SECRETS, |p| Some(p.of.reference(p.of.secret(true)?))),
    rule("spec.identity", "the first identity, if there is one", SECRETS, |p| { let secret = p.of.secret(false)?; Some(json!({"type": current_type(&secret.secret_type), "source": "Secret", "secretRef": p.of.reference(secret)})) }),
];

#[rustfmt::skip]
const ON_STACK: &[Rule<StackPart>] = &[
    rule(managed::PROVIDER_CONFIG, "the configuration that leads to the cluster", NAME, |p| Some(managed::provider_config("ProviderConfig", &p.of.config()))),
];

#[rustfmt::skip]
const LABELLED: &[Rule<StackPart>] = &[
    rule("metadata.labels", "what it is: Usages find it by this", &[], |p| Some(json!({RESOURCE: p.key}))),
];

#[rustfmt::skip]
const INSTALLED: &[Rule<StackPart>] = &[
    rule(managed::EXTERNAL_NAME, "a short name of the Helm release: names of its objects begin with it, and must fit 63 characters", &[], |p| Some(json!(format!("mp-{}", StackChart::of(&p.key)?.name)))),
    rule(managed::PROVIDER_CONFIG, "the configuration that leads to the cluster", NAME, |p| Some(managed::provider_config("ProviderConfig", &p.of.config()))),
    rule(helm::CHART, "the chart, in the version of the stack", &["spec.versions"], |p| Some(StackChart::of(&p.key)?.value(&p.of.versions()))),
    rule(helm::NAMESPACE, "the chart's own", &[], |p| Some(json!(StackChart::of(&p.key)?.namespace))),
];

#[rustfmt::skip]
const CERT_MANAGER: &[Rule<StackPart>] = &[
    constant("crds", "always: its definitions come and go with it", data!({"enabled": true, "keep": false})),
];

#[rustfmt::skip]
const ENVOY_GATEWAY: &[Rule<StackPart>] = &[
    constant("config.envoyGateway.extensionApis", "always: backends outside the cluster", EXTENSION_APIS),
    constant("config.envoyGateway.extensionManager", "always: AI Gateway routes to InferencePools", EXTENSION_MANAGER),
];

const TOLERATED: Data = data!({"tolerations": GPU_TOLERATIONS});

#[rustfmt::skip]
const NODE_FEATURE_DISCOVERY: &[Rule<StackPart>] = &[
    constant("worker", "always: nodes with GPUs are tainted, and without its labels no driver comes to them", TOLERATED),
];

#[rustfmt::skip]
const DRA_DRIVER: &[Rule<StackPart>] = &[
    constant("gpuResourcesEnabledOverride", "always: pods claim GPUs", data!(true)),
    constant("resources.computeDomains.enabled", "always: no pod claims one", data!(false)),
    rule("nvidiaDriverRoot", "where nodes have the driver, unless that is `/`", &["spec.nvidiaDriverRoot"], |p| Some(&p.of.stack.spec.nvidia_driver_root).filter(|root| *root != "/").map(|root| json!(root))),
];

#[rustfmt::skip]
const PROMETHEUS: &[Rule<StackPart>] = &[
    constant("fullnameOverride", "always: its Service has a name that can be known", data!("prometheus")),
    constant("grafana", "always: nobody looks at it here", data!({"enabled": false})),
    constant("alertmanager", "always: nobody looks at it here", data!({"enabled": false})),
    constant("prometheus.prometheusSpec.podMonitorSelectorNilUsesHelmValues", "always: PodMonitors of everybody", data!(false)),
    constant("prometheus.prometheusSpec.podMonitorNamespaceSelector", "always: in every namespace", data!({})),
    constant("prometheus.prometheusSpec.additionalScrapeConfigs", "always: the proxies of the gateway", data!([{
        "job_name": "envoy-gateway-proxy",
        "metrics_path": "/stats/prometheus",
        "kubernetes_sd_configs": [{"role": "pod", "namespaces": {"names": ["envoy-gateway-system"]}}],
        "relabel_configs": [
            {"source_labels": ["__meta_kubernetes_pod_label_app_kubernetes_io_component"], "action": "keep", "regex": "proxy"},
            {"source_labels": ["__address__"], "target_label": "__address__", "action": "replace", "regex": "([^:]+)(?::\\d+)?", "replacement": "$1:19001"},
        ],
    }])),
];

/// One row, whatever the size of the definition.
#[rustfmt::skip]
const DEFINITION: &[Rule<StackPart>] = &[
    rule("", "the definition `{it}` of the inference extension, v1.0.1", &[], |p| INFERENCE_EXTENSION.definition(&p.element).cloned()),
];

#[rustfmt::skip]
const QUOTA: &[Rule<StackPart>] = &[
    constant("metadata", "always: the namespace of the driver", data!({"name": "allow-critical-pods", "namespace": "dra-driver-nvidia-gpu"})),
    constant("spec.hard", "always: many pods", data!({"pods": "1000"})),
    constant("spec.scopeSelector.matchExpressions", "always: GKE admits pods of these classes only where a quota says so", data!([{"scopeName": "PriorityClass", "operator": "In", "values": ["system-node-critical", "system-cluster-critical"]}])),
];

#[rustfmt::skip]
const NAMESPACE: &[Rule<StackPart>] = &[
    constant("metadata.name", "always: the namespace of the gateway", data!(SYSTEM_NAMESPACE)),
];

#[rustfmt::skip]
const PROXY: &[Rule<StackPart>] = &[
    constant("metadata", "always: replicas know the gateway by this name", data!({"name": WORKLOAD_GATEWAY, "namespace": SYSTEM_NAMESPACE})),
    constant("spec.provider", "always: some load balancers refuse the policy `Local`", data!({"type": "Kubernetes", "kubernetes": {"envoyService": {"externalTrafficPolicy": "Cluster"}}})),
];

#[rustfmt::skip]
const GATEWAY_CLASS: &[Rule<StackPart>] = &[
    rule("metadata.name", "the class of the stack", CLASS, |p| Some(json!(p.of.gateway().class_name))),
    constant("spec.controllerName", "always: Envoy Gateway", data!("gateway.envoyproxy.io/gatewayclass-controller")),
    constant("spec.parametersRef", "always: how its proxies are", data!({"group": "gateway.envoyproxy.io", "kind": "EnvoyProxy", "name": WORKLOAD_GATEWAY, "namespace": SYSTEM_NAMESPACE})),
];

#[rustfmt::skip]
const GATEWAY: &[Rule<StackPart>] = &[
    constant("metadata", "always: replicas know it by this name", data!({"name": WORKLOAD_GATEWAY, "namespace": SYSTEM_NAMESPACE})),
    rule("spec.gatewayClassName", "the class of the stack", CLASS, |p| Some(json!(p.of.gateway().class_name))),
    rule("spec.listeners", "the listeners, else HTTP on port 80; routes come from all namespaces", &["spec.gateway.listeners"], |p| Some(p.of.listeners())),
];

/// While the query does not hold, provider-kubernetes looks again every few seconds, and not every ten minutes.
#[rustfmt::skip]
const WITH_ADDRESS: &[Rule<StackPart>] = &[
    constant(remote::READINESS, "always: it is ready once it has an address", data!({"policy": "DeriveFromCelQuery", "celQuery": "has(object.status.addresses) && object.status.addresses.size() > 0"})),
];

#[rustfmt::skip]
const CLASS_BY_GATEWAY: &[Rule<StackPart>] = &[
    rule(usage::OF, "the class stays", &[], |_| Some(usage::selected(OBJECT, &[(RESOURCE, "gateway-class")]))),
    rule(usage::BY, "while the gateway exists, whose finalizer its controller removes", &[], |_| Some(usage::selected(OBJECT, &[(RESOURCE, "gateway")]))),
];

#[rustfmt::skip]
const ENVOY_BY_CLASS: &[Rule<StackPart>] = &[
    rule(usage::OF, "Envoy Gateway stays", &[], |_| Some(usage::selected(RELEASE, &[(RESOURCE, "envoy-gateway")]))),
    rule(usage::BY, "while the class exists, whose finalizer it removes", &[], |_| Some(usage::selected(OBJECT, &[(RESOURCE, "gateway-class")]))),
];

#[rustfmt::skip]
const REPLAYED: &[Rule<StackPart>] = &[
    constant(usage::REPLAY_DELETION, "always: what was refused is deleted as soon as it may be", data!(true)),
];

/// The status.
#[rustfmt::skip]
pub const STATUS: &[Rule<StackInputs>] = &[
    rule("gateway.address", "the first address that the gateway has", &[], |i| i.seen.address.clone().map(Value::from)),
];

/// All tables, for documentation.
#[rustfmt::skip]
pub fn tables() -> Vec<Table> {
    let parts: &[(&'static str, &[Rule<StackPart>])] = &[
        ("both ProviderConfigs", CONFIG),
        ("every Release", INSTALLED),
        ("every Object", ON_STACK),
        ("what is deleted in order", LABELLED),
        ("values of cert-manager", CERT_MANAGER),
        ("values of Envoy Gateway", ENVOY_GATEWAY),
        ("values of Prometheus", PROMETHEUS),
        ("values of Node Feature Discovery", NODE_FEATURE_DISCOVERY),
        ("values of the DRA driver", DRA_DRIVER),
        ("CustomResourceDefinition", DEFINITION),
        ("ResourceQuota", QUOTA),
        ("Namespace", NAMESPACE),
        ("EnvoyProxy", PROXY),
        ("GatewayClass", GATEWAY_CLASS),
        ("Gateway", GATEWAY),
        ("Object of the Gateway", WITH_ADDRESS),
        ("Usage of the GatewayClass", CLASS_BY_GATEWAY),
        ("Usage of Envoy Gateway", ENVOY_BY_CLASS),
        ("every Usage", REPLAYED),
    ];
    let parts = parts.iter().map(|(subject, rules)| Table::of(subject, rules));
    parts.chain([Table::of("status", STATUS)]).collect()
}
