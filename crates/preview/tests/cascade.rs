//! Previews of kinds that compose each other.

#[path = "../../../tests/cascade/src/kinds.rs"]
mod kinds;

use contract::preview::{Pipeline, PreviewRequest, PreviewResponse, RenderedComposite, Role, Source, Step, StepInput};
use contract::types::{KindRef, ObservedObject};
use kinds::{CHILD, PARENT, STAMP};
use preview::preview;
use serde_json::{Value, json};
use toolbox::kind::{Kind, Kinds};

const BOTH: Kinds = Kinds { rows: &[CHILD, PARENT], inputs: &[] };
const ONLY_PARENTS: Kinds = Kinds { rows: &[PARENT], inputs: &[] };
const ONLY_CHILDREN: Kinds = Kinds { rows: &[CHILD], inputs: &[] };
const STAMPS: Kinds = Kinds { rows: &[PARENT], inputs: &[STAMP] };
const CHILDREN_AND_STAMPS: Kinds = Kinds { rows: &[CHILD], inputs: &[STAMP] };

fn parent(name: &str, spec: &str) -> String {
    object("Parent", name, spec)
}

fn child(name: &str, spec: &str) -> String {
    object("Child", name, spec)
}

fn object(kind: &str, name: &str, spec: &str) -> String {
    format!(
        "{{apiVersion: cascade.example.org/v1, kind: {kind}, metadata: {{name: {name}, namespace: team-a}}, spec: {spec}}}\n"
    )
}

fn source(role: Role, text: &str) -> Source {
    Source { name: format!("{role:?}"), role, text: text.to_owned() }
}

fn request(subjects: &[String]) -> PreviewRequest {
    PreviewRequest {
        sources: vec![source(Role::Subject, &subjects.join("---\n"))],
        cascade: true,
        explain: true,
        ..Default::default()
    }
}

fn name(object: &Value) -> String {
    format!(
        "{} {}",
        object["kind"].as_str().unwrap_or_default(),
        object["metadata"]["name"].as_str().unwrap_or_default()
    )
}

fn shown(object: &ObservedObject) -> &Value {
    object.object().unwrap_or(&Value::Null)
}

