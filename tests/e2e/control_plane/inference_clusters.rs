//! Clusters of Modelplane's platform side, one of each source at the same time: from nothing to ready, through changes, to nothing.
//! Beside them the gateway of the control plane comes and goes.
//! A stand-in plays the clouds and provider-helm; the new clusters are API servers, where the real provider-kubernetes works. Those
//! in Nebius are left to the stand-in as a whole, since provider-kubernetes asks Nebius itself who it is.

pub(crate) mod cascade;
mod disturbances;
pub(crate) mod existence;
mod gates;
mod gateway;
mod life;
mod outage;
pub(crate) mod packages;
pub(crate) mod sources;
pub(crate) mod stand_in;
pub(crate) mod targets;
pub(crate) mod teardown;

use std::thread;

use anyhow::{Result, anyhow, ensure};
use serde_json::json;
use tests::files::workspace;
use tests::real::nebius;
use tests::real::processes::progress;
use tests::skipped::skip;

use self::life::{FleetLife, LIMIT};
use self::outage::DeadFunction;
use self::sources::{SOURCES, provided};
use self::stand_in::FleetStandIn;
use crate::clusters::schemas::Schemas;
use crate::gpu_clusters::NAMESPACE;
use crate::plane::Plane;

pub(crate) fn platform(plane: &Plane) -> Result<()> {
    let Some(schemas) = Schemas::open()? else {
        skip(SOURCES.len(), "lives of clusters of the fleet", "the folder with schemas (`SAILPLANE_CRDS`)");
        return Ok(());
    };
    let lived = lives(plane, schemas);
    // A failure must not take other scenarios with it.
    let left = packages::uninstall(plane);
    lived.and(left)
}

fn lives(plane: &Plane, schemas: Schemas) -> Result<()> {
    packages::install(plane, &schemas)?;
    nebius::let_configs_name_it(&plane.administrator)?;
    let administrator = &plane.administrator;
    administrator.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))?;
    let stand_in = &FleetStandIn::start(plane, schemas, SOURCES)?;
    administrator.apply_all(&provided()?)?;
    administrator.apply_path(&workspace().join("examples/modelplane/classes.yaml"))?;
    let outage = &DeadFunction::new(&plane.function, SOURCES.len(), LIMIT);
    let failures = thread::scope(|scope| {
        // A failure shows when it happens.
        let shown = |outcome: Result<()>| outcome.inspect_err(|error| progress(&format!("platform: {error:#}")));
        let mut lives: Vec<_> = SOURCES
            .iter()
            .map(|source| {
                let life = FleetLife { plane, stand_in, outage, source };
                scope.spawn(move || shown(life.run()))
            })
            .collect();
        lives.push(scope.spawn(move || shown(gateway::waits_for_definitions(plane, stand_in))));
        let ended = lives.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(anyhow!("it panicked"))));
        ended.filter_map(|it| it.err().map(|error| format!("{error:#}"))).collect::<Vec<_>>()
    });
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}
