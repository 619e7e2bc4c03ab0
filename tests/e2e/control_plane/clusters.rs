//! Clusters in all three clouds, from nothing through edits and failures to nothing; before, clusters of dot-kubernetes are
//! handed over. A stand-in plays the providers of the clouds and provider-helm; the new clusters are API servers, where the real
//! provider-kubernetes works.

pub(crate) mod connection;
mod deletion;
mod dot_kubernetes;
mod from_dot_kubernetes;
pub(crate) mod google;
mod life;
mod living;
pub(crate) mod managed;
mod model;
pub(crate) mod new_clusters;
pub(crate) mod providers;
pub(crate) mod releases;
mod rows;
pub(crate) mod schemas;
mod stand_in;
mod steps;
pub(crate) mod world;

use std::collections::BTreeMap;
use std::thread;

use anyhow::{Result, ensure};
use inference::gpu_cluster::inputs::CLUSTERS;
use serde_json::{Value, json};
use tests::real::processes::progress;
use tests::skipped::skip;

use self::connection::NAMESPACE;
use self::life::Life;
use self::living::LivingCluster;
use self::schemas::Schemas;
use self::stand_in::StandIn;
use crate::chainsaw;
use crate::names::NAMESPACE as CROSSPLANE;
use crate::plane::Plane;

pub(crate) fn clusters(plane: &Plane) -> Result<()> {
    let Some(schemas) = Schemas::open()? else {
        skip(steps::CLOUDS.len() * 2, "lives of clusters", "the folder with schemas (`SAILPLANE_CRDS`)");
        plane.shown.leave_out("docs/from-dot-kubernetes.md");
        plane.shown.leave_out(providers::INSTALL);
        return Ok(());
    };
    let lived = lives(plane, schemas).inspect_err(|error| progress(&format!("clusters: {error:#}")));
    // A failure must not take other scenarios with it.
    let left = from_dot_kubernetes::uninstall(plane).and_then(|()| providers::uninstall(plane));
    lived.and(left)
}

fn lives(plane: &Plane, schemas: Schemas) -> Result<()> {
    providers::publish(plane, &schemas)?;
    plane.administrator.run(&["create", "namespace", NAMESPACE])?;
    from_dot_kubernetes::install(plane)?;
    let stand_in = StandIn::start(plane, schemas)?;
    plane.administrator.apply_all(&credentials(&stand_in.google_key))?;
    let moved = from_dot_kubernetes::hand_over(plane, &stand_in)?;
    providers::install(plane)?;
    let life = |cloud: &'static steps::Cloud| {
        let name = cloud.name;
        let composite = LivingCluster { plane, stand_in: &stand_in, kind: &CLUSTERS, name, before: BTreeMap::new() };
        Life { cloud, composite }.run()
    };
    let failures = thread::scope(|scope| {
        // A failure shows when it happens.
        let tell = |lived: Result<()>| lived.inspect_err(|error| progress(&format!("clusters: {error:#}")));
        let mut lives: Vec<_> = steps::CLOUDS.iter().map(|cloud| scope.spawn(move || tell(life(cloud)))).collect();
        lives.push(scope.spawn(move || tell(from_dot_kubernetes::live_on(plane, moved))));
        // Their namespaces are their own, where the stand-in does nothing.
        lives.push(scope.spawn(move || tell(chainsaw::of_clusters(plane))));
        let ended = lives.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(anyhow::anyhow!("it panicked"))));
        let failures = ended.filter_map(|it| it.err().map(|error| format!("{error:#}")));
        failures.collect::<Vec<_>>()
    });
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Credentials of the platform. The configurations with them are those that documents show.
fn credentials(google: &str) -> Vec<Value> {
    let secret = |name: &str, data: Value| {
        let metadata = json!({"name": name, "namespace": CROSSPLANE});
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": data})
    };
    vec![
        secret("aws-creds", json!({"creds": "none", "accessKeyID": "AKIA", "secretAccessKey": "secret"})),
        secret("azure-creds", json!({"creds": "none", "vaultUrl": "https://a-team.vault.azure.net"})),
        secret("gcp-creds", json!({"creds": google, "google-creds": google})),
    ]
}
