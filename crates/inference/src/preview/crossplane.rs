//! What Crossplane does around a composition, so that a preview shows what would be applied.
//!
//! Everything here restates Crossplane 2.4's composite reconciler and its render engine, and nothing else
//! in this crate does. The sources are the engine's `internal/controller/apiextensions/composite`
//! (`composition_functions.go`, `composition_render.go`, `reconciler.go`), `internal/names` and
//! `internal/render`, and the runtime's `conditions`. One thing is the command line tool's: times in
//! conditions are replaced with a constant.

mod conditions;
mod names;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::fields::{get, set, set_text, text};
use super::texts::{Document, Identity};
use super::{Diagnostic, Gravity, Role, StepResult, pipeline::Outcome as Composed};
use crate::compose::{Outcome, Readiness, Severity};
use crate::names::is_subdomain;
use crate::object::KindRef;
use crate::problem::{Code, Edit, Problem};
use conditions::{Condition, Conditions};

/// Names a composed resource within its composition.
pub(super) const RESOURCE_NAME: &str = "crossplane.io/composition-resource-name";

/// The label that starts the names of composed resources; at first the composite's own name.
const PREFIX: &str = "crossplane.io/composite";

/// Labels that name the claim of a composite.
const CLAIM: [&str; 2] = ["crossplane.io/claim-name", "crossplane.io/claim-namespace"];

/// How many names stand in a message before the rest is only counted.
const NAMES: usize = 3;

/// A composite, as what it composes speaks of it.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) kind: KindRef,
    pub(super) name: String,
    pub(super) namespace: String,
    pub(super) uid: String,
    /// What the names of its resources start with.
    prefix: String,
    claim: BTreeMap<&'static str, String>,
}

impl Owner {
    /// The composite `object`. Its uid is derived when it has none.
    pub(super) fn of(object: &Value) -> Self {
        let kind = KindRef::of(object);
        let [name, namespace, uid, prefix] = [&["name"][..], &["namespace"], &["uid"], &["labels", PREFIX]]
            .map(|path| text(object, &[&["metadata"], path].concat()).to_owned());
        let uid = if uid.is_empty() { names::uid(&kind, &namespace, &name) } else { uid };
        let prefix = if prefix.is_empty() { name.clone() } else { prefix };
        let claim = CLAIM.map(|label| (label, text(object, &["metadata", "labels", label]).to_owned()));
        let claim = if claim.iter().all(|(_, value)| !value.is_empty()) { claim.into() } else { BTreeMap::new() };
        Self { kind, name, namespace, uid, prefix, claim }
    }

    /// Whether `object` is labelled as one of its resources.
    pub(super) fn labels(&self, object: &Value) -> bool {
        text(object, &["metadata", "labels", PREFIX]) == self.prefix
    }

    /// Whether it controls `object`; absent when nothing does.
    pub(super) fn controls(&self, object: &Value) -> Option<bool> {
        controller(object).map(|reference| text(reference, &["uid"]) == self.uid)
    }
}

/// The composite as it stays when Crossplane leaves it alone, paused or on its way out, and what Crossplane
/// says about it.
pub(super) fn at_rest(object: &Value) -> Option<(Value, Vec<StepResult>)> {
    let mut conditions = responsive(object);
    let mut said = Vec::new();
    if text(object, &["metadata", "annotations", "crossplane.io/paused"]) == "true" {
        let why = "Reconciliation (including deletion) is paused via the pause annotation";
        conditions.set(Condition::new("Synced", false, "ReconcilePaused").saying(why));
        let message = "Reconciliation is paused via the pause annotation".to_owned();
        said.push(own_result(Severity::Normal, "ReconciliationPaused", message));
    } else if !text(object, &["metadata", "deletionTimestamp"]).is_empty() {
        conditions.set(Condition::new("Ready", false, "Deleting"));
        conditions.set(Condition::new("Synced", true, "ReconcileSuccess"));
    } else {
        return None;
    }
    let mut object = object.clone();
    set(&mut object, &["status", "conditions"], conditions.spell());
    Some((object, said))
}

/// The composition resource name of an observed resource; empty when it has none.
pub(super) fn resource_name(object: &Value) -> &str {
    text(object, &["metadata", "annotations", RESOURCE_NAME])
}

/// Why Crossplane would not take an object for an observed resource of `owner`.
pub(super) fn unobservable(object: &Value, owner: &Owner) -> Option<Problem> {
    if resource_name(object).is_empty() {
        let message = format!("an observed resource needs the annotation `{RESOURCE_NAME}`");
        return Some(Problem::new("metadata.annotations", Code::Required, message));
    }
    let (namespace, wanted) = (text(object, &["metadata", "namespace"]), &owner.namespace);
    if !wanted.is_empty() && namespace != wanted {
        let message = format!("an observed resource must be in the namespace of its composite, `{wanted}`");
        return Some(
            Problem::new("metadata.namespace", Code::Invalid, message)
                .with_fix(Edit::Replace(Value::from(wanted.as_str()))),
        );
    }
    None
}

