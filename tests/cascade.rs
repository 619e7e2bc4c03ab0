//! Previews with kinds that compose each other, in one module and in several.

use std::path::Path;
use std::sync::LazyLock;

use host::engine::{Engine, Settings};
use host::wit::preview::{Pipeline, Request, Response, Role, Source, Step, StepInput};
use host::wit::types::KindRef;
use serde_json::Value;
use tests::artifacts::{children, parents, parents_and_children};
use tests::command::{Done, run_on};

const FAMILY: &str = "\
apiVersion: cascade.example.org/v1
kind: Child
metadata: {name: first, namespace: team-a}
spec: {needs: lowest}
---
apiVersion: cascade.example.org/v1
kind: Parent
metadata: {name: top, namespace: team-a}
spec: {children: {a: {parents: {middle: {children: {lowest: {}}}}}, b: {}}}
";

const TREE: &str = "\
Child team-a/first (ready)
└─ map: ConfigMap team-a/first
Parent team-a/top (ready)
├─ children-a: Child team-a/a
│  ├─ map: ConfigMap team-a/a
│  └─ parents-middle: Parent team-a/middle
│     └─ children-lowest: Child team-a/lowest
│        └─ map: ConfigMap team-a/lowest
└─ children-b: Child team-a/b
   └─ map: ConfigMap team-a/b
";

/// Children with a second step, whose input belongs to the module of the parents.
const STAMPED: &str = "\
apiVersion: cascade.example.org/v1
kind: Child
metadata: {name: a, namespace: team-a}
spec: {}
---
apiVersion: cascade.example.org/v1
kind: Child
metadata: {name: b, namespace: team-a}
spec: {}
---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: children}
spec:
  compositeTypeRef: {apiVersion: cascade.example.org/v1, kind: Child}
  mode: Pipeline
  pipeline:
  - step: compose
    functionRef: {name: function-sailplane}
  - step: stamp
    functionRef: {name: function-sailplane}
    input: {apiVersion: cascade.example.org/v1, kind: Stamp}
";

/// One module with both kinds. A module is compiled when it is loaded, which takes longer than all previews here.
static ONE: LazyLock<Engine> = LazyLock::new(|| load(&[parents_and_children()]));

/// Two modules with one kind each.
static TWO: LazyLock<Engine> = LazyLock::new(|| load(&[parents(), children()]));

fn load(modules: &[&Path]) -> Engine {
    Engine::load(&Settings::default(), true, modules).expect("the modules can be loaded")
}

fn preview(engine: &Engine, text: &str, cascade: bool) -> Response {
    let step = |name: &str, input| Step { name: name.to_owned(), input, credentials: Vec::new() };
    let stamp = |document| StepInput {
        name: "pipeline.yaml".to_owned(),
        text: text.to_owned(),
        document,
        path: "spec.pipeline[1].input".to_owned(),
    };
    let composition = text.split("---").position(|document| document.contains("kind: Composition"));
    let stamp = composition.map(|index| stamp(u32::try_from(index).expect("few documents")));
    let pipeline = |stamp| Pipeline {
        kind: kind("Child"),
        composition: None,
        steps: vec![step("compose", None), step("stamp", Some(stamp))],
    };
    let request = Request {
        sources: vec![Source { name: "family.yaml".to_owned(), role: Role::Subject, text: text.to_owned() }],
        namespace: None,
        pipelines: stamp.map(pipeline).into_iter().collect(),
        context: Vec::new(),
        cascade,
        settled: false,
        explain: true,
        now: None,
        foreign_kinds: Vec::new(),
        foreign_objects: Vec::new(),
        foreign_inputs: Vec::new(),
        foreign_steps: Vec::new(),
    };
    engine.preview(&[kind("Child"), kind("Parent")], &request).expect("the modules answer")
}

fn kind(name: &str) -> KindRef {
    KindRef { api_version: "cascade.example.org/v1".to_owned(), kind: name.to_owned() }
}

/// Runs a command with one module.
fn run(command: &str, flags: &[&str]) -> Done {
    let module = parents_and_children().to_str().expect("it is UTF-8");
    run_on(FAMILY.as_bytes(), &[&[command, "-", "--module", module], flags].concat())
}

/// Several modules together compose what one module with all kinds composes. Their order does not matter.
#[test]
fn a_cascade_is_composed_by_the_modules_that_have_its_kinds() {
    let alone = preview(&ONE, FAMILY, true);
    assert_eq!(alone.diagnostics, []);
    assert!(!format!("{alone:?}").contains("the time"));
    assert!(preview(&TWO, FAMILY, true) == alone);
    // If several modules have a kind, the last one composes it.
    assert!(preview(&load(&[children(), parents_and_children(), parents()]), FAMILY, true) == alone);
    lookups_find_the_status_of_others(&alone);
}

