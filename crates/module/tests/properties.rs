//! What holds for every input.

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::ObservedObject;
use inference::KINDS;
use inference::llm_inference::weights::weights;
use inference::options::Options;
use module::compose;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolbox::duration::Duration;

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

/// An object with some of these fields, each as it should be or as it should not.
fn fields(sound: Vec<(&'static str, BoxedStrategy<Value>)>) -> impl Strategy<Value = Value> {
    let fields: Vec<_> = sound
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

/// What would be observed once everything in `response` was applied and became ready.
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
    /// Composing again over what was composed changes nothing, and says nothing.
    #[test]
    fn settles_in_one_pass(composite in any_composite(), input in prop::option::of(any_options())) {
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

    /// What strict validation lets pass composes, whatever the options.
    #[test]
    fn what_is_valid_composes(composite in any_composite()) {
        let valid = KINDS.rows[0].validate(&composite).is_empty();
        let composed = compose(&request(composite, None));
        prop_assert!(!valid || composed.is_ok(), "{composed:?}");
    }

    /// Messages are one line, however odd the input.
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

    /// The schema's patterns let pass only what the types can read.
    #[test]
    fn patterns_and_types_agree(ttl in "([0-9]{1,9}([.][0-9]{1,9})?(ms|s|m|h)){1,4}", memory in "[0-9]{1,15}([.][0-9]{1,3})?(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?") {
        let input = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "ttl": ttl, "llmInference": {"gpuMemory": memory},
        });
        let options = Options::read(Some(&input));
        prop_assert!(options.is_ok(), "{options:?}");
    }

    /// What a span of time prints is what it reads.
    #[test]
    fn durations_print_what_they_read(millis in any::<u64>()) {
        let duration = Duration::from_millis(millis);
        prop_assert_eq!(duration.to_string().parse(), Ok(duration));
    }

    /// Sizes are read off any name without harm.
    #[test]
    fn any_name_has_weights_or_none(name in "[a-zA-Z0-9./_-]{0,40}|\\PC{0,20}") {
        prop_assert!(weights(&name).is_none_or(|bytes| bytes > 0));
    }
}
