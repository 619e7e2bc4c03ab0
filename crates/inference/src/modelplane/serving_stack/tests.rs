use contract::types::Readiness;
use serde_json::{Value, json};

use super::*;
use crate::KINDS;

fn request(observed: &[(&str, Value)]) -> ComposeRequest {
    let composite = json!({
        "apiVersion": STACKS.api_version, "kind": STACKS.kind,
        "metadata": {"name": "test-backend", "namespace": "modelplane-system"},
        "spec": {"secrets": [{"type": "Kubeconfig", "name": "a", "key": "kubeconfig"}]},
    });
    let observed = observed.iter().map(|(key, object)| ((*key).to_owned(), object.clone().into())).collect();
    ComposeRequest { composite: Some(composite.into()), observed, ..ComposeRequest::default() }
}

const CONFIGS: [(&str, Value); 2] =
    [("provider-config-kubernetes", Value::Null), ("provider-config-helm", Value::Null)];

/// As many objects as Modelplane v0.3.1 has.
#[test]
fn totals() {
    #[track_caller]
    fn check(observed: &[(&str, Value)], want: usize) {
        let response = KINDS.compose(&request(observed)).expect("a response");
        assert_eq!(response.resources.len(), want);
        assert_eq!(response.composite.status, Some(json!({})));
    }
    check(&[], 4);
    check(&CONFIGS[..1], 4);
    check(&CONFIGS, 20);
    // The definitions of AI Gateway let AI Gateway through, and the driver its quota.
    check(&[("ai-gateway-crds", json!({})), ("dra-driver", json!({}))], 8);
}

/// Everything that is observed stays, alone and together with anything else.
#[test]
fn what_is_observed_stays() {
    let all = KINDS.compose(&request(&CONFIGS)).expect("a response");
    for key in all.resources.keys() {
        let response = KINDS.compose(&request(&[(key, json!({}))])).expect("a response");
        assert!(response.resources.contains_key(key), "{key}");
    }
}

#[test]
fn chart_of_every_release() {
    let response = KINDS.compose(&request(&CONFIGS)).expect("a response");
    let releases = response.resources.iter().filter(|(_, it)| it.object["kind"] == RELEASES.kind);
    for (key, release) in releases {
        let chart = &release.object["spec"]["forProvider"]["chart"];
        assert!(["name", "repository", "version"].iter().all(|field| chart[*field].is_string()), "{key}: {chart}");
        let short = release.object["metadata"]["annotations"]["crossplane.io/external-name"].as_str();
        assert!(short.is_some_and(|name| name.starts_with("mp-") && name.len() <= 53), "{key}: {short:?}");
        assert_eq!(release.readiness, Readiness::Unspecified, "{key}");
    }
}
