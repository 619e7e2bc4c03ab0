//! What Crossplane does around a composition, so that a preview shows the objects as they would be applied.
//!
//! This module behaves like the composite reconciler and the render engine of Crossplane 2.4. The sources are
//! `internal/controller/apiextensions/composite` (`composition_functions.go`, `composition_render.go`, `reconciler.go`),
//! `internal/names` and `internal/render` in Crossplane, and `conditions` in crossplane-runtime. As in `crossplane render`,
//! a constant replaces all times in conditions.

mod conditions;
mod names;
pub(crate) mod owner;
mod resources;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::fields::{get, set, text};
use super::pipeline::PipelineOutcome;
use conditions::{Condition, Conditions};
use contract::preview::StepResult;
use contract::types::{self, Outcome, Readiness, Severity};
pub(super) use owner::Owner;
use owner::{PREFIX, own_result};
use resources::references;
pub(super) use resources::{
    Given, controlled_by_others, has_other_controller, referenced, resource_name, unobservable, with_metadata,
};

/// The most names in a message. Further names are only counted.
const NAMES: usize = 3;

/// For a composite that Crossplane does not compose, because it is paused or being deleted: the composite with its
/// conditions, and the results of Crossplane. `None` for all other composites.
pub(super) fn not_composed(object: &Value) -> Option<(Value, Vec<StepResult>)> {
    let mut conditions = responsive(object);
    let mut results = Vec::new();
    if text(object, &["metadata", "annotations", "crossplane.io/paused"]) == "true" {
        let why = "Reconciliation (including deletion) is paused via the pause annotation";
        conditions.set(Condition::new("Synced", false, "ReconcilePaused").with_message(why));
        let message = "Reconciliation is paused via the pause annotation".to_owned();
        results.push(own_result(Severity::Normal, "ReconciliationPaused", message));
    } else if is_deleted(object) {
        conditions.set(Condition::new("Ready", false, "Deleting"));
        conditions.set(Condition::new("Synced", true, "ReconcileSuccess"));
    } else {
        return None;
    }
    let mut object = object.clone();
    set(&mut object, &["status", "conditions"], conditions.to_value());
    Some((object, results))
}

/// Whether an object is being deleted.
pub(super) fn is_deleted(object: &Value) -> bool {
    !text(object, &["metadata", "deletionTimestamp"]).is_empty()
}

/// Conditions as results, for a composite that does not get them: those with a message, and each message once.
pub(super) fn said(conditions: &[types::Condition], step: &str) -> Vec<StepResult> {
    let mut said = BTreeSet::new();
    let with_message = conditions.iter().filter_map(|it| Some((it, it.message.as_deref()?)));
    with_message
        .filter(|(_, message)| said.insert(*message))
        .map(|(it, message)| {
            let message = format!("{} would be {}, {}: {message}", it.condition_type, it.status.as_str(), it.reason);
            let outcome =
                Outcome { severity: Severity::Normal, message, reason: Some(it.reason.clone()), target: None };
            StepResult { step: step.to_owned(), outcome }
        })
        .collect()
}

/// The composite as a composition observes it: with uid, resource version, label, references and first condition.
pub(super) fn observed_composite(
    object: &Value,
    composition: Option<&str>,
    owner: &Owner,
    observed: &[&Value],
) -> Value {
    let mut seen = object.clone();
    if let Some(name) = composition {
        set(&mut seen, &["spec", "crossplane", "compositionRef", "name"], Value::from(name));
    }
    set(&mut seen, &["metadata", "uid"], Value::from(owner.uid.as_str()));
    set(&mut seen, &["metadata", "resourceVersion"], Value::from("999"));
    set(&mut seen, &["metadata", "labels", PREFIX], Value::from(owner.prefix.as_str()));
    if !observed.is_empty() {
        set(&mut seen, &["spec", "crossplane", "resourceRefs"], references(observed.iter().copied(), owner));
    }
    set(&mut seen, &["status", "conditions"], responsive(object).to_value());
    seen
}

