//! The endpoint picker: its Deployment, and what it needs.

use serde_json::{Map, Value, json};
use toolbox::data;
use toolbox::hashed::sha256;
use toolbox::rule::{Rule, Table, constant, rule};

use super::inputs::ServingInputs;
use super::plugins::{DIVIDED, UNIFIED};
use super::role::{or, port, variable};
use crate::otterscale::labels::{COMPONENT, NAME, OF_PLATFORM, VERSION, VERSION_CAUSES, managed_by, part_of};
use crate::otterscale::quantities;

const OF_SERVICE: &[&str] = &["metadata.name"];
const NAMED: &str = "name of the service as a label, with `-epp`";
const REPLICAS: &[&str] = &["spec.inferencePool.endpointPicker.replicas"];
const PORT: &[&str] = &["spec.inferencePool.endpointPicker.port"];
const RESOURCES: &[&str] = &["spec.inferencePool.endpointPicker.resources"];
const TRACING: &[&str] = &["input.modelService.tracing"];
const MODE: &[&str] = &["spec.prefill"];
const ALWAYS_RIGHT: &str = "always: it watches this";
const SEVERAL_RIGHT: &str = "several agree on which one leads";

/// Name and namespace of everything of the picker.
#[rustfmt::skip]
pub const NAMES: &[Rule<ServingInputs>] = &[
    rule("metadata.name", NAMED, OF_SERVICE, |i| Some(json!(i.picker))),
    rule("metadata.namespace", "that of the service", &["metadata.namespace"], |i| Some(json!(i.service.namespace))),
];

/// Labels by which its pods are selected.
#[rustfmt::skip]
pub const SELECTOR: &[Rule<ServingInputs>] = &[
    rule(NAME, "the endpoint picker", OF_SERVICE, |i| Some(json!(i.picker))),
    constant(COMPONENT, "always", data!("epp")),
    part_of(),
    managed_by(),
];

/// The label with the version.
#[rustfmt::skip]
pub const VERSIONED: &[Rule<ServingInputs>] = &[
    rule(VERSION, OF_PLATFORM, VERSION_CAUSES, |i| i.version()),
];

/// A further label of pods and their selector.
#[rustfmt::skip]
pub const PODS: &[Rule<ServingInputs>] = &[
    rule("[inferencepool]", "the endpoint picker", OF_SERVICE, |i| Some(json!(i.picker))),
];

/// The ConfigMap.
#[rustfmt::skip]
pub const CONFIG: &[Rule<ServingInputs>] = &[
    rule("metadata.name", "name of the endpoint picker, with `-config`", OF_SERVICE, |i| Some(json!(config_name(i)))),
    rule("data[default-plugins.yaml]", "all pods do everything", MODE, |i| (!i.is_divided()).then(|| json!(UNIFIED.1))),
    rule("data[pd-config.yaml]", "the work is divided", MODE, |i| i.is_divided().then(|| json!(DIVIDED.1))),
];

