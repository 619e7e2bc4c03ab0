//! The project's documents, and the commands that they show.
//!
//! Documents show commands in a way that tests can run:
//!
//! | block | what it holds |
//! |---|---|
//! | `console` | a transcript: a line that begins with `$ ` is a command, lines that begin with `> ` go on with it, and what follows is what it prints |
//! | `shell` | commands to copy, as bash reads them, without what they print |
//! | `yaml` | a command in every `run:` of a list, as CI has them |
//!
//! Commands are run where the root of the checkout is the working directory, and each succeeds unless it is shown to
//! print something. In what is shown, a line `…` stands for any lines, `…` within a line for any text, and figures before
//! `ms` for any figures. `BLESS=1` replaces what is shown and not true, without what had been left out.

mod commands;
mod markdown;
mod output;
mod runners;
mod shell;
mod shown;

use std::fs;
use std::path::Path;

use crate::files::workspace;

pub use commands::Command;
pub use markdown::{Block, Document, Link};
pub use output::{blessing, correct, difference, judge};
pub use runners::{ELSEWHERE, Row, Runner, Suite, runner};
pub use shell::{Printed, Shell};
pub use shown::Shown;

/// Folders without documents of the project.
const WITHOUT: &[&str] = &["target", "node_modules", ".git"];

/// Every document of the project, by path.
pub fn all() -> Vec<Document> {
    let mut found = Vec::new();
    walk(&workspace(), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The document at `path`, from the root of the checkout.
pub fn read(path: &str) -> Document {
    let text = fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Document::parse(path, text)
}

fn walk(folder: &Path, found: &mut Vec<Document>) {
    for entry in fs::read_dir(folder).expect("a folder of the checkout") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !WITHOUT.contains(&name) {
            walk(&path, found);
        } else if name.ends_with(".md") {
            let path = path.strip_prefix(workspace()).expect("it lies below").to_str().expect("it is UTF-8");
            found.push(read(path));
        }
    }
}
