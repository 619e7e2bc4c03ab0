//! Properties of models that share pools, on random pools, and what previews show of them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::preview::{Capacity, Pipeline, PreviewRequest, Role, Source, Step, StepInput};
use contract::types::{KindRef, ObservedObject};
use module::{check, compose, preview};
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

/// The object with the totals may stand anywhere in the texts.
#[test]
fn totals_in_the_same_texts() {
    let model = "apiVersion: inference.eh-ops.io/v1alpha1\nkind: InferenceModel\nmetadata: {name: a, namespace: models}\n\
                 spec: {modelName: a, memory: 60Gi, backendUrl: 'http://b', containerImage: a}\n---\n";
    let config = |api_version: &str, kind: &str, namespace: &str, total: &str| {
        format!(
            "apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: pools{namespace}}}\ndata: {{default: {total}}}\n---\n"
        )
    };
    #[track_caller]
    fn check(kind: &str, documents: [&str; 2], wanted: &[&str]) {
        let options = format!(
            "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\n\
             inferenceModel: {{poolsFrom: {{kind: {kind}, name: pools}}, budgetAdvice: refuse}}\n"
        );
        for text in [documents.concat(), [documents[1], documents[0]].concat()] {
            let source = Source { name: "models.yaml".to_owned(), role: Role::Subject, text };
            let found = module::check(&[source], Some(&options)).diagnostics;
            assert_eq!(found.iter().map(|it| it.problem.message.as_str()).collect::<Vec<_>>(), wanted);
        }
    }
    let environment = |total| config("apiextensions.crossplane.io/v1beta1", "EnvironmentConfig", "", total);
    let large = "the model wants 60Gi, and pool `inference-pool=default` has 40Gi, so it can never fit; ask for less";
    check("EnvironmentConfig", [model, &environment("100Gi")], &[]);
    check("EnvironmentConfig", [model, &environment("40Gi")], &[large]);
    check("ConfigMap", [model, &config("v1", "ConfigMap", ", namespace: models", "40Gi")], &[large]);
    // One of another namespace is another one.
    check("ConfigMap", [model, &config("v1", "ConfigMap", ", namespace: other", "40Gi")], &[]);
}

/// Objects of the first release of the Inference Budget Controller are valid, as `kubectl get -o yaml` prints them; those of later
/// releases are told apart, since a definition over theirs would lose their fields.
#[test]
fn objects_of_later_releases() {
    let checked = |spec: Value| {
        let object = json!({
            "apiVersion": "inference.eh-ops.io/v1alpha1", "kind": "InferenceModel",
            "metadata": {
                "name": "qwen", "namespace": "models", "uid": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "generation": 1,
                "creationTimestamp": "2026-01-01T00:00:00Z",
            },
            "spec": spec,
        });
        let text = json!({"apiVersion": "v1", "kind": "List", "items": [object]}).to_string();
        let source = Source { name: "models.yaml".to_owned(), role: Role::Subject, text };
        let found = check(&[source], None).diagnostics;
        let errors = found.iter().filter(|it| it.gravity == contract::preview::Gravity::Error);
        errors.map(|it| it.problem.path.clone()).collect::<BTreeSet<_>>()
    };
    let first = json!({
        "modelName": "qwen", "memory": "60Gi", "backendUrl": "http://a", "containerImage": "a", "cooldownPeriod": "10m",
        "dependencies": [], "maxReplicas": 1, "nodeSelector": {"inference-pool": "default"},
        "resources": {"requests": {"gpu": "1"}},
    });
    assert_eq!(checked(first), BTreeSet::new());
    let later = json!({
        "modelName": "qwen", "backend": "vllm", "source": {"huggingFace": {"repo": "Qwen/Qwen3"}},
        "resources": {"memory": "60Gi"}, "scaling": {"maxReplicas": 1},
    });
    let told: Vec<_> = checked(later).into_iter().collect();
    for path in ["spec.backend", "spec.backendUrl", "spec.memory", "spec.scaling", "spec.source"] {
        assert!(told.iter().any(|it| it.ends_with(path)), "{path} is not among {told:?}");
    }
}

