//! A real control plane without a container engine: etcd, an API server, Crossplane, provider-kubernetes and a registry
//! run on loopback, and Crossplane calls `sailplane function` to reconcile composites.
//!
//! `make -C tests/e2e/tools` builds the components. Each run starts in an empty folder, and the logs stay there
//! afterwards. All ports are free ones, so several can run side by side. `scenarios.rs` has the table of scenarios; the
//! variable `SCENARIOS` selects some of them by name.

mod certificates;
mod chainsaw;
mod chart;
mod clusters;
mod composites;
mod crossplane;
mod documents;
mod endpoint;
mod fleet;
mod function;
mod gpu_clusters;
mod hand_over;
mod import;
mod inference_clusters;
mod lifecycle;
mod lost_engine;
mod models;
mod names;
mod others;
mod packages;
mod plane;
mod quiet;
mod replacement;
mod resources;
mod restart;
mod rights;
mod runtime;
mod scenarios;
mod served;
mod serving;
mod shown;
mod subjects;
mod succession;
mod symptoms;
mod take_over;
mod upgrade;
mod without_manager;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;

use crate::plane::Plane;
use tests::real::processes::{empty, end, logs, progress};
use tests::real::tools::Tools;

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn control_plane() -> ExitCode {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("control-plane");
    end(empty(&dir).and_then(|()| all(&dir)))
}

fn all(dir: &Path) -> Result<()> {
    let outcome = Plane::start(Tools::find()?, dir)
        .and_then(|plane| scenarios::run(&plane).inspect_err(|_| progress(&plane.report())));
    if outcome.is_err() {
        progress(&logs(dir)?);
    }
    outcome
}
