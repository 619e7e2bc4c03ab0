//! `sailplane function`: modules that misbehave. Each call gets a clear refusal, and the function continues.

use std::time::Duration;

use function_sdk_rust::proto::v1::{RunFunctionRequest, RunFunctionResponse, State};
use host::engine::{Engine, Settings};
use host::function::{Function, MAX_RESPONSE};
use prost::Message as _;
use serde_json::json;
use tests::artifacts::guest;
use tests::function::{act, as_struct, brief_client, puppet, refusal, request, resource, shared_client};

async fn call(request: RunFunctionRequest) -> RunFunctionResponse {
    shared_client().await.run_function(request).await.expect("every call has a response").into_inner()
}

/// Calls the function with the short call timeout.
async fn call_briefly(request: RunFunctionRequest) -> RunFunctionResponse {
    brief_client().await.run_function(request).await.expect("every call has a response").into_inner()
}

/// Adds a resource that an earlier step desires.
fn after_others(request: RunFunctionRequest) -> RunFunctionRequest {
    let theirs = ("theirs".to_owned(), resource(&json!({"apiVersion": "v1", "kind": "ConfigMap"})));
    RunFunctionRequest { desired: Some(State { composite: None, resources: [theirs].into() }), ..request }
}

async fn still_serves() {
    greeted(&call(act(&json!("greet"))).await);
}

fn greeted(response: &RunFunctionResponse) {
    let desired = response.desired.as_ref().expect("something is desired");
    assert!(response.results.is_empty() && desired.resources.contains_key("greeting"));
}

#[tokio::test]
async fn a_module_that_fails_is_refused() {
    for (what, expected) in [
        ("trap", "Puppet `stage/punch`: the module stopped: wasm trap: wasm `unreachable` instruction executed"),
        ("spin", "Puppet `stage/punch`: the module did not answer within 4 s"),
        ("gorge", "Puppet `stage/punch`: the module needs more than 64 MiB of memory"),
    ] {
        let request = after_others(act(&json!(what)));
        let desired = request.desired.clone();
        let response = call_briefly(request).await;
        assert_eq!(refusal(&response), expected);
        assert_eq!(response.desired, desired, "{what}");
        greeted(&call_briefly(act(&json!("greet"))).await);
    }
}

/// The time of a call begins when its request is decoded, and the module has what is left of it.
#[test]
fn decoding_takes_from_the_time_of_a_call() {
    let settings = Settings { deadline: Duration::from_secs(600), ..Settings::default() };
    let function = Function::new(Engine::load(&settings, true, &[guest()]).unwrap());
    let answer = |seconds: u64, what: &str| {
        let function = function.clone().within(Duration::from_secs(seconds));
        let answer = function.answer(act(&json!(what)).encode_to_vec().into(), None).unwrap();
        RunFunctionResponse::decode(answer.as_slice()).unwrap()
    };
    for (seconds, what) in [(0, "greet"), (1, "spin")] {
        let expected = format!("Puppet `stage/punch`: the module did not answer within {seconds} s");
        assert_eq!(refusal(&answer(seconds, what)), expected);
    }
    greeted(&answer(60, "greet"));
}

/// Other calls are answered while modules are in endless loops, even when these use all processors.
#[tokio::test]
async fn a_module_that_spins_holds_nobody_up() {
    let spinning: Vec<_> = (0..4).map(|_| tokio::spawn(call_briefly(act(&json!("spin"))))).collect();
    tokio::time::sleep(Duration::from_millis(100)).await; // from being sent to being computed
    greeted(&call_briefly(act(&json!("greet"))).await);
    assert!(spinning.iter().all(|it| !it.is_finished()), "it waited for those that spin");
    for spun in spinning {
        assert!(refusal(&spun.await.unwrap()).contains("did not answer"));
    }
}

#[tokio::test]
async fn a_kind_that_no_module_has() {
    let mut unknown = puppet(&json!("greet"));
    unknown["kind"] = "Unheard".into();
    let response = call(after_others(request(&unknown))).await;
    assert_eq!(response.desired.as_ref().unwrap().resources.len(), 1);
    assert_eq!(
        refusal(&response),
        "kind: no kind `guest.example.org/v1` Unheard; `sailplane definitions --list` names those there are"
    );
}

/// When the step input acts on composites of any kind, the module of the input composes, not the module of the
/// composite.
#[tokio::test]
async fn a_step_is_routed_by_its_input_first() {
    let prompt = |api_version: &str| json!({"apiVersion": api_version, "kind": "Prompt"});
    for (input, greeted) in
        [(Some(prompt("guest.example.org/v1")), true), (Some(prompt("guest.example.org/v2")), false), (None, false)]
    {
        let composite =
            json!({"apiVersion": "elsewhere.example.org/v1", "kind": "Stranger", "metadata": {"name": "s"}});
        let message = RunFunctionRequest { input: input.as_ref().map(as_struct), ..request(&composite) };
        let response = call(message).await;
        let desired = response.desired.map(|desired| desired.resources).unwrap_or_default();
        assert_eq!(desired.contains_key("greeting"), greeted, "{input:?}");
    }
}

#[tokio::test]
async fn a_response_over_the_limit_is_refused() {
    let mib = 1 << 20;
    let within = call(act(&json!({"swell": [mib, 2 * mib]}))).await;
    assert!(within.results.is_empty());

    let over = after_others(act(&json!({"swell": [mib, 3 * mib, 1, 2 * mib, 9]})));
    let desired = over.desired.clone();
    let response = call(over).await;
    let message = refusal(&response);
    assert_eq!(
        message,
        "the response has 6291949 bytes, more than the 4194304 that Crossplane accepts; its largest resources: \
         `swollen-1` 3145797, `swollen-3` 2097221, `swollen-0` 1048641"
    );
    assert_eq!(response.desired, desired);
    still_serves().await;
}

/// The desired state of earlier steps alone may be too large. The refusal must arrive nevertheless.
#[tokio::test]
async fn a_refusal_fits_whatever_it_carries() {
    let mut request = after_others(act(&json!("trap")));
    let large = resource(&json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"x": "x".repeat(MAX_RESPONSE)}}));
    request.desired.as_mut().unwrap().resources.insert("large".to_owned(), large);
    let response = call(request).await;
    assert!(refusal(&response).contains("the module stopped"));
    assert_eq!((response.desired, response.context), (None, None));
}

/// A refusal repeats parts of the request, but not all of it.
#[tokio::test]
async fn a_refusal_is_short_whatever_it_repeats() {
    let mut composite = tests::function::puppet(&json!("trap"));
    composite["kind"] = json!("K".repeat(5 << 20));
    let response = call(tests::function::request(&composite)).await;
    assert!(refusal(&response).len() < 20 << 10, "{} bytes", refusal(&response).len());
    let mut composite = tests::function::puppet(&json!("trap"));
    composite["metadata"]["name"] = json!("n".repeat(5 << 20));
    let response = call(tests::function::request(&composite)).await;
    assert!(refusal(&response).contains("the module stopped") && refusal(&response).len() < 1000);
}

/// A request that is nested too deeply for modules.
#[tokio::test]
async fn deep_nesting_is_refused() {
    let mut deep = json!(1);
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let response = call(act(&json!({"deep": deep}))).await;
    let message = refusal(&response);
    assert!(message.starts_with("the observed composite: spec.act.deep[0]"), "{message}");
    assert!(message.ends_with("objects and lists are nested deeper than 127 levels"), "{message}");
    still_serves().await;
}
