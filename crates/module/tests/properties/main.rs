//! Properties that hold for every kind of the table and for every input. New kinds are covered by their rows.

mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use contract::admit::{AdmitRequest, Operation};
use contract::compose::{ComposeRequest, ComposeResponse, DesiredResource};
use contract::types::{Cause, Code, Fault, KindRef, MatchBy, ObservedObject, Problem, Readiness, Selector};
use generate::{Mistakes, any_json, composites, documents, examples, inputs, request};
use inference::KINDS;
use inference::llm_inference::weights::weights;
use inference::options::{self, Options};
use module::{admit, compose};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::{Value, json};
use toolbox::duration::Duration;
use toolbox::kind::{Kind, StepFunction};
use toolbox::reasons::Reasons;

/// The request after everything in `response` was applied and became ready.
fn applied(request: &ComposeRequest, response: &ComposeResponse) -> ComposeRequest {
    let mut next = request.clone();
    for (key, desired) in &response.resources {
        let mut object = desired.object.clone();
        object["status"]["conditions"] = json!([{"type": "Ready", "status": "True"}]);
        next.observed.insert(key.clone(), ObservedObject::from(object));
    }
    let conditions = response.conditions.iter().map(|condition| {
        json!({
            "type": condition.condition_type, "status": condition.status.as_str(),
            "reason": condition.reason, "message": condition.message,
        })
    });
    let mut composite = request.composite().cloned().unwrap_or_default();
    composite["status"]["conditions"] = conditions.collect::<Vec<_>>().into();
    next.composite = Some(ObservedObject::from(composite));
    next
}

proptest! {
    /// A duration can read what it prints.
    #[test]
    fn durations_print_what_they_read(millis in any::<u64>()) {
        let duration = Duration::from_millis(millis);
        prop_assert_eq!(duration.to_string().parse(), Ok(duration));
    }

    /// Reading the size from a name never fails.
    #[test]
    fn sizes_of_any_name(name in "[a-zA-Z0-9./_-]{0,40}|\\PC{0,20}") {
        prop_assert!(weights(&name).is_none_or(|bytes| bytes > 0));
    }
}

/// Checks a property of values of `strategy`.
#[track_caller]
fn check<T: Debug>(what: &str, strategy: &impl Strategy<Value = T>, property: impl Fn(T) -> Result<(), TestCaseError>) {
    let config = Config { failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(strategy, property);
    assert!(outcome.is_ok(), "{what}: {}", outcome.err().map_or(String::new(), |error| error.to_string()));
}

/// The kinds that are composed.
fn composed() -> impl Iterator<Item = &'static Kind> {
    KINDS.rows.iter().filter(|kind| kind.compose.is_some())
}

/// The most rounds that a kind needs whose objects wait for others: `tests/golden` has the number for each kind.
const MOST_ROUNDS: usize = 4;

/// Composing again, with the composed resources observed, changes nothing in the end, and reports nothing then. Kinds that look
/// something up need answers for it, which `tests/golden` has.
#[test]
fn composing_again_changes_nothing() {
    for kind in composed().filter(|kind| kind.looks_up.is_empty()) {
        let requests = (composites(kind, Mistakes::Some), prop::option::of(inputs(Mistakes::Some)));
        check(kind.kind, &requests, |(composite, input)| {
            let request = request(composite, input);
            let first = match compose(&request) {
                Ok(first) => first,
                Err(fault) => {
                    prop_assert!(!fault.problems.is_empty());
                    return Ok(());
                }
            };
            let again = |response: &ComposeResponse| {
                compose(&applied(&request, response)).map_err(|fault| TestCaseError::fail(format!("{fault:?}")))
            };
            let objects = |response: &ComposeResponse| -> Vec<(String, Value)> {
                response.resources.iter().map(|(key, desired)| (key.clone(), desired.object.clone())).collect()
            };
            let (mut before, mut second) = (objects(&first), again(&first)?);
            for _ in 1..MOST_ROUNDS {
                if objects(&second) == before {
                    break;
                }
                (before, second) = (objects(&second), again(&second)?);
            }
            prop_assert_eq!(objects(&second), before);
            prop_assert_eq!(&second.results, &[]);
            // A condition may say what is observed, so the first time it may say that nothing is.
            prop_assert_eq!(again(&second)?.conditions, second.conditions);
            Ok(())
        });
    }
}

