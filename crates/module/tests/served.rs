//! Models that are served in the cluster itself, and imports of their weights: what no golden case can show, because it is about
//! many requests or about large ones.

use std::collections::{BTreeMap, BTreeSet};

use contract::admit::{AdmitRequest, Operation};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::preview::{PreviewRequest, Role, Source};
use contract::types::ObservedObject;
use inference::KINDS;
use module::{admit, compose, preview};
use serde_json::{Value, json};

const API_VERSION: &str = "model.otterscale.io/v1alpha1";

fn service(name: &str, spec: &Value) -> Value {
    let mut object = json!({
        "apiVersion": API_VERSION, "kind": "ModelService", "metadata": {"name": name, "namespace": "ml-serving"},
        "spec": {
            "model": {"name": "qwen/Qwen3-32B", "image": "reg.example/qwen3:v1"}, "engine": {},
            "accelerator": {"type": "nvidia"}, "decode": {},
        },
    });
    for (field, value) in spec.as_object().into_iter().flatten() {
        object["spec"][field] = value.clone();
    }
    object
}

fn options(section: &Value) -> Value {
    json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "modelService": section})
}

fn request(composite: Value, section: Option<&Value>) -> ComposeRequest {
    ComposeRequest { composite: Some(composite.into()), input: section.map(options), ..ComposeRequest::default() }
}

fn composed(request: &ComposeRequest) -> ComposeResponse {
    let response = compose(request);
    assert!(response.is_ok(), "{:?}", response.err());
    response.unwrap_or_default()
}

/// The composed objects, by their keys.
fn objects(response: &ComposeResponse) -> BTreeMap<&str, &Value> {
    response.resources.iter().map(|(key, desired)| (key.as_str(), &desired.object)).collect()
}

/// The shapes that the operator's documents count objects for.
#[test]
fn numbers_of_objects() {
    let grants = json!({"providerConfigRef": {"name": "in-cluster"}});
    let fewest = json!({"provider": "none", "defaultGateway": {"name": ""}});
    let pool = || json!({"endpointPicker": {}});
    let monitors = |enabled: bool| json!({"podMonitor": {"enabled": enabled}});
    //     fields of the spec                                                                    options   objects
    let rows = [
        (json!({}), &grants, 11),
        (json!({"inferencePool": pool()}), &grants, 14),
        (json!({"inferencePool": pool(), "monitoring": monitors(true)}), &grants, 15),
        (json!({"inferencePool": pool(), "monitoring": monitors(true), "prefill": {}}), &grants, 17),
        (json!({"monitoring": monitors(false)}), &fewest, 8),
        (
            json!({"monitoring": monitors(false), "httpRoute": {"gatewayRef": {"name": "gw", "namespace": "infra"}}}),
            &fewest,
            9,
        ),
    ];
    for (spec, section, want) in rows {
        let response = composed(&request(service("qwen3", &spec), Some(section)));
        assert_eq!(response.resources.len(), want, "{spec}: {:?}", response.resources.keys());
    }
}

