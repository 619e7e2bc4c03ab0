//! Gives up the rights of the command.

use std::fmt::Debug;
use std::time::Duration;

use anyhow::{Result, bail};
use k8s_openapi::Resource;
use k8s_openapi::api::rbac::v1::{ClusterRoleBinding, RoleBinding};
use kube::api::DeleteParams;
use kube::{Api, Client};
use serde::de::DeserializeOwned;

use crate::admission::client::one_line;

/// Attempts to delete a binding.
const ATTEMPTS: usize = 10;

/// Deletes the ClusterRoleBinding and the RoleBinding with a name. The one that concerns the whole cluster goes first.
///
/// # Errors
/// When the API server does not delete them.
pub(super) async fn delete(client: &Client, namespace: &str, name: &str) -> Result<()> {
    delete_one(&Api::<ClusterRoleBinding>::all(client.clone()), name).await?;
    delete_one(&Api::<RoleBinding>::namespaced(client.clone(), namespace), name).await?;
    tracing::info!("deleted the bindings {name}: the rights of this command are gone");
    Ok(())
}

async fn delete_one<K: Resource + Clone + DeserializeOwned + Debug>(bindings: &Api<K>, name: &str) -> Result<()> {
    let mut failed = String::new();
    for _ in 0..ATTEMPTS {
        match bindings.delete(name, &DeleteParams::default()).await {
            Ok(_) => return Ok(()),
            Err(kube::Error::Api(status)) if status.code == 404 => return Ok(()),
            Err(error) => failed = one_line(&error),
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    bail!("cannot delete {} {name}: {failed}", K::KIND)
}
