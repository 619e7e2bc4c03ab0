//! A real control plane without a container engine: etcd, an API server, Crossplane, provider-kubernetes and a registry
//! run on loopback, and Crossplane calls `sailplane function` to reconcile composites.
//!
//! `make -C tests/e2e/tools` builds the components. There are two control planes side by side, because scenarios mostly wait: each
//! starts in an empty folder, and the logs stay there afterwards. All ports are free ones. `scenarios.rs` has the table of
//! scenarios; the variable `SCENARIOS` selects some of them by name.

mod audit;
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
mod granted;
mod hand_over;
mod import;
mod inference_clusters;
mod inference_models;
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
mod rules;
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
use std::thread;

use anyhow::{Result, bail, ensure};
use tests::documents::Shown;
use tests::real::processes::{empty, end, logs, progress};
use tests::real::tools::Tools;

use crate::plane::Plane;
use crate::scenarios::{Stage, are_all};

#[test]
#[ignore = "it needs real components: `make e2e`"]
fn control_plane() -> ExitCode {
    end(all(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("control-plane")))
}

/// Runs all stages. The commands of documents are correct, and each was run on one of the control planes.
fn all(dir: &Path) -> Result<()> {
    ensure!(Stage::chosen().next().is_some(), "the variable SCENARIOS names no scenario");
    let outcomes = thread::scope(|scope| {
        let stages: Vec<_> = Stage::chosen().map(|stage| scope.spawn(|| one(stage, &dir.join(stage.name)))).collect();
        stages.into_iter().map(|stage| stage.join().unwrap_or_else(|_| bail!("it panicked"))).collect::<Vec<_>>()
    });
    let (ended, failed): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
    let failed: Vec<_> = failed.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")).collect();
    ensure!(failed.is_empty(), "{}", failed.join("\n"));
    let shown: Vec<_> = ended.into_iter().flatten().collect();
    if are_all() { Shown::finish(&shown) } else { Shown::correct(&shown) }
}

/// Runs a stage in the folder, and returns the commands of its reader.
fn one(stage: &Stage, dir: &Path) -> Result<Shown> {
    let outcome = empty(dir).and_then(|()| Plane::start(Tools::find()?, dir)).and_then(|plane| {
        stage.run(&plane).inspect_err(|_| progress(&plane.report()))?;
        Ok(plane.end())
    });
    if outcome.is_err() {
        progress(&logs(dir)?);
    }
    outcome
}
