//! Composed resources: which ones are observed, and what Crossplane adds to desired ones.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};

use super::conditions::Conditions;
use super::names;
use super::owner::{Owner, PREFIX, controller_uid, own_result};
use crate::cluster::{ObservedResources, Spelled};
use crate::fields::{get, set, set_text, text};
use crate::texts::{Document, Identity};
use contract::preview::{Diagnostic, Gravity, Role, StepResult};
use contract::types::KindRef;
use contract::types::{Code, Edit, Problem, Severity};
use quantity::order;
use toolbox::entries::{self, by_key};
use toolbox::names::is_subdomain;

/// The annotation with the composition resource name.
const RESOURCE_NAME: &str = "crossplane.io/composition-resource-name";

/// The composition resource name of an observed resource. Empty when it has none.
pub(crate) fn resource_name(object: &Value) -> &str {
    text(object, &["metadata", "annotations", RESOURCE_NAME])
}

/// Why Crossplane would not accept an object as an observed resource of `owner`. `None` when it would.
pub(crate) fn unobservable(object: &Value, owner: &Owner) -> Option<Problem> {
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

/// The observed resources in the texts, by what they belong to: there may be many composites, and many resources of each.
pub(crate) struct Given<'a> {
    observed: Vec<&'a Document>,
    /// The indexes of those with a controller, by its uid.
    controlled: BTreeMap<&'a str, Vec<usize>>,
    /// The indexes of the others, by the label of the composite.
    labelled: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Given<'a> {
    pub(crate) fn of_all(documents: &'a [Document]) -> Self {
        let observed = documents.iter().filter(|document| document.role == Role::Observed).collect();
        let mut given = Self { observed, controlled: BTreeMap::new(), labelled: BTreeMap::new() };
        for (index, document) in given.observed.iter().enumerate() {
            let object = &document.object;
            let (group, key) = match controller_uid(object) {
                Some(uid) => (&mut given.controlled, uid),
                None => (&mut given.labelled, text(object, &["metadata", "labels", PREFIX])),
            };
            group.entry(key).or_default().push(index);
        }
        given
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.observed.is_empty()
    }

    /// The resources of `owner`, in order. A composite that is `written` in the texts has those with its label too, and the
    /// `only` one has all that nothing controls.
    pub(crate) fn of(&self, owner: &Owner, written: bool, only: bool) -> Vec<&'a Document> {
        let mut indexes = self.controlled.get(owner.uid.as_str()).cloned().unwrap_or_default();
        match (written, only) {
            (true, true) => indexes.extend(self.labelled.values().flatten()),
            (true, false) => indexes.extend(self.labelled.get(owner.prefix.as_str()).into_iter().flatten()),
            (false, _) => {}
        }
        indexes.sort_unstable();
        indexes.into_iter().filter_map(|index| self.observed.get(index).copied()).collect()
    }
}

/// Errors for observed resources whose controller is none of the composites `owners`.
pub(crate) fn controlled_by_others(documents: &[Document], owners: &[Owner]) -> Vec<Diagnostic> {
    let uids = entries::set(owners.iter().map(|owner| owner.uid.as_str()));
    let observed = documents.iter().filter(|document| document.role == Role::Observed);
    let foreign = observed.filter(|document| controller_uid(&document.object).is_some_and(|uid| !uids.contains(uid)));
    let problem = || {
        let message = "an observed resource is controlled by its composite, whose uid is another";
        Problem::new("metadata.ownerReferences", Code::Invalid, message)
    };
    foreign.map(|document| document.diagnose(Gravity::Error, problem())).collect()
}

/// Whether `known` has a controller that is not the controller of `composed`, so that they are not the same object.
pub(crate) fn has_other_controller(known: &Value, composed: &Value) -> bool {
    controller_uid(known).is_some() && controller_uid(known) != controller_uid(composed)
}

/// The existing resources in the `resourceRefs` of a composite, by composition resource name.
pub(crate) fn referenced<'c>(
    object: &Value,
    owner: &Owner,
    find: impl Fn(&Identity) -> Option<&'c Rc<Spelled>>,
) -> ObservedResources {
    let references = get(object, &["spec", "crossplane", "resourceRefs"]).and_then(Value::as_array);
    let found = references.into_iter().flatten().filter_map(|reference| {
        let namespace = if owner.namespace.is_empty() { text(reference, &["namespace"]) } else { &owner.namespace };
        let name = text(reference, &["name"]).to_owned();
        find(&Identity::new(&KindRef::of(reference), namespace.to_owned(), name))
    });
    let ours = found.filter(|it| owner.controls(it.object()) != Some(false) && !resource_name(it.object()).is_empty());
    by_key(ours.map(|it| (resource_name(it.object()).to_owned(), Rc::clone(it))))
}

/// A desired resource with the metadata that Crossplane adds. An observed resource keeps its name. The results of
/// Crossplane are added to `results`.
///
/// # Errors
/// Why Crossplane would refuse it.
pub(crate) fn with_metadata(
    desired: &Value,
    name: &str,
    observed: Option<&Value>,
    owner: &Owner,
    results: &mut Vec<StepResult>,
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
        results.push(own_result(Severity::Warning, "NamespaceOverridden", message));
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
        let conditions = if conditions == Conditions::default() { Value::Null } else { conditions.to_value() };
        set(&mut object, &["status", "conditions"], conditions);
    }
    Ok(object)
}

/// Adds an owner reference that makes `owner` the controller of `object`.
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

/// References to resources, in the order of Crossplane.
pub(super) fn references<'a>(resources: impl Iterator<Item = &'a Value>, owner: &Owner) -> Value {
    let references: Vec<Value> = resources
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
    let key = |it: &Value| ["apiVersion", "kind", "name", "namespace"].map(|key| text(it, &[key])).concat();
    let keyed = references.into_iter().map(|reference| (key(&reference), reference)).collect();
    let sorted = order::sorted(keyed, |(one, _), (other, _)| one.cmp(other));
    Value::Array(sorted.into_iter().map(|(_, reference)| reference).collect())
}
