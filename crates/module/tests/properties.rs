//! Properties that hold for every input.

use std::collections::{BTreeMap, BTreeSet};

use contract::admit::LookupAnswers;
use contract::compose::{ComposeRequest, ComposeResponse, DesiredResource};
use contract::types::{Cause, Code, Fault, KindRef, MatchBy, ObservedObject, Problem, Readiness, Selector};
use inference::KINDS;
use inference::llm_inference::weights::weights;
use inference::options::Options;
use module::compose;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use toolbox::duration::Duration;
use toolbox::kind::{Kind, StepFunctions};

/// Any JSON, a few levels deep.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z]{0,10}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

/// An object with some of these fields. Most values are valid, and some are any JSON.
fn fields(valid: Vec<(&'static str, BoxedStrategy<Value>)>) -> impl Strategy<Value = Value> {
    let fields: Vec<_> = valid
        .into_iter()
        .map(|(name, value)| {
            prop_oneof![8 => value.prop_map(Some), 1 => any_json().prop_map(Some), 1 => Just(None)]
                .prop_map(move |value| (name, value))
        })
        .collect();
    fields.prop_map(|fields| {
        let present = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        Value::Object(present.collect::<Map<_, _>>())
    })
}

fn text(pattern: &'static str) -> BoxedStrategy<Value> {
    pattern.prop_map(Value::from).boxed()
}

fn one_of(values: &'static [&'static str]) -> BoxedStrategy<Value> {
    prop::sample::select(values).prop_map(Value::from).boxed()
}

fn any_composite() -> impl Strategy<Value = Value> {
    const MODELS: &[&str] =
        &["moonshotai/Kimi-K2.5", "meta-llama/Llama-3.1-8B", "Qwen/Qwen3-30B-A3B-FP8", "a/b", "8x7B"];
    let spec = fields(vec![
        ("model", prop_oneof![one_of(MODELS), text("[a-zA-Z0-9./-]{1,30}")].boxed()),
        ("gpu", (1..1100).prop_map(Value::from).boxed()),
        ("ingressHost", text("([*][.])?[a-z]{1,8}([.][a-z]{1,8})?")),
        ("providerConfigName", text("[a-z]{1,8}")),
        ("providerConfigKind", one_of(&["ProviderConfig", "ClusterProviderConfig"])),
        ("targetNamespace", text("[a-z]{0,8}")),
    ]);
    (text("[a-z0-9.-]{1,70}"), spec).prop_map(|(name, spec)| {
        json!({
            "apiVersion": "inference.devopstoolkit.ai/v1alpha1", "kind": "LLMInference",
            "metadata": {"name": name, "namespace": "team-a"}, "spec": spec,
        })
    })
}

fn any_options() -> impl Strategy<Value = Value> {
    let llm_inference = fields(vec![
        ("vllmOperator", one_of(&["2025-12", "2026-02"])),
        ("readiness", one_of(&["created", "serving"])),
        ("gpuMemory", text("[0-9]{1,15}([.][0-9]{1,3})?(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?")),
        ("tolerations", Just(json!([{"key": "nvidia.com/gpu", "operator": "Exists"}])).boxed()),
        ("ingress", Just(json!({"className": "traefik", "tls": [{"secretName": "wildcard"}]})).boxed()),
    ]);
    fields(vec![
        ("apiVersion", one_of(&["sailplane.fn.crossplane.io/v1alpha1"])),
        ("kind", one_of(&["Options"])),
        ("ttl", text("[0-9]{1,9}([.][0-9]{1,9})?(ms|s|m|h)")),
        ("llmInference", llm_inference.boxed()),
    ])
}

