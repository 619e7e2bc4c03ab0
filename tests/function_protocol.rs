//! Every field of Crossplane's protocol, in requests and responses, through the host and over a socket.
//!
//! The guest module returns its request, or the response that the composite contains.

use std::collections::HashMap;

use function_sdk_rust::proto::v1::credentials::Source;
use function_sdk_rust::proto::v1::resource_selector::Match;
use function_sdk_rust::proto::v1::{
    Capability, Condition, CredentialData, Credentials, MatchLabels, Ready, RequestMeta, Requirements, Resource,
    ResourceSelector, Resources, ResponseMeta, Result as Outcome, RunFunctionRequest, RunFunctionResponse, Schema,
    SchemaSelector, Severity, State, Status, Target,
};
use host::engine::{Engine, Settings};
use host::function::Function;
use pbjson_types::value::Kind;
use pbjson_types::{Duration, ListValue, Struct};
use prost::Message as _;
use prost::encoding::encode_varint;
use serde_json::{Value, json};
use tests::artifacts::guest;
use tests::function::{act, as_json, as_struct, puppet, refusal, resource, shared_client};

const MINUTE: Option<Duration> = Some(Duration { seconds: 60, nanos: 0 });

async fn call(request: RunFunctionRequest) -> RunFunctionResponse {
    shared_client().await.run_function(request).await.expect("every call has a response").into_inner()
}

/// The request that the module gets.
async fn seen(request: RunFunctionRequest) -> Value {
    let response = call(request).await;
    let desired = response.desired.as_ref().expect("something is desired");
    let echo = desired.resources.get("echo").unwrap_or_else(|| panic!("no echo: {:?}", response.results));
    as_json(echo.resource.as_ref().expect("an object"))["data"].take()
}

/// A request that makes the guest return an empty response with the fields of `says`.
fn respond(says: &Value) -> RunFunctionRequest {
    let mut response = json!({
        "composite": {"status": null, "connection_details": [], "readiness": "Unspecified"},
        "resources": [], "withdrawn": [], "conditions": [], "results": [], "lookups": [], "schemas": [],
        "context": [], "ttl": null, "output": null, "derivations": [], "decisions": [],
    });
    for (key, value) in says.as_object().expect("an object") {
        response[key] = value.clone();
    }
    act(&json!({"respond": response}))
}

fn config_map(data: &Value) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "data": data})
}

fn with_details(object: &Value, key: &str, value: &[u8]) -> Resource {
    Resource { connection_details: HashMap::from([(key.to_owned(), value.to_vec())]), ..resource(object) }
}

fn text(value: &Value) -> Value {
    value.to_string().into()
}

