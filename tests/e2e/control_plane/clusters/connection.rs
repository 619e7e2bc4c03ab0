//! A connection of the stand-in to the API server. Everything that it does goes through here.

use std::path::Path;

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use futures_util::{Stream, StreamExt as _};
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::DynamicObject;
use kube::runtime::watcher::{self, Event};
use kube::{Api, Client, Config};
use serde_json::{Value, json};

/// The namespace of all clusters in these tests.
pub(crate) const NAMESPACE: &str = "clusters";

/// What happened to an object of the namespace.
pub(crate) enum Change {
    /// It is so now.
    Is(Value),
    /// It is gone. Its version is that of its end.
    Gone(Value),
}

/// A connection, to one namespace.
#[derive(Clone)]
pub(crate) struct Connection {
    client: Client,
    namespace: &'static str,
}

impl Connection {
    /// Connects to a namespace with a kubeconfig.
    pub(crate) async fn to(namespace: &'static str, kubeconfig: &Path) -> Result<Self> {
        let config = Kubeconfig::read_from(kubeconfig)?;
        let config = Config::from_custom_kubeconfig(config, &KubeConfigOptions::default()).await?;
        Ok(Self { client: Client::try_from(config)?, namespace })
    }

    /// The objects of a kind, and how they change.
    pub(crate) fn watch(&self, kind: &'static ApiResource) -> impl Stream<Item = Change> + Send + 'static {
        let events = watcher::watcher(self.api(kind), watcher::Config::default());
        events.filter_map(move |event| async move {
            let value = |object: &DynamicObject| {
                let mut value = serde_json::to_value(object).unwrap_or_default();
                value["apiVersion"] = kind.api_version.into();
                value["kind"] = kind.kind.into();
                value
            };
            match event {
                Ok(Event::InitApply(object) | Event::Apply(object)) => Some(Change::Is(value(&object))),
                Ok(Event::Delete(object)) => Some(Change::Gone(value(&object))),
                Ok(Event::Init | Event::InitDone) => None,
                Err(_) => {
                    tokio::time::sleep(RETRY).await;
                    None
                }
            }
        })
    }

    /// Merges `patch` into an object, as it was when it was seen: who has seen an older one fails.
    pub(crate) async fn patch(&self, kind: &ApiResource, seen: &Value, mut patch: Value) -> Result<Value> {
        patch["metadata"]["resourceVersion"] = seen["metadata"]["resourceVersion"].clone();
        let patched = self.api(kind).patch(name(seen)?, &PatchParams::default(), &Patch::Merge(patch)).await?;
        Ok(serde_json::to_value(patched)?)
    }

    /// Merges `status` into the status of an object.
    pub(crate) async fn patch_status(&self, kind: &ApiResource, seen: &Value, status: &Value) -> Result<Value> {
        let patch = Patch::Merge(json!({ "status": status }));
        let patched = self.api(kind).patch_status(name(seen)?, &PatchParams::default(), &patch).await?;
        Ok(serde_json::to_value(patched)?)
    }

    /// Creates an object, if it is not there yet.
    pub(crate) async fn create(&self, kind: &ApiResource, object: Value) -> Result<()> {
        let object: DynamicObject = serde_json::from_value(object)?;
        match self.api(kind).create(&PostParams::default(), &object).await {
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
            other => Ok(other.map(drop)?),
        }
    }

    /// Deletes an object, if it is there.
    pub(crate) async fn delete(&self, kind: &ApiResource, name: &str) -> Result<()> {
        match self.api(kind).delete(name, &DeleteParams::default()).await {
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            other => Ok(other.map(drop)?),
        }
    }

    fn api(&self, kind: &ApiResource) -> Api<DynamicObject> {
        let (group, version) = kind.api_version.split_once('/').unwrap_or(("", kind.api_version));
        let resource = kube::core::ApiResource {
            group: group.to_owned(),
            version: version.to_owned(),
            api_version: kind.api_version.to_owned(),
            kind: kind.kind.to_owned(),
            plural: kind.plural.to_owned(),
        };
        Api::namespaced_with(self.client.clone(), self.namespace, &resource)
    }
}

/// The delay after a failed watch.
const RETRY: std::time::Duration = std::time::Duration::from_millis(300);

fn name(object: &Value) -> Result<&str> {
    object["metadata"]["name"].as_str().context("an object without a name")
}
