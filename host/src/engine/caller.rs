//! Who waits for the answer of a module.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The caller for whom this thread computes.
    static CURRENT: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// A caller of modules, such as a client of a server. When it gives up, its calls end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller(Arc<AtomicBool>);

impl Caller {
    /// Runs a computation for this caller. The calls of modules in it end when the caller gives up.
    pub(crate) fn run<T>(&self, compute: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(Some(self.clone()));
        let _after = Restored(before);
        compute()
    }

    /// The caller waits until this is dropped.
    pub(crate) fn waits(&self) -> Waiting {
        Waiting(self.clone())
    }

    /// Whether nobody waits for an answer any more.
    pub(crate) fn gave_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The caller for whom this thread computes. Without one, somebody always waits.
    pub(super) fn current() -> Self {
        CURRENT.with_borrow(Clone::clone).unwrap_or_default()
    }
}

/// A caller waits while this exists.
#[derive(Debug)]
pub(crate) struct Waiting(Caller);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Restores the caller of a thread, also after a panic.
struct Restored(Option<Caller>);

impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_computation_knows_its_caller() {
        let caller = Caller::default();
        let waiting = caller.waits();
        assert!(!caller.run(|| Caller::current().gave_up()));
        drop(waiting);
        assert!(caller.run(|| Caller::current().gave_up()));
        assert!(!Caller::current().gave_up(), "outside of the computation");
    }
}
