//! Two kinds that compose each other and look up what others composed, and a step for composites of any kind.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::catalog::{ApiResource, Scope};
use contract::compose::Derivation;
use contract::compose::{ComposeRequest, ComposeResponse, DesiredComposite, DesiredResource};
use contract::types::{Cause, Code, Fault, KindRef, MatchBy, ObservedObject, Problem, Readiness, Selector};
use serde_json::{Value, json};
use toolbox::kind::{Input, Kind};
use toolbox::reasons::Reasons;
use toolbox::validation::Validator;

const API_VERSION: &str = "cascade.example.org/v1";

/// The label of all objects that lookups find.
const LABEL: &str = "cascade.example.org/seen";

/// Composes a [`CHILD`] for each entry of `spec.children`: its name and its `spec`. The status lists what the children
/// see. With `spec.map` it composes a ConfigMap of that name too.
pub(crate) const PARENT: Kind = Kind {
    composes: &[resource("v1", "ConfigMap", "configmaps"), resource(API_VERSION, "Child", "children")],
    looks_up: &[resource(API_VERSION, "Child", "children")],
    ..Kind::bare(API_VERSION, "Parent", "parents", || &PARENTS, compose_parent)
};

/// Composes a ConfigMap, and a [`PARENT`] for each entry of `spec.parents`: its name and its `spec`. The status lists the
/// ConfigMaps that it sees, its own included. While there is no ConfigMap with the name `spec.needs`, composing is a
/// fault. With `spec.shy` it composes its ConfigMap only while it sees none.
pub(crate) const CHILD: Kind = Kind {
    composes: &[resource("v1", "ConfigMap", "configmaps"), resource(API_VERSION, "Parent", "parents")],
    looks_up: &[resource("v1", "ConfigMap", "configmaps")],
    ..Kind::bare(API_VERSION, "Child", "children", || &CHILDREN, compose_child)
};

/// A step input. The step composes a ConfigMap for a composite of any kind. It lists the resources that earlier steps
/// desire, and the ConfigMaps that it sees. With `refuse: true` in the input, the step has a fault.
pub(crate) const STAMP: Input =
    Input { api_version: API_VERSION, kind: "Stamp", definition: || &STAMPS, step: Some(compose_stamp) };

const fn resource(api_version: &'static str, kind: &'static str, plural: &'static str) -> ApiResource {
    ApiResource { api_version, kind, plural, scope: Scope::Namespaced }
}

static PARENTS: LazyLock<Validator> =
    LazyLock::new(|| definition("Parent", "parents", json!({"children": named(), "map": {"type": "string"}})));

static STAMPS: LazyLock<Validator> = LazyLock::new(|| definition("Stamp", "stamps", json!({})));

static CHILDREN: LazyLock<Validator> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let flag = json!({"type": "boolean", "default": false});
    definition("Child", "children", json!({"parents": named(), "needs": text, "shy": flag}))
});

/// The schema of a map of specs by name.
fn named() -> Value {
    json!({"type": "object", "additionalProperties": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}})
}

fn definition(kind: &str, plural: &str, properties: Value) -> Validator {
    let spec = json!({"type": "object", "properties": properties});
    let status = json!({"type": "object", "properties": {"sees": {"type": "array", "items": {"type": "string"}}}});
    let schema = json!({"type": "object", "required": ["spec"], "properties": {"spec": spec, "status": status}});
    let (group, version) = API_VERSION.split_once('/').unwrap_or_default();
    let definition = json!({
        "apiVersion": "apiextensions.crossplane.io/v2",
        "kind": "CompositeResourceDefinition",
        "metadata": {"name": format!("{plural}.{group}")},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural},
            "scope": "Namespaced",
            "versions": [{"name": version, "served": true, "referenceable": true, "schema": {"openAPIV3Schema": schema}}],
        },
    });
    Validator::read(&definition.to_string())
}

