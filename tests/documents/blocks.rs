//! Blocks hold what they say.

use serde_json::{Value, json};
use tests::command::run_on;
use tests::documents::{self, Block};
use tests::golden;

use crate::none_wrong;

type Check = fn(&Block) -> Result<(), String>;

/// What a block may hold, and how that is made sure of.
const LANGUAGES: &[(&str, Check)] = &[
    ("console", commands),
    ("shell", commands),
    ("json", |block| serde_json::from_str::<Value>(&block.text).map(drop).map_err(|error| error.to_string())),
    ("yaml", yaml),
    ("text", |_| Ok(())), // drawings, and what nothing reads
];

/// Groups of kinds that `sailplane check` knows, by itself or by what `package/` has of them.
const OURS: &[&str] = &["inference.devopstoolkit.ai/", "sailplane.fn.crossplane.io/"];

#[test]
fn hold_what_they_say() {
    let mut wrong = Vec::new();
    for block in documents::all().into_iter().flat_map(|document| document.blocks) {
        let checked = match LANGUAGES.iter().find(|row| row.0 == block.language) {
            Some((_, check)) => check(&block),
            None => Err(format!("nothing says how to check a block of `{}`", block.language)),
        };
        wrong.extend(checked.err().map(|what| format!("{}:{}: {what}", block.document, block.line)));
    }
    none_wrong(&wrong);
}

/// It has a command, so that it is run.
fn commands(block: &Block) -> Result<(), String> {
    let commands = documents::read(&block.document).commands();
    let within = block.line..block.line + block.text.lines().count();
    let shown = commands.iter().any(|command| within.contains(&command.line));
    if shown { Ok(()) } else { Err("it shows no command".to_owned()) }
}

/// It can be read, and what is ours in it is valid.
fn yaml(block: &Block) -> Result<(), String> {
    let documents = golden::documents(&block.text).map_err(|error| format!("{error:#}"))?;
    let inputs = documents.iter().flat_map(|it| it["spec"]["pipeline"].as_array().into_iter().flatten());
    let inputs = inputs.map(|step| &step["input"]);
    let is_ours =
        |it: &&Value| OURS.iter().any(|group| it["apiVersion"].as_str().is_some_and(|it| it.starts_with(group)));
    // The input of a step needs no name; whoever stores an object has one.
    let named = |it: &Value| {
        let mut named = it.clone();
        if named["metadata"].is_null() {
            named["metadata"] = json!({"name": "input"});
        }
        named.to_string()
    };
    let ours: Vec<_> = documents.iter().chain(inputs).filter(is_ours).map(named).collect();
    if ours.is_empty() {
        return Ok(());
    }
    let done =
        run_on(ours.join("\n---\n").as_bytes(), &["check", "-", "--strict", "--schemas", "package/function/input"]);
    if done.ok && done.err.contains(" 0 objects without a schema") { Ok(()) } else { Err(done.err) }
}
