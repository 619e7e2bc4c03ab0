//! Every case of the golden corpus: the whole answer is compared, and composing again changes nothing in the end. The
//! cases together use all rules, conditions and faults of the kinds.

use std::collections::BTreeMap;

// These modules are in the folder of the cases, because cargo makes a test suite of each file beside this one.
#[path = "golden/bounds.rs"]
mod bounds;
#[path = "golden/exercised.rs"]
mod exercised;
#[path = "golden/fixpoint.rs"]
mod fixpoint;
#[path = "golden/written.rs"]
mod written;

use contract::types::KindRef;
use inference::KINDS;
use module::compose;
use serde_json::{Value, json};
use tests::golden::{Case, cases, show_fault, show_response};
use toolbox::path;

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
    tests::files::bless(&case.folder.join(file), &text)?;
    if case.folder.join(other).exists() {
        return Err(format!("{}: {other} is left over", case.name));
    }
    Ok(())
}

/// Every condition of a kind is in its table, from which the documentation is generated.
#[test]
fn conditions_stand_in_the_table() {
    for case in cases().expect("a readable corpus") {
        for said in compose(&case.request).map(|response| response.conditions).unwrap_or_default() {
            let stated = KINDS.rows.iter().flat_map(|kind| kind.statements).find(|row| {
                (row.condition_type, row.status, row.reason)
                    == (said.condition_type.as_str(), said.status, said.reason.as_str())
            });
            assert!(stated.is_some(), "{}: {said:?}", case.name);
        }
    }
}

/// Every composed value has exactly one explanation, with its path and value, and there are no other explanations.
#[test]
fn every_value_is_explained() {
    for case in cases().expect("a readable corpus") {
        let Ok(response) = compose(&case.request) else { continue };
        let kind = case.request.composite().ok().and_then(|composite| KINDS.find(&KindRef::of(composite)));
        let explained = (kind.expect("a kind").composed().expect("it is composed").explain)(&case.request)
            .expect("what is composed can be explained");
        let status = json!({"status": response.composite.status});
        let mut objects: BTreeMap<&str, Value> =
            response.resources.iter().map(|(key, desired)| (key.as_str(), desired.object.clone())).collect();
        objects.insert("", status);
        for derivation in &explained {
            let at = objects.get(derivation.resource.as_str()).and_then(|object| path::get(object, &derivation.path));
            assert_eq!(at, Some(&derivation.value), "{}: {}", case.name, derivation.path);
            assert!(!derivation.because.is_empty(), "{}: {}", case.name, derivation.path);
        }
        // Without the explained values, only apiVersion and kind are left.
        for derivation in explained {
            if let Some(object) = objects.get_mut(derivation.resource.as_str()) {
                path::set(object, &derivation.path, Value::Null);
            }
        }
        for (key, object) in &objects {
            let left = leaves(object, "");
            assert!(
                left.iter().all(|path| path.ends_with("apiVersion") || path.ends_with("kind")),
                "{}: {key}: {left:?}",
                case.name
            );
        }
    }
}

/// The paths of all leaves that are not null.
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
