//! Every command that is shown is run, here or by a suite with real components.

use std::path::Path;

use tests::documents::{
    self, Command, ELSEWHERE, Printed, Runner, Shell, blessing, correct, difference, judge, runner,
};

use crate::{make, none_wrong};

/// How commands begin that serve until they are ended.
const SERVERS: &[&str] = &["sailplane preview"];

/// Files that commands name and the checkout does not have: what readers have of their own, and what `make` makes.
const FILES: &[(&str, &str)] = &[
    ("manifests/llm.yaml", include_str!("../../examples/llm-inference/llm-qwen.yaml")),
    ("schemas/llm-inference.yaml", include_str!("../../package/llm-inference/definition-llm-inference.yaml")),
    ("target/web/dist/index.html", "<!doctype html>"),
];

#[test]
fn do_what_is_shown() {
    let (mut wrong, mut printed) = (Vec::new(), Vec::new());
    for document in documents::all() {
        let commands: Vec<_> = document.commands().into_iter().filter(|command| runner(command).is_none()).collect();
        if commands.is_empty() {
            continue;
        }
        let name = document.path.replace('/', "-");
        let shell = Shell::start(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name));
        FILES.iter().for_each(|(name, text)| shell.write(name, text));
        for command in commands {
            match check(&shell, &command) {
                Ok(None) => {}
                Ok(Some(text)) => printed.push((command, text)),
                Err(what) => {
                    let Command { document, line, text, .. } = command;
                    wrong.push(format!("{document}:{line}: $ {text}\n{what}"));
                }
            }
        }
    }
    if blessing() {
        correct(&printed);
    } else {
        wrong.extend(printed.iter().map(|(command, printed)| difference(command, printed)));
    }
    none_wrong(&wrong);
}

/// Runs a command: what it prints, when that is not what is shown.
fn check(shell: &Shell, command: &Command) -> Result<Option<String>, String> {
    let text = match make::target(&command.text) {
        Some(target) => match make::recipe(target) {
            Some(recipe) => recipe,
            None => return make::check(target).map(|()| None),
        },
        None => command.text.as_str(),
    };
    let printed = if SERVERS.iter().any(|server| text.starts_with(server)) && !text.contains("--help") {
        // On a port that is free.
        let line = shell.serve(&format!("{text} --address 127.0.0.1:0"));
        Printed { ok: true, text: without_port(&line) }
    } else {
        shell.run(text)
    };
    judge(command, printed)
}

/// The line with the port that counts when none is given.
fn without_port(line: &str) -> String {
    let Some((begin, end)) = line.rsplit_once(':') else { return line.to_owned() };
    format!("{begin}:8000{}", end.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// Every row of the table is needed, and whoever does not run a command says why.
#[test]
fn no_row_is_left_over() {
    let commands: Vec<_> = documents::all().iter().flat_map(|document| document.commands()).collect();
    let mut wrong = Vec::new();
    for row in ELSEWHERE {
        if !commands.iter().any(|command| runner(command).is_some_and(|it| std::ptr::eq(it, row))) {
            wrong.push(format!("no command of {} is left for the row `{}`", row.document, row.begins));
        }
        assert!(row.runner != Runner::Nobody(""), "{row:?}");
    }
    none_wrong(&wrong);
}
