//! The endpoint picker, which chooses a pod of the replica for each request, by what is in the caches of the pods.

use serde_json::{Value, json};
use toolbox::data;
use toolbox::hashed::sha256;
use toolbox::rule::{Rule, constant, rule};

use super::surface::{PICKER_PORT, POOL_GROUP};
use crate::modelplane::labels::WORKLOAD_NAMESPACE;
use crate::modelplane::model_replica::inputs::ReplicaInputs;

const NAME: &str = "metadata.name";
const OBJECTS: &str = "name of the replica, with `-epp`; truncated, with a hash, when it would be longer than a label";
const OF_REPLICA: &str = "the endpoint picker of the replica";
const CONFIG_CAUSES: &[&str] = &["spec.serving.mode", "spec.engines"];

/// The ServiceAccount.
#[rustfmt::skip]
pub const ACCOUNT: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", OBJECTS, &[NAME], name),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
];

/// The Role.
#[rustfmt::skip]
pub const ROLE: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", OBJECTS, &[NAME], name),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    constant("rules", "always: it reads pods, pools and objectives", data!([
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "watch", "list"]},
        {"apiGroups": [POOL_GROUP], "resources": ["inferencepools"], "verbs": ["get", "watch", "list"]},
        {"apiGroups": ["inference.networking.x-k8s.io"], "resources": ["inferenceobjectives"], "verbs": ["get", "watch", "list"]},
    ])),
];

/// The RoleBinding.
#[rustfmt::skip]
pub const BINDING: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", OBJECTS, &[NAME], name),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    constant("roleRef.apiGroup", "always: a Role", data!("rbac.authorization.k8s.io")),
    constant("roleRef.kind", "always: a Role", data!("Role")),
    rule("roleRef.name", OF_REPLICA, &[NAME], name),
    constant("subjects[0].kind", "always: a ServiceAccount", data!("ServiceAccount")),
    rule("subjects[0].name", OF_REPLICA, &[NAME], name),
    constant("subjects[0].namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
];

/// The ConfigMap.
#[rustfmt::skip]
pub const CONFIG: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", OBJECTS, &[NAME], name),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    rule("data[epp-config.yaml]", "how the serving mode is routed, with the size of the engine's cache blocks", CONFIG_CAUSES, |it| Some(json!(config(it)))),
];

/// The Deployment.
#[rustfmt::skip]
pub const PICKER: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", OBJECTS, &[NAME], name),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    constant("spec.replicas", "always: it has its knowledge in memory", data!(1)),
    rule("spec.selector.matchLabels.app", OF_REPLICA, &[NAME], name),
    rule("spec.template.metadata.labels.app", OF_REPLICA, &[NAME], name),
    rule("spec.template.metadata.annotations[modelplane.ai/epp-config-checksum]", "it reads its configuration when it starts", CONFIG_CAUSES, |it| Some(json!(sha256([config(it).as_str()])))),
    rule("spec.template.spec.serviceAccountName", OF_REPLICA, &[NAME], name),
    constant("spec.template.spec.containers[0].name", "always: the endpoint picker", data!("epp")),
    // An upgrade is a change here.
    constant("spec.template.spec.containers[0].image", "always: the endpoint picker of llm-d", data!("ghcr.io/llm-d/llm-d-router-endpoint-picker:v0.9.0")),
    rule("spec.template.spec.containers[0].args", "the pool of the replica, and its configuration", &[NAME], |it| Some(arguments(it))),
    constant("spec.template.spec.containers[0].ports", "always: its ports", data!([{"name": "grpc", "containerPort": PICKER_PORT}, {"name": "grpc-health", "containerPort": 9003}])),
    constant("spec.template.spec.containers[0].volumeMounts", "always: its configuration", data!([{"name": "config", "mountPath": "/config"}])),
    constant("spec.template.spec.volumes[0].name", "always: its configuration", data!("config")),
    rule("spec.template.spec.volumes[0].configMap.name", OF_REPLICA, &[NAME], name),
];

/// The Service.
#[rustfmt::skip]
pub const SERVICE: &[Rule<ReplicaInputs>] = &[
    rule("metadata.name", OBJECTS, &[NAME], name),
    constant("metadata.namespace", "always: where all workloads are", data!(WORKLOAD_NAMESPACE)),
    rule("spec.selector.app", OF_REPLICA, &[NAME], name),
    constant("spec.ports", "always: the gateway asks it over HTTP/2", data!([{"name": "grpc-ext-proc", "port": PICKER_PORT, "targetPort": PICKER_PORT, "appProtocol": "http2"}])),
];

fn name(inputs: &ReplicaInputs) -> Option<Value> {
    Some(json!(inputs.picker()))
}

fn arguments(inputs: &ReplicaInputs) -> Value {
    json!([
        format!("--pool-name={}", inputs.pool()),
        format!("--pool-namespace={WORKLOAD_NAMESPACE}"),
        format!("--pool-group={POOL_GROUP}"),
        "--config-file=/config/epp-config.yaml",
        format!("--grpc-port={PICKER_PORT}"),
    ])
}

/// The configuration, as YAML.
fn config(inputs: &ReplicaInputs) -> String {
    let text = if inputs.is_disaggregated() { DISAGGREGATED } else { UNIFIED };
    text.replace("{block}", &inputs.block_size().to_string())
}

/// Where one engine does both phases. The picker reads nothing about phases then, not even a word.
const UNIFIED: &str = "\
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: approx-prefix-cache-producer
  parameters:
    autoTune: false
    blockSizeTokens: {block}
    maxPrefixBlocksToMatch: 256
    lruCapacityPerServer: 31250
- type: prefix-cache-scorer
- type: queue-scorer
- type: max-score-picker
schedulingProfiles:
- name: default
  plugins:
  - pluginRef: max-score-picker
  - pluginRef: prefix-cache-scorer
    weight: 2
  - pluginRef: queue-scorer
    weight: 1
";

/// Where one engine does prefill and another decode. With `nonCachedTokens: 0` decode would do all by itself, and the
/// feature gate `prepareDataPlugins` crashes the picker.
const DISAGGREGATED: &str = "\
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins:
- type: approx-prefix-cache-producer
  parameters:
    autoTune: false
    blockSizeTokens: {block}
    maxPrefixBlocksToMatch: 256
    lruCapacityPerServer: 31250
- type: prefix-cache-scorer
- type: disagg-headers-handler
- type: queue-scorer
- type: prefill-filter
- type: decode-filter
- type: max-score-picker
- type: prefix-based-pd-decider
  parameters:
    nonCachedTokens: 16
- type: disagg-profile-handler
  parameters:
    deciders:
      prefill: prefix-based-pd-decider
schedulingProfiles:
- name: prefill
  plugins:
  - pluginRef: prefill-filter
  - pluginRef: max-score-picker
  - pluginRef: prefix-cache-scorer
    weight: 2
  - pluginRef: queue-scorer
    weight: 1
- name: decode
  plugins:
  - pluginRef: decode-filter
  - pluginRef: max-score-picker
  - pluginRef: prefix-cache-scorer
    weight: 2
  - pluginRef: queue-scorer
    weight: 1
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_engine_knows_no_phases() {
        assert!(!UNIFIED.contains("prefill") && !UNIFIED.contains("decider"));
        for text in [UNIFIED, DISAGGREGATED] {
            assert_eq!(text.matches("{block}").count(), 1);
        }
    }
}
