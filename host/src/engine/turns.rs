//! The calls of a module that run at once, and those that wait for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of calls of a module that may wait.
const MOST_WAITING: usize = 256;

/// The unit in which requests are counted, in bytes.
const UNIT: usize = 1 << 10;

/// The turns of a module. Calls that wait get them in the order in which they came.
pub(super) struct Turns {
    calls: Arc<Semaphore>,
    requests: Arc<Semaphore>,
    /// The units of all requests together.
    units: u32,
    waiting: AtomicUsize,
}

/// A turn: one call may run. The next call gets it when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    _permits: Option<[OwnedSemaphorePermit; 2]>,
}

/// Too many calls of a module wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

impl Turns {
    /// Turns for so many calls at once, whose requests have so many bytes together.
    pub(super) fn new(calls: usize, requests: usize) -> Self {
        let units = u32::try_from((requests / UNIT).clamp(1, Semaphore::MAX_PERMITS)).unwrap_or(u32::MAX);
        Self {
            calls: Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS))),
            requests: Arc::new(Semaphore::new(usize::try_from(units).unwrap_or(usize::MAX))),
            units,
            waiting: AtomicUsize::new(0),
        }
    }

    /// Waits for a turn of a call whose request has so many bytes. A request that is larger than all may be together
    /// runs alone.
    pub(super) async fn next(&self, bytes: usize) -> Result<Turn, Busy> {
        let units = u32::try_from(bytes / UNIT + 1).unwrap_or(u32::MAX).min(self.units);
        let _waiting = QueuedCall::begin(&self.waiting)?;
        // Never closed, so there is always a permit.
        let request = Arc::clone(&self.requests).acquire_many_owned(units).await.map_err(|_| Busy)?;
        let call = Arc::clone(&self.calls).acquire_owned().await.map_err(|_| Busy)?;
        Ok(Turn { _permits: Some([request, call]) })
    }

    /// The number of calls that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// Counts a call that waits, until it is dropped.
struct QueuedCall<'a>(&'a AtomicUsize);

impl<'a> QueuedCall<'a> {
    fn begin(count: &'a AtomicUsize) -> Result<Self, Busy> {
        let waiting = Self(count);
        if count.fetch_add(1, Ordering::Relaxed) < MOST_WAITING { Ok(waiting) } else { Err(Busy) }
    }
}

impl Drop for QueuedCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Whether a call gets its turn at once.
    fn next(turns: &Turns, bytes: usize) -> Option<Turn> {
        match pin!(turns.next(bytes)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => turn.ok(),
            Poll::Pending => None,
        }
    }

    #[test]
    fn calls_and_their_requests_are_bounded() {
        let turns = Turns::new(2, 10 * UNIT);
        let small = next(&turns, 10).unwrap();
        assert!(next(&turns, 10 * UNIT).is_none(), "its request does not fit beside the other");
        let medium = next(&turns, 8 * UNIT).unwrap();
        assert!(next(&turns, 0).is_none(), "two run");
        drop((small, medium));
        let huge = next(&turns, 1000 * UNIT).unwrap();
        assert!(next(&turns, 0).is_none(), "it runs alone");
        drop(huge);
        assert_eq!((turns.waiting(), next(&turns, 0).is_some()), (0, true));
    }

    #[test]
    fn those_that_wait_are_bounded() {
        let turns = Turns::new(1, UNIT);
        let _running = next(&turns, 0).unwrap();
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting: Vec<_> = (0..MOST_WAITING).map(|_| Box::pin(turns.next(0))).collect();
        assert!(waiting.iter_mut().all(|turn| turn.as_mut().poll(&mut context).is_pending()));
        assert!(matches!(pin!(turns.next(0)).poll(&mut context), Poll::Ready(Err(Busy))));
        waiting.pop();
        assert!(pin!(turns.next(0)).poll(&mut context).is_pending());
    }
}
