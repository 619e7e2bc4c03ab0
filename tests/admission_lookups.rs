//! `sailplane admission`: lookups, with a small API server whose watches can lag, and which can forbid requests and
//! stop.

use std::collections::BTreeSet;
use std::fs::File;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::admission::{Webhooks, a_moment, composite, create, delete, puppet, update};
use tests::api_server::ApiServer;
use tests::artifacts::guest;
use tests::certificates::Directory;
use tests::function::{eventually, get};

const MAPS: &str = "/api/v1/configmaps";
const COMPOSITES: &str = "/apis/inference.devopstoolkit.ai/v1alpha1/llminferences";
const COMPOSITES_OF_TEAM: &str = "/apis/inference.devopstoolkit.ai/v1alpha1/namespaces/team-a/llminferences";
const CLUSTER_CONFIGS: &str = "/apis/kubernetes.m.crossplane.io/v1alpha1/clusterproviderconfigs";
const CONFIGS: &str = "/apis/kubernetes.m.crossplane.io/v1alpha1/providerconfigs";

/// Webhooks with the guest module only, which looks up ConfigMaps.
fn puppets(server: &ApiServer) -> Webhooks {
    Webhooks::start_with(|command| {
        command
            .args(["--insecure", "--no-default-module", "--module"])
            .arg(guest())
            .env("KUBECONFIG", server.kubeconfig())
    })
}

fn map(namespace: &str, name: &str, labels: Value) -> Value {
    let managed = json!([{"manager": "kubectl", "operation": "Apply"}]);
    json!({"metadata": {"name": name, "namespace": namespace, "labels": labels, "managedFields": managed}, "data": {"a": "b"}})
}

/// A puppet that is denied while a ConfigMap matches.
fn unless(match_by: Value, namespace: Option<&str>) -> Value {
    let kind = json!({"api_version": "v1", "kind": "ConfigMap"});
    create(&puppet(&json!({"lookup": {"kind": kind, "match_by": match_by, "namespace": namespace}})))
}

/// The ConfigMap that the response names as the reason. `None` when the object is allowed.
fn found(response: &Value) -> Option<&str> {
    response["auditAnnotations"]["denied"].as_str()?.strip_prefix("spec: there is ")
}

fn any() -> Value {
    unless(json!({"Labels": []}), None)
}

const UNJUDGED: &str = "not looked up: what is wanted";

#[test]
fn selectors() {
    let server = ApiServer::start("selectors", &[MAPS]);
    for (namespace, name, labels) in
        [("b", "one", json!({"x": "1"})), ("a", "two", json!({"x": "1", "y": "2"})), ("a", "one", json!({}))]
    {
        server.put(MAPS, &map(namespace, name, labels));
    }
    let webhooks = puppets(&server);
    let check = |match_by: Value, namespace: Option<&str>, expected: Option<&str>| {
        let response = webhooks.review("/validate", &unless(match_by.clone(), namespace));
        assert_eq!(found(&response), expected, "{match_by} {namespace:?}: {response}");
        assert_eq!(response.get("warnings"), None);
    };
    check(json!({"Labels": []}), None, Some("a/one, a/two, b/one"));
    check(json!({"Labels": []}), Some("a"), Some("a/one, a/two"));
    check(json!({"Labels": [["x", "1"]]}), None, Some("a/two, b/one"));
    check(json!({"Labels": [["x", "1"], ["y", "2"]]}), None, Some("a/two"));
    check(json!({"Labels": [["x", "2"]]}), None, None);
    check(json!({"Name": "one"}), None, Some("a/one, b/one"));
    check(json!({"Name": "one"}), Some("b"), Some("b/one"));
    check(json!({"Name": "one"}), Some("c"), None);

    // Changes are noticed.
    server.put(MAPS, &map("c", "one", json!({})));
    eventually("an object appears", || {
        found(&webhooks.review("/validate", &unless(json!({"Name": "one"}), Some("c")))) == Some("c/one")
    });
    server.put(MAPS, &map("c", "one", json!({"x": "3"})));
    let labelled = || unless(json!({"Labels": [["x", "3"]]}), None);
    eventually("it changes", || found(&webhooks.review("/validate", &labelled())) == Some("c/one"));
    server.remove(MAPS, "c", "one");
    eventually("it goes away", || found(&webhooks.review("/validate", &labelled())).is_none());
    let text = webhooks.metrics();
    for series in
        ["lookup_synced{group=\"\",kind=\"ConfigMap\"} 1\n", "lookup_objects{group=\"\",kind=\"ConfigMap\"} 3\n"]
    {
        assert!(text.contains(&format!("sailplane_admission_{series}")), "no {series} in\n{text}");
    }

    // The verdict of a module that always asks for more lookups counts.
    assert_eq!(webhooks.review("/validate", &create(&puppet(&json!("wander"))))["allowed"], true);
}

