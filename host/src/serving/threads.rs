//! The threads on which calls are computed.
//!
//! To wake another thread takes longer than most calls, so a call is computed on the worker thread where it arrives.
//! But a module may run for seconds, and input and output must not wait for it. So one worker of the runtime never
//! computes, and further calls are computed on other threads.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task;

/// A runtime for an adapter. It has a few worker threads; all but one of them may compute. For further calls there are
/// more threads than processors, so that modules in an endless loop do not delay other calls.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    let processors = available_parallelism().map_or(1, usize::from);
    Builder::new_multi_thread()
        .worker_threads(processors.clamp(2, 4))
        .max_blocking_threads(processors.saturating_mul(4).clamp(16, 128))
        .enable_all()
        .build()
}

/// Permits to compute on worker threads of the runtime.
#[derive(Clone, Default)]
pub(crate) struct Threads(Arc<OnceLock<Semaphore>>);

impl Threads {
    /// Runs a computation. `None` when it panics.
    pub(crate) async fn run<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let permits = || Semaphore::new(Handle::current().metrics().num_workers().saturating_sub(1));
        let Ok(_permit) = self.0.get_or_init(permits).try_acquire() else {
            return task::spawn_blocking(compute).await.ok();
        };
        // A task that this one has woken waits for this thread, and no other thread can run it. So it goes first.
        task::yield_now().await;
        panic::catch_unwind(AssertUnwindSafe(compute)).ok()
    }
}
