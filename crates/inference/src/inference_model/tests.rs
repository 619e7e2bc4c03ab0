use std::collections::BTreeMap;

use contract::types::ObservedObject;
use serde_json::{Value, json};

use super::*;
use crate::KINDS;

/// Noon on 2026-01-31.
const NOW: u64 = 1_769_860_800;

fn model(name: &str, memory: &str) -> Value {
    json!({
        "apiVersion": "inference.eh-ops.io/v1alpha1", "kind": "InferenceModel",
        "metadata": {"name": name, "namespace": "ml", "creationTimestamp": "2026-01-01T00:00:00Z"},
        "spec": {"modelName": name, "memory": memory, "backendUrl": "http://a", "containerImage": "a"},
    })
}

fn holding(name: &str, memory: &str) -> Value {
    let mut model = model(name, memory);
    model["status"] = json!({
        "reservedMemory": memory, "reservedPool": "inference-pool=default", "reservation": "Confirmed",
        "claimedAt": "2026-01-31T11:00:00Z", "replicas": 1,
    });
    model
}

fn request(own: &Value, others: &[Value], section: Value) -> ComposeRequest {
    let listed = others.iter().chain([own]).cloned().map(ObservedObject::from).collect();
    ComposeRequest {
        composite: Some(own.clone().into()),
        input: Some(json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "inferenceModel": section,
        })),
        lookups: BTreeMap::from([("models".to_owned(), listed)]),
        now: Some(NOW),
        explain: true,
        ..ComposeRequest::default()
    }
}

/// Explains a model: what it is about, why it has its memory, and what is said of the others.
#[track_caller]
fn check(request: &ComposeRequest, about: &str, chosen: &[&str], others: &[(&str, &str)]) {
    let decisions = KINDS.compose(request).expect("a response").decisions;
    assert_eq!(decisions.iter().map(|it| it.about.as_str()).collect::<Vec<_>>(), [about]);
    let found: Vec<_> = decisions[0].chosen.iter().map(|it| it.because.as_str()).collect();
    assert_eq!(found, chosen);
    let said: Vec<_> =
        decisions[0].passed_over.iter().map(|it| (it.candidates[0].as_str(), it.because.as_str())).collect();
    assert_eq!(said, others);
}

#[test]
fn decisions_about_memory() {
    let pools = json!({"pools": {"default": "100Gi"}});
    let about = "memory of pool `inference-pool=default` of 100Gi";
    let own = model("qwen", "60Gi");
    let others = [holding("a", "50Gi")];
    check(&request(&own, &others, pools.clone()), about, &[], &[("a", "holds 50Gi since 2026-01-31T11:00:00Z")]);
    let others = [model("a", "60Gi")];
    check(&request(&own, &others, pools.clone()), about, &[], &[("a", "waits for 60Gi before it")]);
    let others = [model("z", "60Gi")];
    let claimed = "claimed since 2026-01-31T12:00:00Z, not confirmed yet";
    check(&request(&own, &others, pools.clone()), about, &[claimed], &[("z", "waits for 60Gi")]);
    let mut runs = request(&holding("qwen", "60Gi"), &[], pools);
    let deployment = json!({
        "metadata": {"annotations": {
            "inference.eh-ops.io/last-request-time": "2026-01-31T11:55:30Z",
            "inference.eh-ops.io/claimed-at": "2026-01-31T11:00:00Z confirmed",
        }},
        "spec": {"replicas": 1},
    });
    runs.observed.insert("deployment".to_owned(), deployment.into());
    let until = "confirmed since 2026-01-31T11:00:00Z; sleeps at 12:05:30Z unless asked";
    check(&runs, about, &[until], &[]);
    // On another day, the moment has its date.
    let mut longer = runs.clone();
    let mut rested = holding("qwen", "60Gi");
    rested["spec"]["cooldownPeriod"] = "72h".into();
    longer.composite = Some(rested.into());
    let until = "confirmed since 2026-01-31T11:00:00Z; sleeps at 2026-02-03T11:55:30Z unless asked";
    check(&longer, about, &[until], &[]);
    // What others need stays awake.
    let mut agent = model("agent", "1Gi");
    agent["spec"]["dependencies"] = json!(["qwen"]);
    runs.lookups.insert("models".to_owned(), vec![holding("qwen", "60Gi").into(), agent.into()]);
    let awake = "confirmed since 2026-01-31T11:00:00Z; awake, since other models need it";
    check(&runs, about, &[awake], &[]);
}

