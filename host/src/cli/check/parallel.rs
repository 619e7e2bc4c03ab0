//! Runs work on all processors.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Calls `answer` for each item, on as many threads as there are processors. The answers are in the order of the items.
pub(super) fn each<T: Sync, A: Send>(items: &[T], answer: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let answered = answer(item);
            answers.lock().unwrap_or_else(PoisonError::into_inner).insert(index, answered);
        }
    };
    thread::scope(|scope| {
        for _ in 1..processors().min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// The number of processors.
pub(super) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