#[tokio::test]
async fn the_module_sees_all_of_a_request() {
    let mut request = act(&json!("echo"));
    let observed = request.observed.as_mut().unwrap();
    observed.composite.as_mut().unwrap().connection_details.insert("user".to_owned(), b"root".to_vec());
    observed.resources = HashMap::from([
        ("b".to_owned(), resource(&config_map(&json!({"n": 1})))),
        ("a".to_owned(), with_details(&config_map(&json!({})), "token", &[0, 255])),
    ]);
    request.desired = Some(State {
        composite: Some(Resource {
            ready: Ready::False.into(),
            ..with_details(&json!({"status": {"phase": "Early"}}), "url", b"http://a")
        }),
        resources: HashMap::from([
            ("d".to_owned(), Resource { ready: Ready::True.into(), ..resource(&config_map(&json!({"x": null}))) }),
            ("c".to_owned(), resource(&config_map(&json!([])))),
        ]),
    });
    request.input = Some(as_struct(&json!({"kind": "Options", "replicas": 3})));
    request.context = Some(as_struct(&json!({"z": [1, 2.5], "apiextensions.crossplane.io/environment": {"a": "b"}})));
    request.credentials = HashMap::from([
        (
            "vault".to_owned(),
            Credentials {
                source: Some(Source::CredentialData(CredentialData {
                    data: HashMap::from([("key".to_owned(), b"s3cr3t".to_vec())]),
                })),
            },
        ),
        ("none".to_owned(), Credentials { source: None }),
    ]);
    request.required_resources = HashMap::from([
        (
            "found".to_owned(),
            Resources {
                items: vec![with_details(&config_map(&json!("one")), "k", b"v"), resource(&config_map(&json!("two")))],
            },
        ),
        ("absent".to_owned(), Resources::default()),
    ]);
    request.required_schemas = HashMap::from([
        ("known".to_owned(), Schema { openapi_v3: Some(as_struct(&json!({"type": "object"}))) }),
        ("unknown".to_owned(), Schema { openapi_v3: None }),
    ]);

    let mut seen = seen(request).await;
    let now = seen["now"].take();
    assert!(now.as_u64().is_some_and(|now| now > 1_700_000_000), "the time of the call, not {now}");
    let expected = json!({
        "composite": {
            "object": text(&puppet(&json!("echo"))),
            "connection_details": [{"key": "user", "value": b"root"}],
        },
        "observed": [
            {"name": "a", "state": {"object": text(&config_map(&json!({}))), "connection_details": [{"key": "token", "value": [0, 255]}]}},
            {"name": "b", "state": {"object": text(&config_map(&json!({"n": 1}))), "connection_details": []}},
        ],
        "desired": {
            "composite": {
                "status": text(&json!({"phase": "Early"})),
                "connection_details": [{"key": "url", "value": b"http://a"}],
                "readiness": "NotReady",
            },
            "resources": [
                {"name": "c", "object": text(&config_map(&json!([]))), "readiness": "Unspecified"},
                {"name": "d", "object": text(&config_map(&json!({"x": null}))), "readiness": "Ready"},
            ],
        },
        "input": text(&json!({"kind": "Options", "replicas": 3})),
        "context": [
            {"key": "apiextensions.crossplane.io/environment", "value": text(&json!({"a": "b"}))},
            {"key": "z", "value": "[1,2.5]"},
        ],
        "credentials": [
            {"name": "none", "data": []},
            {"name": "vault", "data": [{"key": "key", "value": b"s3cr3t"}]},
        ],
        "lookups": [
            {"name": "absent", "objects": []},
            {"name": "found", "objects": [
                {"object": text(&config_map(&json!("one"))), "connection_details": [{"key": "k", "value": b"v"}]},
                {"object": text(&config_map(&json!("two"))), "connection_details": []},
            ]},
        ],
        "schemas": [
            {"name": "known", "openapi_v3": text(&json!({"type": "object"}))},
            {"name": "unknown", "openapi_v3": null},
        ],
        "capabilities": {"required_resources": true, "credentials": true, "conditions": true, "required_schemas": true},
        "now": null,
        "explain": false,
    });
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn numbers_reach_the_module_as_they_were_meant() {
    for (number, expected) in [
        (3.0, "3"),
        (-0.0, "0"),
        (0.9, "0.9"),
        (2147483648.0, "2147483648"),
        (9007199254740993.0, "9007199254740992"), // rounded by the sender
        (1e21, "1000000000000000000000"),
    ] {
        let mut request = act(&json!("echo"));
        request.input = Some(Struct::from_iter([("n".to_owned(), Kind::NumberValue(number).into())]));
        assert_eq!(seen(request).await["input"], format!("{{\"n\":{expected}}}"));
    }
    for number in [f64::NAN, f64::INFINITY] {
        let mut request = act(&json!("echo"));
        let list = ListValue::from_iter([Kind::NumberValue(number)]);
        request.input = Some(Struct::from_iter([("n".to_owned(), Kind::ListValue(list).into())]));
        assert_eq!(refusal(&call(request).await), "input: n[0]: the number is not finite; JSON has no such number");
    }
}

#[tokio::test]
async fn capabilities_are_what_the_caller_says() {
    for (capabilities, expected) in [
        (vec![], Value::Null),
        (vec![Capability::RequiredResources], Value::Null),
        (
            vec![Capability::Capabilities, Capability::Conditions],
            json!({"required_resources": false, "credentials": false, "conditions": true, "required_schemas": false}),
        ),
    ] {
        let mut request = act(&json!("echo"));
        request.meta.as_mut().unwrap().capabilities = capabilities.into_iter().map(i32::from).collect();
        assert_eq!(seen(request).await["capabilities"], expected);
    }
}

/// An older Crossplane uses the older field for answers to lookups.
#[tokio::test]
async fn lookups_are_answered_under_both_names() {
    let one = |what: &str| Resources { items: vec![resource(&config_map(&json!(what)))] };
    let mut request = act(&json!("echo"));
    request.extra_resources = HashMap::from([("a".to_owned(), one("old")), ("b".to_owned(), one("old"))]);
    request.required_resources = HashMap::from([("b".to_owned(), one("new"))]);
    let answer = |name: &str, what: &str| json!({"name": name, "objects": [{"object": text(&config_map(&json!(what))), "connection_details": []}]});
    assert_eq!(seen(request).await["lookups"], json!([answer("a", "old"), answer("b", "new")]));
}

#[tokio::test]
async fn crossplane_sees_all_of_a_response() {
    let request = respond(&json!({
        "composite": {
            "status": text(&json!({"phase": "Done", "count": 2})),
            "connection_details": [{"key": "url", "value": b"http://b"}],
            "readiness": "Ready",
        },
        "resources": [
            {"name": "a", "object": text(&config_map(&json!({"x": null, "n": 0.5}))), "readiness": "Ready"},
            {"name": "b", "object": text(&config_map(&json!({}))), "readiness": "NotReady"},
            {"name": "c", "object": text(&config_map(&json!({}))), "readiness": "Unspecified"},
        ],
        "conditions": [
            {"condition_type": "Placed", "status": "True", "reason": "Placed", "message": "on eu", "target": "CompositeAndClaim"},
            {"condition_type": "Cool", "status": "False", "reason": "Hot", "message": null, "target": null},
            {"condition_type": "Known", "status": "Unknown", "reason": "Waiting", "message": "", "target": "Composite"},
        ],
        "results": [
            {"severity": "Warning", "message": "careful", "reason": "Care", "target": "Composite"},
            {"severity": "Normal", "message": "fine", "reason": null, "target": null},
        ],
        "lookups": [
            {"name": "all", "selector": {"kind": {"api_version": "v1", "kind": "Node"}, "match_by": {"Labels": []}, "namespace": null}},
            {"name": "one", "selector": {"kind": {"api_version": "v1", "kind": "Secret"}, "match_by": {"Name": "s"}, "namespace": "n"}},
            {"name": "some", "selector": {"kind": {"api_version": "v1", "kind": "Pod"}, "match_by": {"Labels": [["k", "v"]]}, "namespace": null}},
        ],
        "schemas": [{"name": "s", "kind": {"api_version": "v1", "kind": "Pod"}}],
        "context": [{"key": "k", "value": "{\"a\":[1,null]}"}],
        "ttl": 1500,
        "output": text(&json!({"answer": 42})),
    }));
    let selector = |kind: &str, matching: Option<Match>, namespace: Option<&str>| ResourceSelector {
        api_version: "v1".to_owned(),
        kind: kind.to_owned(),
        r#match: matching,
        namespace: namespace.map(str::to_owned),
    };
    let labels = |labels: &[(&str, &str)]| {
        let owned = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        Some(Match::MatchLabels(MatchLabels { labels: owned.collect() }))
    };
    let condition =
        |kind: &str, status: Status, reason: &str, message: Option<&str>, target: Option<Target>| Condition {
            r#type: kind.to_owned(),
            status: status.into(),
            reason: reason.to_owned(),
            message: message.map(str::to_owned),
            target: target.map(i32::from),
        };
    let desired = |ready: Ready, data: &Value| Resource { ready: ready.into(), ..resource(&config_map(data)) };
    let expected = RunFunctionResponse {
        meta: Some(ResponseMeta { tag: "a-tag".to_owned(), ttl: Some(Duration { seconds: 1, nanos: 500_000_000 }) }),
        desired: Some(State {
            composite: Some(Resource {
                ready: Ready::True.into(),
                ..with_details(&json!({"status": {"phase": "Done", "count": 2}}), "url", b"http://b")
            }),
            resources: HashMap::from([
                ("a".to_owned(), desired(Ready::True, &json!({"x": null, "n": 0.5}))),
                ("b".to_owned(), desired(Ready::False, &json!({}))),
                ("c".to_owned(), desired(Ready::Unspecified, &json!({}))),
            ]),
        }),
        conditions: vec![
            condition("Placed", Status::ConditionTrue, "Placed", Some("on eu"), Some(Target::CompositeAndClaim)),
            condition("Cool", Status::ConditionFalse, "Hot", None, None),
            condition("Known", Status::ConditionUnknown, "Waiting", Some(""), Some(Target::Composite)),
        ],
        results: vec![
            Outcome {
                severity: Severity::Warning.into(),
                message: "careful".to_owned(),
                reason: Some("Care".to_owned()),
                target: Some(Target::Composite.into()),
            },
            Outcome { severity: Severity::Normal.into(), message: "fine".to_owned(), reason: None, target: None },
        ],
        requirements: Some(Requirements {
            extra_resources: HashMap::new(),
            resources: HashMap::from([
                ("all".to_owned(), selector("Node", None, None)),
                ("one".to_owned(), selector("Secret", Some(Match::MatchName("s".to_owned())), Some("n"))),
                ("some".to_owned(), selector("Pod", labels(&[("k", "v")]), None)),
            ]),
            schemas: HashMap::from([(
                "s".to_owned(),
                SchemaSelector { api_version: "v1".to_owned(), kind: "Pod".to_owned() },
            )]),
        }),
        context: Some(as_struct(&json!({"k": {"a": [1, null]}}))),
        output: Some(as_struct(&json!({"answer": 42}))),
    };
    assert_eq!(call(request.clone()).await, expected);

    // A caller that states no capabilities may know only the older field, and no selector without a match.
    let mut older = request;
    older.meta.as_mut().unwrap().capabilities.clear();
    let requirements = call(older).await.requirements.unwrap();
    let mut resources = expected.requirements.unwrap().resources;
    resources.insert("all".to_owned(), selector("Node", labels(&[]), None));
    assert_eq!(requirements.resources, resources);
    let extra = requirements.extra_resources;
    assert_eq!(extra, requirements.resources);
}

/// A request with state of earlier pipeline steps, which makes the guest return `says`.
fn after_others(says: &Value) -> RunFunctionRequest {
    RunFunctionRequest {
        desired: Some(State {
            composite: Some(Resource {
                ready: Ready::False.into(),
                ..with_details(
                    &json!({"status": {"theirs": {"a": 1}, "both": {"x": 1, "list": [1, 2]}}}),
                    "k",
                    b"theirs",
                )
            }),
            resources: HashMap::from([
                ("kept".to_owned(), with_details(&config_map(&json!("theirs")), "k", b"v")),
                (
                    "replaced".to_owned(),
                    Resource { ready: Ready::True.into(), ..resource(&config_map(&json!("theirs"))) },
                ),
                ("withdrawn".to_owned(), resource(&config_map(&json!("theirs")))),
            ]),
        }),
        context: Some(as_struct(&json!({"kept": 1, "changed": 1, "removed": 1}))),
        ..respond(says)
    }
}

#[tokio::test]
async fn what_earlier_steps_desire_stays() {
    let request = after_others(&json!({}));
    let expected = RunFunctionResponse {
        meta: Some(ResponseMeta { tag: "a-tag".to_owned(), ttl: MINUTE }),
        desired: request.desired.clone(),
        context: request.context.clone(),
        ..RunFunctionResponse::default()
    };
    assert_eq!(call(request).await, expected);
}

/// A field of a message that has bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    encode_varint(bytes.len() as u64, &mut field);
    [&field, bytes].concat()
}

