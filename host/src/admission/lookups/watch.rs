//! Keeps a cache up to date with a watch.

use std::pin::pin;
use std::sync::Arc;

use futures_util::StreamExt as _;
use kube::core::ApiResource;
use kube::runtime::watcher::{Config, DefaultBackoff, Error, Event, watcher};
use kube::{Api, Client};

use super::cache::Cache;
use super::connection::Connection;
use super::object::ReadObject;
use crate::admission::client::one_line;
use crate::admission::metrics::Metrics;
use crate::engine::Clock;

/// The timeout of a watch request, in seconds. A dead connection is noticed after this time at the latest.
const RENEWED_AFTER: u32 = 60;

/// A watch of the objects of one kind.
pub(super) struct Watch {
    /// The kind.
    pub(super) resource: ApiResource,
    /// Where the objects go.
    pub(super) cache: Arc<Cache>,
    /// What is told whether the API server answers.
    pub(super) connection: Arc<Connection>,
    /// Where the objects are counted.
    pub(super) metrics: Metrics,
    /// What gives back the memory that a list needed.
    pub(super) clock: Arc<Clock>,
}

impl Watch {
    /// Watches until the process ends. After an error, it lists all objects again: this shows that changes arrive again,
    /// while a resumed watch would give no sign.
    pub(super) async fn run(self, client: Client) {
        let Self { resource, cache, connection, metrics, clock } = self;
        let api: Api<ReadObject> = Api::all_with(client, &resource);
        let config = Config::default().timeout(RENEWED_AFTER);
        let mut backoff = DefaultBackoff::default(); // resets after two minutes without an error
        let mut logged = String::new();
        let count = || {
            let (synced, objects) = cache.standing();
            metrics.cached(&resource.group, &resource.kind, synced, objects);
        };
        count();
        loop {
            let mut events = pin!(watcher(api.clone(), config.clone()));
            while let Some(event) = events.next().await {
                match event {
                    Ok(event) => {
                        // This event comes before the first request.
                        if !matches!(event, Event::Init) {
                            connection.answered();
                        }
                        let is_complete = matches!(event, Event::InitDone);
                        take(&cache, event);
                        if is_complete {
                            clock.settle();
                            logged.clear();
                            tracing::info!(kind = resource.kind, "watching");
                        }
                        count();
                    }
                    Err(error) => {
                        connection.failed(&error);
                        if is_absent(&error) {
                            cache.forget();
                        } else {
                            cache.break_off();
                        }
                        count();
                        let error = spell(&error);
                        if error != logged {
                            tracing::warn!(
                                kind = resource.kind,
                                "cannot watch, so what depends on it is not judged: {error}"
                            );
                            logged = error;
                        }
                        break;
                    }
                }
            }
            tokio::time::sleep(backoff.next().unwrap_or(std::time::Duration::from_secs(30))).await;
        }
    }
}

fn take(cache: &Cache, event: Event<ReadObject>) {
    match event {
        Event::Init => cache.begin(),
        Event::InitApply(object) => cache.list(object),
        Event::InitDone => cache.end(),
        Event::Apply(object) => cache.put(object),
        Event::Delete(object) => cache.remove(&object),
    }
}

/// Whether the kind does not exist in the cluster.
fn is_absent(error: &Error) -> bool {
    matches!(error, Error::InitialListFailed(kube::Error::Api(status)) if status.code == 404)
}

fn spell(error: &Error) -> String {
    match error {
        Error::InitialListFailed(error) | Error::WatchStartFailed(error) | Error::WatchFailed(error) => one_line(error),
        error => error.to_string().replace(['\n', '\r'], " "),
    }
}
