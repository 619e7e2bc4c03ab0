//! Judges a service beside other objects: services that would share its objects or its requests, and what it refers to.

use contract::admit::{LookupAnswers, Verdict};
use contract::types::{Code, ObservedObject, Problem};
use quantity::order::sorted;
use serde_json::Value;
use toolbox::asked::ask;
use toolbox::builders::selectors::{lookup_all, lookup_by, lookup_of};
use toolbox::names::is_wildcard;
use toolbox::path;
use toolbox::resources;

use super::pods::{GATEWAY, HOSTS};
use crate::otterscale::found_by::NAMESPACE;
use crate::otterscale::model_service::names;
use crate::otterscale::options::{ClusterRbac, ModelServiceOptions};
use crate::otterscale::resources::{GATEWAYS, MODEL_SERVICES, kind};

/// The lookup of services in the same namespace.
const IN_NAMESPACE: &str = "in-namespace";
/// The lookup of services whose grant could have the same name.
const SAME_GRANT: &str = "same-grant";
/// The lookup of services of the same name.
const SAME_NAME: &str = "same-name";
/// The lookup of the gateway.
const ROUTED_BY: &str = "gateway";
/// The lookup of the configuration of provider-kubernetes.
const CONFIG: &str = "config";

/// Namespace and name of an object.
type ServicePlace<'a> = (&'a str, &'a str);

/// Judges a service that is new, or that was `old`.
pub(super) fn judge(
    object: &Value,
    old: Option<&Value>,
    options: &ModelServiceOptions,
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) {
    let place @ (namespace, name) = place(object);
    // The API server may generate the name only after it was judged.
    if namespace.is_empty() || name.is_empty() {
        return;
    }
    if old.is_none() {
        same_objects(place, answers, verdict);
    }
    let gateway = gateway(object, options);
    let is_new = |same: fn(&Value, &ModelServiceOptions) -> Value| {
        old.is_none_or(|old| same(old, options) != same(object, options))
    };
    if let Some(gateway) = gateway.as_ref().filter(|_| is_new(reached)) {
        no_gateway(object, gateway, answers, verdict);
        same_requests(object, gateway, options, answers, verdict);
    }
    if has_grant(object, options) && old.is_none_or(|old| !has_grant(old, options)) {
        grant(namespace, options, answers, verdict);
    }
}

/// Refuses a name whose objects would be those of another service.
fn same_objects((namespace, name): ServicePlace<'_>, answers: &LookupAnswers, verdict: &mut Verdict) {
    let (picker, grant) = (names::picker(name), names::grant(namespace, name));
    let refuse = |what: String, other: &str| {
        let message =
            format!("ModelService `{other}` has {what} already, and only one service can; choose another name");
        Problem::new("metadata.name", Code::Duplicate, message)
    };
    let siblings = lookup_all(kind(&MODEL_SERVICES), Some(namespace), &[]);
    let whether = format!("whether another ModelService has an endpoint picker `{picker}`");
    let found = ask(verdict, answers, IN_NAMESPACE, siblings, &whether);
    let other = others(found, (namespace, name)).find(|(_, other)| names::picker(other) == picker);
    let same_picker = other.map(|(_, other)| refuse(format!("an endpoint picker `{picker}`"), other));
    verdict.denials.extend(same_picker);

    // The name of a grant joins two names with a dash, so it may be that of a service in another namespace.
    let dashes = grant.match_indices('-').filter_map(|(at, _)| grant.get(..at)).filter(|it| *it != namespace);
    let namespaces: Vec<_> = dashes.map(|namespace| vec![namespace.to_owned()]).collect();
    let elsewhere = lookup_by(kind(&MODEL_SERVICES), None, NAMESPACE.name, namespaces);
    let whether = format!("whether another ModelService has a grant `{grant}`");
    let found = ask(verdict, answers, SAME_GRANT, elsewhere, &whether);
    let other = others(found, (namespace, name)).find(|(namespace, name)| names::grant(namespace, name) == grant);
    let same_grant = other
        .map(|(namespace, name)| refuse(format!("a cluster-scoped grant `{grant}`"), &format!("{namespace}/{name}")));
    verdict.denials.extend(same_grant);
}

