//! Cases in earlier shapes. The answer to `<kind>-shape-<what>` is that to `<kind>-shape-<what>-released`, which says the same in the
//! shape of v0.3.1.

use std::collections::{BTreeMap, BTreeSet};

use contract::admit::{AdmitRequest, LookupAnswers, Operation};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::{KindRef, Problem};
use inference::KINDS;
use inference::modelplane::shapes::{self, Becomes, ROWS};
use module::compose;
use native::files::workspace;
use native::golden::{Case, cases};
use serde_json::{Value, json};

const RELEASED: &str = "-released";

/// The condition that says what is left out of an earlier shape.
const LEFT_OUT: &str = "ShapeRead";

/// Each case in an earlier shape, with the same in the shape of v0.3.1.
fn pairs() -> Vec<(Case, Case)> {
    let all = cases().expect("a readable corpus").into_iter().filter(|case| case.name.contains("-shape-"));
    let mut all: BTreeMap<String, Case> = all.map(|case| (case.name.clone(), case)).collect();
    let released: Vec<String> = all.keys().filter(|name| name.ends_with(RELEASED)).cloned().collect();
    let pairs = released.into_iter().map(|name| {
        let earlier = name.trim_end_matches(RELEASED);
        let earlier = all.remove(earlier).unwrap_or_else(|| panic!("there is no {earlier}"));
        (earlier, all.remove(&name).expect("it was there"))
    });
    let pairs: Vec<_> = pairs.collect();
    assert!(all.is_empty(), "without the same in the shape of v0.3.1: {:?}", all.keys());
    pairs
}

fn composite(case: &Case) -> &Value {
    case.request.composite().expect("a composite")
}

/// A response without what it says about fields that are left out.
fn answer(case: &Case) -> ComposeResponse {
    let mut response = compose(&case.request).unwrap_or_else(|fault| panic!("{}: {fault:?}", case.name));
    response.conditions.retain(|condition| condition.condition_type != LEFT_OUT);
    response.results.retain(|result| !result.message.contains("left out of what was written for an earlier version"));
    response
}

#[test]
fn answers_are_those_to_the_same_in_the_shape_of_the_release() {
    let pairs = pairs();
    assert!(pairs.len() > 20, "only {} pairs", pairs.len());
    for (earlier, released) in &pairs {
        assert_eq!(answer(earlier), answer(released), "{}", earlier.name);
    }
}

/// An earlier shape becomes the released one, and that stays as it is.
#[test]
fn objects_are_brought_into_the_shape_of_the_release_once() {
    for (earlier, released) in pairs() {
        let of = |case: &Case| {
            let kind = KindRef::of(composite(case)).kind;
            shapes::of(&kind, composite(case)).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", case.name))
        };
        assert_eq!(of(&released), None, "{}", released.name);
        let shaped = of(&earlier).unwrap_or_else(|| panic!("{} has the shape of the release", earlier.name));
        let kind = KindRef::of(&shaped.object).kind;
        assert_eq!(shapes::of(&kind, &shaped.object), Ok(None), "{}", earlier.name);
    }
}

/// Explanations name the fields that were written.
#[test]
fn explanations_name_what_was_written() {
    for (earlier, _) in pairs() {
        if composite(&earlier)["kind"] != "ModelDeployment" {
            continue;
        }
        let request = ComposeRequest { explain: true, ..earlier.request };
        let explained = KINDS.compose(&request).expect("it can be composed").derivations;
        let causes: BTreeSet<&str> = explained.iter().flat_map(|it| &it.causes).map(String::as_str).collect();
        assert!(causes.iter().any(|cause| cause.starts_with("spec.")), "{}: {causes:?}", earlier.name);
        let released: Vec<_> = causes.iter().filter(|cause| cause.starts_with("spec.template.spec.engines")).collect();
        assert!(released.is_empty(), "{}: {released:?}", earlier.name);
    }
}

