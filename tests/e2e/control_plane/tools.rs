//! The real components, built by `tests/e2e/tools/Makefile`.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use tests::files::workspace;

/// Where they are.
pub(crate) struct Tools {
    binaries: PathBuf,
    /// The manifests that come with them.
    pub(crate) sources: PathBuf,
}

impl Tools {
    /// Finds them, or says how to build them.
    pub(crate) fn find() -> Result<Self> {
        let tools = workspace().join("target/tools");
        let (binaries, sources) = (tools.join("bin"), tools.join("sources"));
        ensure!(sources.exists(), "no tools in {}: run make -C tests/e2e/tools", tools.display());
        Ok(Self { binaries, sources })
    }

    /// The file of one of them.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }
}