/// The composite as it would be stored. The results of Crossplane are added to `results`.
pub(super) fn settle(
    object: &Value,
    owner: &Owner,
    composed: &PipelineOutcome,
    resources: &BTreeMap<String, Value>,
    results: &mut Vec<StepResult>,
) -> Value {
    let desired = &composed.desired;
    let unready: Vec<_> = desired
        .resources
        .iter()
        .filter(|(_, it)| it.readiness != Readiness::Ready)
        .map(|(name, _)| name.as_str())
        .collect();
    for name in &unready {
        results.push(own_result(
            Severity::Normal,
            "ComposeResources",
            format!("Composed resource {name:?} is not yet ready"),
        ));
    }

    let mut conditions = responsive(object);
    composed.conditions.iter().for_each(|condition| conditions.set_reported(condition));
    conditions.set(Condition::new("Synced", true, "ReconcileSuccess"));
    conditions.set(match desired.composite.readiness {
        Readiness::Ready => Condition::new("Ready", true, "Available"),
        Readiness::NotReady => Condition::new("Ready", false, "Creating"),
        Readiness::Unspecified if unready.is_empty() => Condition::new("Ready", true, "Available"),
        Readiness::Unspecified => Condition::new("Ready", false, "Creating")
            .with_message(format!("Unready resources: {}", enumerate(&unready))),
    });

    let mut stored = object.clone();
    set(&mut stored, &["spec", "crossplane", "resourceRefs"], references(resources.values(), owner));
    let status = desired.composite.status.clone().filter(Value::is_object).unwrap_or_else(|| Value::Object(Map::new()));
    set(&mut stored, &["status"], status);
    set(&mut stored, &["status", "conditions"], conditions.to_value());
    stored
}

/// The conditions of a composite at the start of a reconciliation.
fn responsive(object: &Value) -> Conditions {
    let generation = get(object, &["metadata", "generation"]).and_then(Value::as_i64).unwrap_or_default();
    let mut conditions = Conditions::of(object);
    conditions.set(Condition::new("Responsive", true, "WatchCircuitClosed").at(generation));
    conditions
}

/// Sorted names for a sentence. The last ones may only be counted.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_in_messages() {
        //    names                      message
        for (names, message) in [
            (&["a"][..], "a"),
            (&["a", "b"], "a, b"),
            (&["a", "b", "c"], "a, b, and c"),
            (&["a", "b", "c", "d"], "a, b, c, and 1 more"),
            (&["a", "b", "c", "d", "e"], "a, b, c, and 2 more"),
        ] {
            assert_eq!(enumerate(names), message);
        }
    }

    #[test]
    fn owners() {
        let owner = Owner::of(&json!({
            "apiVersion": "example.org/v1", "kind": "X",
            "metadata": {"name": "a", "namespace": "b", "labels": {
                "crossplane.io/composite": "top", "crossplane.io/claim-name": "c", "crossplane.io/claim-namespace": "d",
            }},
        }));
        let applied = with_metadata(&json!({"apiVersion": "v1", "kind": "Y"}), "r", None, &owner, &mut Vec::new());
        let metadata = applied.map(|mut object| object["metadata"].take());
        assert_eq!(metadata.as_ref().map(|it| &it["generateName"]), Ok(&json!("top-")));
        assert_eq!(metadata.as_ref().map(|it| &it["namespace"]), Ok(&json!("b")));
        let labels = json!({
            "crossplane.io/composite": "top", "crossplane.io/claim-name": "c", "crossplane.io/claim-namespace": "d",
        });
        assert_eq!(metadata.as_ref().map(|it| &it["labels"]), Ok(&labels));
    }

    #[test]
    fn a_namespace_is_overridden_with_a_warning() {
        let owner = Owner::of(&json!({"kind": "X", "metadata": {"name": "a", "namespace": "b"}}));
        let mut results = Vec::new();
        let desired = json!({"kind": "Y", "metadata": {"namespace": "elsewhere", "name": "n"}});
        let applied = with_metadata(&desired, "r", None, &owner, &mut results);
        assert_eq!(applied.map(|object| object["metadata"]["namespace"].clone()), Ok(json!("b")));
        assert_eq!(
            results.first().map(|result| (result.outcome.severity, result.step.as_str())),
            Some((Severity::Warning, ""))
        );
    }

    #[test]
    fn refused_resources() {
        let owner = Owner::of(&json!({"kind": "X", "metadata": {"name": "a"}}));
        let other = json!([{"uid": "other", "controller": true}]);
        for desired in [json!({"metadata": {"name": "Not_A_Name"}}), json!({"metadata": {"ownerReferences": other}})] {
            assert!(with_metadata(&desired, "r", None, &owner, &mut Vec::new()).is_err(), "{desired}");
        }
    }

    #[test]
    fn composites_that_are_not_composed() {
        let conditions_of = |metadata: Value| {
            let found = not_composed(&json!({"metadata": metadata}))?;
            let conditions = found.0["status"]["conditions"].as_array()?.iter();
            Some(
                conditions
                    .map(|it| format!("{}={}", text(it, &["type"]), text(it, &["status"])))
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        };
        assert_eq!(conditions_of(json!({})), None);
        assert_eq!(conditions_of(json!({"annotations": {"crossplane.io/paused": "false"}})), None);
        let paused = conditions_of(json!({"annotations": {"crossplane.io/paused": "true"}}));
        assert_eq!(paused.as_deref(), Some("Responsive=True Synced=False"));
        let deleted = conditions_of(json!({"deletionTimestamp": "2026-02-18T10:00:00Z"}));
        assert_eq!(deleted.as_deref(), Some("Responsive=True Ready=False Synced=True"));
    }
}
