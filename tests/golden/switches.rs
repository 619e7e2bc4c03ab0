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
    ("accounting", "devices"),
    ("cachePlacement", "staged"),
    ("selectors", "strict"),
    ("backend", "kserve"),
];

/// A case for each switch, for each two of them and for all, and the same case without any.
fn switched() -> impl Iterator<Item = (Case, Vec<Case>)> {
    // Pairs of shapes have the answers of one another, and other cases have what they have.
    let of_kind = |case: &Case| {
        let kind = case.request.composite().map(KindRef::of);
        let pair = case.name.contains("-shape-");
        kind.is_ok_and(|kind| kind.kind == "ModelDeployment") && case.request.input.is_none() && !pair
    };
    cases().expect("a readable corpus").into_iter().filter(of_kind).map(|case| {
        let all = (1_usize << SWITCHES.len()) - 1;
        let few = |subset: &usize| *subset == all || subset.count_ones() <= 2;
        let subsets = (1..=all).filter(few).map(|subset| {
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

/// An observed replica as it has to be desired while it is held: as it is, without what the API server and Crossplane write.
fn as_observed(object: &Value) -> Value {
    let mut want = json!({"apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": {}});
    for field in ["name", "namespace"] {
        want["metadata"][field] = object["metadata"][field].clone();
    }
    for field in ["labels", "annotations"] {
        let all = object["metadata"][field].as_object().cloned().unwrap_or_default();
        let ours = all.into_iter().filter(|(key, _)| !key.contains("crossplane.io/") && !key.contains("kubectl"));
        let ours: Value = ours.collect();
        if ours != json!({}) {
            want["metadata"][field] = ours;
        }
    }
    want["spec"] = object["spec"].clone();
    want["spec"].as_object_mut().map(|spec| spec.remove("crossplane"));
    want
}

/// While nobody knows which clusters there are, every replica is desired byte for byte as it is observed, also when the template
/// says something else by now.
#[test]
fn what_is_held_is_byte_equal_under_every_switch() {
    let mut held = 0;
    for (case, switched) in switched() {
        // Objects in earlier shapes have no template that could be edited.
        let has_template = case.request.composite().is_ok_and(|it| it["spec"]["template"].is_object());
        if !has_template
            || compose(&case.request).is_err()
            || case.request.desired.resources.keys().any(|key| key.starts_with("replica-"))
        {
            continue;
        }
        for mut other in switched {
            let mut composite = other.request.composite().expect("it is composed").clone();
            composite["spec"]["template"]["metadata"]["labels"] = json!({"edited": "yes"});
            other.request.composite = Some(composite.into());
            for known in [None, Some(Vec::new())] {
                match known {
                    None => other.request.lookups.remove("clusters"),
                    Some(none) => other.request.lookups.insert("clusters".to_owned(), none),
                };
                let response = compose(&other.request).unwrap_or_else(|fault| panic!("{}: {fault:?}", other.name));
                for (key, observed) in other.request.observed.iter().filter(|(key, _)| key.starts_with("replica-")) {
                    let desired = response.resources.get(key).map(|desired| desired.object.to_string());
                    let want = observed.object().ok().map(|object| as_observed(object).to_string());
                    assert_eq!(desired, want, "{}: {key}", other.name);
                    held += 1;
                }
            }
        }
    }
    assert!(held > 500, "only {held} replicas are held");
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
