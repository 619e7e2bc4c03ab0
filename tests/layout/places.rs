//! ARCHITECTURE.md says where each test goes: it names every suite once, and every folder of `tests`.

use std::fs;

use native::files::workspace;

use crate::edges;

const HEADING: &str = "## Where a test goes\n";

#[test]
fn architecture_names_suites_and_folders_of_tests() {
    let text = fs::read_to_string(workspace().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let section = text.split_once(HEADING).expect("a section about tests").1;
    let section = section.split("\n## ").next().unwrap_or_default();
    for suite in suites() {
        assert_eq!(section.matches(&format!("`{suite}`")).count(), 1, "how often it names suite `{suite}`");
    }
    for folder in folders() {
        assert!(section.contains(&format!("`tests/{folder}/")), "it does not name folder tests/{folder}");
    }
}

/// The suites of the packages `tests` and `native`.
fn suites() -> Vec<String> {
    let packages = edges::packages();
    let packages = packages.iter().filter(|package| ["native", "tests"].contains(&package.name.as_str()));
    let targets = packages.flat_map(|package| &package.targets).filter(|target| target.is_test());
    targets.map(|target| target.name.clone()).collect()
}

fn folders() -> Vec<String> {
    let entries = fs::read_dir(workspace().join("tests")).expect("a folder").map(|entry| entry.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|folder| folder.file_name().display().to_string()).collect()
}
