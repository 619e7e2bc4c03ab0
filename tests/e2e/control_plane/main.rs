//! The whole control plane, for real and without a container engine: etcd, an API server, Crossplane,
//! provider-kubernetes and a registry, all on loopback, reconcile composites through `sailplane function`.
//!
//! `make -C tests/e2e/tools` builds the components. Each run starts in an empty folder, whose logs outlive it for the
//! one who has to find out why. Ports are free ones, but for two that provider-kubernetes fixes: 8080 and 9443.

mod certificates;
mod cluster;
mod composites;
mod crossplane;
mod function;
mod kubectl;
mod legacy;
mod packages;
mod plane;
mod processes;
mod scenarios;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::plane::Plane;
use crate::processes::{logs, progress};

#[test]
fn control_plane() -> Result<()> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("control-plane");
    if dir.exists() {
        std::fs::remove_dir_all(&dir)?;
    }
    std::fs::create_dir_all(&dir)?;

    let outcome = Plane::start(Tools::find()?, &dir)
        .and_then(|plane| scenarios::run(&plane).inspect_err(|_| progress(&plane.report())));
    if outcome.is_err() {
        progress(&logs(&dir)?);
    }
    outcome
}

/// The real components, built by `tests/e2e/tools/Makefile`.
pub(crate) struct Tools {
    binaries: PathBuf,
    /// The manifests that come with them.
    pub(crate) sources: PathBuf,
}

impl Tools {
    fn find() -> Result<Self> {
        let tools = checkout().join("target/tools");
        let binaries = std::env::var_os("TOOLS").map_or_else(|| tools.join("bin"), PathBuf::from);
        ensure!(binaries.join("etcd").exists(), "no tools in {}: run make -C tests/e2e/tools", binaries.display());
        Ok(Self { binaries, sources: tools.join("sources") })
    }

    /// The file of one of them.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }
}

/// The root of the checkout.
pub(crate) fn checkout() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A file or folder among the fixtures of these tests.
pub(crate) fn fixture(name: &str) -> PathBuf {
    checkout().join("tests/e2e/fixtures").join(name)
}

/// The binary under test.
pub(crate) fn sailplane() -> Result<PathBuf> {
    let binary =
        std::env::var_os("SAILPLANE").map_or_else(|| checkout().join("target/release/sailplane"), PathBuf::from);
    binary.canonicalize().with_context(|| format!("no {}: run cargo build --release", binary.display()))
}
