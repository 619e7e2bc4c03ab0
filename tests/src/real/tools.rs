//! The real components, built by `tests/e2e/tools/Makefile`.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use crate::files::workspace;

/// Where they are.
pub struct Tools {
    binaries: PathBuf,
    /// The manifests that come with them.
    pub sources: PathBuf,
}

impl Tools {
    /// Finds them, or says how to build them.
    pub fn find() -> Result<Self> {
        let tools = workspace().join("target/tools");
        let (binaries, sources) = (tools.join("bin"), tools.join("sources"));
        ensure!(sources.exists(), "no tools in {}: run make -C tests/e2e/tools", tools.display());
        Ok(Self { binaries, sources })
    }

    /// The file of one of them.
    pub fn path(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }
}
