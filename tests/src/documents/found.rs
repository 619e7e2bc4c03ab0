//! Finds the project's documents.

use std::fs;
use std::path::Path;

use super::markdown::Document;
use crate::files::workspace;

/// Folders without documents.
const WITHOUT: &[&str] = &["target", "node_modules", ".git"];

/// Every document of the project, by path.
pub fn all() -> Vec<Document> {
    let mut found = Vec::new();
    walk(&workspace(), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The document at `path`, relative to the root of the checkout.
pub fn read(path: &str) -> Document {
    let text = fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Document::parse(path, text)
}

fn walk(folder: &Path, found: &mut Vec<Document>) {
    for entry in fs::read_dir(folder).expect("a folder of the checkout") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !WITHOUT.contains(&name) {
            walk(&path, found);
        } else if name.ends_with(".md") {
            let path = path.strip_prefix(workspace()).expect("it lies below").to_str().expect("it is UTF-8");
            found.push(read(path));
        }
    }
}