/// Warns of a gateway that does not exist.
fn no_gateway(object: &Value, (namespace, name): &(String, String), answers: &LookupAnswers, verdict: &mut Verdict) {
    let is_stated = path::get(object, GATEWAY).is_some();
    let whether = format!("whether there is a Gateway `{namespace}/{name}`");
    let found = ask(verdict, answers, ROUTED_BY, lookup_of(kind(&GATEWAYS), Some(namespace), name), &whether);
    if found.is_some_and(<[_]>::is_empty) {
        let (at, whose) = if is_stated { (GATEWAY, "") } else { ("spec.httpRoute", ", which the options name") };
        let message =
            format!("there is no Gateway `{namespace}/{name}`{whose}, and no request reaches the service without one");
        verdict.warnings.push(Problem::new(at, Code::NotFound, message));
    }
}

/// Warns of another service that gets the same requests.
fn same_requests(
    object: &Value,
    gateway: &(String, String),
    options: &ModelServiceOptions,
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) {
    let place @ (_, name) = place(object);
    let whether = format!("whether another ModelService `{name}` is behind the same gateway");
    let found = ask(verdict, answers, SAME_NAME, lookup_of(kind(&MODEL_SERVICES), None, name), &whether);
    let mut others: Vec<_> = found.into_iter().flatten().filter_map(|it| it.object().ok()).collect();
    others.retain(|other| {
        self::place(other) != place
            && self::place(other).1 == name
            && self::gateway(other, options).as_ref() == Some(gateway)
            && meet(hosts(object), hosts(other))
    });
    if let Some(other) = others.into_iter().map(self::place).min() {
        let message = format!(
            "requests for ModelService `{}/{}` match too, because it has the same name behind the same gateway, and all go to the \
             older one; give each host names of its own",
            other.0, other.1
        );
        verdict.warnings.push(Problem::new("metadata.name", Code::Duplicate, message));
    }
}

/// Warns of a grant that does not come into being.
fn grant(namespace: &str, options: &ModelServiceOptions, answers: &LookupAnswers, verdict: &mut Verdict) {
    let at = "spec.inferencePool";
    let warned = match (options.grant(), &options.provider_config_ref) {
        (ClusterRbac::Direct, _) => {
            "the options compose the grant of the endpoint picker as it is, and in a cluster Crossplane refuses everything with it; \
             set `modelService.clusterRBAC` to `wrapped` or `none`"
                .to_owned()
        }
        (ClusterRbac::Wrapped, Some(config)) => {
            let (kind, name) = (config.kind.as_str(), &config.name);
            let within = config.kind.is_namespaced().then_some(namespace);
            let whether = format!("whether there is a {kind} `{name}`");
            let selector = lookup_of((resources::OBJECT.0, kind), within, name);
            if !ask(verdict, answers, CONFIG, selector, &whether).is_some_and(<[_]>::is_empty) {
                return;
            }
            format!("there is no {kind} `{name}`, which the options name, so the endpoint picker gets no grant")
        }
        (ClusterRbac::Wrapped | ClusterRbac::None, _) => return,
    };
    verdict.warnings.push(Problem::new(at, Code::NotFound, warned));
}

fn has_grant(object: &Value, options: &ModelServiceOptions) -> bool {
    let has_pool = path::get(object, "spec.inferencePool").is_some_and(|pool| !pool.is_null());
    options.metrics_endpoint_auth && (options.always_metrics_auth || has_pool)
}

/// What the warnings about routes depend on.
fn reached(object: &Value, options: &ModelServiceOptions) -> Value {
    let gateway = gateway(object, options).map(|(namespace, name)| vec![namespace, name]);
    serde_json::json!([gateway, hosts(object)])
}

/// Namespace and name of the gateway of a service.
fn gateway(object: &Value, options: &ModelServiceOptions) -> Option<(String, String)> {
    let default = &options.default_gateway;
    let Some(stated) = path::get(object, GATEWAY) else {
        return (!default.name.is_empty()).then(|| (default.namespace.clone(), default.name.clone()));
    };
    let text = |field: &str| stated[field].as_str().filter(|text| !text.is_empty());
    Some((text("namespace").unwrap_or(place(object).0).to_owned(), text("name")?.to_owned()))
}

