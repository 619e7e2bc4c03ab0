//! Runs `sailplane` as a command.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use crate::artifacts::sailplane;
use crate::files::{bless, workspace};

/// The result of a command.
#[derive(Debug)]
pub struct Done {
    /// Whether it exited with 0.
    pub ok: bool,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs `sailplane` in the workspace, with `input` on standard input.
pub fn run_on(input: &[u8], arguments: &[&str]) -> Done {
    let mut command = Command::new(sailplane());
    command.args(arguments).current_dir(workspace()).env_remove("COLUMNS");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be run");
    let mut stdin = child.stdin.take().expect("it was piped");
    // A command may end before it has read all its input, e.g. when its arguments are wrong.
    let output = thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("a child can be waited for")
    });
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints UTF-8");
    Done { ok: output.status.success(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs `sailplane` with nothing on standard input.
pub fn run(arguments: &[&str]) -> Done {
    run_on(b"", arguments)
}

/// Writes a file for a test.
pub fn file(name: &str, text: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    let tests = test.ancestors().nth(3).expect("it lies in TARGET/PROFILE/deps").join("tmp");
    let suite = test.file_stem().and_then(|name| name.to_str()).and_then(|name| name.split('-').next());
    let path = tests.join("cli").join(suite.unwrap_or_default()).join(name);
    fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("the directory of tests can be written to");
    fs::write(&path, text).expect("the directory of tests can be written to");
    path
}

/// A valid composite. Further lines of its `spec` may be appended.
pub fn composite(name: &str) -> String {
    format!(
        "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata:\n  name: {name}\n  namespace: team-a\n\
         spec:\n  model: Qwen/Qwen2.5-1.5B-Instruct\n  providerConfigName: gpu-cluster\n"
    )
}

/// Compares printed text with a file in `tests/snapshots/`.
#[track_caller]
pub fn snapshot(name: &str, text: &str) {
    if let Err(difference) = bless(&workspace().join("tests/snapshots").join(name), text) {
        panic!("{difference}");
    }
}
