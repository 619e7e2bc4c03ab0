//! What a cluster becomes, beyond the golden cases: counts, and what switching something off removes.

use std::collections::BTreeMap;

use contract::compose::{ComposeRequest, ComposeResponse};
use serde_json::{Value, json};

use super::compose;
use super::derive::{AREA_NAMES, area};

fn composed(provider: &str, parameters: Value, options: Value) -> BTreeMap<String, Value> {
    named("a", provider, parameters, options)
}

fn named(name: &str, provider: &str, parameters: Value, options: Value) -> BTreeMap<String, Value> {
    let composite = json!({
        "apiVersion": "devopstoolkitseries.com/v2",
        "kind": "Cluster",
        "metadata": {"name": name, "namespace": "team-a"},
        "spec": {
            "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
            "parameters": parameters,
        },
    });
    let input = json!({"apiVersion": crate::options::API_VERSION, "kind": crate::options::KIND, "cluster": options});
    let request = ComposeRequest { composite: Some(composite.into()), input: Some(input), ..ComposeRequest::default() };
    let ComposeResponse { resources, .. } = compose(&request).expect("it can be composed");
    resources.into_iter().map(|(key, desired)| (key, desired.object)).collect()
}

/// The numbers of objects of dot-kubernetes.
#[test]
fn counts() {
    #[track_caller]
    fn check(provider: &str, without: usize, with: usize) {
        let count = |parameters| composed(provider, parameters, json!({})).len();
        assert_eq!(count(json!({})), without);
        assert_eq!(count(json!({"usage": {"enabled": true}})), with);
        assert_eq!(count(json!({"gpu": {"enabled": true}})), without + 1);
        let nvidia = json!({"nvidia": {"enabled": true}});
        assert_eq!(count(json!({"apps": nvidia})), without + 1);
        assert_eq!(count(json!({"apps": nvidia, "usage": {"enabled": true}})), with + 2);
    }
    check("aws", 29, 33);
    check("azure", 8, 11);
    check("google", 8, 11);
}

/// Switching something on adds objects, and changes others only where a rule says so. So switching it off removes only what it added.
#[test]
fn what_is_switched_on_only_adds() {
    #[track_caller]
    fn check(parameters: Value, options: Value, changed: &[&str]) {
        for provider in ["aws", "azure", "google"] {
            let plain = composed(provider, json!({"usage": {"enabled": true}}), json!({}));
            let mut parameters = parameters.clone();
            parameters["usage"] = json!({"enabled": true});
            let more = composed(provider, parameters, options.clone());
            for (key, object) in &plain {
                let same = more.get(key) == Some(object);
                assert!(same || changed.contains(&key.as_str()), "{provider}: {key} becomes {:?}", more.get(key));
            }
        }
    }
    for app in ["crossplane", "argocd", "openfunction", "dapr", "traefik", "nvidia", "vllm", "keda", "prometheus"] {
        check(json!({"apps": {app: {"enabled": true}}}), json!({}), &[]);
    }
    // On Google Cloud the gateway takes the place of an add-on of the cluster.
    check(json!({"apps": {"envoyGateway": {"enabled": true}}}), json!({}), &["a-cluster"]);
    check(json!({"gpu": {"enabled": true}}), json!({}), &[]);
    check(json!({"namespaces": ["dev", "production", "more"]}), json!({}), &[]);
    check(json!({"creds": {"name": "c", "namespace": "d", "keys": ["e"]}}), json!({}), &[]);
    check(json!({}), json!({"ebsRights": "podIdentity"}), &[]);
}

/// Every selector matches exactly one object of its kind, or, without labels, the only one that there is; but for subnets, which a
/// control plane and its nodes have all of.
#[test]
fn selectors_match_what_they_are_meant_for() {
    let objects = composed("aws", json!({"gpu": {"enabled": true}}), json!({"ebsRights": "podIdentity"}));
    let kinds = [
        ("clusterNameSelector", "Cluster"),
        ("gatewayIdSelector", "InternetGateway"),
        ("nodeRoleArnSelector", "Role"),
        ("roleArnSelector", "Role"),
        ("roleSelector", "Role"),
        ("routeTableIdSelector", "RouteTable"),
        ("securityGroupIdSelector", "SecurityGroup"),
        ("vpcIdSelector", "VPC"),
    ];
    let mut selected = 0;
    for (key, object) in &objects {
        for (selector, kind) in kinds {
            let Some(selector) = object["spec"]["forProvider"].get(selector) else { continue };
            let labels = selector["matchLabels"].as_object().cloned().unwrap_or_default();
            let has =
                |it: &&Value| labels.iter().all(|(name, value)| it["metadata"]["labels"].get(name) == Some(value));
            let found = objects.values().filter(|it| it["kind"] == kind).filter(has).count();
            assert_eq!(found, 1, "{key} selects {found} of {kind}");
            selected += 1;
        }
    }
    assert!(selected > 20, "only {selected} selectors");
}