/// Every case that is no pair has the shape of the release, or is refused.
#[test]
fn the_shape_of_the_release_stays() {
    for case in cases().expect("a readable corpus").iter().filter(|case| !case.name.contains("-shape-")) {
        let Ok(composite) = case.request.composite() else { continue };
        if let Ok(Some(shaped)) = shapes::of(&KindRef::of(composite).kind, composite) {
            let known = case.name.contains("-fault-") || case.name.contains("-earlier-");
            assert!(known, "{} becomes {}", case.name, shaped.object);
        }
    }
}

/// Every row of the table about a spec has a case.
#[test]
fn every_row_has_a_case() {
    let pairs = pairs();
    let uses = |kind: &str, field: &str| {
        pairs.iter().any(|(earlier, _)| {
            let composite = composite(earlier);
            composite["kind"] == kind && keys(&composite["spec"]).contains(field)
        })
    };
    let rows = ROWS.iter().filter(|row| !row.old.starts_with("metadata."));
    let unused: Vec<_> = rows
        .filter(|row| {
            // The field itself: `spec.prefill, with …`, `spec.inferenceClusterRef.name`, `spec.nodePools[].class`.
            let path = row.old.split(',').next().unwrap_or_default();
            let mut names = path.split('.').filter(|name| !["spec", "ROLE", "*", "name"].contains(name));
            !names.all(|name| uses(row.kind, name.trim_end_matches("[]")))
        })
        .map(|row| row.old)
        .collect();
    assert_eq!(unused, [""; 0]);
    assert!(ROWS.iter().any(|row| matches!(row.becomes, Becomes::Dropped(_))));
}

/// A replica with the label of before stays where that says, also while nobody can read the rest of it, and gets the one of today.
#[test]
fn labels_of_replicas() {
    let row = ROWS.iter().find(|row| row.old.starts_with("metadata.")).expect("a row");
    assert_eq!(row.old, "metadata.labels[modelplane.ai/environment]");
    for (name, label) in [("ref", "modelplane.ai/cluster"), ("malformed", "modelplane.ai/environment")] {
        let all = cases().expect("a readable corpus");
        let name = format!("deployment-earlier-replica-{name}");
        let case = all.iter().find(|case| case.name.ends_with(&name)).expect("a case");
        let seen = case.request.lookups["all-replicas"][0].object().expect("a replica");
        assert!(seen["metadata"]["labels"]["modelplane.ai/environment"] == "east", "{name}");
        let replica = &compose(&case.request).expect("a response").resources["replica-east-0"].object;
        assert!(replica["metadata"]["labels"][label] == "east", "{name}: {replica}");
    }
}