/// What pickers read is what it is meant to be, whatever its text looks like.
#[test]
fn configurations_of_pickers() {
    let plugin = |name: &str| json!({ "type": name });
    let weighed = |name: &str, weight: i64| json!({"pluginRef": name, "weight": weight});
    let unified = json!({
        "apiVersion": "inference.networking.x-k8s.io/v1alpha1", "kind": "EndpointPickerConfig",
        "plugins": [plugin("queue-scorer"), plugin("kv-cache-utilization-scorer"), plugin("prefix-cache-scorer")],
        "schedulingProfiles": [{"name": "default", "plugins": [
            weighed("queue-scorer", 2), weighed("kv-cache-utilization-scorer", 2), weighed("prefix-cache-scorer", 3),
        ]}],
    });
    let profile = |role: &str| {
        let filter = json!({"pluginRef": format!("{role}-filter")});
        let plugins = [
            filter,
            json!({"pluginRef": "max-score-picker"}),
            weighed("prefix-cache-scorer", 2),
            weighed("queue-scorer", 1),
        ];
        json!({"name": role, "plugins": plugins})
    };
    let divided = json!({
        "apiVersion": "inference.networking.x-k8s.io/v1alpha1", "kind": "EndpointPickerConfig",
        "featureGates": ["prepareDataPlugins"],
        "plugins": [
            plugin("prefill-header-handler"),
            {"type": "prefix-cache-scorer", "parameters": {"maxPrefixBlocksToMatch": 256, "lruCapacityPerServer": 31_250}},
            plugin("queue-scorer"), plugin("prefill-filter"), plugin("decode-filter"), plugin("max-score-picker"),
            {"type": "prefix-based-pd-decider", "parameters": {"nonCachedTokens": 16}},
            {"type": "pd-profile-handler", "parameters": {"primaryPort": 0, "deciderPluginName": "prefix-based-pd-decider"}},
        ],
        "schedulingProfiles": [profile("prefill"), profile("decode")],
    });
    let mut hashes = BTreeSet::new();
    let rows = [(json!({}), "default-plugins.yaml", unified), (json!({"prefill": {}}), "pd-config.yaml", divided)];
    for (spec, file, want) in rows {
        let response = composed(&request(service("qwen3", &spec), None));
        let all = objects(&response);
        let data = all["epp-config"]["data"].as_object().expect("data");
        assert_eq!(data.keys().collect::<Vec<_>>(), [file]);
        let read = yaml::values(data[file].as_str().expect("a text"));
        assert_eq!(read, [Ok(want)]);
        let annotations = &all["epp"]["spec"]["template"]["metadata"]["annotations"];
        let hash = annotations["checksum/config"].as_str().expect("a hash").to_owned();
        assert!(hash.len() == 64 && hash.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')), "{hash}");
        hashes.insert(hash);
    }
    assert_eq!(hashes.len(), 2, "both configurations have one hash");
}

/// Whatever a service is called, each object has a name that an API server takes, and labels that it takes.
#[test]
fn names_of_every_length() {
    let everything = json!({"inferencePool": {"endpointPicker": {}}, "prefill": {}, "monitoring": {"podMonitor": {"enabled": true}}});
    let section = json!({"providerConfigRef": {"name": "in-cluster"}});
    let of_length = |start: &str, length: usize| format!("{start}{}", "a".repeat(length - start.len()));
    let names = (2..=63).flat_map(|length| ["a", "7", "a."].map(|start| of_length(start, length.max(3))));
    let mut pickers = BTreeMap::new();
    for name in names.chain(["a".to_owned(), "1".to_owned()]) {
        let response = composed(&request(service(&name, &everything), Some(&section)));
        assert_eq!(response.resources.len(), 17, "{name}");
        for (key, object) in objects(&response) {
            let named = object["metadata"]["name"].as_str().expect("a name");
            // A Service may be called like a label, and everything else like a subdomain.
            let longest = if key == "epp-service" { 63 } else { 253 };
            assert!(named.len() <= longest && named.ends_with(|it: char| it.is_ascii_alphanumeric()), "{key}: {named}");
            labels(object, &mut |label| assert!(label.len() <= 63, "{key}: {label}"));
        }
        let picker = objects(&response)["epp-service"]["metadata"]["name"].as_str().expect("a name").to_owned();
        assert!(picker.starts_with(|it: char| it.is_ascii_lowercase()) && !picker.contains('.'), "{picker}");
        let other = pickers.insert(picker.clone(), name.clone());
        // Names that differ in what a label cannot have share a picker, which admission refuses.
        assert!(other.is_none_or(|other| other == name || name.contains('.')), "{picker}");
    }
}

/// Whatever an artifact is called, its Job has a name that can be the value of a label, and that no other one has.
#[test]
fn names_of_imports() {
    let names = (1..=63).flat_map(|length| ["a", "7", "a."].map(|part| format!("{}b", &part.repeat(63)[..length - 1])));
    let mut jobs = BTreeMap::new();
    for name in names {
        let mut object = artifact();
        object["metadata"]["name"] = json!(name);
        let response = composed(&request(object, None));
        let all = objects(&response);
        let (key, job) = all.iter().find(|(key, _)| key.starts_with("job-")).expect("a Job");
        let job = job["metadata"]["name"].as_str().expect("a name").to_owned();
        let ends = |end: Option<char>| end.is_some_and(|it| it.is_ascii_alphanumeric());
        assert!(job.len() <= 63 && ends(job.chars().next()) && ends(job.chars().last()), "{name}: {job}");
        // A name that fits is not changed.
        assert!(name.len() > 54 || job == format!("{name}-{}", key.trim_start_matches("job-")), "{name}: {job}");
        let other = jobs.insert(job, name.clone());
        assert!(other.is_none_or(|other| other == name), "{name} has the Job of another one");
    }
}

/// Calls `each` with the value of every label.
fn labels(value: &Value, each: &mut impl FnMut(&str)) {
    for (key, below) in value.as_object().into_iter().flatten() {
        match below {
            Value::Object(all) if matches!(key.as_str(), "labels" | "matchLabels") => {
                all.values().filter_map(Value::as_str).for_each(&mut *each);
            }
            below => labels(below, each),
        }
    }
}

/// Specs that differ in what most objects are made of.
fn specs() -> Vec<Value> {
    vec![
        json!({}),
        json!({"prefill": {"replicas": 2}, "routingProxy": {}}),
        json!({"inferencePool": {"endpointPicker": {"replicas": 3, "port": 9555}}}),
        json!({"httpRoute": {"gatewayRef": {"name": "gw"}, "hostnames": ["a.example.org"]}}),
        json!({"monitoring": {"podMonitor": {"enabled": true}}, "inferencePool": {"endpointPicker": {}}}),
        json!({"engine": {"probes": true, "sharedMemory": "8Gi", "port": 8080}, "decode": {"parallelism": {"tensor": 4}}}),
        json!({"decode": {"externalScaler": true, "strategy": "InPlace", "disruptionBudget": {"maxUnavailable": 1}}}),
        json!({"model": {"name": "m", "image": "reg.example/m:v2", "delivery": "ImageVolume"}}),
    ]
}

/// Every option, with a value beside the default.
fn sections() -> Vec<Value> {
    vec![
        json!({"version": "v2"}),
        json!({"images": {"engine": "a", "endpointPicker": "b", "routingProxy": "c", "kit": ""}}),
        json!({"defaultGateway": {"name": "gw", "namespace": "infra"}}),
        json!({"provider": "gke"}),
        json!({"provider": "none"}),
        json!({"metricsEndpointAuth": false}),
        json!({"alwaysMetricsAuth": true}),
        json!({"clusterRBAC": "wrapped", "providerConfigRef": {"name": "in-cluster"}}),
        json!({"clusterRBAC": "direct"}),
        json!({"monitoring": {"enabled": false}}),
        json!({"tracing": {"enabled": true, "endpoint": "http://otel:4317"}}),
        json!({"endpointPickerFlags": {"v": "2"}}),
        json!({"plainHttp": false}),
        json!({"unpackScript": "exit 0"}),
    ]
}

/// The same request, after what `response` says was applied.
fn applied(request: &ComposeRequest, response: &ComposeResponse) -> ComposeRequest {
    let observed = response.resources.iter().map(|(key, it)| (key.clone(), ObservedObject::from(it.object.clone())));
    ComposeRequest { observed: observed.collect(), ..request.clone() }
}

/// An option that is turned on and off again leaves the bytes from before. What is composed under a key keeps its name, so no edit
/// swaps an object.
#[test]
fn options_and_edits_leave_nothing_behind() {
    let mut names: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut others = 0;
    for spec in specs() {
        let plain = request(service("qwen3", &spec), None);
        let before = composed(&plain);
        for section in sections() {
            let on = composed(&ComposeRequest { input: Some(options(&section)), ..applied(&plain, &before) });
            others += usize::from(objects(&on) != objects(&before));
            let off = composed(&applied(&plain, &on));
            assert_eq!(
                serde_json::to_string(&objects(&off)).expect("JSON"),
                serde_json::to_string(&objects(&before)).expect("JSON"),
                "{spec} after {section}"
            );
            for (key, object) in objects(&on).into_iter().chain(objects(&before)) {
                let name = object["metadata"]["name"].as_str().expect("a name").to_owned();
                // Offline, the grant is what is inside the Object otherwise.
                let kind = object["kind"].as_str().unwrap_or_default().to_owned();
                let known = names.entry((key.to_owned(), kind)).or_insert_with(|| name.clone());
                assert_eq!(*known, name, "{key} of {spec} with {section}");
            }
        }
    }
    assert!(others > 60, "only {others} of the options change something");
}

/// Each field that the operator does not have, by pointer: a value that changes something, and values that change nothing. To leave
/// it out changes nothing either.
fn opt_ins() -> Vec<(&'static str, Value, Vec<Value>)> {
    vec![
        ("/model/delivery", json!("ImageVolume"), vec![json!("InitContainer")]),
        ("/engine/probes", json!(true), vec![json!(false)]),
        ("/engine/sharedMemory", json!("8Gi"), vec![]),
        ("/decode/externalScaler", json!(true), vec![json!(false)]),
        ("/decode/strategy", json!("InPlace"), vec![]),
        ("/decode/disruptionBudget", json!({}), vec![]),
        ("/decode/args", json!(["--a"]), vec![json!([])]),
        ("/decode/env", json!([{"name": "A", "value": "1"}]), vec![json!([])]),
        ("/prefill/externalScaler", json!(true), vec![json!(false)]),
        ("/prefill/strategy", json!("InPlace"), vec![]),
        ("/prefill/disruptionBudget", json!({"maxUnavailable": 2}), vec![]),
        ("/prefill/args", json!(["--a"]), vec![json!([])]),
        ("/prefill/env", json!([{"name": "A", "value": "1"}]), vec![json!([])]),
        ("/routingProxy/certSecretRef", json!({"name": "tls"}), vec![]),
    ]
}

/// What the operator does not have is off by default: it changes something only where it is on, and off again it leaves the bytes
/// from before.
#[test]
fn what_is_off_changes_nothing() {
    let everything = json!({
        "decode": {"parallelism": {"tensor": 2}}, "prefill": {}, "routingProxy": {"certPath": "/certs"},
        "inferencePool": {"endpointPicker": {}}, "monitoring": {"podMonitor": {"enabled": true}},
    });
    let plain = service("qwen3", &everything);
    let with = |pointer: &str, value: &Value| {
        let (parent, field) = pointer.rsplit_once('/').expect("a field");
        let mut object = plain.clone();
        object["spec"].pointer_mut(parent).expect("a parent")[field] = value.clone();
        object
    };
    let before = composed(&request(plain.clone(), None));
    let bytes = |response: &ComposeResponse| serde_json::to_string(&objects(response)).expect("JSON");
    for (pointer, on, off) in opt_ins() {
        let changed = composed(&applied(&request(with(pointer, &on), None), &before));
        assert_ne!(bytes(&changed), bytes(&before), "{pointer}: {on}");
        for object in off.iter().map(|off| with(pointer, off)).chain([plain.clone()]) {
            let again = composed(&applied(&request(object, None), &changed));
            assert_eq!(bytes(&again), bytes(&before), "{pointer}: {off:?}");
        }
    }
}

/// Whoever writes a service decides nothing about its cluster-scoped grant but the names in it.
#[test]
fn a_grant_has_nothing_but_names_of_a_service() {
    let section = json!({"providerConfigRef": {"name": "in-cluster"}, "alwaysMetricsAuth": true});
    let mut grants = BTreeSet::new();
    for spec in specs() {
        let hostile = json!({"name": "*\n- nonResourceURLs: ['*']", "image": "system:masters"});
        for model in [json!({"name": "m", "image": "reg.example/m:v1"}), hostile] {
            let mut object = service("qwen3", &spec);
            object["spec"]["model"] = model;
            object["metadata"]["labels"] = json!({"rbac.authorization.k8s.io/aggregate-to-admin": "true"});
            object["metadata"]["annotations"] = json!({"a": "b"});
            let response = composed(&request(object, Some(&section)));
            let all = objects(&response);
            grants.insert(json!([all["epp-cluster-role"], all["epp-cluster-role-binding"]]).to_string());
        }
    }
    assert_eq!(grants.len(), 1, "{grants:#?}");
    let of_other = composed(&request(service("other", &json!({})), Some(&section)));
    let all = objects(&of_other);
    let of_other = json!([all["epp-cluster-role"], all["epp-cluster-role-binding"]]).to_string();
    assert!(grants.contains(&of_other.replace("other-epp", "qwen3-epp")), "{of_other}");
}

/// An explanation says why there is an argument, and which field decides it.
#[test]
fn arguments_are_explained() {
    let explained = |replicas: i64| {
        let text = service("qwen3", &json!({"inferencePool": {"endpointPicker": {"replicas": replicas}}})).to_string();
        let source = Source { name: "x.yaml".to_owned(), role: Role::Subject, text };
        let response = preview(&PreviewRequest { sources: vec![source], explain: true, ..PreviewRequest::default() });
        let of_argument = response
            .composites
            .into_iter()
            .flat_map(|it| it.derivations)
            .find(|it| it.value == "--ha-enable-leader-election");
        of_argument.map(|it| (it.resource, it.path, it.because, it.causes))
    };
    let (resource, path, because, causes) = explained(2).expect("it is explained");
    assert_eq!((resource.as_str(), because.as_str()), ("epp", "of several endpoint pickers one leads"));
    assert!(path.starts_with("spec.template.spec.containers[0].args["), "{path}");
    assert_eq!(causes, ["spec.inferencePool.endpointPicker.replicas"]);
    assert_eq!(explained(1), None);
}

/// A thousand arguments and variables are passed on as they are, and nothing is said against them.
#[test]
fn a_thousand_arguments() {
    let args: Vec<String> = (0..1000).map(|index| format!("--flag-{index}=\"$(id)\" '\n")).collect();
    let env: Vec<Value> =
        (0..1000).map(|index| json!({"name": format!("V{}", index % 500), "value": index.to_string()})).collect();
    let object = service("qwen3", &json!({"engine": {"args": args, "env": env}}));
    let kind =
        KINDS.rows.iter().find(|row| (row.api_version, row.kind) == (API_VERSION, "ModelService")).expect("a row");
    assert_eq!(kind.validate(&object), []);
    let operation = Operation::Create(object.clone());
    let verdict = admit(&AdmitRequest { operation, input: None, lookups: BTreeMap::new() }).expect("a verdict");
    assert_eq!(verdict.denials, []);
    let response = composed(&request(object, None));
    let container = &objects(&response)["decode"]["spec"]["template"]["spec"]["containers"][0];
    let passed = container["args"].as_array().expect("arguments");
    assert!(passed.len() > 1000 && passed.iter().rev().zip(args.iter().rev()).all(|(it, arg)| it == arg));
    let variables = container["env"].as_array().expect("variables");
    // Of two with one name the last one counts.
    assert_eq!(variables.len(), 3 + 500);
    assert_eq!(variables.last(), Some(&json!({"name": "V499", "value": "999"})));
}

fn artifact() -> Value {
    json!({
        "apiVersion": API_VERSION, "kind": "ModelArtifact", "metadata": {"name": "opt", "namespace": "ml"},
        "spec": {
            "source": {"huggingFace": {"model": "facebook/opt-125m"}},
            "target": {"registry": "ghcr.io", "repository": "org/opt"}, "storage": {"size": "5Gi"},
        },
    })
}

/// A request for an artifact whose Job has this status.
fn imported(status: &Value) -> ComposeRequest {
    let first = composed(&request(artifact(), None));
    let mut request = applied(&request(artifact(), None), &first);
    for (key, desired) in first.resources.iter().filter(|(key, _)| key.starts_with("job-")) {
        let mut job = desired.object.clone();
        job["status"] = status.clone();
        request.observed.insert(key.clone(), job.into());
    }
    request
}

/// Ten megabytes of pods say odd things at their end, and one of them says the digest.
#[test]
fn megabytes_of_odd_pods() {
    let digest = format!("sha256:{}", "0a".repeat(32));
    let odd = |index: usize| match index % 8 {
        0 => json!({"status": {"containerStatuses": "none"}}),
        1 => json!({"status": {"containerStatuses": [null, 1, [], {"state": []}]}}),
        2 => json!({"status": {"containerStatuses": [{"state": {"terminated": {"message": 7, "finishedAt": {}}}}]}}),
        3 => {
            json!({"status": {"containerStatuses": [{"state": {"terminated": {"message": "\u{0}\u{7f}sha256:\u{e9}", "finishedAt": ""}}}]}})
        }
        4 => {
            json!({"status": {"containerStatuses": [{"state": {"terminated": {"message": "x".repeat(4096), "finishedAt": "2026-01-01T00:00:00Z"}}}]}})
        }
        5 => json!([]),
        6 => json!({"metadata": {"annotations": {"a": "y".repeat(12_000)}}}),
        _ => {
            json!({"status": {"containerStatuses": [{"state": {"terminated": {"message": "sha256:".repeat(500), "finishedAt": "yesterday"}}}]}})
        }
    };
    let pods = || {
        let mut pods: Vec<ObservedObject> = (0..4800).map(|index| odd(index).into()).collect();
        // What is no JSON at all is no pod.
        pods.push(ObservedObject::from_text("{".to_owned(), BTreeMap::new()));
        pods
    };
    let last = |message: &str| json!({"status": {"containerStatuses": [{"state": {"terminated": {"message": message, "finishedAt": "zz"}}}]}});
    let size: usize = (0..4800).map(|index| odd(index).to_string().len()).sum();
    assert!(size > 10_000_000, "{size}");

    let mut succeeded = imported(&json!({"succeeded": 1}));
    let answers = pods().into_iter().chain([last(&digest).into()]).collect();
    succeeded.lookups = BTreeMap::from([("pods".to_owned(), answers)]);
    let status = composed(&succeeded).composite.status.expect("a status");
    assert_eq!((&status["phase"], &status["digest"]), (&json!("Succeeded"), &json!(digest)));

    let mut failed = imported(&json!({"failed": 1}));
    failed.lookups = BTreeMap::from([("pods".to_owned(), pods())]);
    let response = composed(&failed);
    assert_eq!(response.composite.status.expect("a status")["phase"], "Failed");
    let message = response.conditions[0].message.as_deref().expect("a message");
    assert!(message.len() <= 1024 && !message.contains('\n'), "{message}");
    assert!(response.resources.keys().any(|key| key.starts_with("job-")), "what is observed stays");
}

/// Answers of another kind than was asked for stop nothing, and take nothing away.
#[test]
fn answers_of_another_kind() {
    let section = json!({"providerConfigRef": {"name": "in-cluster"}});
    let plain = request(service("qwen3", &json!({"inferencePool": {"endpointPicker": {}}})), Some(&section));
    let before = composed(&plain);
    let odd = [
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}),
        json!([]),
        json!(null),
        json!("a"),
    ];
    for answer in odd {
        let mut odd = applied(&plain, &before);
        odd.lookups = before.lookups.keys().map(|name| (name.clone(), vec![answer.clone().into()])).collect();
        let after = composed(&odd);
        assert!(before.resources.keys().eq(after.resources.keys()), "{answer}: {:?}", after.resources.keys());
    }
    let mut running = imported(&json!({"succeeded": 1}));
    running.lookups = BTreeMap::from([("pods".to_owned(), vec![json!({"kind": "ConfigMap", "status": []}).into()])]);
    let response = composed(&running);
    assert_eq!(response.composite.status.expect("a status")["phase"], "Succeeded");
    assert!(response.resources.keys().any(|key| key.starts_with("job-")), "what is observed stays");
}