fn hosts(object: &Value) -> &[Value] {
    path::get(object, HOSTS).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Whether two routes may get the same requests. A route without host names gets those of all.
fn meet(ours: &[Value], theirs: &[Value]) -> bool {
    let covers = |wide: &str, narrow: &str| {
        wide == narrow || is_wildcard(wide) && wide.get(1..).is_some_and(|suffix| narrow.ends_with(suffix))
    };
    let text = |host: &Value| host.as_str().unwrap_or_default().to_owned();
    let meets = |ours: &Value, theirs: &Value| {
        let (ours, theirs) = (text(ours), text(theirs));
        covers(&ours, &theirs) || covers(&theirs, &ours)
    };
    ours.is_empty() || theirs.is_empty() || ours.iter().any(|our| theirs.iter().any(|their| meets(our, their)))
}

/// Namespace and name of an object.
fn place(object: &Value) -> ServicePlace<'_> {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
    (text("namespace"), text("name"))
}

/// Namespace and name of each of these objects but for the one at `place`.
fn others<'a>(found: Option<&'a [ObservedObject]>, place: ServicePlace<'a>) -> impl Iterator<Item = ServicePlace<'a>> {
    let places = found.into_iter().flatten().filter_map(|it| it.object().ok()).map(self::place);
    sorted(places.filter(|other| *other != place).collect(), Ord::cmp).into_iter()
}

#[cfg(test)]
mod tests {
    use contract::types::Selector;
    use serde_json::json;

    use super::*;

    fn service(namespace: &str, name: &str, spec: Value) -> Value {
        json!({
            "apiVersion": "model.otterscale.io/v1alpha1", "kind": "ModelService",
            "metadata": {"namespace": namespace, "name": name}, "spec": spec,
        })
    }

    /// The messages when these objects exist: refusals, then warnings.
    fn judged(object: &Value, old: Option<&Value>, options: &Value, existing: &[Value]) -> Vec<String> {
        let options: ModelServiceOptions = serde_json::from_value(options.clone()).expect("options");
        let mut verdict = Verdict::default();
        judge(object, old, &options, &LookupAnswers::new(), &mut verdict);
        assert_eq!(verdict.unjudged.len(), verdict.lookups.len());
        assert_eq!((verdict.denials.len(), verdict.warnings.len()), no_more_than_said(&verdict));
        let answer = |selector: &Selector| {
            let found = existing.iter().filter(|it| toolbox_finds(selector, it));
            found.map(|it| ObservedObject::from(it.clone())).collect::<Vec<_>>()
        };
        let answers = verdict.lookups.iter().map(|(name, selector)| (name.clone(), answer(selector))).collect();
        let mut verdict = Verdict::default();
        judge(object, old, &options, &answers, &mut verdict);
        assert_eq!(verdict.unjudged, Vec::<String>::new());
        verdict.denials.into_iter().chain(verdict.warnings).map(|it| it.message).collect()
    }

    /// Without answers nothing is said about others.
    fn no_more_than_said(verdict: &Verdict) -> (usize, usize) {
        (0, verdict.warnings.iter().filter(|it| it.message.contains("as it is")).count())
    }

    fn toolbox_finds(selector: &Selector, object: &Value) -> bool {
        use contract::types::{KindRef, MatchBy};
        let matches = match &selector.match_by {
            MatchBy::Name(name) => object["metadata"]["name"] == **name,
            MatchBy::Labels(_) => true,
            MatchBy::Values(by) => toolbox::index::has_one_of(&NAMESPACE, object, &by.values),
        };
        let within = selector.namespace.as_ref().is_none_or(|it| object["metadata"]["namespace"] == **it);
        matches && within && selector.kind == KindRef::of(object)
    }

    fn gateway(namespace: &str, name: &str) -> Value {
        json!({
            "apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway",
            "metadata": {"namespace": namespace, "name": name},
        })
    }

    #[test]
    fn shared_objects() {
        #[track_caller]
        fn check(new: (&str, &str), existing: &[(&str, &str)], want: &[&str]) {
            let existing: Vec<_> =
                existing.iter().map(|(namespace, name)| service(namespace, name, json!({}))).collect();
            let options = json!({"defaultGateway": {"name": ""}});
            let new = service(new.0, new.1, json!({}));
            let found = judged(&new, None, &options, &existing);
            assert_eq!(found.len(), want.len(), "{found:?}");
            for (found, want) in found.iter().zip(want) {
                assert!(found.starts_with(want), "{found}");
            }
            // What exists stays as it is.
            assert_eq!(judged(&new, Some(&new), &options, &existing), Vec::<String>::new());
        }
        check(("a", "b"), &[], &[]);
        check(("a", "b"), &[("a", "b"), ("a", "c"), ("c", "b")], &[]);
        check(("a", "b-c"), &[("a", "b.c")], &["ModelService `b.c` has an endpoint picker `b-c-epp`"]);
        check(("a", "m-1"), &[("a", "1")], &["ModelService `1` has an endpoint picker `m-1-epp`"]);
        check(("a-b", "c"), &[("a", "b-c")], &["ModelService `a/b-c` has a cluster-scoped grant `a-b-c-epp`"]);
        check(("a", "b.c"), &[("a-b", "c")], &["ModelService `a-b/c` has a cluster-scoped grant `a-b-c-epp`"]);
        check(("a", "b-c"), &[("a-b-c", "d"), ("b", "c")], &[]);
        // The name comes later.
        check(("a", ""), &[("a", "b")], &[]);
    }

