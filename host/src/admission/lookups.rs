//! Answers the lookups of modules, from watches of the kinds that modules may look up.
//!
//! A cache that may not know all objects gives no answer. The module then does not judge what depends on the lookup, so
//! nothing is refused for it.

mod cache;
mod live;
mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use kube::Client;
use kube::core::ApiResource;

use self::cache::Cache;
use super::metrics::Metrics;
use crate::engine::Engine;
use crate::wit::catalog::{self, Scope};
use crate::wit::types::{KindRef, Lookup, LookupAnswer};

/// The objects of the cluster that modules may look up.
#[derive(Clone)]
pub(super) struct Lookups {
    client: Client,
    kinds: Arc<BTreeMap<(String, String), WatchedKind>>,
}

/// A kind that modules may look up.
struct WatchedKind {
    resource: ApiResource,
    scope: Scope,
    cache: Arc<Cache>,
}

impl Lookups {
    /// Starts to watch all kinds that the modules of `engine` may look up. The environment says which cluster.
    ///
    /// # Errors
    /// When the environment names no cluster.
    pub(super) async fn start(engine: &Engine, metrics: &Metrics) -> Result<Self> {
        let client =
            Client::try_default().await.context("no cluster to look things up in; judge without with --no-lookups")?;
        let mut kinds = BTreeMap::new();
        for readable in engine.catalog().flat_map(|entry| &entry.admission.reads) {
            kinds.entry(key(&readable.kind)).or_insert_with(|| {
                let resource = resource(readable);
                let cache = Arc::new(Cache::new(resource.clone()));
                let kind = WatchedKind { resource, scope: readable.scope, cache };
                let watch = watch::run(client.clone(), kind.resource.clone(), Arc::clone(&kind.cache), metrics.clone());
                tokio::spawn(watch);
                kind
            });
        }
        Ok(Self { client, kinds: Arc::new(kinds) })
    }

    /// The objects that match. `None` when the cache may not know all of them.
    pub(super) fn answer(&self, lookup: &Lookup) -> Option<LookupAnswer> {
        let kind = self.kinds.get(&key(&lookup.selector.kind))?;
        let objects = kind.cache.select(&lookup.selector)?;
        Some(LookupAnswer { name: lookup.name.clone(), objects })
    }

    /// Whether every cache has known all objects at some time.
    pub(super) fn were_synced(&self) -> bool {
        self.kinds.values().all(|kind| kind.cache.was_synced())
    }
}

fn key(kind: &KindRef) -> (String, String) {
    (kind.api_version.clone(), kind.kind.clone())
}

fn resource(catalog::ApiResource { kind, plural, .. }: &catalog::ApiResource) -> ApiResource {
    let (group, version) = kind.api_version.split_once('/').unwrap_or(("", &kind.api_version));
    ApiResource {
        group: group.to_owned(),
        version: version.to_owned(),
        api_version: kind.api_version.clone(),
        kind: kind.kind.clone(),
        plural: plural.clone(),
    }
}
