//! Every case of the golden corpus: the whole answer is compared, composing again changes nothing in the end, and the cases
//! together use every rule, condition and fault of all kinds.

use std::collections::BTreeMap;

// In the folder of the cases, because cargo makes a suite of every file beside this one.
#[path = "golden/bounds.rs"]
mod bounds;
#[path = "golden/differences.rs"]
mod differences;
#[path = "golden/exercised.rs"]
mod exercised;
#[path = "golden/fixpoint.rs"]
mod fixpoint;
#[path = "golden/shapes.rs"]
mod shapes;
#[path = "golden/stays.rs"]
mod stays;
#[path = "golden/switches.rs"]
mod switches;
#[path = "golden/usages.rs"]
mod usages;
#[path = "golden/written.rs"]
mod written;

use contract::compose::ComposeRequest;
use inference::KINDS;
use module::compose;
use native::golden::{Case, cases, show_fault, show_response};
use serde_json::{Value, json};
use toolbox::path;
use toolbox::rule::HIDDEN;

#[test]
fn answers() {
    let failures: Vec<String> = cases().expect("a readable corpus").iter().flat_map(|case| check(case).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn check(case: &Case) -> Result<(), String> {
    let (file, text, other) = match compose(&case.request) {
        Ok(response) => ("response.yaml", yaml::to_string(&show_response(&response)), "fault.txt"),
        Err(fault) => ("fault.txt", show_fault(&fault), "response.yaml"),
    };
    native::files::bless(&case.folder.join(file), &text)?;
    if case.folder.join(other).exists() {
        return Err(format!("{}: {other} is left over", case.name));
    }
    Ok(())
}

/// Every condition that a kind sets is in its table, from which the documentation is generated.
#[test]
fn conditions_are_in_the_table() {
    for case in cases().expect("a readable corpus") {
        for condition in compose(&case.request).map(|response| response.conditions).unwrap_or_default() {
            let row = KINDS.rows.iter().flat_map(|kind| kind.conditions).find(|row| {
                (row.condition_type, row.status, row.reason)
                    == (condition.condition_type.as_str(), condition.status, condition.reason.as_str())
            });
            assert!(row.is_some(), "{}: {condition:?}", case.name);
        }
    }
}

/// Every composed value has an explanation with its path and value, and there are no other explanations.
#[test]
fn every_value_is_explained() {
    for case in cases().expect("a readable corpus") {
        let request = ComposeRequest { explain: true, ..case.request };
        let Ok(response) = compose(&request) else { continue };
        let explained = response.derivations;
        let status = json!({"status": response.composite.status});
        let mut objects: BTreeMap<&str, Value> =
            response.resources.iter().map(|(key, desired)| (key.as_str(), desired.object.clone())).collect();
        objects.insert("", status);
        for derivation in &explained {
            let at = objects.get(derivation.resource.as_str()).and_then(|object| path::get(object, &derivation.path));
            if derivation.value == HIDDEN {
                assert!(at.is_some(), "{}: {}", case.name, derivation.path);
            } else {
                assert_eq!(at, Some(&derivation.value), "{}: {}", case.name, derivation.path);
            }
            assert!(!derivation.because.is_empty(), "{}: {}", case.name, derivation.path);
        }
        // Without the explained values, only API versions and kinds are left.
        for derivation in explained {
            if let Some(object) = objects.get_mut(derivation.resource.as_str()) {
                path::set(object, &derivation.path, Value::Null);
            }
        }
        for (key, object) in &objects {
            // A step explains what it adds to what earlier steps desire.
            let earlier = request.desired.resources.get(*key).map(|it| leaves(&it.object, "")).unwrap_or_default();
            let left: Vec<_> = leaves(object, "").into_iter().filter(|path| !earlier.contains(path)).collect();
            assert!(
                left.iter().all(|path| path.ends_with("apiVersion") || path.ends_with("kind")),
                "{}: {key}: {left:?}",
                case.name
            );
        }
    }
}

/// Nothing that is composed is null: to the API server that is a field that the function owns and takes away.
#[test]
fn nothing_is_null() {
    fn nulls(value: &Value, at: &str) -> Vec<String> {
        match value {
            Value::Null => vec![at.to_owned()],
            Value::Object(fields) => fields.iter().flat_map(|(name, it)| nulls(it, &path::key(at, name))).collect(),
            Value::Array(items) => {
                items.iter().enumerate().flat_map(|(index, it)| nulls(it, &path::index(at, index))).collect()
            }
            _ => Vec::new(),
        }
    }
    for case in cases().expect("a readable corpus") {
        let Ok(response) = compose(&case.request) else { continue };
        // What earlier steps desire, and what stays as it is observed, is not ours to judge.
        let known = case.request.desired.resources.iter().map(|(key, it)| (key, Some(&it.object)));
        let known = known.chain(case.request.observed.iter().map(|(key, it)| (key, it.object().ok())));
        let theirs: Vec<_> = known.flat_map(|(key, it)| it.map(|it| nulls(it, key)).unwrap_or_default()).collect();
        let objects = response.resources.iter().map(|(key, desired)| (key.as_str(), &desired.object));
        let found = objects.chain(response.composite.status.iter().map(|it| ("status", it)));
        let found: Vec<_> = found.flat_map(|(key, it)| nulls(it, key)).filter(|it| !theirs.contains(it)).collect();
        assert!(found.is_empty(), "{}: {found:?}", case.name);
    }
}

/// The paths of all values that are neither null, nor an object, nor a list.
fn leaves(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Object(fields) => fields.iter().flat_map(|(name, value)| leaves(value, &path::key(at, name))).collect(),
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| leaves(item, &path::index(at, index))).collect()
        }
        _ => vec![at.to_owned()],
    }
}
