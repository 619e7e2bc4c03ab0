//! `sailplane component`: prints the built-in component, for other hosts.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use super::stdout;
use crate::engine::DEFAULT_COMPONENT;

/// Print the built-in WebAssembly component
///
/// The same bytes run in any host of the component model, a browser among them.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Example: see what it exports
  sailplane component --output sailplane.wasm && wasm-tools component wit sailplane.wasm")]
pub(super) struct ComponentArgs {
    /// File to write; standard output when absent
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints it.
pub(super) fn run(args: &ComponentArgs) -> Result<bool> {
    match &args.output {
        Some(path) => {
            std::fs::write(path, DEFAULT_COMPONENT).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => {
            let to_terminal = io::stdout().is_terminal();
            ensure!(!to_terminal, "a component is no text: give --output FILE, or redirect standard output");
            stdout::write(DEFAULT_COMPONENT)?;
        }
    }
    Ok(true)
}
