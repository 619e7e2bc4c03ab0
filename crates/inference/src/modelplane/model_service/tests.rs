//! What a service becomes, in rows.

use std::collections::BTreeMap;

use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{Fault, MatchBy, ObservedObject, Readiness};
use serde_json::{Value, json};

/// Composes, with the reasons of values where the request asks for them.
fn compose(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let (response, reasons) = super::compose(request)?;
    Ok(ComposeResponse { derivations: reasons.derivations(), ..response })
}

/// An entry of the service: its weight, and the endpoints that its lookup finds. `None` is not asked yet.
type Entry<'t> = (u32, Option<&'t [&'t str]>);

/// The answer to the lookup of the gateway: not asked, asked and absent, or its address.
enum Gateway {
    Unasked,
    Absent,
    At(&'static str),
}

/// An endpoint, as `namespace/name backend url rewrite-path`. What is left out or `-` is absent.
fn endpoint(text: &str) -> Value {
    let mut words = text.split(' ');
    let (namespace, name) = words.next().and_then(|it| it.split_once('/')).expect("namespace/name");
    let mut next = || words.next().filter(|word| *word != "-");
    let backend = next();
    json!({
        "metadata": {"name": name, "namespace": namespace},
        "status": backend.map_or(json!({}), |name| json!({"routing": {"backendName": name}})),
        "spec": {"url": next().unwrap_or("http://10.0.0.1/v1"), "rewritePath": next()},
    })
}

fn request(entries: &[Entry<'_>], gateway: &Gateway, route: Option<Value>) -> ComposeRequest {
    let labels = |index| json!({"matchLabels": {"entry": format!("{index}")}});
    let stated = entries.iter().enumerate().map(|(index, entry)| json!({"weight": entry.0, "selector": labels(index)}));
    let spec = json!({"endpoints": stated.collect::<Vec<_>>()});
    let metadata = json!({"name": "chat", "namespace": "ml"});
    let mut lookups: BTreeMap<String, Vec<ObservedObject>> = BTreeMap::new();
    for (index, (_, found)) in entries.iter().enumerate() {
        let found = found.map(|found| found.iter().map(|text| endpoint(text).into()).collect());
        lookups.extend(found.map(|found| (format!("endpoints-{index}"), found)));
    }
    let gateway = match gateway {
        Gateway::Unasked => None,
        Gateway::Absent => Some(Vec::new()),
        Gateway::At(address) => Some(vec![json!({"status": {"address": address}}).into()]),
    };
    lookups.extend(gateway.map(|found| ("inference-gateway".to_owned(), found)));
    let observed = route.map(|route| ("httproute".to_owned(), route.into()));
    ComposeRequest {
        composite: Some(json!({"metadata": metadata, "spec": spec}).into()),
        observed: observed.into_iter().collect(),
        lookups,
        ..ComposeRequest::default()
    }
}

/// A route as Crossplane observes it, with these backends and with a verdict of the gateway.
fn route(backends: Value, accepted: &str) -> Value {
    let accepted = json!({"type": "Accepted", "status": accepted});
    json!({
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {"name": "chat-1a2b3", "namespace": "ml", "uid": "1"},
        "spec": {"rules": [{"backendRefs": backends}]},
        "status": {"parents": [{"conditions": []}, {"conditions": [{"type": "ResolvedRefs", "status": "True"}, accepted]}]},
    })
}

/// The backends of the route, as `name:port*weight>rewrite-path`.
fn backends(response: &ComposeResponse) -> String {
    let Some(route) = response.resources.get("httproute") else { return "no route".to_owned() };
    let rule = &route.object["spec"]["rules"][0];
    let Some(backends) = rule["backendRefs"].as_array() else { return "no backends".to_owned() };
    let shown = backends.iter().map(|backend| {
        let rewrite = backend["filters"][0]["urlRewrite"]["path"]["replacePrefixMatch"].as_str();
        let rewrite = rewrite.map(|path| format!(">{path}")).unwrap_or_default();
        format!("{}:{}*{}{rewrite}", backend["name"].as_str().unwrap_or_default(), backend["port"], backend["weight"])
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// The conditions, as `Reason: message`.
fn conditions(response: &ComposeResponse) -> Vec<String> {
    let shown = response.conditions.iter().map(|it| match &it.message {
        Some(message) => format!("{}: {message}", it.reason),
        None => it.reason.clone(),
    });
    shown.collect()
}

fn events(response: &ComposeResponse) -> Vec<&str> {
    response.results.iter().map(|event| event.message.as_str()).collect()
}

const NOTHING: &str = "No ModelEndpoints matched the configured selectors";

#[test]
fn routes() {
    #[track_caller]
    fn check(entries: &[Entry<'_>], want: &str, resolved: &str) {
        let response = compose(&request(entries, &Gateway::At("203.0.113.1"), None)).expect("a response");
        assert_eq!((backends(&response).as_str(), conditions(&response)[0].as_str()), (want, resolved));
        assert_eq!(response.ttl, Some(60_000));
    }
    check(&[(1, Some(&["ml/a svc-a"]))], "svc-a:80*1", "Resolved: Matched 1 endpoint(s)");
    check(
        &[
            (80, Some(&["ml/a svc-a", "ml/b svc-b https://x/", "ml/c svc-c http://x:8000"])),
            (20, Some(&["ml/d svc-d"])),
        ],
        "svc-a:80*27 svc-b:443*27 svc-c:8000*26 svc-d:80*20",
        "Resolved: Matched 4 endpoint(s)",
    );
    check(
        &[(1, Some(&["ml/a svc-a http://x/v1 /ml/a/", "ml/b svc-b"]))],
        "svc-a:80*1>/ml/a/ svc-b:80*1",
        "Resolved: Matched 2 endpoint(s)",
    );
    // The first entry that selects an endpoint has it, and the order is that of delivery.
    check(
        &[(1, Some(&["ml/b svc-b"])), (3, Some(&["ml/c svc-c", "ml/b svc-b", "ml/a svc-a"]))],
        "svc-b:80*1 svc-c:80*2 svc-a:80*1",
        "Resolved: Matched 3 endpoint(s)",
    );
    // An entry without endpoints that are ready gives its share to the others.
    check(
        &[(9, Some(&["ml/a"])), (1, Some(&["ml/b svc-b"]))],
        "svc-b:80*1",
        "Resolved: Matched 2 endpoint(s); 1 waiting for Backend",
    );
    check(&[(1, Some(&["ml/a", "ml/b"]))], "no backends", "Resolved: Matched 2 endpoint(s); 2 waiting for Backend");
    check(&[(1, Some(&["ml/a svc-a x:80"]))], "no backends", "Resolved: Matched 1 endpoint(s); 1 waiting for Backend");
    check(&[(1, Some(&[])), (1, Some(&[]))], "no route", &format!("NoEndpoints: {NOTHING}"));
    check(&[(1, None)], "no route", &format!("NoEndpoints: {NOTHING}"));
    check(&[(1, None), (1, Some(&["ml/a svc-a"]))], "svc-a:80*1", "Resolved: Matched 1 endpoint(s)");
}

#[test]
fn endpoints_of_other_namespaces_get_no_requests() {
    #[track_caller]
    fn check(found: &[&str], want: &str, resolved: &str) {
        let resolved = resolved.replace("ELSEWHERE", "not routed to, because in another namespace");
        let first = request(&[(1, Some(found))], &Gateway::At("203.0.113.1"), None);
        let response = compose(&first).expect("a response");
        assert_eq!((backends(&response).as_str(), conditions(&response)[0].as_str()), (want, resolved.as_str()));
        assert_eq!(events(&response), [resolved.split_once(": ").expect("a reason").1]);
        // Later it is no news.
        let mut next = first;
        let mut composite = next.composite().expect("a composite").clone();
        let condition = &response.conditions[0];
        composite["status"]["conditions"] = json!([{
            "type": condition.condition_type, "status": condition.status.as_str(),
            "reason": condition.reason, "message": condition.message,
        }]);
        next.composite = Some(composite.clone().into());
        assert!(events(&compose(&next).expect("a response")).is_empty());
        // Neither is it when another endpoint of the namespace comes.
        let mut more = request(&[(1, Some(&[&["ml/z svc-z"], found].concat()))], &Gateway::At("203.0.113.1"), None);
        more.composite = Some(composite.into());
        assert!(events(&compose(&more).expect("a response")).is_empty());
    }
    check(&["ml/a svc-a", "other/a svc-a"], "svc-a:80*1", "Resolved: Matched 1 endpoint(s); ELSEWHERE: other/a");
    check(&["other/a svc-a"], "no route", &format!("NoEndpoints: {NOTHING}; ELSEWHERE: other/a"));
    check(
        &["x/d", "x/c", "ml/a", "x/b svc-b", "w/z", "x/b svc-b"],
        "no backends",
        "Resolved: Matched 1 endpoint(s); 1 waiting for Backend; ELSEWHERE: w/z, x/b, x/c and 1 more",
    );
}

#[test]
fn addresses_and_lookups() {
    #[track_caller]
    fn check(gateway: Gateway, found: &[&str], want: Option<Value>) {
        let response = compose(&request(&[(1, Some(found))], &gateway, None)).expect("a response");
        assert_eq!(response.composite.status, want);
        let asked: Vec<_> = response
            .lookups
            .iter()
            .map(|(name, it)| {
                let by = match &it.match_by {
                    MatchBy::Name(name) => name.clone(),
                    by => format!("{by:?}"),
                };
                format!("{name} {} {by} {:?}", it.kind.kind, it.namespace)
            })
            .collect();
        let labels = r#"Labels({"entry": "0"})"#;
        assert_eq!(
            asked,
            [
                format!("endpoints-0 ModelEndpoint {labels} None"),
                "inference-gateway InferenceGateway default None".to_owned()
            ]
        );
    }
    check(Gateway::At("203.0.113.1"), &["ml/a"], Some(json!({"address": "http://203.0.113.1/ml/chat"})));
    check(Gateway::At(""), &["ml/a"], Some(json!({})));
    check(Gateway::Absent, &["ml/a"], Some(json!({})));
    check(Gateway::Unasked, &["ml/a"], Some(json!({})));
    check(Gateway::At("203.0.113.1"), &[], None);
}

#[test]
fn readiness() {
    #[track_caller]
    fn check(route: Option<Value>, found: &[&str], want: &str, ready: Option<Readiness>) {
        let response = compose(&request(&[(1, Some(found))], &Gateway::Absent, route)).expect("a response");
        assert_eq!(conditions(&response)[1], want);
        assert_eq!(response.resources.get("httproute").map(|it| it.readiness), ready);
        assert_eq!(response.composite.readiness, Readiness::Unspecified);
    }
    use Readiness::{Ready, Unspecified};
    let accepted = |status| Some(route(json!([]), status));
    check(accepted("True"), &["ml/a svc-a"], "RouteConfigured", Some(Ready));
    check(accepted("True"), &["ml/a", "ml/b svc-b"], "RouteConfigured", Some(Ready));
    check(accepted("True"), &["ml/a"], "Configuring", Some(Unspecified));
    check(accepted("False"), &["ml/a svc-a"], "Configuring", Some(Unspecified));
    check(accepted("True"), &[], "Configuring", Some(Unspecified));
    check(None, &["ml/a svc-a"], "Configuring", Some(Unspecified));
    check(None, &[], "Configuring", None);
}

/// A route never goes.
#[test]
fn observed_routes_stay() {
    #[track_caller]
    fn check(entries: &[Entry<'_>], gateway: Gateway, want: &str, status: Option<Value>) {
        let observed = route(json!([{"name": "svc-a", "port": 8000, "weight": 1}]), "True");
        let mut request = request(entries, &gateway, Some(observed));
        let mut composite = request.composite().expect("a composite").clone();
        composite["status"] = json!({"address": "http://203.0.113.9/ml/chat"});
        request.composite = Some(composite.into());
        let response = compose(&request).expect("a response");
        assert_eq!((backends(&response).as_str(), response.composite.status.clone()), (want, status));
        // What is held as it is, is not judged either.
        assert_eq!(
            response.conditions.is_empty(),
            response.resources["httproute"].object["metadata"]["name"] == "chat-1a2b3"
        );
        assert!(!response.conditions.is_empty() || response.results.is_empty());
    }
    let address = || Some(json!({"address": "http://203.0.113.1/ml/chat"}));
    let at = || Gateway::At("203.0.113.1");
    check(&[(1, Some(&[]))], at(), "no backends", address());
    check(&[(1, Some(&["other/a svc-a"]))], at(), "no backends", address());
    check(&[(1, Some(&["ml/a"]))], at(), "no backends", address());
    // While an answer is missing, it stays as it is.
    check(&[(1, None)], at(), "svc-a:8000*1", address());
    check(&[(1, Some(&["ml/b svc-b"])), (1, None)], at(), "svc-a:8000*1", address());
    let before = Some(json!({"address": "http://203.0.113.9/ml/chat"}));
    check(&[(1, Some(&["ml/b svc-b"]))], Gateway::Unasked, "svc-a:8000*1", before);
    check(&[(1, Some(&["ml/b svc-b"]))], Gateway::Absent, "svc-b:80*1", Some(json!({})));
    // The Service of an endpoint keeps its port when the URL becomes invalid.
    check(&[(1, Some(&["ml/a svc-a x:80"]))], at(), "svc-a:8000*1", address());
    check(&[(1, Some(&["ml/b svc-b x:80"]))], at(), "no backends", address());
}

#[test]
fn the_whole_route() {
    let found: &[&str] = &["ml/a svc-a https://api.example.org/v1 /v1/"];
    let response = compose(&request(&[(1, Some(found))], &Gateway::Absent, None)).expect("a response");
    let rewrite = json!({"type": "URLRewrite", "urlRewrite": {"path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/v1/"}}});
    let want = json!({
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {"namespace": "ml"},
        "spec": {
            "parentRefs": [{"name": "modelplane", "namespace": "modelplane-system"}],
            "rules": [{
                "matches": [{"path": {"type": "PathPrefix", "value": "/ml/chat/"}}],
                "backendRefs": [{"name": "svc-a", "port": 443, "weight": 1, "filters": [rewrite]}],
            }],
        },
    });
    assert_eq!(response.resources["httproute"].object, want);
}
