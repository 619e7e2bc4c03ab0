//! Answers the lookups of modules, from watches of the kinds that modules may look up.
//!
//! A cache finds objects by name, by labels, and by the indexes that their kind declares in the catalog. An answer by name
//! or by an index takes as long as it has objects, however many there are in the cluster.
//!
//! A cache that may not know all objects gives no answer. The module then does not judge what depends on the lookup, so
//! nothing is refused for it.

mod cache;
mod connection;
mod live;
mod object;
mod objects;
mod watch;

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use kube::core::ApiResource;
use kube::{Client, Config};

use self::cache::Cache;
use self::connection::Connection;
use self::watch::Watch;
use super::metrics::Metrics;
use crate::engine::Engine;
use crate::read;
use crate::wit::catalog::{self, Scope};
use crate::wit::types::{KindRef, Lookup, LookupAnswer};

/// How long the API server may take to accept a connection. A NetworkPolicy that drops packets is noticed after it.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);

/// The objects of the cluster that modules may look up.
#[derive(Clone)]
pub(super) struct Lookups {
    client: Client,
    connection: Arc<Connection>,
    kinds: Arc<BTreeMap<(String, String), WatchedKind>>,
}

/// A kind that modules may look up.
struct WatchedKind {
    resource: ApiResource,
    scope: Scope,
    cache: Arc<Cache>,
}

/// The files that the environment names. The client reads them whole.
fn kubeconfigs() -> Vec<PathBuf> {
    env::var_os("KUBECONFIG").map(|paths| env::split_paths(&paths).collect()).unwrap_or_default()
}

/// A lookup, and its answer by the cache.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) lookup: Lookup,
    pub(super) answer: LookupAnswer,
}

impl Lookups {
    /// Starts to watch all kinds that the modules of `engine` may look up. The environment says which cluster.
    ///
    /// # Errors
    /// When the environment names no cluster.
    pub(super) async fn start(engine: &Engine, metrics: &Metrics) -> Result<Self> {
        let no_cluster = "no cluster to look things up in; judge without with --no-lookups";
        for path in kubeconfigs() {
            read::can_be_read(&path, read::MAX_TEXT).with_context(|| format!("cannot read {}", path.display()))?;
        }
        let mut config = Config::infer().await.context(no_cluster)?;
        config.connect_timeout = Some(CONNECT_WITHIN);
        let connection = Arc::new(Connection::new(config.cluster_url.to_string()));
        let client = Client::try_from(config).context(no_cluster)?;
        let mut kinds = BTreeMap::new();
        for readable in engine.catalog().flat_map(|entry| &entry.admission.reads) {
            kinds.entry(key(&readable.kind)).or_insert_with(|| {
                let resource = resource(readable);
                let found_by = engine.catalog().find(|entry| entry.kind == readable.kind).map(|entry| &entry.found_by);
                let cache = Arc::new(Cache::new(resource.clone(), found_by.cloned().unwrap_or_default()));
                let kind = WatchedKind { resource, scope: readable.scope, cache };
                let watch = Watch {
                    resource: kind.resource.clone(),
                    cache: Arc::clone(&kind.cache),
                    connection: Arc::clone(&connection),
                    metrics: metrics.clone(),
                    clock: Arc::clone(engine.clock()),
                };
                tokio::spawn(watch.run(client.clone()));
                kind
            });
        }
        Ok(Self { client, connection, kinds: Arc::new(kinds) })
    }

    /// The objects that match. `None` when the cache may not know all of them, or cannot find them by this.
    pub(super) fn answer(&self, lookup: &Lookup) -> Option<LookupAnswer> {
        let kind = self.kinds.get(&key(&lookup.selector.kind))?;
        let objects = kind.cache.select(&lookup.selector)?;
        Some(LookupAnswer { name: lookup.name.clone(), objects })
    }

    /// Whether the API server has answered at some time. Modules without lookups ask nothing.
    pub(super) fn were_answered(&self) -> bool {
        self.kinds.is_empty() || self.connection.was_reached()
    }

    /// Whether the API server cannot be reached at present.
    pub(super) fn are_cut_off(&self) -> bool {
        self.connection.is_lost()
    }

    /// Whether every cache has known all objects at some time, but for kinds that are not installed.
    pub(super) fn are_settled(&self) -> bool {
        self.kinds.values().all(|kind| kind.cache.is_settled())
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
