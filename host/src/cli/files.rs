//! Reads the files of a command: files, folders, and standard input as `-`.

mod exclusions;
mod folder;

use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::report::Mistake;
use crate::foreign::visible;
use crate::read::{self, MAX_TEXT};

pub(super) use exclusions::{Exclusions, Pattern};

/// A file: its name and its text.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
}

/// Paths by a flag, beside those that are arguments.
#[derive(clap::Args, Debug)]
pub(super) struct Filenames {
    /// The same as an argument, as kubectl has it. May be repeated
    #[arg(short = 'f', long = "filename", id = "filenames", value_name = "PATH", value_delimiter = ',')]
    filenames: Vec<PathBuf>,
}

impl Filenames {
    /// The paths that are arguments, and after them those of the flag.
    pub(super) fn after(&self, arguments: &[PathBuf]) -> Vec<PathBuf> {
        [arguments, &self.filenames].concat()
    }
}

/// Reads files and folders with their folders, in the order of `paths`.
pub(super) fn read_all(paths: &[PathBuf]) -> Result<Vec<File>> {
    let ignored = Exclusions::of(&[])?;
    let mut files = Vec::new();
    for path in paths {
        files.extend(listed(path, &ignored)?.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?);
    }
    Ok(files)
}

/// A file, or what is wrong with it when it cannot be read.
pub(super) type Read = Result<File, Mistake>;

/// Reads like [`read_all`], without what is `ignored`. A file that cannot be read does not stop the others.
pub(super) fn read_each(paths: &[PathBuf], ignored: &Exclusions) -> Vec<Read> {
    let mut files = Vec::new();
    for path in paths {
        match listed(path, ignored) {
            Ok(paths) => files.extend(paths.iter().map(|path| read(path).map_err(|error| mistake(path, &error)))),
            Err(error) => files.push(Err(mistake(path, &error))),
        }
    }
    files
}

/// The files at a path: the files of a folder, or the file itself.
fn listed(path: &Path, ignored: &Exclusions) -> Result<Vec<PathBuf>> {
    if path.is_dir() {
        return folder::list(path, &ignored.below(path));
    }
    if !is_stdin(path) && ignored.leaves_out(path, false) {
        eprintln!("note: {} is left out, as it is ignored", visible(&name(path)));
        return Ok(Vec::new());
    }
    Ok(vec![path.to_owned()])
}

/// An error about a file or folder as a mistake in it.
fn mistake(path: &Path, error: &anyhow::Error) -> Mistake {
    error.downcast_ref().cloned().unwrap_or_else(|| Mistake {
        name: name(path),
        text: String::new(),
        line: 1,
        column: 1,
        message: format!("{error:#}"),
    })
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a file in messages.
fn name(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Reads one file, or standard input.
pub(super) fn read(path: &Path) -> Result<File> {
    let name = name(path);
    let bytes = if is_stdin(path) {
        read::to_end(std::io::stdin().lock(), MAX_TEXT).context("cannot read standard input")?
    } else {
        read::file_or_pipe(path, MAX_TEXT).with_context(|| format!("cannot read {name}"))?
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(File { name, text }),
        Err(error) => Err(not_text(name, &error).into()),
    }
}

fn not_text(name: String, error: &FromUtf8Error) -> Mistake {
    let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
    let before = text.get(..error.utf8_error().valid_up_to()).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Mistake {
        line: number(1 + before.matches('\n').count()),
        column: number(1 + line.chars().count()),
        message: "not UTF-8 text".to_owned(),
        name,
        text,
    }
}

impl File {
    /// The documents of a file that only the host reads, without empty documents.
    ///
    /// # Errors
    /// When a document is not valid YAML.
    pub(super) fn documents(&self) -> Result<Vec<Value>> {
        let documents = yaml::values(&self.text).into_iter();
        let read = documents.map(|document| {
            document.map_err(|yaml::Error { span, message, .. }| {
                let (name, text) = (self.name.clone(), self.text.clone());
                Mistake { name, text, line: span.start.line, column: span.start.column, message }.into()
            })
        });
        read.filter(|document| !matches!(document, Ok(Value::Null))).collect()
    }
}