fn compose_parent(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let composite = request.composite()?;
    let mut response = ComposeResponse::default();
    compose_all(composite, "children", "Child", &mut response);
    if let Some(name) = composite["spec"]["map"].as_str() {
        response.resources.insert("map".to_owned(), desired(config_map(name)));
    }
    let children = seen(
        request,
        "children",
        KindRef { api_version: API_VERSION.to_owned(), kind: "Child".to_owned() },
        composite,
        &mut response,
    )?;
    let sees = children.iter().map(|child| {
        let seen: Vec<_> = child["status"]["sees"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        format!("{}: {}", name(child), seen.join(" "))
    });
    response.composite = status(sees.collect());
    Ok((response, Reasons::default()))
}

fn compose_child(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let composite = request.composite()?;
    let spec = &composite["spec"];
    let mut response = ComposeResponse::default();
    compose_all(composite, "parents", "Parent", &mut response);
    let kind = KindRef { api_version: "v1".to_owned(), kind: "ConfigMap".to_owned() };
    let maps = seen(request, "maps", kind, composite, &mut response)?;
    let asked = request.lookups.contains_key("maps");
    if let Some(needed) = spec["needs"].as_str().filter(|_| asked)
        && !maps.iter().any(|map| name(map) == needed)
    {
        let message = format!("there is no ConfigMap `{needed}`");
        return Err(Fault::new(Cause::Composite, Problem::new("spec.needs", Code::NotFound, message)));
    }
    if spec["shy"] != true || maps.is_empty() {
        response.resources.insert("map".to_owned(), desired(config_map(name(composite))));
    }
    let time = request.now.map(|now| format!("the time {now}"));
    response.composite = status(maps.iter().map(|map| name(map).to_owned()).chain(time).collect());
    Ok((response, Reasons::default()))
}

fn compose_stamp(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    if request.input.as_ref().is_some_and(|input| input["refuse"] == true) {
        return Err(Fault::new(Cause::Input, Problem::new("refuse", Code::Forbidden, "the stamp is refused")));
    }
    let composite = request.composite()?;
    let mut response = ComposeResponse::default();
    let kind = KindRef { api_version: "v1".to_owned(), kind: "ConfigMap".to_owned() };
    let maps = seen(request, "stamped-maps", kind, composite, &mut response)?;
    let earlier: Vec<_> = request.desired.resources.keys().map(String::as_str).collect();
    let sees: Vec<_> = maps.into_iter().map(name).collect();
    let stamp = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": format!("stamp-{}", name(composite))},
        "data": {"desired": earlier.join(" "), "sees": sees.join(" ")},
    });
    response.resources.insert("stamp".to_owned(), desired(stamp));
    let explain = |field: &str, because: &str| Derivation {
        resource: "stamp".to_owned(),
        path: format!("data.{field}"),
        value: response.resources["stamp"].object["data"][field].clone(),
        because: because.to_owned(),
        causes: Vec::new(),
    };
    let derivations = vec![explain("desired", "what earlier steps desire"), explain("sees", "what is in the cluster")];
    Ok((response, if request.explain { Reasons::known(derivations) } else { Reasons::default() }))
}

fn config_map(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": {LABEL: "true"}}})
}

/// Composes a composite for each entry of a field.
fn compose_all(composite: &Value, field: &str, kind: &str, response: &mut ComposeResponse) {
    for (name, spec) in composite["spec"][field].as_object().into_iter().flatten() {
        let metadata = json!({"name": name, "labels": {LABEL: "true"}});
        let object = json!({"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "spec": spec});
        response.resources.insert(format!("{field}-{name}"), desired(object));
    }
}

/// Looks up the labelled objects of a kind in the namespace of the composite. There are none until the answer is there.
fn seen<'r>(
    request: &'r ComposeRequest,
    lookup: &str,
    kind: KindRef,
    composite: &Value,
    response: &mut ComposeResponse,
) -> Result<Vec<&'r Value>, Fault> {
    let match_by = MatchBy::Labels(BTreeMap::from([(LABEL.to_owned(), "true".to_owned())]));
    let namespace = composite["metadata"]["namespace"].as_str().map(str::to_owned);
    response.lookups.insert(lookup.to_owned(), Selector { kind, match_by, namespace, limit: None });
    let found = request.lookups.get(lookup).into_iter().flatten().map(ObservedObject::object);
    found.collect::<Result<_, _>>().map_err(|error| Fault::not_json(lookup, &error))
}

fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap_or_default()
}

fn desired(object: Value) -> DesiredResource {
    DesiredResource { object, readiness: Readiness::Ready }
}

fn status(sees: Vec<String>) -> DesiredComposite {
    DesiredComposite { status: Some(json!({"sees": sees})), ..DesiredComposite::default() }
}
