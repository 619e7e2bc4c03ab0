//! Clusters of Modelplane's platform side, one of each source at the same time: from nothing to ready, through changes, to nothing.
//! A stand-in plays the clouds and provider-helm; the new clusters are API servers, where the real provider-kubernetes works. Those
//! in Nebius are left to the stand-in as a whole, since provider-kubernetes asks Nebius itself who it is.

mod cascade;
mod life;
mod packages;
mod stand_in;
mod targets;

use std::{fs, thread};

use anyhow::{Result, anyhow, ensure};
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::documents;
use tests::real::processes::progress;
use tests::skipped::skip;

use self::life::Life;
use self::stand_in::StandIn;
use crate::clusters::schemas::Schemas;
use crate::gpu_clusters::NAMESPACE;
use crate::plane::Plane;

/// A source of clusters: its example, and the class of its pool.
struct Source {
    name: &'static str,
    example: &'static str,
    class: &'static str,
    /// The kind of the control plane in its cloud. Empty for one that exists.
    control_plane: &'static str,
}

const fn source(name: &'static str, example: &'static str, class: &'static str, control_plane: &'static str) -> Source {
    Source { name, example, class, control_plane }
}

#[rustfmt::skip]
const SOURCES: &[Source] = &[
    source("aks-eu", "cluster-aks", "aks-h100-8x-ib", "KubernetesCluster"),
    source("eks-west", "cluster-eks", "eks-h200-8x-efa", "Cluster"),
    source("gke-eu", "cluster-gke", "gke-l4-1x-g2", "Cluster"),
    source("lab", "cluster-existing", "l4-1x", ""),
    source("nebius-eu", "cluster-nebius", "nebius-h100-8x-ib", "Cluster"),
    source("vultr-us", "cluster-vultr", "vultr-l40s-1x", "Kubernetes"),
];

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
    packages::know_nebius(plane)?;
    let administrator = &plane.administrator;
    administrator.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))?;
    let stand_in = StandIn::start(plane, schemas)?;
    administrator.apply_all(&provided()?)?;
    administrator.apply_path(&workspace().join("examples/modelplane/classes.yaml"))?;
    let failures = thread::scope(|scope| {
        let lives: Vec<_> = SOURCES
            .iter()
            .map(|source| {
                let life = Life { plane, stand_in: &stand_in, source };
                // A failure shows when it happens.
                scope.spawn(move || life.run().inspect_err(|error| progress(&format!("platform: {error:#}"))))
            })
            .collect();
        let ended = lives.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(anyhow!("it panicked"))));
        ended.filter_map(|it| it.err().map(|error| format!("{error:#}"))).collect::<Vec<_>>()
    });
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// The provider configurations that somebody reads, as documents show them.
fn provided() -> Result<Vec<Value>> {
    let mut provided = Vec::new();
    for cloud in ["google", "nebius"] {
        let file = workspace().join(format!("package/install/provider-config-{cloud}.yaml"));
        provided.extend(documents(&fs::read_to_string(file)?)?);
    }
    Ok(provided)
}