/// What earlier steps desire leaves byte for byte as it came: objects whose keys are in another order or twice, and fields
/// that this version of the protocol does not have. Equal requests have equal bytes for an answer, in whatever order their
/// entries are.
#[test]
fn bytes_of_earlier_steps_stay() {
    let function = Function::new(Engine::load(&Settings::default(), true, &[guest()]).unwrap());
    let entry = |key: &str, value: &[u8]| field(1, &[field(1, key.as_bytes()), field(2, value)].concat());
    let (null, yes) = ([8, 0], [32, 1]);
    let object = [entry("b", &null), entry("a", &yes), entry("b", &yes)].concat();
    // The resource: an object, its readiness, and two fields that nobody knows.
    let resource = [field(1, &object), vec![24, 1], field(9, b"newer"), vec![104, 7]].concat();
    let resources =
        ["z", "theirs", "a"].map(|name| field(2, &[field(1, name.as_bytes()), field(2, &resource)].concat()));
    let answer = |resources: &[Vec<u8>]| {
        let request = [respond(&json!({})).encode_to_vec(), field(3, &resources.concat())].concat();
        function.answer(request.into(), None).unwrap()
    };
    let bytes = answer(&resources);
    let desired = RunFunctionResponse::decode(bytes.as_slice()).unwrap().desired.unwrap();
    assert_eq!(desired.resources.len(), 3);
    assert_eq!(bytes.windows(resource.len()).filter(|part| *part == resource).count(), 3, "{bytes:?}");
    let [z, theirs, a] = resources;
    for other in [[z.clone(), theirs.clone(), a.clone()], [a.clone(), z.clone(), theirs.clone()], [theirs, a, z]] {
        assert_eq!(answer(&other), bytes);
    }
}

