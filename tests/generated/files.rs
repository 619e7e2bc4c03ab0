//! Compares generated files with those in the checkout.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tests::files::workspace;

/// A generated file.
pub(crate) struct File {
    /// Its path from the root of the checkout.
    pub(crate) path: String,
    /// All of its text.
    pub(crate) text: String,
}

impl File {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// A YAML file of `objects`, with a comment at its top.
    ///
    /// Keys are sorted, which puts `apiVersion`, `kind`, `metadata` and `spec` in the order that people expect.
    pub(crate) fn yaml(path: impl Into<String>, comment: &str, objects: &[Value]) -> Self {
        let comment: String = comment.lines().map(|line| format!("# {line}\n")).collect();
        let documents: Vec<_> = objects.iter().map(yaml::to_string).collect();
        Self::new(path, format!("{GENERATED}{comment}{}", documents.join("---\n")))
    }
}

const GENERATED: &str = "# Generated from the Rust types and tables: run `make generate`.\n";

/// Compares `files` with the checkout. `folder` must contain no other files. With `BLESS` in the environment the files are
/// written instead.
pub(crate) fn check(folder: &str, files: &[File]) {
    let wanted: BTreeMap<PathBuf, &str> = files.iter().map(|f| (workspace().join(&f.path), f.text.as_str())).collect();
    let mut present = Vec::new();
    walk(&workspace().join(folder), &mut present);
    let left_over = present.into_iter().filter(|path| !wanted.contains_key(path));
    if std::env::var_os("BLESS").is_some() {
        left_over.for_each(|path| fs::remove_file(path).expect("it can be removed"));
        for (path, text) in &wanted {
            fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be created");
            fs::write(path, text).expect("it can be written");
        }
        return;
    }
    let stale = wanted.iter().filter(|(path, text)| fs::read_to_string(path).ok().as_deref() != Some(text));
    let stale: Vec<_> = stale.map(|(path, _)| path.clone()).chain(left_over).collect();
    assert!(stale.is_empty(), "stale: {}; run `make generate`", shown(&stale));
}

/// Every file below `folder`.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn shown(paths: &[PathBuf]) -> String {
    let relative = paths.iter().map(|path| path.strip_prefix(workspace()).unwrap_or(path).display().to_string());
    relative.collect::<Vec<_>>().join(", ")
}
