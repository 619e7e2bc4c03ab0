//! The documents that `crossplane render` prints, in its order.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};

use crate::cli::cluster::text;
use crate::cli::preview::Composite;
use crate::wit::preview::StepResult;
use crate::wit::types::Severity;

/// The reason of results without one.
const REASON: &str = "ComposeResources";

/// What to print beside status and resources.
pub(super) struct Parts {
    pub(super) whole_composite: bool,
    pub(super) results: bool,
    pub(super) context: bool,
}

/// The documents of a composite. In a cascade, a composed resource that is a composite itself is printed once, before its
/// own resources.
pub(super) fn documents(composite: &Composite, parts: &Parts) -> Result<Vec<Value>> {
    let mut documents = vec![match &composite.written {
        Some(written) if parts.whole_composite => whole(&composite.object, written),
        Some(_) => outcome(&composite.object),
        None => composite.object.clone(),
    }];
    for resource in composite.rendered.resources.iter().filter(|resource| resource.composite.is_none()) {
        documents.push(parse(&resource.object)?);
    }
    if parts.results {
        documents.extend(results(composite));
    }
    if parts.context {
        let entries = composite.rendered.context.iter();
        let fields =
            entries.map(|entry| Ok((entry.key.clone(), parse(&entry.value)?))).collect::<Result<Map<_, _>>>()?;
        documents.push(json!({ "apiVersion": "render.crossplane.io/v1beta1", "kind": "Context", "fields": fields }));
    }
    Ok(documents)
}

/// The fields of a composite that the pipeline changed.
fn outcome(object: &Value) -> Value {
    let mut metadata = Map::new();
    for key in ["name", "namespace"] {
        let value = text(object, &format!("/metadata/{key}"));
        if !value.is_empty() {
            metadata.insert(key.to_owned(), value.into());
        }
    }
    let mut outcome = json!({
        "apiVersion": object.get("apiVersion"),
        "kind": object.get("kind"),
        "metadata": metadata,
        "status": object.get("status"),
    });
    if let (Some(references), Some(outcome)) =
        (object.pointer("/spec/crossplane/resourceRefs"), outcome.as_object_mut())
    {
        outcome.insert("spec".to_owned(), json!({ "crossplane": { "resourceRefs": references } }));
    }
    outcome
}

/// The whole composite. `crossplane render` merges the new status into the status in the file, so old fields of the
/// status stay.
fn whole(object: &Value, written: &Value) -> Value {
    let mut whole = object.clone();
    if let (Some(before), Some(status)) = (written.get("status"), whole.get_mut("status")) {
        let now = std::mem::replace(status, before.clone());
        overlay(status, &now);
    }
    whole
}

fn overlay(value: &mut Value, over: &Value) {
    match (value, over) {
        (Value::Object(map), Value::Object(over)) => {
            for (key, over) in over {
                overlay(map.entry(key).or_insert(Value::Null), over);
            }
        }
        (value, over) => *value = over.clone(),
    }
}

/// The results, as documents: first Crossplane's result about the Composition, then those of the steps and of
/// Crossplane in their order.
fn results(composite: &Composite) -> Vec<Value> {
    let result = |severity: &str, reason: &str, message: String| {
        json!({
            "apiVersion": "render.crossplane.io/v1beta1",
            "kind": "Result",
            "severity": severity,
            "reason": reason,
            "message": message,
        })
    };
    let selected = composite.rendered.composition.as_ref().filter(|name| {
        let known = composite.written.as_ref().and_then(|written| written.pointer("/spec/crossplane/compositionRef"));
        known != Some(&json!({ "name": name }))
    });
    let selected = selected
        .map(|name| result("Normal", "SelectComposition", format!("Successfully selected composition: {name}")));
    let results = composite.rendered.results.iter().map(|StepResult { step, outcome }| {
        let severity = match outcome.severity {
            Severity::Normal => "Normal",
            Severity::Warning => "Warning",
        };
        let message = match step.as_str() {
            "" => outcome.message.clone(),
            step => format!("Pipeline step {step:?}: {}", outcome.message),
        };
        result(severity, outcome.reason.as_deref().filter(|reason| !reason.is_empty()).unwrap_or(REASON), message)
    });
    selected.into_iter().chain(results).collect()
}

fn parse(json: &str) -> Result<Value> {
    serde_json::from_str(json).context("a module printed something that is no JSON")
}