#[tokio::test]
async fn a_module_changes_what_it_names() {
    let response = call(after_others(&json!({
        "composite": {
            "status": text(&json!({"ours": 1, "both": {"y": 2, "list": [3]}})),
            "connection_details": [{"key": "k", "value": b"ours"}],
            "readiness": "Ready",
        },
        "resources": [{"name": "replaced", "object": text(&config_map(&json!("ours"))), "readiness": "Unspecified"}],
        "withdrawn": ["unheard-of", "withdrawn"],
        "context": [{"key": "changed", "value": "2"}, {"key": "new", "value": "3"}, {"key": "removed", "value": null}],
    })))
    .await;
    let status = json!({"status": {"theirs": {"a": 1}, "ours": 1, "both": {"x": 1, "y": 2, "list": [3]}}});
    let expected = State {
        composite: Some(Resource { ready: Ready::True.into(), ..with_details(&status, "k", b"ours") }),
        resources: HashMap::from([
            ("kept".to_owned(), with_details(&config_map(&json!("theirs")), "k", b"v")),
            ("replaced".to_owned(), resource(&config_map(&json!("ours")))),
        ]),
    };
    assert_eq!(response.desired, Some(expected));
    assert_eq!(response.context, Some(as_struct(&json!({"kept": 1, "changed": 2, "new": 3}))));
}

