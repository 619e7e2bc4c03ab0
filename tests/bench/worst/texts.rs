//! Texts that a YAML parser takes long to read, or that become much more than they are.

use super::bytes::{filled, repeated};
use super::input::{Door, Input};

const CHECK: Door = Door::Command(&["check", "FILE", "--output", "json"]);

pub(super) fn inputs() -> Vec<Input> {
    let check = |what, make| Input { what, make, door: CHECK };
    vec![
        check("a list of ones", |size| repeated(size, "a: [", "1,", "1]")),
        check("a list of mappings of one key", |size| repeated(size, "a: [", "{a: 1},", "1]")),
        check("lists in anchors in anchors", nested_anchors),
        check("aliases of a short list", |size| repeated(size, "a: &a [1,1,1]\nb: [", "*a,", "1]")),
        check("aliases of a long text", |size| repeated(size, &format!("a: &a {}\nb: [", "x".repeat(63)), "*a,", "1]")),
        check("aliases of a mapping", |size| repeated(size, "a: &a {a: 1, b: 1}\nb: [", "*a,", "1]")),
        check("mappings that merge a mapping", |size| repeated(size, "a: &a {a: 1, b: 1}\nb: [", "{<<: *a},", "1]")),
        check("one key that merges many", |size| repeated(size, "a: &a {a: 1, b: 1}\nb:\n  <<: [", "*a,", "*a]")),
        check("anchors without number", |size| filled(size, "a: [", |at| format!("&a{at} 1,"), "1]")),
        check("many keys", |size| filled(size, "", |at| format!("a{at}:\n"), "")),
        check("one key again and again", |size| repeated(size, "", "a:\n", "")),
        check("documents of a byte", |size| repeated(size, "", "a\n---\n", "")),
        check("documents of 1,000 unknown fields", |size| {
            let fields: String = (0..1_001).map(|at| format!("  a{at}:\n")).collect();
            let head = "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nspec:\n";
            repeated(size, "", &format!("{head}{fields}---\n"), "")
        }),
        check("brackets that nobody closes", |size| repeated(size, "a: ", "[", "")),
        check("a line without end, and a mistake", |size| repeated(size, "a: [", "b c ", "\n\tc: [")),
        check("quotes that nobody closes", |size| repeated(size, "a: ", "\"\n  '", "")),
        check("a long text on many lines", |size| repeated(size, "a: b", "\n  b", "\n")),
        check("empty lines in a text", |size| repeated(size, "a: b", "\n", "\n  b\n")),
        check("empty lines in quotes", |size| repeated(size, "a: \"b", "\n", "b\"\n")),
        check("a text of escapes", |size| repeated(size, "a: \"", "\\x01", "\"\n")),
        check("a text of empty lines", |size| repeated(size, "a: |+\n", "\n", "")),
        check("comments", |size| repeated(size, "a: 1\n", "#\n", "")),
        check("digits", |size| repeated(size, "a: 1", "0", "\n")),
        check("complex keys", |size| repeated(size, "", "? a\n", "")),
        check("tags", |size| repeated(size, "a: [", "!!str 1,", "1]")),
        check("direction marks", |size| repeated(size, "a: \"", "\u{202e}", "\"\n")),
        check("a kind of control characters", |size| {
            repeated(size, "apiVersion: v1\nkind: \"", "\\e", "\"\nmetadata: {name: a}\n")
        }),
        Input {
            what: "options with anchors in anchors",
            make: nested_anchors,
            door: Door::Command(&["check", "examples", "--input", "FILE"]),
        },
        Input {
            what: "documents of 1,000 unknown fields, as text",
            make: |size| {
                let fields: String = (0..1_001).map(|at| format!("  a{at}:\n")).collect();
                let head = "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nspec:\n";
                repeated(size, "", &format!("{head}{fields}---\n"), "")
            },
            door: Door::Command(&["check", "FILE"]),
        },
    ]
}

/// A list with an anchor at each level.
fn nested_anchors(size: usize) -> Vec<u8> {
    const LEVELS: usize = 95;
    let open: String = (0..LEVELS).map(|level| format!("&a{level} [")).collect();
    repeated(size, &format!("a: {open}"), "1,", &format!("1{}", "]".repeat(LEVELS)))
}
