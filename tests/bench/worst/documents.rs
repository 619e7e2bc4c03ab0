//! Documents that are well-formed, and take long to judge or to compose.

use super::bytes::{filled, repeated};
use super::input::{Door, Input};

const HEAD: &str = "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\n";
const SPEC: &str = "spec: {model: Qwen/Qwen2.5-1.5B-Instruct, gpu: 1, providerConfigName: c}\n";
const CHECK: Door = Door::Command(&["check", "FILE", "--output", "json"]);
const AS_TEXT: Door = Door::Command(&["check", "FILE"]);
const RENDER: Door = Door::Command(&["render", "FILE", "-n", "a"]);
const WHOLE: Door = Door::Command(&["render", "FILE", "-n", "a", "-x"]);

pub(super) fn inputs() -> Vec<Input> {
    let input = |what, door, make| Input { what, make, door };
    vec![
        input("owners that all control", CHECK, |size| {
            let head = format!("{HEAD}{SPEC}metadata:\n  name: a\n  ownerReferences:\n");
            repeated(size, &head, "  - controller: true\n", "")
        }),
        input("unknown fields", CHECK, |size| filled(size, &format!("{HEAD}spec:\n"), |at| format!("  a{at}:\n"), "")),
        input("unknown fields, as text", AS_TEXT, |size| {
            filled(size, &format!("{HEAD}spec:\n"), |at| format!("  a{at}:\n"), "")
        }),
        input("unknown fields of metadata", CHECK, |size| {
            filled(size, &format!("{HEAD}{SPEC}metadata:\n  name: a\n"), |at| format!("  a{at}:\n"), "")
        }),
        input("labels that are wrong", CHECK, |size| metadata(size, "labels", |at| format!("    -{at}: -\n"))),
        input("annotations that are wrong", CHECK, |size| {
            metadata(size, "annotations", |at| format!("    -{at}: \"\"\n"))
        }),
        input("finalizers that are wrong", CHECK, |size| metadata(size, "finalizers", |at| format!("  - -{at}\n"))),
        input("finalizers that are doubtful", CHECK, |size| metadata(size, "finalizers", |at| format!("  - a{at}\n"))),
        input("a list of numbers for objects", CHECK, |size| {
            repeated(size, "apiVersion: v1\nkind: List\nitems: [", "1,", "1]\n")
        }),
        input("a list of numbers for objects, as text", AS_TEXT, |size| {
            repeated(size, "apiVersion: v1\nkind: List\nitems: [", "1,", "1]\n")
        }),
        input("a list of one unknown object", CHECK, |size| {
            let near = format!("{}.devopstoolkit.ai/v1", "inference".repeat(11));
            let head = format!("a: &a {{apiVersion: {near}, kind: {}}}\n", "LLMInference".repeat(10));
            repeated(size, &format!("{head}apiVersion: v1\nkind: List\nitems: ["), "*a,", "*a]\n")
        }),
        input("a list of one composite", CHECK, |size| {
            repeated(size, &format!("a: &a {{{COMPOSITE}, metadata: {{name: a}}}}\n{LIST}"), "*a,", "*a]\n")
        }),
        input("a list of composites with one host", CHECK, |size| {
            filled(
                size,
                &format!("a: &a {{{COMPOSITE}}}\n{LIST}"),
                |at| format!("{{<<: *a, metadata: {{name: a{at}}}}},"),
                "*a]\n",
            )
        }),
        input("composites with one host", CHECK, |size| {
            filled(size, "", |at| format!("{{{COMPOSITE}, metadata: {{name: a{at}, namespace: a}}}}\n---\n"), "")
        }),
        input("a list beside many keys", CHECK, |size| {
            let keys = filled(size / 2, "", |at| format!("a{at}:\n"), LIST);
            let keys = String::from_utf8(keys).expect("it is text");
            repeated(size, &keys, "{apiVersion: a,kind: b},", "{apiVersion: a,kind: b}]\n")
        }),
        input("objects of many kinds", CHECK, |size| {
            filled(size, LIST, |at| format!("{{apiVersion: a/b,kind: K{at}}},"), "{apiVersion: a,kind: b}]\n")
        }),
        input("the same object", CHECK, |size| {
            repeated(size, LIST, "{apiVersion: v1,kind: A,metadata: {name: a}},", "{apiVersion: a,kind: b}]\n")
        }),
        input("composites that are rendered", RENDER, composites),
        input("composites that are explained", Door::Command(&["explain", "FILE", "-n", "a"]), composites),
        input("composites as a tree", Door::Command(&["render", "FILE", "-n", "a", "--output", "tree"]), composites),
        input("composites as JSON", Door::Command(&["render", "FILE", "-n", "a", "--output", "json"]), composites),
        input(
            "composites as manifests",
            Door::Command(&["render", "FILE", "-n", "a", "--output", "manifests"]),
            composites,
        ),
        input("composites in a cascade", Door::Command(&["render", "FILE", "-n", "a", "--cascade"]), composites),
        input("a composite among other objects", RENDER, |size| {
            let head = format!("{HEAD}{SPEC}metadata: {{name: a}}\n---\n");
            filled(size, &head, |at| format!("{{apiVersion: v1, kind: A, metadata: {{name: a{at}}}}}\n---\n"), "")
        }),
        input("annotations whose order is another in YAML", WHOLE, |size| {
            let half = size / 2;
            let letters = filled(
                half,
                &format!("{HEAD}{SPEC}metadata:\n  name: a\n  annotations:\n"),
                |at| format!("    aA{at}: \"\"\n"),
                "",
            );
            let letters = String::from_utf8(letters).expect("it is text");
            filled(size, &letters, |at| format!("    a_{at}: \"\"\n"), "")
        }),
        input("annotations whose order is by number", WHOLE, |size| {
            filled(
                size.min(250_000),
                &format!("{HEAD}{SPEC}metadata:\n  name: a\n  annotations:\n"),
                |at| format!("    a{at}: \"\"\n"),
                "",
            )
        }),
        input("managed fields deep down", WHOLE, |size| {
            let open = "{a: ".repeat(DEEP);
            let head = format!("{HEAD}{SPEC}metadata:\n  name: a\n  managedFields:\n  - fieldsV1: {open}");
            repeated(size, &format!("{head}["), "1,", &format!("1]{}\n", "}".repeat(DEEP)))
        }),
        input(
            "composites that are observed too",
            Door::Command(&["render", "FILE", "-n", "a", "--observed-resources", "FILE"]),
            composites,
        ),
        input("composites with one host, ten of which are large", CHECK, |size| {
            let large = |at| {
                format!(
                    "{{{COMPOSITE}, metadata: {{name: b{at}, annotations: {{a: {}}}}}}}\n---\n",
                    "x".repeat(size / 20)
                )
            };
            let large: String = (0..10).map(large).collect();
            filled(size, &large, |at| format!("{{{COMPOSITE}, metadata: {{name: a{at}}}}}\n---\n"), "")
        }),
        input("a Composition of many steps", Door::Command(&["render", "FILE", "-n", "a"]), |size| {
            let head = format!("{HEAD}{SPEC}metadata: {{name: a}}\n---\n{COMPOSITION}");
            filled(size, &head, |at| format!("  - {{step: s{at}, {STEP}}}\n"), "")
        }),
        input("many Compositions", Door::Command(&["render", "FILE", "-n", "a"]), |size| {
            let head = format!("{HEAD}{SPEC}metadata: {{name: a}}\n");
            filled(
                size,
                &head,
                |at| format!("---\n{COMPOSITION}  - {{step: s, {STEP}}}\nmetadata: {{name: c{at}}}\n"),
                "",
            )
        }),
        input("a Composition of many steps, checked", CHECK, |size| {
            filled(size, COMPOSITION, |at| format!("  - {{step: s{at}, {STEP}}}\n"), "")
        }),
    ]
}

/// With the levels around them, as deep as a reader takes so many values.
const DEEP: usize = 58;
const LIST: &str = "apiVersion: v1\nkind: List\nitems: [";
const COMPOSITE: &str = "apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference, \
                         spec: {model: a/b, gpu: 1, providerConfigName: c, ingressHost: a.b}";
const COMPOSITION: &str = "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nspec:\n  mode: Pipeline\n  \
                           compositeTypeRef: {apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference}\n  \
                           pipeline:\n";
const STEP: &str = "functionRef: {name: sailplane-function-sailplane}, \
                    input: {apiVersion: sailplane.fn.crossplane.io/v1alpha1, kind: Options}";

fn composites(size: usize) -> Vec<u8> {
    filled(
        size,
        "",
        |at| format!("{{{}, metadata: {{name: a{at}}}}}\n---\n", COMPOSITE.replace(", ingressHost: a.b", "")),
        "",
    )
}

/// A composite with metadata of many entries.
fn metadata(size: usize, field: &str, entry: impl Fn(usize) -> String) -> Vec<u8> {
    filled(size, &format!("{HEAD}{SPEC}metadata:\n  name: a\n  namespace: a\n  {field}:\n"), entry, "")
}
