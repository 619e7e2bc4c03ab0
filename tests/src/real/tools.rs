//! The real components, built by `tests/e2e/tools/Makefile`.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::files::workspace;

/// Their folder.
pub struct Tools {
    binaries: PathBuf,
    /// The folder with their manifests.
    pub sources: PathBuf,
}

impl Tools {
    /// Finds the tools. The error says how to build them.
    pub fn find() -> Result<Self> {
        let tools = workspace().join("target/tools");
        let (binaries, sources) = (tools.join("bin"), tools.join("sources"));
        ensure!(sources.exists(), "no tools in {}: run make -C tests/e2e/tools", tools.display());
        Ok(Self { binaries, sources })
    }

    /// The path of a tool.
    pub fn path(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }
}
