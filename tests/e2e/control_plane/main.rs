//! A real control plane without a container engine: etcd, an API server, Crossplane, provider-kubernetes and a registry
//! run on loopback, and Crossplane calls `sailplane function` to reconcile composites.
//!
//! `make -C tests/e2e/tools` builds the components. Each run starts in an empty folder, and the logs stay there
//! afterwards. All ports are free ones, except 8080 and 9443, which provider-kubernetes always uses. `scenarios.rs` has
//! the table of scenarios; the variable `SCENARIOS` selects some of them by name.

mod certificates;
mod chainsaw;
mod chart;
mod composites;
mod crossplane;
mod documents;
mod endpoint;
mod function;
mod hand_over;
mod lifecycle;
mod names;
mod packages;
mod plane;
mod quiet;
mod resources;
mod restart;
mod rights;
mod runtime;
mod scenarios;
mod shown;
mod subjects;
mod succession;
mod symptoms;
mod upgrade;
mod without_manager;

use std::path::Path;

use anyhow::Result;

use crate::plane::Plane;
use tests::real::processes::{logs, progress};
use tests::real::tools::Tools;

#[test]
#[ignore = "it needs real components: `make e2e`"]
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