/// What a preview of these texts says about the image of the service.
fn linked(texts: &[String]) -> Vec<String> {
    let source = |text: &String| Source { name: "x.yaml".to_owned(), role: Role::Subject, text: text.clone() };
    let request = PreviewRequest {
        sources: texts.iter().map(source).collect(),
        cascade: true,
        explain: true,
        ..PreviewRequest::default()
    };
    let response = preview(&request);
    let of_spec =
        response.composites.iter().flat_map(|it| &it.derivations).filter(|it| it.path.starts_with("spec.model"));
    of_spec.filter(|it| it.resource.is_empty()).map(|it| it.because.clone()).collect()
}

/// A service is linked to the artifact that pushes its weights, wherever that is in the texts.
#[test]
fn services_are_linked_to_artifacts() {
    let image = "ghcr.io/org/opt:latest";
    let service = service("opt", &json!({"model": {"name": "opt", "image": image}})).to_string();
    let artifact = |phase: &str| {
        let mut artifact = artifact();
        artifact["status"] = json!({"phase": phase, "digest": format!("sha256:{}", "0a".repeat(32))});
        artifact.to_string()
    };
    let pending = ["ModelArtifact `ml/opt` pushes it, and has not yet, so pods cannot start"];
    assert_eq!(linked(std::slice::from_ref(&service)), Vec::<String>::new());
    assert_eq!(linked(&[service.clone(), self::artifact().to_string()]), pending);
    assert_eq!(linked(&[self::artifact().to_string(), service.clone()]), pending);
    assert_eq!(linked(&[artifact("Succeeded"), service.clone()]), ["ModelArtifact `ml/opt` has pushed it"]);
    let failed = ["ModelArtifact `ml/opt` failed to push it, so pods cannot start"];
    assert_eq!(linked(&[artifact("Failed"), service]), failed);
}