/// Whether admission does not refuse to create an object.
fn is_admitted(object: &Value) -> bool {
    let operation = Operation::Create(object.clone());
    let request = AdmitRequest { operation, input: None, lookups: BTreeMap::new() };
    admit(&request).is_ok_and(|verdict| verdict.denials.is_empty())
}

/// A composite that is valid under strict validation, and that admission does not refuse, can be composed.
#[test]
fn valid_composites_can_be_composed() {
    for kind in composed() {
        for mistakes in [Mistakes::None, Mistakes::Some] {
            check(kind.kind, &composites(kind, mistakes), |composite| {
                let valid = kind.validate(&composite).is_empty() && is_admitted(&composite);
                let composed = compose(&request(composite, None));
                prop_assert!(!valid || composed.is_ok(), "{composed:?}");
                Ok(())
            });
        }
        for example in examples(kind) {
            assert_eq!(kind.validate(&example), [], "an example of {}", kind.kind);
        }
    }
    // Found once: an API server takes a list where a text has a format.
    let spec = json!({"backendUrl": [], "memory": "1Ki", "modelName": "a"});
    let metadata = json!({"name": "a", "namespace": "team-a"});
    let model = json!({"apiVersion": "inference.eh-ops.io/v1alpha1", "kind": "InferenceModel", "metadata": metadata, "spec": spec});
    assert!(!is_admitted(&model));
    let problems = compose(&request(model, None)).err().map(|fault| fault.problems).unwrap_or_default();
    assert_eq!(problems.first().map(|it| it.path.as_str()), Some("spec.backendUrl"), "{problems:?}");
}

/// Every message has one line, also for invalid input.
#[test]
fn messages_are_one_line() {
    for kind in KINDS.rows {
        check(kind.kind, &(any_json(), any_json()), |(spec, input)| {
            let composite = json!({"apiVersion": kind.api_version, "kind": kind.kind, "metadata": spec, "spec": spec});
            let requests = [request(composite.clone(), None), request(composite.clone(), Some(input))];
            let faults = requests.iter().filter_map(|request| compose(request).err());
            for problem in faults.flat_map(|fault| fault.problems).chain(kind.validate(&composite)) {
                prop_assert!(!problem.message.contains('\n') && !problem.message.is_empty(), "{problem:?}");
            }
            Ok(())
        });
    }
}

/// The types can read every step input that the schema allows, so patterns and types agree.
#[test]
fn patterns_and_types_agree() {
    check("options", &inputs(Mistakes::None), |input| {
        if input["kind"] != options::KIND {
            return Ok(()); // a step of its own reads it
        }
        let options = Options::read(Some(&input));
        prop_assert!(options.is_ok(), "{input}: {options:?}");
        Ok(())
    });
    // Found once: the smallest texts that match.
    let kind = (options::API_VERSION, options::KIND);
    let input = json!({"apiVersion": kind.0, "kind": kind.1, "ttl": "0ms", "llmInference": {"gpuMemory": "0"}});
    assert_eq!(Options::read(Some(&input)).err(), None);
}

/// Requests for a kind with answers to all lookups. In some of them, everything that is desired is observed too. `lookups`
/// are those of its examples, and `found` has the objects that lookups find.
fn answered_requests(
    kind: &Kind,
    composites: BoxedStrategy<Value>,
    lookups: BTreeMap<String, Selector>,
) -> impl Strategy<Value = ComposeRequest> + use<> {
    let kind = *kind;
    let documents = documents(&kind);
    let found = prop::collection::vec(any_json(), 0..3);
    let parts = (composites, prop::option::of(inputs(Mistakes::Some)), found, any::<bool>());
    parts.prop_map(move |(composite, input, found, exists)| {
        let find = |selector: &Selector| -> Vec<ObservedObject> {
            let known = documents.iter().filter(|object| KindRef::of(object) == selector.kind).cloned();
            let known = if found.is_empty() { Vec::new() } else { known.collect() };
            found.iter().cloned().chain(known).map(ObservedObject::from).collect()
        };
        let mut request = request(composite, input);
        request.desired.resources.insert("earlier".to_owned(), resource());
        request.lookups = lookups.iter().map(|(name, selector)| (name.clone(), find(selector))).collect();
        for _ in 0..MOST_CALLS {
            let Ok(response) = run(&kind, &request) else { break };
            let new: Vec<_> =
                response.lookups.iter().filter(|(name, _)| !request.lookups.contains_key(*name)).collect();
            if new.is_empty() {
                break;
            }
            request.lookups.extend(new.into_iter().map(|(name, selector)| (name.clone(), find(selector))));
        }
        if let (true, Ok(response)) = (exists, run(&kind, &request)) {
            request = applied(&request, &response);
            request.observed.insert("earlier".to_owned(), resource().object.into());
        }
        request
    })
}

