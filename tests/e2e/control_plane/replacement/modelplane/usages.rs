//! The second step of a ServingStack: what uses a ProviderConfig keeps it.

use anyhow::Context as _;
use function_sdk_rust::{resource, response};
use serde_json::{Value, json};

use super::call::{Call, Composed};

/// The kinds that use the ProviderConfigs of their groups.
const CONSUMERS: &[(&str, &str)] = &[("helm.m.crossplane.io", "Release"), ("kubernetes.m.crossplane.io", "Object")];
/// The label by which a Usage finds who uses.
const LABEL: &str = "modelplane.ai/usage-consumer";

impl Call {
    /// The steps of v0.3.1 are functions of their own. This one alone is not the first step, which is given nothing desired.
    pub(super) fn is_for_usages(&self) -> bool {
        self.request.desired.as_ref().is_some_and(|desired| !desired.resources.is_empty())
    }

    pub(super) fn usages(&mut self) -> Composed {
        let namespace = self.meta("namespace");
        if namespace.is_empty() {
            return Ok(());
        }
        for (key, object) in self.desired_objects() {
            if let Some(config) = config_of(&object) {
                self.usage(&namespace, &key, &object, config)?;
            }
        }
        Ok(())
    }

    /// Those of earlier steps, in the order of their keys.
    fn desired_objects(&self) -> Vec<(String, Value)> {
        let all = self.response.desired.iter().flat_map(|desired| &desired.resources);
        let objects = all.filter_map(|(key, it)| Some((key.clone(), resource::struct_to_json(it.resource.as_ref()?))));
        let mut objects: Vec<_> = objects.collect();
        objects.sort_by(|one, other| one.0.cmp(&other.0));
        objects
    }

    fn usage(&mut self, namespace: &str, consumer: &str, object: &Value, config: &str) -> Composed {
        let key = format!("usage-pc-{consumer}");
        if self.response.desired.as_ref().is_some_and(|it| it.resources.contains_key(&key)) {
            let message = format!("cannot compose Usage: desired resource '{key}' already exists");
            response::warning(&mut self.response, message);
            return Ok(());
        }
        let mut metadata = object["metadata"].as_object().cloned().unwrap_or_default();
        let labels = metadata.entry("labels").or_insert_with(|| json!({}));
        labels.as_object_mut().context("labels are no mapping")?.insert(LABEL.to_owned(), consumer.into());
        let consumed = response::desired_composed(&mut self.response, consumer);
        resource::update(consumed, &json!({ "metadata": metadata }))?;

        let (api_version, kind) = (&object["apiVersion"], &object["kind"]);
        let selector = json!({"matchControllerRef": true, "matchLabels": {LABEL: consumer}});
        let spec = json!({
            "of": {"apiVersion": api_version, "kind": "ProviderConfig", "resourceRef": {"name": config}},
            "by": {"apiVersion": api_version, "kind": kind, "resourceSelector": selector},
            "replayDeletion": true,
        });
        let usage = json!({
            "apiVersion": "protection.crossplane.io/v1beta1",
            "kind": "Usage",
            "metadata": {"namespace": namespace},
            "spec": spec,
        });
        self.desired(&key, &usage, true)
    }
}

/// The name of the ProviderConfig that an object uses.
fn config_of(object: &Value) -> Option<&str> {
    let (group, _) = object["apiVersion"].as_str()?.split_once('/')?;
    let consumes = CONSUMERS.contains(&(group, object["kind"].as_str()?));
    object["spec"]["providerConfigRef"]["name"].as_str().filter(|name| consumes && !name.is_empty())
}