#[tokio::test]
async fn a_fault_is_fatal_and_changes_nothing() {
    let problem = |path: &str, message: &str| json!({"path": path, "code": "Invalid", "message": message, "fix": null});
    let condition =
        json!({"condition_type": "Accepted", "status": "False", "reason": "Invalid", "message": null, "target": null});
    let fault = json!({
        "cause": "Input",
        "problems": [problem("hosts[0]", "must not be empty"), problem("", "is odd")],
        "conditions": [condition],
    });
    let request = RunFunctionRequest { observed: act(&json!({"refuse": fault})).observed, ..after_others(&json!({})) };
    let expected = RunFunctionResponse {
        meta: Some(ResponseMeta { tag: "a-tag".to_owned(), ttl: MINUTE }),
        desired: request.desired.clone(),
        context: request.context.clone(),
        results: vec![Outcome {
            severity: Severity::Fatal.into(),
            message: "input.hosts[0]: must not be empty; input: is odd".to_owned(),
            reason: Some("InvalidInput".to_owned()),
            target: Some(Target::Composite.into()),
        }],
        conditions: vec![Condition {
            r#type: "Accepted".to_owned(),
            status: Status::ConditionFalse.into(),
            reason: "Invalid".to_owned(),
            message: None,
            target: None,
        }],
        ..RunFunctionResponse::default()
    };
    assert_eq!(call(request).await, expected);
}

