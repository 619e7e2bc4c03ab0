//! The threads on which calls are computed.
//!
//! To wake another thread takes longer than most calls, so a call is computed on the worker thread where it arrives.
//! But a module may run for seconds, and input and output must not wait for it. So one worker of the runtime never
//! computes, and further calls are computed on other threads. There is a thread for each call that may run at once, so
//! calls never wait for a thread behind calls of another module.

use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task;

use crate::engine::Caller;
use crate::traces::carried;

/// The number of threads for computations beside calls of modules.
const OTHERS: usize = 16;

/// A runtime for an adapter that computes so many calls at once. It has a worker thread for each of a few processors, and
/// one more, so that all these processors may compute. The other threads exist only while they are needed.
pub(crate) fn runtime(calls: usize) -> std::io::Result<Runtime> {
    let processors = available_parallelism().map_or(1, usize::from);
    Builder::new_multi_thread()
        .worker_threads(processors.min(4) + 1)
        .max_blocking_threads(calls.saturating_add(OTHERS))
        .enable_all()
        .build()
}

/// Permits to compute on worker threads of the runtime.
#[derive(Clone, Default)]
pub(crate) struct Threads(Arc<OnceLock<Arc<Semaphore>>>);

impl Threads {
    /// Runs a computation. `None` when it panics. When the result is dropped earlier, nobody waits for the answer: calls of
    /// modules in the computation end.
    pub(crate) async fn run<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let caller = Caller::default();
        let _waiting = caller.waits();
        let compute = carried(move || caller.run(compute));
        let permits = || Arc::new(Semaphore::new(Handle::current().metrics().num_workers().saturating_sub(1)));
        let Ok(permit) = Arc::clone(self.0.get_or_init(permits)).try_acquire_owned() else {
            return task::spawn_blocking(compute).await.ok();
        };
        // A task of its own, which this thread runs next: so its connection, which other threads serve meanwhile, can say
        // that the client is gone. A task that waited to run next on this thread can run on others then.
        let task = async move {
            let answer = compute();
            drop(permit);
            answer
        };
        task::spawn(task).await.ok()
    }
}
