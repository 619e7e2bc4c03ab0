//! How many objects there are of each kind, and when: as the comments of the files in `answers` say.

mod clouds;
mod clusters;
mod gateway;
mod stacks;

use std::collections::HashMap;

use function_sdk_rust::proto::v1::{
    Ready, Resource, Resources, RunFunctionRequest, RunFunctionResponse, State, Status,
};
use function_sdk_rust::resource;
use serde_json::{Value, json};

use super::answer;

/// The ProviderConfigs of what composes on a cluster.
const CONFIGS: &[&str] = &["provider-config-helm", "provider-config-kubernetes"];

/// What a pass is given: a composite of a kind, observed objects, and answers of lookups.
#[derive(Clone, Default)]
struct Given {
    kind: &'static str,
    spec: Value,
    observed: Vec<(String, Value)>,
    required: Vec<(&'static str, Vec<Value>)>,
}

/// What it answers.
#[derive(Default)]
struct Want<'a> {
    keys: &'a [&'a [&'a str]],
    /// Only these are ready.
    ready: &'a [&'a str],
    status: Value,
    /// Conditions and results.
    says: &'a [&'a str],
}

impl Given {
    fn new(kind: &'static str, spec: Value) -> Self {
        Self { kind, spec, ..Self::default() }
    }

    fn sees(&self, objects: &[(&str, Value)]) -> Self {
        let mut given = self.clone();
        given.observed.extend(objects.iter().map(|(key, object)| ((*key).to_owned(), object.clone())));
        given
    }

    fn finds(&self, lookup: &'static str, objects: &[Value]) -> Self {
        let mut given = self.clone();
        given.required.push((lookup, objects.to_vec()));
        given
    }

    fn request(&self) -> RunFunctionRequest {
        // Only these two are no objects of a namespace.
        let namespaced = !["InferenceCluster", "InferenceGateway"].contains(&self.kind);
        let namespace = namespaced.then_some("modelplane-system");
        let metadata = json!({"name": "test-cluster", "namespace": namespace});
        let composite = json!({"kind": self.kind, "metadata": metadata, "spec": self.spec});
        let observed = self.observed.iter().map(|(key, object)| (key.clone(), held(object))).collect();
        let required = self
            .required
            .iter()
            .map(|(name, objects)| ((*name).to_owned(), Resources { items: objects.iter().map(held).collect() }));
        RunFunctionRequest {
            observed: Some(State { composite: Some(held(&composite)), resources: observed }),
            required_resources: required.collect(),
            ..RunFunctionRequest::default()
        }
    }
}

fn held(object: &Value) -> Resource {
    let mut held = Resource::default();
    resource::update(&mut held, object).expect("an object");
    held
}

/// An object with these conditions.
fn with(conditions: &[&str]) -> Value {
    let conditions: Vec<_> = conditions.iter().map(|it| json!({"type": it, "status": "True"})).collect();
    json!({"status": {"conditions": conditions}})
}

fn check(what: &str, given: &Given, want: &Want<'_>) -> RunFunctionResponse {
    let response = answer(given.request()).unwrap_or_else(|error| panic!("{what}: {error:#}"));
    let desired = response.desired.clone().unwrap_or_default();
    let mut wanted: Vec<_> = want.keys.concat();
    wanted.sort_unstable();
    assert_eq!(sorted(&desired.resources, |_| true), wanted, "{what}");
    let ready = sorted(&desired.resources, |it| it.ready == Ready::True as i32);
    assert_eq!(ready, want.ready, "{what}: ready");
    for (key, it) in &desired.resources {
        let object = it.resource.as_ref().map(resource::struct_to_json).unwrap_or_default().to_string();
        assert!(
            ["${", "\"$only\"", "\"$each\"", "\"$item\""].iter().all(|it| !object.contains(it)),
            "{what}: {key} is {object}"
        );
    }
    let composite = desired.composite.and_then(|it| it.resource).map(|it| resource::struct_to_json(&it));
    assert_eq!(composite.unwrap_or_default()["status"], want.status, "{what}: status");
    let conditions = response.conditions.iter().map(|it| {
        let holds = it.status == Status::ConditionTrue as i32;
        format!("{} {holds} {}", it.r#type, it.reason)
    });
    let says: Vec<_> = conditions.chain(response.results.iter().map(|it| it.message.clone())).collect();
    assert_eq!(says, want.says, "{what}");
    response
}

fn sorted(resources: &HashMap<String, Resource>, which: impl Fn(&Resource) -> bool) -> Vec<&str> {
    let mut keys: Vec<_> = resources.iter().filter(|(_, it)| which(it)).map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys
}

/// A desired object.
fn desired(response: &RunFunctionResponse, key: &str) -> Value {
    let found = response.desired.as_ref().and_then(|it| it.resources.get(key)?.resource.as_ref());
    found.map(resource::struct_to_json).unwrap_or_else(|| panic!("no {key}"))
}