fn request(composite: Value, input: Option<Value>) -> ComposeRequest {
    ComposeRequest { composite: Some(ObservedObject::from(composite)), input, ..ComposeRequest::default() }
}

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
    /// Composing again, with the composed resources observed, changes nothing and reports nothing.
    #[test]
    fn composing_again_changes_nothing(composite in any_composite(), input in prop::option::of(any_options())) {
        let request = request(composite, input);
        match compose(&request) {
            Ok(first) => {
                let second = compose(&applied(&request, &first));
                let second = second.map_err(|fault| TestCaseError::fail(format!("{fault:?}")))?;
                prop_assert_eq!(&second.resources.keys().collect::<Vec<_>>(), &first.resources.keys().collect::<Vec<_>>());
                for (key, desired) in &second.resources {
                    prop_assert_eq!(&desired.object, &first.resources[key].object);
                }
                prop_assert_eq!(second.results, []);
                prop_assert_eq!(second.conditions, first.conditions);
            }
            Err(fault) => prop_assert!(!fault.problems.is_empty()),
        }
    }

    /// A composite that is valid under strict validation can be composed.
    #[test]
    fn valid_composites_can_be_composed(composite in any_composite()) {
        let valid = KINDS.rows[0].validate(&composite).is_empty();
        let composed = compose(&request(composite, None));
        prop_assert!(!valid || composed.is_ok(), "{composed:?}");
    }

    /// Every message has one line, also for invalid input.
    #[test]
    fn messages_are_one_line(spec in any_json(), input in any_json()) {
        let composite = json!({"apiVersion": "inference.devopstoolkit.ai/v1alpha1", "kind": "LLMInference", "metadata": spec, "spec": spec});
        for request in [request(composite.clone(), None), request(composite.clone(), Some(input))] {
            if let Err(fault) = compose(&request) {
                for problem in fault.problems.iter().chain(&KINDS.rows[0].validate(&composite)) {
                    prop_assert!(!problem.message.contains('\n') && !problem.message.is_empty(), "{problem:?}");
                }
            }
        }
    }

    /// The types can read every text that matches the patterns of the schema.
    #[test]
    fn patterns_and_types_agree(ttl in "([0-9]{1,9}([.][0-9]{1,9})?(ms|s|m|h)){1,4}", memory in "[0-9]{1,15}([.][0-9]{1,3})?(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?") {
        let input = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "ttl": ttl, "llmInference": {"gpuMemory": memory},
        });
        let options = Options::read(Some(&input));
        prop_assert!(options.is_ok(), "{options:?}");
    }

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

/// A kind, and requests for it.
struct Subject {
    kind: Kind,
    composites: fn() -> BoxedStrategy<Value>,
    /// Answers to all of its lookups.
    answers: fn() -> BoxedStrategy<LookupAnswers>,
}

/// Subjects for all kinds.
const SUBJECTS: &[Subject] = &[Subject {
    kind: KINDS.rows[0],
    composites: || any_composite().boxed(),
    answers: || Just(BTreeMap::new()).boxed(),
}];

/// Requests with answers to all lookups. In some of them, everything that is desired is observed too.
fn answered_requests(subject: &Subject) -> impl Strategy<Value = ComposeRequest> + use<> {
    let kind = subject.kind;
    let parts = ((subject.composites)(), prop::option::of(any_options()), (subject.answers)(), any::<bool>());
    parts.prop_map(move |(composite, input, lookups, exists)| {
        let mut request = ComposeRequest { lookups, ..request(composite, input) };
        request.desired.resources.insert("earlier".to_owned(), resource());
        let response = kind.composed().and_then(|step| (step.compose)(&request));
        if let (true, Ok(response)) = (exists, response) {
            request = applied(&request, &response);
            request.observed.insert("earlier".to_owned(), resource().object.into());
        }
        request
    })
}

