//! When reviews may come, and how they end.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum_server::Handle;

use super::args::Limits;
use super::lookups::Lookups;
use crate::serving::Readiness;

/// How long the first review waits for the caches; after that it goes without.
const SYNC_WITHIN: Duration = Duration::from_secs(30);

/// What the probes tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifecycle {
    /// Whether the webhooks' port is served.
    serving: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
}

impl Lifecycle {
    /// Whether reviews should come.
    pub(super) fn readiness(&self, lookups: Option<Lookups>) -> impl Fn() -> Readiness + Clone + Send + Sync + 'static {
        let begun = Instant::now();
        let Self { serving, stopping } = self.clone();
        move || {
            let waiting = || lookups.as_ref().is_some_and(|lookups| !lookups.were_synced());
            match () {
                () if stopping.load(Ordering::Relaxed) => Err("stopping"),
                () if !serving.load(Ordering::Relaxed) => Err("no certificate to serve with yet"),
                () if begun.elapsed() < SYNC_WITHIN && waiting() => Err("reading what verdicts look up"),
                () => Ok(()),
            }
        }
    }

    /// Says, once `told`, that no more reviews should come; goes on until that has got around, and lets those in
    /// flight finish.
    pub(super) async fn drain(&self, told: impl Future<Output = ()>, handle: Handle<SocketAddr>, limits: &Limits) {
        handle.listening().await;
        self.serving.store(true, Ordering::Relaxed);
        told.await;
        tracing::info!("told to stop");
        self.stopping.store(true, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_secs(limits.shutdown_delay.into())).await;
        handle.graceful_shutdown(Some(limits.timeout() + Duration::from_secs(1)));
    }
}
