//! What leads requests to the pods of a replica: a route at the gateway of the cluster, and the pool behind it.

use serde_json::json;
use toolbox::data;
use toolbox::rule::{Rule, constant, rule};

use crate::modelplane::engines::SERVING_PORT;
use crate::modelplane::labels::{SYSTEM_NAMESPACE, WORKLOAD_GATEWAY, WORKLOAD_NAMESPACE};
use crate::modelplane::model_replica::inputs::ReplicaInputs;

const NAME: &str = "metadata.name";

/// The port of the endpoint picker.
pub const PICKER_PORT: i64 = 9002;
/// The group of InferencePools.
pub const POOL_GROUP: &str = "inference.networking.k8s.io";

/// The HTTPRoute.
#[rustfmt::skip]
pub const ROUTE: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", "name of the replica", &[NAME], |it| Some(json!(it.name))),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    constant("spec.parentRefs", "always: the gateway of a workload cluster", data!([{"name": WORKLOAD_GATEWAY, "namespace": SYSTEM_NAMESPACE}])),
    constant("spec.rules[0].matches[0].path.type", "always: the whole API", data!("PathPrefix")),
    rule("spec.rules[0].matches[0].path.value", "each replica has a path of its own", &["metadata.namespace", NAME], |it| Some(json!(it.path()))),
    constant("spec.rules[0].timeouts.request", "always: an answer may take long", data!("0s")),
    constant("spec.rules[0].filters", "always: engines know nothing of the path", data!([{"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}])),
    constant("spec.rules[0].backendRefs[0].group", "always: an InferencePool", data!(POOL_GROUP)),
    constant("spec.rules[0].backendRefs[0].kind", "always: an InferencePool", data!("InferencePool")),
    rule("spec.rules[0].backendRefs[0].name", "the pool of the replica", &[NAME], |it| Some(json!(it.pool()))),
];

/// The InferencePool.
#[rustfmt::skip]
pub const POOL: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", "name of the replica, with `-pool`; truncated, with a hash, when it would be longer than a label", &[NAME], |it| Some(json!(it.pool()))),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    rule("spec.selector.matchLabels[modelplane.ai/serving]", "the pods that serve", &[NAME], |it| Some(json!(it.label()))),
    constant("spec.targetPorts", "always: the port where pods serve", data!([{"number": SERVING_PORT}])),
    rule("spec.endpointPickerRef.name", "the endpoint picker of the replica", &[NAME], |it| Some(json!(it.picker()))),
    constant("spec.endpointPickerRef.port.number", "always: the port of the endpoint picker", data!(PICKER_PORT)),
    constant("spec.endpointPickerRef.failureMode", "always: without the endpoint picker, any pod", data!("FailOpen")),
];