/// A composite with everything below it: what each composite sees, and in brackets what it composes.
fn tree(response: &PreviewResponse, composite: &RenderedComposite) -> String {
    let below = composite.resources.iter().map(|resource| {
        let child = resource.composite.and_then(|index| response.composites.get(index as usize));
        child.map_or_else(|| name(shown(&resource.object)), |child| tree(response, child))
    });
    let sees = shown(&composite.object)["status"]["sees"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let (sees, below): (Vec<_>, Vec<_>) = (sees.collect(), below.collect());
    format!("{} sees ({}) [{}]", name(shown(&composite.object)), sees.join(", "), below.join(", "))
}

/// The trees of the composites in the texts.
fn trees(response: &PreviewResponse) -> Vec<String> {
    let roots = response.composites.iter().filter(|composite| composite.origin.is_some());
    roots.map(|root| tree(response, root)).collect()
}

fn messages(response: &PreviewResponse) -> Vec<&str> {
    response.diagnostics.iter().map(|diagnostic| diagnostic.problem.message.as_str()).collect()
}

#[test]
fn composites_see_what_others_compose() {
    #[track_caller]
    fn check(subjects: &[String], want: &[&str]) {
        let response = preview(&request(subjects), &BOTH);
        assert_eq!(messages(&response), [""; 0]);
        assert_eq!(trees(&response), want);
        assert_eq!(preview(&request(subjects), &BOTH), response);
        // The order of the texts changes nothing but the order of the response.
        let reversed: Vec<_> = subjects.iter().rev().cloned().collect();
        let mut turned = trees(&preview(&request(&reversed), &BOTH));
        turned.reverse();
        assert_eq!(turned, want);
    }

    // A child sees what it composes itself.
    check(&[child("a", "{}")], &["Child a sees (a) [ConfigMap a]"]);
    // It sees what another one composes, before it or after it.
    check(
        &[child("a", "{}"), child("b", "{}")],
        &["Child a sees (a, b) [ConfigMap a]", "Child b sees (a, b) [ConfigMap b]"],
    );
    // A parent sees the status of what it composes, which depends on others.
    check(
        &[parent("p", "{children: {a: {}}}"), child("b", "{}")],
        &["Parent p sees (a: a b) [Child a sees (a, b) [ConfigMap a]]", "Child b sees (a, b) [ConfigMap b]"],
    );
    // What it needs may be composed later, and several levels below.
    check(
        &[child("a", "{needs: d}"), parent("p", "{children: {b: {parents: {q: {children: {d: {}}}}}}}")],
        &[
            "Child a sees (a, b, d) [ConfigMap a]",
            "Parent p sees (b: a b d, d: a b d) [Child b sees (a, b, d) [ConfigMap b, \
             Parent q sees (b: a b d, d: a b d) [Child d sees (a, b, d) [ConfigMap d]]]]",
        ],
    );
}

#[test]
fn missing_objects_stay_missing() {
    let response = preview(&request(&[child("a", "{needs: b}"), child("c", "{}")]), &BOTH);
    assert_eq!(messages(&response), ["there is no ConfigMap `b`"]);
    assert_eq!(trees(&response), ["Child c sees (c) [ConfigMap c]"]);
}

#[test]
fn without_cascade_lookups_find_only_the_texts() {
    let request = PreviewRequest { cascade: false, ..request(&[parent("p", "{children: {a: {}}}"), child("b", "{}")]) };
    assert_eq!(trees(&preview(&request, &BOTH)), ["Parent p sees () [Child a]", "Child b sees () [ConfigMap b]"]);
}

/// If two composites compose objects with the same identity, the order of the composites does not matter.
#[test]
fn an_object_has_one_controller() {
    let subjects = [parent("p", "{children: {a: {needs: a}}}"), parent("q", "{children: {a: {}}}")];
    let response = preview(&request(&subjects), &BOTH);
    let reversed: Vec<_> = subjects.iter().rev().cloned().collect();
    let mut turned = trees(&preview(&request(&reversed), &BOTH));
    turned.reverse();
    assert_eq!(trees(&response), turned);
    let messages = messages(&response);
    assert!(
        messages
            .contains(&"several composites compose Child `a`, and one alone can control it; give each its own name"),
        "{messages:?}"
    );
}

/// An object that composites of several modules compose is reported as one that composites of one module compose.
#[test]
fn an_object_of_several_modules_has_one_controller() {
    #[track_caller]
    fn check(foreign: &[(&str, &str)], contested: &[&str]) {
        let object = |&(kind, owner): &(&str, &str)| {
            let references = json!([{"apiVersion": "v1", "kind": "K", "name": "n", "uid": owner, "controller": true}]);
            let references = if owner.is_empty() { json!([]) } else { references };
            json!({
                "apiVersion": if kind == "ConfigMap" { "v1" } else { "cascade.example.org/v1" },
                "kind": kind,
                "metadata": {"name": "a", "namespace": "team-a", "ownerReferences": references},
                "spec": {},
            })
        };
        let foreign_objects = foreign.iter().map(object).collect();
        let response = preview(&PreviewRequest { foreign_objects, ..request(&[child("a", "{}")]) }, &ONLY_CHILDREN);
        let message = |kind| {
            format!("several composites compose {kind} `a`, and one alone can control it; give each its own name")
        };
        assert_eq!(messages(&response), contested.iter().map(message).collect::<Vec<_>>(), "{foreign:?}");
    }

    check(&[], &[]);
    check(&[("ConfigMap", "another")], &["ConfigMap"]);
    check(&[("ConfigMap", "")], &[]);
    check(&[("Parent", "one"), ("Parent", "one")], &[]);
    check(&[("Parent", "one"), ("Parent", "")], &[]);
    check(&[("Parent", "one"), ("Parent", "another")], &["Parent"]);
}

#[test]
fn rounds_and_levels_are_limited() {
    let response = preview(&request(&[child("a", "{shy: true}")]), &BOTH);
    assert_eq!(messages(&response), ["what composites look up of one another still changes after 16 rounds"]);
    assert_eq!(response.composites.len(), 1);
    let shy = request(&[child("a", "{shy: true}")]);
    let response = preview(&PreviewRequest { settled: true, ..shy }, &BOTH);
    let message = "what is composed still changes after all of it was taken as ready 24 times";
    assert_eq!(messages(&response), [message]);
    assert_eq!(response.composites.len(), 1);
    let deep = (0..9).fold("{}".to_owned(), |spec, level| match level % 2 {
        0 => format!("{{children: {{c{level}: {spec}}}}}"),
        _ => format!("{{parents: {{p{level}: {spec}}}}}"),
    });
    let response = preview(&request(&[parent("p", &deep)]), &BOTH);
    assert_eq!(messages(&response), ["composites compose composites more than 8 levels deep; the others are left out"]);
    assert_eq!(response.composites.len(), 9);
}

#[test]
fn the_time_comes_from_the_request() {
    let request = PreviewRequest { now: Some(7), ..request(&[child("a", "{}")]) };
    assert_eq!(trees(&preview(&request, &BOTH)), ["Child a sees (a, the time 7) [ConfigMap a]"]);
}

/// An observed object is the composed one if group, kind, namespace and name are the same, and nothing else controls it.
#[test]
fn an_observed_child_is_known_by_its_whole_identity() {
    #[track_caller]
    fn check(api_version: &str, kind: &str, name: &str, owner: &str, known: bool) {
        let observed = |api_version: &str, kind: &str, owner: &str, mark: &str| {
            format!(
                "{{apiVersion: {api_version}, kind: {kind}, metadata: {{name: {name}, namespace: team-a, \
                 annotations: {{crossplane.io/composition-resource-name: r-{mark}, mark: {mark}}}{owner}}}}}\n"
            )
        };
        let request = request(&[parent("p", "{children: {a: {}}}")]);
        // An object of another kind with the same name comes first.
        let text = [observed("a.example.org/v1", "Another", "", "wrong"), observed(api_version, kind, owner, "right")]
            .join("---\n");
        let sources = [request.sources.clone(), vec![source(Role::Observed, &text)]].concat();
        let response = preview(&PreviewRequest { sources, ..request }, &BOTH);
        let child = response.composites.iter().map(|it| shown(&it.object)).find(|object| object["kind"] == "Child");
        let mark = child.and_then(|child| child["metadata"]["annotations"]["mark"].as_str());
        assert_eq!(mark, known.then_some("right"), "{api_version} {kind} {name} {owner}");
    }

    let owned =
        |uid: &str| format!(", ownerReferences: [{{apiVersion: v1, kind: K, name: n, uid: {uid}, controller: true}}]");
    check("cascade.example.org/v1", "Child", "a", "", true);
    check("cascade.example.org/v1beta1", "Child", "a", "", true);
    check("cascade.example.org/v1", "Child", "b", "", false);
    check("cascade.example.org/v1", "Kid", "a", "", false);
    check("other.example.org/v1", "Child", "a", "", false);
    check("cascade.example.org/v1", "Child", "a", &owned("another"), false);
}

/// What the host does with two modules: one composes the children that the other one desires.
#[test]
fn modules_compose_what_others_pass_on() {
    let kind = |row: &Kind| KindRef { api_version: row.api_version.to_owned(), kind: row.kind.to_owned() };
    let texts = request(&[parent("p", "{children: {a: {}}}"), child("b", "{}")]);
    let to_parents = PreviewRequest { foreign_kinds: vec![kind(&CHILD)], ..texts.clone() };
    let to_children = PreviewRequest { foreign_kinds: vec![kind(&PARENT)], ..texts };

    let parents = preview(&to_parents, &ONLY_PARENTS);
    assert_eq!(messages(&parents), [""; 0]);
    assert_eq!(trees(&parents), ["Parent p sees (a: ) [Child a]"]);
    // A module does not compose foreign kinds, also when it has the kind itself.
    assert_eq!(preview(&to_parents, &BOTH), parents);

    let resources = parents.composites.iter().flat_map(|it| &it.resources);
    let passed: Vec<_> = resources.map(|it| shown(&it.object).clone()).collect();
    let children = preview(&PreviewRequest { foreign_objects: passed, ..to_children }, &ONLY_CHILDREN);
    assert_eq!(messages(&children), [""; 0]);
    assert_eq!(trees(&children), ["Child b sees (a, b) [ConfigMap b]"]);
    let [b, a] = &children.composites[..] else { panic!("two composites") };
    assert_eq!((b.foreign_object, a.foreign_object, a.origin), (None, Some(0), None));
    assert_eq!(tree(&children, a), "Child a sees (a, b) [ConfigMap a]");

    let passed = vec![shown(&b.object).clone(), shown(&a.object).clone()];
    let parents = preview(&PreviewRequest { foreign_objects: passed, ..to_parents }, &ONLY_PARENTS);
    assert_eq!(trees(&parents), ["Parent p sees (a: a b) [Child a]"]);
}

/// What the host does with a step of another module, by hand: the response is that of one module with both.
#[test]
fn steps_are_run_by_the_module_that_takes_their_input() {
    let check = |input: &str| {
        let text = format!("{{apiVersion: cascade.example.org/v1, kind: Stamp{input}}}");
        let stamp = StepInput { name: "input".to_owned(), text, document: 0, path: String::new() };
        let step = |name: &str, input| Step { name: name.to_owned(), input, credentials: Default::default() };
        let kind = KindRef { api_version: CHILD.api_version.to_owned(), kind: CHILD.kind.to_owned() };
        let pipelines =
            vec![Pipeline { kind, composition: None, steps: vec![step("compose", None), step("stamp", Some(stamp))] }];
        let alone = PreviewRequest { pipelines, ..request(&[child("a", "{}"), child("b", "{}")]) };

        let input = KindRef { api_version: STAMP.api_version.to_owned(), kind: STAMP.kind.to_owned() };
        let mut together = PreviewRequest { foreign_inputs: vec![input], ..alone.clone() };
        let mut calls = 0;
        let response = loop {
            calls += 1;
            // A module does not run foreign steps, also when it takes their input itself.
            let response = preview(&together, &ONLY_CHILDREN);
            assert_eq!(preview(&together, &CHILDREN_AND_STAMPS), response);
            if response.foreign_steps.is_empty() {
                break response;
            }
            for (name, step) in response.foreign_steps {
                assert_eq!(together.foreign_steps.insert(name, STAMPS.compose(&step.request)), None);
            }
        };
        assert_eq!(response, preview(&alone, &CHILDREN_AND_STAMPS));
        (calls, response)
    };

    let (calls, stamped) = check("");
    assert_eq!(messages(&stamped), [""; 0]);
    let stamps = stamped.composites.iter().map(|it| it.resources.iter().find(|resource| resource.name == "stamp"));
    let data: Vec<_> = stamps.flatten().map(|stamp| shown(&stamp.object)["data"].clone()).collect();
    assert_eq!(data, [json!({"desired": "map", "sees": "a b"}), json!({"desired": "map", "sees": "a b"})]);
    assert!(calls < 10, "{calls} calls");
    assert!(stamped.composites.iter().all(|it| it.derivations.iter().any(|row| row.resource == "stamp")));
    let (_, refused) = check(", refuse: true");
    assert!(messages(&refused).contains(&"the stamp is refused"), "{:?}", messages(&refused));
}
