//! What is named within a line exists: flags, commands, files and versions.

use std::collections::BTreeSet;

use tests::command::run;
use tests::documents;
use tests::files::workspace;

use crate::none_wrong;

/// Flags of vLLM and of Crossplane.
const FOREIGN: &[&str] = &[
    "--model",
    "--trust-remote-code",
    "--mm-encoder-tp-mode",
    "--port",
    "--reasoning-parser",
    "--tensor-parallel-size",
    "--enable-dependency-version-upgrades",
    "--enable-operations",
    "--circuit-breaker-burst",
];

/// Folders of the checkout. What begins with one of them is a file of it.
const FOLDERS: &[&str] = &["crates/", "docs/", "examples/", "host/", "kind/", "package/", "scripts/", "tests/", "wit/"];

#[test]
fn flags_and_commands_exist() {
    let commands =
        words(&run(&["--help"]).out, |line| line.starts_with("  ")).into_iter().filter(|it| !it.starts_with('-'));
    let commands: BTreeSet<_> = commands.collect();
    let help: String = commands.iter().map(|command| run(&[command.as_str(), "--help"]).out).collect();
    let flags = words(&help, |line| line.trim_start().starts_with('-'));
    let mut wrong = Vec::new();
    for document in documents::all() {
        for (line, code) in &document.code {
            let mut parts = code.split_whitespace();
            let ours = parts.next() == Some("sailplane");
            let command = parts.next().filter(|part| ours && !part.starts_with('-'));
            if command.is_some_and(|command| !commands.contains(command)) {
                wrong.push(format!("{}:{line}: there is no command `{code}`", document.path));
            }
            let named =
                code.split_whitespace().filter(|part| part.starts_with("--") && (ours || code.starts_with("--")));
            for flag in named.map(|part| part.split('=').next().unwrap_or_default()) {
                if !flags.contains(flag) && !FOREIGN.contains(&flag) {
                    wrong.push(format!("{}:{line}: there is no flag `{flag}`", document.path));
                }
            }
        }
    }
    none_wrong(&wrong);
}

#[test]
fn files_exist() {
    let mut wrong = Vec::new();
    for document in documents::all() {
        for (line, code) in &document.code {
            let is_path = FOLDERS.iter().any(|folder| code.starts_with(folder)) && !code.contains([' ', '*', '<']);
            if is_path && !workspace().join(code).exists() {
                wrong.push(format!("{}:{line}: there is no `{code}`", document.path));
            }
        }
    }
    none_wrong(&wrong);
}

/// Packages are named in the version that this checkout makes.
#[test]
fn versions_are_current() {
    let mut wrong = Vec::new();
    for document in documents::all() {
        for (number, line) in document.text.lines().enumerate() {
            let packages = line.split("xpkg.crossplane.io/sailplane/").skip(1);
            let versions = packages.filter_map(|package| package.split_once(":v")?.1.split([' ', '`', '"']).next());
            for version in versions.filter(|version| *version != env!("CARGO_PKG_VERSION")) {
                wrong.push(format!("{}:{}: version {version}", document.path, number + 1));
            }
        }
    }
    none_wrong(&wrong);
}

/// Audit logs have the names of webhooks.
#[test]
fn webhooks_exist() {
    let manifest =
        std::fs::read_to_string(workspace().join("package/admission/base/webhooks.yaml")).expect("it is there");
    let mut wrong = Vec::new();
    for document in documents::all() {
        for (line, code) in &document.code {
            let is_webhook = code.ends_with(".sailplane.fn.crossplane.io");
            if is_webhook && !manifest.contains(&format!("\n  name: {code}\n")) {
                wrong.push(format!("{}:{line}: there is no webhook `{code}`", document.path));
            }
        }
    }
    none_wrong(&wrong);
}

/// The first words, and those after a comma, of the lines that are chosen.
fn words(text: &str, chosen: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| chosen(line));
    let words = lines.flat_map(|line| line.split(", ").filter_map(|part| part.split_whitespace().next()));
    words.map(|word| word.trim_end_matches(',').to_owned()).collect()
}
