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
mod found;
mod markdown;
mod output;
mod runners;
mod shell;
mod shown;

pub use commands::Command;
pub use found::{all, read};
pub use markdown::{Block, Document, Link};
pub use output::{blessing, correct, difference, judge};
pub use runners::{ELSEWHERE, Row, Runner, Suite, runner};
pub use shell::{Printed, Shell};
pub use shown::Shown;