/// Admission names what was written, and says how to put it right.
#[test]
fn admission() {
    #[track_caller]
    fn check(kind: &str, old: Option<Value>, spec: Value, denials: &[&str], warnings: &[&str]) {
        let object = |spec: Value| {
            let metadata = json!({"name": "default", "namespace": "chat"});
            json!({"apiVersion": "modelplane.ai/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec})
        };
        let operation = match old {
            Some(old) => Operation::Update { old: object(old), new: object(spec) },
            None => Operation::Create(object(spec)),
        };
        let verdict = module::admit(&AdmitRequest { operation, input: None, lookups: LookupAnswers::new() });
        let verdict = verdict.expect("a verdict");
        let shown = |problems: &[Problem]| problems.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
        assert_eq!((shown(&verdict.denials), shown(&verdict.warnings)), (listed(denials), listed(warnings)));
    }
    let workers = || json!({"topology": {"tensor": 1}, "template": {"containers": [{"name": "engine", "image": "a"}]}});
    let (of_models, of_classes) = ("ModelDeployment", "InferenceClass");
    check(of_models, None, json!({"replicas": 1, "workers": workers()}), &[], &[]);
    check(of_models, None, json!({"replicas": 1}), &["spec.template"], &[]);
    let mixed = json!({"replicas": 1, "workers": workers(), "template": {"spec": {}}, "engines": [{}]});
    check(of_models, None, mixed.clone(), &["spec.engines", "spec.workers"], &[]);
    check(of_models, Some(mixed.clone()), mixed, &[], &[]);
    let axes = json!({"replicas": 1, "workers": {"topology": {"tensor": 1, "data": 9, "dataLocal": 2}}});
    check(of_models, None, axes, &["spec.workers.topology.dataLocal"], &[]);
    let sidecar = json!([{"name": "proxy", "image": "a"}, {"name": "engine", "image": 1, "volumes": []}]);
    let template = |containers: Value| json!({"replicas": 1, "workers": {"topology": {"tensor": 1}, "template": {"spec": {"containers": containers}}}});
    let place = "spec.workers.template.spec.containers";
    check(
        of_models,
        None,
        template(sidecar),
        &[&format!("{place}[1].volumes"), &format!("{place}[1].image")],
        &[&format!("{place}[0]")],
    );
    check(of_classes, None, json!({"devices": [], "attributes": {"a.b/c": {"bool": true}}}), &["spec.attributes"], &[]);
    let capacity = |memory: &str| json!({"capacity": {"gpu.nvidia.com/memory": {"value": memory}}});
    check(of_classes, None, capacity("80 GB"), &[], &["spec.capacity[gpu.nvidia.com/memory].value"]);
    check(of_classes, Some(capacity("80 GB")), capacity("80 GB"), &[], &[]);
    let pools = |fields: Value| json!({"cluster": {"source": "Existing", "existing": {"secretRef": {"name": "a"}}}, "nodePools": [fields]});
    let both = pools(json!({"name": "a", "class": "a", "className": "a"}));
    check("InferenceCluster", None, both, &["spec.nodePools[0].class"], &[]);
    check("InferenceCluster", None, pools(json!({"name": "a b", "class": "a"})), &["spec.nodePools[0].name"], &[]);
    let gateway = json!({"backend": "EnvoyGateway", "envoyGateway": {"version": "v1.3.0"}, "gateway": {"port": 80}});
    check("InferenceGateway", None, gateway, &[], &["spec.gateway.port", "spec.backend"]);
    check("InferenceGateway", None, json!({"type": "Envoy", "backend": "Traefik"}), &["spec.type"], &[]);
    let replica = json!({"clusterName": "a", "inferenceClusterRef": {"name": "a"}, "engines": []});
    check("ModelReplica", None, replica, &["spec.inferenceClusterRef.name"], &[]);
}

fn listed(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The page for people has the table.
#[test]
fn the_page_has_the_table() {
    const HEADING: &str = "| kind | written | becomes | with the value |\n|---|---|---|---|\n";
    let file = workspace().join("docs/earlier-shapes.md");
    let text = std::fs::read_to_string(&file).expect("the page");
    let (before, rest) = text.split_once(HEADING).expect("a table");
    let after = rest.find("\n\n").map_or("\n", |end| &rest[end + 1..]);
    let rows = ROWS.iter().map(|row| {
        let value = match row.becomes {
            Becomes::Same => "as it is",
            Becomes::Made(what) => what,
            Becomes::Dropped(why) => why,
        };
        let code = |path: &str| if path.is_empty() { "left out".to_owned() } else { format!("`{path}`") };
        let old =
            row.old.split_once(", ").map_or_else(|| code(row.old), |(path, rest)| format!("{}, {rest}", code(path)));
        format!("| {} | {old} | {} | {value} |\n", row.kind, code(row.new))
    });
    let table: String = rows.collect();
    native::files::bless(&file, &format!("{before}{HEADING}{table}{after}")).unwrap_or_else(|why| panic!("{why}"));
}

/// All keys of objects in a value.
fn keys(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(fields) => {
            let inside = fields.values().flat_map(keys);
            fields.keys().cloned().chain(inside).collect()
        }
        Value::Array(items) => items.iter().flat_map(keys).collect(),
        _ => BTreeSet::new(),
    }
}