/// The lookups of the examples of a kind. The examples are valid, so without any answers they must not have a fault.
fn lookups_of_examples(kind: &Kind, examples: &[Value]) -> Result<BTreeMap<String, Selector>, String> {
    let mut lookups = BTreeMap::new();
    for example in examples {
        let response = run(kind, &request(example.clone(), None));
        lookups.extend(response.map_err(|fault| format!("a fault without answers: {fault:?}"))?.lookups);
    }
    Ok(lookups)
}

/// Crossplane calls a step at most so often because of its lookups.
const MOST_CALLS: usize = 5;

fn run(kind: &Kind, request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    kind.composed()?(request).map(|(response, _)| response)
}

/// A lookup without an answer must not lead to a fault, because Crossplane stops at a fatal result before it looks
/// anything up. And every observed resource must stay desired, because Crossplane deletes what is not desired.
fn unanswered_lookups_do_no_harm(kind: &Kind, answered: &ComposeRequest) -> Result<(), TestCaseError> {
    let informed = run(kind, answered);
    if let Ok(response) = &informed {
        let unknown: Vec<_> = response.lookups.keys().filter(|name| !answered.lookups.contains_key(*name)).collect();
        prop_assert!(unknown.is_empty(), "after {MOST_CALLS} calls there are new lookups {unknown:?}");
    }
    for request in unanswered(answered) {
        let asked: Vec<_> = request.lookups.keys().collect();
        match (&informed, run(kind, &request)) {
            (Ok(informed), Ok(response)) => {
                let (kept, wanted) = (kept(&request, &response), kept(answered, informed));
                prop_assert!(kept.is_superset(&wanted), "with answers to {asked:?} only {kept:?} of {wanted:?} stand");
            }
            (Ok(_), Err(fault)) => prop_assert!(false, "a fault with answers to {asked:?} alone: {fault:?}"),
            (Err(informed), Err(fault)) => {
                let known = fault.problems.iter().all(|problem| informed.problems.contains(problem));
                prop_assert!(known, "another fault with answers to {asked:?} alone: {fault:?}");
            }
            (Err(_), Ok(_)) => {}
        }
    }
    Ok(())
}

/// The same request without any answers, and once for each answer without it.
fn unanswered(answered: &ComposeRequest) -> Vec<ComposeRequest> {
    let none = ComposeRequest { lookups: BTreeMap::new(), schemas: BTreeMap::new(), ..answered.clone() };
    let without = |name: &String| {
        let mut request = answered.clone();
        request.lookups.remove(name);
        request
    };
    [none].into_iter().chain(answered.lookups.keys().map(without)).collect()
}

/// The observed resources that stay desired, by this step or by an earlier one.
fn kept(request: &ComposeRequest, response: &ComposeResponse) -> BTreeSet<String> {
    let earlier = |key: &String| request.desired.resources.contains_key(key) && !response.withdrawn.contains(key);
    let desired = |key: &&String| response.resources.contains_key(*key) || earlier(key);
    request.observed.keys().filter(desired).cloned().collect()
}

fn resource() -> DesiredResource {
    DesiredResource { object: json!({"apiVersion": "v1", "kind": "ConfigMap"}), readiness: Readiness::Unspecified }
}

#[test]
fn unanswered_lookups_harm_nothing() {
    for kind in composed() {
        let lookups = lookups_of_examples(kind, &examples(kind)).unwrap_or_else(|why| panic!("{}: {why}", kind.kind));
        let requests = answered_requests(kind, composites(kind, Mistakes::Some), lookups);
        check(kind.kind, &requests, |request| unanswered_lookups_do_no_harm(kind, &request));
    }
}

