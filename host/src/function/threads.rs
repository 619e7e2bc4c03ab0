//! Which thread a call computes on.
//!
//! Most calls take less time than it takes to wake another thread, so they compute where they arrive. But a
//! module may run for seconds, and then whoever moves bytes must not wait for it: only so many of the threads
//! that move bytes compute at once, and one of them never does. Further calls compute on threads of their own.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task;

/// Threads that move bytes and may compute.
pub(super) const ON_WORKERS: usize = 3;

/// Permits to compute on a thread that moves bytes.
#[derive(Clone)]
pub(super) struct Threads(Arc<Semaphore>);

impl Default for Threads {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(ON_WORKERS)))
    }
}

impl Threads {
    /// Computes; gives nothing when the computation panics.
    pub(super) async fn run<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let Ok(_permit) = self.0.try_acquire() else {
            return task::spawn_blocking(compute).await.ok();
        };
        // What this task woke while it read its request is next on this thread, and other threads cannot take
        // it: let it run first.
        task::yield_now().await;
        panic::catch_unwind(AssertUnwindSafe(compute)).ok()
    }
}
