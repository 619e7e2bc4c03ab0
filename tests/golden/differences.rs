//! The rows of the tables in `docs/differences.md`: each is shown by golden cases, or by a test of what no answer shows.
//!
//! An API's folder of cases has `differences.yaml`, when its section of the page is held here:
//!
//! | field | content |
//! |---|---|
//! | `section` | the heading of the section |
//! | `rows` | an item for each row of the section's tables, in their order |
//! | `rows[].row` | the first cell |
//! | `rows[].cases` | cases of the folder, each with a part of its answer that shows the difference |
//! | `rows[].tests` | files with the name of a test in them |

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use native::files::workspace;
use serde_json::{Map, Value};

/// APIs whose folders say how their differences are shown.
const APIS: &[&str] = &["gpu-cluster", "inference-model", "llm-inference", "modelplane", "otterscale"];

#[test]
fn every_row_is_shown() {
    let root = workspace();
    let page = fs::read_to_string(root.join("docs/differences.md")).expect("the page");
    let sections = sections(&page);
    let mut wrong = Vec::new();
    for api in APIS {
        let file = root.join("tests/golden").join(api).join("differences.yaml");
        let shown = read(&file);
        let section = shown["section"].as_str().expect("a section");
        let rows = shown["rows"].as_array().expect("rows");
        let listed: Vec<&str> = rows.iter().map(|row| row["row"].as_str().expect("the first cell")).collect();
        assert_eq!(sections.get(section), Some(&listed), "{} does not list the rows of {section:?}", file.display());
        for row in rows {
            let of_row = faults(&root, api, row);
            wrong.extend(of_row.into_iter().map(|what| format!("{section}: {}: {what}", row["row"])));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first cells of all rows of all tables, by the heading of their section.
fn sections(page: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut sections: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let (mut section, mut in_table) = ("", false);
    for line in page.lines() {
        section = line.strip_prefix("## ").unwrap_or(section);
        match line.strip_prefix("| ").and_then(|row| row.split_once(" |")) {
            Some((first, _)) if in_table => sections.entry(section).or_default().push(first),
            _ => in_table = line.starts_with("|---"),
        }
    }
    sections
}

/// What is wrong with the cases and tests of a row.
fn faults(root: &Path, api: &str, row: &Value) -> Vec<String> {
    let none = Map::new();
    let listed = |field: &str| row[field].as_object().unwrap_or(&none).iter();
    let missing = listed("cases").len() + listed("tests").len() == 0;
    let cases = listed("cases").filter_map(|(case, part)| {
        let folder = root.join("tests/golden").join(api).join(case);
        let answer = ["response.yaml", "fault.txt"].iter().find_map(|file| fs::read_to_string(folder.join(file)).ok());
        let Some(answer) = answer else { return Some(format!("there is no case `{case}`")) };
        // Long texts are wrapped.
        let in_words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = part.as_str().filter(|part| !part.is_empty()).expect("a part of the answer");
        (!in_words(&answer).contains(part)).then(|| format!("the answer to `{case}` does not have `{part}`"))
    });
    let tests = listed("tests").filter_map(|(file, test)| {
        let test = test.as_str().expect("the name of a test");
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        let there = text.split("#[test]\n").skip(1).any(|item| item.trim_start().starts_with(&format!("fn {test}(")));
        (!there).then(|| format!("{file} has no test `{test}`"))
    });
    missing.then(|| "nothing shows it".to_owned()).into_iter().chain(cases).chain(tests).collect()
}

fn read(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut documents = native::golden::documents(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    documents.pop().unwrap_or_default()
}

#[test]
fn rows_and_what_shows_them() {
    let page = "| a | b |\n|---|---|\n## One\n\n| Topic | Here |\n|---|---|\n| x | 1 |\n| `y: z` | 2 |\n\n| Topic | Here |\n|---|---|\n| x | 3 |\n\n## Two\n\nNo table.\n";
    assert_eq!(sections(page), BTreeMap::from([("One", vec!["x", "`y: z`", "x"])]));
    let check = |row: Value, want: &[&str]| assert_eq!(faults(&workspace(), "modelplane", &row), want);
    let this = "tests/golden/differences.rs";
    check(serde_json::json!({}), &["nothing shows it"]);
    check(serde_json::json!({"cases": {"cache-new": "pvc-a:"}, "tests": {this: "every_row_is_shown"}}), &[]);
    check(
        serde_json::json!({"cases": {"cache-new": "pvc-z:", "cache-z": "a"}, "tests": {this: "faults"}}),
        &[
            "the answer to `cache-new` does not have `pvc-z:`",
            "there is no case `cache-z`",
            "tests/golden/differences.rs has no test `faults`",
        ],
    );
}
