//! Properties of models that share pools, on random pools, and what previews show of them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::preview::{Capacity, Pipeline, PreviewRequest, Step, StepInput};
use contract::types::{KindRef, ObservedObject};
use module::{compose, preview};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Noon on 2026-01-31.
const NOW: u64 = 1_769_860_800;

/// A model of some Gi: what it holds, and where.
#[derive(Clone, Debug)]
struct Made {
    gibibytes: u32,
    reservation: Option<&'static str>,
    pool: &'static str,
    created: u32,
}

fn made() -> impl Strategy<Value = Made> {
    let reservation = prop::sample::select(vec![None, None, Some("Claimed"), Some("Confirmed"), Some("Withdrawn")]);
    (1..100u32, reservation, prop::sample::select(vec!["a", "b"]), 0..4u32)
        .prop_map(|(gibibytes, reservation, pool, created)| Made { gibibytes, reservation, pool, created })
}

fn object(index: usize, made: &Made) -> Value {
    let memory = format!("{}Gi", made.gibibytes);
    let mut object = json!({
        "apiVersion": "inference.eh-ops.io/v1alpha1", "kind": "InferenceModel",
        "metadata": {
            "name": format!("m{index}"), "namespace": "models", "creationTimestamp": format!("2026-01-01T00:00:0{}Z", made.created),
        },
        "spec": {
            "modelName": format!("m{index}"), "memory": memory, "backendUrl": "http://a", "containerImage": "a",
            "nodeSelector": {"inference-pool": made.pool},
        },
    });
    if let Some(reservation) = made.reservation {
        object["status"] = json!({
            "reservedMemory": memory, "reservedPool": format!("inference-pool={}", made.pool), "reservation": reservation,
            "claimedAt": "2026-01-31T11:59:00Z", "replicas": 1,
            "conditions": [{"type": "ModelReady", "reason": if reservation == "Withdrawn" { "InsufficientMemory" } else { "Deployed" }}],
        });
    }
    object
}

/// Composes a model beside a list.
fn composed(own: &Value, list: &[Value], total: u32) -> ComposeResponse {
    let listed = list.iter().cloned().map(ObservedObject::from).collect();
    let status = &own["status"]["reservation"];
    let mut observed = BTreeMap::new();
    if status.is_string() {
        let desired = i32::from(status != "Withdrawn");
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": own["metadata"]["name"], "annotations": {
                "inference.eh-ops.io/last-request-time": "2026-01-31T11:59:00Z", "inference.eh-ops.io/claimed-at": "2026-01-31T11:59:00Z",
            }},
            "spec": {"replicas": desired, "template": {"spec": {"nodeSelector": own["spec"]["nodeSelector"]}}},
            "status": {"replicas": 1, "updatedReplicas": 1},
        });
        observed.insert("deployment".to_owned(), ObservedObject::from(deployment));
    }
    let request = ComposeRequest {
        composite: Some(own.clone().into()),
        observed,
        input: Some(json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
            "inferenceModel": {"pools": {"a": format!("{total}Gi"), "b": "100Gi"}, "maxModelMemory": "1Ti"},
        })),
        lookups: BTreeMap::from([("models".to_owned(), listed)]),
        now: Some(NOW),
        ..ComposeRequest::default()
    };
    compose(&request).expect("a response")
}

/// How firmly a model holds memory after a pass.
fn held(response: &ComposeResponse) -> Option<String> {
    let status = response.composite.status.as_ref()?;
    status["reservation"].as_str().map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The order of the list makes no difference.
    #[test]
    fn the_order_of_siblings_does_not_matter(models in prop::collection::vec(made(), 1..8), total in 50..200u32) {
        let list: Vec<Value> = models.iter().enumerate().map(|(index, made)| object(index, made)).collect();
        let mut reversed = list.clone();
        reversed.reverse();
        for own in &list {
            prop_assert_eq!(composed(own, &list, total), composed(own, &reversed, total));
        }
    }

    /// Models that see the same list come to one result: those that claim memory now fit beside all that is held, together.
    #[test]
    fn models_of_a_pool_come_to_one_result(models in prop::collection::vec(made(), 1..8), total in 50..200u32) {
        let list: Vec<Value> = models.iter().enumerate().map(|(index, made)| object(index, made)).collect();
        let passed: Vec<_> = list.iter().map(|own| composed(own, &list, total)).collect();
        for (pool, total) in [("a", total), ("b", 100)] {
            let in_pool = |index: &usize| models[*index].pool == pool;
            let before: u32 = (0..models.len()).filter(in_pool).filter(|index| models[*index].reservation.is_some()).map(|index| models[index].gibibytes).sum();
            let new: BTreeSet<usize> = (0..models.len())
                .filter(in_pool)
                .filter(|index| models[*index].reservation.is_none() && held(&passed[*index]).is_some())
                .collect();
            let taken: u32 = new.iter().map(|index| models[*index].gibibytes).sum();
            prop_assert!(new.is_empty() || before + taken <= total, "{before} + {taken} of {total} in {pool}");
            // Who is passed over does not fit beside those before it.
            for index in (0..models.len()).filter(in_pool).filter(|index| models[*index].reservation.is_none() && !new.contains(index)) {
                prop_assert!(before + taken + models[index].gibibytes > total, "m{index} would fit");
            }
        }
    }

    /// Confirmed reservations stay whatever the others do; no claims are confirmed that do not fit together with what is confirmed.
    #[test]
    fn what_is_confirmed_stays(models in prop::collection::vec(made(), 1..8), total in 50..200u32) {
        let list: Vec<Value> = models.iter().enumerate().map(|(index, made)| object(index, made)).collect();
        let passed: Vec<_> = list.iter().map(|own| held(&composed(own, &list, total))).collect();
        let sum = |which: &dyn Fn(usize) -> bool| -> u32 { (0..models.len()).filter(|index| models[*index].pool == "a" && which(*index)).map(|index| models[index].gibibytes).sum() };
        for (made, after) in models.iter().zip(&passed) {
            prop_assert!(made.reservation != Some("Confirmed") || after.as_deref() == Some("Confirmed"));
        }
        let before = sum(&|index| models[index].reservation == Some("Confirmed"));
        let after = sum(&|index| passed[index].as_deref() == Some("Confirmed"));
        prop_assert!(after == before || after <= total, "{after} of {total} are confirmed");
    }

    /// A higher total takes no reservation away.
    #[test]
    fn a_higher_total_takes_nothing_away(models in prop::collection::vec(made(), 1..8), total in 50..200u32, more in 1..100u32) {
        let list: Vec<Value> = models.iter().enumerate().map(|(index, made)| object(index, made)).collect();
        for (own, made) in list.iter().zip(&models) {
            if made.reservation.is_none() {
                continue;
            }
            let rank = |it: Option<String>| match it.as_deref() {
                Some("Confirmed") => 3,
                Some("Claimed") => 2,
                Some("Withdrawn") => 1,
                _ => 0,
            };
            let (before, after) = (held(&composed(own, &list, total)), held(&composed(own, &list, total + more)));
            prop_assert!(rank(after) >= rank(before));
        }
    }
}