/// Observed resources that something else controls than the composites `owners`.
pub(super) fn strangers(documents: &[Document], owners: &[Owner]) -> Vec<Diagnostic> {
    let observed = documents.iter().filter(|document| document.role == Role::Observed);
    let foreign = observed.filter(|document| {
        controller(&document.object)
            .is_some_and(|reference| owners.iter().all(|owner| text(reference, &["uid"]) != owner.uid))
    });
    let problem = || {
        let message = "an observed resource is controlled by its composite, whose uid is another";
        Problem::new("metadata.ownerReferences", Code::Invalid, message)
    };
    foreign.map(|document| document.diagnose(Gravity::Error, problem())).collect()
}

/// The resources that a composite itself refers to, among the objects there are.
pub(super) fn referenced<'a>(
    object: &Value,
    owner: &Owner,
    find: impl Fn(&Identity) -> Option<&'a Value>,
) -> BTreeMap<String, &'a Value> {
    let references = get(object, &["spec", "crossplane", "resourceRefs"]).and_then(Value::as_array);
    let found = references.into_iter().flatten().filter_map(|reference| {
        let namespace = if owner.namespace.is_empty() { text(reference, &["namespace"]) } else { &owner.namespace };
        let name = text(reference, &["name"]).to_owned();
        find(&Identity { kind: KindRef::of(reference), namespace: namespace.to_owned(), name })
    });
    let ours = found.filter(|object| owner.controls(object) != Some(false) && !resource_name(object).is_empty());
    ours.map(|object| (resource_name(object).to_owned(), object)).collect()
}

/// The composite as a composition sees it: with uid, version, label, references and first condition.
pub(super) fn observed_composite(object: &Value, owner: &Owner, observed: &[&Value]) -> Value {
    let mut seen = object.clone();
    set(&mut seen, &["metadata", "uid"], Value::from(owner.uid.as_str()));
    set(&mut seen, &["metadata", "resourceVersion"], Value::from("999"));
    set(&mut seen, &["metadata", "labels", PREFIX], Value::from(owner.prefix.as_str()));
    if !observed.is_empty() {
        set(&mut seen, &["spec", "crossplane", "resourceRefs"], references(observed.iter().copied(), owner));
    }
    set(&mut seen, &["status", "conditions"], responsive(object).spell());
    seen
}

/// A desired resource with the metadata that Crossplane gives it. One that exists keeps its name. What
/// Crossplane says about it is added to `said`.
///
/// # Errors
/// Why Crossplane would refuse it.
pub(super) fn dress(
    desired: &Value,
    name: &str,
    observed: Option<&Value>,
    owner: &Owner,
    said: &mut Vec<StepResult>,
) -> Result<Value, String> {
    let mut object = desired.clone();
    if let Some(observed) = observed {
        for field in ["namespace", "name", "generateName"] {
            set_text(&mut object, &["metadata", field], text(observed, &["metadata", field]));
        }
    }
    let wanted = text(&object, &["metadata", "namespace"]);
    if !owner.namespace.is_empty() && !wanted.is_empty() && wanted != owner.namespace {
        let instead = &owner.namespace;
        let message = format!(
            "cannot create composed resource {name:?} in namespace {wanted:?}, using XR namespace {instead:?} instead"
        );
        said.push(own_result(Severity::Warning, "NamespaceOverridden", message));
    }
    if text(&object, &["metadata", "name"]).is_empty() && text(&object, &["metadata", "generateName"]).is_empty() {
        set(&mut object, &["metadata", "generateName"], Value::from(format!("{}-", owner.prefix)));
    }
    if !owner.namespace.is_empty() {
        set(&mut object, &["metadata", "namespace"], Value::from(owner.namespace.as_str()));
    }
    set(&mut object, &["metadata", "annotations", RESOURCE_NAME], Value::from(name));
    set(&mut object, &["metadata", "labels", PREFIX], Value::from(owner.prefix.as_str()));
    for (label, value) in &owner.claim {
        set(&mut object, &["metadata", "labels", label], Value::from(value.as_str()));
    }
    own(&mut object, owner)?;
    if text(&object, &["metadata", "name"]).is_empty() {
        let generated = names::child(text(&object, &["metadata", "generateName"]), &owner.uid, name);
        set(&mut object, &["metadata", "name"], Value::from(generated));
    }
    let given = text(&object, &["metadata", "name"]);
    if !is_subdomain(given) {
        return Err(format!("composed resource `{name}` has the name `{given}`, which is no RFC 1123 subdomain"));
    }
    if get(&object, &["status"]).is_some_and(Value::is_object) {
        let conditions = Conditions::of(&object);
        let spelled = if conditions == Conditions::default() { Value::Null } else { conditions.spell() };
        set(&mut object, &["status", "conditions"], spelled);
    }
    Ok(object)
}

