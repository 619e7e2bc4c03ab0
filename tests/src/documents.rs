//! The project's documents, and the commands that they show.
//!
//! Tests run the commands that documents show in these blocks:
//!
//! | block | content |
//! |---|---|
//! | `console` | a transcript: a line that begins with `$ ` is a command, lines that begin with `> ` continue it, and the following lines are its output |
//! | `shell` | commands to copy, in bash's syntax, without output |
//! | `yaml` | a command in every `run:` of a list, as in CI configurations |
//!
//! The working directory of commands is the root of the checkout. A command must succeed, unless its output is shown.
//! In shown output, a line `…` stands for any lines, `…` within a line for any text, and a number before `ms` for any
//! number. `BLESS=1` replaces wrong output by the whole real output. In what suites with real components get from `kubectl get`
//! and `kubectl describe`, ages and times are replaced by `…` first.

mod commands;
mod found;
mod markdown;
mod output;
mod runners;
mod shell;
mod shown;
mod varying;

pub use commands::Command;
pub use found::{all, read};
pub use markdown::{Block, Document, Link};
pub use output::{blessing, correct, difference, judge};
pub use runners::{ELSEWHERE, Elsewhere, Runner, Suite, runner};
pub use shell::{Printed, Shell};
pub use shown::Shown;