/// The property detects kinds that treat *not asked* as *asked and absent*.
#[test]
fn harm_by_unanswered_lookups_is_found() {
    // The first failure depends on what is generated: the message starts with one of `found`.
    let check = |compose: StepFunction, found: &[&str]| {
        let kind = Kind { compose: Some(compose), examples: &[], ..KINDS.rows[0] };
        let composite = json!({"metadata": {"name": "a"}});
        let why = match lookups_of_examples(&kind, std::slice::from_ref(&composite)) {
            Err(why) => Some(why),
            Ok(lookups) => {
                let config = Config { failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
                let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
                let requests = answered_requests(&kind, Just(composite).boxed(), lookups);
                match runner.run(&requests, |request| unanswered_lookups_do_no_harm(&kind, &request)) {
                    Ok(()) => None,
                    Err(TestError::Fail(why, _)) => Some(why.message().to_owned()),
                    Err(TestError::Abort(why)) => panic!("{why}"),
                }
            }
        };
        let as_expected = match &why {
            Some(why) => found.iter().any(|found| why.starts_with(found)),
            None => found.is_empty(),
        };
        assert!(as_expected, "found {why:?}, and none of {found:?}");
    };
    check(careful, &[]);
    check(faulting, &["a fault without answers"]);
    check(faulting_later, &["a fault with answers to [\"pools\"] alone"]);
    let only = |kept: &str, wanted: &str| format!("with answers to [] only {{{kept}}} of {{{wanted}}} stand");
    let (earlier, pool, both) = ("\"earlier\"", "\"pool\"", "\"earlier\", \"pool\"");
    check(leaving_out, &[&only(earlier, both), &only("", pool)]);
    check(withdrawing, &[&only(pool, both), &only("", earlier)]);
    check(asking_more, &["after 5 calls there are new lookups"]);
}

/// What a step gives.
type Composed = Result<(ComposeResponse, Reasons), Fault>;

/// Composes a resource if there are pools. Until it knows, it keeps what is observed.
fn careful(request: &ComposeRequest) -> Composed {
    let wanted = match request.lookups.get("pools") {
        Some(pools) => !pools.is_empty(),
        None => request.observed.contains_key("pool"),
    };
    Ok((pool(wanted), Reasons::default()))
}

fn faulting(request: &ComposeRequest) -> Composed {
    if request.lookups.contains_key("pools") { careful(request) } else { Err(no_pools()) }
}

fn faulting_later(request: &ComposeRequest) -> Composed {
    let waits = request.lookups.contains_key("pools") && !request.lookups.contains_key("classes");
    if waits { Err(no_pools()) } else { careful(request) }
}

fn leaving_out(request: &ComposeRequest) -> Composed {
    let wanted = request.lookups.get("pools").is_some_and(|pools| !pools.is_empty());
    Ok((pool(wanted), Reasons::default()))
}

fn withdrawing(request: &ComposeRequest) -> Composed {
    let unknown = !request.lookups.contains_key("pools");
    let withdrawn = unknown.then(|| "earlier".to_owned()).into_iter().collect();
    let (response, reasons) = careful(request)?;
    Ok((ComposeResponse { withdrawn, ..response }, reasons))
}

fn asking_more(request: &ComposeRequest) -> Composed {
    let (mut response, reasons) = careful(request)?;
    response.lookups.insert(format!("more-{}", request.lookups.len()), all("Pool"));
    Ok((response, reasons))
}

fn pool(wanted: bool) -> ComposeResponse {
    ComposeResponse {
        resources: wanted.then(|| ("pool".to_owned(), resource())).into_iter().collect(),
        lookups: BTreeMap::from([("pools".to_owned(), all("Pool")), ("classes".to_owned(), all("Class"))]),
        ..ComposeResponse::default()
    }
}

fn all(kind: &str) -> Selector {
    let kind = KindRef { api_version: "example.org/v1".to_owned(), kind: kind.to_owned() };
    Selector { kind, match_by: MatchBy::Labels(BTreeMap::new()), namespace: None, limit: None }
}

fn no_pools() -> Fault {
    Fault::new(Cause::State, Problem::new("", Code::NotFound, "no pools"))
}