/// Until the caches are complete, no lookup leads to a refusal, and the readiness probe and the log say why the server is
/// not ready.
#[test]
fn before_everything_is_known() {
    let server = ApiServer::start("unknown", &[MAPS]);
    server.put(MAPS, &map("a", "one", json!({})));
    server.go_down(true);
    let directory = Directory::new("unknown-log");
    let log = directory.path().join("log");
    let webhooks = Webhooks::spawn(|command| {
        command
            .args(["--insecure", "--no-default-module", "--module"])
            .arg(guest())
            .env("KUBECONFIG", server.kubeconfig())
            .stdout(File::create(&log).unwrap())
            .stderr(File::options().append(true).open(&log).unwrap())
    });
    eventually("it listens", || std::net::TcpStream::connect(webhooks.address).is_ok());
    let response = webhooks.review("/validate", &any());
    assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!([UNJUDGED])));
    eventually("it says what it cannot reach", || {
        let (code, body) = get(webhooks.health, "/readyz");
        code == 503 && body.ends_with("cannot reach the API server: the log says why")
    });
    let logged = std::fs::read_to_string(&log).unwrap();
    assert_eq!(logged.matches("cannot reach the API server").count(), 1, "{logged}");
    assert!(logged.contains("port"), "{logged}");
    assert!(webhooks.metrics().contains("sailplane_admission_lookup_synced{group=\"\",kind=\"ConfigMap\"} 0\n"));
    server.go_down(false);
    eventually("it is ready", || get(webhooks.health, "/readyz").0 == 200);
    assert_eq!(found(&webhooks.review("/validate", &any())), Some("a/one"));
}

/// Lookups of a kind that does not exist, or that may not be read, have no answer.
#[test]
fn what_cannot_be_read() {
    for code in [404, 403, 500] {
        let server = ApiServer::start(&format!("refusing-{code}"), &[MAPS]);
        server.put(MAPS, &map("a", "one", json!({})));
        server.refuse(MAPS, code);
        let webhooks = Webhooks::spawn(|command| {
            command
                .args(["--insecure", "--no-default-module", "--module"])
                .arg(guest())
                .env("KUBECONFIG", server.kubeconfig())
        });
        eventually("it listens", || std::net::TcpStream::connect(webhooks.address).is_ok());
        a_moment();
        let response = webhooks.review("/validate", &any());
        assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!([UNJUDGED])), "{code}");
        if code == 404 {
            // It would wait for half a minute.
            let begun = Instant::now();
            eventually("it is ready", || get(webhooks.health, "/readyz").0 == 200);
            assert!(begun.elapsed() < Duration::from_secs(20), "it waits for what is not installed");
        }
        server.permit(MAPS);
        eventually("it can be read", || found(&webhooks.review("/validate", &any())) == Some("a/one"));
        // A complete cache is dropped when the kind disappears, and kept while the kind cannot be read.
        server.refuse(MAPS, code);
        eventually("the watch ends", || {
            webhooks.metrics().contains("lookup_synced{group=\"\",kind=\"ConfigMap\"} 0\n")
        });
        let response = webhooks.review("/validate", &any());
        assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!([UNJUDGED])), "{code}");
    }
}

/// An outdated cache never leads to a refusal.
#[test]
fn a_cache_that_lags() {
    let server = ApiServer::start("lagging", &[MAPS]);
    server.put(MAPS, &map("a", "one", json!({})));
    let webhooks = puppets(&server);
    assert_eq!(found(&webhooks.review("/validate", &any())), Some("a/one"));
    server.lag(true);
    server.remove(MAPS, "a", "one");
    a_moment();
    let response = webhooks.review("/validate", &any());
    assert_eq!((&response["allowed"], response.get("warnings")), (&json!(true), None));

    // When the lookup cannot be read again, it is not judged.
    server.go_down(true);
    let response = webhooks.review("/validate", &any());
    assert_eq!((&response["allowed"], &response["warnings"]), (&json!(true), &json!([UNJUDGED])));
    server.go_down(false);
    server.lag(false);
    server.put(MAPS, &map("a", "two", json!({})));
    eventually("changes arrive again", || found(&webhooks.review("/validate", &any())) == Some("a/two"));
}

/// When the object is to blame that there is no verdict, it is refused, also when that is seen only beside others.
#[test]
fn what_cannot_be_judged_beside_others() {
    let server = ApiServer::start("beside-others", &[MAPS]);
    server.put(MAPS, &map("a", "one", json!({})));
    let webhooks = puppets(&server);
    let kind = json!({"api_version": "v1", "kind": "ConfigMap"});
    let selector = json!({"kind": kind, "match_by": {"Labels": []}, "namespace": null});
    let problem = json!({"path": "spec", "code": "Invalid", "message": "no idea", "fix": null, "hint": null});
    for (cause, allowed) in
        [("Composite", false), ("Budget", false), ("Request", true), ("State", true), ("Input", true)]
    {
        let fault = json!({"cause": cause, "problems": [problem], "conditions": []});
        let odd = puppet(&json!({"lookupAndRefuse": [selector, fault]}));
        for (path, review, allowed) in [
            ("/validate", create(&odd), allowed),
            ("/validate", update(&puppet(&json!("allow")), &odd), allowed),
            ("/validate/warn", create(&odd), true),
            ("/validate", delete(&odd), true),
        ] {
            let response = webhooks.review(path, &review);
            assert_eq!(response["allowed"], allowed, "{cause} {path}: {response}");
        }
    }
}