/// The Deployment.
#[rustfmt::skip]
pub const DEPLOYMENT: &[Rule<ServingInputs>] = &[
    rule("spec.replicas", "the number of endpoint pickers", REPLICAS, |i| Some(json!(i.pickers()))),
    constant("spec.strategy.type", "always: two of different versions would disagree", data!("Recreate")),
    rule("spec.template.metadata.annotations[checksum/config]", "hash of the configuration: another one restarts it", MODE, |i| Some(json!(config_hash(i)))),
    rule("spec.template.spec.serviceAccountName", "its own", OF_SERVICE, |i| Some(json!(i.picker))),
    constant("spec.template.spec.terminationGracePeriodSeconds", "always: requests that wait come to an end", data!(130)),
    constant("spec.template.spec.securityContext", "always", data!({"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}})),
    rule("spec.template.spec.volumes[]", "the configuration", OF_SERVICE, |i| Some(json!({"name": "epp-config", "configMap": {"name": config_name(i), "optional": true}}))),
    constant("spec.template.spec.containers[0].name", "always", data!("epp")),
    rule("spec.template.spec.containers[0].image", "the image, else the platform's", &["spec.inferencePool.endpointPicker.image", "input.modelService.images.endpointPicker"], |i| Some(or(i.endpoint_picker().and_then(|it| it.image.as_deref()), &i.options.images.endpoint_picker))),
    constant("spec.template.spec.containers[0].imagePullPolicy", "always", data!("IfNotPresent")),
    rule("spec.template.spec.containers[0].args[]", "the pool", OF_SERVICE, |i| Some(json!(format!("--pool-name={}", i.service.name)))),
    rule("spec.template.spec.containers[0].args[]", "its namespace", &["metadata.namespace"], |i| Some(json!(format!("--pool-namespace={}", i.service.namespace)))),
    constant("spec.template.spec.containers[0].args[]", "always: the group of the pool", data!("--pool-group=inference.networking.k8s.io")),
    rule("spec.template.spec.containers[0].args[]", "the configuration", MODE, |i| Some(json!(format!("--config-file=/config/{}", config(i).0)))),
    rule("spec.template.spec.containers[0].args[]", "gateways ask here", PORT, |i| Some(json!(format!("--grpc-port={}", i.picker_port())))),
    constant("spec.template.spec.containers[0].args[]", "always: a log for programs", data!("--zap-encoder=json")),
    rule("spec.template.spec.containers[0].args[]", "of several endpoint pickers one leads", REPLICAS, |i| several(i, json!("--ha-enable-leader-election"))),
    rule("spec.template.spec.containers[0].args[]", "whether there are traces", TRACING, |i| Some(json!(format!("--tracing={}", i.options.tracing.enabled)))),
    rule("spec.template.spec.containers[0].args[]", "its metrics need no token", &["input.modelService.metricsEndpointAuth"], |i| (!i.options.metrics_endpoint_auth).then(|| json!("--metrics-endpoint-auth=false"))),
    rule("spec.template.spec.containers[0].args[..]", "the platform's flags, by name", &["input.modelService.endpointPickerFlags"], flags),
    constant("spec.template.spec.containers[0].env[]", "always: its namespace", data!({"name": "NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}})),
    constant("spec.template.spec.containers[0].env[]", "always: its name", data!({"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}})),
    rule("spec.template.spec.containers[0].env[]", "its name in traces", TRACING, |i| traced(i, |_| variable("OTEL_SERVICE_NAME", "gateway-api-inference-extension"))),
    rule("spec.template.spec.containers[0].env[]", "where traces are sent", TRACING, |i| traced(i, |i| variable("OTEL_EXPORTER_OTLP_ENDPOINT", &i.options.tracing.endpoint))),
    rule("spec.template.spec.containers[0].env[]", "how traces are sent", TRACING, |i| traced(i, |_| variable("OTEL_TRACES_EXPORTER", "otlp"))),
    rule("spec.template.spec.containers[0].env[]", "its node, for traces", TRACING, |i| traced(i, |_| of_pod("OTEL_RESOURCE_ATTRIBUTES_NODE_NAME", "spec.nodeName"))),
    rule("spec.template.spec.containers[0].env[]", "its pod, for traces", TRACING, |i| traced(i, |_| of_pod("OTEL_RESOURCE_ATTRIBUTES_POD_NAME", "metadata.name"))),
    rule("spec.template.spec.containers[0].env[]", "where it runs, for traces", TRACING, |i| traced(i, |_| variable("OTEL_RESOURCE_ATTRIBUTES", "k8s.namespace.name=$(NAMESPACE),k8s.node.name=$(OTEL_RESOURCE_ATTRIBUTES_NODE_NAME),k8s.pod.name=$(OTEL_RESOURCE_ATTRIBUTES_POD_NAME)"))),
    rule("spec.template.spec.containers[0].env[]", "the sampler of traces", TRACING, |i| sampled(i, "OTEL_TRACES_SAMPLER", &i.options.tracing.sampler)),
    rule("spec.template.spec.containers[0].env[]", "the argument of the sampler", TRACING, |i| sampled(i, "OTEL_TRACES_SAMPLER_ARG", &i.options.tracing.sampler_arg)),
    rule("spec.template.spec.containers[0].ports[]", "gateways ask here", PORT, |i| Some(port("grpc-ext-proc", i.picker_port()))),
    constant("spec.template.spec.containers[0].ports[]", "always: its health", data!({"name": "grpc-health", "containerPort": 9003, "protocol": "TCP"})),
    constant("spec.template.spec.containers[0].ports[]", "always: its metrics", data!({"name": "http-metrics", "containerPort": 9090, "protocol": "TCP"})),
    rule("spec.template.spec.containers[0].readinessProbe", "it answers; of several only the one that leads", REPLICAS, |i| Some(json!({"grpc": {"port": 9003, "service": probed(i, "readiness")}, "periodSeconds": 2}))),
    rule("spec.template.spec.containers[0].livenessProbe", "it answers", REPLICAS, |i| Some(json!({"grpc": {"port": 9003, "service": probed(i, "liveness")}, "initialDelaySeconds": 5, "periodSeconds": 10}))),
    constant("spec.template.spec.containers[0].volumeMounts", "always: the configuration", data!([{"name": "epp-config", "mountPath": "/config", "readOnly": true}])),
    rule("spec.template.spec.containers[0].resources", "those of the service, else enough for most", RESOURCES, |i| Some(resources(i))),
    constant("spec.template.spec.containers[0].securityContext", "always: it needs no rights", data!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}})),
];

/// The Service.
#[rustfmt::skip]
pub const SERVICE: &[Rule<ServingInputs>] = &[
    rule("spec.ports[]", "gateways ask here", PORT, |i| Some(json!({"name": "grpc-ext-proc", "port": i.picker_port(), "targetPort": i.picker_port(), "protocol": "TCP"}))),
    constant("spec.ports[]", "always: its metrics", data!({"name": "http-metrics", "port": 9090, "targetPort": 9090, "protocol": "TCP"})),
];

/// The Secret, into which the API server writes a token.
#[rustfmt::skip]
pub const TOKEN: &[Rule<ServingInputs>] = &[
    rule("metadata.name", "name of the endpoint picker, with `-sa-metrics-reader-secret`", OF_SERVICE, |i| Some(json!(token_name(i)))),
    rule("metadata.annotations[kubernetes.io/service-account.name]", "the token is that of the endpoint picker", OF_SERVICE, |i| Some(json!(i.picker))),
    constant("type", "always", data!("kubernetes.io/service-account-token")),
];

/// The Role.
#[rustfmt::skip]
pub const ROLE: &[Rule<ServingInputs>] = &[
    constant("rules[]", ALWAYS_RIGHT, data!({"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "watch", "list"]})),
    constant("rules[]", ALWAYS_RIGHT, data!({"apiGroups": ["inference.networking.x-k8s.io"], "resources": ["inferenceobjectives", "inferencemodelrewrites"], "verbs": ["get", "watch", "list"]})),
    constant("rules[]", ALWAYS_RIGHT, data!({"apiGroups": ["inference.networking.k8s.io"], "resources": ["inferencepools"], "verbs": ["get", "watch", "list"]})),
    rule("rules[]", SEVERAL_RIGHT, REPLICAS, |i| several(i, json!({"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "list", "watch", "create", "update", "patch", "delete"]}))),
    rule("rules[]", "the one that leads says so", REPLICAS, |i| several(i, json!({"apiGroups": [""], "resources": ["events"], "verbs": ["create", "patch"]}))),
];

/// The RoleBinding.
#[rustfmt::skip]
pub const ROLE_BINDING: &[Rule<ServingInputs>] = &[
    rule("subjects", "the endpoint picker", &["metadata.name", "metadata.namespace"], |i| Some(subjects(i))),
    rule("roleRef", "its Role", OF_SERVICE, |i| Some(json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": i.picker}))),
];

/// The ServiceMonitor.
#[rustfmt::skip]
pub const MONITOR: &[Rule<ServingInputs>] = &[
    constant("spec.endpoints[0].port", "always: its metrics", data!("http-metrics")),
    constant("spec.endpoints[0].interval", "always", data!("30s")),
    rule("spec.endpoints[0].authorization.credentials", "the token, when its metrics need one", &["input.modelService.metricsEndpointAuth", "input.modelService.provider"], |i| i.has_token().then(|| json!({"name": token_name(i), "key": "token"}))),
];

/// The tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("everything of the endpoint picker", NAMES),
        Table::of("labels of everything of the endpoint picker, and its selectors", SELECTOR),
        Table::of("labels of everything of the endpoint picker", VERSIONED),
        Table::of("labels of pods of the endpoint picker, and their selector", PODS),
        Table::of("ConfigMap of the endpoint picker", CONFIG),
        Table::of("Deployment of the endpoint picker", DEPLOYMENT),
        Table::of("Service", SERVICE),
        Table::of("Secret", TOKEN),
        Table::of("Role", ROLE),
        Table::of("RoleBinding", ROLE_BINDING),
        Table::of("ServiceMonitor", MONITOR),
    ]
}

/// Who has the rights.
pub(super) fn subjects(inputs: &ServingInputs) -> Value {
    json!([{"kind": "ServiceAccount", "name": inputs.picker, "namespace": inputs.service.namespace}])
}

fn config(inputs: &ServingInputs) -> (&'static str, &'static str) {
    if inputs.is_divided() { DIVIDED } else { UNIFIED }
}

fn config_name(inputs: &ServingInputs) -> String {
    format!("{}-config", inputs.picker)
}

fn config_hash(inputs: &ServingInputs) -> String {
    let (file, text) = config(inputs);
    sha256([file, text])
}

fn token_name(inputs: &ServingInputs) -> String {
    format!("{}-sa-metrics-reader-secret", inputs.picker)
}

fn several(inputs: &ServingInputs, value: Value) -> Option<Value> {
    (inputs.pickers() > 1).then_some(value)
}

fn probed(inputs: &ServingInputs, of_several: &'static str) -> &'static str {
    if inputs.pickers() > 1 { of_several } else { "inference-extension" }
}

fn flags(inputs: &ServingInputs) -> Option<Value> {
    let flags: Vec<_> =
        inputs.options.endpoint_picker_flags.iter().map(|(name, value)| format!("--{name}={value}")).collect();
    (!flags.is_empty()).then(|| json!(flags))
}

fn traced(inputs: &ServingInputs, value: fn(&ServingInputs) -> Value) -> Option<Value> {
    inputs.options.tracing.enabled.then(|| value(inputs))
}

fn sampled(inputs: &ServingInputs, name: &str, value: &str) -> Option<Value> {
    (inputs.options.tracing.enabled && !value.is_empty()).then(|| variable(name, value))
}

fn of_pod(name: &str, field: &str) -> Value {
    json!({"name": name, "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": field}}})
}

fn resources(inputs: &ServingInputs) -> Value {
    let is_stated =
        |resources: &&Map<String, Value>| ["requests", "limits"].iter().any(|key| resources.contains_key(*key));
    let stated = inputs.endpoint_picker().and_then(|picker| picker.resources.as_ref()).filter(is_stated);
    let usual = || json!({"requests": {"cpu": "4", "memory": "8Gi"}, "limits": {"memory": "16Gi"}});
    stated.map_or_else(usual, quantities::of_container)
}