    #[test]
    fn gateways() {
        #[track_caller]
        fn check(spec: Value, existing: &[Value], want: &[&str]) {
            let found = judged(&service("ml", "chat", spec), None, &json!({}), existing);
            assert_eq!(found.len(), want.len(), "{found:?}");
            for (found, want) in found.iter().zip(want) {
                assert!(found.contains(want), "{found}");
            }
        }
        let default = || gateway("llm-d", "otterscale-llm-d-infra-inference-gateway");
        let route = |spec: Value| json!({"httpRoute": spec});
        let own = || route(json!({"gatewayRef": {"name": "gw"}}));
        check(json!({}), &[default()], &[]);
        check(json!({}), &[], &["which the options name"]);
        check(own(), &[gateway("ml", "gw")], &[]);
        check(own(), &[gateway("other", "gw")], &["no Gateway `ml/gw`, and"]);
        let elsewhere =
            |hosts: Value| route(json!({"gatewayRef": {"name": "gw", "namespace": "ml"}, "hostnames": hosts}));
        let both = |theirs: Value| [gateway("ml", "gw"), service("other", "chat", theirs)];
        let same = &["ModelService `other/chat` match too"];
        check(json!({}), &[default(), service("other", "chat", json!({}))], same);
        check(json!({}), &[default(), service("other", "talk", json!({}))], &[]);
        check(own(), &both(json!({})), &[]);
        check(own(), &both(elsewhere(json!([]))), same);
        let hosts = |ours: Value, theirs: Value, want: &[&str]| check(elsewhere(ours), &both(elsewhere(theirs)), want);
        hosts(json!(["a.org"]), json!(["b.org"]), &[]);
        hosts(json!(["a.org", "c.org"]), json!(["b.org", "c.org"]), same);
        hosts(json!(["a.b.org"]), json!(["*.b.org"]), same);
        hosts(json!(["b.org"]), json!(["*.b.org"]), &[]);
    }

    #[test]
    fn grants() {
        #[track_caller]
        fn check(spec: Value, options: Value, existing: &[Value], want: &[&str]) {
            let mut options = options;
            options["defaultGateway"] = json!({"name": ""});
            let found = judged(&service("ml", "chat", spec), None, &options, existing);
            assert_eq!(found.len(), want.len(), "{found:?}");
            for (found, want) in found.iter().zip(want) {
                assert!(found.contains(want), "{found}");
            }
        }
        let pool = || json!({"inferencePool": {"endpointPicker": {}}});
        let config = |kind: &str, namespace: Value| json!({"apiVersion": resources::OBJECT.0, "kind": kind, "metadata": {"namespace": namespace, "name": "own"}});
        let named = |kind: &str| json!({"providerConfigRef": {"kind": kind, "name": "own"}});
        check(pool(), json!({}), &[], &[]);
        check(pool(), json!({"clusterRBAC": "direct"}), &[], &["as it is"]);
        check(json!({}), json!({"clusterRBAC": "direct"}), &[], &[]);
        check(json!({}), json!({"clusterRBAC": "direct", "alwaysMetricsAuth": true}), &[], &["as it is"]);
        check(pool(), named("ClusterProviderConfig"), &[], &["no ClusterProviderConfig `own`"]);
        check(pool(), named("ClusterProviderConfig"), &[config("ClusterProviderConfig", json!(null))], &[]);
        check(pool(), named("ProviderConfig"), &[config("ProviderConfig", json!("ml"))], &[]);
        check(pool(), named("ProviderConfig"), &[config("ProviderConfig", json!("llm"))], &["no ProviderConfig `own`"]);
    }
}
