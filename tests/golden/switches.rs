//! Options of Modelplane's kinds: none of them drops or moves what runs, and composing comes to an end under each.

use contract::types::KindRef;
use module::compose;
use native::golden::{Case, cases};
use serde_json::{Value, json};

use super::fixpoint::settle;

/// The options, with a value beside the default.
const SWITCHES: &[(&str, &str)] = &[
    ("answers", "full"),
    ("placement", "complete"),
    ("cachePlacement", "staged"),
    ("selectors", "strict"),
    ("backend", "kserve"),
];

/// A case for each subset of the switches, and the same case without any.
fn switched() -> impl Iterator<Item = (Case, Vec<Case>)> {
    let of_kind = |case: &Case| {
        let kind = case.request.composite().map(KindRef::of);
        kind.is_ok_and(|kind| kind.kind == "ModelDeployment") && case.request.input.is_none()
    };
    cases().expect("a readable corpus").into_iter().filter(of_kind).map(|case| {
        let subsets = (1..1_usize << SWITCHES.len()).map(|subset| {
            let on = SWITCHES.iter().enumerate().filter(|(index, _)| subset & 1 << index != 0);
            let section: Value = on.map(|(_, (name, value))| ((*name).to_owned(), json!(value))).collect();
            let mut request = case.request.clone();
            request.input = Some(json!({
                "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelplane": section,
            }));
            let (cluster, statuses) = (case.cluster.clone(), case.statuses.clone());
            Case { name: format!("{}, {section}", case.name), folder: case.folder.clone(), request, cluster, statuses }
        });
        let subsets = subsets.collect();
        (case, subsets)
    })
}

/// Cluster and pools of a replica.
fn place(object: &Value) -> Value {
    let engines = object["spec"]["engines"].as_array().into_iter().flatten();
    let members = engines.flat_map(|engine| engine["members"].as_array().into_iter().flatten());
    let pools: Vec<_> = members.map(|member| &member["nodePoolName"]).collect();
    json!({"cluster": object["spec"]["clusterName"], "pools": pools})
}

#[test]
fn no_switch_drops_or_moves_what_runs() {
    let mut kept = 0;
    for (case, switched) in switched() {
        let Ok(plain) = compose(&case.request) else { continue };
        let runs = |key: &&String| key.starts_with("replica-") && case.request.observed.contains_key(*key);
        for key in plain.resources.keys().filter(runs) {
            for other in &switched {
                let response = compose(&other.request).unwrap_or_else(|fault| panic!("{}: {fault:?}", other.name));
                let desired = response.resources.get(key).unwrap_or_else(|| panic!("{}: {key} is dropped", other.name));
                assert_eq!(place(&desired.object), place(&plain.resources[key].object), "{}: {key}", other.name);
                kept += 1;
            }
        }
    }
    assert!(kept > 100, "only {kept} replicas run");
}

/// A replica that runs is composed as before, whatever the option says. Another one comes to an end.
#[test]
fn another_backend_is_for_new_replicas() {
    let (mut kept, mut new) = (0, 0);
    for case in cases().expect("a readable corpus") {
        let of_kind = case.request.composite().map(KindRef::of).is_ok_and(|kind| kind.kind == "ModelReplica");
        let (true, Ok(plain)) = (of_kind, compose(&case.request)) else { continue };
        let runs = case.request.observed.keys().any(|key| key.starts_with("model-serving"));
        for backend in ["direct", "kserve"] {
            let (name, folder) = (format!("{}, {backend}", case.name), case.folder.clone());
            let mut other = Case {
                request: case.request.clone(),
                cluster: case.cluster.clone(),
                statuses: case.statuses.clone(),
                name,
                folder,
            };
            other.request.input = Some(json!({
                "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelplane": {"backend": backend},
            }));
            if runs {
                let response = compose(&other.request).unwrap_or_else(|fault| panic!("{}: {fault:?}", other.name));
                assert_eq!(response.resources, plain.resources, "{}", other.name);
                kept += 1;
            } else {
                settle(&other, compose).unwrap_or_else(|why| panic!("{}: {why}", other.name));
                new += 1;
            }
        }
    }
    assert!(kept > 10 && new > 50, "{kept} replicas run, and {new} do not");
}

#[test]
fn composing_comes_to_an_end_under_every_switch() {
    for (case, switched) in switched() {
        if compose(&case.request).is_err() {
            continue;
        }
        for other in &switched {
            settle(other, compose).unwrap_or_else(|why| panic!("{}: {why}", other.name));
        }
    }
}
