//! What is observed stays desired: whatever part of the rest is observed, whatever it says of itself, and whatever a lookup finds.
//! Crossplane deletes what is not desired.
//!
//! From each case of the kinds that clusters are made of, everything that the composite becomes is taken. Then parts of it are observed
//! at random, and lookups are answered at random.

use std::collections::BTreeSet;

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use inference::KINDS;
use module::compose;
use native::golden::{Case, cases};
use serde_json::{Value, json};

use crate::fixpoint::settled;

/// The API version of the kinds that clusters become. The others of this test are those that become them.
const CLUSTERS: &str = "infrastructure.modelplane.ai/v1alpha1";

/// Kinds of people, which become those.
const PEOPLE: [&str; 2] = ["InferenceCluster", "InferenceGateway"];

/// What goes by decision: guards, when nothing is to be guarded any more, and Usages of Modelplane v0.3.1 that are the wrong way
/// round.
const GO: [&str; 4] = ["usage-replicas", "usage-caches", "usage-gateway-by-traefik", "usage-gateway-class-by-traefik"];

/// How often each case is tried.
const TRIES: usize = 12;

#[test]
fn what_is_observed_stays() {
    let mut random = Random(42);
    let mut tried = BTreeSet::new();
    for case in cases().expect("a readable corpus") {
        let Ok(composite) = case.request.composite() else { continue };
        let (api_version, kind) = (text(composite, "apiVersion"), text(composite, "kind"));
        let is_one = api_version == CLUSTERS || PEOPLE.contains(&kind.as_str());
        if !is_one || case.request.input.as_ref().is_some_and(|input| input["kind"] != "Options") {
            continue;
        }
        let Ok(all) = settled(&case, compose) else { continue };
        for _ in 0..TRIES {
            check(&case, &some(&all, &mut random), &all);
        }
        tried.insert(kind);
    }
    let kinds = KINDS.rows.iter().filter(|row| row.api_version == CLUSTERS || PEOPLE.contains(&row.kind));
    assert_eq!(tried, kinds.map(|row| row.kind.to_owned()).collect());
}

fn check(case: &Case, request: &ComposeRequest, all: &ComposeRequest) {
    let asked: Vec<_> = request.lookups.keys().collect();
    match compose(request) {
        Ok(response) => {
            let observed = request.observed.keys().filter(|key| !GO.contains(&key.as_str()));
            let gone: Vec<_> = observed.filter(|key| !response.resources.contains_key(*key)).collect();
            let observed = request.observed.keys();
            assert!(gone.is_empty(), "{}: of {observed:?}, answered {asked:?}: gone {gone:?}", case.name);
        }
        Err(fault) => {
            // It must not be on account of a lookup that nobody has answered yet: Crossplane would never answer it.
            let mut answered = request.clone();
            for (name, found) in &all.lookups {
                answered.lookups.entry(name.clone()).or_insert_with(|| found.clone());
            }
            assert!(compose(&answered).is_err(), "{}: answered {asked:?}: {fault:?}", case.name);
        }
    }
}

/// A part of what is observed, with other statuses, and other answers to lookups.
fn some(all: &ComposeRequest, random: &mut Random) -> ComposeRequest {
    let mut request = all.clone();
    request.observed.retain(|_, _| random.below(4) > 0);
    for object in request.observed.values_mut() {
        let Ok(value) = object.object() else { continue };
        let mut value = value.clone();
        match random.below(8) {
            0 => value["status"] = json!({"conditions": [{"type": "Ready", "status": "False"}]}),
            1 => value["status"] = json!("odd"),
            2 => drop(value.as_object_mut().and_then(|it| it.remove("status"))),
            3 => value["metadata"]["annotations"] = json!({"crossplane.io/external-name": "external-1"}),
            4 => value["spec"] = json!({}),
            _ => {}
        }
        *object = ObservedObject::from(value);
    }
    let mut answers = request.lookups.clone();
    answers.retain(|_, _| random.below(4) > 0);
    for found in answers.values_mut() {
        match random.below(4) {
            0 => found.clear(),
            1 => *found = vec![json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other"}}).into()],
            _ => {}
        }
    }
    request.lookups = answers;
    request
}

fn text(object: &Value, field: &str) -> String {
    object[field].as_str().unwrap_or_default().to_owned()
}

/// A linear congruential generator, so that every run is the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}
