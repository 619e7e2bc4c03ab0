//! `sailplane component`: the built-in component, for other hosts.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};

use crate::engine::DEFAULT_COMPONENT;

/// Print the built-in WebAssembly component
///
/// The same bytes run in any host of the component model, a browser among them.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Example: see what it exports
  sailplane component --output sailplane.wasm && wasm-tools component wit sailplane.wasm")]
pub(super) struct Args {
    /// File to write; standard output when absent
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints it.
pub(super) fn run(args: &Args) -> Result<bool> {
    match &args.output {
        Some(path) => {
            std::fs::write(path, DEFAULT_COMPONENT).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => {
            let mut out = io::stdout().lock();
            ensure!(!out.is_terminal(), "a component is no text: give --output FILE, or redirect standard output");
            match out.write_all(DEFAULT_COMPONENT).and_then(|()| out.flush()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                done => done?,
            }
        }
    }
    Ok(true)
}
