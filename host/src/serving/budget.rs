//! A bound on the bytes of requests, or of files, that a server holds at once.
//!
//! Room is taken as bytes come, not as they are announced. A quarter is for small requests alone, so that large ones do not
//! keep them out.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

/// A request is small up to this size, in bytes.
const SMALL: usize = 256 << 10;

/// How long a request waits for room.
const WAIT: Duration = Duration::from_secs(2);

/// The bytes of requests that a server may hold. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

/// There was no room in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Budget {
    /// A budget of `bytes`, or more when a request may have `largest` bytes.
    pub(crate) fn new(bytes: u64, largest: usize) -> Self {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let small = (bytes / 4).max(SMALL);
        let large = bytes.saturating_sub(small).max(largest);
        Self { small: Arc::new(Semaphore::new(small)), large: Arc::new(Semaphore::new(large)) }
    }

    /// The share of a request whose length is announced, or not.
    pub(crate) fn share(&self, announced: Option<usize>) -> Held {
        let mut held = Held { budget: self.clone(), pool: Arc::clone(&self.large), permits: Vec::new() };
        held.announce(announced);
        held
    }
}

/// The share of a request: the room for its bytes that came, until it is dropped.
#[derive(Debug)]
pub(crate) struct Held {
    budget: Budget,
    pool: Arc<Semaphore>,
    /// One for each part of the budget in which there is room.
    permits: Vec<OwnedSemaphorePermit>,
}

impl Held {
    /// The length of the request is known. What is held already stays where it is.
    pub(super) fn announce(&mut self, length: Option<usize>) {
        let small = length.is_some_and(|length| length <= SMALL);
        self.pool = Arc::clone(if small { &self.budget.small } else { &self.budget.large });
    }

    /// Takes room for more bytes. Waits for it until `deadline`, and no longer than [`WAIT`].
    ///
    /// # Errors
    /// When there was no room in that time.
    pub(crate) async fn grow(&mut self, bytes: usize, deadline: Instant) -> Result<(), Full> {
        let bytes = u32::try_from(bytes).map_err(|_| Full)?;
        let permit = match Arc::clone(&self.pool).try_acquire_many_owned(bytes) {
            Ok(permit) => permit,
            Err(_) => {
                let until = deadline.min(Instant::now() + WAIT);
                let waiting = Arc::clone(&self.pool).acquire_many_owned(bytes);
                timeout_at(until, waiting).await.map_err(|_| Full)?.map_err(|_| Full)?
            }
        };
        match self.permits.iter_mut().find(|held| Arc::ptr_eq(held.semaphore(), permit.semaphore())) {
            Some(held) => held.merge(permit),
            None => self.permits.push(permit),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn small_requests_have_room_of_their_own() {
        let budget = Budget::new(4 << 20, 1);
        let soon = || Instant::now() + Duration::from_millis(1);
        let (mut large, mut unknown, mut small) =
            (budget.share(Some(8 << 20)), budget.share(None), budget.share(Some(SMALL)));
        large.grow(3 << 20, soon()).await.unwrap();
        assert_eq!(unknown.grow(1, soon()).await, Err(Full));
        small.grow(SMALL, soon()).await.unwrap();
        drop(large);
        unknown.grow(1, soon()).await.unwrap();
        unknown.announce(Some(3));
        unknown.grow(2, soon()).await.unwrap();
        let mut all = budget.share(None);
        assert_eq!(all.grow(3 << 20, soon()).await, Err(Full));
        drop(unknown);
        all.grow(3 << 20, soon()).await.unwrap();
    }

    #[tokio::test]
    async fn a_request_waits_for_room() {
        let budget = Budget::new(0, 1 << 20);
        let (mut first, mut second) = (budget.share(None), budget.share(None));
        first.grow(1 << 20, Instant::now()).await.unwrap();
        tokio::spawn(async move {
            tokio::task::yield_now().await;
            drop(first);
        });
        second.grow(1, Instant::now() + WAIT).await.unwrap();
    }
}
