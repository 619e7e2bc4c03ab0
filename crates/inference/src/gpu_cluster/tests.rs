//! What a cluster becomes, beyond the golden cases: counts, and what switching something off removes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use contract::admit::{AdmitRequest, Operation};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::ObservedObject;
use serde_json::{Value, json};
use toolbox::composed::Composed;

use super::derive::{AREA_NAMES, area};
use super::generated::{Choices, cluster};
use super::read::assembled;
use super::render::{is_ours, resources};
use crate::KINDS;
use crate::options::Options;

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
    after(&BTreeMap::new(), composite, options)
}

/// What is composed while the objects in `there` are observed, and ready.
fn after(there: &BTreeMap<String, Value>, composite: Value, options: Value) -> BTreeMap<String, Value> {
    let observed = there.iter().map(|(key, object)| {
        let mut object = object.clone();
        object["status"]["conditions"] = json!([{"type": "Ready", "status": "True", "reason": "Available"}]);
        (key.clone(), ObservedObject::from(object))
    });
    let request = ComposeRequest {
        composite: Some(composite.into()),
        input: Some(input(&options)),
        observed: observed.collect(),
        ..ComposeRequest::default()
    };
    let ComposeResponse { resources, .. } = KINDS.compose(&request).expect("it can be composed");
    resources.into_iter().map(|(key, desired)| (key, desired.object)).collect()
}

fn input(options: &Value) -> Value {
    json!({"apiVersion": crate::options::API_VERSION, "kind": crate::options::KIND, "cluster": options})
}

/// Generated clusters that admission allows, with the section of options that they are composed with.
fn allowed(start: u64, count: usize) -> Vec<(Value, Value)> {
    let mut choices = Choices::new(start);
    let generated = std::iter::repeat_with(|| cluster(&mut choices)).take(count);
    let is_allowed = |(object, options): &(Value, Value)| {
        let operation = Operation::Create(object.clone());
        let request = AdmitRequest { operation, input: Some(input(options)), lookups: BTreeMap::new() };
        super::admit::admit(&request).is_ok_and(|verdict| verdict.denials.is_empty())
    };
    let allowed: Vec<_> = generated.filter(is_allowed).collect();
    assert!(allowed.len() > count / 5, "only {} of {count} are allowed", allowed.len());
    allowed
}

fn made(object: &Value, options: &Value) -> Vec<Composed> {
    let options = Options::read(Some(&input(options))).expect("options");
    resources(&Rc::new(assembled(object, &options).expect("a cluster")))
}

/// No object takes the place of another one: keys are unique, and so are names among the objects of a kind.
#[test]
fn keys_and_names_are_unique() {
    let mut beside = 0;
    for (object, options) in allowed(1, 2_000) {
        let cluster = object["metadata"]["name"].as_str().expect("a name");
        let (mut keys, mut names) = (BTreeSet::new(), BTreeSet::new());
        for composed in made(&object, &options) {
            let made = composed.plan.object();
            let name = (made["apiVersion"].to_string(), made["kind"].to_string(), made["metadata"]["name"].to_string());
            assert!(names.insert(name.clone()), "{name:?} is there twice: {object}");
            assert!(is_ours(cluster, &composed.key), "{} is not known as ours: {object}", composed.key);
            beside += usize::from(composed.key.ends_with("_usage"));
            assert!(keys.insert(composed.key.clone()), "{} is there twice: {object}", composed.key);
        }
    }
    assert!(beside > 0, "no Usage had to stand beside an object of its name");
}

/// The Usage of a secret `x` is called as a secret `x-usage` is. Without such a secret its key is that of dot-kubernetes.
#[test]
fn usages_beside_objects_of_their_names() {
    let with = |names: &[&str]| {
        let secrets: Vec<_> =
            names.iter().map(|name| json!({"fromSecret": "a", "toSecret": name, "toNamespace": "dev"})).collect();
        let parameters = json!({"usage": {"enabled": true}, "apps": {"externalSecrets": {"secrets": secrets}}});
        let found = composed("aws", parameters, json!({}));
        let found = found.iter().filter(|(key, _)| key.starts_with("a-secret-"));
        found.map(|(key, object)| format!("{key} {}", object["kind"].as_str().unwrap_or_default())).collect::<Vec<_>>()
    };
    assert_eq!(with(&["x"]), ["a-secret-x Object", "a-secret-x-usage Usage"]);
    assert_eq!(
        with(&["x", "x-usage"]),
        ["a-secret-x Object", "a-secret-x-usage Object", "a-secret-x-usage-usage Usage", "a-secret-x_usage Usage"]
    );
}

