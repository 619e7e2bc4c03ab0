//! What all providers do with managed resources, as values: patches, conditions, and what selectors select.

use serde_json::{Map, Value, json};
use tests::real::access::named;

use super::rows::{ROWS, Reference, Row, field};
use super::world::World;

/// The finalizer of managed resources.
pub(crate) const FINALIZER: &str = "finalizer.managedresource.crossplane.io";
const EXTERNAL_NAME: &str = "crossplane.io/external-name";
/// The time of all conditions.
const LONG_AGO: &str = "2026-01-01T00:00:00Z";

pub(crate) fn has_finalizer(object: &Value) -> bool {
    has(object, FINALIZER)
}

/// Whether an object has a finalizer.
pub(crate) fn has(object: &Value, finalizer: &str) -> bool {
    finalizers(object).iter().any(|it| it == finalizer)
}

pub(crate) fn with_finalizer(object: &Value) -> Value {
    with(object, FINALIZER)
}

pub(crate) fn without_finalizer(object: &Value) -> Value {
    without(object, FINALIZER)
}

/// The patch that adds a finalizer.
pub(crate) fn with(object: &Value, finalizer: &str) -> Value {
    let mut all = finalizers(object);
    all.push(finalizer.into());
    json!({"metadata": {"finalizers": all}})
}

/// The patch that takes a finalizer away.
pub(crate) fn without(object: &Value, finalizer: &str) -> Value {
    let mut all = finalizers(object);
    all.retain(|it| it != finalizer);
    json!({"metadata": {"finalizers": all}})
}

fn finalizers(object: &Value) -> Vec<Value> {
    object["metadata"]["finalizers"].as_array().cloned().unwrap_or_default()
}

/// The external name. Empty when there is none yet.
pub(crate) fn external_name(object: &Value) -> &str {
    object["metadata"]["annotations"][EXTERNAL_NAME].as_str().unwrap_or_default()
}

/// The patch that sets the external name.
pub(crate) fn with_external_name(name: &str) -> Value {
    json!({"metadata": {"annotations": {EXTERNAL_NAME: name}}})
}

/// Whether a provider may delete what is outside.
pub(crate) fn may_delete(object: &Value) -> bool {
    let policies = object["spec"]["managementPolicies"].as_array();
    policies.is_none_or(|policies| policies.iter().any(|it| it == "*" || it == "Delete"))
}

