//! When the server is ready for reviews, and how it stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::args::ReviewLimits;
use super::lookups::Lookups;
use crate::serving::Readiness;

/// How long the server waits for the caches before it is ready without them, when the API server answers at all.
const SYNC_WITHIN: Duration = Duration::from_secs(30);

/// The state that the readiness probe shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Lifecycle {
    /// Whether the webhooks' port is served.
    serving: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
}

impl Lifecycle {
    /// Whether the server is ready for reviews.
    pub(super) fn readiness(&self, lookups: Option<Lookups>) -> impl Fn() -> Readiness + Clone + Send + Sync + 'static {
        let begun = Instant::now();
        let Self { serving, stopping } = self.clone();
        move || {
            let settled = || lookups.as_ref().is_none_or(Lookups::are_settled);
            let answered = || lookups.as_ref().is_none_or(Lookups::were_answered);
            let cut_off = || lookups.as_ref().is_some_and(Lookups::are_cut_off);
            if stopping.load(Ordering::Relaxed) {
                Err("stopping")
            } else if !serving.load(Ordering::Relaxed) {
                Err("not serving yet")
            } else if !answered() && cut_off() {
                Err("cannot reach the API server: the log says why")
            } else if !answered() || (begun.elapsed() < SYNC_WITHIN && !settled()) {
                Err("reading what verdicts look up")
            } else {
                Ok(())
            }
        }
    }

    /// The webhooks' port is served. Waits for the `stop` signal: then the readiness probe fails, and reviews are accepted
    /// for the shutdown delay.
    pub(super) async fn until_drained(&self, stop: impl Future<Output = ()>, limits: &ReviewLimits) {
        self.serving.store(true, Ordering::Relaxed);
        stop.await;
        tracing::info!("told to stop");
        self.stopping.store(true, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_secs(limits.shutdown_delay.into())).await;
    }
}
