//! Clusters in all three clouds, from nothing through edits and failures to nothing. A stand-in plays the providers of the
//! clouds and provider-helm; the new clusters are API servers, where the real provider-kubernetes works.

mod connection;
mod deletion;
mod google;
mod life;
mod managed;
mod new_clusters;
mod providers;
mod releases;
mod rows;
mod schemas;
mod stand_in;
mod steps;
mod world;

use std::thread;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tests::skipped::skip;

use self::connection::NAMESPACE;
use self::life::Life;
use self::schemas::Schemas;
use self::stand_in::StandIn;
use crate::names::NAMESPACE as CROSSPLANE;
use crate::plane::Plane;

pub(crate) fn clusters(plane: &Plane) -> Result<()> {
    let Some(schemas) = Schemas::open()? else {
        skip(steps::CLOUDS.len(), "lives of clusters", "the folder with schemas (`SAILPLANE_CRDS`)");
        return Ok(());
    };
    let lived = lives(plane, schemas);
    // A failure must not take other scenarios with it.
    let left = providers::uninstall(plane);
    lived.and(left)
}

fn lives(plane: &Plane, schemas: Schemas) -> Result<()> {
    providers::install(plane, &schemas)?;
    plane.administrator.run(&["create", "namespace", NAMESPACE])?;
    let stand_in = StandIn::start(plane, schemas)?;
    plane.administrator.apply_all(&credentials(&stand_in.google_key))?;
    let failures = thread::scope(|scope| {
        let lives: Vec<_> = steps::CLOUDS
            .iter()
            .map(|cloud| scope.spawn(|| Life { plane, stand_in: &stand_in, cloud, before: Default::default() }.run()))
            .collect();
        let ended = lives.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(anyhow::anyhow!("it panicked"))));
        let failures = ended.filter_map(|it| it.err().map(|error| format!("{error:#}")));
        failures.collect::<Vec<_>>()
    });
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    Ok(())
}

/// Credentials of the platform, and configurations with them.
fn credentials(google: &str) -> Vec<Value> {
    let secret = |name: &str, data: Value| {
        let metadata = json!({"name": name, "namespace": CROSSPLANE});
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": data})
    };
    let config = |cloud: &str, more: Value| {
        let reference = json!({"name": format!("{cloud}-creds"), "namespace": CROSSPLANE, "key": "creds"});
        let mut spec = json!({"credentials": {"source": "Secret", "secretRef": reference}});
        if let Some(project) = more.as_str() {
            spec["projectID"] = project.into();
        }
        json!({
            "apiVersion": format!("{cloud}.m.upbound.io/v1beta1"),
            "kind": "ClusterProviderConfig",
            "metadata": {"name": "default"},
            "spec": spec,
        })
    };
    vec![
        secret("aws-creds", json!({"creds": "none", "accessKeyID": "AKIA", "secretAccessKey": "secret"})),
        secret("azure-creds", json!({"creds": "none", "vaultUrl": "https://a-team.vault.azure.net"})),
        secret("gcp-creds", json!({"creds": google, "google-creds": google})),
        config("aws", Value::Null),
        config("azure", Value::Null),
        config("gcp", "project-of-the-tests".into()),
    ]
}
