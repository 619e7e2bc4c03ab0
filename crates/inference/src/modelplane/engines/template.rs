//! Templates of pods.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolbox::path;

/// The template of the pods of a member: a small part of Kubernetes' PodTemplateSpec.
///
/// It stays as the user wrote it, because a deployment copies it to its replicas.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct PodTemplate(#[cfg_attr(feature = "generate", schemars(with = "schema::Template"))] Value);

/// A container in a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Container<'a>(&'a Value);

impl PodTemplate {
    /// The template as it is written.
    pub fn written(&self) -> &Value {
        &self.0
    }

    /// The labels, if there are any.
    pub fn labels(&self) -> Option<&Map<String, Value>> {
        self.entries("metadata.labels")
    }

    /// The annotations, if there are any.
    pub fn annotations(&self) -> Option<&Map<String, Value>> {
        self.entries("metadata.annotations")
    }

    /// The container of the engine. A template without one is possible.
    pub fn container(&self) -> Option<Container<'_>> {
        path::get(&self.0, "spec.containers[0]").map(Container)
    }

    /// The Secrets with credentials for registries.
    pub fn image_pull_secrets(&self) -> &[Value] {
        list(&self.0, "spec.imagePullSecrets")
    }

    fn entries(&self, path: &str) -> Option<&Map<String, Value>> {
        path::get(&self.0, path)?.as_object().filter(|entries| !entries.is_empty())
    }
}

impl<'a> Container<'a> {
    /// The image.
    pub fn image(self) -> &'a str {
        self.0["image"].as_str().unwrap_or_default()
    }

    /// The command. Empty when it is that of the image.
    pub fn command(self) -> &'a [Value] {
        list(self.0, "command")
    }

    /// The arguments.
    pub fn arguments(self) -> Vec<&'a str> {
        list(self.0, "args").iter().filter_map(Value::as_str).collect()
    }

    /// The environment variables.
    pub fn variables(self) -> &'a [Value] {
        list(self.0, "env")
    }
}

fn list<'a>(value: &'a Value, path: &str) -> &'a [Value] {
    path::get(value, path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// What a template may have. Only its schema is needed.
#[cfg(feature = "generate")]
mod schema {
    #![expect(dead_code, reason = "only the schemas of the types are used")]

    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use toolbox::structural::rule;

    use crate::modelplane::engines::rules::{self, labels};

    /// Template of the pods: a small part of a PodTemplateSpec.
    #[derive(JsonSchema)]
    pub(super) struct Template {
        /// Labels and annotations of the pods.
        metadata: Option<TemplateMetadata>,
        /// The pods.
        spec: Option<TemplateSpec>,
    }

    /// Labels and annotations of pods, e.g. for a service mesh.
    #[derive(JsonSchema)]
    #[schemars(transform = rules::member_metadata)]
    struct TemplateMetadata {
        /// Labels. Keys that start with `modelplane.ai/` are reserved.
        #[schemars(transform = labels)]
        labels: Option<BTreeMap<String, String>>,
        /// Annotations.
        #[schemars(transform = rules::annotations)]
        annotations: Option<BTreeMap<String, String>>,
    }

    /// A small part of a PodSpec.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct TemplateSpec {
        /// The only container, with the name `engine`.
        #[schemars(
            length(min = 1, max = 1),
            transform = rule("self.exists_one(c, c.name == 'engine')", "the single container must be named 'engine'")
        )]
        containers: Vec<EngineContainer>,
        /// Secrets with credentials for registries of images.
        image_pull_secrets: Option<Vec<SecretName>>,
    }

    /// The container of the engine.
    #[derive(JsonSchema)]
    struct EngineContainer {
        /// Name of the container: `engine`.
        #[schemars(length(min = 1))]
        name: String,
        /// Image of the engine, e.g. `vllm/vllm-openai:v0.11.0`.
        #[schemars(length(min = 1))]
        image: String,
        /// Command instead of that of the image. In a gang it finds the leader at `$(MODELPLANE_LEADER_ADDRESS)`, and
        /// `$(MODELPLANE_RANK)` is 0 for the leader and counts the workers from 1.
        command: Option<Vec<String>>,
        /// Arguments of the engine, e.g. `--tensor-parallel-size=8`.
        args: Option<Vec<String>>,
        /// Environment variables.
        env: Option<Vec<EngineVariable>>,
    }

    /// An environment variable.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct EngineVariable {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<String>,
        /// Where its value comes from.
        value_from: Option<VariableSource>,
    }

    /// Where the value of an environment variable comes from.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct VariableSource {
        /// A key of a Secret on the workload cluster.
        secret_key_ref: Option<KeyOf>,
        /// A key of a ConfigMap on the workload cluster.
        config_map_key_ref: Option<KeyOf>,
        /// A field of the pod, e.g. `status.podIP`.
        field_ref: Option<PodField>,
    }

    /// A key of an object.
    #[derive(JsonSchema)]
    struct KeyOf {
        /// Name of the object.
        name: String,
        /// The key.
        key: String,
        /// Whether the object and the key may be missing.
        optional: Option<bool>,
    }

    /// A field of the pod.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct PodField {
        /// Path of the field.
        field_path: String,
        /// API version of the path.
        api_version: Option<String>,
    }

    /// A Secret.
    #[derive(JsonSchema)]
    struct SecretName {
        /// Its name.
        name: String,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_template_has() {
        let template = |value: Value| -> PodTemplate { serde_json::from_value(value).expect("a template") };
        let container = json!({
            "name": "engine", "image": "vllm", "command": ["sh"], "args": ["-c", "x"], "env": [{"name": "A", "value": "b"}],
        });
        let whole = json!({
            "metadata": {"labels": {"a": "b"}, "annotations": {"c": "d"}},
            "spec": {"containers": [container], "imagePullSecrets": [{"name": "registry"}]},
        });
        let read = template(whole.clone());
        assert_eq!(read.written(), &whole);
        assert_eq!(read.labels(), json!({"a": "b"}).as_object());
        assert_eq!(read.annotations(), json!({"c": "d"}).as_object());
        assert_eq!(read.image_pull_secrets(), [json!({"name": "registry"})]);
        let found = read.container().expect("a container");
        assert_eq!((found.image(), found.command(), found.arguments()), ("vllm", &[json!("sh")][..], vec!["-c", "x"]));
        assert_eq!(found.variables(), [json!({"name": "A", "value": "b"})]);

        let empty = template(json!({"metadata": {"labels": {}}}));
        assert_eq!((empty.labels(), empty.annotations(), empty.container()), (None, None, None));
        assert!(empty.image_pull_secrets().is_empty());
    }
}
