//! Reads the files of a command: files, folders, and standard input as `-`.

use std::fs;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::report::Mistake;
use crate::read::{self, MAX_TEXT};

/// The extensions of the files that are read from folders.
const ENDINGS: &[&str] = &["yaml", "yml", "json"];

/// A file: its name and its text.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) text: String,
}

/// Which files of a folder are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// The files in the folder itself.
    Folder,
    /// The files in its subfolders too.
    Tree,
}

/// Reads files and folders, in the order of `paths`. Of a folder, reads the YAML and JSON files, sorted by name,
/// without subfolders.
pub(super) fn read_all(paths: &[PathBuf]) -> Result<Vec<File>> {
    read_to(Depth::Folder, paths)
}

/// A file, or what is wrong with it when it cannot be read.
pub(super) type Read = Result<File, Mistake>;

/// Reads files and folders with their subfolders, in the order of `paths`. Leaves out hidden folders, such as `.git`. A
/// file that cannot be read does not stop the others.
pub(super) fn read_trees(paths: &[PathBuf]) -> Vec<Read> {
    let mut files = Vec::new();
    for path in paths {
        let listed = if path.is_dir() { folder(Depth::Tree, path) } else { Ok(vec![path.clone()]) };
        match listed {
            Ok(paths) => files.extend(paths.iter().map(|path| read(path).map_err(|error| mistake(path, &error)))),
            Err(error) => files.push(Err(mistake(path, &error))),
        }
    }
    files
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

fn read_to(depth: Depth, paths: &[PathBuf]) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(folder(depth, path)?.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?);
        } else {
            files.push(read(path)?);
        }
    }
    Ok(files)
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

/// The files of a folder that are read, sorted.
fn folder(depth: Depth, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    list(depth, folder, &mut paths)?;
    ensure!(!paths.is_empty(), "no YAML or JSON files in folder {}", folder.display());
    paths.sort();
    Ok(paths)
}

/// Lists the files to read in a folder. It does not follow links to folders, which could form a circle.
fn list(depth: Depth, folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    let wrong = || format!("cannot read folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(wrong)? {
        let entry = entry.with_context(wrong)?;
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if entry.file_type().with_context(wrong)?.is_dir() {
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if depth == Depth::Tree && !hidden {
                list(depth, &path, paths)?;
            }
        } else if ENDINGS.contains(&ending) && path.is_file() {
            paths.push(path);
        }
    }
    Ok(())
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
