//! The toolchain's reader: a program in `tests/e2e/tools`.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

use native::files::workspace;
use serde_json::Value;

use crate::documents::Document;

/// What the toolchain reads: a value, or the text of an error.
pub(crate) type Answer = Result<Value, String>;

/// The answer for each document.
pub(crate) fn read(documents: &[Document]) -> Vec<Answer> {
    let program = workspace().join("target/tools/bin/yaml-oracle");
    let mut running = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}: run make -C tests/e2e/tools yaml", program.display()));
    let question = |document: &Document| format!("{}\n", Value::from(document.text.as_str()));
    let questions: String = documents.iter().map(question).collect();
    let mut input = running.stdin.take().expect("it is piped");
    let writing = thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = running.wait_with_output().expect("an answer");
    writing.join().expect("no panic").expect("it reads all questions");
    assert!(output.status.success(), "{}", output.status);
    let answers: Vec<_> = String::from_utf8(output.stdout).expect("UTF-8").lines().map(answer).collect();
    assert_eq!(answers.len(), documents.len(), "an answer for each document");
    answers
}

fn answer(line: &str) -> Answer {
    let mut answer: Value = serde_json::from_str(line).expect("JSON");
    match answer["error"].as_str() {
        Some(error) => Err(error.to_owned()),
        None => Ok(answer["value"].take()),
    }
}
