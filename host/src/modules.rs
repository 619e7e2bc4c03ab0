//! The flags that choose modules, and their loading.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use crate::engine::{Engine, Settings};

/// The flags that choose modules.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Modules")]
pub(crate) struct Modules {
    /// Component that composes further kinds; the last one that has a kind composes it. May be repeated
    #[arg(long = "module", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Leave out the built-in kinds
    #[arg(long)]
    no_default_module: bool,
}

impl Modules {
    /// Loads the modules for a command whose calls have this deadline.
    pub(crate) fn load(&self, deadline: Duration) -> Result<Engine> {
        // A command makes each call once, so there is no instance to reuse.
        self.load_with(&Settings { deadline, reuse: false, ..Settings::default() })
    }

    /// The number of modules.
    pub(crate) fn count(&self) -> usize {
        self.files.len() + usize::from(!self.no_default_module)
    }

    /// Loads the modules with `settings`. A process does this first.
    pub(crate) fn load_with(&self, settings: &Settings) -> Result<Engine> {
        let settings = Settings { alone: true, ..settings.clone() };
        Engine::load(&settings, self.no_default_module, &self.files)
    }
}
