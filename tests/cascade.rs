//! `render` and `explain` with kinds that compose each other, in one module and in several.

use std::path::Path;

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

/// One module with both kinds, or two modules with one kind each. Most of a test's time is compiling them.
fn one() -> Vec<&'static Path> {
    vec![parents_and_children()]
}

fn two() -> Vec<&'static Path> {
    vec![parents(), children()]
}

fn run(command: &str, text: &str, modules: &[&Path], flags: &[&str]) -> Done {
    let modules = modules.iter().flat_map(|module| ["--module", module.to_str().expect("it is UTF-8")]);
    let arguments: Vec<_> = [command, "-"].into_iter().chain(flags.iter().copied()).chain(modules).collect();
    run_on(text.as_bytes(), &arguments)
}

/// Several modules together compose what one module with all kinds composes. Their order does not matter.
#[test]
fn a_cascade_is_composed_by_the_modules_that_have_its_kinds() {
    let flags = ["--cascade", "--output", "json", "-x", "-r", "-c"];
    let render = |modules: &[&Path]| {
        let done = run("render", FAMILY, modules, &flags);
        assert!(done.ok && done.err.is_empty(), "{modules:?}\n{}", done.err);
        done.out
    };
    let alone = render(&one());
    assert_eq!(render(&two()), alone);
    // If several modules have a kind, the last one composes it.
    assert_eq!(render(&[children(), parents_and_children(), parents()]), alone);
    lookups_find_the_status_of_others(&alone);
}

fn lookups_find_the_status_of_others(printed: &str) {
    let documents: Value = serde_json::from_str(printed).expect("it is JSON");
    let sees = |kind: &str| {
        let documents = documents.as_array().into_iter().flatten();
        let composite = documents.filter(|it| it["kind"] == kind).find(|it| it["status"].is_object());
        composite.map(|composite| composite["status"]["sees"].clone()).unwrap_or_default()
    };
    assert_eq!(sees("Child"), serde_json::json!(["a", "b", "first", "lowest"]));
    assert_eq!(sees("Parent"), serde_json::json!(["a", "b", "lowest"].map(|name| format!("{name}: a b first lowest"))));
}

/// The kind of a step input decides which module runs the step, also in the pipeline of a composite of another module.
#[test]
fn a_step_is_run_by_the_module_that_takes_its_input() {
    let run = |command: &str, modules: &[&Path]| {
        let done = run(command, STAMPED, modules, &["--cascade", "--output", "json"]);
        assert!(done.ok && done.err.is_empty(), "{modules:?}\n{}", done.err);
        done.out
    };
    let rendered = run("render", &two());
    assert_eq!(rendered, run("render", &one()));
    // The step gets what the step before it desires, and its lookups are answered.
    let explained = run("explain", &two());
    for (text, part) in [
        (&rendered, "\"name\": \"stamp-b\""),
        (&rendered, "\"desired\": \"map\""),
        (&rendered, "\"sees\": \"a b\""),
        (&explained, "what earlier steps desire"),
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn a_cascade_is_a_tree() {
    assert_eq!(run("render", FAMILY, &two(), &["--cascade", "--output", "tree"]).out, TREE);
}

#[test]
fn explain_has_every_composite_of_a_cascade() {
    let done = run("explain", FAMILY, &two(), &["--cascade", "--output", "json"]);
    let composites: Value = serde_json::from_str(&done.out).expect("it is JSON");
    let names = composites.as_array().into_iter().flatten().map(|it| it["composite"]["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["first", "top", "a", "middle", "lowest", "b"]);
}

/// One level is what a composite composes itself. Lookups do not find what others compose.
#[test]
fn without_cascade_there_is_one_level() {
    let done = run("render", &FAMILY.replace("needs: lowest", ""), &two(), &["--output", "tree"]);
    assert!(done.ok, "{}", done.err);
    let tree = "Child team-a/first (ready)\n└─ map: ConfigMap team-a/first\nParent team-a/top (ready)\n\
                ├─ children-a: Child team-a/a\n└─ children-b: Child team-a/b\n";
    assert_eq!(done.out, tree);
}

/// A mistake is reported once, whichever module finds it.
#[test]
fn mistakes_are_reported_once() {
    let check = |text: String, modules: &[&Path], part: &str| {
        let done = run("render", &text, modules, &["--cascade"]);
        let errors = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(errors.matches(part).count(), 1, "{modules:?}\nnot once `{part}` in\n{}", done.err);
    };
    let shy = FAMILY.replace("needs: lowest", "shy: true").split("---").take(1).collect::<String>();
    check(shy.clone(), &one(), "still changes after 16 rounds");
    check(shy, &two(), "still changes after 16 rounds");
    check(
        FAMILY.replace("lowest: {}", "lowest: {shi: true}"),
        &two(),
        "composed Child `lowest`: unknown field \"spec.shi\"",
    );
    check(FAMILY.replace("needs: lowest", "needs: nothing"), &two(), "there is no ConfigMap `nothing`");
    check(FAMILY.replace("kind: Parent", "kind: Parents"), &two(), "no kind `cascade.example.org/v1` Parents");
    check(FAMILY.replace("kind: Parent", "kind: ["), &one(), "not well-formed YAML");
    let [child, _, composition] = STAMPED.split("---").collect::<Vec<_>>()[..] else { panic!("three documents") };
    let refused = format!("{child}---{composition}").replace("kind: Stamp", "kind: Stamp, refuse: true");
    check(refused, &two(), "the stamp is refused");
    // Both kinds compose a ConfigMap.
    let contested = FAMILY.replace("needs: lowest", "").replace("spec: {children", "spec: {map: first, children");
    check(contested, &two(), "several composites compose ConfigMap `first`");
}

#[test]
fn a_time_is_rfc_3339() {
    let render = |flags: &[&str]| run("render", FAMILY, &[parents_and_children()], &[&["--cascade"], flags].concat());
    assert!(!render(&[]).out.contains("the time"));
    for time in ["2026-01-31T12:00:00Z", "2026-01-31T14:00:00+02:00"] {
        assert!(render(&["--now", time]).out.contains("- the time 1769860800"), "{time}");
    }
    let done = render(&["--now", "today"]);
    let error =
        "invalid value 'today' for '--now <TIME>': `today` is no time since 1970; write e.g. `2026-01-31T12:00:00Z`";
    assert!(!done.ok && done.out.is_empty() && done.err.contains(error), "{}", done.err);
}