/// A lookup without an answer must not lead to a fault, because Crossplane stops at a fatal result before it looks
/// anything up. And every observed resource must stay desired, because Crossplane deletes what is not desired.
fn unanswered_lookups_do_no_harm(kind: &Kind, answered: &ComposeRequest) -> Result<(), TestCaseError> {
    let compose = |request: &ComposeRequest| kind.composed().and_then(|step| (step.compose)(request));
    let informed = compose(answered);
    if let Ok(response) = &informed {
        let unknown: Vec<_> = response.lookups.keys().filter(|name| !answered.lookups.contains_key(*name)).collect();
        prop_assert!(unknown.is_empty(), "no answers are made up for the lookups {unknown:?}");
    }
    for request in unanswered(answered) {
        let asked: Vec<_> = request.lookups.keys().collect();
        match (&informed, compose(&request)) {
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
    let names = |kind: &Kind| (kind.api_version, kind.kind);
    let (subjects, kinds) = (SUBJECTS.iter().map(|it| names(&it.kind)), KINDS.rows.iter().map(names));
    assert_eq!(subjects.collect::<Vec<_>>(), kinds.collect::<Vec<_>>(), "every kind has a subject");
    for subject in SUBJECTS {
        let requests = answered_requests(subject);
        let config = Config { failure_persistence: None, ..Config::default() };
        let outcome =
            TestRunner::new(config).run(&requests, |request| unanswered_lookups_do_no_harm(&subject.kind, &request));
        assert!(outcome.is_ok(), "{}: {outcome:?}", subject.kind.kind);
    }
}

/// The property detects kinds that treat *not asked* as *asked and absent*.
#[test]
fn harm_by_unanswered_lookups_is_found() {
    let check = |compose, found: Option<&str>| {
        let step = StepFunctions { compose, explain: |_| Ok(Vec::new()) };
        let kind = Kind { compose: Some(step), ..KINDS.rows[0] };
        let subject = Subject { kind, composites: || any_composite().boxed(), answers: any_pools };
        let config = Config { failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let requests = answered_requests(&subject);
        match runner.run(&requests, |request| unanswered_lookups_do_no_harm(&kind, &request)) {
            Err(TestError::Fail(why, _)) => {
                let why = why.message();
                assert!(found.is_some_and(|found| why.starts_with(found)), "found `{why}`, not {found:?}");
            }
            outcome => assert!(found.is_none() && outcome.is_ok(), "{outcome:?}, not {found:?}"),
        }
    };
    check(careful, None);
    check(faulting, Some("a fault with answers to [] alone"));
    check(faulting_later, Some("a fault with answers to [\"pools\"] alone"));
    check(leaving_out, Some("with answers to [] only {\"earlier\"} of {\"earlier\", \"pool\"} stand"));
    check(withdrawing, Some("with answers to [] only {\"pool\"} of {\"earlier\", \"pool\"} stand"));
    check(asking_more, Some("no answers are made up for the lookups [\"more\"]"));
}

fn any_pools() -> BoxedStrategy<LookupAnswers> {
    let some = || prop::collection::vec(any_json().prop_map(ObservedObject::from), 0..3);
    let both = (some(), some()).prop_map(|(pools, classes)| [("pools", pools), ("classes", classes)]);
    both.prop_map(|both| both.map(|(name, found)| (name.to_owned(), found)).into()).boxed()
}

/// Composes a resource if there are pools. Until it knows, it keeps what is observed.
fn careful(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let wanted = match request.lookups.get("pools") {
        Some(pools) => !pools.is_empty(),
        None => request.observed.contains_key("pool"),
    };
    Ok(pool(wanted))
}

fn faulting(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    if request.lookups.contains_key("pools") { careful(request) } else { Err(no_pools()) }
}

fn faulting_later(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let waits = request.lookups.contains_key("pools") && !request.lookups.contains_key("classes");
    if waits { Err(no_pools()) } else { careful(request) }
}

fn leaving_out(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    Ok(pool(request.lookups.get("pools").is_some_and(|pools| !pools.is_empty())))
}

fn withdrawing(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let unknown = !request.lookups.contains_key("pools");
    let withdrawn = unknown.then(|| "earlier".to_owned()).into_iter().collect();
    Ok(ComposeResponse { withdrawn, ..careful(request)? })
}

fn asking_more(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let mut response = careful(request)?;
    response.lookups.insert("more".to_owned(), all("Pool"));
    Ok(response)
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
    Selector { kind, match_by: MatchBy::Labels(BTreeMap::new()), namespace: None }
}

fn no_pools() -> Fault {
    Fault::new(Cause::State, Problem::new("", Code::NotFound, "no pools"))
}