/// What may happen to models of two pools, in any order.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A pass over a model: its Deployment is written, and its status is about to be.
    Pass(usize),
    /// The status of a model is stored.
    Store(usize),
    /// The status of a model gets lost.
    Lose(usize),
    /// Lists show the next change.
    Deliver,
    /// Pods come and go, as the Deployment of a model says.
    Follow(usize),
    /// Somebody asks for a model.
    Ask(usize),
    /// Somebody moves a model to the other pool.
    Move(usize),
    /// Somebody says that a model never runs, or that it may run again.
    Pin(usize),
    /// All that is under way comes to its end: statuses are stored, lists show them, and pods follow.
    Settle,
    /// So many seconds go by, when no pass is under way and lists show everything: passes take less than 5 s.
    Wait(u64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => (0..4usize).prop_map(Event::Pass),
        6 => (0..4usize).prop_map(Event::Store),
        1 => (0..4usize).prop_map(Event::Lose),
        6 => Just(Event::Deliver),
        4 => (0..4usize).prop_map(Event::Follow),
        2 => (0..4usize).prop_map(Event::Ask),
        1 => (0..4usize).prop_map(Event::Move),
        3 => (0..4usize).prop_map(Event::Pin),
        3 => Just(Event::Settle),
        5 => prop_oneof![Just(1), Just(5), Just(30), Just(700)].prop_map(Event::Wait),
    ]
}

/// A control plane with four models, as far as their memory goes.
struct Plane {
    stored: Vec<Value>,
    deployments: Vec<Option<Value>>,
    writing: Vec<Option<Value>>,
    /// What lists show, and the changes that they do not show yet.
    listed: Vec<Value>,
    log: VecDeque<(usize, Value)>,
    now: u64,
}

