//! Composing again changes nothing in the end: after as many rounds as a kind has phases.

use std::collections::BTreeMap;

use contract::compose::{ComposeRequest, ComposeResponse, DesiredResource};
use contract::types::{Condition, Fault, KindRef, MatchBy, ObservedObject, Outcome, Readiness, Selector};
use inference::KINDS;
use inference::inference_model::samples;
use inference::modelplane::usages;
use module::compose;
use native::golden::{Case, cases};
use serde_json::{Value, json};

/// Kinds that need several rounds to compose everything, and how many: what a later phase composes depends on answers to
/// lookups, or on the state of what an earlier phase composed.
const PHASES: &[(&str, usize)] = &[
    ("AKSCluster", 2),
    ("Cluster", 2),
    ("EKSCluster", 2),
    ("GKECluster", 2),
    ("InferenceCluster", 3),
    ("InferenceGateway", 3),
    ("InferenceModel", 3),
    ("ModelArtifact", 2),
    ("ModelCache", 2),
    ("ModelDeployment", 3),
    ("ModelEndpoint", 3),
    ("ModelReplica", 2),
    ("ModelService", 2),
    ("NebiusCluster", 2),
    ("ServingStack", 2),
    ("VultrCluster", 2),
];

/// Results that are given again while nothing changes, as Modelplane v0.3.1 gives them: their kinds have no condition that remembers
/// what was said.
const REPEATED: &[&str] = &[
    "Waiting for GCP ",
    "GCP ClusterProviderConfig ",
    "GCP ProviderConfig ",
    "Waiting for Nebius ",
    "Nebius ClusterProviderConfig ",
    "Nebius ProviderConfig ",
];

/// More rounds than any kind should need.
const MOST: usize = 10;

#[test]
fn composing_again_changes_nothing() {
    let mut rounds: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases().expect("a readable corpus") {
        // Steps that act on what earlier ones desire, or in an Operation, have no state of their own.
        let is_step = |input: &Value| input["kind"] == usages::KIND || input["kind"] == samples::KIND;
        let is_of_kind = !case.request.input.as_ref().is_some_and(is_step);
        if compose(&case.request).is_err() || !is_of_kind {
            continue;
        }
        let taken = settle(&case, compose).unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
        let kind = case.request.composite().ok().and_then(|composite| KINDS.find(&KindRef::of(composite)));
        let most = rounds.entry(kind.expect("it is composed").kind).or_default();
        *most = taken.max(*most);
    }
    for (kind, taken) in rounds {
        let stated = PHASES.iter().find(|(known, _)| *known == kind).map_or(1, |(_, phases)| *phases);
        assert_eq!(taken, stated, "rounds that {kind} takes");
    }
}

/// While Crossplane looks up what a step asks for, nothing else changes. It gives up after five answers.
#[test]
fn lookups_come_to_an_end() {
    const ANSWERS: usize = 5;
    for case in cases().expect("a readable corpus") {
        let mut request = case.request.clone();
        let mut asked = None;
        let ended = (0..=ANSWERS).any(|_| {
            let Ok(response) = compose(&request) else { return true };
            request.lookups = response.lookups.keys().map(|name| (name.clone(), found(&case, name))).collect();
            asked.replace(response.lookups.clone()) == Some(response.lookups)
        });
        assert!(ended, "{}: {asked:#?}", case.name);
    }
}

/// What the case says that a lookup finds.
fn found(case: &Case, lookup: &str) -> Vec<ObservedObject> {
    case.request.lookups.get(lookup).cloned().unwrap_or_default()
}

/// Composes until nothing changes, and returns the number of rounds.
pub(crate) fn settle(
    case: &Case,
    compose: impl Fn(&ComposeRequest) -> Result<ComposeResponse, Fault>,
) -> Result<usize, String> {
    let compose = |request: &ComposeRequest| compose(request).map_err(|fault| format!("composed again: {fault:?}"));
    let mut request = case.request.clone();
    let mut response = compose(&request)?;
    for round in 1..=MOST {
        request = apply(case, &request, &response);
        let next = compose(&request)?;
        if asked_for(&next) != asked_for(&response) {
            response = next;
            continue;
        }
        let is_repeated = |result: &Outcome| REPEATED.iter().any(|start| result.message.starts_with(start));
        if !next.results.iter().all(is_repeated) {
            return Err(format!("nothing changes, but there are results: {:?}", next.results));
        }
        let again = compose(&apply(case, &request, &next))?;
        return if again == next { Ok(round) } else { Err(format!("{next:#?}\nbecomes\n{again:#?}")) };
    }
    Err(format!("still changes after {MOST} rounds: {:#?}", asked_for(&response)))
}

/// The request when everything is there, as it is composed again and again in the end.
pub(crate) fn settled(
    case: &Case,
    compose: impl Fn(&ComposeRequest) -> Result<ComposeResponse, Fault>,
) -> Result<ComposeRequest, Fault> {
    let mut request = case.request.clone();
    let mut response = compose(&request)?;
    for _ in 0..MOST {
        request = apply(case, &request, &response);
        let next = compose(&request)?;
        let is_settled = asked_for(&next) == asked_for(&response);
        response = next;
        if is_settled {
            break;
        }
    }
    Ok(request)
}

/// The parts of a response that a caller acts on: objects to apply, lookups to answer, and conditions to set.
fn asked_for(response: &ComposeResponse) -> (BTreeMap<&str, &Value>, &BTreeMap<String, Selector>, &[Condition]) {
    let objects = response.resources.iter().map(|(key, desired)| (key.as_str(), &desired.object)).collect();
    (objects, &response.lookups, &response.conditions)
}