fn lookups_find_the_status_of_others(response: &Response) {
    let sees = |kind: &str| {
        let objects = response.composites.iter().map(|composite| object(&composite.object));
        let found = objects.filter(|object| object["kind"] == kind).find(|object| object["status"].is_object());
        found.map(|object| object["status"]["sees"].clone()).unwrap_or_default()
    };
    assert_eq!(sees("Child"), serde_json::json!(["a", "b", "first", "lowest"]));
    assert_eq!(sees("Parent"), serde_json::json!(["a", "b", "lowest"].map(|name| format!("{name}: a b first lowest"))));
}

fn object(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// The kind of a step input decides which module runs the step, also in the pipeline of a composite of another module.
#[test]
fn a_step_is_run_by_the_module_that_takes_its_input() {
    let response = preview(&TWO, STAMPED, true);
    assert_eq!(response.diagnostics, []);
    assert!(preview(&ONE, STAMPED, true) == response);
    let last = response.composites.last().expect("the second child");
    let stamp = last.resources.iter().find(|resource| resource.name == "stamp").expect("the step composed it");
    let stamp = object(&stamp.object);
    assert_eq!(stamp["metadata"]["name"], "stamp-b");
    // The step gets what the step before it desires, and its lookups are answered.
    assert_eq!(stamp["data"], serde_json::json!({"desired": "map", "sees": "a b"}));
    let reasons: Vec<_> = last.derivations.iter().map(|derivation| derivation.because.as_str()).collect();
    assert_eq!(reasons, ["what earlier steps desire", "what is in the cluster"]);
}

#[test]
fn a_cascade_is_a_tree() {
    assert_eq!(run("render", &["--cascade", "--output", "tree"]).out, TREE);
}

#[test]
fn explain_has_every_composite_of_a_cascade() {
    let done = run("explain", &["--cascade", "--output", "json"]);
    let composites = object(&done.out);
    let names = composites.as_array().into_iter().flatten().map(|it| it["composite"]["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["first", "top", "a", "middle", "lowest", "b"]);
}

/// One level is what a composite composes itself. Lookups do not find what others compose.
#[test]
fn without_cascade_there_is_one_level() {
    let response = preview(&TWO, &FAMILY.replace("needs: lowest", ""), false);
    assert_eq!(response.diagnostics, []);
    let composed = response.composites.iter().map(|composite| {
        assert!(composite.resources.iter().all(|resource| resource.composite.is_none()));
        composite.resources.iter().map(|resource| resource.name.as_str()).collect()
    });
    assert_eq!(composed.collect::<Vec<Vec<_>>>(), [vec!["map"], vec!["children-a", "children-b"]]);
}

/// A mistake is reported once, whichever module finds it.
#[test]
fn mistakes_are_reported_once() {
    let check = |text: &str, engine: &Engine, part: &str| {
        let diagnostics = preview(engine, text, true).diagnostics;
        let with = diagnostics.iter().filter(|diagnostic| diagnostic.problem.message.contains(part));
        assert_eq!(with.count(), 1, "not once `{part}` in {diagnostics:#?}");
    };
    let shy = FAMILY.replace("needs: lowest", "shy: true").split("---").take(1).collect::<String>();
    let [child, _, composition] = STAMPED.split("---").collect::<Vec<_>>()[..] else { panic!("three documents") };
    let refused = format!("{child}---{composition}").replace("kind: Stamp", "kind: Stamp, refuse: true");
    // Both kinds compose a ConfigMap.
    let contested = FAMILY.replace("needs: lowest", "").replace("spec: {children", "spec: {map: first, children");
    check(&shy, &ONE, "still changes after 16 rounds");
    //     text                                                   part
    for (text, part) in [
        (shy, "still changes after 16 rounds"),
        (FAMILY.replace("lowest: {}", "lowest: {shi: true}"), "composed Child `lowest`: unknown field"),
        (FAMILY.replace("needs: lowest", "needs: nothing"), "there is no ConfigMap `nothing`"),
        (FAMILY.replace("kind: Parent", "kind: Parents"), "no kind `cascade.example.org/v1` Parents"),
        (FAMILY.replace("kind: Parent", "kind: ["), "not well-formed YAML"),
        (refused, "the stamp is refused"),
        (contested, "several composites compose ConfigMap `first`"),
    ] {
        check(&text, &TWO, part);
    }
}

#[test]
fn a_time_is_rfc_3339() {
    let done = run("render", &["--cascade", "--now", "2026-01-31T14:00:00+02:00"]);
    assert!(done.out.contains("- the time 1769860800"), "{}", done.out);
    let done = run("render", &["--now", "today"]);
    let error =
        "invalid value 'today' for '--now <TIME>': `today` is no time since 1970; write e.g. `2026-01-31T12:00:00Z`";
    assert!(!done.ok && done.out.is_empty() && done.err.contains(error), "{}", done.err);
}
