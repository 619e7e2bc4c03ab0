//! Runs the commands of documents.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::artifacts::sailplane;
use crate::files::workspace;

/// The folders of the checkout that commands use.
const COPIED: &[&str] = &["examples", "package"];
/// The programs that commands may call, beside `sailplane` and bash's own commands.
const PROGRAMS: &[&str] = &["bash", "cat", "diff", "grep", "sed", "sort", "tr", "xargs"];

/// A folder that looks like a checkout, and the programs that commands may call.
pub struct Shell {
    folder: PathBuf,
    variables: Vec<(String, OsString)>,
    /// The commands that set variables. They apply to later commands.
    settings: Mutex<String>,
}

/// The result of a command.
#[derive(Debug)]
pub struct Printed {
    /// Whether it exited with 0.
    pub ok: bool,
    /// Standard output and standard error, in the order of printing.
    pub text: String,
}

impl Shell {
    /// A shell in `folder`. It removes the folder's content first.
    pub fn start(folder: &Path) -> Self {
        let _ = fs::remove_dir_all(folder);
        let (programs, home) = (folder.join(".programs"), folder.join(".home"));
        for folder in [&programs, &home] {
            fs::create_dir_all(folder).expect("a folder of the tests can be created");
        }
        let copied =
            Command::new("cp").arg("-r").args(COPIED.iter().map(|it| workspace().join(it))).arg(folder).status();
        assert!(copied.is_ok_and(|status| status.success()), "cannot copy {COPIED:?}");
        let variables = vec![("PATH".to_owned(), programs.into()), ("HOME".to_owned(), home.into())];
        let shell = Self { folder: folder.to_owned(), variables, settings: Mutex::default() };
        shell.provide("sailplane", &sailplane());
        PROGRAMS.iter().for_each(|program| shell.find(program));
        shell
    }

    /// Lets commands call a program of this machine.
    pub fn find(&self, program: &str) {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let file = std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.exists());
        self.provide(program, &file.unwrap_or_else(|| panic!("no {program} in PATH")));
    }

    /// Lets commands call `file` as `program`.
    pub fn provide(&self, program: &str, file: &Path) {
        symlink(file, self.folder.join(".programs").join(program)).expect("a folder of the tests can be written to");
    }

    /// Sets an environment variable.
    pub fn set(&mut self, variable: &str, value: impl Into<OsString>) {
        self.variables.push((variable.to_owned(), value.into()));
    }

    /// Writes a file that commands use.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        let folder = path.parent().expect("it lies in the shell's folder");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .expect("a folder of the tests can be written to");
    }

    /// Runs a command and waits for its end.
    pub fn run(&self, text: &str) -> Printed {
        let mut settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        let done = self.bash(&format!("{settings}{text}")).output().expect("bash can be run");
        if sets_a_variable(text) {
            *settings += &format!("{text}\n");
        }
        let text = String::from_utf8(done.stdout).expect("commands print UTF-8");
        Printed { ok: done.status.success(), text }
    }

    /// Runs a server command, returns the first line of its output, and ends it.
    pub fn serve(&self, text: &str) -> String {
        let mut server = self.bash(&format!("exec {text}")).stdout(Stdio::piped()).spawn().expect("bash can be run");
        let mut line = String::new();
        let stdout = server.stdout.take().expect("it was piped");
        BufReader::new(stdout).read_line(&mut line).expect("it prints UTF-8");
        let _ = server.kill();
        let _ = server.wait();
        line
    }

    fn bash(&self, text: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c"]).arg(format!("exec 2>&1\n{text}"));
        command.current_dir(&self.folder).env_clear().envs(self.variables.iter().cloned()).stdin(Stdio::null());
        command
    }
}

/// Whether a command only sets a variable.
fn sets_a_variable(text: &str) -> bool {
    let name = text.split('=').next().unwrap_or_default();
    !text[name.len()..].is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}