/// The request after Crossplane applied `response` and everything became ready.
fn apply(case: &Case, request: &ComposeRequest, response: &ComposeResponse) -> ComposeRequest {
    let mut next = request.clone();
    let objects: BTreeMap<&String, Value> =
        response.resources.iter().map(|(key, desired)| (key, ready(case, key, &desired.object))).collect();
    next.observed = objects.iter().map(|(key, object)| ((*key).clone(), object.clone().into())).collect();
    let mut composite = request.composite().expect("it was composed").clone();
    let mut status = response.composite.status.clone().unwrap_or(json!({}));
    status["conditions"] = response.conditions.iter().map(|condition| {
        let (kind, status) = (&condition.condition_type, condition.status.as_str());
        json!({"type": kind, "status": status, "reason": condition.reason, "message": condition.message.as_deref().unwrap_or_default()})
    }).collect::<Vec<Value>>().into();
    composite["status"] = status;

    let namespace = composite["metadata"]["namespace"].as_str().unwrap_or_default().to_owned();
    let there: Vec<&Value> = case.cluster.iter().chain(objects.values()).chain([&composite]).collect();
    let found = |wanted: &Selector| -> Vec<ObservedObject> {
        let objects = there.iter().filter(|object| matches(wanted, object, &namespace));
        objects.map(|&object| object.clone().into()).collect()
    };
    next.lookups = case.request.lookups.clone();
    for (name, wanted) in &response.lookups {
        next.lookups.entry(name.clone()).or_insert_with(|| found(wanted));
    }
    next.composite = Some(ObservedObject::from(composite));
    next
}

/// A composed resource when it is ready: with a name, as Crossplane gives it one, and with the status that the case gives it.
fn ready(case: &Case, key: &str, object: &Value) -> Value {
    let mut object = object.clone();
    let name = &mut object["metadata"]["name"];
    if name.is_null() {
        *name = format!("generated-for-{key}").into();
    }
    let mut status = case.statuses.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
    let ready = json!([{"type": "Ready", "status": "True", "reason": "Available"}]);
    status.entry("conditions").or_insert(ready);
    object["status"] = status.into();
    object
}

/// Whether a lookup finds an object. A composed object without a namespace is in the namespace of its composite.
fn matches(wanted: &Selector, object: &Value, namespace: &str) -> bool {
    let metadata = &object["metadata"];
    let within = metadata["namespace"].as_str().unwrap_or(namespace);
    let chosen = match &wanted.match_by {
        MatchBy::Name(name) => metadata["name"] == **name,
        MatchBy::Labels(labels) => labels.iter().all(|(key, value)| metadata["labels"][key] == **value),
        MatchBy::Values(_) => false, // Crossplane does not know values
    };
    chosen && KindRef::of(object) == wanted.kind && wanted.namespace.as_deref().is_none_or(|wanted| wanted == within)
}

/// A kind with three phases: it looks up a network, then composes a subnet in it, then a node in the subnet.
fn phases(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let kind = KindRef { api_version: "example.org/v1".to_owned(), kind: "Network".to_owned() };
    let wanted = Selector {
        kind,
        match_by: MatchBy::Name("blue".to_owned()),
        namespace: Some("team-a".to_owned()),
        limit: None,
    };
    let mut response = ComposeResponse::default();
    response.lookups.insert("network".to_owned(), wanted);
    let Some([network]) = request.lookups.get("network").map(Vec::as_slice) else { return Ok(response) };
    let mut desire = |key: &str, spec: Value| {
        let object = json!({"apiVersion": "example.org/v1", "kind": "Part", "metadata": {"name": key}, "spec": spec});
        let desired = DesiredResource { object, readiness: Readiness::Ready };
        response.resources.insert(key.to_owned(), desired);
    };
    desire("subnet", network.object().expect("JSON")["spec"].clone());
    if let Some(subnet) = request.observed("subnet")? {
        desire("node", subnet["status"]["id"].clone());
    }
    Ok(response)
}

#[test]
fn kinds_with_several_phases() {
    let network = json!({
        "apiVersion": "example.org/v1", "kind": "Network", "metadata": {"name": "blue", "namespace": "team-a"},
        "spec": {"range": "10.0.0.0/8"},
    });
    let case = |cluster, statuses: Value| Case {
        name: String::new(),
        folder: Default::default(),
        request: ComposeRequest {
            composite: Some(json!({"metadata": {"name": "a", "namespace": "team-a"}}).into()),
            ..ComposeRequest::default()
        },
        cluster,
        statuses: statuses.as_object().cloned().unwrap_or_default(),
    };
    let statuses = json!({"subnet": {"id": "subnet-1"}});
    assert_eq!(settle(&case(vec![network.clone()], statuses.clone()), phases), Ok(3));
    assert_eq!(settle(&case(Vec::new(), json!({})), phases), Ok(1), "there is no network");
    let mut answered = case(vec![network], statuses);
    answered.request.lookups.insert("network".to_owned(), Vec::new());
    assert_eq!(settle(&answered, phases), Ok(1), "the case says that there is none");

    let churns = |request: &ComposeRequest| {
        let object =
            json!({"spec": request.observed("a")?.map_or(0, |it| it["spec"].as_u64().unwrap_or_default() + 1)});
        let desired = DesiredResource { object, readiness: Readiness::Ready };
        Ok(ComposeResponse { resources: BTreeMap::from([("a".to_owned(), desired)]), ..ComposeResponse::default() })
    };
    let error = settle(&case(Vec::new(), json!({})), churns).expect_err("it never settles");
    assert!(error.starts_with("still changes after 10 rounds"), "{error}");
}