/// In any order, the same namespaces and secrets become the same objects.
#[test]
fn order_of_lists_does_not_matter() {
    let keyed = |object: &Value, options: &Value| {
        let made = made(object, options).into_iter();
        made.map(|it| (it.key.clone(), it.plan.into_object())).collect::<BTreeMap<_, _>>()
    };
    for (object, options) in allowed(2, 500) {
        let mut reversed = object.clone();
        for list in ["/spec/parameters/namespaces", "/spec/parameters/apps/externalSecrets/secrets"] {
            if let Some(list) = reversed.pointer_mut(list).and_then(Value::as_array_mut) {
                list.reverse();
            }
        }
        assert_eq!(keyed(&reversed, &options), keyed(&object, &options), "{object}");
    }
}

/// What was switched on and runs goes when it is switched off, and everything else has the bytes from before.
#[test]
fn what_is_switched_off_leaves_no_trace() {
    #[track_caller]
    fn check(switch: &str, parameters: &Value, options: &Value) {
        for provider in ["aws", "azure", "google"] {
            let composite = |parameters: &Value| {
                json!({
                    "apiVersion": "devopstoolkitseries.com/v2", "kind": "Cluster",
                    "metadata": {"name": "a", "namespace": "team-a"},
                    "spec": {
                        "crossplane": {"compositionSelector": {"matchLabels": {"provider": provider}}},
                        "parameters": parameters,
                    },
                })
            };
            let nothing = BTreeMap::new();
            let runs = after(&nothing, composite(&json!({})), json!({}));
            // What follows from the observed nodes is there from here on.
            let before = after(&runs, composite(&json!({})), json!({}));
            let on = after(&before, composite(parameters), options.clone());
            let off = after(&on, composite(&json!({})), json!({}));
            assert_eq!(off, before, "{provider}, {switch}");
            let text = |objects: &BTreeMap<String, Value>| serde_json::to_string(objects).expect("JSON");
            assert_eq!(text(&off), text(&before), "{provider}, {switch}");
        }
    }
    let on = json!({"enabled": true});
    for app in APPS {
        check(app, &json!({"apps": {*app: on}}), &json!({}));
    }
    for (switch, parameters) in [
        ("gpu", json!({"gpu": on})),
        ("spot", json!({"gpu": {"enabled": true, "capacity": "Spot", "minNodeCount": 0}})),
        ("usage", json!({"usage": on})),
        ("namespaces", json!({"namespaces": ["dev", "production", "more"]})),
        ("creds", json!({"creds": {"name": "c", "namespace": "d", "keys": ["e"]}})),
        ("version", json!({"version": "1.33"})),
        ("size", json!({"nodeSize": "large", "minNodeCount": 4})),
    ] {
        check(switch, &parameters, &json!({}));
    }
    for options in [
        json!({"usages": "always"}),
        json!({"gpuSizes": "by-count"}),
        json!({"externalSecrets": "v1"}),
        json!({"ebsRights": "podIdentity"}),
        json!({"googleGpuTaint": false}),
        json!({"argocdPasswordHash": "a"}),
        json!({"chartVersions": {"traefik": "39.0.1"}}),
        json!({"vllmOperatorImage": "a:b"}),
    ] {
        let secrets = json!([{"fromSecret": "a", "toSecret": "b", "toNamespace": "dev"}]);
        let parameters = json!({"gpu": on, "apps": {"argocd": on, "traefik": on, "vllm": on, "externalSecrets": {"secrets": secrets}}});
        check(&options.to_string(), &parameters, &options);
    }
}

/// Applications that need nothing besides.
const APPS: &[&str] = &[
    "argocd",
    "crossplane",
    "dapr",
    "envoyGateway",
    "externalSecrets",
    "keda",
    "nvidia",
    "openfunction",
    "prometheus",
    "traefik",
    "vllm",
];

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

/// The same for generated clusters, whose names and labels fit too.
#[test]
fn usages_and_names_of_generated_clusters() {
    let mut usages = 0;
    for (object, options) in allowed(4, 600) {
        let objects: Vec<Value> = made(&object, &options).into_iter().map(|it| it.plan.into_object()).collect();
        let name =
            |kind: &Value, name: &Value| (kind["apiVersion"].to_string(), kind["kind"].to_string(), name.to_string());
        let there: BTreeSet<_> = objects.iter().map(|it| name(it, &it["metadata"]["name"])).collect();
        for it in &objects {
            if it["kind"] == "Usage" {
                usages += 1;
                let named = ["of", "by"].map(|end| name(&it["spec"][end], &it["spec"][end]["resourceRef"]["name"]));
                assert!(named.iter().all(|named| there.contains(named)), "{it} of {object}");
            }
            let own = it["metadata"]["name"].as_str().expect("a name");
            let ends = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            assert!(own.len() <= 253 && own.starts_with(ends) && own.ends_with(ends), "{own} of {object}");
            let labels = it["metadata"]["labels"].as_object().into_iter().flatten();
            assert!(labels.clone().all(|(_, value)| value.as_str().is_some_and(|it| it.len() <= 63)), "{it}");
        }
    }
    assert!(usages > 500, "only {usages} Usages");
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