/// The reference to an object as the controller of another.
pub(crate) fn controller(object: &Value) -> Value {
    let metadata = &object["metadata"];
    json!({
        "apiVersion": object["apiVersion"],
        "kind": object["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": true,
        "blockOwnerDeletion": true,
    })
}

/// The patch that fills the fields whose selectors have selected nothing yet. `None` when all are filled.
///
/// # Errors
/// When a selector selects nothing that is there already.
pub(super) fn resolved(row: &Row, object: &Value, world: &World) -> Result<Option<Value>, String> {
    let mut patch = Value::Null;
    for reference in row.references {
        let selector = field(object, &format!("{}Selector", reference.field));
        let filled = format!("{}{}", reference.field, if reference.many { "s" } else { "" });
        if selector.is_null() || !field(object, &filled).is_null() {
            continue;
        }
        let mut selected = world.of_kind(reference.to);
        selected.retain(|it| is_selected(selector, object, it));
        let values: Vec<_> = selected.iter().map(|it| value(reference, it)).collect();
        if values.is_empty() || values.iter().any(String::is_empty) {
            return Err(format!("{filled}: no resources matched selector"));
        }
        let names: Vec<_> = selected.iter().map(|it| json!({"name": it["metadata"]["name"]})).collect();
        let references = format!("{}Ref{}", reference.field, if reference.many { "s" } else { "" });
        if reference.many {
            set(&mut patch, &filled, json!(values));
            set(&mut patch, &references, json!(names));
        } else {
            set(&mut patch, &filled, json!(values[0]));
            set(&mut patch, &references, names[0].clone());
        }
    }
    Ok((!patch.is_null()).then(|| json!({"spec": {"forProvider": patch}})))
}

/// Whether a selector of `object` selects `other`: by the controller that both have, and by labels.
fn is_selected(selector: &Value, object: &Value, other: &Value) -> bool {
    let controller = |object: &Value| {
        let owners = object["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
        owners.into_iter().find(|it| it["controller"] == true).map(|it| it["uid"].clone())
    };
    let same = selector["matchControllerRef"] != true || controller(object) == controller(other);
    let labels = selector["matchLabels"].as_object().into_iter().flatten();
    same && labels.into_iter().all(|(key, value)| other["metadata"]["labels"][key] == *value)
}

fn value(reference: &Reference, selected: &Value) -> String {
    let value = match reference.value {
        "" => Some(external_name(selected)),
        pointer => selected.pointer(pointer).and_then(Value::as_str),
    };
    value.unwrap_or_default().to_owned()
}

/// Sets the value at a place: names, separated by dots.
fn set(object: &mut Value, place: &str, value: Value) {
    let field = place.split('.').fold(object, |object, name| {
        if object.is_null() {
            *object = Value::Object(Map::new());
        }
        &mut object[name]
    });
    *field = value;
}

/// What the cloud does not let go before.
pub(super) fn holder(row: &Row, object: &Value, world: &World) -> Option<String> {
    let name = &object["metadata"]["name"];
    ROWS.iter().find_map(|other| {
        let references = other.references.iter().filter(|it| it.holds && named(it.to) == named(row.kind));
        references.into_iter().find_map(|reference| {
            let refers = |it: &&Value| {
                let found = field(it, &format!("{}Ref", reference.field))["name"] == *name;
                let all = field(it, &format!("{}Refs", reference.field)).as_array().cloned().unwrap_or_default();
                found || all.iter().any(|it| it["name"] == *name)
            };
            let objects = world.of_kind(other.kind);
            let holder = objects.iter().find(refers)?;
            Some(format!("{} {}", other.kind.kind, holder["metadata"]["name"]))
        })
    })
}

/// The status with these conditions, and with this below `atProvider`. `None` when it is so already.
pub(crate) fn status(object: &Value, said: &[Value], at: Value) -> Option<Value> {
    let mut conditions = object["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let mut changed = false;
    for condition in said {
        match conditions.iter_mut().find(|it| it["type"] == condition["type"]) {
            Some(before) if before == condition => {}
            Some(before) => {
                *before = condition.clone();
                changed = true;
            }
            None => {
                conditions.push(condition.clone());
                changed = true;
            }
        }
    }
    let mut status = json!({ "conditions": conditions });
    if at.as_object().is_some_and(|at| at.iter().any(|(key, value)| object["status"]["atProvider"][key] != *value)) {
        status["atProvider"] = at;
        changed = true;
    }
    changed.then_some(status)
}

pub(crate) fn creating() -> [Value; 2] {
    [synced(), condition("Ready", "False", "Creating", "")]
}

/// All is well with an object.
pub(crate) fn available(object: &Value) -> Vec<Value> {
    let mut said = vec![synced(), condition("Ready", "True", "Available", "")];
    if conditions(object).any(|it| it["type"] == "LastAsyncOperation") {
        said.push(condition("LastAsyncOperation", "True", "Success", ""));
    }
    said
}

/// Whether an object has the condition Ready.
pub(crate) fn is_ready(object: &Value) -> bool {
    conditions(object).any(|it| it["type"] == "Ready" && it["status"] == "True")
}

fn conditions(object: &Value) -> impl Iterator<Item = &Value> {
    object["status"]["conditions"].as_array().into_iter().flatten()
}

/// As Upjet says it of an operation that goes on while it looks at other objects.
pub(crate) fn refused(why: &str) -> [Value; 3] {
    let words = format!("async create failed: failed to create the resource: {why}");
    [
        unsynced(&format!("create failed: {words}")),
        condition("Ready", "False", "Creating", ""),
        condition("LastAsyncOperation", "False", "AsyncCreateFailure", &words),
    ]
}

pub(crate) fn deleting() -> Value {
    condition("Ready", "False", "Deleting", "")
}

/// It is there, and does not work.
pub(crate) fn unavailable() -> Value {
    condition("Ready", "False", "Unavailable", "")
}

/// Not made yet, because of something else.
pub(crate) fn waiting() -> Value {
    condition("Ready", "False", "Creating", "")
}

pub(crate) fn unsynced(why: &str) -> Value {
    condition("Synced", "False", "ReconcileError", why)
}

fn synced() -> Value {
    condition("Synced", "True", "ReconcileSuccess", "")
}

fn condition(kind: &str, status: &str, reason: &str, message: &str) -> Value {
    let mut condition = json!({"type": kind, "status": status, "reason": reason, "lastTransitionTime": LONG_AGO});
    if !message.is_empty() {
        condition["message"] = message.into();
    }
    condition
}