#[tokio::test]
async fn a_module_that_breaks_the_contract_is_refused() {
    let condition = |kind: &str, reason: &str| json!({"conditions": [{"condition_type": kind, "status": "True", "reason": reason, "message": null, "target": null}]});
    let composed = |object: &str| json!({"resources": [{"name": "r", "object": object, "readiness": "Ready"}]});
    let resource = |name: &str| json!({"name": name, "object": "{}", "readiness": "Ready"});
    for (says, expected) in [
        (composed("nonsense"), "resource `r`: expected ident at line 1 column 2"),
        (composed("[]"), "resource `r`: not an object"),
        (
            composed("{\"n\":9007199254740993}"),
            "resource `r`: 9007199254740993 would be rounded to 9007199254740992 on the wire; use a string, or at most 2^53 at line 1 column 21",
        ),
        (json!({"resources": [resource("a"), resource("a")]}), "resource `a` is there twice"),
        (json!({"resources": [resource("a")], "withdrawn": ["a"]}), "resource `a` is there twice"),
        (condition("Placed", ""), "condition `Placed` has no reason"),
        (condition("Ready", "Because"), "condition type `Ready` is not a module's to set"),
        (condition("", "Because"), "condition type `` is not a module's to set"),
        (json!({"output": "1"}), "the output: not an object"),
        (
            json!({"lookups": [{"name": "l", "selector": {
                "kind": {"api_version": "v1", "kind": "Node"},
                "match_by": {"Values": {"index": "zone", "values": [["a"]]}},
            }}]}),
            "lookup `l` is by values, and Crossplane finds objects by name or labels only",
        ),
        (
            json!({"context": [{"key": "k", "value": "{"}]}),
            "context `k`: EOF while parsing an object at line 1 column 1",
        ),
    ] {
        let request = after_others(&says);
        let (desired, context) = (request.desired.clone(), request.context.clone());
        let response = call(request).await;
        assert_eq!(refusal(&response), format!("Puppet `stage/punch`: the module's response is unusable: {expected}"));
        assert_eq!((response.desired, response.context), (desired, context), "{expected}");
    }
}

/// The request of an Operation has no composite.
#[tokio::test]
async fn a_call_without_a_composite() {
    let operation = RunFunctionRequest {
        meta: Some(RequestMeta { tag: "t".to_owned(), capabilities: Vec::new() }),
        input: Some(as_struct(&json!({"act": "echo"}))),
        ..RunFunctionRequest::default()
    };
    assert_eq!(seen(operation).await["composite"], Value::Null);
    assert_eq!(refusal(&call(RunFunctionRequest::default()).await), "nothing to act out");
}

/// Crossplane calls again with the answers to lookups until the lookups stay the same, at most six times in all.
#[tokio::test]
async fn requirements_settle() {
    let lookup = json!([{"name": "l", "selector": {"kind": {"api_version": "v1", "kind": "Node"}, "match_by": {"Labels": []}, "namespace": null}}]);
    for (request, settles_after) in
        [(respond(&json!({})), Some(1)), (respond(&json!({"lookups": lookup})), Some(2)), (act(&json!("wander")), None)]
    {
        let mut request = request;
        let mut asked = None;
        let mut settled = None;
        for calls in 1..=6 {
            let response = call(request.clone()).await;
            if response.requirements == asked {
                settled = Some(calls);
                break;
            }
            let names = response.requirements.iter().flat_map(|asked| asked.resources.keys().cloned());
            request.required_resources = names.map(|name| (name, Resources::default())).collect();
            asked = response.requirements;
        }
        assert_eq!(settled, settles_after);
    }
}