/// Every Usage names objects that are composed, by kind and name.
#[test]
fn usages_name_what_is_composed() {
    let apps = json!({"argocd": {"enabled": true}, "envoyGateway": {"enabled": true}, "vllm": {"enabled": true}, "keda": {"enabled": true}});
    for provider in ["aws", "azure", "google"] {
        let objects = composed(provider, json!({"usage": {"enabled": true}, "apps": apps}), json!({}));
        let exists = |named: &Value| {
            objects.values().any(|it| {
                it["apiVersion"] == named["apiVersion"]
                    && it["kind"] == named["kind"]
                    && it["metadata"]["name"] == named["resourceRef"]["name"]
            })
        };
        for usage in objects.values().filter(|it| it["kind"] == "Usage") {
            assert!(exists(&usage["spec"]["of"]) && exists(&usage["spec"]["by"]), "{usage}");
            assert_eq!(usage["spec"]["replayDeletion"], true);
        }
    }
}

/// Everything that a cluster can have.
fn everything(provider: &str) -> Value {
    let on = json!({"enabled": true});
    let secret = json!({"fromSecret": "a", "toSecret": "s".repeat(170), "toNamespace": "n".repeat(63)});
    let mut apps = json!({
        "argocd": on,
        "externalSecrets": {
            "enabled": true, "store": true, "azureVaultUrl": "https://a", "googleCredentialsKey": "a", "secrets": [secret],
        },
    });
    for app in ["crossplane", "dapr", "envoyGateway", "keda", "nvidia", "prometheus", "traefik", "vllm"] {
        apps[app] = on.clone();
    }
    let creds = json!({"name": format!("{provider}-creds"), "namespace": "crossplane-system", "keys": ["a"]});
    json!({"usage": on, "gpu": on, "apps": apps, "creds": creds, "namespaces": ["n".repeat(63)]})
}

/// Names and labels are those that Kubernetes and the clouds take, for the longest names that admission allows.
#[test]
fn names_and_labels_fit() {
    // The longest names of `names::refused`, and the most characters that a cloud has for objects of a kind.
    for (provider, length, limits) in [
        ("aws", 50, &[("Role", 64), ("NodeGroup", 63), ("Cluster", 100), ("SecurityGroup", 255)][..]),
        ("azure", 34, &[("KubernetesCluster", 63), ("ResourceGroup", 90)]),
        ("google", 36, &[("Cluster", 40), ("NodePool", 40)]),
    ] {
        let objects = named(&"a".repeat(length), provider, everything(provider), json!({"ebsRights": "podIdentity"}));
        let mut limited = BTreeMap::new();
        for (key, object) in &objects {
            let name = object["metadata"]["name"].as_str().expect("a name");
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
            assert!(name.len() <= 253 && name.chars().all(fits) && !name.ends_with(['-', '.']), "{key}: {name}");
            let kind = object["kind"].as_str().expect("a kind");
            if let Some((_, most)) = limits.iter().find(|it| it.0 == kind) {
                let external = object["metadata"]["annotations"]["crossplane.io/external-name"].as_str();
                assert!(external.unwrap_or(name).len() <= *most, "{key}: more than {most} characters");
                limited.insert(kind, ());
            }
            for (label, value) in object["metadata"]["labels"].as_object().into_iter().flatten() {
                assert!(value.as_str().is_some_and(|value| value.len() <= 63), "{key}: label {label} is {value}");
            }
        }
        assert_eq!(limited.len(), limits.len(), "{provider}: {limited:?}");
    }
}

/// Everything that is composed belongs to an area, so that a tree shows it there.
#[test]
fn everything_has_an_area() {
    for provider in ["aws", "azure", "google"] {
        let composite = json!({"metadata": {"name": "a"}});
        let objects = composed(provider, everything(provider), json!({"ebsRights": "podIdentity"}));
        let mut seen = BTreeMap::new();
        for (key, object) in &objects {
            let area = area(&composite, key, object).unwrap_or_else(|| panic!("{provider}: {key} has no area"));
            *seen.entry(AREA_NAMES[area]).or_insert(0) += 1;
        }
        let expected = if provider == "aws" { AREA_NAMES.len() } else { AREA_NAMES.len() - 1 };
        assert_eq!(seen.len(), expected, "{provider}: {seen:?}");
    }
}

/// Very many namespaces and secrets are composed as few are.
#[test]
fn many_namespaces_and_secrets() {
    let namespaces: Vec<_> = (0..200).map(|index| format!("namespace-{index}")).collect();
    let secrets: Vec<_> = (0..500)
        .map(|index| json!({"fromSecret": "a", "toSecret": format!("secret-{index}"), "toNamespace": "namespace-1"}))
        .collect();
    for provider in ["aws", "azure", "google"] {
        let none = composed(provider, json!({"namespaces": []}), json!({})).len();
        let apps = json!({"externalSecrets": {"secrets": secrets}});
        let many = composed(provider, json!({"namespaces": namespaces, "apps": apps}), json!({}));
        assert_eq!(many.len(), none + 200 + 500, "{provider}");
    }
}