/// Of many that have the memory, ten are named one by one, and the others together: each of a thousand models is explained beside all.
#[test]
fn decisions_about_memory_among_many() {
    let others: Vec<_> = (10..40).map(|index| holding(&format!("m{index}"), "10Gi")).collect();
    let request = request(&model("qwen", "60Gi"), &others, json!({"pools": {"default": "300Gi"}}));
    let decisions = KINDS.compose(&request).expect("a response").decisions;
    let rows = &decisions[0].passed_over;
    let [named @ .., rest] = rows.as_slice() else { panic!("no rows") };
    assert_eq!((decisions[0].candidates, named.len()), (31, 10));
    assert_eq!(named[0].because, "holds 10Gi since 2026-01-31T11:00:00Z");
    assert!(named[0].nearest.is_some());
    let names: Vec<_> = (20..40).map(|index| format!("m{index}")).collect();
    assert_eq!((rest.reason.as_str(), &rest.candidates), ("Confirmed", &names));
    assert_eq!(rest.because, "more hold 200Gi together");
}

/// A model that runs stays where it is when another pool has no memory for it, and says what there is.
#[test]
fn a_refused_move_is_explained() {
    let mut own = holding("qwen", "40Gi");
    own["spec"]["nodeSelector"] = json!({"inference-pool": "x"});
    let mut holder = holding("holder", "40Gi");
    holder["spec"]["nodeSelector"] = json!({"inference-pool": "x"});
    holder["status"]["reservedPool"] = "inference-pool=x".into();
    let mut request = request(&own, &[holder], json!({"pools": {"default": "100Gi", "x": "50Gi"}}));
    let deployment = json!({
        "metadata": {"annotations": {
            "inference.eh-ops.io/last-request-time": "2026-01-31T11:55:30Z",
            "inference.eh-ops.io/claimed-at": "2026-01-31T11:00:00Z confirmed",
        }},
        "spec": {"replicas": 1}, "status": {"replicas": 1, "readyReplicas": 1},
    });
    request.observed.insert("deployment".to_owned(), deployment.into());
    let response = KINDS.compose(&request).expect("a response");
    let told: Vec<_> = response.results.iter().map(|it| it.message.as_str()).collect();
    let refused = "Cannot update node selector: insufficient memory budget on target node pool: requested 40Gi, \
                   available 10Gi, blocking holder 40Gi";
    assert_eq!(told, [refused]);
    let decisions = &response.decisions;
    let about: Vec<_> = decisions.iter().map(|it| (it.about.as_str(), it.chosen.len())).collect();
    let [here, there] =
        ["memory of pool `inference-pool=default` of 100Gi", "memory of pool `inference-pool=x` of 50Gi"];
    assert_eq!(about, [(here, 1), (there, 0)]);
    let nearest = decisions[1].passed_over[0].nearest.as_ref().expect("what is free");
    assert_eq!((nearest.needed.value, nearest.found.value), (40 << 10, 10 << 10));
    // The numbers change, and are no news.
    let condition = json!({"type": "NodeSelectorApplied", "status": "False", "reason": "InsufficientMemory"});
    own["status"]["conditions"] = json!([condition]);
    request.composite = Some(own.into());
    assert_eq!(KINDS.compose(&request).expect("a response").results, []);
}

/// A model without labels of nodes is in the pool of one that says nothing: an entry of the totals counts once for both.
#[test]
fn one_pool_without_labels() {
    let mut bare = holding("a", "60Gi");
    bare["spec"]["nodeSelector"] = json!({});
    let about = "memory of pool `inference-pool=default` of 100Gi";
    for total in ["default", "inference-pool=default"] {
        let request = request(&model("qwen", "60Gi"), &[bare.clone()], json!({"pools": {total: "100Gi"}}));
        check(&request, about, &[], &[("a", "holds 60Gi since 2026-01-31T11:00:00Z")]);
    }
    // One that ran before Sailplane came has nothing but its Deployment to say where it is.
    bare["status"] = json!({"replicas": 1});
    let request = request(&model("qwen", "60Gi"), &[bare], json!({"pools": {"default": "100Gi"}}));
    check(&request, about, &[], &[("a", "holds 60Gi")]);
}