/// What a pass writes, seen by the next one, is written again.
#[test]
fn composing_again_changes_nothing() {
    let models = [
        Made { gibibytes: 60, reservation: Some("Confirmed"), pool: "a", created: 1 },
        Made { gibibytes: 60, reservation: None, pool: "a", created: 2 },
        Made { gibibytes: 40, reservation: None, pool: "a", created: 3 },
    ];
    let mut list: Vec<Value> = models.iter().enumerate().map(|(index, made)| object(index, made)).collect();
    let mut before = Vec::new();
    for _ in 0..4 {
        let passed: Vec<_> = list.iter().map(|own| composed(own, &list, 100)).collect();
        before = passed.iter().map(|it| (it.resources.clone(), it.composite.status.clone())).collect();
        for (own, response) in list.iter_mut().zip(&passed) {
            let conditions: Vec<_> = response.conditions.iter().map(|it| json!({"type": it.condition_type, "status": it.status.as_str(), "reason": it.reason, "message": it.message})).collect();
            own["status"] = response.composite.status.clone().unwrap_or_default();
            own["status"]["conditions"] = conditions.into();
        }
    }
    let again: Vec<_> =
        list.iter().map(|own| composed(own, &list, 100)).map(|it| (it.resources, it.composite.status)).collect();
    assert_eq!(again, before);
}

/// Of models in one text, the first that fits gets the memory; the pools say who has how much.
#[test]
fn models_of_one_text() {
    let model = |name: &str| {
        format!(
            "apiVersion: inference.eh-ops.io/v1alpha1\nkind: InferenceModel\nmetadata: {{name: {name}, namespace: models}}\n\
             spec: {{modelName: {name}, memory: 60Gi, backendUrl: 'http://a', containerImage: a}}\n---\n"
        )
    };
    let options = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\n\
                   inferenceModel: {poolsFrom: {name: pools}, maxModelMemory: 1Ti}\n";
    let config = "apiVersion: apiextensions.crossplane.io/v1beta1\nkind: EnvironmentConfig\nmetadata: {name: pools}\n\
                  data: {default: 130Gi}\n";
    let input = StepInput { name: "options".to_owned(), text: options.to_owned(), document: 0, path: String::new() };
    let kind = KindRef { api_version: "inference.eh-ops.io/v1alpha1".to_owned(), kind: "InferenceModel".to_owned() };
    let step = Step { name: "compose".to_owned(), input: Some(input), credentials: BTreeMap::new() };
    let request = PreviewRequest {
        cascade: true,
        pipelines: vec![Pipeline { kind, composition: None, steps: vec![step] }],
        now: Some(NOW),
        ..PreviewRequest::about("models.yaml", [model("c"), model("a"), model("b"), config.to_owned()].concat())
    };
    let response = preview(&request);
    assert_eq!(response.diagnostics, []);
    let held = response.composites.iter().map(|it| {
        let object = it.object.object().expect("JSON");
        (object["metadata"]["name"].clone(), object["status"]["reservation"].clone())
    });
    let held: Vec<_> = held.collect();
    assert_eq!(held, [(json!("c"), Value::Null), (json!("a"), json!("Claimed")), (json!("b"), json!("Claimed"))]);
    let pools = response.capacities.iter().map(|Capacity { place, size, taken, .. }| {
        let size = size.as_ref().map(|it| (it.value, it.unit.as_str()));
        (place.join("/"), size, taken.iter().map(|it| (it.name.as_str(), it.takes.value)).collect::<Vec<_>>())
    });
    let taken = vec![("a", 60 << 10), ("b", 60 << 10)];
    let wanted = [
        ("all pools".to_owned(), Some((1 << 20, "MiB")), taken.clone()),
        ("inference-pool=default".to_owned(), Some((130 << 10, "MiB")), taken),
    ];
    assert_eq!(pools.collect::<Vec<_>>(), wanted);
}