fn config(name: &str) -> Value {
    json!({"apiVersion": "kubernetes.m.crossplane.io/v1alpha1", "kind": "ClusterProviderConfig", "metadata": {"name": name}})
}

/// The built-in kind, with its lookups.
#[test]
fn inferences() {
    let server = ApiServer::start("inferences", &[COMPOSITES, CLUSTER_CONFIGS, CONFIGS]);
    server.put(CLUSTER_CONFIGS, &config("gpu-clutser"));
    let mut other = composite("b");
    other["spec"]["ingressHost"] = "a.example.org".into();
    server.put(COMPOSITES, &other);
    let webhooks = Webhooks::start_with(|it| it.arg("--insecure").env("KUBECONFIG", server.kubeconfig()));
    let review = |object: &Value| webhooks.review("/validate", &create(object));

    let response = review(&composite("qwen"));
    let denied = "spec.providerConfigName: no ClusterProviderConfig `gpu-cluster`; known are `gpu-clutser` (write \"gpu-clutser\")";
    assert_eq!(response["auditAnnotations"]["denied"], denied);
    assert_eq!(response["status"]["details"]["causes"][0]["reason"], "FieldValueNotFound");
    // The referenced object may be created just before, and the watch has not seen it yet.
    server.lag(true);
    server.put(CLUSTER_CONFIGS, &config("gpu-cluster"));
    assert_eq!(review(&composite("qwen"))["allowed"], true);

    let mut rival = composite("qwen");
    rival["spec"]["ingressHost"] = "a.example.org".into();
    assert_eq!(
        review(&rival)["auditAnnotations"]["denied"],
        "spec.ingressHost: host `a.example.org` is that of LLMInference `team-a/b` on the same cluster already; choose another host"
    );
    // The mutating webhook does not report it again.
    assert_eq!(webhooks.review("/mutate", &create(&rival))["allowed"], true);
}

/// A refusal that depends on others is confirmed by a few reads, however many others there are.
#[test]
fn what_is_read_again() {
    let server = ApiServer::start("read-again", &[COMPOSITES, CLUSTER_CONFIGS, CONFIGS]);
    for number in 0..300 {
        server.put(CLUSTER_CONFIGS, &config(&format!("cluster-{number}")));
        let mut other = composite(&format!("other-{number}"));
        other["spec"]["ingressHost"] = "a.example.org".into();
        other["spec"]["providerConfigName"] = format!("cluster-{number}").into();
        // An object with managed fields that cannot be read does not end the watch.
        other["metadata"]["managedFields"] = (0..200).fold(json!({}), |inner, _| json!([inner]));
        server.put(COMPOSITES, &other);
    }
    let webhooks = Webhooks::start_with(|it| it.arg("--insecure").env("KUBECONFIG", server.kubeconfig()));
    let on = |cluster: &str| {
        let mut object = composite("qwen");
        object["spec"]["providerConfigName"] = cluster.into();
        object["spec"]["ingressHost"] = "a.example.org".into();
        object
    };
    let check = |object: &Value, denied: Option<&str>, reads: BTreeSet<String>| {
        server.reads();
        let response = webhooks.review("/validate", &create(object));
        let found = response["auditAnnotations"]["denied"].as_str();
        assert_eq!(found.map(|found| found.split(':').next().unwrap()), denied, "{response}");
        assert_eq!(BTreeSet::from_iter(server.reads()), reads);
    };
    let other = |number: u32| format!("{COMPOSITES_OF_TEAM}/other-{number}?");
    let config = |name: &str| format!("{CLUSTER_CONFIGS}/{name}?");
    let anywhere = [0, 1, 10, 100, 101, 102, 103, 104, 105, 106].map(other);
    let and_anywhere = |others: [String; 2]| others.into_iter().chain(anywhere.clone()).collect();

    // Refused by the host: the configuration, the rival, and some with the host elsewhere.
    check(&on("cluster-7"), Some("spec.ingressHost"), and_anywhere([config("cluster-7"), other(7)]));
    // Refused by the configuration: some of those that there are, too.
    let some = format!("{CLUSTER_CONFIGS}?&limit=100");
    check(&on("nowhere"), Some("spec.providerConfigName"), and_anywhere([config("nowhere"), some]));

    // A rival that is gone refuses nothing, whatever the watch knows. A warning names one that is elsewhere.
    server.lag(true);
    server.remove(COMPOSITES, "team-a", "other-7");
    let response = webhooks.review("/validate", &create(&on("cluster-7")));
    assert_eq!((&response["allowed"], response["warnings"].as_array().map(Vec::len)), (&json!(true), Some(1)));
    // An object that is allowed is read from the watches alone.
    server.lag(false);
    let mut free = on("cluster-8");
    free["spec"].as_object_mut().unwrap().remove("ingressHost");
    check(&free, None, BTreeSet::new());
}
