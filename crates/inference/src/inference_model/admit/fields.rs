//! What an API server would refuse in a composed object, and what does not do what it seems to.

use contract::types::{Code, Problem};
use quantity::Quantity;
use serde_json::{Map, Value};
use toolbox::path;

use crate::inference_model::activity;
use crate::inference_model::backend::{self, Service};
use crate::inference_model::memory;
use crate::inference_model::names;
use crate::inference_model::options::InferenceModelOptions;
use crate::inference_model::status::FINALIZER;
use crate::label_texts::{is_key, is_value};

pub(super) const MEMORY: &str = "spec.memory";
pub(super) const RESOURCES: &str = "spec.resources";
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
    problems.extend(resources(object));
    let labels = path::get(object, NODE_SELECTOR).and_then(Value::as_object).into_iter().flatten();
    for (label, value) in labels.filter(|(label, value)| !is_key(label) || !value.as_str().is_some_and(is_value)) {
        let message = format!(
            "no node has a label `{label}: {}`; give a key like `example.org/pool` and a value of at most 63 letters, digits, `-`, `_` and `.`",
            value.as_str().unwrap_or_default()
        );
        problems.push(Problem::new(path::key(NODE_SELECTOR, label), Code::Invalid, message));
    }
    if text(object, IMAGE).is_some_and(|image| image.trim() != image) {
        let message = "no image is called so: the text has a blank at its start or end; remove it";
        problems.push(Problem::new(IMAGE, Code::Invalid, message));
    }
    problems
}

/// What is wrong with the resources of the container. One without an image has none.
fn resources(object: &Value) -> Vec<Problem> {
    let none = Map::new();
    let list =
        |list: &str| path::get(object, &format!("{RESOURCES}.{list}")).and_then(Value::as_object).unwrap_or(&none);
    let (requests, limits) = (list("requests"), list("limits"));
    let mut problems = Vec::new();
    for (name, amounts) in [("requests", requests), ("limits", limits)] {
        for (resource, amount) in amounts {
            let Some(stated) = amount.as_str().filter(|text| !text.is_empty()) else { continue };
            let mut refuse = |message: String| {
                problems.push(Problem::new(format!("{RESOURCES}.{name}.{resource}"), Code::Invalid, message));
            };
            match stated.parse::<Quantity>() {
                Err(_) => refuse(format!("`{stated}` is no quantity; give one like `1` or `80Gi`")),
                Ok(amount) if amount.sign() < 0 => refuse("the amount is negative; give 0 or more".to_owned()),
                Ok(amount) if resource == "gpu" && !amount.rounded_up(0).1 => {
                    refuse("there are only whole GPUs; give an integer".to_owned());
                }
                Ok(_) => {}
            }
        }
    }
    let memory = text(object, MEMORY);
    let amount = |amounts: &Map<String, Value>, name: &str| -> Option<(String, Quantity)> {
        let stated = amounts.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let stated = stated.or(memory.filter(|_| name == "memory"))?;
        Some((stated.to_owned(), stated.parse().ok()?))
    };
    for name in ["cpu", "memory", "gpu"] {
        let (Some((request, asked)), Some((limit, most))) = (amount(requests, name), amount(limits, name)) else {
            continue;
        };
        let at = format!("{RESOURCES}.requests.{name}");
        if name == "gpu" && asked != most {
            let message = format!(
                "the request of {request} GPUs and their limit of {limit} differ, and pods cannot share GPUs; give the same number"
            );
            problems.push(Problem::new(at, Code::Invalid, message));
        } else if asked > most {
            let message = format!(
                "the request of {request} is over the limit of {limit}, and no pod can have it; raise the limit or ask for less"
            );
            problems.push(Problem::new(at, Code::Invalid, message));
        }
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
