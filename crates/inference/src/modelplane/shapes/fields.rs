//! The fields of earlier shapes, as the definitions have them beside those of v0.3.1.
//!
//! Only their outlines are stated: what becomes of them is validated in full by the definition itself.

#![expect(dead_code, reason = "only the schemas of the types are used")]

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::Value;
use toolbox::structural::{rule, schema_of};

use crate::modelplane::package;

const RULES: &str = "x-kubernetes-validations";

/// The schema of a kind with the fields of `E` beside those of its spec `S`. `instead` are fields that are not required, because
/// earlier ones may be there instead.
pub(crate) fn with_earlier<S: JsonSchema, T: JsonSchema, E: JsonSchema>(instead: &[&str]) -> Value {
    let mut schema = package::schema::<S, T>();
    let (spec, mut earlier) = (&mut schema["properties"]["spec"], schema_of::<E>());
    if let (Some(fields), Value::Object(earlier)) = (spec["properties"].as_object_mut(), earlier["properties"].take()) {
        fields.extend(earlier);
    }
    if let (Some(Value::Array(rules)), Some(Value::Array(earlier))) = (spec.get_mut(RULES), earlier.get_mut(RULES)) {
        rules.append(earlier);
    }
    if let Some(required) = spec["required"].as_array_mut() {
        required.retain(|field| !instead.iter().any(|name| field == name));
    }
    schema
}

/// The fields of a deployment before there was a template, and before there were engines.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EarlierDeployment {
    /// Before v0.2.0: `template.spec.engines`.
    #[schemars(length(min = 1, max = 8))]
    engines: Option<Vec<Open>>,
    /// Before v0.2.0: `template.spec.serving`. Before there were engines: a list with one profile.
    serving: Option<Anything>,
    /// Before v0.2.0: `template.spec.clusterSelector`.
    cluster_selector: Option<EarlierLabels>,
    /// Before it was called `clusterSelector`.
    environment_selector: Option<EarlierLabels>,
    /// Before v0.2.0: `template.spec.modelCacheRef`.
    model_cache_ref: Option<EarlierReference>,
    /// Before there were engines: the pods of the engine `main`, or with `prefill` of the engine `decode`.
    workers: Option<EarlierWorkers>,
    /// Before there were engines: which nodes the pods need.
    node_selector: Option<EarlierSelector>,
    /// Before `workers.template`: the container of the engine.
    engine: Option<Open>,
    /// Before `workers.topology`: the same.
    topology: Option<Open>,
    /// Before `workers.count`: the same.
    #[schemars(range(min = 1))]
    instances: Option<u32>,
    /// Before there were engines: the engine `prefill`. It has fields like the spec itself, from `workers` to `instances`.
    prefill: Option<Open>,
    /// Before there were engines: the engine `decode`, if the spec itself does not say it.
    decode: Option<Open>,
    /// The engine fetches its own weights: it is left out.
    source: Option<String>,
    /// The engine fetches its own weights: it is left out.
    hugging_face: Option<Open>,
}

/// What a replica was pinned to before that was a name.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = rule(
    "has(self.clusterName) || has(self.inferenceClusterRef) || has(self.inferenceEnvironmentRef)",
    "spec.clusterName is required",
))]
pub(crate) struct EarlierReplica {
    /// Before it was called `clusterName`.
    inference_cluster_ref: Option<EarlierReference>,
    /// Before it was called `clusterName`.
    inference_environment_ref: Option<EarlierReference>,
}

/// Pods that are alike.
#[derive(JsonSchema)]
struct EarlierWorkers {
    /// How many workers each replica has: the copies of the engine.
    #[schemars(range(min = 1))]
    count: Option<u32>,
    /// How the model is spread over the nodes and devices of a worker.
    topology: Option<EarlierTopology>,
    /// Processor and memory of the engine of each pod.
    resources: Option<EarlierResources>,
    /// Template of the pods: `template.spec.engines[].members[].template`. Containers beside `engine` are left out.
    template: Option<Open>,
}

/// The axes in which a model is spread: pipeline × (data / dataLocal) nodes, with tensor × dataLocal devices each.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EarlierTopology {
    /// Which of the numbers count. They say it themselves.
    strategy: Option<String>,
    /// Devices for each part of the model.
    #[schemars(range(min = 1))]
    tensor: u32,
    /// Stages.
    #[schemars(range(min = 1))]
    pipeline: Option<u32>,
    /// Copies of the attention layers.
    #[schemars(range(min = 1))]
    data: Option<u32>,
    /// How many of these copies each node has. It divides `data`.
    #[schemars(range(min = 1))]
    data_local: Option<u32>,
}

/// Processor and memory.
#[derive(JsonSchema)]
struct EarlierResources {
    /// Processors, e.g. `8`.
    cpu: Option<String>,
    /// Memory, e.g. `64Gi`.
    memory: Option<String>,
}

/// Which nodes pods need.
#[derive(JsonSchema)]
struct EarlierSelector {
    /// An expression about the class of the nodes: `attributes["DOMAIN/NAME"]` with a type like `.string`,
    /// `capacity["DOMAIN/NAME"]`, and `capabilities["KEY"]`. An empty one holds of every GPU.
    #[schemars(length(max = 10240))]
    cel: Option<String>,
    /// The requests for devices of `template.spec.engines[].members[].nodeSelector`.
    #[schemars(length(min = 1, max = 16))]
    devices: Option<Vec<Open>>,
}

/// Labels that objects must have.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EarlierLabels {
    /// The labels.
    match_labels: Option<BTreeMap<String, String>>,
}

/// An object by its name.
#[derive(JsonSchema)]
struct EarlierReference {
    /// Its name.
    #[schemars(length(min = 1))]
    name: String,
}

/// An object whose fields are those of another version.
pub(crate) struct Open;

impl JsonSchema for Open {
    fn schema_name() -> Cow<'static, str> {
        "Open".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
    }
}

/// A value of any type.
struct Anything;

impl JsonSchema for Anything {
    fn schema_name() -> Cow<'static, str> {
        "Anything".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"x-kubernetes-preserve-unknown-fields": true})
    }
}