#[test]
fn totals_in_the_context() {
    let section = json!({"poolsFrom": {"kind": "Context", "name": "environment"}});
    let held = |data: Value| {
        let mut request = request(&model("qwen", "60Gi"), &[], section.clone());
        request.context.insert("environment".to_owned(), data);
        let status = KINDS.compose(&request).expect("a response").composite.status.unwrap_or_default();
        status["reservation"].as_str().map(str::to_owned)
    };
    assert_eq!(held(json!({"pools": {"default": "60Gi"}})).as_deref(), Some("Claimed"));
    assert_eq!(held(json!({"default": "60Gi", "region": {"name": "eu"}})).as_deref(), Some("Claimed"));
    assert_eq!(held(json!({"pools": {"default": "59Gi"}})), None);
    assert_eq!(held(json!({"pools": {"default": [1]}})), None);
    // Of another pool, what is no amount does not matter here.
    assert_eq!(held(json!({"region": "eu"})).as_deref(), Some("Confirmed"));
    assert_eq!(held(json!({"other": "60Gi"})).as_deref(), Some("Confirmed"));
}

/// Crossplane stores conditions before a function has said anything, and nothing else after a fatal result.
#[test]
fn crossplane_may_write_the_status_first() {
    let mut own = model("qwen", "60Gi");
    let condition = json!({
        "type": "Synced", "status": "True", "reason": "ReconcileSuccess", "lastTransitionTime": "2026-01-31T12:00:00Z",
    });
    for status in [json!({}), json!({"conditions": [condition]})] {
        own["status"] = status;
        assert_eq!(definition().validate(&own), []);
    }
    own["spec"]["memory"] = "80".into();
    let fault = KINDS.compose(&request(&own, &[], json!({}))).expect_err("no memory");
    let said: Vec<_> = fault.conditions.iter().map(|it| (it.condition_type.as_str(), it.reason.as_str())).collect();
    assert_eq!(said, [("ModelReady", "Failed"), ("Available", "Failed")]);
    // Whatever else is known, a call says whether a pod is ready, and how many there are.
    let nothing = ComposeRequest { composite: Some(model("qwen", "60Gi").into()), ..ComposeRequest::default() };
    let status = KINDS.compose(&nothing).expect("a response").composite.status.unwrap_or_default();
    assert_eq!((&status["ready"], &status["replicas"]), (&json!(false), &json!(0)));
}

/// A pod that is told to go may still be ready, while the next one is wanted already.
#[test]
fn pods_that_go_are_not_waited_for() {
    let reason = |ready: bool, of_dependency: &str| {
        let mut other = model("base", "1Gi");
        let condition = json!({"type": "ModelReady", "status": "False", "reason": of_dependency});
        other["status"] = json!({"ready": ready, "replicas": 1, "conditions": [condition]});
        let mut own = model("qwen", "1Gi");
        own["spec"]["dependencies"] = json!(["base"]);
        let response = KINDS.compose(&request(&own, &[other], json!({}))).expect("a response");
        response.conditions.first().map(|it| it.reason.clone()).unwrap_or_default()
    };
    assert_eq!(reason(true, "Deployed"), "Deploying");
    assert_eq!(reason(false, "Deploying"), "Pending");
    assert_eq!(reason(true, "ScaledToZero"), "Pending");
    assert_eq!(reason(true, "InsufficientMemory"), "Pending");
    // One of a cycle runs on.
    assert_eq!(reason(true, "Failed"), "Deploying");
}

/// Ten thousand siblings, among them a chain of a thousand that depend on one another, and objects that are no models.
#[test]
fn many_siblings() {
    let mut others: Vec<Value> = (0..10_000).map(|index| model(&format!("m{index}"), "1Gi")).collect();
    for (index, other) in others.iter_mut().take(1_000).enumerate() {
        other["spec"]["dependencies"] = json!([format!("m{}", index + 1)]);
    }
    others.extend([json!({}), json!({"metadata": {"name": "odd"}}), json!({"metadata": {"name": "odd"}, "spec": 1})]);
    let mut own = model("qwen", "60Gi");
    own["metadata"]["creationTimestamp"] = "2025-01-01T00:00:00Z".into();
    own["spec"]["dependencies"] = json!(["m0"]);
    let waits = |others: &[Value]| {
        let response =
            KINDS.compose(&request(&own, others, json!({"pools": {"default": "100Gi"}}))).expect("a response");
        response.conditions.first().map(|it| (it.reason.clone(), it.message.clone().unwrap_or_default()))
    };
    assert_eq!(waits(&others), Some(("Pending".to_owned(), "dependency `m0` is not ready".to_owned())));
    others[1_000]["spec"]["dependencies"] = json!(["qwen"]);
    let cycle = waits(&others).unwrap_or_default();
    assert_eq!(cycle.0, "Failed");
    assert!(cycle.1.starts_with("dependency cycle: qwen -> m0 -> m1 -> ") && cycle.1.len() < 1_000, "{cycle:?}");
}