impl Plane {
    const POOLS: [(&'static str, u32); 2] = [("a", 100), ("b", 60)];
    const CEILING: u32 = 140;

    fn new(sizes: [u32; 4]) -> Self {
        let made = |(index, gibibytes): (usize, &u32)| {
            let pool = Self::POOLS[index % 2].0;
            object(index, &Made { gibibytes: *gibibytes, reservation: None, pool, created: 0 })
        };
        let mut stored: Vec<Value> = sizes.iter().enumerate().map(made).collect();
        // Whoever is first in the order joins later: those that wait at the same moment never claim more than there is.
        for model in stored.iter_mut().take(2) {
            model["spec"]["maxReplicas"] = 0.into();
        }
        let listed = stored.clone();
        Self { stored, deployments: vec![None; 4], writing: vec![None; 4], listed, log: VecDeque::new(), now: NOW }
    }

    fn change(&mut self, index: usize, edit: impl FnOnce(&mut Value)) {
        edit(&mut self.stored[index]);
        self.log.push_back((index, self.stored[index].clone()));
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Pass(index) => self.pass(index),
            Event::Store(index) => {
                if let Some(status) = self.writing[index].take().filter(|it| self.stored[index]["status"] != *it) {
                    self.change(index, |model| model["status"] = status);
                }
            }
            Event::Lose(index) => self.writing[index] = None,
            Event::Deliver => {
                if let Some((index, model)) = self.log.pop_front() {
                    self.listed[index] = model;
                }
            }
            Event::Follow(index) => {
                if let Some(deployment) = &mut self.deployments[index] {
                    let (desired, generation) =
                        (deployment["spec"]["replicas"].clone(), deployment["metadata"]["generation"].clone());
                    deployment["status"] = json!({
                        "observedGeneration": generation, "replicas": desired, "updatedReplicas": desired, "readyReplicas": desired,
                    });
                }
            }
            Event::Ask(index) => {
                let stamp = written(self.now);
                self.change(index, |model| {
                    model["metadata"]["annotations"] = json!({"inference.eh-ops.io/last-request-time": stamp});
                });
            }
            Event::Move(index) => self.change(index, |model| {
                let pool = &mut model["spec"]["nodeSelector"]["inference-pool"];
                *pool = if *pool == "a" { "b".into() } else { "a".into() };
            }),
            Event::Pin(index) => self.change(index, |model| {
                model["spec"]["maxReplicas"] = if model["spec"]["maxReplicas"] == 0 { 1 } else { 0 }.into();
            }),
            Event::Settle => {
                for index in 0..4 {
                    self.happen(Event::Store(index));
                    self.happen(Event::Follow(index));
                }
                while !self.log.is_empty() {
                    self.happen(Event::Deliver);
                }
            }
            Event::Wait(seconds) => {
                if self.log.is_empty() && self.writing.iter().all(Option::is_none) {
                    self.now += seconds;
                }
            }
        }
    }

    fn pass(&mut self, index: usize) {
        if self.writing[index].is_some() {
            return; // A model has one pass at a time.
        }
        let pools: BTreeMap<_, _> = Self::POOLS.iter().map(|(pool, total)| (pool, format!("{total}Gi"))).collect();
        let observed = self.deployments[index].iter().map(|it| ("deployment".to_owned(), it.clone().into()));
        let listed = self.listed.iter().cloned().map(ObservedObject::from).collect();
        let response = compose(&ComposeRequest {
            composite: Some(self.stored[index].clone().into()),
            observed: observed.collect(),
            input: Some(json!({
                "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options",
                "inferenceModel": {"pools": pools, "maxModelMemory": format!("{}Gi", Self::CEILING)},
            })),
            lookups: BTreeMap::from([("models".to_owned(), listed)]),
            now: Some(self.now),
            ..ComposeRequest::default()
        });
        let response = response.expect("a response");
        let before = self.deployments[index].take();
        self.deployments[index] = response.resources.get("deployment").map(|desired| {
            let mut object = desired.object.clone();
            let before = before.unwrap_or_default();
            let generation = before["metadata"]["generation"].as_u64().unwrap_or_default();
            object["metadata"]["generation"] = (generation + u64::from(before["spec"] != object["spec"])).into();
            object["status"] = before["status"].clone();
            object
        });
        let mut status = response.composite.status.unwrap_or_default();
        let conditions = response.conditions.iter();
        status["conditions"] = conditions
            .map(|it| json!({"type": it.condition_type, "status": it.status.as_str(), "reason": it.reason}))
            .collect();
        self.writing[index] = Some(status);
    }

    /// The memory of a model, and how firmly it holds it in which pools.
    fn holds(&self, index: usize) -> (u32, Option<String>, Vec<String>) {
        let (spec, status) = (&self.stored[index]["spec"], &self.stored[index]["status"]);
        let memory = spec["memory"].as_str().unwrap_or_default().trim_end_matches("Gi").parse().unwrap_or_default();
        let pools = ["reservedPool", "leavingPool"].map(|field| status[field].as_str().map(str::to_owned));
        (memory, status["reservation"].as_str().map(str::to_owned), pools.into_iter().flatten().collect())
    }

    /// The pools, or everything, of which more is confirmed than there is.
    fn over(&self) -> Option<String> {
        let confirmed = |pool: Option<&str>| -> u32 {
            let counts = |(_, firmly, pools): &(u32, Option<String>, Vec<String>)| {
                let key = pool.map(|pool| format!("inference-pool={pool}"));
                firmly.as_deref() == Some("Confirmed") && key.is_none_or(|key| pools.contains(&key))
            };
            (0..4).map(|index| self.holds(index)).filter(counts).map(|(memory, ..)| memory).sum()
        };
        let pools = Self::POOLS.iter().map(|(pool, total)| (Some(*pool), *total)).chain([(None, Self::CEILING)]);
        let mut over = pools.filter(|(pool, total)| confirmed(*pool) > *total);
        over.next().map(|(pool, total)| format!("{} of {total} in {pool:?}", confirmed(pool)))
    }

    /// Goes on without people until nothing changes. Gives what is wrong then.
    fn rest(&mut self) -> Option<String> {
        // A claim is confirmed once it is older than two of these rounds.
        let mut unchanged = 0;
        for _ in 0..200 {
            let before = (self.stored.clone(), self.deployments.clone());
            for index in 0..4 {
                self.happen(Event::Pass(index));
                self.happen(Event::Settle);
            }
            self.happen(Event::Wait(6));
            unchanged = if (self.stored.clone(), self.deployments.clone()) == before { unchanged + 1 } else { 0 };
            if unchanged == 3 {
                return self.left_out();
            }
        }
        Some("it never rests".to_owned())
    }

    /// A model that has claimed memory and does not get it, or that would fit and does not run.
    fn left_out(&self) -> Option<String> {
        (0..4).find_map(|index| {
            let (memory, firmly, _) = self.holds(index);
            if firmly.is_some() {
                return (firmly.as_deref() != Some("Confirmed")).then(|| format!("m{index} is {firmly:?} for ever"));
            }
            let is_refused = self.stored[index]["status"]["conditions"][0]["reason"] == "InsufficientMemory";
            let pool = self.stored[index]["spec"]["nodeSelector"]["inference-pool"].as_str().unwrap_or_default();
            let key = format!("inference-pool={pool}");
            let others = || (0..4).filter(|other| *other != index).map(|other| self.holds(other));
            let of_pool: u32 = others().filter(|(_, _, pools)| pools.contains(&key)).map(|(memory, ..)| memory).sum();
            let of_all: u32 = others().filter(|(_, firmly, _)| firmly.is_some()).map(|(memory, ..)| memory).sum();
            let total = Self::POOLS.iter().find(|(name, _)| *name == pool).map_or(0, |(_, total)| *total);
            let fits = of_pool + memory <= total && of_all + memory <= Self::CEILING;
            (is_refused && fits).then(|| format!("m{index} would fit"))
        })
    }
}

/// A time within 36 hours of the first one, as stamps are written.
fn written(seconds: u64) -> String {
    let since_midnight = seconds - NOW + 12 * 3600;
    let day = if since_midnight < 86_400 { "2026-01-31" } else { "2026-02-01" };
    let (hours, minutes, seconds) = (since_midnight / 3600 % 24, since_midnight / 60 % 60, since_midnight % 60);
    format!("{day}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens in which order, confirmed reservations never exceed a total, and in the end everything that fits runs.
    #[test]
    fn histories(sizes in [50..70u32, 30..50u32, 50..70u32, 30..50u32], events in prop::collection::vec(event(), 1..120)) {
        let mut plane = Plane::new(sizes);
        for event in events {
            plane.happen(event);
            prop_assert_eq!(plane.over(), None, "after {:?}", event);
        }
        prop_assert_eq!(plane.rest(), None);
        prop_assert_eq!(plane.over(), None);
    }
}

/// Two that claim the last memory at the same moment, and look at the lists at the same moment later: one of them stays.
#[test]
fn two_that_race() {
    let mut plane = Plane::new([60, 40, 60, 40]);
    // The first wants to run only once the other's pass is under way, so neither sees the other.
    for event in [Event::Pass(2), Event::Pin(0), Event::Pass(0)] {
        plane.happen(event);
    }
    let claims = |status: &Option<Value>| status.as_ref().is_some_and(|it| it["reservation"] == "Claimed");
    assert_eq!([0, 2].map(|index: usize| claims(&plane.writing[index])), [true, true]);
    for event in [Event::Settle, Event::Wait(5), Event::Pass(0), Event::Pass(2), Event::Settle] {
        plane.happen(event);
        assert_eq!(plane.over(), None, "after {event:?}");
    }
    assert_eq!(plane.rest(), None);
    let holds = [0, 2].map(|index| plane.holds(index).1);
    assert_eq!(holds, [Some("Confirmed".to_owned()), None]);
}
