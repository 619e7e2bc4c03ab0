//! Which thread a call computes on.
//!
//! Most calls take less time than it takes to wake another thread, so they compute where they arrive. But a
//! module may run for seconds, and then whoever moves bytes must not wait for it: of the runtime's workers, one
//! never computes. Further calls compute on threads of their own.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task;

/// A runtime for an adapter. Few threads move bytes, and all but one of them may compute. For further calls there are
/// more threads than processors, so that a module that runs into its deadline does not hold up the others.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    let processors = available_parallelism().map_or(1, usize::from);
    Builder::new_multi_thread()
        .worker_threads(processors.clamp(2, 4))
        .max_blocking_threads(processors.saturating_mul(4).clamp(16, 128))
        .enable_all()
        .build()
}

/// Permits to compute on a worker of the runtime.
#[derive(Clone, Default)]
pub(crate) struct Threads(Arc<OnceLock<Semaphore>>);

impl Threads {
    /// Computes; gives nothing when the computation panics.
    pub(crate) async fn run<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let permits = || Semaphore::new(Handle::current().metrics().num_workers().saturating_sub(1));
        let Ok(_permit) = self.0.get_or_init(permits).try_acquire() else {
            return task::spawn_blocking(compute).await.ok();
        };
        // What this task woke while it read its request is next on this thread, and other threads cannot take
        // it: let it run first.
        task::yield_now().await;
        panic::catch_unwind(AssertUnwindSafe(compute)).ok()
    }
}
