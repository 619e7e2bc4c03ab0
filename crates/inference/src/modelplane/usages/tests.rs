use contract::compose::DesiredState;

use super::*;

fn request(namespace: &str, resources: &[(&str, Value)]) -> ComposeRequest {
    let resource = |object: &Value| DesiredResource { object: object.clone(), readiness: Readiness::Unspecified };
    let resources = resources.iter().map(|(key, object)| ((*key).to_owned(), resource(object))).collect();
    ComposeRequest {
        composite: Some(json!({"metadata": {"name": "stack", "namespace": namespace}}).into()),
        desired: DesiredState { resources, ..DesiredState::default() },
        input: Some(json!({"apiVersion": API_VERSION, "kind": KIND})),
        ..ComposeRequest::default()
    }
}

fn using(api_version: &str, kind: &str, reference: Value) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"labels": {"a": "b"}}, "spec": {"providerConfigRef": reference}})
}

const HELM: &str = "helm.m.crossplane.io/v1beta1";
const KUBERNETES: &str = "kubernetes.m.crossplane.io/v1alpha1";

#[test]
fn what_uses_a_provider_configuration() {
    #[track_caller]
    fn check(namespace: &str, object: Value, acts: bool) {
        let (response, _) = compose(&request(namespace, &[("one", object.clone())])).expect("a response");
        assert_eq!(
            response.resources.keys().collect::<Vec<_>>(),
            if acts { vec!["one", "usage-pc-one"] } else { vec![] }
        );
        assert_eq!(response.results, []);
        if acts {
            let mut labelled = object;
            labelled["metadata"]["labels"][USAGE_CONSUMER] = json!("one");
            assert_eq!(response.resources["one"].object, labelled);
            assert_eq!(response.resources["one"].readiness, Readiness::Unspecified);
        }
    }
    let config = || json!({"kind": "ProviderConfig", "name": "c"});
    check("ns", using(HELM, "Release", config()), true);
    check("ns", using(KUBERNETES, "Object", config()), true);
    check("ns", using("kubernetes.m.crossplane.io/v1", "Object", json!({"name": "c"})), true);
    check("", using(HELM, "Release", config()), false);
    check("ns", using(HELM, "Release", json!({"kind": "ClusterProviderConfig", "name": "c"})), false);
    check("ns", using(HELM, "Release", json!({"name": ""})), false);
    check("ns", using(HELM, "Release", json!({"name": 1})), false);
    check("ns", using(HELM, "ProviderConfig", config()), false);
    check("ns", using("helm.crossplane.io/v1beta1", "Release", config()), false);
    check("ns", using("eks.aws.m.upbound.io/v1beta1", "Cluster", config()), false);
    check("ns", json!({}), false);
}

#[test]
fn usages() {
    let release = using(HELM, "Release", json!({"kind": "ProviderConfig", "name": "c"}));
    let (response, _) = compose(&request("ns", &[("one", release)])).expect("a response");
    let usage = &response.resources["usage-pc-one"];
    let want = json!({
        "apiVersion": USAGES.api_version,
        "kind": "Usage",
        "metadata": {"namespace": "ns"},
        "spec": {
            "of": {"apiVersion": HELM, "kind": "ProviderConfig", "resourceRef": {"name": "c"}},
            "by": {
                "apiVersion": HELM, "kind": "Release",
                "resourceSelector": {"matchControllerRef": true, "matchLabels": {USAGE_CONSUMER: "one"}},
            },
            "replayDeletion": true,
        },
    });
    assert_eq!((&usage.object, usage.readiness), (&want, Readiness::Ready));
    assert_eq!(response.ttl, Some(60_000));
}

#[test]
fn keys_that_are_taken_and_keys_that_are_no_labels() {
    let release = || using(HELM, "Release", json!({"name": "c"}));
    let (response, _) =
        compose(&request("ns", &[("one", release()), ("usage-pc-one", json!({}))])).expect("a response");
    assert!(response.resources.is_empty());
    let messages: Vec<_> = response.results.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(messages, ["cannot compose Usage: desired resource 'usage-pc-one' already exists"]);
    for key in ["a".repeat(64).as_str(), "-a", "a:b"] {
        let (response, _) = compose(&request("ns", &[(key, release())])).expect("a response");
        let label = response.resources[key].object["metadata"]["labels"][USAGE_CONSUMER].as_str().map(str::len);
        assert_eq!(label, Some(20), "{key}");
        let by =
            path::get(&response.resources[&format!("usage-pc-{key}")].object, "spec.by.resourceSelector.matchLabels");
        assert_eq!(by.and_then(|it| it[USAGE_CONSUMER].as_str()).map(str::len), Some(20));
    }
}

/// A thousand resources of earlier steps, every second one with a configuration, and every tenth with a key that no label can have.
#[test]
fn many_resources() {
    let key = |index: usize| format!("{index:04}{}", "a".repeat(if index.is_multiple_of(10) { 60 } else { 0 }));
    let keys: Vec<_> = (0..1_000).map(key).collect();
    let object = |index: usize| match index % 2 {
        0 => using(KUBERNETES, "Object", json!({"kind": "ProviderConfig", "name": "c"})),
        _ => using(KUBERNETES, "Object", json!({"kind": "ClusterProviderConfig", "name": "c"})),
    };
    let resources: Vec<_> = keys.iter().enumerate().map(|(index, key)| (key.as_str(), object(index))).collect();
    let (response, _) = compose(&request("ns", &resources)).expect("a response");
    assert_eq!((response.resources.len(), response.results.len()), (1_000, 0));
    let label = |key: &str| response.resources[key].object["metadata"]["labels"][USAGE_CONSUMER].as_str();
    let labels: std::collections::BTreeSet<_> = keys.iter().step_by(2).filter_map(|key| label(key)).collect();
    assert_eq!((labels.len(), labels.iter().all(|it| it.len() <= 63)), (500, true));
    for key in keys.iter().step_by(2) {
        let usage = &response.resources[&format!("usage-pc-{key}")].object;
        let selected =
            path::get(usage, "spec.by.resourceSelector.matchLabels").and_then(|it| it[USAGE_CONSUMER].as_str());
        assert_eq!(selected, label(key));
    }
    assert!(keys.iter().skip(1).step_by(2).all(|key| !response.resources.contains_key(key)));
}

#[test]
fn inputs() {
    let mut request = request("ns", &[]);
    assert!(compose(&request).is_ok_and(|(response, _)| response.resources.is_empty()));
    request.input = Some(json!({"apiVersion": API_VERSION, "kind": KIND, "ttl": "1m"}));
    let fault = compose(&request).expect_err("an unknown field");
    assert_eq!((fault.cause, fault.problems[0].path.as_str()), (Cause::Input, "ttl"));
}
