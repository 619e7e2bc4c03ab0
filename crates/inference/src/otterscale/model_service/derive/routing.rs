//! The way to the pods: pool, route and the rule of the mesh.

use serde_json::json;
use toolbox::data;
use toolbox::rule::{Rule, Table, constant, rule};

use super::inputs::ServingInputs;
use crate::otterscale::labels::{COMPONENT, NAME, OF_PLATFORM, VERSION, VERSION_CAUSES, managed_by, part_of};

/// The header of a request that a service gets.
pub const HEADER: &str = "OtterScale-Model-Name";

/// What the gateway of a route depends on.
pub const GATEWAY: &[&str] = &["spec.httpRoute.gatewayRef", "input.modelService.defaultGateway"];
const OF_SERVICE: &[&str] = &["metadata.name"];
const DEFAULT: &[&str] = &["spec.httpRoute", "input.modelService.defaultGateway"];

/// Name and namespace of pool and route.
#[rustfmt::skip]
pub const NAMES: &[Rule<ServingInputs>] = &[
    rule("metadata.name", "name of the service", OF_SERVICE, |i| Some(json!(i.service.name))),
    rule("metadata.namespace", "that of the service", &["metadata.namespace"], |i| Some(json!(i.service.namespace))),
];

/// Labels of pool and route.
#[rustfmt::skip]
pub const LABELS: &[Rule<ServingInputs>] = &[
    rule(NAME, "the service", OF_SERVICE, |i| Some(json!(i.service.name))),
    constant(COMPONENT, "always", data!("epp")),
    part_of(),
    managed_by(),
    rule(VERSION, OF_PLATFORM, VERSION_CAUSES, |i| i.version()),
];

/// The InferencePool.
#[rustfmt::skip]
pub const POOL: &[Rule<ServingInputs>] = &[
    rule("spec.targetPorts", "clients are answered here", &["spec.engine.port"], |i| Some(json!([{"number": i.service.spec.engine.port}]))),
    rule("spec.selector.matchLabels[app.kubernetes.io/name]", "pods of the service, whatever their role", OF_SERVICE, |i| Some(json!(i.service.name))),
    constant("spec.selector.matchLabels[app.kubernetes.io/part-of]", "always: as the operator has it", data!("otterscale-system")),
    constant("spec.selector.matchLabels[app.kubernetes.io/managed-by]", "always: as the operator has it", data!("model-operator")),
    constant("spec.selector.matchLabels[llm-d.ai/inferenceServing]", "always: not the endpoint picker", data!("true")),
    rule("spec.selector.matchLabels[llm-d.ai/model]", "pods of the service", OF_SERVICE, |i| Some(json!(i.service.name))),
    constant("spec.endpointPickerRef.group", "always: a Service", data!("")),
    constant("spec.endpointPickerRef.kind", "always: a Service", data!("Service")),
    rule("spec.endpointPickerRef.name", "the endpoint picker", OF_SERVICE, |i| Some(json!(i.picker))),
    rule("spec.endpointPickerRef.port.number", "gateways ask here", &["spec.inferencePool.endpointPicker.port"], |i| Some(json!(i.picker_port()))),
    rule("spec.endpointPickerRef.failureMode", "what the service says; without a pool of its own, requests are refused", &["spec.inferencePool.endpointPicker.failureMode"], |i| Some(json!(i.failure_mode()))),
];

/// The HTTPRoute.
#[rustfmt::skip]
pub const ROUTE: &[Rule<ServingInputs>] = &[
    rule("spec.parentRefs[0].group", "the platform's gateway", DEFAULT, |i| by_default(i).then(|| json!("gateway.networking.k8s.io"))),
    rule("spec.parentRefs[0].kind", "the platform's gateway", DEFAULT, |i| by_default(i).then(|| json!("Gateway"))),
    rule("spec.parentRefs[0].name", "the gateway, else the platform's", GATEWAY, |i| i.gateway().map(|(_, name)| json!(name))),
    rule("spec.parentRefs[0].namespace", "that of the gateway; left out when the service states its own", GATEWAY, |i| i.gateway().filter(|(namespace, _)| by_default(i) || *namespace != i.service.namespace).map(|(namespace, _)| json!(namespace))),
    rule("spec.hostnames", "the host names of the service", &["spec.httpRoute.hostnames"], |i| i.hostnames()),
    constant("spec.rules[0].matches[0].path", "always: the whole API", data!({"type": "PathPrefix", "value": "/"})),
    rule("spec.rules[0].matches[0].headers", "requests name the service", OF_SERVICE, |i| Some(json!([{"name": HEADER, "type": "Exact", "value": i.service.name}]))),
    rule("spec.rules[0].backendRefs", "the pool", OF_SERVICE, |i| Some(json!([{"group": "inference.networking.k8s.io", "kind": "InferencePool", "name": i.service.name}]))),
];

/// The DestinationRule.
#[rustfmt::skip]
pub const DESTINATION: &[Rule<ServingInputs>] = &[
    rule("spec.host", "the Service of the endpoint picker", &["metadata.name", "metadata.namespace"], |i| Some(json!(format!("{}.{}.svc.cluster.local", i.picker, i.service.namespace)))),
    constant("spec.trafficPolicy.tls", "always: the endpoint picker signs its certificate itself", data!({"mode": "SIMPLE", "insecureSkipVerify": true})),
];

/// The tables, for documentation.
pub fn tables() -> Vec<Table> {
    vec![
        Table::of("InferencePool and HTTPRoute", NAMES),
        Table::of("labels of InferencePool and HTTPRoute", LABELS),
        Table::of("InferencePool", POOL),
        Table::of("HTTPRoute", ROUTE),
        Table::of("DestinationRule", DESTINATION),
    ]
}

fn by_default(inputs: &ServingInputs) -> bool {
    inputs.service.spec.http_route.is_none()
}
