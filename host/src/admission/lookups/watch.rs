//! Keeps a cache in step with the cluster.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt as _;
use kube::core::{ApiResource, DynamicObject};
use kube::runtime::watcher::{Config, DefaultBackoff, Error, Event, watcher};
use kube::{Api, Client};

use super::cache::Cache;
use crate::admission::client::one_line;
use crate::admission::metrics::Metrics;

/// How long a watch lasts before it is renewed, in seconds. It bounds how long a connection that went silent goes
/// unnoticed.
const RENEWED_AFTER: u32 = 60;

/// Watches the objects of a kind for as long as the process lives. After an error everything is listed anew: that
/// shows when changes arrive again, which a watch that is merely resumed would not.
pub(super) async fn run(client: Client, resource: ApiResource, cache: Arc<Cache>, metrics: Metrics) {
    let api: Api<DynamicObject> = Api::all_with(client, &resource);
    let config = Config::default().timeout(RENEWED_AFTER);
    let mut backoff = DefaultBackoff::default(); // begins anew after two minutes without an error
    let mut told = String::new();
    let count = || {
        let (synced, objects) = cache.standing();
        metrics.cached(&resource.kind, synced, objects);
    };
    count();
    loop {
        let mut events = pin!(watcher(api.clone(), config.clone()));
        while let Some(event) = events.next().await {
            match event {
                Ok(event) => {
                    if matches!(event, Event::InitDone) {
                        told.clear();
                        tracing::info!(kind = resource.kind, "watching");
                    }
                    take(&cache, event);
                    count();
                }
                Err(error) => {
                    if is_absent(&error) {
                        cache.forget();
                    } else {
                        cache.break_off();
                    }
                    count();
                    let error = spell(&error);
                    if error != told {
                        tracing::warn!(
                            kind = resource.kind,
                            "cannot watch, so what depends on it is not judged: {error}"
                        );
                        told = error;
                    }
                    break;
                }
            }
        }
        tokio::time::sleep(backoff.next().unwrap_or(std::time::Duration::from_secs(30))).await;
    }
}

fn take(cache: &Cache, event: Event<DynamicObject>) {
    match event {
        Event::Init => cache.begin(),
        Event::InitApply(object) => cache.list(object),
        Event::InitDone => cache.end(),
        Event::Apply(object) => cache.put(object),
        Event::Delete(object) => cache.remove(&object),
    }
}

/// Whether the kind is not installed.
fn is_absent(error: &Error) -> bool {
    matches!(error, Error::InitialListFailed(kube::Error::Api(status)) if status.code == 404)
}

fn spell(error: &Error) -> String {
    match error {
        Error::InitialListFailed(error) | Error::WatchStartFailed(error) | Error::WatchFailed(error) => one_line(error),
        error => error.to_string().replace(['\n', '\r'], " "),
    }
}