/// The composite as it would be stored. What Crossplane says about it is added to `said`.
pub(super) fn settle(
    object: &Value,
    owner: &Owner,
    composed: &Composed,
    resources: &BTreeMap<String, Value>,
    said: &mut Vec<StepResult>,
) -> Value {
    let desired = &composed.desired;
    let unready: Vec<_> = desired
        .resources
        .iter()
        .filter(|(_, it)| it.readiness != Readiness::Ready)
        .map(|(name, _)| name.as_str())
        .collect();
    for name in &unready {
        said.push(own_result(
            Severity::Normal,
            "ComposeResources",
            format!("Composed resource {name:?} is not yet ready"),
        ));
    }

    let mut conditions = responsive(object);
    composed.conditions.iter().for_each(|condition| conditions.set_said(condition));
    conditions.set(Condition::new("Synced", true, "ReconcileSuccess"));
    conditions.set(match desired.composite.readiness {
        Readiness::Ready => Condition::new("Ready", true, "Available"),
        Readiness::NotReady => Condition::new("Ready", false, "Creating"),
        Readiness::Unspecified if unready.is_empty() => Condition::new("Ready", true, "Available"),
        Readiness::Unspecified => {
            Condition::new("Ready", false, "Creating").saying(format!("Unready resources: {}", enumerate(&unready)))
        }
    });

    let mut stored = object.clone();
    set(&mut stored, &["spec", "crossplane", "resourceRefs"], references(resources.values(), owner));
    let status = desired.composite.status.clone().filter(Value::is_object).unwrap_or_else(|| Value::Object(Map::new()));
    set(&mut stored, &["status"], status);
    set(&mut stored, &["status", "conditions"], conditions.spell());
    stored
}

/// The conditions that a composite starts a round with.
fn responsive(object: &Value) -> Conditions {
    let generation = get(object, &["metadata", "generation"]).and_then(Value::as_i64).unwrap_or_default();
    let mut conditions = Conditions::of(object);
    conditions.set(Condition::new("Responsive", true, "WatchCircuitClosed").at(generation));
    conditions
}

/// Makes `owner` the controller of `object`.
fn own(object: &mut Value, owner: &Owner) -> Result<(), String> {
    if owner.controls(object) == Some(false) {
        return Err("it is already controlled by something else".to_owned());
    }
    let reference = json!({
        "apiVersion": owner.kind.api_version,
        "kind": owner.kind.kind,
        "name": owner.name,
        "uid": owner.uid,
        "controller": true,
        "blockOwnerDeletion": true,
    });
    let known = get(object, &["metadata", "ownerReferences"]).and_then(Value::as_array).cloned();
    let mut references = known.unwrap_or_default();
    match references.iter_mut().find(|known| text(known, &["uid"]) == owner.uid) {
        Some(known) => *known = reference,
        None => references.push(reference),
    }
    set(object, &["metadata", "ownerReferences"], Value::Array(references));
    Ok(())
}

fn controller(object: &Value) -> Option<&Value> {
    let references = get(object, &["metadata", "ownerReferences"])?.as_array()?;
    references.iter().find(|reference| reference.get("controller") == Some(&Value::Bool(true)))
}

/// References to resources, in the order in which Crossplane keeps them.
fn references<'a>(resources: impl Iterator<Item = &'a Value>, owner: &Owner) -> Value {
    let mut references: Vec<Value> = resources
        .map(|object| {
            let mut reference = json!({ "apiVersion": text(object, &["apiVersion"]), "kind": text(object, &["kind"]) });
            set_text(&mut reference, &["name"], text(object, &["metadata", "name"]));
            set_text(&mut reference, &["uid"], text(object, &["metadata", "uid"]));
            if owner.namespace.is_empty() {
                set_text(&mut reference, &["namespace"], text(object, &["metadata", "namespace"]));
            }
            reference
        })
        .collect();
    references
        .sort_by_cached_key(|it| ["apiVersion", "kind", "name", "namespace"].map(|key| text(it, &[key])).concat());
    Value::Array(references)
}

fn own_result(severity: Severity, reason: &str, message: String) -> StepResult {
    let outcome = Outcome { severity, message, reason: Some(reason.to_owned()), target: None };
    StepResult { step: String::new(), outcome }
}

/// Names in a sentence, sorted; the last ones may only be counted.
fn enumerate(names: &[&str]) -> String {
    match names {
        [first @ .., last] if names.len() == NAMES => format!("{}, and {last}", first.join(", ")),
        _ if names.len() > NAMES => {
            format!(
                "{}, and {} more",
                names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", "),
                names.len() - NAMES
            )
        }
        _ => names.join(", "),
    }
}
