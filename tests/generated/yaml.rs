//! Objects as YAML files.

use serde_json::Value;

/// A file of `objects`, under a comment.
///
/// Keys are sorted, which puts `apiVersion`, `kind`, `metadata` and `spec` in the order that people expect.
pub(crate) fn file(comment: &str, objects: &[Value]) -> String {
    let mut text = String::from("# Generated from the Rust types and tables: run `make generate`.\n");
    for line in comment.lines() {
        text.push_str(&format!("# {line}\n"));
    }
    let documents: Vec<_> = objects.iter().map(::yaml::to_string).collect();
    text + &documents.join("---\n")
}
