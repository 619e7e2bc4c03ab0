//! What an API server would refuse in a composed object, and what does not do what it seems to.

use budget::activity;
use budget::memory;
use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::path;

use crate::inference_model::amounts::{self, RESOURCES};
use crate::inference_model::backend::{self, Service};
use crate::inference_model::names;
use crate::inference_model::options::InferenceModelOptions;
use crate::inference_model::status::FINALIZER;
use crate::label_texts::{is_key, is_value};

pub(super) const MEMORY: &str = "spec.memory";
pub(super) const NODE_SELECTOR: &str = "spec.nodeSelector";
pub(super) const COOLDOWN: &str = "spec.cooldownPeriod";
pub(super) const BACKEND: &str = "spec.backendUrl";
pub(super) const IMAGE: &str = "spec.containerImage";

/// Everything that would be refused.
pub(super) fn denials(object: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    if text(object, MEMORY).is_some_and(|memory| memory::declared(memory).is_none()) {
        problems.push(Problem::new(MEMORY, Code::Invalid, memory::UNDECLARED));
    }
    // What is no such object is refused by the schema.
    let resources = path::get(object, RESOURCES).and_then(|it| serde_json::from_value(it.clone()).ok());
    let wrong = amounts::wrong(resources.as_ref(), text(object, MEMORY).unwrap_or_default());
    problems.extend(wrong.into_iter().map(|(path, message)| Problem::new(path, Code::Invalid, message)));
    let labels = path::get(object, NODE_SELECTOR).and_then(Value::as_object).into_iter().flatten();
    for (label, value) in labels.filter(|(label, value)| !is_key(label) || !value.as_str().is_some_and(is_value)) {
        let message = format!(
            "no node has a label `{label}: {}`; give a key like `example.org/pool` and a value of at most 63 letters, digits, `-`, `_` and `.`",
            value.as_str().unwrap_or_default()
        );
        problems.push(Problem::new(path::key(NODE_SELECTOR, label), Code::Invalid, message));
    }
    if path::get(object, BACKEND).is_some_and(Value::is_array) {
        problems.push(Problem::new(
            BACKEND,
            Code::TypeInvalid,
            "a list, and not a text; give one URL like `http://qwen3.models.svc:8080`",
        ));
    }
    if text(object, IMAGE).is_some_and(|image| image.trim() != image) {
        let message = "no image is called so: the text has a blank at its start or end; remove it";
        problems.push(Problem::new(IMAGE, Code::Invalid, message));
    }
    problems
}

/// All warnings that need no other object.
pub(super) fn warnings(object: &Value, options: &InferenceModelOptions) -> Vec<Problem> {
    let mut found = Vec::new();
    if text(object, COOLDOWN).is_some_and(|cooldown| activity::cooldown(cooldown).is_err()) {
        let message = "no duration over 0, so the cooldown is 10 minutes; give one like `10m`";
        found.push(Problem::new(COOLDOWN, Code::Invalid, message));
    }
    found.extend(port(object, options));
    let finalizers = path::get(object, "metadata.finalizers").and_then(Value::as_array);
    if finalizers.into_iter().flatten().any(|it| it == FINALIZER) {
        let message = format!(
            "`{FINALIZER}` is that of the Inference Budget Controller, and nobody else removes it, so a deletion would wait for ever; remove it once the controller is gone"
        );
        found.push(Problem::new("metadata.finalizers", Code::Forbidden, message));
    }
    found
}

/// A port of the model's own Service that is not that of its container.
fn port(object: &Value, options: &InferenceModelOptions) -> Option<Problem> {
    let (name, namespace) = (text(object, "metadata.name")?, text(object, "metadata.namespace")?);
    text(object, IMAGE).filter(|image| !image.is_empty())?;
    let url = text(object, BACKEND)?;
    let own = Service { name: names::service(name), namespace: namespace.to_owned() };
    let is_own = options.service && Service::of(url, namespace).as_ref() == Some(&own);
    let port = backend::port(url).filter(|port| is_own && i32::from(*port) != options.container_port)?;
    let message = format!(
        "Service `{}` and the container answer at port {}, and not at {port}; give that port",
        own.name, options.container_port
    );
    Some(Problem::new(BACKEND, Code::Invalid, message))
}

/// The text at a path of an object.
fn text<'o>(object: &'o Value, at: &str) -> Option<&'o str> {
    path::get(object, at).and_then(Value::as_str)
}
