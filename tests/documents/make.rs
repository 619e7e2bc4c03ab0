//! The targets of make that documents name.

use std::collections::BTreeSet;
use std::fs;

use tests::documents;
use tests::files::workspace;

use crate::none_wrong;

const FILES: &[&str] = &["Makefile", "package.mk", "web.mk", "kind/kind.mk"];

/// Targets whose recipes are run here, by what cargo has built already: how the recipe ends.
const RECIPES: &[(&str, &str)] = &[("run", "sailplane render examples/llm-inference/llm-qwen.yaml")];

/// Targets that CI has no rule for, with who runs them or why nobody does.
const OUTSIDE: &[(&str, &str)] = &[
    ("bench", "it measures, which takes a quiet machine"),
    ("cluster-create", "it needs Docker"),
    ("cluster-destroy", "it needs Docker"),
    ("cluster-install", "it needs Docker"),
    ("cluster-test", "it needs Docker; the suite of the control plane runs the same suites of Chainsaw"),
    ("e2e-picker", "to compile the endpoint picker takes minutes, and it is another's"),
    ("e2e-web", "CI makes its parts, one of them beside other suites"),
    ("fuzz-corpus", "it keeps what hours of fuzzing found"),
    ("generate", "tests fail when something is stale"),
    ("help", "it prints what stands in the files"),
    ("install", "it compiles the binary, as `make package` does, and writes to the home directory"),
    ("links", "it needs the whole network"),
    ("peers", "it is made before a release"),
    ("publish", "tests/e2e/package.rs runs it"),
    ("regenerate", "scripts/regenerated makes it, before a release"),
    ("release", "it is made before a release"),
    ("shapes", "it is made before a release"),
    ("vendored", "it downloads releases, and is made when a version of them changes"),
];

/// The target that a command makes.
pub(crate) fn target(command: &str) -> Option<&str> {
    command.strip_prefix("make ")?.split_whitespace().find(|word| !word.starts_with('-') && !word.contains('='))
}

/// What to run in place of a target's recipe.
pub(crate) fn recipe(target: &str) -> Option<&'static str> {
    RECIPES.iter().find(|row| row.0 == target).map(|row| row.1)
}

/// Whether a target exists, and is run by somebody.
pub(crate) fn check(target: &str) -> Result<(), String> {
    let exists = rules().any(|(name, _)| name == target);
    if !exists {
        Err(format!("there is no target `{target}`"))
    } else if OUTSIDE.iter().any(|row| row.0 == target) || by_ci().contains(target) {
        Ok(())
    } else {
        Err(format!("CI does not make `{target}`, and no row says who does"))
    }
}

/// Those that are named within a line, too.
#[test]
fn targets_exist_and_are_made() {
    let mut wrong = Vec::new();
    for document in documents::all() {
        for (line, code) in &document.code {
            let checked = target(code).filter(|it| recipe(it).is_none()).map_or(Ok(()), check);
            wrong.extend(checked.err().map(|what| format!("{}:{line}: {what}", document.path)));
        }
    }
    none_wrong(&wrong);
}

#[test]
fn recipes_are_those_of_make() {
    for (target, recipe) in RECIPES {
        let arguments = recipe.strip_prefix("sailplane ").expect("a command of ours");
        let (_, lines) = rules().find(|(name, _)| name == target).expect("the target exists");
        assert!(lines.ends_with(&format!("--bin sailplane -- {arguments}\n")), "{target}: {lines}");
    }
    let package = fs::read_to_string(workspace().join("tests/e2e/package.rs")).expect("a suite");
    assert!(package.contains(r#".arg("publish")"#), "tests/e2e/package.rs no longer publishes");
}

/// Every target with its prerequisites and recipe.
fn rules() -> impl Iterator<Item = (String, String)> {
    let text: String =
        FILES.iter().map(|file| fs::read_to_string(workspace().join(file)).expect("a makefile")).collect();
    let mut rules: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.split_once(':') {
            Some((name, rest))
                if name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-') && !rest.starts_with('=') =>
            {
                let prerequisites = rest.split("##").next().unwrap_or_default();
                rules.push((name.to_owned(), format!("{prerequisites}\n")));
            }
            _ => {
                let recipe = line.strip_prefix('\t');
                recipe.into_iter().zip(rules.last_mut()).for_each(|(line, rule)| rule.1 += &format!("{line}\n"));
            }
        }
    }
    rules.into_iter()
}

/// What `make ci` makes.
fn by_ci() -> BTreeSet<String> {
    let rules: Vec<_> = rules().collect();
    let (mut found, mut left) = (BTreeSet::new(), vec!["ci".to_owned()]);
    while let Some(target) = left.pop() {
        for (_, rule) in rules.iter().filter(|(name, _)| *name == target) {
            let prerequisites = rule.lines().next().unwrap_or_default().split_whitespace();
            let recipe = || rule.lines().map(str::trim);
            let made = recipe().filter_map(|line| line.trim_start_matches("nice ").strip_prefix("$(MAKE) "));
            let made = made.flat_map(str::split_whitespace).filter(|word| !word.starts_with('-'));
            let timed = recipe().filter_map(|line| line.strip_prefix("scripts/timed "));
            let made = made.chain(timed.flat_map(|targets| targets.split([' ', '+'])));
            left.extend(prerequisites.chain(made).filter(|it| !found.contains(*it)).map(str::to_owned));
        }
        found.insert(target);
    }
    found
}
